//! Sitemaps, as sitemaps.org and Google's documentation have them: read as a stream, so that memory does not grow with them.

pub mod entry;
pub mod issue;
mod lastmod;
pub mod location;
#[cfg(feature = "monitoring")]
pub mod monitor;
pub mod page;
pub mod read;
mod text;
mod xml;
