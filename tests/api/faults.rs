//! How what is wrong with a request is told: all at once, in plain words, the same ones everywhere.

use pharos_domain::role::Role;
use serde_json::{Value, json};

use crate::harness::{Reply, TestApp};

/// The fault of a member that only answers have.
const READ_ONLY: &str = "read-only: answers show it, and it can't be set; leave it out";

fn config(app: &TestApp) -> String {
    format!("/domains/{}/uptime/config", app.world.domain)
}

async fn put(app: &TestApp, body: impl Into<bytes::Bytes>) -> Reply {
    app.request("PUT", &config(app))
        .key(&app.world.key)
        .body("application/json", body)
        .send()
        .await
}

/// Faults of the query, of the body's shape, of its members' meaning, and those that only the stored settings tell.
#[tokio::test]
async fn all_faults_of_a_request_are_told_at_once() {
    let app = TestApp::start().await;
    let window = |change: &str| {
        format!(
            r#"{{"name":"w","starts_at":"2026-04-05T02:00:00Z","ends_at":"2026-04-05T02:30:00Z",{change}}}"#
        )
    };
    let windows = [
        window(r#""timezone":"Mars","weekdays":["1"]"#),
        r#"{"name":"w","starts_at":"today","ends_at":"2026-04-05T02:30:00Z","timezone":"Venus"}"#.to_owned(),
        r#"{"name":"w","starts_at":"2026-04-05T02:00:00Z","ends_at":"2026-04-05T01:00:00Z"}"#.to_owned(),
        r#"{"recurrence":"yearly"}"#.to_owned(),
        "7".to_owned(),
        window(r#""weekdays":[1]"#),
    ];
    let body = format!(
        r#"{{"colour":"red","has_custom_headers":true,"interval_seconds":"60","timeout_seconds":61,
            "keyword":"a\u0000b","keyword_mode":"absent","method":"PUT","enabled":null,"enabled":true,
            "regions":["mars","local","mars",5],"ssl_warn_days":[1,3651,"2"],"url":"ftp://shop.example/",
            "maintenance_windows":[{}],"request_headers":{{"Host":"a","X A":"b","X-B":"é","X-C":1}}}}"#,
        windows.join(",")
    );
    let refused = app
        .request("PUT", &format!("{}?colour=red", config(&app)))
        .key(&app.world.key)
        .body("application/json", body)
        .send()
        .await;
    let want = [
        "/colour",
        "/enabled",
        "/has_custom_headers",
        "/interval_seconds",
        "/keyword",
        "/maintenance_windows/0/timezone",
        "/maintenance_windows/0/weekdays/0",
        "/maintenance_windows/1/starts_at",
        "/maintenance_windows/1/timezone",
        "/maintenance_windows/2/ends_at",
        "/maintenance_windows/3/ends_at",
        "/maintenance_windows/3/name",
        "/maintenance_windows/3/recurrence",
        "/maintenance_windows/3/starts_at",
        "/maintenance_windows/4",
        "/maintenance_windows/5/weekdays",
        "/method",
        "/regions/0",
        "/regions/2",
        "/regions/3",
        "/request_headers/Host",
        "/request_headers/X A",
        "/request_headers/X-B",
        "/request_headers/X-C",
        "/ssl_warn_days/1",
        "/ssl_warn_days/2",
        "/timeout_seconds",
        "/url",
        "colour",
    ];
    assert_eq!(refused.faults(), want);
    let stored = app.get(&config(&app), &app.world.key).send().await.ok();
    assert_eq!(stored["updated_at"], Value::Null, "nothing was done");
    let run = app
        .request(
            "POST",
            &format!("/domains/{}/uptime/check?colour=red", app.world.domain),
        )
        .key(&app.world.key);
    put(&app, "{}").await.ok();
    let run = run.body("application/json", r#"{"regions":["mars",1],"colour":"red"}"#);
    let want = ["/colour", "/regions/0", "/regions/1", "Idempotency-Key", "colour"];
    assert_eq!(run.send().await.faults(), want);
}

/// A body at fault tells nobody more than one that is in order would.
#[tokio::test]
async fn what_the_store_knows_is_told_to_those_alone_who_may_change_it() {
    let app = TestApp::start().await;
    let body = json!({ "regions": ["mars"], "timeout_seconds": 1 });
    let (member, _) = app.world.key_of(&app.stores, Role::Member, app.now()).await;
    let refused = app.put(&config(&app), &member, &body).send().await;
    assert_eq!(refused.faults(), ["/timeout_seconds"]);
    let refused = app.put(&config(&app), &app.world.key, &body).send().await;
    assert_eq!(refused.faults(), ["/regions/0", "/timeout_seconds"]);
}

#[tokio::test]
async fn faults_are_told_in_plain_words_and_the_same_ones_everywhere() {
    let app = TestApp::start().await;
    let detail = async |reply: Reply| {
        let problem = reply.problem(400, "invalid-request");
        let told = problem["errors"][0]["detail"].as_str().unwrap().to_owned();
        for foreign in [
            "`",
            "expected",
            "invalid type",
            "variant",
            "struct",
            "u32",
            "deserial",
        ] {
            assert!(!told.contains(foreign), "{told}");
        }
        told
    };
    for (body, told) in [
        (json!({ "method": "PUT" }), "not one of GET, HEAD"),
        (json!({ "keyword_mode": "maybe" }), "not one of present, absent"),
        (
            json!({ "interval_seconds": 45 }),
            "not one of 30, 60, 120, 300, 600, 900, 1800, 3600",
        ),
        (json!({ "timeout_seconds": 1 }), "less than 2"),
        (json!({ "timeout_seconds": 61 }), "more than 60"),
        (json!({ "timeout_seconds": "9" }), "not a whole number"),
        (json!({ "timeout_seconds": null }), "not a whole number"),
        (json!({ "timeout_seconds": 9.5 }), "not a whole number"),
        (
            json!({ "degraded_above_ms": true }),
            "neither a whole number nor null",
        ),
        (json!({ "enabled": "yes" }), "neither true nor false"),
        (json!({ "keyword": "" }), "empty"),
        (
            json!({ "keyword": "é".repeat(1_001) }),
            "longer than 1000 characters",
        ),
        (json!({ "maintenance_windows": "none" }), "not a list"),
        (json!({ "maintenance_windows": [{}] }), "missing"),
        (json!({ "colour": 1 }), "unknown member"),
        (json!({ "updated_at": null }), READ_ONLY),
    ] {
        assert_eq!(detail(put(&app, body.to_string()).await).await, told, "{body}");
    }
    for (query, told) in [
        (
            "checks?outcome=fine",
            "not one of up, down, degraded, maintenance, blocked",
        ),
        ("incidents?status=shut", "not one of open, resolved"),
        ("availability?granularity=year", "not one of hour, day, week"),
        (
            "availability?compare_mode=year",
            "not one of previous_period, calendar_month",
        ),
        (
            "availability?period=today",
            "not one of last_7_days, last_30_days, last_90_days, this_week, last_week, this_month, last_month",
        ),
        ("availability?compare_previous=1", "neither true nor false"),
        (
            "checks?run_id=1",
            "not a hyphenated UUID, such as 0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11",
        ),
    ] {
        let path = format!("/domains/{}/uptime/{query}", app.world.domain);
        assert_eq!(
            detail(app.get(&path, &app.world.key).send().await).await,
            told,
            "{query}"
        );
    }
    let modules = app.get("/domains?include_modules=1", &app.world.key).send().await;
    assert_eq!(detail(modules).await, "neither true nor false");
}

/// Whoever changes something reads it, changes a member, and sends all of it back.
#[tokio::test]
async fn members_that_only_answers_have_are_read_only_wherever_they_are() {
    let app = TestApp::start().await;
    let path = |rest: &str| format!("/domains/{}/{rest}", app.world.domain);
    let url = json!({ "url": "https://shop.example/", "user_agent": "Googlebot", "expectation": "allowed" });
    let budget = json!({ "metric": "lcp_ms", "limit": 2_500 });
    for (rest, item, members) in [
        (
            "robots/test-urls",
            url,
            [
                "id",
                "last_evaluated_at",
                "last_result",
                "matched_rule",
                "passing",
            ],
        ),
        (
            "synthetic/budgets",
            budget,
            ["id", "last_result", "last_run_id", "last_value", "scope"],
        ),
    ] {
        let wanted = json!({ "items": [item] });
        let put = async |body: &Value| app.put(&path(rest), &app.world.key, body).send().await;
        let answer = put(&wanted).await.ok();
        let back = json!({ "items": answer["items"] });
        let refused = put(&back).await;
        assert_eq!(refused.faults(), members.map(|name| format!("/items/0/{name}")));
        for fault in refused.json()["errors"].as_array().unwrap() {
            assert_eq!(fault["detail"], READ_ONLY, "{fault}");
        }
    }
    // Where null may stand instead; and what no answer has is unknown there, too.
    let schedule = json!({
        "frequency": "monthly", "day_of_month": 1, "hour": 8, "timezone": "Europe/Berlin",
        "recipients_count": 1, "id": 1,
    });
    let made = app.request("POST", &path("reports/templates"));
    let made = made.key(&app.world.key).json(&json!({ "name": "Full" }));
    let template = made.send().await.with_status(201);
    let template = path(&format!("reports/templates/{}", template["id"].as_str().unwrap()));
    let body = json!({ "schedule": schedule });
    let refused = app.put(&template, &app.world.key, &body).send().await;
    assert_eq!(refused.faults(), ["/schedule/id", "/schedule/recipients_count"]);
    let problem = refused.json();
    for fault in problem["errors"].as_array().unwrap() {
        let is_shown = fault["pointer"] == "/schedule/recipients_count";
        let told = if is_shown { READ_ONLY } else { "unknown member" };
        assert_eq!(fault["detail"], told, "{fault}");
    }
}

/// A thing that is not there is told in one way, whatever it is.
#[tokio::test]
async fn what_is_out_of_reach_is_told_alike() {
    let app = TestApp::start().await;
    put(&app, "{}").await.ok();
    let id = "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11";
    for (path, suffix, what) in [
        (format!("/domains/{id}"), "domain-not-found", "domain"),
        (format!("/workspaces/{id}"), "workspace-not-found", "workspace"),
        (
            format!("/domains?workspace_id={id}"),
            "workspace-not-found",
            "workspace",
        ),
        (
            format!("/credits?workspace_id={id}"),
            "workspace-not-found",
            "workspace",
        ),
        (
            format!("/domains/{}/uptime/incidents/{id}", app.world.domain),
            "incident-not-found",
            "incident",
        ),
    ] {
        let problem = app.get(&path, &app.world.key).send().await.problem(404, suffix);
        assert_eq!(
            problem["detail"],
            format!("There is no {what} {id} in your reach.")
        );
    }
}

#[tokio::test]
async fn a_body_full_of_faults_gets_an_answer_of_its_size() {
    let app = TestApp::start().await;
    let members: Vec<String> = (0..20_000).map(|at| format!(r#""m{at}":1"#)).collect();
    let refused = put(&app, format!("{{{}}}", members.join(","))).await;
    let problem = refused.problem(400, "invalid-request");
    assert_eq!(problem["errors"].as_array().unwrap().len(), 1_000);
    assert_eq!(
        problem["detail"],
        "The request has 20000 faults; errors lists the first 1000."
    );
}

#[tokio::test]
async fn a_member_in_the_wrong_place_is_not_told_that_it_cannot_be_set() {
    let app = TestApp::start().await;
    let path = format!("/domains/{}/gsc/reports/query_page_matrix/runs", app.world.domain);
    let refused = app
        .request("POST", &path)
        .key(&app.world.key)
        .header("idempotency-key", "misplaced")
        .json(&json!({ "start_date": "2026-03-01", "total_rows": 1 }))
        .send()
        .await;
    assert_eq!(refused.faults(), ["/start_date", "/total_rows"]);
    let problem = refused.json();
    assert_eq!(problem["errors"][0]["detail"], "unknown member");
    assert_eq!(problem["errors"][1]["detail"], READ_ONLY);
}
