//! `pharos admin channel`: what it refuses, and what it never shows.

use serde_json::json;

use super::*;
use crate::alerting::fixtures::channels;

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_creates_lists_switches_and_deletes_channels() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let domain = app.world.domain.to_string();
    let slack = create(
        &app,
        "Ops",
        &[
            "--domain",
            &domain,
            "--min-severity",
            "critical",
            "--module",
            "uptime",
            "--quiet-hours",
            "22:00-07:00 Europe/Berlin",
            "slack",
            "--url",
            "https://hooks.slack.example/services/hidden",
        ],
    );
    for (name, value) in [
        ("kind", "slack"),
        ("target", "hooks.slack.example"),
        ("min_severity", "critical"),
        ("quiet_hours", "22:00-07:00 Europe/Berlin"),
        ("domain_id", domain.as_str()),
        ("domain", "shop.example"),
    ] {
        assert_eq!(slack[name], value, "{slack}");
    }
    let id = slack["id"].as_str().unwrap();
    let off = channel(&app, &["off", id, "--reason", "it is too loud"]).unwrap();
    assert_eq!(off["off_reason"], "it is too loud");
    let on = channel(&app, &["on", id]).unwrap();
    assert_eq!(on["off_reason"], Value::Null);
    let refused = channel(&app, &["rotate-secret", id]).unwrap_err();
    assert!(
        refused.contains("only a webhook has a secret to rotate"),
        "{refused}"
    );

    let made = webhook(&app, "Webhook", 9);
    let secret = made["signing_secret"].as_str().unwrap();
    let listed = channel(&app, &["list", &workspace]).unwrap().to_string();
    for hidden in [secret, "hidden"] {
        assert!(!listed.contains(hidden), "{listed}");
    }
    let audit = app
        .sql("SELECT action, details::text FROM audit_log WHERE action LIKE 'channel.%' ORDER BY at")
        .await;
    let actions: Vec<&str> = audit.iter().map(|row| row[0].as_deref().unwrap()).collect();
    assert_eq!(
        actions,
        [
            "channel.create",
            "channel.switch_off",
            "channel.switch_on",
            "channel.create"
        ]
    );
    assert!(!format!("{audit:?}").contains("hidden"), "{audit:?}");

    channel(&app, &["delete", id]).unwrap();
    let refused = channel(&app, &["delete", id]).unwrap_err();
    assert!(refused.contains("there is no such channel"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_edits_what_a_channel_delivers_and_what_is_not_named_stays() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let domain = app.world.domain.to_string();
    let made = create(
        &app,
        "Ops",
        &["slack", "--url", "https://hooks.slack.example/services/hidden"],
    );
    let id = made["id"].as_str().unwrap();
    assert_eq!(
        (&made["domain_id"], &made["domain"]),
        (&Value::Null, &Value::Null)
    );
    let edit = |arguments: &[&str]| channel(&app, &[&["edit", id], arguments].concat());
    let narrow = [
        "--domain",
        &*domain,
        "--module",
        "uptime",
        "--module",
        "robots",
        "--quiet-hours",
        "22:00-07:00 Europe/Berlin",
    ];
    edit(&narrow).unwrap();
    let listed = channel(&app, &["list", &workspace]).unwrap();
    let mut narrowed = listed[0].clone();
    for (name, value) in [
        ("name", json!("Ops")),
        ("target", json!("hooks.slack.example")),
        ("min_severity", json!("warning")),
        ("domain_id", json!(domain)),
        ("domain", json!("shop.example")),
        ("modules", json!(["uptime", "robots"])),
        ("quiet_hours", json!("22:00-07:00 Europe/Berlin")),
    ] {
        assert_eq!(narrowed[name], value, "{name}");
    }
    let renamed = edit(&["--name", "On call", "--min-severity", "critical"]).unwrap();
    narrowed["name"] = json!("On call");
    narrowed["min_severity"] = json!("critical");
    assert_eq!(renamed, narrowed, "what was not named stays");
    assert_eq!(
        channels(&app).await[0].settings.target.value("url"),
        "https://hooks.slack.example/services/hidden"
    );
    let nobody = "01900000-0000-7000-8000-0000000000ff";
    for (arguments, want) in [
        (&["--domain", nobody][..], "no such domain"),
        (&["--domain", &*domain, "--all-domains"], "cannot be used with"),
        (&["--name", ""], "1 to 100 characters"),
    ] {
        let refused = edit(arguments).unwrap_err();
        assert!(refused.contains(want), "{arguments:?}: {refused}");
    }
    let wide = edit(&["--all-domains", "--all-modules", "--no-quiet-hours"]).unwrap();
    for (name, value) in [
        ("domain_id", Value::Null),
        ("domain", Value::Null),
        ("modules", json!([])),
        ("quiet_hours", Value::Null),
        ("name", json!("On call")),
    ] {
        assert_eq!(wide[name], value, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_not_be_a_channel_is_refused_by_name() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let nobody = "01900000-0000-7000-8000-0000000000ff";
    let long = "x".repeat(101);
    for (owner, name, arguments, want) in [
        (&*workspace, "A", &["email", "--to", "nobody"][..], "mail address"),
        (
            &*workspace,
            "",
            &["email", "--to", "a@shop.example"],
            "1 to 100 characters",
        ),
        (
            &*workspace,
            &*long,
            &["email", "--to", "a@shop.example"],
            "1 to 100 characters",
        ),
        (
            &*workspace,
            "a\nb",
            &["email", "--to", "a@shop.example"],
            "none of them hidden",
        ),
        (
            &*workspace,
            "A",
            &["webhook", "--url", "ftp://shop.example"],
            "https:// or http://",
        ),
        (
            &*workspace,
            "A",
            &["ntfy", "--url", "https://ntfy.example"],
            "ends with its name",
        ),
        (
            &*workspace,
            "A",
            &["telegram", "--bot-token", "x", "--chat-id", "1"],
            "BotFather",
        ),
        (
            &*workspace,
            "A",
            &["--quiet-hours", "22-7", "slack", "--url", "https://a.example"],
            "22:00-07:00",
        ),
        (
            &*workspace,
            "A",
            &["--min-severity", "bad", "slack", "--url", "https://a.example"],
            "critical",
        ),
        (
            &*workspace,
            "A",
            &["--domain", nobody, "slack", "--url", "https://a.example"],
            "no such domain",
        ),
        (
            nobody,
            "A",
            &["slack", "--url", "https://a.example"],
            "no such workspace",
        ),
    ] {
        let all = [&["create", owner, "--name", name], arguments].concat();
        let refused = channel(&app, &all).unwrap_err();
        assert!(refused.contains(want), "{name} {arguments:?}: {refused}");
    }
    assert_eq!(channel(&app, &["list", &workspace]).unwrap(), json!([]));
}
