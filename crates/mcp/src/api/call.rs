//! A call of an operation: its address, body and key.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::catalogue::{Operation, Place};

/// All but the unreserved characters of RFC 3986, section 2.3. The dot is encoded too, so that no value is a way up.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'~');

/// A call of an operation.
#[derive(Debug)]
pub struct Call<'a> {
    pub(super) operation: &'a Operation,
    path: Vec<(String, String)>,
    query: Vec<(String, String)>,
    pub(super) body: Option<Value>,
    pub(super) key: Option<String>,
}

impl<'a> Call<'a> {
    /// A call without parameters.
    #[must_use]
    pub fn of(operation: &'a Operation) -> Self {
        Self {
            operation,
            path: Vec::new(),
            query: Vec::new(),
            body: None,
            key: None,
        }
    }

    /// The same with a parameter. One that the operation does not have is passed over.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        match self.operation.parameter(name).map(|parameter| parameter.place) {
            Some(Place::Path) => self.path.push((name.to_owned(), value.into())),
            Some(_) => self.query.push((name.to_owned(), value.into())),
            None => {}
        }
        self
    }

    /// The same with a body.
    #[must_use]
    pub fn body(self, body: Value) -> Self {
        Self {
            body: Some(body),
            ..self
        }
    }

    /// The same with an idempotency key.
    #[must_use]
    pub fn key(self, key: String) -> Self {
        Self {
            key: Some(key),
            ..self
        }
    }

    /// The path with its parameters, and the query.
    pub(super) fn target(&self) -> String {
        let mut target = self.operation.path.clone();
        for (name, value) in &self.path {
            let value = utf8_percent_encode(value, ENCODED).to_string();
            target = target.replace(&format!("{{{name}}}"), &value);
        }
        if !self.query.is_empty() {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.extend_pairs(&self.query);
            target = format!("{target}?{}", query.finish());
        }
        target
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn a_path_keeps_its_parameters_apart() {
        let catalogue = Catalogue::read(include_bytes!("../../../../docs/openapi.json")).unwrap();
        let operation = catalogue.operation("getRumPage").unwrap();
        let call = Call::of(operation)
            .with("domain_id", "../me-too?x=#")
            .with("url", "https://shop.example/a b&c")
            .with("unknown", "x");
        assert_eq!(
            call.target(),
            "/api/public/v1/domains/%2E%2E%2Fme-too%3Fx%3D%23/rum/pages/detail?url=https%3A%2F%2Fshop.example%2Fa+b%26c"
        );
    }
}
