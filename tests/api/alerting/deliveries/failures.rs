//! Receivers that fail: tried again, given up, switched off, and told of.

use std::{collections::BTreeSet, time::Duration};

use pharos_alerting::delivery::deliverer::KIND;
use pharos_domain::delivery_pauses::ATTEMPTS;
use serde_json::json;
use tokio::time::sleep;

use super::{receivers::header, *};
use crate::{
    alerting::{get, path},
    harness::Request,
};

const PENDING: &str = "SELECT state, attempts, last_error FROM alert_deliveries WHERE event = 'raised'";

#[tokio::test(flavor = "multi_thread")]
async fn what_failed_is_tried_again_and_a_dead_letter_can_be_sent_again() {
    let app = watched_now().await;
    let receiver = Recorder::answering(&["500 No", "429 Busy\r\nretry-after: 3500"]).await;
    let made = webhook(&app, "Webhook", receiver.port);
    let _node = sender(&app, &[]);
    see_now(&app, 503).await;
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE attempts = 1)")
        .await;
    let row = app.sql(PENDING).await;
    assert_eq!(
        (row[0][0].as_deref(), row[0][2].as_deref()),
        (Some("queued"), Some("the receiver answered 500"))
    );
    let job = app.sql("SELECT kind, max_attempts FROM jobs").await;
    assert_eq!(
        (job[0][0].as_deref(), job[0][1].as_deref()),
        (Some(KIND.as_str()), Some(&*ATTEMPTS.to_string())),
        "send_deliveries asks for what the handler expects"
    );
    hurry(&app).await;
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE attempts = 2)")
        .await;
    app.reaches(
        "EXISTS (SELECT FROM jobs WHERE state = 'queued' AND run_at > now() + interval '50 minutes')",
    )
    .await;

    // The attempts are spent: the next one that fails is the last.
    app.sql("UPDATE jobs SET attempts = max_attempts - 1 WHERE kind = 'alert_delivery'")
        .await;
    let dead = Recorder::answering(&["500 No"]).await;
    let url = format!("http://127.0.0.1:{}/hook", dead.port);
    // As older versions wrote it.
    let target = json!({ "kind": "webhook", "url": url, "secret": made["signing_secret"] });
    app.sql(&format!(
        "UPDATE alert_channels SET target = '{target}', secrets = NULL, unsubscribe_digest = NULL,
            unsubscribe_token = gen_random_uuid()"
    ))
    .await;
    hurry(&app).await;
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE state = 'failed')")
        .await;
    app.reaches("EXISTS (SELECT FROM jobs WHERE kind = 'alert_delivery' AND state = 'dead')")
        .await;

    let listed = channel(&app, &["deliveries", made["id"].as_str().unwrap()]).unwrap();
    assert_eq!(
        (
            &listed[0]["state"],
            &listed[0]["attempts"],
            &listed[0]["last_error"]
        ),
        (&json!("failed"), &json!(3), &json!("the receiver answered 500"))
    );
    let retried = Command::new(binary())
        .env("PHAROS_DATABASE_URL", app.database.url())
        .args(["admin", "job", "retry", listed[0]["id"].as_str().unwrap()])
        .output()
        .unwrap();
    assert!(retried.status.success(), "{retried:?}");
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE state = 'sent')")
        .await;
    assert_eq!((receiver.requests().len(), dead.requests().len()), (2, 2));
}

/// A receiver that takes connections, and answers nothing, takes a place of a worker for as long as a delivery may take.
#[tokio::test(flavor = "multi_thread")]
async fn receivers_that_hang_stop_no_job_of_another_kind() {
    let app = watched_now().await;
    // Nobody takes up what the system has accepted.
    let hangs = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    for number in 0..8 {
        webhook(
            &app,
            &format!("Webhook {number}"),
            hangs.local_addr().unwrap().port(),
        );
    }
    let node = sender(&app, &[("PHAROS_JOB_CONCURRENCY", "8")]);
    see_now(&app, 503).await;
    // A workspace takes half of the places for deliveries, which are half of all.
    let taken = "(SELECT count(*) FROM alert_deliveries WHERE taken_until > now())";
    app.reaches(&format!("{taken} = 2")).await;
    let run = Request::new(node.address, "POST", &path(&app, "uptime/check"))
        .key(&app.world.key)
        .header("idempotency-key", "now")
        .json(&json!({}));
    assert_eq!(run.send().await.status, 202);
    app.reaches("EXISTS (SELECT FROM jobs WHERE kind = 'uptime_check' AND state = 'succeeded')")
        .await;
    let rows = app
        .sql(&format!(
            "SELECT {taken}, (SELECT count(*) FROM alert_deliveries WHERE attempts > 0)"
        ))
        .await;
    assert_eq!(
        rows,
        [[Some("2".to_owned()), Some("0".to_owned())]],
        "those that were taken still hang"
    );
}

