//! Sightings for tests.

use time::{Duration, OffsetDateTime, macros::datetime};

use super::{
    Alpn, Certificate, Encounter, Key, KeyAlgorithm, Presented, Sighting, Signature, TlsProtocol, TlsSession,
};

pub(super) const START: OffsetDateTime = datetime!(2026-01-01 00:00 UTC);

/// A certificate of so many days that nothing is wrong with.
pub(super) fn sighting(days: i64, change: impl FnOnce(&mut Presented)) -> Sighting {
    let mut presented = Presented {
        certificate: Some(Certificate {
            valid_from: START,
            valid_until: START + Duration::days(days),
            subject_common_name: None,
            subject_alt_names: vec!["shop.example".to_owned()],
            subject_alt_names_count: 1,
            issuer_common_name: None,
            issuer_organization: None,
            serial_number: "01".to_owned(),
            fingerprint_sha256: "ab".repeat(32),
            key: Key {
                algorithm: KeyAlgorithm::Ecdsa,
                bits: Some(256),
            },
            signature: Signature {
                algorithm: "ecdsa-with-SHA256".to_owned(),
                is_strong: Some(true),
            },
            is_self_issued: false,
        }),
        chain: Vec::new(),
        name_matches: Some(true),
        chain_trusted: true,
        chain_complete: Some(true),
    };
    change(&mut presented);
    Sighting {
        host: "shop.example".to_owned(),
        port: 443,
        encounter: Encounter::Presented {
            presented: Box::new(presented),
            session: Some(TlsSession {
                protocol: TlsProtocol::Tls13,
                cipher_suite: "TLS_AES_128_GCM_SHA256".to_owned(),
                alpn: Some(Alpn::H2),
            }),
            hsts: None,
        },
    }
}
