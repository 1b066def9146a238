//! Pages of sitemaps that robots.txt blocks.

pub(crate) mod list;
pub(crate) mod recompute;
