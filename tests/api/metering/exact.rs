//! Exactly as many of any number of concurrent requests pass as the allowance pays for.

use futures_util::future::join_all;
use pharos_domain::role::Role;

use super::ledger;
use crate::harness::{Key, Node, Request, TestApp};

/// How many of 200 concurrent reads of one credit each pass, spread over nodes and keys.
async fn admitted(addresses: &[std::net::SocketAddr], keys: &[Key], path: &str) -> usize {
    let requests = (0..200).map(|at| {
        let address = addresses[at % addresses.len()];
        Request::new(address, "GET", path)
            .key(&keys[at / 2 % keys.len()])
            .send()
    });
    let replies = join_all(requests).await;
    for reply in &replies {
        if reply.status != 200 {
            reply.problem(402, "quota-exhausted");
        }
    }
    replies.iter().filter(|reply| reply.status == 200).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_200_requests_exactly_floor_k_over_cost_pass() {
    let app = TestApp::start().await;
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    let mut used = 0;
    for allowance in [37, 0, 199] {
        app.grant(used + allowance).await;
        let passed = admitted(&[app.address], std::slice::from_ref(&app.world.key), &path).await;
        assert_eq!(i64::try_from(passed).unwrap(), allowance);
        used += allowance;
        assert_eq!(ledger(&app, 0).await, (used, used));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_200_requests_to_two_processes_exactly_floor_k_over_cost_pass() {
    let app = TestApp::start().await;
    let environment = [("PHAROS_DATABASE_URL", app.database.url())];
    let nodes = [
        Node::start(&["--roles", "api"], &environment),
        Node::start(&["--roles", "api"], &environment),
    ];
    let addresses = [nodes[0].address, nodes[1].address];
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    let keys = [app.world.key.clone()];
    let mut used = 0;
    for allowance in [37, 0, 1, 150, 199, 200] {
        app.grant(used + allowance).await;
        let passed = i64::try_from(admitted(&addresses, &keys, &path).await).unwrap();
        assert_eq!(passed, allowance);
        used += allowance;
        assert_eq!(ledger(&app, 0).await, (used, used));
    }
    // Runs of 25 credits, a key of their own each, by a credential that has not come this minute.
    let runner = app
        .world
        .another_key(&app.stores, app.world.owner, app.now())
        .await;
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.grant(used + 1).await;
    app.put(&config, &app.world.key, &serde_json::json!({}))
        .send()
        .await
        .ok();
    used += 1;
    for (round, allowance) in [99, 24, 25].into_iter().enumerate() {
        app.grant(used + allowance).await;
        let runs = (0..8).map(|at| {
            let path = format!("/domains/{}/uptime/check", app.world.domain);
            Request::new(addresses[at % 2], "POST", &path)
                .key(&runner)
                .header("idempotency-key", format!("{round}-{at}"))
                .json(&serde_json::json!({}))
                .send()
        });
        let replies = join_all(runs).await;
        for reply in replies.iter().filter(|reply| reply.status != 202) {
            reply.problem(402, "quota-exhausted");
        }
        let passed = replies.iter().filter(|reply| reply.status == 202).count();
        assert_eq!(i64::try_from(passed).unwrap(), allowance / 25);
        used += allowance / 25 * 25;
        assert_eq!(ledger(&app, 0).await, (used, used));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_members_cap_that_is_tighter_lets_exactly_its_share_through() {
    let app = TestApp::start().await;
    let environment = [("PHAROS_DATABASE_URL", app.database.url())];
    let nodes = [
        Node::start(&["--roles", "api"], &environment),
        Node::start(&["--roles", "api"], &environment),
    ];
    let addresses = [nodes[0].address, nodes[1].address];
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    let (first, member) = app.world.key_of(&app.stores, Role::Viewer, app.now()).await;
    app.sql(&format!(
        "UPDATE members SET role = 'admin', credit_cap = 43 WHERE user_id = '{member}'"
    ))
    .await;
    let second = app.world.another_key(&app.stores, member, app.now()).await;
    app.grant(150).await;
    // Half of the requests are the capped member's, by two keys; half the owner's.
    let keys = [first, app.world.key.clone(), second, app.world.key.clone()];
    assert_eq!(admitted(&addresses, &keys, &path).await, 43 + 100);
    assert_eq!(ledger(&app, 0).await, (143, 143));
    // Now the workspace's balance is the tighter one.
    assert_eq!(admitted(&addresses, &keys, &path).await, 7);
    assert_eq!(ledger(&app, 0).await, (150, 150));
}
