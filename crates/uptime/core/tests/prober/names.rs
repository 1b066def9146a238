//! Names: how looking them up fails, and how often it is done.

use std::time::Duration;

use pharos_egress::testing::dns::RecordType;
use pharos_uptime::{error_class::ErrorClass, probe::ProbeReport};

use crate::lab::server::on_one_port;
use crate::lab::{Dns, Lab, Reply, Server, Step, answer, assert_down, assert_up, get};

async fn probe_name(reply: Reply) -> ProbeReport {
    let dns = Dns::start(move |_| reply.clone()).await;
    Lab::new().dns(&dns).probe(&get("http://site.test/")).await
}

#[tokio::test]
async fn a_name_is_resolved_and_connected_to() {
    let dns = Dns::with(&["127.0.0.1"]).await;
    let server = Server::answering(answer(200, &[], "hello")).await;
    let report = Lab::new()
        .permit(server.address)
        .dns(&dns)
        .probe(&get(server.url_at("site.test", "/")))
        .await;
    assert_up(&report);
    assert!(report.dns.is_some());
    assert!(server.heads()[0].contains(&format!("host: site.test:{}\r\n", server.address.port())));
    assert_eq!(
        (
            dns.count("site.test", RecordType::A),
            dns.count("site.test", RecordType::AAAA)
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn an_alias_is_followed() {
    let dns = Dns::start(|_| Reply::alias("edge.test.", &["127.0.0.1"])).await;
    let server = Server::answering(answer(200, &[], "hello")).await;
    let request = get(server.url_at("site.test", "/"));
    assert_up(&Lab::new().permit(server.address).dns(&dns).probe(&request).await);
}

#[tokio::test]
async fn a_name_that_does_not_exist_is_nxdomain() {
    let report = probe_name(Reply::NoSuchName).await;
    assert_down(&report, ErrorClass::DnsNxdomain);
    assert_eq!(
        (report.dns, report.ip, report.connect, report.response),
        (None, None, None, None)
    );
}

#[tokio::test]
async fn a_name_without_addresses_is_nxdomain_too() {
    assert_down(&probe_name(Reply::to(&[])).await, ErrorClass::DnsNxdomain);
}

#[tokio::test]
async fn a_name_server_that_fails_is_servfail() {
    assert_down(&probe_name(Reply::Failure).await, ErrorClass::DnsServfail);
}

#[tokio::test]
async fn name_servers_that_are_not_there_are_servfail() {
    let report = Lab::new().probe(&get("http://site.test/")).await;
    assert_down(&report, ErrorClass::DnsServfail);
}

#[tokio::test]
async fn a_name_server_that_is_silent_is_a_dns_timeout() {
    let dns = Dns::start(|_| Reply::Silence).await;
    let mut request = get("http://site.test/");
    request.timeout = Duration::from_secs(1);
    let report = Lab::new().dns(&dns).probe(&request).await;
    assert_down(&report, ErrorClass::DnsTimeout);
}

#[tokio::test]
async fn one_family_without_an_answer_does_not_hold_up_the_other() {
    let dns = Dns::start(|query| match query.kind {
        RecordType::A => Reply::to(&["127.0.0.1"]),
        _ => Reply::Silence,
    })
    .await;
    let server = Server::answering(answer(200, &[], "hello")).await;
    let request = get(server.url_at("site.test", "/"));
    let report = Lab::new().permit(server.address).dns(&dns).probe(&request).await;
    assert_up(&report);
    assert!(report.dns.unwrap() < Duration::from_secs(1));
}

#[tokio::test]
async fn one_family_that_fails_does_not_hide_the_other() {
    let dns = Dns::start(|query| match query.kind {
        RecordType::A => Reply::Failure,
        _ => Reply::to(&["::1"]),
    })
    .await;
    let server = Server::start_on("[::1]:0", None, |_| vec![Step::Send(answer(200, &[], ""))]).await;
    let request = get(server.url_at("site.test", "/"));
    assert_up(&Lab::new().permit(server.address).dns(&dns).probe(&request).await);
}

#[tokio::test]
async fn an_address_that_refuses_gives_way_to_the_next() {
    let (dead, alive) = on_one_port("[::1]", "127.0.0.1").await;
    let socket = dead.local_addr().unwrap();
    let dns = Dns::with(&["::1", "127.0.0.1"]).await;
    let server = Server::start_with(alive, None, |_| vec![Step::Send(answer(200, &[], ""))]);
    drop(dead);
    let lab = Lab::new().permit(server.address).permit(socket).dns(&dns);
    let report = lab.probe(&get(server.url_at("site.test", "/"))).await;
    assert_up(&report);
    assert_eq!(report.ip, Some(server.address.ip()));
}

#[tokio::test]
async fn ipv6_goes_first() {
    let v6 = Server::start_on("[::1]:0", None, |_| vec![Step::Send(answer(200, &[], ""))]).await;
    let v4 = format!("127.0.0.1:{}", v6.address.port()).parse().unwrap();
    let dns = Dns::with(&["127.0.0.1", "::1"]).await;
    let lab = Lab::new().permit(v6.address).permit(v4).dns(&dns);
    let report = lab.probe(&get(v6.url_at("site.test", "/"))).await;
    assert_up(&report);
    assert!(report.ip.unwrap().is_ipv6());
}

#[tokio::test]
async fn every_probe_looks_the_name_up_anew() {
    let dns = Dns::with(&["127.0.0.1"]).await;
    let server = Server::answering(answer(200, &[], "")).await;
    let prober = Lab::new().permit(server.address).dns(&dns).prober();
    for _ in 0..3 {
        assert_up(&prober.probe(&get(server.url_at("site.test", "/"))).await);
    }
    assert_eq!(dns.count("site.test", RecordType::A), 3);
}

#[tokio::test]
async fn a_name_that_dns_cannot_hold_does_not_exist() {
    let dns = Dns::with(&["127.0.0.1"]).await;
    let url = format!("http://{}.test/", "a".repeat(64));
    assert_down(
        &Lab::new().dns(&dns).probe(&get(url)).await,
        ErrorClass::DnsNxdomain,
    );
    assert_eq!(dns.total(), 0);
}
