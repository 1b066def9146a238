//! Servers that cannot be reached, go away, or take too long.

use std::time::{Duration, Instant};

use pharos_uptime::{error_class::ErrorClass, probe::Verdict};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use crate::lab::server::head;
use crate::lab::{Lab, Server, Step, answer, assert_down, assert_up, get, message, probe};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_server_that_answers_is_up() {
    let server = Server::answering(answer(200, &[], "hello")).await;
    let report = probe(&server).await;
    assert_up(&report);
    assert_eq!(report.status_code, Some(200));
    assert_eq!(report.response_bytes, Some(5));
    assert_eq!(report.body_complete, Some(true));
    assert_eq!(report.ip, Some(server.address.ip()));
    assert_eq!(report.final_url.unwrap().as_str(), server.url("/"));
    assert_eq!(report.redirect_count, 0);
    assert!(report.certificate.is_none() && report.keyword_matched.is_none());
}

#[tokio::test]
async fn a_server_on_ipv6_is_up() {
    let server = Server::start_on("[::1]:0", None, |_| vec![Step::Send(answer(200, &[], "hello"))]).await;
    let report = probe(&server).await;
    assert_up(&report);
    assert!(report.ip.unwrap().is_ipv6());
    let host = format!("host: [::1]:{}\r\n", server.address.port());
    assert!(server.heads()[0].contains(&host));
}

#[tokio::test]
async fn a_closed_port_refuses() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let report = Lab::new()
        .permit(address)
        .probe(&get(format!("http://{address}/")))
        .await;
    assert_down(&report, ErrorClass::ConnectionRefused);
    assert_eq!(
        (report.status_code, report.response, report.connect, report.ttfb),
        (None, None, None, None)
    );
    assert_eq!(report.ip, Some(address.ip()));
}

#[tokio::test]
async fn a_server_that_takes_no_more_connections_times_out() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(1).unwrap();
    let address = listener.local_addr().unwrap();
    let mut waiting = Vec::new();
    while let Ok(Ok(stream)) = tokio::time::timeout(SECOND / 5, TcpStream::connect(address)).await {
        waiting.push(stream);
    }
    let mut request = get(format!("http://{address}/"));
    request.timeout = SECOND / 2;
    let report = Lab::new().permit(address).probe(&request).await;
    assert_down(&report, ErrorClass::ConnectTimeout);
    assert_eq!(report.connect, None);
}

#[tokio::test]
async fn a_server_that_resets_instead_of_answering_is_told_from_one_that_refuses() {
    let server = Server::start(|_| vec![Step::Reset]).await;
    let report = probe(&server).await;
    assert_down(&report, ErrorClass::ConnectionReset);
    assert!(report.connect.is_some());
    assert_eq!(
        (report.status_code, report.ttfb, report.response),
        (None, None, None)
    );
}

#[tokio::test]
async fn a_server_that_closes_without_an_answer_broke_off() {
    let server = Server::start(|_| vec![]).await;
    assert_down(&probe(&server).await, ErrorClass::ConnectionReset);
}

#[tokio::test]
async fn a_body_that_breaks_off_fails_but_keeps_the_status() {
    for last in [None, Some(Step::Reset)] {
        let server = Server::start(move |_| {
            let begun = [
                Step::Send(head(200, &[], 100)),
                Step::Send(b"some".to_vec()),
                Step::Wait(SECOND / 10),
            ];
            begun.into_iter().chain(last.clone()).collect()
        })
        .await;
        let report = probe(&server).await;
        assert_down(&report, ErrorClass::ConnectionReset);
        assert_eq!(report.status_code, Some(200));
        assert!(report.ttfb.is_some());
        assert_eq!((report.response, report.download), (None, None));
    }
}

#[tokio::test]
async fn a_server_that_never_answers_times_out_while_reading() {
    let server = Server::start(|_| vec![Step::Hold]).await;
    let mut request = get(server.url("/"));
    request.timeout = SECOND / 2;
    let report = Lab::new().permit(server.address).probe(&request).await;
    assert_down(&report, ErrorClass::ReadTimeout);
    assert!(report.connect.is_some());
    assert_eq!((report.ttfb, report.response), (None, None));
}

#[tokio::test]
async fn a_head_that_trickles_does_not_outlast_the_timeout() {
    let server = Server::start(|_| vec![Step::Trickle(answer(200, &[], "hello"), SECOND)]).await;
    let mut request = get(server.url("/"));
    request.timeout = 2 * SECOND;
    let started = Instant::now();
    let prober = Lab::new().permit(server.address).prober();
    let report = prober.probe(&request).await;
    assert_down(&report, ErrorClass::ReadTimeout);
    assert_eq!(report.status_code, None);
    assert!(started.elapsed() < 30 * SECOND);
    server.is_left_by(1).await;
}

#[tokio::test]
async fn a_body_that_trickles_does_not_outlast_the_timeout() {
    let server = Server::start(|_| {
        vec![
            Step::Send(head(200, &[], 100)),
            Step::Trickle(vec![b'x'; 100], SECOND),
        ]
    })
    .await;
    let mut request = get(server.url("/"));
    request.timeout = 2 * SECOND;
    let started = Instant::now();
    let prober = Lab::new().permit(server.address).prober();
    let report = prober.probe(&request).await;
    assert_down(&report, ErrorClass::ReadTimeout);
    assert_eq!(report.status_code, Some(200));
    assert!(started.elapsed() < 30 * SECOND);
    server.is_left_by(1).await;
}

#[tokio::test]
async fn redirects_share_one_timeout() {
    let server = Server::start(|head| {
        let next = format!("{}x", crate::lab::server::path_of(head));
        vec![
            Step::Wait(SECOND / 3),
            Step::Send(crate::lab::server::redirect(302, &next)),
        ]
    })
    .await;
    let mut request = get(server.url("/"));
    request.timeout = SECOND;
    let report = Lab::new().permit(server.address).probe(&request).await;
    assert_down(&report, ErrorClass::ReadTimeout);
    assert!((1..=3).contains(&report.redirect_count));
}

#[tokio::test]
async fn many_probes_at_once_all_come_back() {
    let server = Server::answering(answer(200, &[], "hello")).await;
    let prober = std::sync::Arc::new(Lab::new().permit(server.address).prober());
    let probes: Vec<_> = (0..300)
        .map(|_| {
            let (prober, request) = (prober.clone(), get(server.url("/")));
            tokio::spawn(async move { prober.probe(&request).await })
        })
        .collect();
    for probe in probes {
        assert_eq!(probe.await.unwrap().verdict, Verdict::Up);
    }
}

#[tokio::test]
async fn no_message_shows_a_header_of_the_request() {
    for steps in [
        vec![],
        vec![Step::Reset],
        vec![Step::Send(b"garbage\r\n\r\n".to_vec())],
    ] {
        let server = Server::start(move |_| steps.clone()).await;
        let mut request = get(server.url("/"));
        request.headers = vec![(
            http::header::AUTHORIZATION,
            http::HeaderValue::from_static("Bearer s3cret"),
        )];
        let report = Lab::new().permit(server.address).probe(&request).await;
        assert!(!message(&report).contains("s3cret"));
        assert!(!format!("{report:?} {request:?}").contains("s3cret"));
    }
}
