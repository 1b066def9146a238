//! The changes of an operator, through the real binary.

use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::{
    doctor::{findings, only},
    harness::{TestApp, binary},
    jobs::connect,
};

pub(crate) fn pharos(app: &TestApp, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command
        .env("PHAROS_DATABASE_URL", app.database.url())
        .args(["admin", "--json"])
        .args(arguments);
    command.output().unwrap()
}

#[track_caller]
pub(crate) fn done(output: &Output) -> Value {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
pub(crate) fn refused(output: &Output, words: &str) {
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains(words), "{error}");
}

/// The functions that a newer node has applied stay when a command of this program runs; the doctor names them.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_puts_no_function_of_a_newer_node_back() {
    let app = TestApp::start().await;
    let newer = "UPDATE schema_functions SET digest = sha256('newer') WHERE name = 'day_before'";
    app.sql(newer).await;
    done(&pharos(&app, &["plan", "list"]));
    let doctor = Command::new(binary())
        .args(["doctor", "--json"])
        .env("PHAROS_DATABASE_URL", app.database.url())
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&doctor.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let functions = findings
        .iter()
        .find(|finding| finding["what"] == "functions")
        .unwrap();
    assert_eq!(functions["well"], true);
    let detail = functions["detail"].as_str().unwrap();
    assert!(detail.starts_with("day_before"), "{detail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_builds_everything_that_a_call_needs() {
    let app = TestApp::start().await;
    let run = |arguments: &[&str]| done(&pharos(&app, arguments));
    run(&["user", "create", "--email", "Ada@Example.org", "--name", "Ada"]);
    let workspace = run(&[
        "workspace",
        "create",
        "--name",
        "Ada Ltd",
        "--owner",
        "ada@example.org",
    ]);
    let workspace = workspace["id"].as_str().unwrap();
    let domain = run(&["domain", "add", workspace, "Bücher.example"]);
    assert_eq!(domain["domain"], "xn--bcher-kva.example");
    let create = [
        "key",
        "create",
        workspace,
        "--creator",
        "ada@example.org",
        "--name",
        "CI",
        "--tier",
        "read,configure",
    ];
    let key = run(&create);
    let secret = key["secret"].as_str().unwrap();
    let bearer = format!("Bearer {secret}");
    let domains = app
        .request("GET", "/domains")
        .header("authorization", &bearer)
        .send()
        .await
        .ok();
    assert_eq!(domains["items"][0]["id"], domain["id"]);
    assert_eq!(domains["items"][0]["verified"], false);
    let verified = run(&["domain", "verify", domain["id"].as_str().unwrap()]);
    assert_eq!(verified["id"], domain["id"]);
    let noted = app
        .sql("SELECT details ->> 'method' FROM audit_log WHERE action = 'domain.verify'")
        .await;
    assert_eq!(noted, [[Some("operator".to_owned())]]);

    let listed = run(&["key", "list", workspace]);
    assert!(!listed.to_string().contains(secret), "a secret is printed once");
    assert_eq!(listed[0]["prefix"], &secret[..16]);
    let rotated = run(&["key", "rotate", key["id"].as_str().unwrap(), "--grace", "1h"]);
    assert_ne!(rotated["secret"], key["secret"]);
    app.request("GET", "/me")
        .header("authorization", &bearer)
        .send()
        .await
        .ok();
    run(&["key", "revoke", key["id"].as_str().unwrap()]);
    app.request("GET", "/me")
        .header("authorization", &bearer)
        .send()
        .await
        .problem(401, "invalid-credential");
    let id = domain["id"].as_str().unwrap();
    let intervals = run(&["domain", "intervals", id]);
    assert_eq!(intervals, json!({ "robots": "1h", "sitemaps": "6h" }));
    let intervals = run(&["domain", "intervals", id, "--robots", "15m"]);
    assert_eq!(intervals, json!({ "robots": "15m", "sitemaps": "6h" }));
    run(&["domain", "delete", id]);
    run(&["switch", "on", "read-only-mode"]);
    assert_eq!(
        app.get("/health", &app.world.key).send().await.ok()["mode"],
        "read_only"
    );
    run(&["switch", "off", "read-only-mode"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_can_t_be_done_says_why() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    refused(
        &pharos(
            &app,
            &[
                "workspace",
                "create",
                "--name",
                "x",
                "--owner",
                "nobody@example.org",
            ],
        ),
        "there is no user",
    );
    refused(
        &pharos(&app, &["user", "create", "--email", "nonsense", "--name", "x"]),
        "is not an e-mail address",
    );
    refused(
        &pharos(&app, &["domain", "add", &workspace, "http://shop.example"]),
        "not a domain name",
    );
    refused(
        &pharos(&app, &["domain", "add", &workspace, "shop.example"]),
        "already",
    );
    let domain = app.world.domain.to_string();
    refused(
        &pharos(&app, &["domain", "intervals", &domain, "--sitemaps", "15m"]),
        "it is one of 1h, 6h, 1d, 7d",
    );
    refused(
        &pharos(&app, &["domain", "intervals", &workspace]),
        "there is no domain",
    );
    refused(
        &pharos(&app, &["key", "revoke", "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11"]),
        "no such key",
    );
    refused(
        &pharos(&app, &["workspace", "set-plan", &workspace, "gold"]),
        "no such plan",
    );
    refused(
        &pharos(&app, &["switch", "on", "everything"]),
        "api-disabled, read-only-mode",
    );
    let members = done(&pharos(&app, &["member", "list", &workspace]));
    let owner = members[0]["email"].as_str().unwrap();
    refused(
        &pharos(&app, &["member", "remove", &workspace, owner]),
        "without an owner",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_changes_signing_keys_and_looks_after_apps() {
    let app = TestApp::start().await;
    let client = crate::oauth::Client::register(&app).await;
    let tokens = client.tokens().await;
    let run = |arguments: &[&str]| done(&pharos(&app, arguments));
    let first = run(&["jwk", "list"]);
    let next = run(&["jwk", "rotate"]);
    let listed = run(&["jwk", "list"]);
    assert_eq!(listed.as_array().unwrap().len(), 2);
    assert_eq!(listed[0], first[0]);
    assert_eq!(listed[1], next);
    crate::oauth::call(&app, "/me", &tokens.access).await.ok();
    run(&["jwk", "rotate", "--at-once"]);
    assert_eq!(run(&["jwk", "list"]).as_array().unwrap().len(), 1);
    let refusal = crate::oauth::call(&app, "/me", &tokens.access).await;
    refusal.problem(401, "invalid-credential");

    let verified = run(&["client", "verify", &client.id]);
    assert_eq!(verified["verified"], true);
    let email = app
        .sql("SELECT email FROM users ORDER BY created_at LIMIT 1")
        .await;
    let email = email[0][0].as_deref().unwrap();
    let grants = run(&["grant", "list", email]);
    let [grant] = &grants.as_array().unwrap()[..] else {
        panic!("one grant");
    };
    assert_eq!(grant["verified"], true);
    assert_eq!(
        (&grant["client_id"], &grant["tiers"]),
        (&json!(client.id), &json!(["read"]))
    );
    let id = grant["grant_id"].as_str().unwrap();
    run(&["grant", "revoke", email, id]);
    refused(&pharos(&app, &["grant", "revoke", email, id]), "has no grant");
    assert_eq!(run(&["grant", "list", email]).as_array().unwrap().len(), 0);
    refused(&pharos(&app, &["client", "verify", id]), "there is no client");
}

/// The keys of channels and of accounts at Google. Each command is a node of its own.
#[tokio::test(flavor = "multi_thread")]
async fn an_operator_rotates_the_keys_that_seal_secrets() {
    let app = TestApp::start().await;
    let run = |arguments: &[&str]| done(&pharos(&app, arguments));
    let environment = [("PHAROS_DATABASE_URL", app.database.url())];
    let told = || only(findings(&environment, "sealed secrets"));
    let workspace = app.world.workspace.to_string();
    let channel = |name: &str| {
        let url = "https://hooks.slack.example/services/in_path";
        run(&[
            "channel", "create", &workspace, "--name", name, "slack", "--url", url,
        ])
    };
    channel("First");
    let made = run(&["sealing", "rotate"]);
    let listed = run(&["sealing", "list"]);
    for table in ["alert_channels", "search_accounts"] {
        let of = |keys: &Value| -> Vec<Value> {
            let keys = keys.as_array().unwrap().iter();
            keys.filter(|key| key["table"] == table).cloned().collect()
        };
        let (made, listed) = (of(&made), of(&listed));
        assert_eq!((made.len(), listed.len()), (1, 2), "{listed:?}");
        assert_eq!(
            (&listed[0]["id"], &listed[0]["state"], &listed[0]["seals_from"]),
            (&Value::Null, &json!("sealing"), &Value::Null)
        );
        assert_eq!((&listed[1], &made[0]["state"]), (&made[0], &json!("next")));
    }
    let trail = app
        .sql("SELECT details->>'table' FROM audit_log WHERE action = 'sealing_key.rotate' ORDER BY 1")
        .await;
    let tables: Vec<&str> = trail.iter().map(|row| row[0].as_deref().unwrap()).collect();
    assert_eq!(tables, ["alert_channels", "search_accounts"]);
    assert_eq!(told(), (true, "no row is sealed by an older key".to_owned()));

    let took_over = async |hours: u8| {
        app.sql(&format!(
            "UPDATE sealing_keys SET seals_from = now() - interval '{hours} hours'"
        ))
        .await;
    };
    took_over(1).await;
    channel("Second");
    let forms = "SELECT get_byte(secrets, 0)::text FROM alert_channels ORDER BY name";
    let forms = async || -> Vec<String> {
        let rows = app.sql(forms).await;
        rows.into_iter().map(|row| row[0].clone().unwrap()).collect()
    };
    assert_eq!(forms().await, ["1", "2"]);
    let all = run(&["channel", "list", &workspace]);
    assert_eq!(all.as_array().unwrap().len(), 2, "{all}");
    let (is_well, recent) = told();
    assert!(is_well && recent.contains("(1 of alert_channels)"), "{recent}");
    took_over(4).await;
    let (is_well, late) = told();
    assert!(
        !is_well && late.contains("(1 of alert_channels) though the next took over hours ago"),
        "{late}"
    );

    let database = connect(app.database.url()).await;
    database.maintain(app.now()).await.unwrap();
    assert_eq!(forms().await, ["2", "2"]);
    assert_eq!(told(), (true, "no row is sealed by an older key".to_owned()));
    assert_eq!(run(&["sealing", "list"]).as_array().unwrap().len(), 4);
    took_over(25).await;
    database.maintain(app.now()).await.unwrap();
    let left = run(&["sealing", "list"]);
    let left: Vec<&Value> = left.as_array().unwrap().iter().map(|key| &key["state"]).collect();
    assert_eq!(left, ["sealing", "sealing"]);
    assert_eq!(run(&["channel", "list", &workspace]), all);
}

/// An app that was deleted has nothing left, and learns so on its next call.
#[tokio::test(flavor = "multi_thread")]
async fn an_operator_deletes_an_app_with_all_that_users_granted_to_it() {
    let app = TestApp::start().await;
    let client = crate::oauth::Client::register(&app).await;
    let other = crate::oauth::Client::register(&app).await;
    let (tokens, others) = (client.tokens().await, other.tokens().await);
    let run = |arguments: &[&str]| done(&pharos(&app, arguments));
    let listed = run(&["client", "list"]);
    let ids: Vec<&Value> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["client_id"])
        .collect();
    assert_eq!(ids, [&json!(other.id), &json!(client.id)]);
    let found = &listed[1];
    assert_eq!(
        (&found["name"], &found["grants"], &found["auth_method"]),
        (&json!("Site report"), &json!(1), &json!("none"))
    );
    let earlier = run(&["client", "list", "--before", &other.id]);
    assert_eq!(earlier, json!([found]));
    crate::oauth::call(&app, "/me", &tokens.access).await.ok();

    let deleted = run(&["client", "delete", &client.id]);
    assert_eq!(deleted["grants_ended"], 1);
    let refusal = crate::oauth::call(&app, "/me", &tokens.access).await;
    refusal.problem(401, "invalid-credential");
    crate::oauth::call(&app, "/me", &others.access).await.ok();
    let left = run(&["client", "list"]);
    assert_eq!(left.as_array().unwrap().len(), 1);
    assert_eq!(left[0]["client_id"], other.id);
    let codes = "SELECT count(*) FROM oauth_codes";
    assert_eq!(app.sql(codes).await[0][0].as_deref(), Some("1"));
    let trail = run(&["audit", "--action", "client.delete"]);
    assert_eq!(trail[0]["subject_id"], client.id);
    assert_eq!(trail[0]["details"], json!({ "name": "Site report", "grants": 1 }));
    refused(
        &pharos(&app, &["client", "delete", &client.id]),
        "there is no client",
    );
}
