//! How often servers are asked.

use std::time::{Duration, Instant};

use pharos_egress::client::EgressError;
use pharos_uptime::registration::rdap::RdapError;
use tokio::join;

use crate::registry::{Registry, SHOP, shop};

#[tokio::test]
async fn a_server_is_asked_once_a_second_and_the_list_is_kept() {
    let registry = Registry::showing(&shop()).await;
    let began = Instant::now();
    let (first, second) = join!(registry.ask(), registry.ask());
    assert!(first.is_ok() && second.is_ok());
    // The list, then the two: three turns, the last two seconds after the first.
    assert_eq!(registry.paths(), ["/dns.json", SHOP, SHOP]);
    assert!(began.elapsed() >= Duration::from_secs(2), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_server_that_asks_for_a_pause_gets_it() {
    for status in [429, 503] {
        let registry = Registry::answering(status, &[("retry-after", "120")], "").await;
        let told = Duration::from_secs(120);
        let busy = registry.ask().await;
        assert!(
            matches!(busy, Err(RdapError::Egress(EgressError::RateLimited { retry_after: Some(pause) })) if pause == told),
            "{busy:?}"
        );
        let asked = registry.paths().len();
        let held = registry.ask().await;
        let Err(RdapError::Egress(EgressError::NotYet { wait: left })) = held else {
            panic!("{held:?}");
        };
        assert!(left <= told && left > Duration::from_secs(110), "{left:?}");
        assert_eq!(registry.paths().len(), asked, "it was left alone");
    }
    let silent = Registry::answering(429, &[], "").await;
    let busy = silent.ask().await;
    assert!(
        matches!(
            busy,
            Err(RdapError::Egress(EgressError::RateLimited { retry_after: None }))
        ),
        "{busy:?}"
    );
}

#[tokio::test]
async fn a_list_that_can_not_be_fetched_is_left_alone_for_a_while() {
    let registry = Registry::without_list().await;
    let refused = registry.ask().await;
    assert!(matches!(refused, Err(RdapError::Status(_))), "{refused:?}");
    let again = registry.ask().await;
    assert!(matches!(again, Err(RdapError::NoList)), "{again:?}");
    assert_eq!(registry.paths(), ["/dns.json"]);
}
