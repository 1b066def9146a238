//! Pages.

pub(super) mod detail;
pub(super) mod list;
