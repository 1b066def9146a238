//! A server's own certificate, read from its DER form.

use std::net::{Ipv4Addr, Ipv6Addr};

use pharos_domain::{hex::hex, timestamp::in_utc};
use ring::digest;
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::FromDer;
use x509_parser::time::ASN1Time;
use x509_parser::x509::{AttributeTypeAndValue, X509Name};

use super::key::Key;
use super::signature::Signature;

/// How many names of a certificate are kept.
pub const NAMES: usize = 1_000;

/// A certificate (RFC 5280).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// The moment from which it is valid.
    #[serde(with = "time::serde::rfc3339")]
    pub valid_from: OffsetDateTime,
    /// The last moment at which it is valid.
    #[serde(with = "time::serde::rfc3339")]
    pub valid_until: OffsetDateTime,
    /// Common name of the subject; many certificates have none today.
    pub subject_common_name: Option<String>,
    /// DNS names and addresses that it is for: the first [`NAMES`] of them.
    pub subject_alt_names: Vec<String>,
    /// How many there are in all.
    pub subject_alt_names_count: u32,
    /// Common name of the issuer.
    pub issuer_common_name: Option<String>,
    /// Organization of the issuer.
    pub issuer_organization: Option<String>,
    /// Serial number, hex, lower case, without leading zero octets.
    pub serial_number: String,
    /// SHA-256 of the whole certificate, hex, lower case.
    pub fingerprint_sha256: String,
    /// The public key that it certifies.
    pub key: Key,
    /// The signature under it.
    pub signature: Signature,
    /// Whether it names itself as its issuer.
    pub is_self_issued: bool,
}

impl Certificate {
    /// Reads a certificate in DER; `None` if that cannot be done.
    #[must_use]
    pub fn read(der: &[u8]) -> Option<Self> {
        let (_, parsed) = X509Certificate::from_der(der).ok()?;
        let (subject_alt_names, subject_alt_names_count) = alt_names(&parsed);
        Some(Self {
            valid_from: moment(parsed.validity().not_before)?,
            valid_until: moment(parsed.validity().not_after)?,
            subject_common_name: common_name(parsed.subject()),
            subject_alt_names,
            subject_alt_names_count,
            issuer_common_name: common_name(parsed.issuer()),
            issuer_organization: text(parsed.issuer().iter_organization().next()),
            serial_number: serial_number(parsed.raw_serial()),
            fingerprint_sha256: fingerprint(der),
            key: Key::read(parsed.public_key()),
            signature: Signature::read(&parsed.signature_algorithm),
            is_self_issued: parsed.subject().as_raw() == parsed.issuer().as_raw(),
        })
    }

    /// Whole days until it expires, rounded down: 0 means within 24 hours, negative means it has expired.
    #[must_use]
    pub fn days_remaining(&self, now: OffsetDateTime) -> i64 {
        days(self.valid_until - now)
    }

    /// Whole days that it is valid for, both its first and its last second included (RFC 5280, 4.1.2.5).
    #[must_use]
    pub fn lifetime_days(&self) -> i64 {
        days(self.valid_until - self.valid_from + Duration::SECOND)
    }
}

/// A time of a certificate. It may come with an offset that no other format knows (`+2400`), though RFC 5280 wants UTC.
pub(super) fn moment(time: ASN1Time) -> Option<OffsetDateTime> {
    in_utc(time.to_datetime())
}

/// Whole days, rounded down.
pub(super) fn days(time: Duration) -> i64 {
    let days = time.whole_days();
    if Duration::days(days) > time {
        days - 1
    } else {
        days
    }
}

pub(super) fn common_name(name: &X509Name<'_>) -> Option<String> {
    text(name.iter_common_name().next())
}

/// SHA-256, hex, lower case.
pub(super) fn fingerprint(der: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, der).as_ref())
}

fn text(attribute: Option<&AttributeTypeAndValue<'_>>) -> Option<String> {
    attribute.and_then(|attribute| attribute.as_str().ok()).map(clean)
}

/// PostgreSQL's texts hold no NUL; what a server sends may.
fn clean(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

fn alt_names(certificate: &X509Certificate<'_>) -> (Vec<String>, u32) {
    let Ok(Some(extension)) = certificate.subject_alternative_name() else {
        return (Vec::new(), 0);
    };
    let mut names = extension.value.general_names.iter().filter_map(alt_name);
    let kept: Vec<String> = names.by_ref().take(NAMES).collect();
    let count = kept.len() + names.count();
    (kept, u32::try_from(count).unwrap_or(u32::MAX))
}

fn alt_name(name: &GeneralName<'_>) -> Option<String> {
    match name {
        GeneralName::DNSName(name) => Some(clean(name)),
        GeneralName::IPAddress(octets) => match octets.len() {
            4 => <[u8; 4]>::try_from(*octets)
                .ok()
                .map(|ip| Ipv4Addr::from(ip).to_string()),
            16 => <[u8; 16]>::try_from(*octets)
                .ok()
                .map(|ip| Ipv6Addr::from(ip).to_string()),
            _ => None,
        },
        _ => None,
    }
}

fn serial_number(octets: &[u8]) -> String {
    let zeros = octets.iter().take_while(|octet| **octet == 0).count();
    hex(&octets[zeros.min(octets.len().saturating_sub(1))..])
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair};
    use time::macros::datetime;

    use super::*;

    fn certificate(change: impl FnOnce(&mut CertificateParams), names: usize) -> Certificate {
        let names: Vec<String> = (0..names).map(|name| format!("n{name}.test")).collect();
        let mut params = CertificateParams::new(names).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        Certificate::read(params.self_signed(&key).unwrap().der()).unwrap()
    }

    #[test]
    fn of_ten_thousand_names_the_first_thousand_are_kept_and_all_are_counted() {
        let certificate = certificate(|_| (), 10_000);
        assert_eq!(certificate.subject_alt_names_count, 10_000);
        assert_eq!(certificate.subject_alt_names.len(), NAMES);
        assert_eq!(certificate.subject_alt_names[999], "n999.test");
    }

    /// Computed by hand: 90 days from midnight end a second before midnight.
    #[test]
    fn days_are_rounded_down_and_a_lifetime_counts_its_last_second() {
        let certificate = certificate(
            |params| {
                params.not_before = datetime!(2026-01-01 00:00 UTC);
                params.not_after = datetime!(2026-03-31 23:59:59 UTC);
            },
            1,
        );
        assert_eq!(certificate.lifetime_days(), 90);
        for (now, days) in [
            (datetime!(2026-03-29 23:59:59 UTC), 2),
            (datetime!(2026-03-30 00:00 UTC), 1),
            (datetime!(2026-03-31 00:00 UTC), 0),
            (datetime!(2026-03-31 23:59:59 UTC), 0),
            (datetime!(2026-03-31 23:59:59.5 UTC), -1),
            (datetime!(2026-04-02 00:00 UTC), -2),
        ] {
            assert_eq!(certificate.days_remaining(now), days, "{now}");
        }
    }

    #[test]
    fn what_is_no_certificate_is_not_read() {
        for der in [&b""[..], b"\x30\x03\x02\x01\x01", &[0; 4_096]] {
            assert_eq!(Certificate::read(der), None);
        }
    }
}
