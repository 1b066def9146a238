//! The metrics of checks of sitemaps.

use metrics::{Unit, counter, describe_counter};

use super::outcome::{Content, FileOutcome};

const FETCHES: &str = "pharos_sitemap_fetches_total";
const PAGES: &str = "pharos_sitemap_pages_read_total";

/// Describes the metrics of this module.
pub fn describe() {
    describe_counter!(
        FETCHES,
        Unit::Count,
        "Fetches of sitemap files, as scheduled or as asked for, by result"
    );
    describe_counter!(
        PAGES,
        Unit::Count,
        "Pages that were read in sitemap files that were new or had changed"
    );
}

/// Begins the metrics at zero.
pub fn begin() {
    for result in ["read", "same", "broken", "failed"] {
        counter!(FETCHES, "result" => result).increment(0);
    }
    counter!(PAGES).increment(0);
}

/// Records a fetch.
pub(super) fn fetched(outcome: &FileOutcome) {
    let result = match &outcome.content {
        Content::Read(read) => {
            counter!(PAGES).increment(read.pages.len() as u64);
            "read"
        }
        Content::Same(_) => "same",
        Content::Broken(_) => "broken",
        Content::Unknown => "failed",
    };
    counter!(FETCHES, "result" => result).increment(1);
}
