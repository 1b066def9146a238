//! Ways to reach a forbidden address by a name that looks public. None of them may reach it.

use pharos_egress::address_policy::AddressPolicy;
use pharos_egress::testing::dns::RecordType;
use pharos_egress::{resolver::NameResolver, trust::TrustAnchors};
use pharos_uptime::{
    error_class::ErrorClass,
    probe::{ProbeLimits, Prober},
};

use crate::lab::dns::Query;
use crate::lab::server::{on_one_port, redirect};
use crate::lab::{
    Canary, Dns, Lab, Reply, Server, Step, answer, assert_down, assert_refused, assert_up, get, message,
};

async fn refuses(reply: impl Fn(&Query<'_>) -> Reply + Send + Sync + 'static) {
    let canary = Canary::start().await;
    let dns = Dns::start(reply).await;
    let report = Lab::new()
        .dns(&dns)
        .probe(&get(format!("http://site.test:{}/", canary.port)))
        .await;
    assert_refused(&report);
    let told = message(&report);
    assert!(
        told.contains("not allowed") && told.contains("probe_networks"),
        "{told}"
    );
    assert_eq!((report.ip, report.connect), (None, None));
    assert_eq!(canary.hits().await, 0);
}

macro_rules! refused_names {
    ($($name:ident: $reply:expr,)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                refuses(|_| $reply).await;
            }
        )*
    };
}

refused_names! {
    resolving_to_loopback: Reply::to(&["127.0.0.1"]),
    resolving_to_another_loopback: Reply::to(&["127.53.0.1"]),
    resolving_to_loopback_v6: Reply::to(&["::1"]),
    resolving_to_both_loopbacks: Reply::to(&["127.0.0.1", "::1"]),
    resolving_to_the_unspecified_address: Reply::to(&["0.0.0.0"]),
    resolving_to_the_unspecified_address_v6: Reply::to(&["::"]),
    resolving_to_a_mapped_address: Reply::to(&["::ffff:127.0.0.1"]),
    resolving_to_a_compatible_address: Reply::to(&["::127.0.0.1"]),
    resolving_to_nat64: Reply::to(&["64:ff9b::127.0.0.1"]),
    resolving_to_six_to_four: Reply::to(&["2002:7f00:1::1"]),
    resolving_to_a_private_network: Reply::to(&["10.0.0.1"]),
    resolving_to_a_unique_local_address: Reply::to(&["fd00::2"]),
    resolving_to_a_link_local_address: Reply::to(&["fe80::1"]),
    resolving_to_metadata: Reply::to(&["169.254.169.254"]),
    resolving_to_broadcast: Reply::to(&["255.255.255.255"]),
    resolving_to_public_and_private: Reply::to(&["8.8.8.8", "127.0.0.1"]),
    resolving_to_private_and_public: Reply::to(&["127.0.0.1", "8.8.8.8"]),
    resolving_to_public_v4_and_private_v6: Reply::to(&["8.8.8.8", "::1"]),
    resolving_to_public_v6_and_private_v4: Reply::to(&["2606:4700::1111", "127.0.0.1"]),
    hiding_one_forbidden_address_behind_many: Reply::to(&[
        "8.8.8.1", "8.8.8.2", "8.8.8.3", "8.8.8.4", "8.8.8.5", "8.8.8.6", "8.8.8.7", "8.8.8.8", "127.0.0.1",
    ]),
    an_alias_of_localhost: Reply::alias("localhost.", &["127.0.0.1", "::1"]),
    an_alias_of_an_internal_name: Reply::alias("db.internal.", &["10.0.0.1"]),
    an_alias_of_a_public_name_with_a_private_address: Reply::alias("cdn.test.", &["192.168.0.1"]),
}

#[tokio::test]
async fn an_alias_of_localhost_without_an_address_is_refused() {
    // The resolver asks on for the target, and answers `localhost` by itself.
    refuses(|query| match query.name {
        "site.test" => Reply::alias("localhost.", &[]),
        _ => Reply::NoSuchName,
    })
    .await;
}

#[tokio::test]
async fn a_late_second_family_is_never_connected_to() {
    let canary = Canary::start().await;
    let dns = Dns::start(|query| match query.kind {
        RecordType::A => Reply::to(&["127.0.0.2"]),
        _ => Reply::Late(
            std::time::Duration::from_millis(600),
            Box::new(Reply::to(&["::1"])),
        ),
    })
    .await;
    let dead = format!("127.0.0.2:{}", canary.port).parse().unwrap();
    // The canary listens on that address too: one visit, the permitted one, and none to [::1].
    let request = get(format!("http://site.test:{}/", canary.port));
    let report = Lab::new().permit(dead).dns(&dns).probe(&request).await;
    assert_eq!(report.ip, Some("127.0.0.2".parse().unwrap()));
    assert_eq!(canary.hits().await, 1);
}

/// Answers with an allowed address at first, and with the canary's ever after.
async fn rebinding(first: &'static str) -> Dns {
    Dns::start(move |query| match query.before {
        0 => Reply::to(&[first]),
        _ => Reply::to(&["127.0.0.1", "::1"]),
    })
    .await
}

