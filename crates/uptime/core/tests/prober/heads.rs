//! Request and response heads: what is sent, which versions are spoken, what is too much.

use std::net::SocketAddr;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Request, Response};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use pharos_uptime::{
    error_class::ErrorClass,
    probe::{HttpVersion, KeywordMode, KeywordRule, ProbeMethod},
};
use tokio::net::TcpListener;

use crate::lab::server::head;
use crate::lab::{Authority, Lab, Server, Step, answer, assert_down, assert_up, get, message, probe};

/// An HTTP/2 server that answers with what it was asked.
async fn http2(authority: &Authority, headers: usize) -> SocketAddr {
    let tls = authority.issue(&["127.0.0.1"]).acceptor(&["h2", "http/1.1"]);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = service_fn(move |request: Request<Incoming>| async move {
        let mut response = Response::new(Full::new(Bytes::from(format!("{request:?}"))));
        for n in 0..headers {
            response.headers_mut().insert(
                HeaderName::try_from(format!("x-{n}")).unwrap(),
                HeaderValue::from_static("value"),
            );
        }
        // An error makes hyper reset the stream.
        if request.uri().path() == "/reset" {
            Err(std::io::Error::other("reset"))
        } else {
            Ok(response)
        }
    });
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let tls = tls.clone();
            tokio::spawn(async move {
                let stream = TokioIo::new(tls.accept(stream).await.unwrap());
                let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                let _ = server.serve_connection(stream, service).await;
            });
        }
    });
    address
}

#[tokio::test]
async fn http2_is_spoken_where_it_is_offered() {
    let authority = Authority::new();
    let address = http2(&authority, 0).await;
    let mut request = get(format!("https://{address}/path?query=1"));
    request.headers = vec![(HeaderName::from_static("x-own"), HeaderValue::from_static("mine"))];
    for text in [
        "method: GET",
        "/path?query=1",
        "(+uptime)",
        "version: HTTP/2.0",
        "x-own",
    ] {
        request.keyword = Some(KeywordRule {
            text: text.to_owned(),
            mode: KeywordMode::Present,
        });
        let report = Lab::new().permit(address).trust(&authority).probe(&request).await;
        assert_up(&report);
        assert_eq!(report.http_version, Some(HttpVersion::Http2));
        assert_eq!(
            report.tls_session.unwrap().alpn,
            Some(pharos_uptime::certificate::Alpn::H2)
        );
        assert!(report.ttfb.is_some() && report.download.is_some());
    }
}

#[tokio::test]
async fn http2_knows_head_requests_too() {
    let authority = Authority::new();
    let address = http2(&authority, 0).await;
    let mut request = get(format!("https://{address}/"));
    request.method = ProbeMethod::Head;
    let report = Lab::new().permit(address).trust(&authority).probe(&request).await;
    assert_up(&report);
    assert_eq!((report.status_code, report.response_bytes), (Some(200), None));
}

#[tokio::test]
async fn an_http2_stream_that_is_reset_broke_off() {
    let authority = Authority::new();
    let address = http2(&authority, 0).await;
    let request = get(format!("https://{address}/reset"));
    let report = Lab::new().permit(address).trust(&authority).probe(&request).await;
    assert_down(&report, ErrorClass::ConnectionReset);
    assert_eq!(report.status_code, None);
}

#[tokio::test]
async fn http2_has_the_same_bound_on_header_lines() {
    let authority = Authority::new();
    for (lines, fine) in [(150, true), (250, false), (10_000, false)] {
        let address = http2(&authority, lines).await;
        let request = get(format!("https://{address}/"));
        let report = Lab::new().permit(address).trust(&authority).probe(&request).await;
        if fine {
            assert_up(&report);
        } else {
            assert_down(&report, ErrorClass::Unknown);
        }
    }
}

#[tokio::test]
async fn http_1_0_and_1_1_are_told_apart() {
    for (line, version) in [
        ("HTTP/1.0", HttpVersion::Http10),
        ("HTTP/1.1", HttpVersion::Http11),
    ] {
        let server = Server::answering(format!("{line} 200 OK\r\n\r\nhello").into_bytes()).await;
        let report = probe(&server).await;
        assert_up(&report);
        assert_eq!(report.http_version, Some(version));
        assert_eq!(report.response_bytes, Some(5));
    }
}

#[tokio::test]
async fn a_probe_says_who_it_is() {
    let server = Server::answering(answer(200, &[], "")).await;
    let report = Lab::new()
        .permit(server.address)
        .probe(&get(server.url("/a%20b?c=d|e")))
        .await;
    assert_up(&report);
    let head = &server.heads()[0];
    assert!(head.starts_with("get /a%20b?c=d|e http/1.1\r\n"), "{head}");
    let agent = format!("user-agent: pharos/{} (+uptime)\r\n", env!("CARGO_PKG_VERSION"));
    assert!(head.contains(&agent), "{head}");
    assert!(head.contains(&format!("host: {}\r\n", server.address)));
}

