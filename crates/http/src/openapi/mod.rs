//! The OpenAPI document and the reference table, both read off the registry.

pub mod bounds;
pub mod document;
mod named;
pub mod reference;
pub mod refusals;
