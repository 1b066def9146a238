//! The arguments of a handler.

pub mod body;
mod faults;
pub mod page;
pub mod port;
pub mod query;
pub mod window;
