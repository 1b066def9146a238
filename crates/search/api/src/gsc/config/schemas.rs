//! Schemas of settings: bounds that no type of Rust has.

use pharos_http::{
    openapi::bounds::{text, whole},
    schemas,
};
use pharos_search::gsc::config::{MOST_ENTRIES, MOST_IMPRESSIONS, MOST_OF_ENTRY, MOST_OF_REGEX};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder};

fn entries(item: ObjectBuilder) -> ArrayBuilder {
    ArrayBuilder::new().items(item).max_items(Some(MOST_ENTRIES))
}

fn entry() -> ObjectBuilder {
    text().min_length(Some(1)).max_length(Some(MOST_OF_ENTRY))
}

schemas! {
    /// Texts that are part of queries.
    GscBrandTerms = entries(
        entry()
            .pattern(Some("^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\s\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*$"))
            .description(Some("a text with a visible character and without control characters")),
    );
    /// A regular expression of RE2, without look-around and back-references.
    GscBrandRegex = text().min_length(Some(1)).max_length(Some(MOST_OF_REGEX));
    /// Paths; `*` stands for any text.
    GscPathPatterns = entries(
        entry()
            .pattern(Some("^/[^?#\\x00-\\x1f\\x7f-\\x9f]*$"))
            .description(Some("a path that begins with / and is without ?, # and control characters")),
    );
    /// A number of impressions.
    GscMinImpressions = whole(0..=MOST_IMPRESSIONS);
}
