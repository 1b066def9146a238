//! The order of the gates, and what every answer carries.

use pharos_domain::{identity::SubscriptionStatus, role::Role, scope::Scope, switches::Switch};
use pharos_http::{
    operation::{ApiResult, Caller, Example, Operation},
    spec::OperationSpec,
};
use serde_json::json;

use crate::harness::{Reply, TestApp, World, actor};

#[tokio::test]
async fn an_unknown_path_is_not_found_before_anything_else() {
    let app = TestApp::start().await;
    for path in [
        "/nothing",
        "/",
        "",
        "/me/",
        "/domains//uptime/status",
        "/me/%00",
        "/ME",
    ] {
        app.request("GET", path).send().await.problem(404, "not-found");
    }
    app.request("GET", "/nothing")
        .key(&app.world.key)
        .send()
        .await
        .problem(404, "not-found");
    app.request("GET", "//somewhere/else")
        .send_unchecked()
        .await
        .problem(404, "not-found");
    app.request("DELETE", "/me")
        .send()
        .await
        .problem(405, "method-not-allowed");
    app.request("BREW", "/me")
        .send()
        .await
        .problem(405, "method-not-allowed");
}

/// Each step breaks one more thing of one request; the answer names the first gate that is broken.
#[tokio::test]
async fn the_gates_stand_in_the_order_of_the_contract() {
    let app = TestApp::start().await;
    let (stores, now) = (&app.stores, app.now());
    let other = World::create(stores, now).await;
    let (member, _) = app.world.key_of(stores, Role::Member, now).await;
    let mine = format!("/domains/{}/uptime/config", app.world.domain);
    let foreign = format!("/domains/{}/uptime/config", other.domain);

    let expired = SubscriptionStatus::Expired;
    stores
        .workspace_admin
        .set_subscription(app.world.workspace, expired, &actor(), now)
        .await
        .unwrap();
    app.put(&mine, &app.world.key, &json!({}))
        .send()
        .await
        .problem(402, "workspace-not-writable");
    app.move_to_plan_without_uptime().await;
    app.put(&mine, &app.world.key, &json!({}))
        .send()
        .await
        .problem(403, "plan-restriction");
    app.put(&mine, &member, &json!({}))
        .send()
        .await
        .problem(403, "insufficient-role");
    app.put(&foreign, &member, &json!({}))
        .send()
        .await
        .problem(404, "domain-not-found");
    app.put(&foreign, &member, &json!({ "colour": 1 }))
        .send()
        .await
        .problem(400, "invalid-request");
    let reader = app.world.key(stores, &[Scope::ReadUptime], now).await;
    app.put(&foreign, &reader, &json!({ "colour": 1 }))
        .send()
        .await
        .problem(403, "insufficient-scope");
    stores
        .switches
        .set(Switch::ReadOnlyMode, true, &actor(), now)
        .await
        .unwrap();
    app.put(&foreign, &reader, &json!({ "colour": 1 }))
        .send()
        .await
        .problem(503, "read-only-mode");
    stores
        .switches
        .set(Switch::ApiDisabled, true, &actor(), now)
        .await
        .unwrap();
    app.put(&foreign, &reader, &json!({ "colour": 1 }))
        .send()
        .await
        .problem(503, "api-disabled");
    app.request("PUT", &foreign)
        .json(&json!({ "colour": 1 }))
        .send()
        .await
        .problem(401, "missing-credential");
    app.request("POST", &foreign)
        .json(&json!({ "colour": 1 }))
        .send()
        .await
        .problem(405, "method-not-allowed");
}

/// A request that a gate before the limits refuses takes nothing from them; a known caller is told how they stand all
/// the same.
#[tokio::test]
async fn a_known_caller_is_told_of_limits_and_credits_whatever_is_refused() {
    let app = TestApp::start().await;
    let key = &app.world.key;
    let told = |reply: &Reply| {
        [
            "x-ratelimit-limit",
            "x-ratelimit-remaining",
            "x-credits-remaining",
        ]
        .map(|name| reply.header(name).map(|value| value.parse::<u64>().unwrap()))
    };
    let served = app.get("/me", key).send().await;
    let expected = [Some(600), Some(599), Some(1_000_000)];
    assert_eq!(told(&served), expected);
    let heavy = format!("/domains/{}/overview", app.world.domain);
    for _ in 0..2 {
        let missing = app.get("/nothing", key).send().await;
        missing.problem(404, "not-found");
        assert_eq!(told(&missing), expected);
        assert_eq!(
            missing.header("x-ratelimit-reset"),
            served.header("x-ratelimit-reset")
        );
        for path in ["/me", &heavy] {
            let wrong = app.request("DELETE", path).key(key).send().await;
            wrong.problem(405, "method-not-allowed");
            assert_eq!(told(&wrong), expected, "{path}");
        }
        for anonymous in [
            app.request("GET", "/nothing"),
            app.request("GET", "/nothing")
                .header("authorization", "Bearer svc_dev_nothing"),
            app.request("DELETE", "/me"),
        ] {
            assert_eq!(told(&anonymous.send().await), [None; 3]);
        }
    }
    let set = async |switch| {
        let now = app.now();
        app.stores
            .switches
            .set(switch, true, &actor(), now)
            .await
            .unwrap();
    };
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    set(Switch::ReadOnlyMode).await;
    let refused = app.put(&config, key, &json!({})).send().await;
    refused.problem(503, "read-only-mode");
    assert_eq!(told(&refused), expected);
    set(Switch::ApiDisabled).await;
    let refused = app.get("/me", key).send().await;
    refused.problem(503, "api-disabled");
    assert_eq!(told(&refused), expected);
    // An operation with several buckets tells of the tightest.
    let refused = app.get(&heavy, key).send().await;
    assert_eq!(told(&refused), [Some(120), Some(120), Some(1_000_000)]);
}