/// A server on 127.0.0.2 and, on the same port of 127.0.0.1, one that must not be reached.
async fn twins(script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static) -> (Server, Server) {
    let (allowed, forbidden) = on_one_port("127.0.0.2", "127.0.0.1").await;
    let allowed = Server::start_with(allowed, None, script);
    let forbidden = Server::start_with(forbidden, None, |_| vec![Step::Send(answer(200, &[], "inside"))]);
    (allowed, forbidden)
}

#[tokio::test]
async fn a_name_that_changes_after_the_look_up_is_not_looked_up_again() {
    let (allowed, forbidden) = twins(|_| vec![Step::Send(answer(200, &[], "outside"))]).await;
    let dns = rebinding("127.0.0.2").await;
    let prober = Lab::new().permit(allowed.address).dns(&dns).prober();
    let request = get(allowed.url_at("site.test", "/"));
    assert_up(&prober.probe(&request).await);
    assert_eq!(
        (
            dns.count("site.test", RecordType::A),
            dns.count("site.test", RecordType::AAAA)
        ),
        (1, 1)
    );
    assert_eq!((allowed.heads().len(), forbidden.heads().len()), (1, 0));

    // The next probe gets the changed answer, and is refused.
    assert_refused(&prober.probe(&request).await);
    assert_eq!((allowed.heads().len(), forbidden.heads().len()), (1, 0));
}

/// Whoever owns the check reads which address of the site's name it was.
#[tokio::test]
async fn the_refusal_names_the_address_and_the_setting() {
    let dns = Dns::with(&["10.11.12.13"]).await;
    let report = Lab::new().dns(&dns).probe(&get("http://site.test/")).await;
    assert_refused(&report);
    assert_eq!(
        message(&report),
        "The site's address 10.11.12.13 is not allowed: only public addresses can be checked, unless the operator names their \
         network in probe_networks."
    );
}

/// A name that only the network of the prober knows would be looked up for anybody who makes an alias of it.
#[tokio::test]
async fn the_refusal_of_an_alias_names_no_address() {
    for alias in [
        Reply::alias("db.test.", &["10.11.12.13"]),
        Reply::alias("db.test.", &[]),
    ] {
        let dns = Dns::start(move |query| match query.name {
            "site.test" => alias.clone(),
            _ => Reply::to(&["10.11.12.13"]),
        })
        .await;
        let report = Lab::new().dns(&dns).probe(&get("http://site.test/")).await;
        assert_refused(&report);
        assert_eq!(
            message(&report),
            "The site's name is an alias of one whose address is not allowed: only public addresses can be checked, unless the \
             operator names their network in probe_networks."
        );
    }
}

#[tokio::test]
async fn a_name_that_changes_between_two_hops_is_judged_again() {
    let (allowed, forbidden) = twins(|_| vec![Step::Send(redirect(302, "/next"))]).await;
    let dns = rebinding("127.0.0.2").await;
    let request = get(allowed.url_at("site.test", "/"));
    let report = Lab::new().permit(allowed.address).dns(&dns).probe(&request).await;
    assert_refused(&report);
    assert!(!message(&report).contains("127."), "{}", message(&report));
    assert_eq!(report.redirect_count, 1);
    assert_eq!((allowed.heads().len(), forbidden.heads().len()), (1, 0));
}

#[tokio::test]
async fn a_refused_connection_does_not_lead_to_another_look_up() {
    let dead = tokio::net::TcpListener::bind("127.0.0.2:0").await.unwrap();
    let address = dead.local_addr().unwrap();
    drop(dead);
    let dns = rebinding("127.0.0.2").await;
    let request = get(format!("http://site.test:{}/", address.port()));
    let report = Lab::new().permit(address).dns(&dns).probe(&request).await;
    assert_down(&report, ErrorClass::ConnectionRefused);
    assert_eq!(dns.total(), 2);
}

#[tokio::test]
async fn permitting_one_port_opens_no_other() {
    let canary = Canary::start().await;
    let server = Server::answering(answer(200, &[], "")).await;
    let dns = Dns::with(&["127.0.0.1"]).await;
    let request = get(format!("http://site.test:{}/", canary.port));
    let report = Lab::new().permit(server.address).dns(&dns).probe(&request).await;
    assert_refused(&report);
    assert_eq!(canary.hits().await, 0);
}

#[tokio::test]
async fn permitted_ranges_open_internal_names_but_not_what_lies_outside() {
    let canary = Canary::start().await;
    let server = Server::answering(answer(200, &[], "")).await;
    let dns = Dns::start(|query| match query.name {
        "intranet" => Reply::to(&["127.0.0.1"]),
        _ => Reply::to(&["::1"]),
    })
    .await;
    let policy = AddressPolicy::public().permitting(vec!["127.0.0.0/8".parse().unwrap()]);
    let resolver = NameResolver::with_servers(&[dns.address]).unwrap();
    let prober = Prober::new(resolver, policy, &TrustAnchors::web(), ProbeLimits::default()).unwrap();
    assert_up(&prober.probe(&get(server.url_at("intranet", "/"))).await);
    let outside = prober.probe(&get(format!("http://other:{}/", canary.port))).await;
    assert_refused(&outside);
    assert_eq!(canary.hits().await, 0);
}
