//! Phases: each is measured where it happens, and together they fit into the whole.

use std::time::Duration;

use pharos_uptime::probe::ProbeReport;

use crate::lab::server::{head, path_of, redirect};
use crate::lab::{Authority, Dns, Lab, Reply, Server, Step, answer, assert_up, get};

const PAUSE: Duration = Duration::from_secs(1);

#[track_caller]
fn assert_phases_fit(report: &ProbeReport) {
    let phases = [
        report.dns,
        report.connect,
        report.tls,
        report.ttfb,
        report.download,
    ];
    let sum: Duration = phases.into_iter().flatten().sum();
    assert!(
        sum <= report.response.unwrap(),
        "{phases:?} in {:?}",
        report.response
    );
}

#[tokio::test]
async fn a_name_over_tls_has_every_phase() {
    let authority = Authority::new();
    let dns = Dns::with(&["127.0.0.1"]).await;
    let server = Server::secure(authority.issue(&["site.test"]).acceptor(&[])).await;
    let lab = Lab::new().permit(server.address).dns(&dns).trust(&authority);
    let report = lab.probe(&get(server.url_at("site.test", "/"))).await;
    assert_up(&report);
    for phase in [
        report.dns,
        report.connect,
        report.tls,
        report.ttfb,
        report.download,
    ] {
        assert!(phase.unwrap() > Duration::ZERO);
    }
    assert_phases_fit(&report);
}

#[tokio::test]
async fn an_address_has_no_dns_phase_and_plain_http_no_tls_phase() {
    let server = Server::answering(answer(200, &[], "hello")).await;
    let report = Lab::new()
        .permit(server.address)
        .probe(&get(server.url("/")))
        .await;
    assert_up(&report);
    assert_eq!((report.dns, report.tls), (None, None));
    assert!(report.connect.is_some() && report.ttfb.is_some() && report.download.is_some());
    assert_phases_fit(&report);
}

#[tokio::test]
async fn a_slow_name_server_shows_in_dns() {
    let dns = Dns::start(|_| Reply::Late(PAUSE, Box::new(Reply::to(&["127.0.0.1"])))).await;
    let server = Server::answering(answer(200, &[], "hello")).await;
    let report = Lab::new()
        .permit(server.address)
        .dns(&dns)
        .probe(&get(server.url_at("site.test", "/")))
        .await;
    assert_up(&report);
    assert!(report.dns.unwrap() >= PAUSE);
    assert!(report.connect.unwrap() < PAUSE && report.ttfb.unwrap() < PAUSE);
    assert_phases_fit(&report);
}

#[tokio::test]
async fn a_slow_head_shows_in_ttfb() {
    let server = Server::start(|_| vec![Step::Wait(PAUSE), Step::Send(answer(200, &[], "hello"))]).await;
    let report = Lab::new()
        .permit(server.address)
        .probe(&get(server.url("/")))
        .await;
    assert_up(&report);
    assert!(report.ttfb.unwrap() >= PAUSE);
    assert!(report.connect.unwrap() < PAUSE && report.download.unwrap() < PAUSE);
    assert_phases_fit(&report);
}

#[tokio::test]
async fn a_slow_body_shows_in_download() {
    let server = Server::start(|_| {
        vec![
            Step::Send(head(200, &[], 5)),
            Step::Wait(PAUSE),
            Step::Send(b"hello".to_vec()),
        ]
    })
    .await;
    let report = Lab::new()
        .permit(server.address)
        .probe(&get(server.url("/")))
        .await;
    assert_up(&report);
    // The pause began when the head was sent, so a little of it may have passed before it arrived.
    assert!(report.download.unwrap() >= PAUSE * 9 / 10);
    assert!(report.ttfb.unwrap() < PAUSE);
    assert_phases_fit(&report);
}

#[tokio::test]
async fn a_slow_handshake_shows_in_tls() {
    let authority = Authority::new();
    let tls = authority.issue(&["127.0.0.1"]).acceptor(&[]);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let (stream, _) = listener.accept().await.unwrap();
        tokio::time::sleep(PAUSE).await;
        let mut stream = tls.accept(stream).await.unwrap();
        let _ = stream.read(&mut [0; 1024]).await;
        stream.write_all(&answer(200, &[], "hello")).await.unwrap();
        stream.shutdown().await.unwrap();
    });
    let report = Lab::new()
        .permit(address)
        .trust(&authority)
        .probe(&get(format!("https://{address}/")))
        .await;
    assert_up(&report);
    assert!(report.tls.unwrap() >= PAUSE * 9 / 10);
    assert!(report.connect.unwrap() < PAUSE && report.ttfb.unwrap() < PAUSE);
    assert_phases_fit(&report);
}

#[tokio::test]
async fn phases_are_those_of_the_last_hop_and_the_response_spans_all() {
    let server = Server::start(|head| match path_of(head) {
        "/" => vec![Step::Wait(PAUSE), Step::Send(redirect(302, "/next"))],
        _ => vec![Step::Send(answer(200, &[], "hello"))],
    })
    .await;
    let report = Lab::new()
        .permit(server.address)
        .probe(&get(server.url("/")))
        .await;
    assert_up(&report);
    assert!(report.ttfb.unwrap() < PAUSE);
    assert!(report.response.unwrap() >= PAUSE);
    assert_phases_fit(&report);
}
