//! A routed request, and the arguments of handlers that are read from it.

use std::sync::Arc;

use actix_web::HttpRequest;
use pharos_domain::identity::Identity;
use serde_json::{Map, Value};
use time::OffsetDateTime;

use super::content::Content;
use crate::{
    problem::{Fault, Problem},
    shapes::Shapes,
    spec::OperationSpec,
};

/// A routed request. The arguments of its handler are read from it.
#[derive(Debug)]
pub struct Call {
    /// The request as actix gives it.
    pub request: HttpRequest,
    /// The operation that is called.
    pub spec: &'static OperationSpec,
    /// Who calls.
    pub identity: Arc<Identity>,
    /// The path's parameters, percent-decoded.
    pub path: Vec<(&'static str, String)>,
    /// When the request was made.
    pub now: OffsetDateTime,
    /// The query's parameters that are in order, decoded: known to the operation, each once unless it is a list.
    pub query: Vec<(String, String)>,
    /// The same by name, as the JSON that they stand for.
    pub values: Map<String, Value>,
    /// The part of the body that is in order; empty where the operation takes none.
    pub body: Content,
    /// The faults of the request, as far as the document's schemas tell.
    pub faults: Vec<Fault>,
}

impl Call {
    /// The path parameter `name`; empty where the path has none.
    #[must_use]
    pub fn path_parameter(&self, name: &str) -> &str {
        self.path
            .iter()
            .find(|(known, _)| *known == name)
            .map_or("", |(_, value)| value)
    }

    /// The query parameter `name`.
    #[must_use]
    pub fn query_parameter(&self, name: &str) -> Option<&str> {
        self.query
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

/// An argument of a handler, beyond what the gates grant. It is read in the parameter gate.
pub trait Argument: Sized {
    /// Reads the argument.
    ///
    /// # Errors
    /// A problem that tells the request's faults.
    fn extract(call: &Call) -> Result<Self, Problem>;

    /// Adds what the answer depends on of the argument: equal calls are those that mean the same, however they are
    /// written. An answer that is kept is found by it.
    fn key(&self, _key: &mut String) {}

    /// Adds the argument to the operation's documented shapes.
    fn document(_shapes: &mut Shapes) {}
}
