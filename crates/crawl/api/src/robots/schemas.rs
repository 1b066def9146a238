//! Schemas of requests: bounds that no type of Rust has.

use pharos_crawl::robots::{
    asked::{LONGEST_ASKED_URL, LONGEST_USER_AGENT, USER_AGENT_PATTERN, USER_AGENT_WORDS},
    line::READ_BYTES,
};
use pharos_http::{openapi::bounds::text, schemas};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder};

/// How many crawlers a query may name.
pub(super) const MOST_USER_AGENTS: usize = 20;
/// How many URLs a query may name.
pub(super) const MOST_URLS: usize = 100;
/// How many URLs may be simulated at once.
pub(super) const MOST_SIMULATED: usize = 500;

fn user_agent() -> ObjectBuilder {
    text()
        .max_length(Some(LONGEST_USER_AGENT as usize))
        .pattern(Some(USER_AGENT_PATTERN))
        .description(Some(USER_AGENT_WORDS))
}

schemas! {
    /// A URL of the site.
    RobotsUrl = text().min_length(Some(1)).max_length(Some(LONGEST_ASKED_URL));
    /// A name that begins with a letter, _ or -, or * for every crawler.
    RobotsUserAgent = user_agent();
    /// Crawlers.
    RobotsUserAgents = ArrayBuilder::new()
        .items(user_agent())
        .min_items(Some(1))
        .max_items(Some(MOST_USER_AGENTS));
    /// URLs of the site.
    RobotsUrls = ArrayBuilder::new()
        .items(text().min_length(Some(1)).max_length(Some(LONGEST_ASKED_URL)))
        .min_items(Some(1))
        .max_items(Some(MOST_URLS));
    /// URLs of the site.
    RobotsSimulatedUrls = ArrayBuilder::new()
        .items(text().min_length(Some(1)).max_length(Some(LONGEST_ASKED_URL)))
        .min_items(Some(1))
        .max_items(Some(MOST_SIMULATED));
    /// The text of a robots.txt. Crawlers read 500 KiB of it.
    RobotsText = text().max_length(Some(READ_BYTES));
}
