//! The moments at which a region checks a site.

use pharos_domain::ids::DomainId;
use pharos_due::slots;
use time::{Duration, OffsetDateTime};

/// The first slot after `now`.
#[must_use]
pub fn next_after(now: OffsetDateTime, domain: DomainId, region: &str, interval: Duration) -> OffsetDateTime {
    slots::next_after(now, &[domain.0.as_bytes(), region.as_bytes()], interval)
}
