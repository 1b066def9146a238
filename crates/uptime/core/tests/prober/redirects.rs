//! Redirects: which are followed, how far, and what goes along.

use http::{HeaderName, HeaderValue};
use pharos_uptime::{
    error_class::ErrorClass,
    probe::{ExpectedStatuses, ProbeMethod, ProbeRequest},
};

use crate::lab::server::{path_of, redirect};
use crate::lab::{Dns, Lab, Server, Step, answer, assert_down, assert_up, get, message, probe};

/// Redirects `/n` to `/n-1` down to `/0`.
async fn countdown(status: u16) -> Server {
    Server::start(move |head| {
        let left: u32 = path_of(head)[1..].parse().unwrap();
        let answer = match left {
            0 => answer(200, &[], "arrived"),
            left => redirect(status, &format!("/{}", left - 1)),
        };
        vec![Step::Send(answer)]
    })
    .await
}

async fn probe_path(server: &Server, path: &str) -> pharos_uptime::probe::ProbeReport {
    Lab::new()
        .permit(server.address)
        .probe(&get(server.url(path)))
        .await
}

fn with_secret(url: String) -> ProbeRequest {
    let mut request = get(url);
    request.headers = vec![(
        HeaderName::from_static("x-secret"),
        HeaderValue::from_static("s3cret"),
    )];
    request
}

#[tokio::test]
async fn every_kind_of_redirect_is_followed_and_counted() {
    for status in [301, 302, 303, 307, 308] {
        let server = countdown(status).await;
        let report = probe_path(&server, "/3").await;
        assert_up(&report);
        assert_eq!((report.redirect_count, report.status_code), (3, Some(200)));
        assert_eq!(report.final_url.unwrap().as_str(), server.url("/0"));
        assert_eq!(report.response_bytes, Some(7));
    }
}

#[tokio::test]
async fn ten_redirects_are_followed_and_no_more() {
    let server = countdown(302).await;
    assert_up(&probe_path(&server, "/10").await);
    for path in ["/11", "/1000"] {
        let before = server.heads().len();
        let report = probe_path(&server, path).await;
        assert_down(&report, ErrorClass::TooManyRedirects);
        assert_eq!(report.redirect_count, 10);
        assert_eq!(report.status_code, Some(302));
        assert_eq!(server.heads().len() - before, 11);
    }
}

#[tokio::test]
async fn a_location_of_8_kb_is_too_long() {
    let server = Server::answering(redirect(302, &format!("/{}", "x".repeat(8_000)))).await;
    let report = probe(&server).await;
    assert_down(&report, ErrorClass::Unknown);
    assert!(message(&report).contains("too long"), "{}", message(&report));
    assert_eq!(server.heads().len(), 1);
}

