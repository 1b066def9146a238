//! URLs whose place in the index is known.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod view;
