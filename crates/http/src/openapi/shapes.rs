//! What an operation takes and answers, read off its handler's types.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{Ref, RefOr, Schema, path::Parameter},
};

use crate::{
    extract::{page, window},
    operation::{Answer, Example},
    spec::{Compare, OperationSpec, Paging, Window},
};

/// The parameters, body and answer of an operation.
#[derive(Clone)]
pub struct Shapes {
    /// The query parameters of its own.
    pub parameters: Vec<Parameter>,
    /// Whether it takes `limit` and `cursor` (or `offset`).
    pub paged: bool,
    /// The window that it takes.
    pub window: Window,
    /// The comparison that it takes.
    pub compare: Compare,
    /// The request's body.
    pub body: Option<Payload>,
    /// Whether a request without it is refused.
    pub body_is_required: bool,
    /// The answer.
    pub answer: Payload,
    /// The schemas that these refer to, by name.
    pub components: BTreeMap<String, RefOr<Schema>>,
}

/// A JSON payload: its schema's name and an example.
#[derive(Clone)]
pub struct Payload {
    /// The schema, by reference.
    pub schema: Ref,
    /// A value of the payload's type.
    pub example: Value,
}

impl Shapes {
    pub(crate) fn answering<T: Answer>() -> Self {
        let mut components = BTreeMap::new();
        let answer = payload::<T>(&mut components);
        Self {
            parameters: Vec::new(),
            paged: false,
            window: Window::None,
            compare: Compare::None,
            body: None,
            body_is_required: true,
            answer,
            components,
        }
    }

    pub(crate) fn take_body<T: ToSchema + Example + Serialize>(&mut self) {
        self.body = Some(payload::<T>(&mut self.components));
    }

    /// The names of all query parameters.
    pub(crate) fn query_names(&self, spec: &OperationSpec) -> Vec<String> {
        let own = self.parameters.iter().map(|parameter| parameter.name.clone());
        let paging: &[&str] = match spec.paging {
            _ if !self.paged => &[],
            Paging::Cursor { .. } => &["limit", "cursor"],
            Paging::Offset { .. } => &["limit", "offset"],
            Paging::None | Paging::Single => &[],
        };
        let window = window::names(self.window, self.compare);
        own.chain(window.chain(paging.iter().copied()).map(str::to_owned))
            .collect()
    }

    /// All query parameters as the document describes them.
    #[must_use]
    pub fn query_parameters(&self, spec: &OperationSpec) -> Vec<Parameter> {
        let paging = if self.paged {
            page::parameters(spec.paging)
        } else {
            Vec::new()
        };
        self.parameters
            .iter()
            .cloned()
            .chain(window::parameters(self.window, self.compare))
            .chain(paging.into_iter().map(|parameter| parameter.build()))
            .collect()
    }
}

fn payload<T: ToSchema + Example + Serialize>(components: &mut BTreeMap<String, RefOr<Schema>>) -> Payload {
    let mut schemas = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut schemas);
    components.extend(schemas);
    let example = serde_json::to_value(T::example()).unwrap_or_default();
    Payload {
        schema: Ref::from_schema_name(T::name()),
        example,
    }
}