#[tokio::test]
async fn own_headers_are_sent_and_replace_ours() {
    let server = Server::answering(answer(200, &[], "")).await;
    let mut request = get(server.url("/"));
    request.headers = [
        ("x-own", "1"),
        ("x-own", "2"),
        ("user-agent", "mine"),
        ("accept", "text/html"),
    ]
    .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
    .to_vec();
    assert_up(&Lab::new().permit(server.address).probe(&request).await);
    let head = &server.heads()[0];
    for line in [
        "x-own: 1\r\n",
        "x-own: 2\r\n",
        "user-agent: mine\r\n",
        "accept: text/html\r\n",
    ] {
        assert!(head.contains(line), "{head}");
    }
    assert!(!head.contains("pharos") && !head.contains("*/*"));
}

#[tokio::test]
async fn headers_that_steer_the_connection_cannot_be_set() {
    let server = Server::answering(answer(200, &[], "")).await;
    let mut request = get(server.url("/"));
    request.headers = [
        ("host", "other.test"),
        ("content-length", "7"),
        ("transfer-encoding", "chunked"),
        ("connection", "upgrade"),
        ("upgrade", "h2c"),
        ("http2-settings", "AAAA"),
        ("te", "trailers"),
        ("expect", "100-continue"),
        ("accept-encoding", "br"),
        ("range", "bytes=0-1"),
        ("proxy-authorization", "basic xyz"),
    ]
    .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
    .to_vec();
    assert_up(&Lab::new().permit(server.address).probe(&request).await);
    let head = &server.heads()[0];
    assert_eq!(head.lines().filter(|line| !line.is_empty()).count(), 5, "{head}");
}

#[tokio::test]
async fn a_head_request_measures_no_body() {
    let server = Server::start(|_| vec![Step::Send(head(200, &[], 1000))]).await;
    let mut request = get(server.url("/"));
    request.method = ProbeMethod::Head;
    request.keyword = Some(KeywordRule {
        text: "x".to_owned(),
        mode: KeywordMode::Present,
    });
    let report = Lab::new().permit(server.address).probe(&request).await;
    assert_up(&report);
    assert!(server.heads()[0].starts_with("head / http/1.1"));
    assert_eq!(
        (report.download, report.response_bytes, report.body_complete),
        (None, None, None)
    );
    assert_eq!(report.keyword_matched, None);
    assert!(report.ttfb.is_some());
}

#[tokio::test]
async fn many_headers_are_fine_and_too_many_are_not() {
    for (lines, fine) in [(150, true), (250, false), (10_000, false)] {
        let names: Vec<_> = (0..lines).map(|n| format!("x-{n}")).collect();
        let headers: Vec<_> = names.iter().map(|name| (name.as_str(), "value")).collect();
        let server = Server::answering(answer(200, &headers, "")).await;
        let report = probe(&server).await;
        if fine {
            assert_up(&report);
        } else {
            assert_down(&report, ErrorClass::Unknown);
        }
    }
}

#[tokio::test]
async fn a_large_header_is_fine_and_an_oversized_one_is_not() {
    for (size, fine) in [(30_000, true), (70_000, false), (1_000_000, false)] {
        let server = Server::answering(answer(200, &[("x-large", &"x".repeat(size))], "")).await;
        let report = probe(&server).await;
        if fine {
            assert_up(&report);
        } else {
            assert_down(&report, ErrorClass::Unknown);
        }
    }
}

#[tokio::test]
async fn an_endless_head_ends_at_the_bound() {
    let server = Server::start(|_| {
        vec![
            Step::Send(b"HTTP/1.1 200 OK\r\nx-endless: ".to_vec()),
            Step::Repeat(vec![b'x'; 16 * 1024]),
        ]
    })
    .await;
    let report = probe(&server).await;
    assert_down(&report, ErrorClass::Unknown);
    assert_eq!(report.status_code, None);
}

#[tokio::test]
async fn interim_answers_are_passed_over() {
    let early = b"HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n".to_vec();
    let server =
        Server::start(move |_| vec![Step::Send(early.clone()), Step::Send(answer(200, &[], ""))]).await;
    let report = probe(&server).await;
    assert_up(&report);
    assert_eq!(report.status_code, Some(200));
}

#[tokio::test]
async fn what_is_not_http_is_not_understood() {
    for noise in [
        "SSH-2.0-OpenSSH_9.6\r\n\r\n",
        // HTTP/0.9: a body, and nothing before it.
        "<html>hello</html>\r\n",
        "HTTP/1.1 99 Low\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
        "HTTP/1.1 abc\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
    ] {
        let server = Server::answering(noise.as_bytes().to_vec()).await;
        let report = probe(&server).await;
        assert_down(&report, ErrorClass::Unknown);
        assert!(message(&report).contains("HTTP"));
    }
}
