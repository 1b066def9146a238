//! Bodies: what is decompressed, and where reading ends.

use std::{io::Write, time::Duration};

use flate2::{
    Compression,
    write::{GzEncoder, ZlibEncoder},
};
use pharos_egress::{
    client::{Answer, Answers, EgressError, InvalidAnswer, Limits},
    testing::server::{Server, Step, answer, head},
};

use crate::lab::{Lab, ask};

const MEBIBYTE: usize = 1024 * 1024;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn deflate(text: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

async fn sent(coding: &'static str, body: Vec<u8>) -> Result<Answer, EgressError> {
    ask(&Server::answering(answer(200, &[("content-encoding", coding)], body)).await).await
}

#[tokio::test]
async fn a_body_is_decompressed() {
    let text = b"a body ".repeat(10_000);
    for (coding, body) in [
        ("identity", text.clone()),
        ("gzip", gzip(&text)),
        ("x-gzip", gzip(&text)),
        // Several members are one body (RFC 1952, section 2.2).
        ("GZIP", [gzip(&text[..7_000]), gzip(&text[7_000..])].concat()),
        ("deflate", deflate(&text)),
    ] {
        let read = sent(coding, body).await.unwrap().body;
        assert!(read == text, "{coding}: {} bytes", read.len());
    }
}

/// The beginning of a body, as much as 1,000 bytes of it.
async fn beginning(answer: Vec<u8>) -> Answer {
    let server = Server::answering(answer).await;
    let cut = |settings: &mut pharos_egress::client::ClientSettings| {
        settings.answers = Answers::Beginning;
        settings.limits.body_bytes = 1_000;
        settings.limits.sent_bytes = 1_000;
    };
    let lab = Lab::new().permit(server.address).settings(cut);
    lab.get(server.url("/")).await.unwrap()
}

#[tokio::test]
async fn a_large_body_can_be_cut() {
    let text = b"a body ".repeat(10_000);
    for (coding, body, expected) in [
        ("identity", text.clone(), 1_000),
        ("gzip", gzip(&text), 1_000),
        ("deflate", deflate(&text), 1_000),
        ("identity", text[..999].to_vec(), 999),
        ("identity", text[..1_000].to_vec(), 1_000),
    ] {
        let read = beginning(answer(200, &[("content-encoding", coding)], body))
            .await
            .body;
        assert!(read == text[..expected], "{coding}: {} bytes", read.len());
    }
    // Who asks to be left alone is an answer like any other.
    assert_eq!(beginning(answer(429, &[], b"later")).await.status.as_u16(), 429);
}

#[tokio::test]
async fn a_coding_without_a_body_is_no_fault() {
    for coding in ["gzip", "deflate"] {
        assert_eq!(sent(coding, Vec::new()).await.unwrap().body, b"");
    }
}

#[tokio::test]
async fn a_damaged_body_is_told_from_a_whole_one() {
    let text = b"a body ".repeat(10_000);
    let (gzip, deflate) = (gzip(&text), deflate(&text));
    let cut = |body: &[u8]| body[..body.len() - 9].to_vec();
    let and_more = |body: &[u8]| [body, b"more"].concat();
    for (coding, body) in [
        ("gzip", cut(&gzip)),
        ("gzip", and_more(&gzip)),
        ("gzip", text.clone()),
        ("deflate", cut(&deflate)),
        ("deflate", and_more(&deflate)),
        ("deflate", text),
    ] {
        let refused = sent(coding, body).await;
        assert!(
            matches!(refused, Err(EgressError::Invalid(InvalidAnswer::Damaged))),
            "{coding}: {refused:?}"
        );
    }
}

#[tokio::test]
async fn a_coding_that_was_not_asked_for_is_refused() {
    for coding in ["br", "zstd", "gzip, gzip"] {
        let refused = sent(coding, b"body".to_vec()).await;
        assert!(
            matches!(refused, Err(EgressError::Invalid(InvalidAnswer::Coding))),
            "{coding}: {refused:?}"
        );
    }
}

#[tokio::test]
async fn a_body_of_the_limit_is_read_and_one_byte_more_is_not() {
    for (size, fits) in [(MEBIBYTE, true), (MEBIBYTE + 1, false)] {
        let text = vec![b' '; size];
        for (coding, body) in [
            ("identity", text.clone()),
            ("gzip", gzip(&text)),
            ("deflate", deflate(&text)),
        ] {
            match sent(coding, body).await {
                Ok(read) => assert!(fits && read.body.len() == size, "{coding}"),
                Err(EgressError::TooLarge) => assert!(!fits, "{coding}"),
                Err(error) => unreachable!("{coding}: {error:?}"),
            }
        }
    }
}

/// A mebibyte of it is a gibibyte. A client that kept the whole of it would be noticed by its memory.
#[tokio::test]
async fn a_bomb_ends_at_the_bound() {
    for (coding, bomb) in [
        ("gzip", gzip(&vec![0; 64 * MEBIBYTE])),
        ("deflate", deflate(&vec![0; 64 * MEBIBYTE])),
    ] {
        assert!(bomb.len() < MEBIBYTE);
        let refused = sent(coding, bomb).await;
        assert!(matches!(refused, Err(EgressError::TooLarge)), "{refused:?}");
    }
}

#[tokio::test]
async fn an_endless_body_is_left() {
    // The head of a gzip member, and then blocks that hold nothing: what comes out would never reach a bound.
    let (begin, empty) = (gzip(b"")[..10].to_vec(), [0, 0, 0, 0xff, 0xff].repeat(3_000));
    for (headers, begin, piece) in [
        ("", Vec::new(), vec![b' '; 16 * 1024]),
        ("content-encoding: gzip\r\n", begin, empty),
    ] {
        let server = Server::start(move |_| {
            let head = format!("HTTP/1.1 200 OK\r\n{headers}connection: close\r\n\r\n");
            vec![
                Step::Send(head.into_bytes()),
                Step::Send(begin.clone()),
                Step::Repeat(piece.clone()),
            ]
        })
        .await;
        let refused = ask(&server).await;
        assert!(matches!(refused, Err(EgressError::TooLarge)), "{refused:?}");
        server.is_left_by(1).await;
    }
}

#[tokio::test]
async fn a_body_that_is_announced_as_too_large_is_not_begun() {
    let server = Server::start(|_| vec![Step::Send(head(200, &[], 10_000_000_000)), Step::Hold]).await;
    let refused = ask(&server).await;
    assert!(matches!(refused, Err(EgressError::TooLarge)), "{refused:?}");
    server.is_left_by(1).await;
}

#[tokio::test]
async fn a_body_that_drips_ends_with_the_time() {
    let server = Server::start(|_| {
        let drip = Step::Trickle(vec![b' '; 1_000], Duration::from_millis(50));
        vec![Step::Send(head(200, &[], 1_000)), drip]
    })
    .await;
    let refused = Lab::new()
        .permit(server.address)
        .settings(|settings| settings.limits.time = Duration::from_millis(500))
        .get(server.url("/"))
        .await;
    assert!(matches!(refused, Err(EgressError::Timeout)), "{refused:?}");
    server.is_left_by(1).await;
}

#[tokio::test]
async fn a_body_that_breaks_off_is_not_whole() {
    let server = Server::start(|_| vec![Step::Send(head(200, &[], 100)), Step::Send(b"some".to_vec())]).await;
    let refused = ask(&server).await;
    assert!(matches!(refused, Err(EgressError::Broken)), "{refused:?}");
}

#[tokio::test]
async fn a_status_that_is_no_success_outweighs_a_body_that_can_not_be_read() {
    let whole = Server::answering(answer(404, &[], "no such thing")).await;
    let whole = ask(&whole).await.unwrap();
    assert_eq!(
        (whole.status.as_u16(), whole.body.as_slice()),
        (404, &b"no such thing"[..])
    );

    let large = Server::start(|_| vec![Step::Send(head(500, &[], 10_000_000_000)), Step::Hold]).await;
    let large = ask(&large).await.unwrap();
    assert_eq!((large.status.as_u16(), large.body.as_slice()), (500, &b""[..]));
}

/// Interim answers and heads are bounded by what is taken from a connection.
#[tokio::test]
async fn whatever_a_connection_carries_is_bounded() {
    let server = Server::start(|_| vec![Step::Repeat(b"HTTP/1.1 103 Early Hints\r\n\r\n".to_vec())]).await;
    let limits = |limits: &mut Limits| limits.exchange.connection_bytes = 64 * 1024;
    let refused = Lab::new()
        .permit(server.address)
        .settings(|settings| limits(&mut settings.limits))
        .get(server.url("/"))
        .await;
    assert!(matches!(refused, Err(EgressError::TooLarge)), "{refused:?}");
    server.is_left_by(1).await;
}

#[tokio::test]
async fn a_head_has_bounds_too() {
    let line = "x-line: value\r\n";
    for (headers, fits) in [
        (line.repeat(150), true),
        (line.repeat(250), false),
        (format!("x-long: {}\r\n", "x".repeat(100_000)), false),
    ] {
        let server = Server::start(move |_| {
            let head = format!("HTTP/1.1 200 OK\r\n{headers}content-length: 0\r\n\r\n");
            vec![Step::Send(head.into_bytes())]
        })
        .await;
        match ask(&server).await {
            Ok(_) => assert!(fits),
            Err(EgressError::Invalid(InvalidAnswer::Head)) => assert!(!fits),
            Err(error) => unreachable!("{error:?}"),
        }
    }
}
