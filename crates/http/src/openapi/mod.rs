//! The OpenAPI document and the reference table, both read off the registry.

pub mod document;
pub mod reference;
pub mod shapes;
