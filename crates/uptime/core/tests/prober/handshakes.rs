//! TLS handshakes that work, fail, or never end.

use std::time::Duration;

use pharos_uptime::certificate::{TlsProtocol, TlsSession};
use pharos_uptime::{error_class::ErrorClass, probe::HttpVersion};

use crate::certificates::{leaf, probe_site};
use crate::lab::server::redirect;
use crate::lab::{Authority, Dns, Lab, Server, Step, answer, assert_down, assert_up, get};

#[tokio::test]
async fn tls_1_2_is_spoken_too() {
    let authority = Authority::new();
    let tls = authority
        .issue(&["site.test"])
        .acceptor_for(&[], &[&rustls::version::TLS12]);
    let report = probe_site(tls, &authority).await;
    assert_up(&report);
    let TlsSession {
        protocol,
        cipher_suite,
        alpn,
    } = report.tls_session.unwrap();
    assert_eq!((protocol, alpn), (TlsProtocol::Tls12, None));
    assert!(cipher_suite.starts_with("TLS_ECDHE_"), "{cipher_suite}");
    assert_eq!(report.http_version, Some(HttpVersion::Http11));
}

#[tokio::test]
async fn a_plain_server_on_https_fails_the_handshake() {
    let plain = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = plain.local_addr().unwrap();
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let (mut stream, _) = plain.accept().await.unwrap();
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
            .await
            .unwrap();
        let _ = stream.read(&mut [0; 1024]).await;
    });
    let report = Lab::new()
        .permit(address)
        .probe(&get(format!("https://{address}/")))
        .await;
    assert_down(&report, ErrorClass::TlsHandshake);
    assert!(report.connect.is_some() && report.certificate.is_none());
}

#[tokio::test]
async fn a_server_that_never_shakes_hands_times_out_while_reading() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut request = get(format!("https://{address}/"));
    request.timeout = Duration::from_millis(500);
    let report = Lab::new().permit(address).probe(&request).await;
    assert_down(&report, ErrorClass::ReadTimeout);
    assert!(report.connect.is_some() && report.tls.is_none());
}

#[tokio::test]
async fn a_server_without_a_common_protocol_fails_the_handshake() {
    let authority = Authority::new();
    let report = probe_site(authority.issue(&["site.test"]).acceptor(&["spdy/3"]), &authority).await;
    assert_down(&report, ErrorClass::TlsHandshake);
}

#[tokio::test]
async fn a_server_that_wants_a_client_certificate_fails_the_handshake() {
    let authority = Authority::new();
    let tls = authority.issue(&["site.test"]).acceptor_of_members(&authority);
    let report = probe_site(tls, &authority).await;
    assert_down(&report, ErrorClass::TlsHandshake);
    assert_eq!((report.status_code, report.response), (None, None));
}

#[tokio::test]
async fn a_secure_server_that_goes_away_broke_off() {
    let authority = Authority::new();
    for steps in [vec![], vec![Step::Reset]] {
        let tls = authority.issue(&["127.0.0.1"]).acceptor(&[]);
        let server = Server::start_on("127.0.0.1:0", Some(tls), move |_| steps.clone()).await;
        let report = Lab::new()
            .permit(server.address)
            .trust(&authority)
            .probe(&get(server.url("/")))
            .await;
        assert_down(&report, ErrorClass::ConnectionReset);
        assert!(report.certificate.is_some() && report.tls.is_some());
    }
}

#[tokio::test]
async fn the_certificate_of_the_last_hop_is_the_one_reported() {
    let authority = Authority::new();
    let dns = Dns::with(&["127.0.0.1"]).await;
    let last = Server::secure(authority.issue(&["last.test"]).acceptor(&[])).await;
    let to = last.url_at("last.test", "/");
    let first = Server::start_on(
        "127.0.0.1:0",
        Some(authority.issue(&["first.test"]).acceptor(&[])),
        move |_| vec![Step::Send(redirect(301, &to))],
    )
    .await;
    let lab = Lab::new()
        .permit(first.address)
        .permit(last.address)
        .dns(&dns)
        .trust(&authority);
    let report = lab.probe(&get(first.url_at("first.test", "/"))).await;
    assert_up(&report);
    assert_eq!(leaf(&report).subject_alt_names, ["last.test"]);
}

#[tokio::test]
async fn a_hop_without_tls_reports_no_certificate() {
    let authority = Authority::new();
    let plain = Server::answering(answer(200, &[], "")).await;
    let to = plain.url("/");
    let first = Server::start_on(
        "127.0.0.1:0",
        Some(authority.issue(&["127.0.0.1"]).acceptor(&[])),
        move |_| vec![Step::Send(redirect(301, &to))],
    )
    .await;
    let lab = Lab::new()
        .permit(first.address)
        .permit(plain.address)
        .trust(&authority);
    let report = lab.probe(&get(first.url("/"))).await;
    assert_up(&report);
    assert!(report.certificate.is_none() && report.tls.is_none() && report.tls_session.is_none());
}
