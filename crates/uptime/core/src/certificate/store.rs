//! The port to what is stored of certificates.

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, store::StoreError};
use time::OffsetDateTime;

use super::leaf::days;
use super::sighting::Sighting;

/// How many certificates of a domain are remembered.
pub const HISTORY: usize = 50;

/// Reads what checks saw of certificates.
#[async_trait]
pub trait CertificateStore: Send + Sync {
    /// The last sighting of the domain's site, and the monitor's days to warn on. `None`: no monitor.
    async fn view(&self, domain: &DomainAccess) -> Result<Option<CertificateKnowledge>, StoreError>;

    /// The certificates that the domain's site has presented, the newest first, at most [`HISTORY`].
    async fn list(&self, domain: &DomainAccess) -> Result<Vec<SeenCertificate>, StoreError>;
}

/// The last sighting of a site, for a monitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateKnowledge {
    /// The days before a certificate's end on which its monitor warns.
    pub warn_days: Vec<u32>,
    /// The last sighting; `None` before the first check.
    pub last: Option<LastSighting>,
}

/// The last sighting, and its check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastSighting {
    /// The TLS of the site, as that check saw it.
    pub sighting: Sighting,
    /// The last check that saw it.
    pub checked_at: OffsetDateTime,
}

/// A certificate that a site has presented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenCertificate {
    /// SHA-256 of it, hex, lower case.
    pub fingerprint_sha256: String,
    /// The check that saw it first.
    pub first_seen_at: OffsetDateTime,
    /// The last check that saw it, to within an hour.
    pub last_seen_at: OffsetDateTime,
    /// The check that first saw another in its place; `None` while it is the present one.
    pub replaced_at: Option<OffsetDateTime>,
    /// Common name of its issuer.
    pub issuer_common_name: Option<String>,
    /// The moment from which it is valid.
    pub valid_from: OffsetDateTime,
    /// The last moment at which it is valid.
    pub valid_until: OffsetDateTime,
    /// How many names it is for.
    pub subject_alt_names_count: u32,
}

impl SeenCertificate {
    /// The last check that saw it. The sighting that was stored last is newer where it is of this certificate.
    #[must_use]
    pub fn last_seen_by(&self, last: &LastSighting) -> OffsetDateTime {
        let presented = last.sighting.certificate();
        let is_presented = presented.is_some_and(|now| now.fingerprint_sha256 == self.fingerprint_sha256);
        if is_presented {
            last.checked_at.max(self.last_seen_at)
        } else {
            self.last_seen_at
        }
    }

    /// Whole days, rounded down, from its replacement to its end: negative when it had expired by then.
    #[must_use]
    pub fn replaced_days_before_expiry(&self) -> Option<i64> {
        self.replaced_at.map(|at| days(self.valid_until - at))
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;
    use crate::certificate::fixture::{START, sighting};

    /// Sightings that are equal are stored once an hour, so the last of them knows better.
    #[test]
    fn the_present_certificate_was_seen_by_the_last_sighting() {
        let last = LastSighting {
            sighting: sighting(90, |_| ()),
            checked_at: START + Duration::minutes(59),
        };
        let seen = |fingerprint: &str| SeenCertificate {
            fingerprint_sha256: fingerprint.to_owned(),
            first_seen_at: START,
            last_seen_at: START,
            replaced_at: None,
            issuer_common_name: None,
            valid_from: START,
            valid_until: START + Duration::days(90),
            subject_alt_names_count: 1,
        };
        let presented = last.sighting.certificate().unwrap().fingerprint_sha256.clone();
        assert_eq!(seen(&presented).last_seen_by(&last), last.checked_at);
        assert_eq!(seen("another").last_seen_by(&last), START);
    }
}
