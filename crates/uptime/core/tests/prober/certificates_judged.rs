//! Verdicts on certificates, checked against those of OpenSSL on the same server.

use pharos_uptime::certificate::verdict::{CertificateCheckCode, CertificateState, findings, state};
use pharos_uptime::certificate::{Encounter, Sighting};
use pharos_uptime::{error_class::ErrorClass, probe::ProbeReport};
use time::OffsetDateTime;

use crate::certificates::{leaf, probe_with};
use crate::lab::certificates::{Identity, valid};
use crate::lab::openssl::{TlsServer, after, s_client, text};
use crate::lab::{Authority, Dns, Lab, Server, assert_down, assert_up, get};

fn sighting(report: &mut ProbeReport) -> Sighting {
    let asked = report.final_url.clone().unwrap();
    Sighting::take(report, &asked)
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

/// Probes a server of OpenSSL without verification.
async fn probe_openssl(server: &TlsServer) -> ProbeReport {
    let dns = Dns::with(&["127.0.0.1"]).await;
    let mut request = get(format!("https://site.test:{}/", server.address.port()));
    request.verify_tls = false;
    Lab::new().permit(server.address).dns(&dns).probe(&request).await
}

/// The libraries of this program don't make such certificates; OpenSSL does, serves them, and names what is in them.
#[tokio::test]
async fn a_short_key_and_a_broken_digest_are_weak() {
    for (request, strong_key, strong_signature) in [
        (&["-newkey", "rsa:1024", "-sha1"][..], false, false),
        (
            &[
                "-newkey",
                "rsa:2048",
                "-sha256",
                "-sigopt",
                "rsa_padding_mode:pss",
            ],
            true,
            true,
        ),
        (
            &["-newkey", "rsa:2048", "-sha1", "-sigopt", "rsa_padding_mode:pss"],
            true,
            false,
        ),
        (
            &["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-sha1"],
            true,
            false,
        ),
    ] {
        let server = TlsServer::start(request, &["-cipher", "DEFAULT@SECLEVEL=0"]);
        let mut report = probe_openssl(&server).await;
        assert_up(&report);
        let printed = text(&["x509", "-noout", "-text"], server.certificate.as_bytes());
        let certificate = leaf(&report);
        let size = format!("({} bit)", certificate.key.bits.unwrap());
        assert_eq!(after(&printed, "Public-Key: "), size);
        let algorithm = &certificate.signature.algorithm;
        assert_eq!(after(&printed, "Signature Algorithm: "), algorithm);
        let findings = findings(&sighting(&mut report), OffsetDateTime::now_utc());
        let passed = |code| {
            findings
                .iter()
                .find(|finding| finding.code == code)
                .unwrap()
                .passed
        };
        assert_eq!(
            passed(CertificateCheckCode::StrongKey),
            Some(strong_key),
            "{request:?}"
        );
        let signature = passed(CertificateCheckCode::StrongSignature);
        assert_eq!(signature, Some(strong_signature), "{request:?}");
        assert_eq!(passed(CertificateCheckCode::ModernProtocol), Some(true));
    }
}

#[tokio::test]
async fn a_server_that_speaks_only_tls_1_1_is_unreachable() {
    let old = TlsServer::start(
        &["-newkey", "rsa:2048", "-days", "30"],
        &["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"],
    );
    let address = old.address.to_string();
    let told = text(
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