/// Warnings wait for receivers that take connections, and answer nothing: something critical goes to another channel meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn receivers_that_hang_hold_up_nothing_critical_of_their_workspace() {
    let app = watched_now().await;
    // Nobody takes up what the system has accepted.
    let hangs = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://127.0.0.1:{}/hook", hangs.local_addr().unwrap().port());
    for number in 0..8 {
        let name = format!("Webhook {number}");
        create(&app, &name, &["--module", "robots", "webhook", "--url", &url]);
    }
    let receiver = Recorder::answering(&[]).await;
    let url = format!("http://127.0.0.1:{}/hook", receiver.port);
    create(&app, "On call", &["--module", "uptime", "webhook", "--url", &url]);
    let _node = sender(&app, &[("PHAROS_JOB_CONCURRENCY", "8")]);
    let told = async |severity: &str, module: &str, notifications: u32| {
        app.sql(&format!(
            "INSERT INTO notifications (id, workspace_id, kind, severity, module, title, body, data, created_at)
            SELECT uuid_v7(), '{}'::uuid, 'alert', '{severity}', '{module}', 'It is down', 'It is down.', '{{}}'::jsonb, now()
            FROM generate_series(1, {notifications})",
            app.world.workspace
        ))
        .await;
    };
    told("warning", "robots", 100).await;
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE taken_until > now())")
        .await;
    told("critical", "uptime", 1).await;
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE state = 'sent')")
        .await;
    assert_eq!(receiver.requests().len(), 1);
    let rows = app
        .sql("SELECT count(*) FROM alert_deliveries WHERE attempts > 0")
        .await;
    assert_eq!(
        rows,
        [[Some("1".to_owned())]],
        "those that were taken still hang, and all others wait"
    );
}

