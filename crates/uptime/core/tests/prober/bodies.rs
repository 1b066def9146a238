//! Bodies: keywords in them, how they are packed, and where reading stops.

use std::io::Write;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use pharos_uptime::{
    error_class::ErrorClass,
    probe::{KeywordMode, KeywordRule, ProbeReport},
};

use crate::lab::server::head;
use crate::lab::{Lab, Server, Step, answer, assert_down, assert_up, get, message, probe};

async fn probe_keyword(server: &Server, text: &str, mode: KeywordMode) -> ProbeReport {
    let mut request = get(server.url("/"));
    request.keyword = Some(KeywordRule {
        text: text.to_owned(),
        mode,
    });
    Lab::new().permit(server.address).probe(&request).await
}

fn gzip(body: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body.as_ref()).unwrap();
    encoder.finish().unwrap()
}

fn gzipped(body: impl AsRef<[u8]>) -> Vec<u8> {
    answer(200, &[("content-encoding", "gzip")], gzip(body))
}

async fn endless() -> Server {
    Server::start(|_| {
        vec![
            Step::Send(b"HTTP/1.1 200 OK\r\n\r\n".to_vec()),
            Step::Send(b"begins here".to_vec()),
            Step::Repeat(vec![b'x'; 16 * 1024]),
        ]
    })
    .await
}

#[tokio::test]
async fn a_keyword_that_is_there_matches() {
    let server = Server::answering(answer(200, &[], "all systems go")).await;
    let report = probe_keyword(&server, "systems", KeywordMode::Present).await;
    assert_up(&report);
    assert_eq!(report.keyword_matched, Some(true));
    let report = probe_keyword(&server, "systems", KeywordMode::Absent).await;
    assert_down(&report, ErrorClass::KeywordPresent);
    assert_eq!(report.keyword_matched, Some(true));
}

#[tokio::test]
async fn a_keyword_that_is_not_there_does_not() {
    let server = Server::answering(answer(200, &[], "all systems go")).await;
    let report = probe_keyword(&server, "Systems", KeywordMode::Present).await;
    assert_down(&report, ErrorClass::KeywordMissing);
    assert_eq!(report.keyword_matched, Some(false));
    let report = probe_keyword(&server, "error", KeywordMode::Absent).await;
    assert_up(&report);
    assert_eq!(report.keyword_matched, Some(false));
    assert!(report.response.is_some());
}

#[tokio::test]
async fn a_keyword_is_found_across_the_borders_of_chunks() {
    let server = Server::start(|_| {
        let mut steps = vec![Step::Send(
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n".to_vec(),
        )];
        for byte in "it's größer".bytes() {
            steps.push(Step::Send([b"1\r\n", &[byte][..], b"\r\n"].concat()));
            steps.push(Step::Wait(Duration::from_millis(2)));
        }
        steps.push(Step::Send(b"0\r\n\r\n".to_vec()));
        steps
    })
    .await;
    assert_up(&probe_keyword(&server, "größer", KeywordMode::Present).await);
    assert_down(
        &probe_keyword(&server, "größe", KeywordMode::Absent).await,
        ErrorClass::KeywordPresent,
    );
    assert_down(
        &probe_keyword(&server, "größte", KeywordMode::Present).await,
        ErrorClass::KeywordMissing,
    );
}

#[tokio::test]
async fn gzip_is_asked_for_and_unpacked() {
    let page = "lorem ipsum ".repeat(5000) + "the end";
    let packed = gzip(&page);
    let server = Server::answering(gzipped(&page)).await;
    let report = probe_keyword(&server, "the end", KeywordMode::Present).await;
    assert_up(&report);
    assert_eq!(
        report.response_bytes,
        Some(packed.len() as u64),
        "bytes are counted as they were sent"
    );
    assert!(server.heads()[0].contains("accept-encoding: gzip\r\n"));
    assert_down(
        &probe_keyword(&server, "the END", KeywordMode::Present).await,
        ErrorClass::KeywordMissing,
    );
}

#[tokio::test]
async fn gzip_in_several_members_is_one_body() {
    let body = [gzip("first half, "), gzip("second half")].concat();
    let server = Server::answering(answer(200, &[("content-encoding", "gzip")], body)).await;
    assert_up(&probe_keyword(&server, "half, second", KeywordMode::Present).await);
}

