//! What a presented certificate says of itself.

use ring::digest;
use rustls::pki_types::CertificateDer;
use time::{Duration, OffsetDateTime};
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::FromDer;
use x509_parser::x509::X509Name;

use super::error_class::ErrorClass;

/// The certificate that a server presented, whether it was accepted or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentedCertificate {
    /// The moment from which it is valid.
    pub not_before: OffsetDateTime,
    /// The moment up to which it is valid.
    pub not_after: OffsetDateTime,
    /// Common name of the subject; many certificates have none today.
    pub subject_common_name: Option<String>,
    /// DNS names and addresses that it is for.
    pub subject_alt_names: Vec<String>,
    /// Common name of the issuer.
    pub issuer_common_name: Option<String>,
    /// Organization of the issuer.
    pub issuer_organization: Option<String>,
    /// Serial number, hex, lower case.
    pub serial_number: String,
    /// SHA-256 of the whole certificate, hex, lower case.
    pub fingerprint_sha256: String,
    /// Whether it names itself as its issuer.
    pub self_issued: bool,
    /// What verification found wrong, if anything.
    pub fault: Option<ErrorClass>,
    /// The chain as it was sent, this certificate first, each in DER.
    pub chain: Vec<Vec<u8>>,
}

impl PresentedCertificate {
    /// Whole days until it expires, rounded down: 0 means within 24 hours, negative means it has expired.
    #[must_use]
    pub fn days_remaining(&self, now: OffsetDateTime) -> i64 {
        let left = self.not_after - now;
        let days = left.whole_days();
        if Duration::days(days) > left {
            days - 1
        } else {
            days
        }
    }

    /// Reads the first certificate of a chain; `None` if it cannot be read.
    pub(super) fn read(chain: &[CertificateDer<'static>], fault: Option<ErrorClass>) -> Option<Self> {
        let leaf = chain.first()?;
        let (_, parsed) = X509Certificate::from_der(leaf).ok()?;
        Some(Self {
            not_before: parsed.validity().not_before.to_datetime(),
            not_after: parsed.validity().not_after.to_datetime(),
            subject_common_name: common_name(parsed.subject()),
            subject_alt_names: alt_names(&parsed),
            issuer_common_name: common_name(parsed.issuer()),
            issuer_organization: text(parsed.issuer().iter_organization().next()),
            serial_number: hex(parsed.raw_serial()),
            fingerprint_sha256: hex(digest::digest(&digest::SHA256, leaf).as_ref()),
            self_issued: parsed.subject().as_raw() == parsed.issuer().as_raw(),
            fault,
            chain: chain.iter().map(|certificate| certificate.to_vec()).collect(),
        })
    }
}

fn common_name(name: &X509Name<'_>) -> Option<String> {
    text(name.iter_common_name().next())
}

fn text(attribute: Option<&x509_parser::x509::AttributeTypeAndValue<'_>>) -> Option<String> {
    attribute
        .and_then(|attribute| attribute.as_str().ok())
        .map(str::to_owned)
}

fn alt_names(certificate: &X509Certificate<'_>) -> Vec<String> {
    let Ok(Some(extension)) = certificate.subject_alternative_name() else {
        return Vec::new();
    };
    extension
        .value
        .general_names
        .iter()
        .filter_map(alt_name)
        .collect()
}

fn alt_name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress(octets) => match octets.len() {
            4 => <[u8; 4]>::try_from(*octets)
                .ok()
                .map(|ip| std::net::Ipv4Addr::from(ip).to_string()),
            16 => <[u8; 16]>::try_from(*octets)
                .ok()
                .map(|ip| std::net::Ipv6Addr::from(ip).to_string()),
            _ => None,
        },
        _ => None,
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}
