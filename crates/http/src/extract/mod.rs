//! The arguments of a handler.

pub mod argument;
pub mod body;
pub mod content;
mod json;
pub mod page;
pub mod path;
pub mod port;
pub mod query;
mod read_only;
pub(crate) mod schema;
pub mod window;
pub(crate) mod words;
