//! Requests as servers see them, and their answers.

use std::convert::Infallible;

use http::{
    HeaderValue, Method,
    header::{ACCEPT_ENCODING, CONTENT_LENGTH, HOST, HeaderName, USER_AGENT},
};
use hyper::{Response, body::Incoming, service::service_fn};
use hyper_util::rt::TokioIo;
use pharos_egress::{
    client::{NotJson, Request},
    testing::server::{Server, Step, answer},
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::lab::{Lab, NOW, get};

#[tokio::test]
async fn a_get_says_who_asks_and_what_is_understood() {
    let server = Server::answering(answer(200, &[("x-answer", "yes")], "hello")).await;
    let url = server.url("/path?query=1#fragment");
    let answer = Lab::new().permit(server.address).get(url).await.unwrap();
    assert_eq!(answer.status.as_u16(), 200);
    assert_eq!(answer.headers["x-answer"], "yes");
    assert_eq!(answer.body, b"hello");
    let head = &server.heads()[0];
    assert!(head.starts_with("get /path?query=1 http/1.1\r\n"), "{head}");
    for line in [
        format!("host: {}", server.address),
        "user-agent: pharos/test".to_owned(),
        "accept: */*".to_owned(),
        "accept-encoding: gzip, deflate".to_owned(),
    ] {
        assert!(head.contains(&format!("{line}\r\n")), "{line} in {head}");
    }
    assert!(!head.contains("content-length"), "{head}");
}

#[tokio::test]
async fn own_headers_take_the_place_of_ours_and_reserved_ones_are_left_out() {
    let server = Server::answering(answer(200, &[], "")).await;
    let mut request = get(server.url("/")).accept("application/json");
    for (name, value) in [
        (USER_AGENT, "Own/1.0"),
        (HeaderName::from_static("x-own"), "one"),
        (HeaderName::from_static("x-own"), "two"),
        (HOST, "elsewhere.test"),
        (CONTENT_LENGTH, "1000"),
        (ACCEPT_ENCODING, "br"),
        (HeaderName::from_static("proxy-authorization"), "secret"),
    ] {
        request = request.header(name, HeaderValue::from_static(value));
    }
    Lab::new().permit(server.address).send(request).await.unwrap();
    let head = &server.heads()[0];
    for line in [
        "user-agent: own/1.0",
        "accept: application/json",
        "x-own: one",
        "x-own: two",
    ] {
        assert_eq!(
            head.matches(&format!("{line}\r\n")).count(),
            1,
            "{line} in {head}"
        );
    }
    for absent in [
        "elsewhere.test",
        "content-length",
        "br\r\n",
        "proxy-",
        "pharos/test",
        "*/*",
    ] {
        assert!(!head.contains(absent), "{absent} in {head}");
    }
}

#[tokio::test]
async fn json_is_posted_and_read() {
    let server = Server::answering(answer(201, &[], r#"{"id": 7}"#)).await;
    let request = Request::post(server.url("/things").parse().unwrap())
        .json(&json!({"name": "shop"}))
        .unwrap();
    let answer = Lab::new().permit(server.address).send(request).await.unwrap();
    assert_eq!(answer.status.as_u16(), 201);
    assert_eq!(answer.json::<Value>(), Ok(json!({"id": 7})));
    let head = &server.heads()[0];
    assert!(head.starts_with("post /things"), "{head}");
    assert!(head.contains("content-type: application/json\r\n"), "{head}");
    assert!(head.contains("content-length: 15\r\n"), "{head}");
}

#[tokio::test]
async fn a_body_arrives_as_it_was_given() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let echo = service_fn(|request: hyper::Request<Incoming>| async {
            Ok::<_, Infallible>(Response::new(request.into_body()))
        });
        let server = hyper::server::conn::http1::Builder::new();
        let _ = server.serve_connection(TokioIo::new(stream), echo).await;
    });
    let body: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    let url = format!("http://{address}/").parse().unwrap();
    let request = Request::new(Method::PUT, url).body("application/octet-stream", body.clone());
    let answer = Lab::new().permit(address).send(request).await.unwrap();
    assert!(answer.body == body, "{} bytes", answer.body.len());
}

#[tokio::test]
async fn json_that_is_none_is_told_without_a_word_of_it() {
    let server = Server::answering(answer(200, &[], "{\"name\":\n  \"secret\"}")).await;
    let answer = Lab::new()
        .permit(server.address)
        .get(server.url("/"))
        .await
        .unwrap();
    let refused = answer.json::<Vec<u32>>().unwrap_err();
    assert_eq!(refused, NotJson { line: 1, column: 0 });
    assert!(!refused.to_string().contains("secret"));
}

#[tokio::test]
async fn a_head_request_has_no_body_to_wait_for() {
    let server = Server::start(|_| {
        vec![Step::Send(
            b"HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n".to_vec(),
        )]
    })
    .await;
    let request = Request::new(Method::HEAD, server.url("/").parse().unwrap());
    let answer = Lab::new()
        .permit(server.address)
        .client()
        .send(request, NOW)
        .await
        .unwrap();
    assert_eq!(answer.body, b"");
}
