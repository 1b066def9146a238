//! Notifications that come from elsewhere than alert rules, by the API.

use std::process::Output;

use serde_json::{Value, json};

use super::get;
use crate::{
    admin::{done, pharos, refused},
    harness::TestApp,
};

async fn told(app: &TestApp, kind: &str) -> Vec<Value> {
    let page = get(app, &format!("/notifications?type={kind}")).await;
    page["items"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_announcement_is_read_by_the_people_of_the_workspaces_that_it_is_for() {
    let app = TestApp::start().await;
    let announce = |arguments: &[&str]| -> Output {
        let all = [
            &[
                "announce",
                "--title",
                "A pause",
                "--body",
                "On Sunday.\nFor an hour.",
            ],
            arguments,
        ]
        .concat();
        pharos(&app, &all)
    };
    let user = ["user", "create", "--email", "eve@example.org", "--name", "Eve"];
    done(&pharos(&app, &user));
    let other = [
        "workspace",
        "create",
        "--name",
        "Eve Ltd",
        "--owner",
        "eve@example.org",
    ];
    let other = done(&pharos(&app, &other))["id"].as_str().unwrap().to_owned();
    assert_eq!(
        done(&announce(&["--workspace", &other])),
        json!({ "workspaces_told": 1 })
    );
    assert_eq!(
        told(&app, "announcement").await,
        Vec::<Value>::new(),
        "it is for others"
    );
    assert_eq!(
        done(&announce(&["--severity", "warning"])),
        json!({ "workspaces_told": 2 })
    );
    let told = told(&app, "announcement").await;
    let [told] = told.as_slice() else {
        panic!("{told:?}");
    };
    for (member, value) in [
        ("title", json!("A pause")),
        ("body", json!("On Sunday.\nFor an hour.")),
        ("severity", json!("warning")),
        ("workspace_id", json!(app.world.workspace)),
        ("domain_id", Value::Null),
        ("module", Value::Null),
        ("data", json!({})),
        ("alert_id", Value::Null),
        ("resource_path", Value::Null),
    ] {
        assert_eq!(told[member], value, "{member}");
    }

    refused(
        &announce(&["--workspace", "01900000-0000-7000-8000-0000000000ff"]),
        "there is no such workspace",
    );
    refused(&announce(&["--severity", "bad"]), "critical");
    let audit = app
        .sql("SELECT details->>'title' FROM audit_log WHERE action = 'announcement.send'")
        .await;
    assert_eq!(audit.len(), 2, "{audit:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_not_be_announced_is_refused_in_a_sentence() {
    let app = TestApp::start().await;
    let (long_title, long_body) = ("x".repeat(201), "x".repeat(5_001));
    for (title, body, words) in [
        ("", "b", "title of an announcement has 1 to 200 characters"),
        (
            &*long_title,
            "b",
            "title of an announcement has 1 to 200 characters",
        ),
        ("a\nb", "b", "title of an announcement has 1 to 200 characters"),
        ("a", " ", "body of an announcement has 1 to 5000 characters"),
        (
            "a",
            &*long_body,
            "body of an announcement has 1 to 5000 characters",
        ),
        ("a", "b\u{7}", "body of an announcement has 1 to 5000 characters"),
    ] {
        refused(
            &pharos(&app, &["announce", "--title", title, "--body", body]),
            words,
        );
    }
    assert_eq!(told(&app, "announcement").await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_plan_and_credits_that_run_out_are_read_as_notifications() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    done(&pharos(
        &app,
        &["plan", "put", "small", "--name", "Small", "--credits", "10"],
    ));
    done(&pharos(&app, &["workspace", "set-plan", &workspace, "small"]));
    assert_eq!(told(&app, "subscription").await.len(), 1);
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    // The list above has cost 1, too.
    for _ in 0..7 {
        get(&app, &config).await;
    }
    // The answer's figures were read before the request was charged.
    assert_eq!(get(&app, "/credits").await["used"], 8);
    let told = told(&app, "quota_warning").await;
    let [told] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert_eq!(told["title"], "80 % of this cycle's credits are used");
    assert_eq!(
        (&told["data"]["used"], &told["data"]["limit"]),
        (&json!(8), &json!(10))
    );
    let balance = get(&app, told["resource_path"].as_str().unwrap()).await;
    assert_eq!(balance["workspace_id"], json!(app.world.workspace));
}
