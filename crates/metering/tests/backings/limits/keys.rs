//! The keys in Redis: each ends, and none shows who called.

use std::time::Duration as Span;

use super::{Backing, CHEAP, Client, HEAVY, RUM, RUN, noon_and};

#[tokio::test]
async fn every_key_ends_and_none_holds_an_address() {
    let backing = Backing::in_redis().await;
    let client = Client::new().at("203.0.113.7");
    for seconds in [0, 3, 5, 200, 212] {
        for spec in [&CHEAP, &HEAVY, &RUN, &RUM] {
            drop(backing.admit(client, spec, noon_and(seconds, 0)).await);
        }
    }
    // Until the permits are given back.
    tokio::time::sleep(Span::from_millis(50)).await;
    let keys = backing.keys();
    assert!(keys.len() >= 5, "{keys:?}");
    for (key, lives) in keys {
        assert!(key.starts_with("pharos:"), "{key}");
        assert!((1..=2 * 86_400).contains(&lives), "{key} lives {lives} s");
        for address in ["203.0.113.7", "cb007107"] {
            assert!(!key.contains(address), "{key}");
        }
    }
}
