//! The metrics of the collection of field data.

use metrics::{counter, describe_counter};
use pharos_egress::client::EgressError;

use super::{client::CruxError, target::TargetStatus, upstream::Answered};

const REQUESTS: &str = "pharos_crux_requests_total";
const COLLECTIONS: &str = "pharos_crux_collections_total";

/// Describes them.
pub fn describe() {
    describe_counter!(
        COLLECTIONS,
        "Origins and pages whose field data was asked for, by what they are from then on: active, no_data (not in the report) or error"
    );
    describe_counter!(
        REQUESTS,
        "Requests to the API of the Chrome UX Report, by outcome: answered, absent (not in the report), quota, refused, malformed or \
         unreachable"
    );
}

/// Begins them at zero.
pub fn begin() {
    for outcome in [
        "answered",
        "absent",
        "quota",
        "refused",
        "malformed",
        "unreachable",
    ] {
        counter!(REQUESTS, "outcome" => outcome).increment(0);
    }
    for status in [TargetStatus::Active, TargetStatus::NoData, TargetStatus::Error] {
        counter!(COLLECTIONS, "outcome" => status.as_str()).increment(0);
    }
}

/// A request was made, or was to be made and its turn was too far off.
pub(super) fn asked(asked: &Result<Option<Answered>, CruxError>) {
    let outcome = match asked {
        Ok(Some(_)) => "answered",
        Ok(None) => "absent",
        Err(CruxError::Egress(EgressError::RateLimited { .. } | EgressError::NotYet { .. })) => "quota",
        Err(CruxError::Egress(_)) => "unreachable",
        Err(CruxError::Refused { .. }) => "refused",
        Err(CruxError::Malformed(_)) => "malformed",
        Err(CruxError::Store(_)) => return,
    };
    counter!(REQUESTS, "outcome" => outcome).increment(1);
}

/// An origin or a page was asked for.
pub(super) fn collected(status: TargetStatus) {
    counter!(COLLECTIONS, "outcome" => status.as_str()).increment(1);
}
