//! Certificates, good and bad.

use std::sync::Arc;

use pharos_domain::{
    clock::SystemClock,
    ids::{DomainId, RunId},
};
use pharos_uptime::certificate::{Alpn, Certificate, Presented, TlsProtocol};
use pharos_uptime::{
    checker::{Checker, Occasion},
    error_class::ErrorClass,
    monitor::settings::MonitorSettings,
    probe::ProbeReport,
};
use time::OffsetDateTime;
use tokio_rustls::TlsAcceptor;

use crate::lab::certificates::{Identity, valid};
use crate::lab::server::redirect;
use crate::lab::{Authority, Dns, Lab, Server, Step, assert_down, assert_up, get, message, probe};

/// Probes `https://site.test` with this server behind it and this authority trusted.
pub(crate) async fn probe_site(tls: TlsAcceptor, authority: &Authority) -> ProbeReport {
    probe_with(tls, authority, true).await
}

pub(crate) async fn probe_with(tls: TlsAcceptor, authority: &Authority, verify: bool) -> ProbeReport {
    let dns = Dns::with(&["127.0.0.1"]).await;
    let server = Server::secure(tls).await;
    let mut request = get(server.url_at("site.test", "/"));
    request.verify_tls = verify;
    Lab::new()
        .permit(server.address)
        .dns(&dns)
        .trust(authority)
        .probe(&request)
        .await
}

#[track_caller]
pub(crate) fn presented(report: &ProbeReport) -> &Presented {
    report.certificate.as_ref().expect("a certificate")
}

/// The server's own certificate.
#[track_caller]
pub(crate) fn leaf(report: &ProbeReport) -> &Certificate {
    let leaf = presented(report).certificate.as_ref();
    leaf.expect("a certificate that can be read")
}

/// The site itself was seen, wherever it leads.
#[tokio::test]
async fn a_site_that_redirects_to_a_forbidden_address_has_shown_its_certificate() {
    let authority = Authority::new();
    let tls = authority.issue(&["site.test"]).acceptor(&["http/1.1"]);
    let server = Server::start_on("127.0.0.1:0", Some(tls), |_| {
        vec![Step::Send(redirect(302, "http://10.0.0.1/"))]
    })
    .await;
    let dns = Dns::with(&["127.0.0.1"]).await;
    let unreached = Lab::new().dns(&dns).trust(&authority);
    let reached = Lab::new().dns(&dns).trust(&authority).permit(server.address);
    for (lab, is_seen) in [(unreached, false), (reached, true)] {
        let checker = Checker {
            prober: Arc::new(lab.prober()),
            clock: Arc::new(SystemClock),
            region: "local".to_owned(),
        };
        let hostname = "shop.example".parse().unwrap();
        let mut settings = MonitorSettings::defaults(&hostname, &["local".to_owned()]);
        settings.url = server.url_at("site.test", "/");
        let asked = Occasion::Run(RunId::generate());
        let done = checker.check(DomainId::generate(), &settings, asked).await;
        let done = done.unwrap();
        assert!(done.check.is_refused(), "{:?}", done.check);
        assert_eq!(done.sighting.is_some(), is_seen);
        assert_eq!(done.certificate_valid_until.is_some(), is_seen);
    }
}

#[tokio::test]
async fn a_certificate_of_a_trusted_authority_is_accepted() {
    let authority = Authority::new();
    let report = probe_site(
        authority.issue(&["site.test"]).acceptor(&["http/1.1"]),
        &authority,
    )
    .await;
    assert_up(&report);
    let Presented {
        chain,
        name_matches,
        chain_trusted,
        chain_complete,
        ..
    } = presented(&report);
    assert_eq!(
        (*name_matches, *chain_trusted, *chain_complete),
        (Some(true), true, Some(true))
    );
    assert_eq!(chain.len(), 1);
    let certificate = leaf(&report);
    assert_eq!(certificate.subject_alt_names, ["site.test"]);
    assert_eq!(certificate.subject_common_name.as_deref(), Some("site.test"));
    assert_eq!(certificate.issuer_common_name.as_deref(), Some("Test Root"));
    assert_eq!(certificate.issuer_organization.as_deref(), Some("Pharos tests"));
    assert_eq!(certificate.fingerprint_sha256.len(), 64);
    assert!(!certificate.serial_number.is_empty() && !certificate.is_self_issued);
    assert_eq!(certificate.days_remaining(OffsetDateTime::now_utc()), 39);
    let session = report.tls_session.unwrap();
    assert_eq!(
        (session.protocol, session.alpn),
        (TlsProtocol::Tls13, Some(Alpn::Http11))
    );
    assert!(
        session.cipher_suite.starts_with("TLS_AES_"),
        "{}",
        session.cipher_suite
    );
}

#[tokio::test]
async fn an_authority_that_was_not_configured_is_not_trusted() {
    let report = probe_site(
        Authority::new().issue(&["site.test"]).acceptor(&[]),
        &Authority::new(),
    )
    .await;
    assert_down(&report, ErrorClass::TlsUntrusted);
    assert!(!presented(&report).chain_trusted);
    assert_eq!(presented(&report).name_matches, Some(true));
}

#[tokio::test]
async fn an_expired_certificate_is_told_with_its_date() {
    let authority = Authority::new();
    let expired = authority.issue_with(&["site.test"], valid(-30, -2));
    let report = probe_site(expired.acceptor(&[]), &authority).await;
    assert_down(&report, ErrorClass::TlsExpired);
    let certificate = leaf(&report);
    assert!(message(&report).contains(&certificate.valid_until.date().to_string()));
    assert!(
        presented(&report).chain_trusted,
        "it was trusted while it was valid"
    );
    assert_eq!(certificate.days_remaining(OffsetDateTime::now_utc()), -3);
    assert_eq!((report.tls, report.ttfb, report.status_code), (None, None, None));
}

