//! Queries.

pub(super) mod detail;
pub(super) mod list;
