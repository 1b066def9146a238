//! Tracked URLs, and the catalogue of profiles.

use std::collections::BTreeMap;

use pharos_account::admin::plans::Plan;
use pharos_domain::{ids::SyntheticUrlId, module::Module, quota::QuotaResource, sealing::SealingKey};
use pharos_synthetic::{
    page::PageSettings,
    secrets::PageSecrets,
    store::{NewPage, SealedSecrets},
};
use serde_json::{Value, json};

use super::{ask, get, schedule, send, track, try_get};
use crate::harness::{TestApp, actor};

#[tokio::test]
async fn profiles_are_the_presets_of_lighthouse() {
    let app = TestApp::start().await;
    let profiles = get(&app, "profiles").await;
    let mobile = &profiles["items"][0];
    assert_eq!(
        [
            &mobile["profile_id"],
            &mobile["viewport_width"],
            &mobile["viewport_height"],
            &mobile["device_scale_factor"],
            &mobile["throttling_method"],
            &mobile["rtt_ms"],
            &mobile["throughput_kbps"],
            &mobile["cpu_slowdown"],
            &mobile["lighthouse_version"],
            &mobile["is_default"],
            &mobile["location"],
        ],
        [
            &json!("mobile"),
            &json!(412),
            &json!(823),
            &json!(1.75),
            &json!("simulate"),
            &json!(150.0),
            &json!(1_638.4),
            &json!(4.0),
            &json!("13.5.0"),
            &json!(true),
            &json!("local"),
        ]
    );
    let desktop = &profiles["items"][1];
    assert_eq!(
        (
            &desktop["viewport_width"],
            &desktop["rtt_ms"],
            &desktop["throughput_kbps"],
            &desktop["cpu_slowdown"]
        ),
        (&json!(1_350), &json!(40.0), &json!(10_240.0), &json!(1.0))
    );
}

#[tokio::test]
async fn a_url_is_tracked_changed_and_let_go() {
    let app = TestApp::start().await;
    try_get(&app, "overview")
        .await
        .problem(404, "synthetic-not-found");
    assert_eq!(get(&app, "urls").await["items"], json!([]));
    let body = json!({ "url": "HTTPS://shop.example/Shoes#top", "label": "Shoes" });
    let made = send(&app, "POST", "urls", &body).await.with_status(201);
    let expected = json!({
        "id": made["id"], "url": "https://shop.example/Shoes", "label": "Shoes", "enabled": true, "profile_ids": ["mobile"],
        "schedule": "daily", "schedule_hour": null, "schedule_weekday": null, "runs_per_test": 1,
        "categories": ["performance", "accessibility", "best_practices", "seo"],
        "basic_auth_configured": false, "cookie_configured": false, "blocked_url_patterns": [],
        "created_at": "2026-03-31T09:15:00Z", "updated_at": "2026-03-31T09:15:00Z", "last_run": null,
    });
    assert_eq!(made, expected);
    let id = made["id"].as_str().unwrap();
    let change = json!({
        "label": null, "profile_ids": ["desktop", "mobile"], "schedule": "weekly", "schedule_weekday": 1, "schedule_hour": 3,
        "runs_per_test": 3, "categories": ["performance"], "blocked_url_patterns": ["*.ads.example/*"],
    });
    let changed = send(&app, "PUT", &format!("urls/{id}"), &change).await.ok();
    assert_eq!(
        (
            &changed["label"],
            &changed["profile_ids"],
            &changed["runs_per_test"],
            &changed["url"]
        ),
        (
            &Value::Null,
            &json!(["desktop", "mobile"]),
            &json!(3),
            &made["url"]
        )
    );
    assert_eq!(get(&app, &format!("urls/{id}")).await, changed);
    // Monday, 6 April 2026, in the hour of 3.
    let next = app
        .sql("SELECT to_char(next_run_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24') FROM synthetic_urls")
        .await;
    assert_eq!(next[0][0].as_deref(), Some("2026-04-06 03"));
    // Another schedule has neither.
    let hourly = send(
        &app,
        "PUT",
        &format!("urls/{id}"),
        &json!({ "schedule": "hourly" }),
    )
    .await
    .ok();
    assert_eq!(
        (&hourly["schedule_hour"], &hourly["schedule_weekday"]),
        (&Value::Null, &Value::Null)
    );
    let gone = app
        .request("DELETE", &super::path(&app, &format!("urls/{id}")))
        .key(&app.world.key)
        .send()
        .await
        .ok();
    assert_eq!(
        (&gone["deleted"], &gone["history_retained"]),
        (&json!(true), &json!(true))
    );
    try_get(&app, &format!("urls/{id}"))
        .await
        .problem(404, "synthetic-url-not-found");
    send(&app, "PUT", &format!("urls/{id}"), &json!({ "enabled": false }))
        .await
        .problem(404, "synthetic-url-not-found");
    ask(&app, id, &json!({}))
        .await
        .problem(404, "synthetic-url-not-found");
    assert_eq!(
        get(&app, "overview").await["items"],
        json!([]),
        "it is configured still"
    );
}

