//! GET /domains/{domain_id}/ssl/certificate

mod example;
mod of_sighting;

use pharos_domain::{
    clock::Clock, identity::DomainAccess, module::Module, problem::Suffix, scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec},
};
use pharos_uptime::{
    certificate::{
        Alpn, KeyAlgorithm, TlsProtocol,
        store::CertificateStore,
        verdict::{CertificateCheckCode, CertificateState},
    },
    error_class::ErrorClass,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::last_seen;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getSslCertificate",
    path: "/domains/{domain_id}/ssl/certificate",
    module: Module::Uptime,
    summary: "The certificate that a site presents now",
    description: "As the last check saw it, at the end of all redirects, also if it was refused. Every check opens its \
                  own connection. A certificate expires soon once its days are at or below the largest of the monitor's \
                  `ssl_warn_days`, or a tenth of its lifetime is left.",
    scope: Some(Scope::ReadUptime),
    credits: Credits::Cheap,
    problems: &[Suffix::UptimeNotFound, Suffix::CheckDataNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    store: Port<dyn CertificateStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<SslCertificatePublic> {
    let (warn_days, last) = last_seen(&access, &*store).await?;
    Ok(SslCertificatePublic::new(last, &warn_days, clock.now()))
}

/// The certificate that a site presents. A member is null where none was presented that can be read, or where it has
/// none.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SslCertificate)]
pub(crate) struct SslCertificatePublic {
    /// How the site stands with it. Where it has several faults, its time comes first, then who vouches for it, then its
    /// names.
    state: CertificateState,
    /// The last check that saw this; never null, since there is no answer before the first check.
    #[schema(required)]
    checked_at: Option<Timestamp>,
    /// The host that was asked: where redirects led.
    host: String,
    /// The port that the certificate was seen at.
    port: u16,
    /// Why no certificate was presented; null where one was, and for http.
    #[schema(required)]
    error_class: Option<ErrorClass>,
    /// Common name of the subject; many certificates have none today.
    #[schema(required)]
    subject_common_name: Option<String>,
    /// The DNS names and addresses that it is for: the first 1,000.
    subject_alt_names: Vec<String>,
    /// How many there are in all; null without a certificate.
    #[schema(required, minimum = 0)]
    subject_alt_names_count: Option<u32>,
    /// Common name of the issuer.
    #[schema(required)]
    issuer_common_name: Option<String>,
    /// Organization of the issuer.
    #[schema(required)]
    issuer_organization: Option<String>,
    /// Serial number, hex, lower case.
    #[schema(required)]
    serial_number: Option<String>,
    /// SHA-256 of the certificate, hex, lower case; null where none was presented.
    #[schema(required)]
    fingerprint_sha256: Option<String>,
    /// From when it is valid.
    #[schema(required)]
    valid_from: Option<Timestamp>,
    /// The last second of its validity.
    #[schema(required)]
    valid_until: Option<Timestamp>,
    /// Whole days until then, rounded down: 0 is within 24 hours, negative is over.
    #[schema(required)]
    days_remaining: Option<i64>,
    /// Whole days from the first second of its validity to the last.
    #[schema(required)]
    lifetime_days: Option<i64>,
    /// The kind of its key.
    #[schema(required)]
    key_algorithm: Option<KeyAlgorithm>,
    /// The size of its key; null where the kind or the curve is not known.
    #[schema(required, minimum = 1)]
    key_bits: Option<u32>,
    /// The algorithm of the signature under it, by the name that OpenSSL prints.
    #[schema(required)]
    signature_algorithm: Option<String>,
    /// The version of TLS; null where the handshake was broken off, as over a certificate that is refused.
    #[schema(required)]
    protocol: Option<TlsProtocol>,
    /// The cipher suite, by its IANA name; null where the handshake was broken off.
    #[schema(required)]
    cipher_suite: Option<String>,
    /// The protocol above TLS; null where the server chose none.
    #[schema(required)]
    alpn: Option<Alpn>,
    /// `max-age` of the answer's Strict-Transport-Security; null without a valid one.
    #[schema(required, minimum = 0)]
    hsts_max_age_seconds: Option<u64>,
    /// Whether it has `includeSubDomains`; null without a valid one.
    #[schema(required)]
    hsts_include_subdomains: Option<bool>,
    /// Whether it has `preload`; null without a valid one.
    #[schema(required)]
    hsts_preload: Option<bool>,
    /// The certificates as the server sent them, its own first; 20 at most.
    chain: Vec<ChainCertificatePublic>,
    /// Whether every issuer was sent along, up to an authority; null without a certificate that can be read.
    #[schema(required)]
    chain_complete: Option<bool>,
    /// The results of all checks: always these six.
    checks: Vec<SslCheckPublic>,
}

/// A certificate of a chain.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SslChainCertificate)]
pub(crate) struct ChainCertificatePublic {
    /// 0 for the server's own.
    #[schema(minimum = 0)]
    position: usize,
    /// Common name of its subject; null where it has none.
    #[schema(required)]
    common_name: Option<String>,
    /// Common name of its issuer; null where that has none.
    #[schema(required)]
    issuer_common_name: Option<String>,
    /// The last second of its validity; null if it cannot be read.
    #[schema(required)]
    valid_until: Option<Timestamp>,
    /// SHA-256 of it, hex, lower case.
    fingerprint_sha256: String,
    /// Whether it names itself as its issuer.
    is_root: bool,
}

/// The result of one check of a certificate.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SslCheck)]
pub(crate) struct SslCheckPublic {
    /// The check.
    code: CertificateCheckCode,
    /// Whether all is well; null if that cannot be told.
    #[schema(required)]
    passed: Option<bool>,
    /// Why it is not, or cannot be told; null where all is well, and without a certificate.
    #[schema(required)]
    detail: Option<String>,
}
