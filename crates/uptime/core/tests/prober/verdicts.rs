//! Verdicts: what counts as up, slow, or down.

use std::time::Duration;

use pharos_egress::address_policy::MAX_URL_LENGTH;
use pharos_uptime::{
    error_class::ErrorClass,
    probe::{ExpectedStatuses, KeywordMode, KeywordRule, Verdict},
};

use crate::lab::{Lab, Server, Step, answer, assert_down, assert_up, get, message, probe};

#[tokio::test]
async fn an_unexpected_status_is_down_and_keeps_its_measurements() {
    for status in [403, 404, 500, 503] {
        let server = Server::answering(answer(status, &[], "sorry")).await;
        let report = probe(&server).await;
        assert_down(&report, ErrorClass::HttpStatus);
        assert!(message(&report).contains(&status.to_string()));
        assert_eq!(
            (report.status_code, report.response_bytes),
            (Some(status), Some(5))
        );
        assert!(report.response.is_some() && report.download.is_some());
    }
}

#[tokio::test]
async fn an_error_status_can_be_what_is_expected() {
    let server = Server::answering(answer(404, &[], "gone")).await;
    let mut request = get(server.url("/"));
    request.expected = ExpectedStatuses::parse(["404", "5xx"]).unwrap();
    assert_up(&Lab::new().permit(server.address).probe(&request).await);

    let server = Server::answering(answer(200, &[], "back")).await;
    request.url = server.url("/").parse().unwrap();
    assert_down(
        &Lab::new().permit(server.address).probe(&request).await,
        ErrorClass::HttpStatus,
    );
}

#[tokio::test]
async fn the_status_outweighs_the_keyword_and_the_body() {
    let server = Server::answering(answer(500, &[], "trace")).await;
    let mut request = get(server.url("/"));
    request.keyword = Some(KeywordRule {
        text: "trace".to_owned(),
        mode: KeywordMode::Absent,
    });
    let report = Lab::new().permit(server.address).probe(&request).await;
    assert_down(&report, ErrorClass::HttpStatus);
    assert_eq!(report.keyword_matched, Some(true));

    let broken = Server::answering(b"HTTP/1.1 500 Oops\r\ncontent-length: 9\r\n\r\nshort".to_vec()).await;
    assert_down(&probe(&broken).await, ErrorClass::HttpStatus);
}

#[tokio::test]
async fn a_slow_answer_is_degraded() {
    let server = Server::start(|_| {
        vec![
            Step::Wait(Duration::from_millis(150)),
            Step::Send(answer(200, &[], "")),
        ]
    })
    .await;
    let mut request = get(server.url("/"));
    for (limit, verdict) in [(100, Verdict::Degraded), (20_000, Verdict::Up)] {
        request.degraded_above = Some(Duration::from_millis(limit));
        let report = Lab::new().permit(server.address).probe(&request).await;
        assert_eq!((report.verdict, report.error), (verdict, None));
    }
}

#[tokio::test]
async fn a_failure_is_down_however_slow() {
    let server = Server::answering(answer(500, &[], "")).await;
    let mut request = get(server.url("/"));
    request.degraded_above = Some(Duration::ZERO);
    assert_down(
        &Lab::new().permit(server.address).probe(&request).await,
        ErrorClass::HttpStatus,
    );
}

#[tokio::test]
async fn a_url_that_cannot_be_probed_measures_nothing() {
    let long = format!("http://example.com/{}", "a".repeat(MAX_URL_LENGTH));
    for url in [
        "ftp://example.com/",
        "http://example.com/#part",
        "http://example.com:0/",
        &long,
    ] {
        let report = Lab::new().probe(&get(url)).await;
        assert_down(&report, ErrorClass::Unknown);
        assert!(
            message(&report).starts_with("The URL must"),
            "{}",
            message(&report)
        );
        assert_eq!(
            (report.final_url, report.dns, report.response),
            (None, None, None)
        );
    }
}