#[tokio::test]
async fn secrets_are_encrypted_and_never_shown() {
    let app = TestApp::start().await;
    let body = json!({
        "url": "https://shop.example/", "basic_auth": { "username": "staging", "password": "hunter2-and-more" },
        "cookie": "session=very-secret-value",
    });
    let made = send(&app, "POST", "urls", &body).await;
    let text = String::from_utf8_lossy(&made.body).into_owned();
    let made = made.with_status(201);
    assert_eq!(
        (&made["basic_auth_configured"], &made["cookie_configured"]),
        (&json!(true), &json!(true))
    );
    assert!(
        !text.contains("hunter2") && !text.contains("very-secret"),
        "{text}"
    );
    let id = made["id"].as_str().unwrap();
    let stored = app
        .sql("SELECT encode(secrets, 'escape'), settings::text FROM synthetic_urls")
        .await;
    for column in &stored[0] {
        let column = column.as_deref().unwrap();
        assert!(
            !column.contains("hunter2") && !column.contains("very-secret") && !column.contains("staging"),
            "{column}"
        );
    }
    let opened = async || {
        let hex = app.sql("SELECT encode(secrets, 'hex') FROM synthetic_urls").await;
        let hex = hex[0][0].clone().unwrap();
        let bytes: Vec<u8> = (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect();
        let key: std::sync::Arc<SealingKey> = app.stores.ports.get().unwrap();
        key.open::<PageSecrets>(id.parse().unwrap(), &bytes).unwrap()
    };
    assert_eq!(
        opened().await.cookie.unwrap().reveal(),
        "session=very-secret-value"
    );
    // One is cleared; the other stays.
    let changed = send(&app, "PUT", &format!("urls/{id}"), &json!({ "cookie": null }))
        .await
        .ok();
    assert_eq!(
        (&changed["basic_auth_configured"], &changed["cookie_configured"]),
        (&json!(true), &json!(false))
    );
    let left = opened().await;
    assert_eq!(
        (left.cookie, left.basic_auth.unwrap().password.reveal()),
        (None, "hunter2-and-more")
    );
    let cleared = send(&app, "PUT", &format!("urls/{id}"), &json!({ "basic_auth": null }))
        .await
        .ok();
    assert_eq!(cleared["basic_auth_configured"], json!(false));
    assert_eq!(app.sql("SELECT secrets FROM synthetic_urls").await[0][0], None);
}

#[tokio::test]
async fn all_faults_of_a_url_are_told_at_once() {
    let app = TestApp::start().await;
    let bad = json!({
        "url": "https://other.example/", "schedule": "hourly", "schedule_hour": 3, "schedule_weekday": 1,
        "basic_auth": { "username": "a", "password": "b\n" }, "cookie": "no pair",
    });
    assert_eq!(
        send(&app, "POST", "urls", &bad).await.faults(),
        [
            "/basic_auth/password",
            "/cookie",
            "/schedule_hour",
            "/schedule_weekday",
            "/url"
        ]
    );
    let unknown = json!({ "url": "https://shop.example/", "profile_ids": ["tablet"], "runs_per_test": 6, "categories": [] });
    assert_eq!(
        send(&app, "POST", "urls", &unknown).await.faults(),
        ["/categories", "/profile_ids/0", "/runs_per_test"]
    );
    for url in [
        "file:///etc/passwd",
        "chrome://settings",
        "https://user:pw@shop.example/",
        "http://127.0.0.1/",
    ] {
        assert_eq!(
            send(&app, "POST", "urls", &json!({ "url": url })).await.faults(),
            ["/url"],
            "{url}"
        );
    }
    let id = track(&app, "shoes").await;
    let bad = json!({ "schedule_hour": 3, "url": "https://shop.example/" });
    assert_eq!(
        send(&app, "PUT", &format!("urls/{id}"), &bad).await.faults(),
        ["/schedule_hour", "/url"]
    );
    let bad = json!({ "schedule_hour": 3, "cookie": "no pair", "basic_auth": { "username": "a:b", "password": "b\n" } });
    assert_eq!(
        send(&app, "PUT", &format!("urls/{id}"), &bad).await.faults(),
        [
            "/basic_auth/password",
            "/basic_auth/username",
            "/cookie",
            "/schedule_hour"
        ]
    );
    let gone = format!("urls/{}", uuid::Uuid::now_v7());
    assert_eq!(
        send(&app, "PUT", &gone, &json!({ "cookie": "no pair" }))
            .await
            .faults(),
        ["/cookie"]
    );
    // A fault that the schema finds hides no other fault.
    let bad = json!({ "schedule": "hourly", "schedule_hour": 3, "basic_auth": { "username": 7, "password": "b\n" } });
    assert_eq!(
        send(&app, "POST", "urls", &bad).await.faults(),
        [
            "/basic_auth/password",
            "/basic_auth/username",
            "/schedule_hour",
            "/url"
        ]
    );
    assert_eq!(
        ask(&app, &id, &json!({ "profile_id": "tablet" })).await.faults(),
        ["/profile_id"]
    );
}

/// A plan with room for one URL and one run.
async fn limited(app: &TestApp) {
    let plan = Plan {
        key: "limited".to_owned(),
        name: "Limited".to_owned(),
        credits_per_cycle: 1_000,
        modules: vec![Module::Synthetic],
        quotas: BTreeMap::from([
            (QuotaResource::TrackedUrlsSynthetic, 1),
            (QuotaResource::SyntheticRuns, 1),
        ]),
    };
    app.stores.plans.put(&plan, &actor(), app.now()).await.unwrap();
    app.stores
        .workspace_admin
        .set_plan(app.world.workspace, "limited", &actor(), app.now())
        .await
        .unwrap();
}

/// The demo's is one.
#[tokio::test]
async fn a_page_that_pharos_itself_tracks_takes_of_the_quota() {
    let app = TestApp::start().await;
    limited(&app).await;
    let page = NewPage {
        id: SyntheticUrlId::generate(),
        settings: PageSettings::of("https://shop.example/a".to_owned()),
        secrets: SealedSecrets::default(),
        next_run_at: None,
    };
    let (domain, workspace) = (app.world.domain, app.world.workspace);
    let adopted = schedule(&app).adopt(domain, workspace, &page, app.now()).await;
    assert!(adopted.unwrap());
    let second = send(&app, "POST", "urls", &json!({ "url": "https://shop.example/b" })).await;
    second.problem(402, "quota-exhausted");
    send(&app, "DELETE", &format!("urls/{}", page.id), &Value::Null)
        .await
        .ok();
    track(&app, "b").await;
}

#[tokio::test]
async fn a_plan_has_so_many_urls_and_runs() {
    let app = TestApp::start().await;
    limited(&app).await;
    let id = track(&app, "a").await;
    let second = send(&app, "POST", "urls", &json!({ "url": "https://shop.example/b" })).await;
    let problem = second.problem(402, "quota-exhausted");
    assert_eq!((&problem["used"], &problem["limit"]), (&json!(1), &json!(1)));
    ask(&app, &id, &json!({})).await.with_status(202);
    let problem = ask(&app, &id, &json!({})).await.problem(402, "quota-exhausted");
    assert_eq!(problem["resets_on"], json!("2026-04-01"));
    app.request("DELETE", &super::path(&app, &format!("urls/{id}")))
        .key(&app.world.key)
        .send()
        .await
        .ok();
    track(&app, "b").await;
}