#[tokio::test]
async fn a_circle_is_seen_when_it_closes() {
    let server = Server::start(|head| {
        vec![Step::Send(redirect(
            302,
            if path_of(head) == "/a" { "/b#x" } else { "/a#y" },
        ))]
    })
    .await;
    let report = probe_path(&server, "/a").await;
    assert_down(&report, ErrorClass::TooManyRedirects);
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn a_redirect_to_itself_is_a_circle() {
    for location in ["/", "", "#top"] {
        let server = Server::answering(redirect(301, location)).await;
        let report = probe(&server).await;
        assert_down(&report, ErrorClass::TooManyRedirects);
        assert_eq!(report.redirect_count, 0);
    }
}

#[tokio::test]
async fn unfollowed_redirects_are_judged_by_what_is_expected() {
    let server = countdown(301).await;
    let mut request = get(server.url("/1"));
    request.follow_redirects = false;
    let report = Lab::new().permit(server.address).probe(&request).await;
    assert_up(&report);
    assert_eq!((report.status_code, report.redirect_count), (Some(301), 0));

    request.expected = ExpectedStatuses::parse(["2xx"]).unwrap();
    let report = Lab::new().permit(server.address).probe(&request).await;
    assert_down(&report, ErrorClass::HttpStatus);
}

#[tokio::test]
async fn a_redirect_that_is_not_followed_may_point_anywhere() {
    let server = Server::answering(redirect(302, "http://127.0.0.1:1/")).await;
    let mut request = get(server.url("/"));
    request.follow_redirects = false;
    assert_up(&Lab::new().permit(server.address).probe(&request).await);
}

#[tokio::test]
async fn a_redirect_without_a_location_is_judged_as_it_is() {
    let server = Server::answering(answer(302, &[], "")).await;
    let report = probe(&server).await;
    assert_up(&report);
    assert_eq!(report.status_code, Some(302));
}

#[tokio::test]
async fn other_3xx_codes_are_no_redirects() {
    let server = Server::answering(answer(300, &[("location", "/elsewhere")], "")).await;
    let report = probe(&server).await;
    assert_up(&report);
    assert_eq!((report.status_code, report.redirect_count), (Some(300), 0));
}

#[tokio::test]
async fn a_head_request_stays_one() {
    let server = countdown(303).await;
    let mut request = get(server.url("/2"));
    request.method = ProbeMethod::Head;
    assert_up(&Lab::new().permit(server.address).probe(&request).await);
    assert!(server.heads().iter().all(|head| head.starts_with("head ")));
}

#[tokio::test]
async fn own_headers_stay_on_the_way_through_one_origin() {
    let server = countdown(302).await;
    assert_up(
        &Lab::new()
            .permit(server.address)
            .probe(&with_secret(server.url("/2")))
            .await,
    );
    assert!(
        server
            .heads()
            .iter()
            .all(|head| head.contains("x-secret: s3cret"))
    );
}

#[tokio::test]
async fn own_headers_are_dropped_when_the_host_changes() {
    let dns = Dns::with(&["127.0.0.1"]).await;
    let server = Server::start(|head| {
        let there = head.to_lowercase().contains("host: b.test");
        let port = head.to_lowercase().split("test:").nth(1).unwrap()[..5]
            .trim()
            .to_owned();
        vec![Step::Send(match (there, path_of(head)) {
            (false, "/") => redirect(302, &format!("http://b.test:{port}/")),
            // And back: what was dropped stays dropped.
            (true, _) => redirect(302, &format!("http://a.test:{port}/again")),
            (false, _) => answer(200, &[], ""),
        })]
    })
    .await;
    let request = with_secret(server.url_at("a.test", "/"));
    let report = Lab::new().permit(server.address).dns(&dns).probe(&request).await;
    assert_up(&report);
    let heads = server.heads();
    assert_eq!(heads.len(), 3);
    assert!(heads[0].contains("s3cret"));
    assert!(!heads[1].contains("s3cret") && !heads[2].contains("s3cret"));
}

#[tokio::test]
async fn own_headers_are_dropped_when_the_port_changes() {
    let other = Server::answering(answer(200, &[], "")).await;
    let to = other.url("/");
    let server = Server::start(move |_| vec![Step::Send(redirect(302, &to))]).await;
    let lab = Lab::new().permit(server.address).permit(other.address);
    assert_up(&lab.probe(&with_secret(server.url("/"))).await);
    assert!(server.heads()[0].contains("s3cret") && !other.heads()[0].contains("s3cret"));
}

#[tokio::test]
async fn a_location_that_is_no_url_fails() {
    for location in ["http://", "http://[::1", "http://a:b:c/", "http://exa mple/"] {
        let server = Server::answering(redirect(302, location)).await;
        let report = probe(&server).await;
        assert_down(&report, ErrorClass::Unknown);
        assert!(message(&report).contains("redirect"), "{location}");
    }
}

#[tokio::test]
async fn a_second_hop_that_fails_leaves_none_of_the_first_behind() {
    let dead = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = dead.local_addr().unwrap();
    drop(dead);
    let server = Server::answering(redirect(302, &format!("http://{address}/"))).await;
    let lab = Lab::new().permit(server.address).permit(address);
    let report = lab.probe(&get(server.url("/"))).await;
    assert_down(&report, ErrorClass::ConnectionRefused);
    assert_eq!(
        (report.status_code, report.ttfb, report.response),
        (None, None, None)
    );
    assert_eq!(report.redirect_count, 1);
    assert_eq!(report.final_url.unwrap().as_str(), format!("http://{address}/"));
}
