//! Over TLS, by name.

use std::error::Error;

use pharos_egress::{
    address_policy::AddressPolicy,
    client::EgressError,
    resolver::NameResolver,
    testing::{
        certificates::Authority,
        dns::Dns,
        server::{Server, Step, answer, path_of},
    },
    trust::TrustAnchors,
};
use pharos_uptime::registration::rdap::{RdapClient, RdapError};
use serde_json::json;

use crate::registry::{NOW, SHOP, closing, list, shop};

/// A registry at rdap.test, over TLS; its list says that it answers below `base`.
async fn registry(authority: &Authority, base: Option<&'static str>) -> Server {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let base = base.map_or_else(|| format!("https://rdap.test:{port}/rdap/"), str::to_owned);
    let tls = authority.issue(&["rdap.test"]).acceptor(&[]);
    Server::start_with(listener, Some(tls), move |head| match path_of(head) {
        "/dns.json" => vec![Step::Send(list(&base))],
        SHOP => vec![Step::Send(answer(200, &closing(&[]), shop().to_string()))],
        _ => vec![Step::Send(answer(
            302,
            &closing(&[("location", "http://rdap.test/")]),
            "",
        ))],
    })
}

/// A client for which rdap.test is this machine.
async fn client(server: &Server, policy: AddressPolicy, trust: TrustAnchors) -> RdapClient {
    let dns = Dns::with(&["127.0.0.1"]).await;
    let resolver = NameResolver::with_servers(&[dns.address]).unwrap();
    let bootstrap = server.url_at("rdap.test", "/dns.json").parse().unwrap();
    RdapClient::new(resolver, policy, &trust, bootstrap).unwrap()
}

fn this_machine() -> AddressPolicy {
    AddressPolicy::public().permitting(vec!["127.0.0.1/32".parse().unwrap()])
}

fn trusting(authority: &Authority) -> TrustAnchors {
    TrustAnchors::web()
        .with_extra(authority.pem().as_bytes())
        .unwrap()
}

/// The error with what it comes from.
fn whole(error: &RdapError) -> String {
    let (mut text, mut source) = (error.to_string(), error.source());
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}

#[tokio::test]
async fn a_registry_is_asked_over_tls() {
    let authority = Authority::new();
    let server = registry(&authority, None).await;
    let client = client(&server, this_machine(), trusting(&authority)).await;
    let shop = client.ask(&"shop.example".parse().unwrap(), NOW).await.unwrap();
    assert_eq!(shop.unwrap().source_url, server.url_at("rdap.test", SHOP));
}

#[tokio::test]
async fn a_certificate_of_a_stranger_is_refused() {
    let authority = Authority::new();
    let server = registry(&authority, None).await;
    let client = client(&server, this_machine(), TrustAnchors::web()).await;
    let refused = client
        .ask(&"shop.example".parse().unwrap(), NOW)
        .await
        .unwrap_err();
    assert!(whole(&refused).contains("UnknownIssuer"), "{}", whole(&refused));
    assert_eq!(server.heads(), [""; 0]);
}

#[tokio::test]
async fn a_name_that_leads_to_a_forbidden_address_is_not_connected_to() {
    let authority = Authority::new();
    let server = registry(&authority, None).await;
    let client = client(&server, AddressPolicy::public(), trusting(&authority)).await;
    let refused = client
        .ask(&"shop.example".parse().unwrap(), NOW)
        .await
        .unwrap_err();
    let text = whole(&refused);
    assert!(text.contains("only public addresses"), "{text}");
    assert!(!text.contains("127.0.0.1"), "{text}");
    assert_eq!(server.heads(), [""; 0]);
}

#[tokio::test]
async fn where_the_list_is_on_https_so_is_everything_else() {
    let authority = Authority::new();
    let plain = registry(&authority, Some("http://rdap.test/rdap/")).await;
    let client_of_plain = client(&plain, this_machine(), trusting(&authority)).await;
    let refused = client_of_plain.ask(&"shop.example".parse().unwrap(), NOW).await;
    assert!(
        matches!(refused, Err(RdapError::Egress(EgressError::Insecure))),
        "{refused:?}"
    );

    let sends_on = registry(&authority, None).await;
    let client = client(&sends_on, this_machine(), trusting(&authority)).await;
    let refused = client.ask(&"elsewhere.example".parse().unwrap(), NOW).await;
    assert!(
        matches!(refused, Err(RdapError::Egress(EgressError::Insecure))),
        "{refused:?}"
    );
    assert!(json!(sends_on.heads()).to_string().contains("elsewhere.example"));
}
