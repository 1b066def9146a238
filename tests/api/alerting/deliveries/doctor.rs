//! `pharos doctor` on mail and channels, and how the commands end whose subject is not there.

use super::*;
use crate::alerting::fixtures::channels;

/// The findings of `pharos doctor` on a subject: whether each is well, and its words.
fn doctor(app: &TestApp, subject: &str, environment: &[(&str, &str)]) -> Vec<(bool, String)> {
    let output = Command::new(binary())
        .args(["doctor", "--json"])
        .env("PHAROS_DATABASE_URL", app.database.url())
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let all_well = findings.iter().all(|finding| finding["well"] == true);
    assert_eq!(output.status.success(), all_well, "{findings:?}");
    findings
        .iter()
        .filter(|finding| finding["what"] == subject)
        .map(|finding| {
            let detail = finding["detail"].as_str().unwrap();
            (finding["well"] == true, detail.to_owned())
        })
        .collect()
}

fn only(findings: Vec<(bool, String)>) -> (bool, String) {
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings.into_iter().next().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_signs_in_at_the_mail_server() {
    let app = TestApp::start().await;
    assert!(only(doctor(&app, "mail", &[])).0);
    let vault = Vault::new("Mail-CA");
    let (_receiver, port) = Receiver::of_mail(&vault, "smtps", 0).await;
    let tried = |password: &str, roots: &str| {
        let url = format!("smtps://pharos:{password}@127.0.0.1:{port}");
        let settings = [
            ("PHAROS_SMTP_URL", url.as_str()),
            ("PHAROS_MAIL_FROM", "pharos@mail.example"),
            ("PHAROS_SMTP_ROOTS", roots),
        ];
        only(doctor(&app, "mail", &settings))
    };
    let roots = &vault.path("root.pem");
    assert_eq!(
        tried("correct%20horse", roots),
        (true, "the mail server takes mails".to_owned())
    );
    let (is_well, why) = tried("hidden", roots);
    assert!(!is_well && why.contains("answered 535"), "{why}");
    assert!(!why.contains("hidden"), "{why}");
    let (is_well, why) = tried("correct%20horse", "/nowhere.pem");
    assert!(!is_well && why.contains("smtp_roots /nowhere.pem"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_tells_of_channels_that_fail_until_they_work() {
    let app = watched_now().await;
    assert_eq!(
        only(doctor(&app, "alert channels", &[])),
        (true, "none fails".to_owned())
    );
    let receiver = Recorder::answering(&["500 No"]).await;
    let made = webhook(&app, "Webhook", receiver.port);
    let id = made["id"].as_str().unwrap();
    let _node = sender(&app, &[]);
    let refused = channel(&app, &["test", id]).unwrap_err();
    assert_eq!(
        refused, "",
        "what became of it is an answer, and the command fails"
    );
    let (is_well, why) = only(doctor(&app, "alert channels", &[]));
    assert!(!is_well, "{why}");
    for part in ["“Webhook” of ", "fails since 20", "the receiver answered 500", id] {
        assert!(why.contains(part), "{part}: {why}");
    }
    hurry(&app).await;
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE state = 'sent')")
        .await;
    assert!(only(doctor(&app, "alert channels", &[])).0);
    channel(&app, &["test", id]).expect("it arrived");

    app.sql("UPDATE alert_deliveries SET state = 'failed', last_error = 'the receiver answered 404'")
        .await;
    let (is_well, why) = only(doctor(&app, "alert channels", &[]));
    assert!(
        !is_well && why.contains("gave up 2 deliveries within a day: the receiver answered 404"),
        "{why}"
    );
    app.sql("UPDATE alert_deliveries SET ended_at = now() - interval '25 hours'")
        .await;
    assert!(only(doctor(&app, "alert channels", &[])).0);
}

/// A receiver that is gone is somebody's trouble until they end the channel; a reader who wants no mails is nobody's.
#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_tells_of_channels_that_receivers_switched_off_and_counts_what_readers_ended() {
    let app = watched_now().await;
    create(&app, "On call", &["email", "--to", "on-call@shop.example"]);
    let token = channels(&app).await[0].unsubscribe_token.clone();
    let path = format!("//console/unsubscribe/{}", token.reveal());
    let ends = app
        .request("POST", &path)
        .body("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click");
    assert_eq!(ends.send_unchecked().await.status, 200);
    assert_eq!(
        only(doctor(&app, "alert channels", &[])),
        (
            true,
            "none fails; one is off because its reader wants no mails".to_owned()
        )
    );
    let receiver = Recorder::answering(&["410 Gone"]).await;
    let made = webhook(&app, "Webhook", receiver.port);
    let id = made["id"].as_str().unwrap();
    let _node = sender(&app, &[]);
    channel(&app, &["test", id]).unwrap_err();
    app.reaches("EXISTS (SELECT FROM alert_channels WHERE off_reason LIKE '%410%')")
        .await;
    let (is_well, why) = only(doctor(&app, "alert channels", &[]));
    assert!(!is_well, "{why}");
    for part in [
        "“Webhook” of ",
        "is switched off: the receiver answered 410",
        "channel on",
        id,
    ] {
        assert!(why.contains(part), "{part}: {why}");
    }
    channel(&app, &["off", id]).unwrap();
    assert!(
        only(doctor(&app, "alert channels", &[])).0,
        "an operator ended it"
    );

    // Some of those that have been off for long are left out before one that fails.
    for number in 0..10 {
        webhook(&app, &format!("Gone {number}"), receiver.port);
    }
    webhook(&app, "Late", receiver.port);
    app.sql(
        "UPDATE alert_channels SET failing_since = now() - interval '30 days',
            off_reason = 'the receiver answered 410, which says that it wants nothing any more'
        WHERE name LIKE 'Gone %'",
    )
    .await;
    app.sql("UPDATE alert_channels SET failing_since = now() WHERE name = 'Late'")
        .await;
    let told = doctor(&app, "alert channels", &[]);
    assert_eq!(told.len(), 10);
    assert!(told[0].1.starts_with("“Late” of "), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_about_nothing_that_there_is_fails_and_says_so() {
    let app = TestApp::start().await;
    let nobody = "01900000-0000-7000-8000-0000000000ff";
    for command in [
        "test",
        "deliveries",
        "rotate-secret",
        "end-secret",
        "edit",
        "on",
        "off",
        "delete",
    ] {
        let refused = channel(&app, &[command, nobody]).unwrap_err();
        assert!(
            refused.contains(&format!("channel {nobody}")),
            "{command}: {refused}"
        );
    }
    for kind in ["channel", "key", "member", "domain"] {
        let output = Command::new(binary())
            .env("PHAROS_DATABASE_URL", app.database.url())
            .args(["admin", kind, "list", nobody])
            .output()
            .unwrap();
        let refused = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && refused.contains(&format!("there is no workspace {nobody}")),
            "{kind}: {refused}"
        );
    }
}
