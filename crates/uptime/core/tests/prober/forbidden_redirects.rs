//! Ways to be sent to a forbidden address by a server that may be probed. None of them may reach it.

use pharos_uptime::error_class::ErrorClass;

use crate::lab::server::redirect;
use crate::lab::{
    Canary, Dns, Lab, Server, answer, assert_down, assert_not_reached, assert_refused, get, message,
};

async fn assert_not_followed(status: u16, template: &str) {
    let canary = Canary::start().await;
    let dns = Dns::with(&["127.0.0.1", "::1"]).await;
    let location = template.replace("{port}", &canary.port.to_string());
    let server = Server::answering(redirect(status, &location)).await;
    let report = Lab::new()
        .permit(server.address)
        .dns(&dns)
        .probe(&get(server.url("/")))
        .await;
    assert_not_reached(&report);
    assert!(
        !message(&report).contains(&canary.port.to_string()),
        "{}",
        message(&report)
    );
    assert_eq!(canary.hits().await, 0, "{location}");
    assert_eq!(server.heads().len(), 1);
}

macro_rules! refused_redirects {
    ($($name:ident: $status:literal $location:expr,)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                assert_not_followed($status, $location).await;
            }
        )*
    };
}

refused_redirects! {
    by_301: 301 "http://127.0.0.1:{port}/",
    by_302: 302 "http://127.0.0.1:{port}/",
    by_303: 303 "http://127.0.0.1:{port}/",
    by_307: 307 "http://127.0.0.1:{port}/",
    by_308: 308 "http://127.0.0.1:{port}/",
    to_the_same_address_on_another_port: 302 "//127.0.0.1:{port}/",
    without_a_scheme: 302 "//[::1]:{port}/",
    with_backslashes: 302 "\\\\127.0.0.1:{port}\\",
    with_a_mixed_slash: 302 "/\\127.0.0.1:{port}/",
    with_three_slashes: 302 "///127.0.0.1:{port}/",
    to_a_decimal_number: 302 "http://2130706433:{port}/",
    to_octal_parts: 302 "http://0177.0.0.1:{port}/",
    to_zero: 302 "http://0:{port}/",
    to_a_mapped_address: 302 "http://[::ffff:127.0.0.1]:{port}/",
    to_nat64: 302 "http://[64:ff9b::7f00:1]:{port}/",
    to_localhost: 302 "http://localhost:{port}/",
    to_a_name_that_resolves_here: 302 "http://inside.test:{port}/",
    to_https: 302 "https://127.0.0.1:{port}/",
    to_metadata: 302 "http://169.254.169.254/latest/meta-data/",
    to_metadata_by_name: 302 "http://metadata.google.internal/",
    to_a_file: 302 "file:///etc/passwd",
    to_gopher: 302 "gopher://127.0.0.1:{port}/_",
    to_ftp: 302 "ftp://127.0.0.1:{port}/",
    to_data: 302 "data:text/html,hello",
    to_javascript: 302 "javascript:alert(1)",
    with_userinfo: 302 "http://user:password@127.0.0.1:{port}/",
    with_userinfo_that_looks_like_a_host: 302 "http://example.com@127.0.0.1:{port}/",
    with_full_width_digits: 302 "http://１２７.０.０.１:{port}/",
    with_percent_encoding: 302 "http://%31%32%37.0.0.1:{port}/",
    with_a_fragment: 302 "http://127.0.0.1:{port}/#harmless",
    to_port_zero: 302 "http://127.0.0.1:0/",
}

#[tokio::test]
async fn userinfo_is_refused_even_on_the_way_to_an_allowed_server() {
    let server = Server::start(|head| {
        let port = head
            .split("127.0.0.1:")
            .nth(1)
            .unwrap()
            .lines()
            .next()
            .unwrap()
            .to_owned();
        vec![crate::lab::Step::Send(redirect(
            302,
            &format!("http://user@127.0.0.1:{port}/next"),
        ))]
    })
    .await;
    let report = Lab::new()
        .permit(server.address)
        .probe(&get(server.url("/")))
        .await;
    assert_down(&report, ErrorClass::Unknown);
    assert!(message(&report).contains("user name"));
    assert_eq!(server.heads().len(), 1);
}

#[tokio::test]
async fn a_forbidden_last_hop_is_refused_after_allowed_ones() {
    let canary = Canary::start().await;
    let second = Server::answering(redirect(307, &format!("http://[::1]:{}/", canary.port))).await;
    let first = Server::answering(redirect(301, &second.url("/"))).await;
    let lab = Lab::new().permit(first.address).permit(second.address);
    let report = lab.probe(&get(first.url("/"))).await;
    assert_refused(&report);
    assert!(!message(&report).contains("::1"), "{}", message(&report));
    assert_eq!(report.redirect_count, 1);
    assert_eq!(canary.hits().await, 0);
}

#[tokio::test]
async fn other_headers_that_send_elsewhere_are_not_heeded() {
    let canary = Canary::start().await;
    let url = format!("http://127.0.0.1:{}/", canary.port);
    let refresh = format!("0; url={url}");
    let service = format!("h2=\"127.0.0.1:{}\"", canary.port);
    let headers = [
        ("refresh", refresh.as_str()),
        ("content-location", &url),
        ("alt-svc", &service),
        ("link", &url),
    ];
    let server = Server::answering(answer(200, &headers, "")).await;
    let report = Lab::new()
        .permit(server.address)
        .probe(&get(server.url("/")))
        .await;
    crate::lab::assert_up(&report);
    assert_eq!(canary.hits().await, 0);
}
