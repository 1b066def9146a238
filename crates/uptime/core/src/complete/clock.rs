//! Checks that a clock has stamped that is ahead.

use pharos_domain::ids::CheckId;
use time::{Duration, OffsetDateTime};

use crate::{finished::FinishedCheck, state::SKEW};

/// Stamps by the database's clock what a node's has stamped that is ahead of it, and keeps the order. `now` is what the
/// node's clock says now. Gives the checks that it stamped.
#[must_use]
pub fn stamp(finished: &mut [FinishedCheck], now: OffsetDateTime, present: OffsetDateTime) -> Vec<CheckId> {
    let ahead = (now - present).max(Duration::ZERO);
    let mut stamped = Vec::new();
    for check in finished.iter_mut().map(|done| &mut done.check) {
        if check.checked_at > present + SKEW {
            let at = check.checked_at.checked_sub(ahead).unwrap_or(present);
            tracing::warn!(
                domain_id = %check.domain_id, region = check.region, checked_at = %check.checked_at, %present,
                "a check comes from a clock that is ahead"
            );
            // One that waited for the database for longer is rare, and so is a clock that changes meanwhile.
            check.checked_at = at.clamp(present - Duration::DAY, present);
            stamped.push(check.id);
        }
    }
    finished.sort_by_key(|done| done.check.checked_at);
    stamped
}
