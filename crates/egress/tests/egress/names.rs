//! The resolver by itself.

use std::{net::IpAddr, time::Duration};

use pharos_egress::{
    client::EgressError,
    resolver::{HostAddress, NameResolver, ResolveError},
    testing::dns::{Dns, RecordType, Reply},
};
use tokio::time::Instant;
use url::Host;

use crate::lab::Lab;

async fn look_up_within(
    time: Duration,
    reply: impl Fn(RecordType) -> Reply + Send + Sync + 'static,
) -> Result<Vec<IpAddr>, ResolveError> {
    let dns = Dns::start(move |query| reply(query.kind)).await;
    let resolver = NameResolver::with_servers(&[dns.address]).unwrap();
    let grace = Duration::from_millis(250);
    resolver
        .addresses(&Host::Domain("site.test"), grace, Instant::now() + time)
        .await
}

async fn look_up(
    reply: impl Fn(RecordType) -> Reply + Send + Sync + 'static,
) -> Result<Vec<IpAddr>, ResolveError> {
    look_up_within(Duration::from_secs(30), reply).await
}

fn ips(texts: &[&str]) -> Vec<IpAddr> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

#[tokio::test]
async fn both_families_are_looked_up_and_alternate_with_ipv6_first() {
    let found = look_up(|_| Reply::to(&["8.8.8.8", "8.8.4.4", "2001:4860::8888"])).await;
    assert_eq!(found, Ok(ips(&["2001:4860::8888", "8.8.8.8", "8.8.4.4"])));
}

#[tokio::test]
async fn an_alias_is_followed() {
    let found = look_up(|_| Reply::alias("edge.test.", &["8.8.8.8"])).await;
    assert_eq!(found, Ok(ips(&["8.8.8.8"])));
}

/// Whether the answer has them at once, or the resolver asks on for them.
#[tokio::test]
async fn addresses_of_an_alias_are_told_from_the_own_ones_of_a_host() {
    for (reply, is_own) in [
        (Reply::to(&["10.0.0.1"]), true),
        (Reply::alias("db.test.", &["10.0.0.1"]), false),
        (Reply::alias("db.test.", &[]), false),
    ] {
        let dns = Dns::start(move |query| match query.name {
            "db.test" => Reply::to(&["10.0.0.1"]),
            _ => reply.clone(),
        })
        .await;
        let resolver = NameResolver::with_servers(&[dns.address]).unwrap();
        // In capitals it is the same name.
        let host = Host::Domain("Site.test");
        let deadline = Instant::now() + Duration::from_secs(30);
        let found = resolver.host_addresses(&host, Duration::ZERO, deadline).await;
        let ip = "10.0.0.1".parse().unwrap();
        assert_eq!(found, Ok(vec![HostAddress { ip, is_own }]));
    }
}

#[tokio::test]
async fn each_failure_has_a_name() {
    let why = |reply: Reply| async { look_up(move |_| reply.clone()).await.unwrap_err() };
    assert_eq!(why(Reply::NoSuchName).await, ResolveError::NoSuchName);
    assert_eq!(why(Reply::to(&[])).await, ResolveError::NoAddress);
    assert_eq!(why(Reply::Failure).await, ResolveError::ServerFailed);
    let silent = look_up_within(Duration::from_millis(300), |_| Reply::Silence).await;
    assert_eq!(silent, Err(ResolveError::Timeout));
}

#[tokio::test]
async fn one_family_that_fails_or_is_silent_does_not_hide_the_other() {
    for v4 in [Reply::Failure, Reply::Silence] {
        let found = look_up(move |kind| match kind {
            RecordType::A => v4.clone(),
            _ => Reply::to(&["2001:4860::8888"]),
        })
        .await;
        assert_eq!(found, Ok(ips(&["2001:4860::8888"])));
    }
}

#[tokio::test]
async fn an_address_stands_for_itself_and_no_one_is_asked() {
    let dns = Dns::with(&["127.0.0.1"]).await;
    let resolver = NameResolver::with_servers(&[dns.address]).unwrap();
    for (host, ip) in [("8.8.8.8", "8.8.8.8"), ("[2001:4860::8888]", "2001:4860::8888")] {
        let host = Host::parse(host).unwrap();
        let host = match &host {
            Host::Domain(name) => Host::Domain(name.as_str()),
            Host::Ipv4(ip) => Host::Ipv4(*ip),
            Host::Ipv6(ip) => Host::Ipv6(*ip),
        };
        let found = resolver.addresses(&host, Duration::ZERO, Instant::now()).await;
        assert_eq!(found, Ok(ips(&[ip])));
    }
    let long = "a".repeat(64);
    let found = resolver
        .addresses(&Host::Domain(&long), Duration::ZERO, Instant::now())
        .await;
    assert_eq!(found, Err(ResolveError::NotAName));
    assert_eq!(dns.total(), 0);
}

#[tokio::test]
async fn a_request_fails_by_the_same_name() {
    let dns = Dns::start(|_| Reply::NoSuchName).await;
    let failed = Lab::new().dns(&dns).get("https://site.test/").await;
    assert!(
        matches!(failed, Err(EgressError::Dns(ResolveError::NoSuchName))),
        "{failed:?}"
    );
}
