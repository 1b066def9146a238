//! Operations of the module `sitemap`, and pages of sitemaps that robots.txt blocks.

mod bad_files;
mod changes;
mod check;
mod conflicts;
mod files;
pub(crate) mod fixtures;
mod hosts;
mod issues;
pub(crate) mod lab;
mod metrics;
mod reads;
mod samples;
mod search;

use crate::harness::{Reply, TestApp};

pub(crate) fn path(app: &TestApp, rest: &str) -> String {
    format!("/domains/{}/sitemap/{rest}", app.world.domain)
}

pub(crate) async fn get(app: &TestApp, rest: &str) -> Reply {
    app.get(&path(app, rest), &app.world.key).send().await
}

/// A sitemap of these entries.
pub(super) fn urlset(entries: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">{entries}</urlset>"#
    )
}

/// An index of these files.
pub(super) fn index(urls: &[String]) -> String {
    let entries: String = urls
        .iter()
        .map(|url| format!("<sitemap><loc>{url}</loc></sitemap>"))
        .collect();
    format!(r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>"#)
}

/// The items of a page, as `name` of each.
pub(super) fn each(reply: &serde_json::Value, name: &str) -> Vec<String> {
    let items = reply["items"].as_array().unwrap();
    items
        .iter()
        .map(|item| item[name].as_str().unwrap_or("null").to_owned())
        .collect()
}
