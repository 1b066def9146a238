//! A certificate as the document shows it.

use pharos_http::operation::Example;
use pharos_uptime::certificate::{
    Alpn, Certificate, ChainCertificate, Encounter, Hsts, Key, KeyAlgorithm, Presented, Sighting, Signature,
    TlsProtocol, TlsSession, store::LastSighting,
};
use time::macros::datetime;

use super::SslCertificatePublic;

impl Example for SslCertificatePublic {
    fn example() -> Self {
        let link = |common_name: &str, issuer: &str, digit: &str| ChainCertificate {
            common_name: Some(common_name.to_owned()),
            issuer_common_name: Some(issuer.to_owned()),
            valid_until: Some(datetime!(2026-05-12 07:59:59 UTC)),
            fingerprint_sha256: digit.repeat(64),
            is_root: false,
        };
        let certificate = Certificate {
            valid_from: datetime!(2026-02-11 08:00:00 UTC),
            valid_until: datetime!(2026-05-12 07:59:59 UTC),
            subject_common_name: Some("shop.example".to_owned()),
            subject_alt_names: vec!["shop.example".to_owned(), "www.shop.example".to_owned()],
            subject_alt_names_count: 2,
            issuer_common_name: Some("E7".to_owned()),
            issuer_organization: Some("Example Authority".to_owned()),
            serial_number: "05c0ffee".to_owned(),
            fingerprint_sha256: "a".repeat(64),
            key: Key {
                algorithm: KeyAlgorithm::Ecdsa,
                bits: Some(256),
            },
            signature: Signature {
                algorithm: "ecdsa-with-SHA384".to_owned(),
                is_strong: Some(true),
            },
            is_self_issued: false,
        };
        let presented = Presented {
            certificate: Some(certificate),
            chain: vec![link("shop.example", "E7", "a"), link("E7", "Example Root", "b")],
            name_matches: Some(true),
            chain_trusted: true,
            chain_complete: Some(true),
        };
        let sighting = Sighting {
            host: "shop.example".to_owned(),
            port: 443,
            encounter: Encounter::Presented {
                presented: Box::new(presented),
                session: Some(TlsSession {
                    protocol: TlsProtocol::Tls13,
                    cipher_suite: "TLS_AES_128_GCM_SHA256".to_owned(),
                    alpn: Some(Alpn::H2),
                }),
                hsts: Some(Hsts {
                    max_age_seconds: 31_536_000,
                    include_subdomains: true,
                    preload: false,
                }),
            },
        };
        let last = LastSighting {
            sighting,
            checked_at: datetime!(2026-03-31 09:14:30 UTC),
        };
        Self::new(last, &[30, 14, 7, 3, 1], datetime!(2026-03-31 09:15:00 UTC))
    }
}
