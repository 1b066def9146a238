//! Schemas of experiments: bounds that no type of Rust has. A test holds them against what is accepted.

use pharos_analytics::experiments::{HYPOTHESIS_LENGTH, MOST_URLS, NAME_LENGTH, URL_LENGTH};
use pharos_http::{openapi::bounds::text, schemas};
use utoipa::openapi::schema::ArrayBuilder;

/// An address, or path and query.
fn pages() -> ArrayBuilder {
    let page = text()
        .pattern(Some("^(/|https?://)[^\\x00-\\x1f\\x7f-\\x9f]*$"))
        .description(Some(
            "a path that begins with /, or an address of http or https, without control characters",
        ))
        .max_length(Some(URL_LENGTH));
    ArrayBuilder::new().items(page).max_items(Some(MOST_URLS))
}

schemas! {
    /// The name of an experiment: one line.
    ExperimentName = text()
        .min_length(Some(*NAME_LENGTH.start()))
        .max_length(Some(*NAME_LENGTH.end()))
        .pattern(Some("^[^\\x00-\\x1f\\x7f-\\x9f]*$"));
    /// An expectation of an experiment.
    ExperimentHypothesis = text().max_length(Some(HYPOTHESIS_LENGTH));
    /// Pages that did not change: paths with their query, or addresses of http or https.
    ControlUrls = pages();
    /// Pages that did, likewise; one at least.
    VariantUrls = pages().min_items(Some(1));
}
