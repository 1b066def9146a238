//! The parameters, body and answer of an operation, read off its handler's types.

mod paging;
pub(crate) mod query;
mod window;

use std::collections::BTreeMap;

use pharos_domain::ports::{MissingPort, Ports};
use serde::Serialize;
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{Ref, RefOr, Schema, path::Parameter},
};

use crate::{
    payload::{Answer, Example},
    spec::{Compare, OperationSpec, PageBy, Window},
};

/// The parameters, body and answer of an operation.
#[derive(Clone)]
pub struct Shapes {
    /// The query parameters of its own.
    pub parameters: Vec<Parameter>,
    /// Whether it takes `limit` with `cursor`, or with `offset`; `None`: neither.
    pub paged: Option<PageBy>,
    /// The window that it takes.
    pub window: Window,
    /// The comparison that it takes.
    pub compare: Compare,
    /// The request's body.
    pub body: Option<Payload>,
    /// Whether a request without it is refused.
    pub body_is_required: bool,
    /// The body of a success.
    pub answer: Payload,
    /// Whether the ports are there that it takes, one after the other.
    pub ports: Vec<PortCheck>,
    /// The schemas that these refer to, by name.
    pub components: BTreeMap<String, RefOr<Schema>>,
}

/// Finds a port of one type.
pub type PortCheck = fn(&Ports) -> Result<(), MissingPort>;

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
            paged: None,
            window: Window::None,
            compare: Compare::None,
            body: None,
            body_is_required: true,
            answer,
            ports: Vec::new(),
            components,
        }
    }

    pub(crate) fn take_body<T: ToSchema + Example + Serialize>(&mut self) {
        self.body = Some(payload::<T>(&mut self.components));
    }

    /// The envelope that it answers, as its members tell.
    pub(crate) fn envelope(&self) -> Option<PageBy> {
        let name = self.answer.schema.ref_location.rsplit('/').next()?;
        let Some(RefOr::T(Schema::Object(answer))) = self.components.get(name) else {
            return None;
        };
        let has = |members: [&str; 2]| members.iter().all(|name| answer.properties.contains_key(*name));
        match (has(["next_cursor", "has_more"]), has(["limit", "offset"])) {
            (true, _) => Some(PageBy::Cursor),
            (false, true) => Some(PageBy::Offset),
            (false, false) => None,
        }
    }

    /// The names of all query parameters.
    pub(crate) fn query_names(&self) -> Vec<String> {
        let own = self.parameters.iter().map(|parameter| parameter.name.clone());
        let paging: &[&str] = match self.paged {
            None => &[],
            Some(PageBy::Cursor) => &["limit", "cursor"],
            Some(PageBy::Offset) => &["limit", "offset"],
        };
        let window = window::names(self.window, self.compare);
        own.chain(window.chain(paging.iter().copied()).map(str::to_owned))
            .collect()
    }

    /// All query parameters as the document describes them.
    #[must_use]
    pub fn query_parameters(&self, spec: &OperationSpec) -> Vec<Parameter> {
        let paging = paging::parameters(spec.paging);
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