/// More waits for it than may: the other channel says so.
#[tokio::test(flavor = "multi_thread")]
async fn a_channel_that_leaves_out_some_is_told_of_by_the_others() {
    let app = watched_now().await;
    // Nobody takes up what the system has accepted.
    let hangs = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let made = webhook(&app, "Slow", hangs.local_addr().unwrap().port());
    let other = Recorder::answering(&[]).await;
    let url = format!("http://127.0.0.1:{}/hook", other.port);
    create(&app, "New", &["--module", "alerts", "webhook", "--url", &url]);
    let _node = sender(&app, &[]);
    app.sql(&format!(
        "INSERT INTO notifications (id, workspace_id, kind, severity, module, title, body, data, created_at)
        SELECT uuid_v7(), '{}'::uuid, 'alert', 'warning', 'robots', 'It is down', 'It is down.', '{{}}'::jsonb, now()
        FROM generate_series(1, 1001)",
        app.world.workspace
    ))
    .await;
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE state = 'sent')")
        .await;
    let told = other.requests();
    assert!(
        told.iter()
            .any(|(_, body)| body.contains("The channel “Slow” leaves out some of what happens")),
        "{told:?}"
    );
    let notifications = get(&app, "/notifications?type=module_disconnected").await;
    assert_eq!(notifications["items"][0]["data"]["channel_id"], made["id"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_answers_410_is_switched_off_and_that_is_told() {
    let app = watched_now().await;
    let (gone, other) = (
        Recorder::answering(&["410 Gone"]).await,
        Recorder::answering(&[]).await,
    );
    let made = webhook(&app, "Old", gone.port);
    webhook(&app, "New", other.port);
    let _node = sender(&app, &[]);
    see_now(&app, 503).await;
    app.reaches("EXISTS (SELECT FROM alert_channels WHERE off_reason IS NOT NULL)")
        .await;
    app.reaches("(SELECT count(*) FROM alert_deliveries WHERE state = 'sent') = 2")
        .await;
    let told = other.requests();
    assert!(
        told.iter()
            .any(|(_, body)| body.contains("The channel “Old” is switched off")),
        "the other channel tells of it: {told:?}"
    );
    let notifications = get(&app, "/notifications?type=module_disconnected").await;
    let notification = &notifications["items"][0];
    assert_eq!(
        notification["title"], "The channel “Old” is switched off",
        "{notifications}"
    );
    assert!(
        notification["body"].as_str().unwrap().contains("410"),
        "{notification}"
    );
    assert_eq!(notification["data"]["channel_id"], made["id"]);

    let refused = channel(&app, &["test", made["id"].as_str().unwrap()]).unwrap_err();
    assert!(refused.contains("the channel is switched off"), "{refused}");
    see_now(&app, 200).await;
    app.reaches("(SELECT count(*) FROM alert_deliveries WHERE event = 'resolved' AND state = 'sent') = 1")
        .await;
    assert_eq!(gone.requests().len(), 1, "nothing more");
    let on = channel(&app, &["on", made["id"].as_str().unwrap()]).unwrap();
    assert_eq!(on["off_reason"], Value::Null);
    let told = channel(&app, &["test", made["id"].as_str().unwrap()]).unwrap();
    assert_eq!(told["state"], "sent");
    app.reaches(
        "NOT EXISTS (SELECT FROM notifications WHERE kind = 'module_disconnected' AND resolved_at IS NULL)",
    )
    .await;
}

/// The mail server refuses mails for what stands in them.
#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_a_mail_that_is_refused_for_another_arrives_all_the_same() {
    let app = watched_now().await;
    let vault = Vault::new("Mail-CA");
    let (mut mails, port) = Receiver::of_mail(&vault, "smtps", 0).await;
    create(&app, "On call", &["email", "--to", "on-call@shop.example"]);
    app.sql(&format!(
        "INSERT INTO notifications (id, workspace_id, kind, severity, title, body, data, created_at)
        SELECT uuid_v7(), '{}'::uuid, 'alert', 'warning', told.title, told.body, '{{}}'::jsonb, now()
        FROM (VALUES ('First', 'It is down.'), ('Second', 'Refuse this.'), ('Third', 'It is down.')) AS told (title, body)",
        app.world.workspace
    ))
    .await;
    let url = format!("smtps://pharos:correct%20horse@127.0.0.1:{port}");
    let _node = sender(
        &app,
        &[
            ("PHAROS_SMTP_URL", &url),
            ("PHAROS_MAIL_FROM", "Pharos <pharos@mail.example>"),
            ("PHAROS_SMTP_ROOTS", &vault.path("root.pem")),
        ],
    );
    app.reaches("(SELECT count(*) FROM alert_deliveries WHERE is_alone) = 3")
        .await;
    // A job that saw its delivery taken by another waits until that one's lease ends.
    app.reaches("NOT EXISTS (SELECT FROM jobs WHERE kind = 'alert_delivery' AND state = 'running')")
        .await;
    hurry(&app).await;
    let mut subjects = Vec::new();
    for _ in 0..2 {
        let mail = mails.next().await;
        subjects.push(mail["headers"]["Subject"].as_str().unwrap().to_owned());
    }
    subjects.sort_unstable();
    assert_eq!(subjects, ["First", "Third"]);
    app.reaches("(SELECT count(*) FROM alert_deliveries WHERE state IN ('sent', 'failed')) = 3")
        .await;
    let dead = app
        .sql(
            "SELECT n.title, d.last_error FROM alert_deliveries AS d JOIN notifications AS n ON n.id = d.notification_id
            WHERE d.state = 'failed'",
        )
        .await;
    let of = |text: &str| Some(text.to_owned());
    assert_eq!(dead, [[of("Second"), of("the mail server answered 554")]]);
    let attempts = app.sql("SELECT DISTINCT attempts FROM alert_deliveries").await;
    assert_eq!(attempts, [[of("2")]], "once together, once alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_that_fails_for_three_days_says_so_once_and_until_it_works() {
    let app = watched().await;
    let receiver = Recorder::answering(&["500 No", "500 No", "500 No"]).await;
    let made = webhook(&app, "Webhook", receiver.port);
    let id = made["id"].as_str().unwrap();
    let _node = sender(&app, &[]);
    let told = "/notifications?type=module_disconnected";
    channel(&app, &["test", id]).unwrap_err();
    assert_eq!(get(&app, told).await["items"], json!([]), "it failed once");
    app.sql("UPDATE alert_channels SET failing_since = now() - interval '3 days 1 minute'")
        .await;
    for _ in 0..2 {
        channel(&app, &["test", id]).unwrap_err();
    }
    let failing = get(&app, told).await;
    assert_eq!(failing["items"].as_array().map(Vec::len), Some(1), "{failing}");
    assert_eq!(
        failing["items"][0]["title"],
        "Nothing reaches the channel “Webhook”"
    );
    // Whoever mends it may switch it off meanwhile: what is on its way is dropped.
    channel(&app, &["off", id]).unwrap();
    let waiting = "SELECT count(*) FROM alert_deliveries WHERE state = 'queued'";
    assert_eq!(app.sql(waiting).await[0][0].as_deref(), Some("0"));
    channel(&app, &["on", id]).unwrap();
    let sent = channel(&app, &["test", id]).unwrap();
    assert_eq!(sent["state"], "sent");
    app.reaches("(SELECT count(*) FROM notifications WHERE resolved_at IS NOT NULL) = 1")
        .await;
    app.reaches("NOT EXISTS (SELECT FROM alert_channels WHERE failing_since IS NOT NULL)")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_node_had_in_hand_is_sent_by_another() {
    let app = watched_now().await;
    let receiver = Recorder::slow(Duration::from_secs(2)).await;
    for number in 0..20 {
        webhook(&app, &format!("Webhook {number}"), receiver.port);
    }
    let killed = sender(&app, &[]);
    see_now(&app, 503).await;
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE taken_until > now())")
        .await;
    while receiver.requests().is_empty() {
        sleep(Duration::from_millis(5)).await;
    }
    killed.signal("KILL");
    // A statement that the node had sent still takes leases, until its session has ended.
    app.sql(
        "SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    .await;
    // Deliveries that it had taken are free once its leases end: before the other node begins, whose leases stay.
    app.sql("UPDATE jobs SET leased_until = now() WHERE state = 'running'")
        .await;
    app.sql("UPDATE alert_deliveries SET taken_until = now() WHERE state = 'queued'")
        .await;
    let _other = sender(&app, &[]);
    hurry(&app).await;
    app.reaches("(SELECT count(*) FROM alert_deliveries WHERE state = 'sent') = 20")
        .await;
    let requests = receiver.requests();
    let ids: BTreeSet<String> = requests
        .iter()
        .map(|(head, _)| header(head, "webhook-id"))
        .collect();
    assert_eq!(
        ids.len(),
        20,
        "a repetition has the id of the first: {} requests",
        requests.len()
    );
    assert!(requests.len() > 20, "what was in hand came twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delivery_whose_job_is_dead_is_given_up_and_keeps_no_other_waiting() {
    let app = watched_now().await;
    let receiver = Recorder::answering(&["500 No"]).await;
    webhook(&app, "Webhook", receiver.port);
    // Upkeep is the first that a node does: once this one is ended, upkeep of the node leaves what comes later alone.
    app.sql(
        "INSERT INTO alert_deliveries (id, channel_id, event, state, created_at)
        SELECT gen_random_uuid(), id, 'test', 'queued', now() FROM alert_channels",
    )
    .await;
    let _node = sender(&app, &[]);
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE event = 'test' AND state = 'failed')")
        .await;
    see_now(&app, 503).await;
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE attempts = 1)")
        .await;
    // As it is buried whose worker was lost in its last attempt.
    let buried = "UPDATE jobs SET state = 'dead', finished_at = now() WHERE kind = 'alert_delivery'";
    app.sql(buried).await;
    see_now(&app, 200).await;
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE event = 'resolved' AND state = 'dropped')")
        .await;
    assert_eq!(
        receiver.requests().len(),
        1,
        "nobody who was not told of it is told that it is over"
    );
    let _another = sender(&app, &[]);
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE event = 'raised' AND state = 'failed')")
        .await;
}
