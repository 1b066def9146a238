//! TLS: whom it trusts, how it fails, HTTP/2.

use std::{convert::Infallible, error::Error};

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Request, Response, body::Incoming, service::service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo};
use pharos_egress::{
    client::{Answer, EgressError},
    testing::{
        certificates::{Authority, Identity, valid},
        dns::Dns,
        server::{Server, answer},
    },
};
use tokio::{io::AsyncWriteExt, net::TcpListener};

use crate::lab::{Lab, get};

/// Asks a server that is to be site.test for its root.
async fn ask(server: &Server, trust: &Authority) -> Result<Answer, EgressError> {
    let dns = Dns::with(&["127.0.0.1"]).await;
    Lab::new()
        .permit(server.address)
        .dns(&dns)
        .trust(trust)
        .get(server.url_at("site.test", "/"))
        .await
}

#[tokio::test]
async fn a_server_with_a_certificate_of_a_trusted_authority_is_asked() {
    let authority = Authority::new();
    let server = Server::secure(authority.issue(&["site.test"]).acceptor(&[])).await;
    assert_eq!(ask(&server, &authority).await.unwrap().body, b"hello");
}

#[tokio::test]
async fn any_other_certificate_is_refused_before_a_word_is_said() {
    let authority = Authority::new();
    for identity in [
        Authority::new().issue(&["site.test"]),
        authority.issue(&["other.test"]),
        authority.issue_with(&["site.test"], valid(-30, -1)),
        Identity::self_signed(&["site.test"]),
        Identity::unreadable(),
    ] {
        let server = Server::secure(identity.acceptor(&[])).await;
        let refused = ask(&server, &authority).await;
        let Err(EgressError::Tls(cause)) = &refused else {
            unreachable!("{refused:?}");
        };
        assert!(cause.to_string().contains("certificate"), "{cause}");
        assert_eq!(server.heads(), [""; 0]);
    }
}

#[tokio::test]
async fn a_server_that_does_not_speak_tls_or_wants_to_know_us_is_a_tls_failure() {
    let authority = Authority::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let plain = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(&answer(400, &[], "")).await.unwrap();
        // Read to its end, so that the answer is not lost to a reset.
        let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    });
    let refused = Lab::new().permit(plain).get(format!("https://{plain}/")).await;
    assert!(matches!(refused, Err(EgressError::Tls(_))), "{refused:?}");

    let members = authority.issue(&["site.test"]).acceptor_of_members(&authority);
    let refused = ask(&Server::secure(members).await, &authority).await;
    assert!(matches!(refused, Err(EgressError::Tls(_))), "{refused:?}");
}

#[tokio::test]
async fn no_failure_shows_an_address() {
    let authority = Authority::new();
    let server = Server::secure(Identity::self_signed(&["site.test"]).acceptor(&[])).await;
    let refused = ask(&server, &authority).await.unwrap_err();
    let (mut text, mut source) = (refused.to_string(), refused.source());
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    assert!(!text.contains("127.0.0.1"), "{text}");
}

#[tokio::test]
async fn http2_is_spoken_where_it_is_offered() {
    let authority = Authority::new();
    let tls = authority.issue(&["127.0.0.1"]).acceptor(&["h2", "http/1.1"]);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        let stream = TokioIo::new(tls.accept(stream).await.unwrap());
        let service = service_fn(|request: Request<Incoming>| async move {
            let seen = format!("{:?} {} {}", request.version(), request.method(), request.uri());
            Ok::<_, Infallible>(Response::new(Full::new(Bytes::from(seen))))
        });
        let server = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
        let _ = server.serve_connection(stream, service).await;
    });
    let lab = Lab::new().permit(address).trust(&authority);
    let answer = lab.send(get(format!("https://{address}/path"))).await.unwrap();
    let seen = String::from_utf8(answer.body).unwrap();
    assert_eq!(seen, format!("HTTP/2.0 GET https://{address}/path"));
}
