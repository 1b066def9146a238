//! No connection goes to an address that the policy has not judged.

use pharos_egress::{
    address_policy::{AddressKind, UrlFault},
    client::{EgressError, Request},
    testing::{
        canary::Canary,
        dns::{Dns, RecordType, Reply},
        server::{Server, Step, answer, on_one_port, redirect},
    },
};
use tokio::net::TcpStream;

use crate::lab::{Lab, NOW, get};

#[tokio::test]
async fn the_canary_hears_whoever_reaches_it() {
    let canary = Canary::start().await;
    assert_eq!(canary.hits().await, 0);
    for address in [
        "127.0.0.1",
        "127.1.2.3",
        "::1",
        "0.0.0.0",
        "::",
        "::ffff:127.0.0.1",
    ] {
        TcpStream::connect((address, canary.port)).await.unwrap();
    }
    assert_eq!(canary.hits().await, 6);
}

#[tokio::test]
async fn a_url_with_a_forbidden_address_reaches_nobody() {
    let canary = Canary::start().await;
    for host in [
        "127.0.0.1",
        "2130706433",
        "[::1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::127.0.0.1]",
        "localhost",
        "0",
    ] {
        let refused = Lab::new().get(format!("http://{host}:{}/", canary.port)).await;
        assert!(
            matches!(refused, Err(EgressError::Forbidden(_))),
            "{host}: {refused:?}"
        );
    }
    assert_eq!(canary.hits().await, 0);
}

#[tokio::test]
async fn a_name_that_leads_to_a_forbidden_address_reaches_nobody_and_shows_no_address() {
    let canary = Canary::start().await;
    for reply in [
        Reply::to(&["127.0.0.1"]),
        Reply::to(&["::1"]),
        Reply::to(&["::ffff:127.0.0.1"]),
        Reply::to(&["8.8.8.8", "127.0.0.1"]),
        Reply::alias("localhost.", &["127.0.0.1"]),
    ] {
        let dns = Dns::start(move |_| reply.clone()).await;
        let post = Request::post(format!("http://site.test:{}/", canary.port).parse().unwrap());
        let refused = Lab::new().dns(&dns).send(post.body("text/plain", "secret")).await;
        let Err(refused @ EgressError::Forbidden(UrlFault::Address(fault))) = refused else {
            unreachable!("{refused:?}");
        };
        assert_eq!(fault.kind, AddressKind::Loopback);
        let text = refused.to_string();
        assert!(!text.contains("127") && !text.contains("::"), "{text}");
    }
    assert_eq!(canary.hits().await, 0);
}

#[tokio::test]
async fn one_permitted_port_opens_no_other() {
    let canary = Canary::start().await;
    let server = Server::answering(answer(200, &[], "")).await;
    let dns = Dns::with(&["127.0.0.1"]).await;
    let client = Lab::new().permit(server.address).dns(&dns).client();
    assert!(
        client
            .send(get(server.url_at("site.test", "/")), NOW)
            .await
            .is_ok()
    );
    let other = client
        .send(get(format!("http://site.test:{}/", canary.port)), NOW)
        .await;
    assert!(matches!(other, Err(EgressError::Forbidden(_))), "{other:?}");
    assert_eq!(canary.hits().await, 0);
}

#[tokio::test]
async fn a_redirect_to_a_forbidden_address_is_not_followed() {
    let canary = Canary::start().await;
    let dns = Dns::start(|query| match query.name {
        "inside.test" => Reply::to(&["127.0.0.3"]),
        _ => Reply::NoSuchName,
    })
    .await;
    for target in [
        format!("http://127.0.0.3:{}/", canary.port),
        format!("http://inside.test:{}/", canary.port),
        format!("http://localhost:{}/", canary.port),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "https://user:password@example.com/".to_owned(),
    ] {
        let server = Server::answering(redirect(302, &target)).await;
        let lab = Lab::new().permit(server.address).dns(&dns);
        let refused = lab.get(server.url("/")).await;
        assert!(
            matches!(refused, Err(EgressError::Forbidden(_))),
            "{target}: {refused:?}"
        );
        assert_eq!(server.heads().len(), 1);
    }
    assert_eq!(canary.hits().await, 0);
}

/// Answers with 127.0.0.2 at first, and with 127.0.0.1 ever after.
async fn rebinding() -> Dns {
    Dns::start(|query| match query.before {
        0 => Reply::to(&["127.0.0.2"]),
        _ => Reply::to(&["127.0.0.1", "::1"]),
    })
    .await
}

#[tokio::test]
async fn a_name_that_changes_after_its_look_up_is_not_looked_up_again() {
    let (allowed, forbidden) = on_one_port("127.0.0.2", "127.0.0.1").await;
    let allowed = Server::start_with(allowed, None, |_| vec![Step::Send(answer(200, &[], "outside"))]);
    let forbidden = Server::start_with(forbidden, None, |_| vec![Step::Send(answer(200, &[], "inside"))]);
    let dns = rebinding().await;
    let client = Lab::new().permit(allowed.address).dns(&dns).client();
    let request = get(allowed.url_at("site.test", "/"));

    assert_eq!(client.send(request.clone(), NOW).await.unwrap().body, b"outside");
    assert_eq!(dns.count("site.test", RecordType::A), 1);
    assert_eq!(dns.count("site.test", RecordType::AAAA), 1);

    // The next request gets the changed answer, and is refused.
    let refused = client.send(request, NOW).await;
    assert!(matches!(refused, Err(EgressError::Forbidden(_))), "{refused:?}");
    assert_eq!((allowed.heads().len(), forbidden.heads().len()), (1, 0));
}

#[tokio::test]
async fn a_name_that_changes_between_two_hops_is_judged_again() {
    let (allowed, forbidden) = on_one_port("127.0.0.2", "127.0.0.1").await;
    let allowed = Server::start_with(allowed, None, |_| vec![Step::Send(redirect(302, "/next"))]);
    let forbidden = Server::start_with(forbidden, None, |_| vec![Step::Send(answer(200, &[], "inside"))]);
    let dns = rebinding().await;
    let lab = Lab::new().permit(allowed.address).dns(&dns);
    let refused = lab.get(allowed.url_at("site.test", "/")).await;
    assert!(matches!(refused, Err(EgressError::Forbidden(_))), "{refused:?}");
    assert_eq!((allowed.heads().len(), forbidden.heads().len()), (1, 0));
}
