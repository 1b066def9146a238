//! Pages that are followed.

use std::collections::BTreeMap;

use pharos_account::admin::plans::Plan;
use pharos_domain::{module::Module, quota::QuotaResource};
use serde_json::{Value, json};

use super::{collected, follows, get, path, try_get, watch};
use crate::harness::{Reply, TestApp, actor};

async fn follow(app: &TestApp, body: &Value) -> Reply {
    app.request("POST", &path(app, "urls"))
        .key(&app.world.key)
        .json(body)
        .send()
        .await
}

async fn remove(app: &TestApp, id: &str) -> Reply {
    app.request("DELETE", &path(app, &format!("urls/{id}")))
        .key(&app.world.key)
        .send()
        .await
}

#[tokio::test]
async fn a_page_is_followed_from_its_first_record_to_its_end() {
    let app = TestApp::start().await;
    let report = collected(&app, &["https://shop.example"]).await;
    let made = follow(
        &app,
        &json!({ "url": "HTTPS://shop.example/Blue#top", "label": "Blue" }),
    )
    .await
    .with_status(201);
    assert_eq!(
        (
            &made["url"],
            &made["status"],
            &made["mobile"],
            &made["last_record_end"]
        ),
        (
            &json!("https://shop.example/Blue"),
            &json!("no_data"),
            &Value::Null,
            &Value::Null
        )
    );
    report.knows("https://shop.example/Blue");
    report.asked();
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let asked = report.asked();
    // The record of each form factor, and where there are figures the history of each.
    assert_eq!(asked.len(), 8, "{asked:?}");
    let page = get(&app, &format!("urls/{}", made["id"].as_str().unwrap())).await;
    assert_eq!(
        (&page["status"], &page["mobile"]["lcp_ms"], &page["form_factors"]),
        (
            &json!("active"),
            &json!(2_900.0),
            &json!(["all", "mobile", "desktop"])
        )
    );
    assert_eq!(
        (&page["mobile"]["fcp_ms"], &page["mobile"]["ttfb_ms"]),
        (&json!(1_400.0), &Value::Null)
    );
    assert!(page["record"]["metrics"].get("ttfb").is_none(), "{page}");
    assert_eq!(
        (&page["last_record_end"], &page["first_seen_data_at"]),
        (&json!("2026-03-29"), &json!("2025-06-28"))
    );
    assert_eq!(page["record"]["key"]["url"], "https://shop.example/Blue");
    let found = get(&app, "record?scope=url&url=https://shop.example/Blue").await;
    assert_eq!(found["key"]["scope"], "url");
    let id = made["id"].as_str().unwrap();
    assert_eq!(
        get(&app, &format!("urls/{id}/history?periods=2")).await["period_count"],
        2
    );
    let listed = get(&app, "urls").await;
    assert_eq!(
        (&listed["items"][0]["id"], &listed["has_more"]),
        (&made["id"], &json!(false))
    );
    report.forgets("https://shop.example/Blue");
    app.sql("UPDATE crux_targets SET next_collection_at = '2026-03-01' WHERE url IS NOT NULL")
        .await;
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let page = get(&app, &format!("urls/{id}")).await;
    assert_eq!(
        (&page["status"], &page["mobile"], &page["form_factors"]),
        (&json!("no_data"), &Value::Null, &json!([]))
    );
    assert_eq!(
        (&page["last_record_end"], &page["record"]["eligible"]),
        (&json!("2026-03-29"), &json!(false))
    );
    let gone = remove(&app, id).await.ok();
    assert_eq!(
        (&gone["id"], &gone["deleted"], &gone["history_retained"]),
        (&made["id"], &json!(true), &json!(false))
    );
    try_get(&app, &format!("urls/{id}"))
        .await
        .problem(404, "crux-url-not-found");
    remove(&app, id).await.problem(404, "crux-url-not-found");
    assert_eq!(get(&app, "urls").await["items"], json!([]));
}

