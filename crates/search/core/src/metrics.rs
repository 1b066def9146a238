//! The metrics of search.

use metrics::{counter, describe_counter};
use pharos_egress::client::Answer;

use crate::{google::error::GoogleError, gsc::property::SyncStatus};

const REQUESTS: &str = "pharos_search_requests_total";
const SYNCS: &str = "pharos_search_syncs_total";

/// Describes them.
pub fn describe() {
    describe_counter!(REQUESTS, "Requests to the API of Search Console, by outcome");
    describe_counter!(SYNCS, "Imports of search data, by outcome");
    crate::indexing::metrics::describe();
}

/// A request was made.
pub(crate) fn asked(asked: &Result<Answer, GoogleError>) {
    let outcome = match asked {
        Ok(_) => "answered",
        Err(GoogleError::Egress(_)) => "unreachable",
        Err(GoogleError::Unauthorized { .. } | GoogleError::Key(_) | GoogleError::NoClient) => "unauthorized",
        Err(GoogleError::Forbidden { .. }) => "forbidden",
        Err(GoogleError::Quota { .. }) => "quota",
        Err(GoogleError::Unavailable { .. }) => "unavailable",
        Err(
            GoogleError::NotEnabled { .. }
            | GoogleError::Refused { .. }
            | GoogleError::Malformed(_)
            | GoogleError::NotJson(_),
        ) => "refused",
    };
    counter!(REQUESTS, "outcome" => outcome).increment(1);
}

/// An import ended.
pub(crate) fn synced(status: SyncStatus) {
    counter!(SYNCS, "outcome" => status.as_str()).increment(1);
}
