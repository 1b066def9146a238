//! Schemas of requests: bounds that no type of Rust has.

use pharos_http::{openapi::bounds::text, schemas};
use pharos_search::indexing::target::{MOST_AT_ONCE, MOST_URL_BYTES};
use utoipa::openapi::schema::ArrayBuilder;

/// How long the name of a run may be.
pub(super) const LONGEST_LABEL: usize = 100;

schemas! {
    /// URLs below the linked property, http or https. A fragment is cut off.
    IndexingUrlNames = ArrayBuilder::new()
        .items(text().min_length(Some(1)).max_length(Some(MOST_URL_BYTES)))
        .min_items(Some(1))
        .max_items(Some(MOST_AT_ONCE));
    /// The name of a run, on one line.
    InspectorRunLabel = text()
        .min_length(Some(1))
        .max_length(Some(LONGEST_LABEL));
}
