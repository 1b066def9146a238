//! Servers that do not come to an end: the probe does, takes in a bounded part of what they send, and leaves.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use http::Response;
use http_body_util::StreamBody;
use hyper::body::Frame;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use pharos_uptime::{
    error_class::ErrorClass,
    probe::{KeywordMode, KeywordRule, ProbeReport},
};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::lab::{Authority, Lab, Server, Step, assert_down, assert_up, get, message};

const SECOND: Duration = Duration::from_secs(1);

/// More than is taken in of any answer, with what the kernels on both sides may keep. Far less than what is offered.
const BOUND: u64 = 64 * 1024 * 1024;

/// Nobody waits for the timeout of a server that does not stop.
async fn probe_at_length(server: &Server, keyword: Option<&str>) -> ProbeReport {
    let mut request = get(server.url("/"));
    request.keyword = keyword.map(|text| KeywordRule {
        text: text.to_owned(),
        mode: KeywordMode::Absent,
    });
    let prober = Lab::new().permit(server.address).prober();
    let report = prober.probe(&request).await;
    server.is_left_by(1).await;
    assert!(server.sent() < BOUND, "{}", server.sent());
    report
}

#[tokio::test]
async fn one_header_a_minute_is_waited_for_until_the_timeout() {
    let server = Server::start(|_| {
        let begun = [Step::Send(b"HTTP/1.1 200 OK\r\nserver: slow\r\n".to_vec())];
        let minutes = (0..60).flat_map(|minute| {
            let header = format!("x-{minute}: y\r\n");
            [Step::Wait(60 * SECOND), Step::Send(header.into_bytes())]
        });
        begun.into_iter().chain(minutes).collect()
    })
    .await;
    let mut request = get(server.url("/"));
    request.timeout = SECOND;
    let prober = Lab::new().permit(server.address).prober();
    let report = prober.probe(&request).await;
    assert_down(&report, ErrorClass::ReadTimeout);
    assert_eq!((report.status_code, report.response), (None, None));
    server.is_left_by(1).await;
}

/// Ten gigabytes that are announced, chunks without an end, and a body that only the end of the connection ends.
#[tokio::test]
async fn of_ten_gigabytes_two_megabytes_are_read() {
    let chunk = [b"4000\r\n", &[b'x'; 0x4000][..], b"\r\n"].concat();
    for (header, piece) in [
        ("content-length: 10000000000\r\n", vec![b'x'; 0x4000]),
        ("transfer-encoding: chunked\r\n", chunk),
        ("", vec![b'x'; 0x4000]),
    ] {
        let head = format!("HTTP/1.1 200 OK\r\n{header}\r\n").into_bytes();
        let server =
            Server::start(move |_| vec![Step::Send(head.clone()), Step::Repeat(piece.clone())]).await;
        let report = probe_at_length(&server, None).await;
        assert_up(&report);
        assert_eq!(report.body_complete, Some(false), "{header}");
        let read = report.response_bytes.unwrap();
        assert!((2_097_153..4_194_304).contains(&read), "{header}{read}");
    }
}

#[tokio::test]
async fn ten_gigabytes_are_too_many_to_look_through() {
    let server = Server::start(|_| {
        let head = b"HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n";
        vec![Step::Send(head.to_vec()), Step::Repeat(vec![b'x'; 0x4000])]
    })
    .await;
    let report = probe_at_length(&server, Some("needle")).await;
    assert_down(&report, ErrorClass::BodyTooLarge);
}

#[tokio::test]
async fn interim_answers_without_an_end_are_not_waited_out() {
    let server = Server::start(|_| vec![Step::Repeat(b"HTTP/1.1 100 Continue\r\n\r\n".repeat(500))]).await;
    let report = probe_at_length(&server, None).await;
    assert_down(&report, ErrorClass::Unknown);
    assert_eq!(report.status_code, None);
    assert!(message(&report).contains("sent more than a check takes in"));
}

#[tokio::test]
async fn of_an_endless_body_over_http2_two_megabytes_are_read() {
    let authority = Authority::new();
    let tls = authority.issue(&["127.0.0.1"]).acceptor(&["h2"]);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let sent = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&sent);
    let served = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let service = service_fn(move |_| {
            let counted = Arc::clone(&counted);
            let pieces = stream::repeat_with(move || {
                counted.fetch_add(0x4000, Ordering::SeqCst);
                Ok::<_, Infallible>(Frame::data(Bytes::from_static(&[b'x'; 0x4000])))
            });
            async { Ok::<_, Infallible>(Response::new(StreamBody::new(pieces))) }
        });
        let stream = TokioIo::new(tls.accept(stream).await.unwrap());
        let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        let _ = server.serve_connection(stream, service).await;
    });
    let prober = Lab::new().permit(address).trust(&authority).prober();
    let report = prober.probe(&get(format!("https://{address}/"))).await;
    assert_up(&report);
    assert_eq!(report.body_complete, Some(false));
    // The connection ends because it was left: nothing else ends that body.
    let left = timeout(10 * SECOND, served).await;
    assert!(left.is_ok(), "the connection is still open");
    let sent = sent.load(Ordering::SeqCst);
    assert!(sent < BOUND, "{sent}");
}

/// Frames of RFC 9113, section 4.1: length, type, flags, stream, and what they carry.
fn frame(kind: u8, flags: u8, stream: u8, carried: &[u8]) -> Vec<u8> {
    let length = u8::try_from(carried.len()).unwrap();
    [&[0, 0, length, kind, flags, 0, 0, 0, stream], carried].concat()
}

#[tokio::test]
async fn http2_frames_without_an_end_are_not_waited_out() {
    let authority = Authority::new();
    // `:status: 100`, literal, with the name of index 8 (RFC 7541, section 6.2.2 and appendix A).
    let interim = frame(1, 4, 1, b"\x08\x03100");
    let ping = frame(6, 0, 0, &[7; 8]);
    for flood in [interim, ping] {
        let tls = authority.issue(&["127.0.0.1"]).acceptor(&["h2"]);
        let server = Server::start_on("127.0.0.1:0", Some(tls), move |_| {
            vec![
                Step::Send(frame(4, 0, 0, b"")),
                // The request has to be there before its answer.
                Step::Wait(SECOND / 5),
                Step::Repeat(flood.repeat(500)),
            ]
        })
        .await;
        let prober = Lab::new().permit(server.address).trust(&authority).prober();
        let mut request = get(server.url("/"));
        // On a busy machine half a minute may be over before the bound is reached, and it is the bound that is requested.
        request.timeout = 600 * SECOND;
        let report = prober.probe(&request).await;
        assert_down(&report, ErrorClass::Unknown);
        assert!(message(&report).contains("sent more than a check takes in"));
        server.is_left_by(1).await;
        assert!(server.sent() < BOUND, "{}", server.sent());
    }
}
