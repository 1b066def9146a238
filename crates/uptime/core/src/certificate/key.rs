//! The key that a certificate is for.

use pharos_domain::wire_enum;
use serde::{Deserialize, Serialize};
use x509_parser::oid_registry::{
    OID_KEY_TYPE_EC_PUBLIC_KEY, OID_PKCS1_RSAENCRYPTION, OID_PKCS1_RSASSAPSS, OID_SIG_ED25519,
};
use x509_parser::prelude::FromDer;
use x509_parser::public_key::RSAPublicKey;
use x509_parser::x509::SubjectPublicKeyInfo;

wire_enum! {
    /// The kind of a certificate's key.
    KeyAlgorithm {
        /// RSA.
        Rsa = "rsa",
        /// A key on an elliptic curve of NIST, SECG or Brainpool.
        Ecdsa = "ecdsa",
        /// Ed25519 (RFC 8410).
        Ed25519 = "ed25519",
        /// None of the others.
        Other = "other",
    }
}

/// The key that a certificate is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The algorithm that the key is for.
    pub algorithm: KeyAlgorithm,
    /// Its size: of RSA the modulus, of ECDSA the field of the curve, of Ed25519 always 256. `None` where the kind or
    /// the curve is not known.
    pub bits: Option<u32>,
}

impl Key {
    pub(super) fn read(info: &SubjectPublicKeyInfo<'_>) -> Self {
        let kind = &info.algorithm.algorithm;
        if *kind == OID_PKCS1_RSAENCRYPTION || *kind == OID_PKCS1_RSASSAPSS {
            Self {
                algorithm: KeyAlgorithm::Rsa,
                bits: modulus_bits(&info.subject_public_key.data),
            }
        } else if *kind == OID_KEY_TYPE_EC_PUBLIC_KEY {
            Self {
                algorithm: KeyAlgorithm::Ecdsa,
                bits: curve_bits(info),
            }
        } else if *kind == OID_SIG_ED25519 {
            Self {
                algorithm: KeyAlgorithm::Ed25519,
                bits: Some(256),
            }
        } else {
            Self {
                algorithm: KeyAlgorithm::Other,
                bits: None,
            }
        }
    }

    /// Whether it is as long as public authorities must ask for: RSA of 2,048 bits, ECDSA of 256 (CA/Browser Forum
    /// Baseline Requirements, 6.1.5); Ed25519 is as strong. `None` where that can't be told.
    #[must_use]
    pub fn is_strong(self) -> Option<bool> {
        match self.algorithm {
            KeyAlgorithm::Rsa => self.bits.map(|bits| bits >= 2_048),
            KeyAlgorithm::Ecdsa => self.bits.map(|bits| bits >= 256),
            KeyAlgorithm::Ed25519 => Some(true),
            KeyAlgorithm::Other => None,
        }
    }
}

fn modulus_bits(key: &[u8]) -> Option<u32> {
    let (_, key) = RSAPublicKey::from_der(key).ok()?;
    let start = key.modulus.iter().position(|byte| *byte != 0)?;
    let digits = &key.modulus[start..];
    let bits = u32::try_from(digits.len()).ok()?.checked_mul(8)?;
    Some(bits - digits.first()?.leading_zeros())
}

fn curve_bits(info: &SubjectPublicKeyInfo<'_>) -> Option<u32> {
    let curve = info.algorithm.parameters.as_ref()?.as_oid().ok()?;
    match curve.to_id_string().as_str() {
        // P-192, P-224
        "1.2.840.10045.3.1.1" => Some(192),
        "1.3.132.0.33" => Some(224),
        // P-256, secp256k1, brainpoolP256r1
        "1.2.840.10045.3.1.7" | "1.3.132.0.10" | "1.3.36.3.3.2.8.1.1.7" => Some(256),
        // P-384, brainpoolP384r1
        "1.3.132.0.34" | "1.3.36.3.3.2.8.1.1.11" => Some(384),
        // brainpoolP512r1
        "1.3.36.3.3.2.8.1.1.13" => Some(512),
        // P-521
        "1.3.132.0.35" => Some(521),
        _ => None,
    }
}
