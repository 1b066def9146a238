//! Redirects, large answers, and where no request goes.

use std::time::{Duration, Instant};

use pharos_egress::{
    client::{EgressError, InvalidAnswer},
    testing::server::{Server, Step, answer, head},
};
use pharos_uptime::registration::rdap::RdapError;

use crate::registry::{Registry, SHOP, closing, shop};

/// Sends on to `to`.
fn redirect(status: u16, to: &str) -> Vec<Step> {
    vec![Step::Send(answer(status, &closing(&[("location", to)]), ""))]
}

#[tokio::test]
async fn three_redirects_are_followed() {
    let registry = Registry::start(|address, path| match path {
        SHOP => redirect(301, "/a"),
        "/a" => redirect(302, &format!("http://{address}/b")),
        "/b" => redirect(307, "c/d"),
        _ => vec![Step::Send(answer(200, &closing(&[]), shop().to_string()))],
    })
    .await;
    let registration = registry.ask().await.unwrap().unwrap();
    assert_eq!(registration.source_url, registry.server.url("/c/d"));
    assert_eq!(registry.paths(), ["/dns.json", SHOP, "/a", "/b", "/c/d"]);
}

#[tokio::test]
async fn a_fourth_redirect_is_one_too_many() {
    let registry = Registry::start(|_, path| redirect(308, &format!("{path}/on"))).await;
    assert!(matches!(
        registry.ask().await,
        Err(RdapError::Egress(EgressError::TooManyRedirects(_)))
    ));
    assert_eq!(registry.paths().len(), 5);
}

/// The client may reach the registry and no other address of this machine.
#[tokio::test]
async fn a_redirect_to_a_forbidden_address_is_not_followed() {
    let secret = Server::answering(answer(200, &[], shop().to_string())).await;
    for target in [
        secret.url(SHOP),
        "http://169.254.169.254/".to_owned(),
        "http://[::1]/".to_owned(),
    ] {
        let to = target.clone();
        let registry = Registry::start(move |_, _| redirect(302, &to)).await;
        let refused = registry.ask().await.unwrap_err();
        assert!(
            matches!(refused, RdapError::Egress(EgressError::Forbidden(_))),
            "{target}: {refused}"
        );
    }
    for target in ["ftp://rdap.example/", "file:///etc/passwd"] {
        let registry = Registry::start(move |_, _| redirect(302, target)).await;
        let refused = registry.ask().await.unwrap_err();
        assert!(
            matches!(refused, RdapError::Egress(EgressError::Forbidden(_))),
            "{target}: {refused}"
        );
    }
    let nowhere = Registry::answering(302, &[], "").await;
    assert!(matches!(
        nowhere.ask().await,
        Err(RdapError::Egress(EgressError::Invalid(InvalidAnswer::Location)))
    ));
    assert_eq!(secret.heads(), [""; 0]);
}

#[tokio::test]
async fn fifty_megabytes_are_refused_as_they_come() {
    let (size, part) = (50 * 1024 * 1024, vec![b' '; 64 * 1024]);
    for announced in [true, false] {
        let (part, began) = (part.clone(), Instant::now());
        let registry = Registry::start(move |_, _| {
            let begin = if announced {
                head(200, &closing(&[]), size)
            } else {
                b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec()
            };
            // Without an end: a client that read on would not come back.
            vec![Step::Send(begin), Step::Repeat(part.clone())]
        })
        .await;
        assert!(
            matches!(
                registry.ask().await,
                Err(RdapError::Egress(EgressError::TooLarge))
            ),
            "{announced}"
        );
        assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    }
}

/// A body of exactly the limit is read, one byte more is not.
#[tokio::test]
async fn the_limit_is_a_mebibyte() {
    let padded = |size: usize| {
        let object = shop().to_string();
        let padding = " ".repeat(size - object.len());
        format!("{object}{padding}")
    };
    let fits = Registry::answering(200, &[], &padded(1024 * 1024)).await;
    assert!(fits.ask().await.is_ok());
    let exceeds = Registry::answering(200, &[], &padded(1024 * 1024 + 1)).await;
    assert!(matches!(
        exceeds.ask().await,
        Err(RdapError::Egress(EgressError::TooLarge))
    ));
}
