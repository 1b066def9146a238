//! The signature under a certificate.

use serde::{Deserialize, Serialize};
use x509_parser::oid_registry::OID_HASH_SHA1;
use x509_parser::signature_algorithm::RsaSsaPssParams;
use x509_parser::x509::AlgorithmIdentifier;

/// The signature under a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// Its algorithm, by the name that OpenSSL prints; one that has none here, by its number (`1.2.840.…`).
    pub algorithm: String,
    /// Whether its digest resists collisions: MD2, MD5 and SHA-1 do not. `None` where the algorithm is not known.
    pub is_strong: Option<bool>,
}

impl Signature {
    pub(super) fn read(identifier: &AlgorithmIdentifier<'_>) -> Self {
        let number = identifier.algorithm.to_id_string();
        let (name, is_strong) = match number.as_str() {
            "1.2.840.113549.1.1.2" => ("md2WithRSAEncryption", Some(false)),
            "1.2.840.113549.1.1.4" => ("md5WithRSAEncryption", Some(false)),
            "1.2.840.113549.1.1.5" => ("sha1WithRSAEncryption", Some(false)),
            "1.2.840.113549.1.1.10" => ("rsassaPss", pss_is_strong(identifier)),
            "1.2.840.113549.1.1.11" => ("sha256WithRSAEncryption", Some(true)),
            "1.2.840.113549.1.1.12" => ("sha384WithRSAEncryption", Some(true)),
            "1.2.840.113549.1.1.13" => ("sha512WithRSAEncryption", Some(true)),
            "1.2.840.113549.1.1.14" => ("sha224WithRSAEncryption", Some(true)),
            "1.2.840.10045.4.1" => ("ecdsa-with-SHA1", Some(false)),
            "1.2.840.10045.4.3.1" => ("ecdsa-with-SHA224", Some(true)),
            "1.2.840.10045.4.3.2" => ("ecdsa-with-SHA256", Some(true)),
            "1.2.840.10045.4.3.3" => ("ecdsa-with-SHA384", Some(true)),
            "1.2.840.10045.4.3.4" => ("ecdsa-with-SHA512", Some(true)),
            "1.2.840.10040.4.3" => ("dsaWithSHA1", Some(false)),
            "2.16.840.1.101.3.4.3.2" => ("dsa_with_SHA256", Some(true)),
            "1.3.101.112" => ("ED25519", Some(true)),
            "1.3.101.113" => ("ED448", Some(true)),
            _ => (number.as_str(), None),
        };
        Self {
            algorithm: name.to_owned(),
            is_strong,
        }
    }
}

/// RFC 4055, 3.1: without parameters the digest is SHA-1.
fn pss_is_strong(identifier: &AlgorithmIdentifier<'_>) -> Option<bool> {
    let parameters = RsaSsaPssParams::try_from(identifier.parameters.as_ref()?).ok()?;
    Some(*parameters.hash_algorithm_oid() != OID_HASH_SHA1)
}
