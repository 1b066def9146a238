//! What checks see of certificates, held against what OpenSSL sees of the same ones. The reference is `openssl x509` and
//! `openssl s_client`.

use pharos_uptime::certificate::verdict::{CertificateCheckCode, CertificateState, findings, state};
use pharos_uptime::certificate::{Encounter, KeyAlgorithm, Sighting, TlsProtocol};
use pharos_uptime::probe::{ErrorClass, ProbeReport};
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_ECDSA_P384_SHA384, PKCS_ED25519};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::certificates::{leaf, presented, probe_with};
use crate::lab::certificates::{Identity, valid};
use crate::lab::openssl::{TlsServer, openssl, text};
use crate::lab::{Authority, Dns, Lab, Server, assert_down, assert_up, get};

/// A key of RSA, which rcgen can use but not make here.
fn rsa() -> KeyPair {
    let pem = text(
        &["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
        b"",
    );
    KeyPair::from_pem(&pem).unwrap()
}

fn sighting(report: &mut ProbeReport) -> Sighting {
    let asked = report.final_url.clone().unwrap();
    Sighting::take(report, &asked)
}

/// The rest of the line of a printed certificate that begins like this.
fn after<'a>(printed: &'a str, start: &str) -> &'a str {
    let mut lines = printed.lines().map(str::trim);
    let found = lines.find_map(|line| line.strip_prefix(start));
    found.unwrap_or_else(|| panic!("{start} in {printed}"))
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

/// What `openssl s_client` makes of a server that is to be `site.test`.
async fn s_client(server: &Server, authority: &Authority, options: &[&str]) -> String {
    let roots = std::env::temp_dir().join(format!("pharos-roots-{}.pem", uuid::Uuid::now_v7()));
    std::fs::write(&roots, authority.pem()).unwrap();
    let address = server.address.to_string();
    let path = roots.to_string_lossy().into_owned();
    let mut arguments = vec!["s_client", "-connect", &address, "-servername", "site.test"];
    arguments.extend(["-verify_hostname", "site.test", "-CAfile", &path, "-showcerts"]);
    arguments.extend(options);
    let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
    let seen = tokio::task::spawn_blocking(move || {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        text(&arguments, b"")
    });
    let seen = seen.await.unwrap();
    std::fs::remove_file(roots).unwrap();
    seen
}

/// Each state, and the code by which OpenSSL's verification says the same (`man openssl-verification-options`).
#[tokio::test]
async fn each_state_is_the_one_that_openssl_finds() {
    let authority = Authority::new();
    let intermediate = authority.intermediate();
    let foreign = Authority::new();
    for (identity, want, code, complete) in [
        (
            intermediate.issue(&["site.test"]).with(&intermediate),
            CertificateState::Valid,
            0,
            true,
        ),
        (
            authority.issue_with(&["site.test"], valid(-1, 20)),
            CertificateState::ExpiringSoon,
            0,
            true,
        ),
        (
            authority.issue_with(&["site.test"], valid(-30, -2)),
            CertificateState::Expired,
            10,
            true,
        ),
        (
            authority.issue_with(&["site.test"], valid(1, 30)),
            CertificateState::NotYetValid,
            9,
            true,
        ),
        (
            authority.issue(&["other.test"]),
            CertificateState::NameMismatch,
            62,
            true,
        ),
        (
            Identity::self_signed(&["site.test"]),
            CertificateState::SelfSigned,
            18,
            true,
        ),
        (
            foreign.intermediate().issue(&["site.test"]),
            CertificateState::Untrusted,
            21,
            false,
        ),
        (
            intermediate.issue(&["site.test"]),
            CertificateState::Untrusted,
            21,
            false,
        ),
    ] {
        for verify in [true, false] {
            let mut report = probe_with(identity.acceptor(&[]), &authority, verify).await;
            let seen = sighting(&mut report);
            let now = OffsetDateTime::now_utc();
            assert_eq!(state(&seen, &[30], now), want, "verify: {verify}");
            let Encounter::Presented {
                presented, session, ..
            } = &seen.encounter
            else {
                panic!("{want}: nothing was presented");
            };
            assert_eq!(presented.chain_complete, Some(complete), "{want}");
            assert!(!presented.chain.is_empty());
            assert_eq!(session.is_some(), !verify || code == 0, "{want}");
            let passed = findings(&seen, now);
            let failed: Vec<_> = passed
                .iter()
                .filter(|finding| finding.passed == Some(false))
                .map(|finding| finding.code)
                .collect();
            let wrong: &[CertificateCheckCode] = match want {
                CertificateState::Expired => &[CertificateCheckCode::NotExpired],
                CertificateState::NameMismatch => &[CertificateCheckCode::NameMatches],
                CertificateState::SelfSigned | CertificateState::Untrusted => {
                    &[CertificateCheckCode::ChainTrusted]
                }
                _ => &[],
            };
            assert_eq!(failed, wrong, "{want}");
        }
        let server = Server::secure(identity.acceptor(&[])).await;
        let told = s_client(&server, &authority, &[]).await;
        assert!(
            told.contains(&format!("Verify return code: {code} (")),
            "{want}: {told}"
        );
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

/// Probes a server of OpenSSL without verification.
async fn probe_openssl(server: &TlsServer) -> ProbeReport {
    let dns = Dns::with(&["127.0.0.1"]).await;
    let mut request = get(format!("https://site.test:{}/", server.address.port()));
    request.verify_tls = false;
    Lab::new().permit(server.address).dns(&dns).probe(&request).await
}

/// No library of this program makes such a certificate; OpenSSL does, and serves it.
#[tokio::test]
async fn a_short_key_and_a_broken_digest_are_weak() {
    let weak = TlsServer::start(
        &["-newkey", "rsa:1024", "-sha1", "-days", "30"],
        &["-cipher", "DEFAULT@SECLEVEL=0"],
    );
    let mut report = probe_openssl(&weak).await;
    assert_up(&report);
    let certificate = leaf(&report);
    assert_eq!(certificate.key.bits, Some(1_024));
    assert_eq!(certificate.signature.algorithm, "sha1WithRSAEncryption");
    let findings = findings(&sighting(&mut report), OffsetDateTime::now_utc());
    let passed = |code| {
        findings
            .iter()
            .find(|finding| finding.code == code)
            .unwrap()
            .passed
    };
    assert_eq!(passed(CertificateCheckCode::StrongKey), Some(false));
    assert_eq!(passed(CertificateCheckCode::StrongSignature), Some(false));
    assert_eq!(passed(CertificateCheckCode::ModernProtocol), Some(true));
}

#[tokio::test]
async fn a_server_that_speaks_only_tls_1_1_is_unreachable() {
    let old = TlsServer::start(
        &["-newkey", "rsa:2048", "-days", "30"],
        &["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"],
    );
    let address = old.address.to_string();
    let told = openssl(
        &[
            "s_client",
            "-connect",
            &address,
            "-tls1_1",
            "-cipher",
            "DEFAULT@SECLEVEL=0",
        ],
        b"",
    );
    let told = String::from_utf8_lossy(&told).into_owned();
    assert!(told.contains("Protocol  : TLSv1.1"), "{told}");
    let mut report = probe_openssl(&old).await;
    assert_down(&report, ErrorClass::TlsHandshake);
    let seen = sighting(&mut report);
    assert_eq!(
        seen.encounter,
        Encounter::Unreachable {
            error_class: ErrorClass::TlsHandshake
        }
    );
    assert_eq!(
        state(&seen, &[30], OffsetDateTime::now_utc()),
        CertificateState::Unreachable
    );
}