#[tokio::test]
async fn a_gzip_bomb_is_not_unpacked() {
    // A gigabyte in about one megabyte, at a limit of two.
    let bomb = gzip(vec![0; 16 * 1024 * 1024]).repeat(64);
    assert!(bomb.len() < 2 * 1024 * 1024);
    let server = Server::answering(answer(200, &[("content-encoding", "gzip")], bomb)).await;
    let started = Instant::now();
    let report = probe_keyword(&server, "needle", KeywordMode::Absent).await;
    assert_down(&report, ErrorClass::BodyTooLarge);
    assert_eq!(report.keyword_matched, None);
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[tokio::test]
async fn damaged_gzip_cannot_be_judged() {
    let packed = gzip("some text that is long enough to be cut off".repeat(20));
    for body in [b"not gzip at all".to_vec(), packed[..packed.len() - 9].to_vec()] {
        let server = Server::answering(answer(200, &[("content-encoding", "gzip")], body)).await;
        let report = probe_keyword(&server, "needle", KeywordMode::Absent).await;
        assert_down(&report, ErrorClass::Unknown);
        assert_eq!(report.keyword_matched, None);
        assert!(message(&report).contains("damaged"));
    }
}

#[tokio::test]
async fn a_packing_that_was_not_asked_for_cannot_be_judged() {
    for encoding in ["br", "deflate", "gzip, gzip"] {
        let server = Server::answering(answer(200, &[("content-encoding", encoding)], "xyz")).await;
        let report = probe_keyword(&server, "needle", KeywordMode::Absent).await;
        assert_down(&report, ErrorClass::Unknown);
        assert_up(&probe(&server).await);
    }
}

#[tokio::test]
async fn an_endless_body_is_up_if_nothing_is_looked_for_in_it() {
    let started = Instant::now();
    let report = probe(&endless().await).await;
    assert_up(&report);
    assert_eq!(report.body_complete, Some(false));
    assert!(report.response_bytes.unwrap() > 2 * 1024 * 1024);
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[tokio::test]
async fn an_endless_body_is_too_large_to_look_through() {
    let server = endless().await;
    for mode in [KeywordMode::Present, KeywordMode::Absent] {
        let report = probe_keyword(&server, "needle", mode).await;
        assert_down(&report, ErrorClass::BodyTooLarge);
        assert_eq!(report.keyword_matched, None);
        assert_eq!(report.status_code, Some(200));
    }
}

#[tokio::test]
async fn what_is_found_early_in_an_endless_body_counts() {
    let server = endless().await;
    assert_up(&probe_keyword(&server, "begins here", KeywordMode::Present).await);
    let report = probe_keyword(&server, "begins here", KeywordMode::Absent).await;
    assert_down(&report, ErrorClass::KeywordPresent);
}

#[tokio::test]
async fn a_body_that_just_fits_is_looked_through() {
    for (size, fits) in [(1000, true), (1001, false)] {
        let server = Server::answering(answer(200, &[], "x".repeat(size))).await;
        let mut request = get(server.url("/"));
        request.keyword = Some(KeywordRule {
            text: "y".to_owned(),
            mode: KeywordMode::Absent,
        });
        let lab = Lab::new()
            .permit(server.address)
            .limits(|limits| limits.body_bytes = 1000);
        let report = lab.probe(&request).await;
        if fits {
            assert_up(&report);
        } else {
            assert_down(&report, ErrorClass::BodyTooLarge);
        }
    }
}

#[tokio::test]
async fn a_body_that_is_not_utf8_is_searched_all_the_same() {
    let server = Server::answering(answer(200, &[], b"\xff\xfe caf\xe9 ok \xff")).await;
    assert_up(&probe_keyword(&server, " ok ", KeywordMode::Present).await);
}

#[tokio::test]
async fn an_empty_body_holds_no_keyword() {
    let server = Server::answering(head(204, &[], 0)).await;
    assert_up(&probe(&server).await);
    assert_down(
        &probe_keyword(&server, "x", KeywordMode::Present).await,
        ErrorClass::KeywordMissing,
    );
}