#[tokio::test]
async fn a_page_that_the_report_knows_by_another_address_says_by_which() {
    let app = TestApp::start().await;
    let report = collected(&app, &["https://shop.example"]).await;
    let followed = "https://shop.example/blue?utm_source=x";
    let made = follow(&app, &json!({ "url": followed })).await.with_status(201);
    report.knows("https://shop.example/blue");
    report.normalizes(followed, "https://shop.example/blue");
    assert_eq!(watch(&app, &report).round().await.unwrap(), 1);
    let page = get(&app, &format!("urls/{}", made["id"].as_str().unwrap())).await;
    assert_eq!(
        (&page["url"], &page["status"], &page["record"]["url_normalized"]),
        (
            &json!(followed),
            &json!("active"),
            &json!("https://shop.example/blue")
        )
    );
    let read = "record?scope=url&url=https://shop.example/blue%3Futm_source%3Dx";
    let record = get(&app, read).await;
    assert_eq!(
        (&record["key"]["url"], &record["url_normalized"]),
        (&json!(followed), &json!("https://shop.example/blue"))
    );
    let origin = get(&app, "record").await;
    assert_eq!(origin["url_normalized"], Value::Null, "it is as it was asked for");
}

#[tokio::test]
async fn all_faults_of_a_page_are_told_at_once() {
    let app = TestApp::start().await;
    collected(&app, &[]).await;
    let problem = follow(&app, &json!({ "url": "https://other.example/", "label": " " }))
        .await
        .problem(400, "invalid-request");
    let pointers: Vec<&str> = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| error["pointer"].as_str().unwrap())
        .collect();
    assert_eq!(pointers, ["/url", "/label"]);
    let first = follow(&app, &json!({ "url": "https://shop.example/a" }))
        .await
        .with_status(201);
    let again = follow(&app, &json!({ "url": "https://shop.example/a#b" }))
        .await
        .with_status(201);
    assert_eq!(again, first, "it is followed already");
}

#[tokio::test]
async fn a_plan_has_so_many_pages() {
    let app = TestApp::start().await;
    collected(&app, &[]).await;
    let plan = Plan {
        key: "limited".to_owned(),
        name: "Limited".to_owned(),
        credits_per_cycle: 1_000,
        modules: vec![Module::Crux],
        quotas: BTreeMap::from([(QuotaResource::TrackedUrlsCrux, 1)]),
    };
    app.stores.plans.put(&plan, &actor(), app.now()).await.unwrap();
    let workspaces = &app.stores.workspace_admin;
    workspaces
        .set_plan(app.world.workspace, "limited", &actor(), app.now())
        .await
        .unwrap();
    let first = follow(&app, &json!({ "url": "https://shop.example/a" }))
        .await
        .with_status(201);
    let problem = follow(&app, &json!({ "url": "https://shop.example/b" }))
        .await
        .problem(402, "quota-exhausted");
    assert_eq!((&problem["used"], &problem["limit"]), (&json!(1), &json!(1)));
    remove(&app, first["id"].as_str().unwrap()).await.ok();
    follow(&app, &json!({ "url": "https://shop.example/b" }))
        .await
        .with_status(201);
}

/// Nodes are upgraded one by one: one of the next version may have stored a status and a metric that this one does not know.
#[tokio::test]
async fn what_a_later_version_stored_of_a_page_keeps_no_other_off_the_list() {
    let app = TestApp::start().await;
    let pages = ["https://shop.example/blue", "https://shop.example/red"];
    follows(&app, &pages).await;
    app.sql("ALTER TABLE crux_targets DROP CONSTRAINT crux_targets_status_check")
        .await;
    app.sql("UPDATE crux_targets SET status = 'of_tomorrow' WHERE url = 'https://shop.example/red'")
        .await;
    app.sql(
        r#"UPDATE crux_figures SET figures = jsonb_set(figures, '{metrics,of_tomorrow}', '{"p75": 1, "histogram": []}')"#,
    )
    .await;
    let listed = get(&app, "urls").await;
    let items = listed["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["url"]), (1, &json!(pages[0])));
    assert_eq!(items[0]["mobile"]["lcp_ms"], 2_900.0);
    let id = items[0]["id"].as_str().unwrap();
    assert_eq!(
        get(&app, &format!("urls/{id}/history?periods=2")).await["period_count"],
        2
    );
    let noted = app.sql("SELECT DISTINCT kind FROM set_aside").await;
    assert_eq!(noted, [[Some("field_data".to_owned())]]);
}
