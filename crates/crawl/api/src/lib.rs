#![doc = include_str!("../README.md")]

mod robots;
mod sitemap;

use pharos_http::operation::Operation;

pub use self::{robots::widgets::RobotsWidgets, sitemap::widgets::SitemapWidgets};

/// The operations of robots.txt and sitemaps.
#[must_use]
pub fn operations() -> Vec<Operation> {
    let mut operations = robots::operations();
    operations.extend(sitemap::operations());
    operations
}