#[tokio::test]
async fn switches_work_without_a_restart() {
    let app = TestApp::start().await;
    let (switches, now) = (&app.stores.switches, app.now());
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    switches
        .set(Switch::ReadOnlyMode, true, &actor(), now)
        .await
        .unwrap();
    let refused = app.put(&config, &app.world.key, &json!({})).send().await;
    refused.problem(503, "read-only-mode");
    assert_eq!(refused.header("retry-after"), Some("60"));
    app.get(&config, &app.world.key).send().await.ok();
    switches
        .set(Switch::ReadOnlyMode, false, &actor(), now)
        .await
        .unwrap();
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    switches
        .set(Switch::ApiDisabled, true, &actor(), now)
        .await
        .unwrap();
    let refused = app.get("/health", &app.world.key).send().await;
    refused.problem(503, "api-disabled");
    assert_eq!(refused.header("retry-after"), Some("60"));
    switches
        .set(Switch::ApiDisabled, false, &actor(), now)
        .await
        .unwrap();
    app.get("/health", &app.world.key).send().await.ok();
}

const BROKEN: OperationSpec = OperationSpec {
    id: "panicHere",
    path: "/panic",
    summary: "Panics",
    ..OperationSpec::GET
};

#[derive(serde::Serialize, utoipa::ToSchema)]
struct Never {
    /// Never shown.
    never: bool,
}

impl Example for Never {
    fn example() -> Self {
        Self { never: true }
    }
}

async fn broken(_caller: Caller) -> ApiResult<Never> {
    panic!("a defect")
}

#[tokio::test]
async fn a_panic_is_answered_and_the_server_lives_on() {
    let app = TestApp::with(vec![Operation::new(&BROKEN, broken)]).await;
    for _ in 0..10 {
        let reply = app.get("/panic", &app.world.key).send_unchecked().await;
        let problem = reply.problem(500, "internal-error");
        assert_eq!(problem["request_id"].as_str(), reply.header("x-request-id"));
        assert!(!problem.to_string().contains("defect"), "{problem}");
    }
    app.get("/me", &app.world.key).send().await.ok();
}

#[tokio::test]
async fn an_inbound_request_id_is_not_echoed() {
    let app = TestApp::start().await;
    let theirs = "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11";
    let reply = app
        .get("/me", &app.world.key)
        .header("x-request-id", theirs)
        .send()
        .await;
    assert_ne!(reply.header("x-request-id"), Some(theirs));
}

#[tokio::test]
async fn a_large_answer_is_compressed_where_that_is_accepted() {
    let app = TestApp::start().await;
    let path = format!("/domains/{}/uptime/config", app.world.domain);
    let windows: Vec<_> = (0..12)
        .map(|n| json!({ "name": format!("window {n}"), "starts_at": "2026-04-05T02:00:00Z", "ends_at": "2026-04-05T02:30:00Z" }))
        .collect();
    app.put(&path, &app.world.key, &json!({ "maintenance_windows": windows }))
        .send()
        .await
        .ok();
    let plain = app.get(&path, &app.world.key).send().await;
    assert!(plain.header("content-encoding").is_none() && plain.body.len() > 1024);
    let packed = app
        .get(&path, &app.world.key)
        .header("accept-encoding", "gzip")
        .send()
        .await;
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    assert!(packed.body.len() < plain.body.len());
    let unpacked: serde_json::Value =
        serde_json::from_reader(flate2::read::GzDecoder::new(&*packed.body)).unwrap();
    assert_eq!(unpacked, plain.json());
    let small = app
        .get("/health", &app.world.key)
        .header("accept-encoding", "gzip")
        .send()
        .await;
    assert!(small.header("content-encoding").is_none());
}
