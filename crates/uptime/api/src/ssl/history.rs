//! GET /domains/{domain_id}/ssl/history

use pharos_domain::{
    identity::DomainAccess, module::Module, page::Page, problem::Suffix, scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use pharos_uptime::certificate::store::{CertificateStore, LastSighting, SeenCertificate};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

use super::last_seen;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listSslCertificates",
    path: "/domains/{domain_id}/ssl/history",
    module: Module::Uptime,
    summary: "The certificates that a site has presented, the newest first",
    description: "The 50 that were seen last, good or bad. One that comes back after another is current again.",
    scope: Some(Scope::ReadUptime),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::UptimeNotFound, Suffix::CheckDataNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    store: Port<dyn CertificateStore>,
) -> ApiResult<Page<SeenCertificatePublic>> {
    let (_, last) = last_seen(&access, &*store).await?;
    let seen = store.list(&access).await?;
    Ok(Page::single(
        seen.into_iter()
            .map(|seen| SeenCertificatePublic::new(seen, &last))
            .collect(),
    ))
}

/// A certificate that a site has presented.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeenSslCertificate)]
pub(crate) struct SeenCertificatePublic {
    /// SHA-256 of it, hex, lower case.
    fingerprint_sha256: String,
    /// The check that saw it first.
    first_seen_at: Timestamp,
    /// The last check that saw it; of one that was replaced, to within an hour.
    last_seen_at: Timestamp,
    /// Common name of its issuer; null where that has none.
    #[schema(required)]
    issuer_common_name: Option<String>,
    /// From when it is valid.
    valid_from: Timestamp,
    /// The last second of its validity.
    valid_until: Timestamp,
    /// How many DNS names and addresses it is for.
    #[schema(minimum = 0)]
    subject_alt_names_count: u32,
    /// Whether no other has been seen since.
    is_current: bool,
    /// Whole days, rounded down, from its replacement to its end; negative when it had expired. Null while it is current.
    #[schema(required)]
    replaced_days_before_expiry: Option<i64>,
}

impl SeenCertificatePublic {
    fn new(seen: SeenCertificate, last: &LastSighting) -> Self {
        let replaced_days_before_expiry = seen.replaced_days_before_expiry();
        let last_seen_at = seen.last_seen_by(last);
        let SeenCertificate {
            fingerprint_sha256,
            first_seen_at,
            last_seen_at: _,
            replaced_at,
            issuer_common_name,
            valid_from,
            valid_until,
            subject_alt_names_count,
        } = seen;
        Self {
            fingerprint_sha256,
            first_seen_at: first_seen_at.into(),
            last_seen_at: last_seen_at.into(),
            issuer_common_name,
            valid_from: valid_from.into(),
            valid_until: valid_until.into(),
            subject_alt_names_count,
            is_current: replaced_at.is_none(),
            replaced_days_before_expiry,
        }
    }
}

impl Example for SeenCertificatePublic {
    fn example() -> Self {
        Self {
            fingerprint_sha256: "a".repeat(64),
            first_seen_at: datetime!(2026-02-11 09:01:30 UTC).into(),
            last_seen_at: datetime!(2026-03-31 09:14:30 UTC).into(),
            issuer_common_name: Some("E7".to_owned()),
            valid_from: datetime!(2026-02-11 08:00:00 UTC).into(),
            valid_until: datetime!(2026-05-12 07:59:59 UTC).into(),
            subject_alt_names_count: 2,
            is_current: true,
            replaced_days_before_expiry: None,
        }
    }
}
