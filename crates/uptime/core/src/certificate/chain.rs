//! The chain that a server sends.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use x509_parser::asn1_rs::Any;
use x509_parser::certificate::X509Certificate;
use x509_parser::prelude::FromDer;
use x509_parser::x509::X509Name;

use super::leaf::{common_name, fingerprint, moment};

/// How many certificates of a chain are looked at.
pub const LINKS: usize = 20;

/// One certificate of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainCertificate {
    /// Common name of its subject.
    pub common_name: Option<String>,
    /// Common name of its issuer.
    pub issuer_common_name: Option<String>,
    /// The last moment at which it is valid; `None` if it cannot be read.
    #[serde(with = "time::serde::rfc3339::option")]
    pub valid_until: Option<OffsetDateTime>,
    /// SHA-256 of it, hex, lower case.
    pub fingerprint_sha256: String,
    /// Whether it names itself as its issuer.
    pub is_root: bool,
}

/// The first [`LINKS`] certificates of a chain, in the order in which the server sent them.
pub(crate) fn links<C: AsRef<[u8]>>(chain: &[C]) -> Vec<ChainCertificate> {
    chain.iter().take(LINKS).map(|one| link(one.as_ref())).collect()
}

fn link(der: &[u8]) -> ChainCertificate {
    let parsed = X509Certificate::from_der(der).ok().map(|(_, parsed)| parsed);
    let parsed = parsed.as_ref();
    ChainCertificate {
        common_name: parsed.and_then(|parsed| common_name(parsed.subject())),
        issuer_common_name: parsed.and_then(|parsed| common_name(parsed.issuer())),
        valid_until: parsed.and_then(|parsed| moment(parsed.validity().not_after)),
        fingerprint_sha256: fingerprint(der),
        is_root: parsed.is_some_and(names_itself),
    }
}

/// Whether the issuers, from the first certificate on, are all in the chain, up to one that names itself or that
/// `is_anchor` knows by the content of its name. `None` if the first cannot be read.
pub(crate) fn is_complete<C: AsRef<[u8]>>(chain: &[C], is_anchor: impl Fn(&[u8]) -> bool) -> Option<bool> {
    let mut left: Vec<Option<X509Certificate<'_>>> = chain
        .iter()
        .take(LINKS)
        .map(|one| {
            X509Certificate::from_der(one.as_ref())
                .ok()
                .map(|(_, parsed)| parsed)
        })
        .collect();
    let mut current = left.first_mut()?.take()?;
    loop {
        let issuer = current.issuer();
        if names_itself(&current) || content(issuer).is_some_and(&is_anchor) {
            return Some(true);
        }
        let next = left.iter_mut().find(|one| {
            one.as_ref()
                .is_some_and(|one| one.subject().as_raw() == issuer.as_raw())
        });
        match next.and_then(Option::take) {
            Some(next) => current = next,
            None => return Some(false),
        }
    }
}

fn names_itself(certificate: &X509Certificate<'_>) -> bool {
    certificate.subject().as_raw() == certificate.issuer().as_raw()
}

/// The content of a name without its SEQUENCE: trust anchors keep their names so.
fn content<'a>(name: &'a X509Name<'_>) -> Option<&'a [u8]> {
    Any::from_der(name.as_raw()).ok().map(|(_, name)| name.data)
}
