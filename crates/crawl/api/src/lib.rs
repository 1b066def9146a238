#![doc = include_str!("../README.md")]

mod robots;
mod sitemap;
mod widgets;

use pharos_http::operation::Operation;

pub use self::widgets::CrawlWidgets;

/// The operations of robots.txt and sitemaps.
#[must_use]
pub fn operations() -> Vec<Operation> {
    let mut operations = robots::operations();
    operations.extend(sitemap::operations());
    operations
}