#[tokio::test]
async fn a_certificate_of_tomorrow_is_not_trusted_today() {
    let authority = Authority::new();
    let early = authority.issue_with(&["site.test"], valid(1, 30));
    let report = probe_site(early.acceptor(&[]), &authority).await;
    assert_down(&report, ErrorClass::TlsUntrusted);
    assert!(message(&report).contains("not valid yet"));
}

#[tokio::test]
async fn a_certificate_for_another_name_is_a_mismatch() {
    let authority = Authority::new();
    let report = probe_site(authority.issue(&["other.test"]).acceptor(&[]), &authority).await;
    assert_down(&report, ErrorClass::TlsNameMismatch);
    assert_eq!(leaf(&report).subject_alt_names, ["other.test"]);
    assert_eq!(presented(&report).name_matches, Some(false));
    assert!(presented(&report).chain_trusted);
}

#[tokio::test]
async fn a_self_signed_certificate_is_not_trusted_and_called_so() {
    let report = probe_site(
        Identity::self_signed(&["site.test"]).acceptor(&[]),
        &Authority::new(),
    )
    .await;
    assert_down(&report, ErrorClass::TlsUntrusted);
    assert!(message(&report).contains("self-signed"));
    assert!(presented(&report).is_self_signed());
}

#[tokio::test]
async fn an_incomplete_chain_is_not_trusted_and_a_complete_one_is() {
    let authority = Authority::new();
    let intermediate = authority.intermediate();
    let report = probe_site(intermediate.issue(&["site.test"]).acceptor(&[]), &authority).await;
    assert_down(&report, ErrorClass::TlsUntrusted);
    assert!(message(&report).contains("intermediate"), "{}", message(&report));
    assert_eq!(presented(&report).chain_complete, Some(false));

    let complete = intermediate.issue(&["site.test"]).with(&intermediate);
    let report = probe_site(complete.acceptor(&[]), &authority).await;
    assert_up(&report);
    assert_eq!(presented(&report).chain.len(), 2);
    assert_eq!(presented(&report).chain_complete, Some(true));
}

#[tokio::test]
async fn without_verification_a_faulty_certificate_is_accepted_and_recorded() {
    let authority = Authority::new();
    for (identity, matches, trusted) in [
        (authority.issue_with(&["site.test"], valid(-30, -2)), true, true),
        (authority.issue(&["other.test"]), false, true),
        (Identity::self_signed(&["site.test"]), true, false),
    ] {
        let report = probe_with(identity.acceptor(&[]), &authority, false).await;
        assert_up(&report);
        let Presented {
            name_matches,
            chain_trusted,
            ..
        } = presented(&report);
        assert_eq!((*name_matches, *chain_trusted), (Some(matches), trusted));
    }
}

#[tokio::test]
async fn one_lax_probe_does_not_make_the_next_one_lax() {
    let dns = Dns::with(&["127.0.0.1"]).await;
    let server = Server::secure(Identity::self_signed(&["site.test"]).acceptor(&[])).await;
    let prober = Lab::new().permit(server.address).dns(&dns).prober();
    let mut request = get(server.url_at("site.test", "/"));
    for _ in 0..3 {
        request.verify_tls = false;
        assert_up(&prober.probe(&request).await);
        request.verify_tls = true;
        assert_down(&prober.probe(&request).await, ErrorClass::TlsUntrusted);
    }
    assert_eq!(
        server.heads().len(),
        3,
        "nothing is asked of a server that is not trusted"
    );
}

#[tokio::test]
async fn an_address_can_have_a_certificate() {
    let authority = Authority::new();
    let server = Server::secure(authority.issue(&["127.0.0.1"]).acceptor(&[])).await;
    let report = Lab::new()
        .permit(server.address)
        .trust(&authority)
        .probe(&get(server.url("/")))
        .await;
    assert_up(&report);
    assert_eq!(report.dns, None);
    assert_eq!(leaf(&report).subject_alt_names, ["127.0.0.1"]);
}

#[tokio::test]
async fn a_name_with_a_last_dot_has_the_same_certificate() {
    let authority = Authority::new();
    let dns = Dns::with(&["127.0.0.1"]).await;
    let server = Server::secure(authority.issue(&["site.test"]).acceptor(&[])).await;
    let request = get(server.url_at("site.test.", "/"));
    assert_up(
        &Lab::new()
            .permit(server.address)
            .dns(&dns)
            .trust(&authority)
            .probe(&request)
            .await,
    );
}

#[test]
fn extra_trust_anchors_must_be_certificates() {
    use pharos_egress::trust::{TlsSetupError, TrustAnchors};
    for pem in [
        "",
        "nonsense",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ] {
        let outcome = TrustAnchors::web().with_extra(pem.as_bytes());
        assert!(
            matches!(outcome, Err(TlsSetupError::Pem | TlsSetupError::Anchor(_))),
            "{pem}"
        );
    }
}

#[tokio::test]
async fn without_configuration_only_the_web_is_trusted() {
    let server = Server::secure(Authority::new().issue(&["127.0.0.1"]).acceptor(&[])).await;
    assert_down(&probe(&server).await, ErrorClass::TlsUntrusted);
}
