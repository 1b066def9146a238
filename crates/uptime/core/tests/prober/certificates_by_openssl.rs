//! Certificates as checks see them, checked against what OpenSSL sees of the same ones. The reference is `openssl x509` and
//! `openssl s_client`.

use pharos_uptime::certificate::{KeyAlgorithm, TlsProtocol};
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_ECDSA_P384_SHA384, PKCS_ED25519};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::certificates::{leaf, presented, probe_with};
use crate::lab::openssl::{after, s_client, text};
use crate::lab::{Authority, Server, assert_up};

/// A key of RSA, which rcgen can use but not make here.
fn rsa() -> KeyPair {
    let pem = text(
        &["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
        b"",
    );
    KeyPair::from_pem(&pem).unwrap()
}

fn moment(printed: &str) -> OffsetDateTime {
    OffsetDateTime::parse(&printed.replace(' ', "T"), &Rfc3339).unwrap()
}

#[tokio::test]
async fn every_field_is_the_one_that_openssl_reads() {
    let ecdsa = |kind| KeyPair::generate_for(kind).unwrap();
    for (authority_key, key, algorithm, bits) in [
        (rsa(), rsa(), KeyAlgorithm::Rsa, Some("2048")),
        (
            ecdsa(&PKCS_ECDSA_P256_SHA256),
            ecdsa(&PKCS_ECDSA_P256_SHA256),
            KeyAlgorithm::Ecdsa,
            Some("256"),
        ),
        (
            ecdsa(&PKCS_ECDSA_P384_SHA384),
            ecdsa(&PKCS_ECDSA_P384_SHA384),
            KeyAlgorithm::Ecdsa,
            Some("384"),
        ),
        (
            ecdsa(&PKCS_ED25519),
            ecdsa(&PKCS_ED25519),
            KeyAlgorithm::Ed25519,
            None,
        ),
    ] {
        let authority = Authority::of(authority_key);
        let names = ["site.test", "*.site.test", "127.0.0.1", "2001:db8::7"];
        let identity = authority.issue_for(&names, key, |_| ());
        let report = probe_with(identity.acceptor(&["http/1.1"]), &authority, true).await;
        assert_up(&report);
        let printed = text(
            &[
                "x509",
                "-inform",
                "DER",
                "-noout",
                "-text",
                "-fingerprint",
                "-sha256",
                "-serial",
                "-startdate",
                "-enddate",
                "-dateopt",
                "iso_8601",
            ],
            identity.der(),
        );
        let certificate = leaf(&report);
        let fingerprint = after(&printed, "sha256 Fingerprint=")
            .replace(':', "")
            .to_lowercase();
        assert_eq!(certificate.fingerprint_sha256, fingerprint);
        let serial = after(&printed, "serial=").to_lowercase();
        assert_eq!(certificate.serial_number, serial);
        assert_eq!(certificate.valid_from, moment(after(&printed, "notBefore=")));
        assert_eq!(certificate.valid_until, moment(after(&printed, "notAfter=")));
        assert_eq!(
            certificate.signature.algorithm,
            after(&printed, "Signature Algorithm: ")
        );
        assert_eq!(certificate.signature.is_strong, Some(true));
        assert_eq!(certificate.key.algorithm, algorithm);
        match bits {
            Some(bits) => {
                let size = after(&printed, "Public-Key: ");
                assert_eq!(size, format!("({bits} bit)"));
                assert_eq!(certificate.key.bits.unwrap().to_string(), bits);
            }
            None => {
                after(&printed, "ED25519 Public-Key:");
                assert_eq!(certificate.key.bits, Some(256));
            }
        }
        assert_eq!(certificate.subject_common_name.as_deref(), Some("site.test"));
        assert!(
            after(&printed, "Subject: ").contains("CN = site.test"),
            "{printed}"
        );
        let issuer = after(&printed, "Issuer: ");
        assert_eq!(issuer, "CN = Test Root, O = Pharos tests");
        assert_eq!(certificate.issuer_common_name.as_deref(), Some("Test Root"));
        assert_eq!(certificate.issuer_organization.as_deref(), Some("Pharos tests"));
        let names = after(&printed, "DNS:site.test, ");
        assert_eq!(
            names,
            "DNS:*.site.test, IP Address:127.0.0.1, IP Address:2001:DB8:0:0:0:0:0:7"
        );
        let want = ["site.test", "*.site.test", "127.0.0.1", "2001:db8::7"];
        assert_eq!(certificate.subject_alt_names, want);
        assert_eq!(certificate.subject_alt_names_count, 4);
    }
}

/// The chain, the protocol, the cipher suite and the protocol above, as OpenSSL sees them on the same server.
#[tokio::test]
async fn the_connection_is_the_one_that_openssl_makes() {
    let authority = Authority::new();
    let intermediate = authority.intermediate();
    let identity = intermediate
        .issue(&["site.test"])
        .with(&intermediate)
        .with(&authority);
    for (version, protocol, name, flag) in [
        (&rustls::version::TLS12, TlsProtocol::Tls12, "TLSv1.2", "-tls1_2"),
        (&rustls::version::TLS13, TlsProtocol::Tls13, "TLSv1.3", "-tls1_3"),
    ] {
        let tls = identity.acceptor_for(&["http/1.1"], &[version]);
        let report = probe_with(tls.clone(), &authority, true).await;
        assert_up(&report);
        let server = Server::secure(tls).await;
        let told = s_client(&server, &authority, &["-alpn", "h2,http/1.1"]).await;
        let session = report.tls_session.as_ref().unwrap();
        assert_eq!(session.protocol, protocol);
        assert!(told.contains(&format!("New, {name}, Cipher is")), "{told}");
        assert_eq!(session.alpn.unwrap().as_str(), after(&told, "ALPN protocol: "));
        let suites = text(&["ciphers", "-s", "-stdname", flag], b"");
        let known = suites
            .lines()
            .any(|line| line.starts_with(&format!("{} ", session.cipher_suite)));
        assert!(known, "{} in {suites}", session.cipher_suite);

        let chain = &presented(&report).chain;
        let mut sent = Vec::new();
        for block in told.split("-----BEGIN CERTIFICATE-----").skip(1) {
            let body = block.split("-----END CERTIFICATE-----").next().unwrap();
            let pem = format!("-----BEGIN CERTIFICATE-----{body}-----END CERTIFICATE-----\n");
            let printed = text(
                &[
                    "x509",
                    "-noout",
                    "-fingerprint",
                    "-sha256",
                    "-enddate",
                    "-dateopt",
                    "iso_8601",
                ],
                pem.as_bytes(),
            );
            let fingerprint = after(&printed, "sha256 Fingerprint=")
                .replace(':', "")
                .to_lowercase();
            sent.push((fingerprint, Some(moment(after(&printed, "notAfter=")))));
        }
        let got: Vec<_> = chain
            .iter()
            .map(|link| (link.fingerprint_sha256.clone(), link.valid_until))
            .collect();
        assert_eq!(got, sent);
        assert_eq!(got.len(), 3);
        let names: Vec<_> = chain
            .iter()
            .map(|link| {
                (
                    link.common_name.as_deref(),
                    link.issuer_common_name.as_deref(),
                    link.is_root,
                )
            })
            .collect();
        let want = [
            (Some("site.test"), Some("Test Intermediate"), false),
            (Some("Test Intermediate"), Some("Test Root"), false),
            (Some("Test Root"), Some("Test Root"), true),
        ];
        assert_eq!(names, want);
    }
}
