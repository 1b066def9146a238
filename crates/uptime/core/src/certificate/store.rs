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
    /// What was seen last of the domain's site. `None`: no monitor.
    async fn view(&self, domain: &DomainAccess) -> Result<Option<CertificateKnowledge>, StoreError>;

    /// The certificates that the domain's site has presented, the newest first, at most [`HISTORY`].
    async fn list(&self, domain: &DomainAccess) -> Result<Vec<SeenCertificate>, StoreError>;
}

/// What is known of a site's certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateKnowledge {
    /// The days before a certificate's end on which its monitor warns.
    pub warn_days: Vec<u32>,
    /// What was seen last; `None` before the first check.
    pub last: Option<LastSighting>,
}

/// What was seen last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastSighting {
    /// What was seen.
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
    /// Whole days, rounded down, from its replacement to its end: negative when it had expired by then.
    #[must_use]
    pub fn replaced_days_before_expiry(&self) -> Option<i64> {
        self.replaced_at.map(|at| days(self.valid_until - at))
    }
}
