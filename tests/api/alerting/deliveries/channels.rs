//! Webhooks and mails arrive, signed and whole; so does the word that it is over.

use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt, process};

use super::{receivers::header, *};
use crate::alerting::{fixtures::signing_secrets, get};

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_and_its_end_reach_signed_webhooks_that_two_libraries_verify() {
    let app = watched_now().await;
    let ports = [free_address(), free_address()].map(|free| free.port());
    let secrets = ports.map(|port| {
        let made = webhook(&app, "Webhook", port);
        made["signing_secret"].as_str().unwrap().to_owned()
    });
    let mut receivers = [
        Receiver::of_the_guide(Language::Python, ports[0], &secrets[0]),
        Receiver::of_the_guide(Language::JavaScript, ports[1], &secrets[1]),
    ];
    let _node = sender(&app, &[]);
    see_now(&app, 503).await;
    let mut raised = Vec::new();
    for receiver in &mut receivers {
        raised.push(receiver.next().await);
    }
    see_now(&app, 200).await;
    for (receiver, raised) in receivers.iter_mut().zip(&raised) {
        let resolved = receiver.next().await;
        let title = "shop.example: 2 failing checks in a row";
        assert_eq!(
            [&raised["type"], &resolved["type"]],
            ["alert.fired", "alert.resolved"]
        );
        let (raised, resolved) = (&raised["data"], &resolved["data"]);
        for (name, value) in [
            ("title", json!(title)),
            ("severity", json!("critical")),
            ("module", json!("uptime")),
            ("metric", json!("consecutive_failures")),
            ("unit", json!("checks")),
            ("domain_name", json!("shop.example")),
            ("domain_id", json!(app.world.domain)),
            ("workspace_id", json!(app.world.workspace)),
            ("resolved_at", Value::Null),
        ] {
            assert_eq!(raised[name], value, "{name} of {raised}");
        }
        let history = get(
            &app,
            &format!("/alerts/history/{}", raised["id"].as_str().unwrap()),
        )
        .await;
        let names = |row: &Value| row.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        // Which attempt it is changes nothing.
        let mut row = names(&history);
        row.retain(|name| name != "deliveries_count");
        assert_eq!(names(raised), row, "the row of the history");
        assert_eq!(resolved["resolved_at"], history["resolved_at"]);
        assert_ne!(history["resolved_at"], Value::Null);
    }
    let sent = "SELECT state, attempts FROM alert_deliveries";
    assert_eq!(
        app.sql(sent).await,
        vec![vec![Some("sent".to_owned()), Some("1".to_owned())]; 4]
    );
    let history = get(&app, "/alerts/history").await;
    assert_eq!(history["items"][0]["deliveries_count"], 2, "{history}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_can_be_verified_by_hand_with_the_secret_before_and_the_one_after() {
    let app = watched().await;
    let receiver = Recorder::answering(&[]).await;
    let made = webhook(&app, "Webhook", receiver.port);
    let id = made["id"].as_str().unwrap();
    let before = made["signing_secret"].as_str().unwrap().to_owned();
    let rotated = channel(&app, &["rotate-secret", id]).unwrap();
    let after = rotated["signing_secret"].as_str().unwrap().to_owned();
    assert_ne!(before, after);
    let _node = sender(&app, &[]);
    let told = channel(&app, &["test", id]).unwrap();
    assert_eq!(told["state"], "sent", "{told}");
    let (head, body) = receiver.requests().pop().unwrap();
    let header = |name| header(&head, name);
    assert_eq!(header("webhook-id"), told["id"].as_str().unwrap());
    let other = body
        .replace("nothing", "something")
        .replace("Nothing", "Something");
    assert_ne!(other, body);
    for (secret, body, is_right) in [
        (&before, &body, true),
        (&after, &body, true),
        (&after, &other, false),
        (&"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned(), &body, false),
    ] {
        let mut verify = process::Command::new("sh")
            .arg(clients("verify_webhook.sh"))
            .env("WEBHOOK_SECRET", secret)
            .env("ID", header("webhook-id"))
            .env("TIMESTAMP", header("webhook-timestamp"))
            .env("SIGNATURE", header("webhook-signature"))
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        verify
            .stdin
            .take()
            .unwrap()
            .write_all(body.as_bytes())
            .await
            .unwrap();
        assert_eq!(verify.wait().await.unwrap().success(), is_right);
    }
}

/// How many signatures the last request has, each by one secret.
fn signatures(receiver: &Recorder) -> Vec<String> {
    let (head, _) = receiver.requests().pop().unwrap();
    header(&head, "webhook-signature")
        .split(' ')
        .map(str::to_owned)
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_leaked_signs_nothing_more_at_once() {
    let app = watched().await;
    let receiver = Recorder::answering(&[]).await;
    let made = webhook(&app, "Webhook", receiver.port);
    let id = made["id"].as_str().unwrap();
    let secret = |answer: &Value| answer["signing_secret"].as_str().unwrap().to_owned();
    let refused = channel(&app, &["end-secret", id]).unwrap_err();
    assert!(refused.contains("only the present secret signs"), "{refused}");
    let rotated = secret(&channel(&app, &["rotate-secret", id]).unwrap());
    let refused = channel(&app, &["rotate-secret", id]).unwrap_err();
    assert!(refused.contains("end that one first"), "{refused}");
    let _node = sender(&app, &[]);
    channel(&app, &["test", id]).unwrap();
    assert_eq!(signatures(&receiver).len(), 2, "both sign");

    // The receiver has the new one.
    let ended = channel(&app, &["end-secret", id]).unwrap();
    assert_eq!(ended["signing_secret"], Value::Null, "nothing is printed again");
    channel(&app, &["test", id]).unwrap();
    assert_eq!(signatures(&receiver).len(), 1);
    assert_eq!(signing_secrets(&app).await, (rotated.clone(), None));

    // That one leaks, while another is being put in place.
    let third = secret(&channel(&app, &["rotate-secret", id]).unwrap());
    let fourth = secret(&channel(&app, &["rotate-secret", "--now", id]).unwrap());
    assert!(fourth != third && fourth != rotated);
    channel(&app, &["test", id]).unwrap();
    assert_eq!(signatures(&receiver).len(), 1);
    assert_eq!(signing_secrets(&app).await, (fourth, None));
    let log = app
        .sql("SELECT details ->> 'change' FROM audit_log WHERE action = 'channel.secret' ORDER BY at")
        .await;
    let changes: Vec<&str> = log.iter().map(|row| row[0].as_deref().unwrap()).collect();
    assert_eq!(changes, ["replace", "end_previous", "replace", "replace_now"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_broke_off_is_sent_again_and_what_comes_meanwhile_is_gathered() {
    for mode in ["smtps", "starttls"] {
        let app = watched_now().await;
        let vault = Vault::new("Mail-CA");
        let (mut mails, port) = Receiver::of_mail(&vault, mode, 1).await;
        let on_call = create(&app, "On call", &["email", "--to", "on-call@shop.example"]);
        assert_eq!(on_call["target"], "on-call@shop.example");
        let url = match mode {
            "smtps" => format!("smtps://pharos:correct%20horse@127.0.0.1:{port}"),
            _ => format!("smtp://pharos:correct%20horse@127.0.0.1:{port}?tls=required"),
        };
        let _node = sender(
            &app,
            &[
                ("PHAROS_SMTP_URL", &url),
                ("PHAROS_MAIL_FROM", "Pharos <pharos@mail.example>"),
                ("PHAROS_SMTP_ROOTS", &vault.path("root.pem")),
            ],
        );
        see_now(&app, 503).await;
        app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE attempts = 1)")
            .await;
        hurry(&app).await;
        let mail = mails.next().await;
        assert_eq!(
            (&mail["from"], &mail["to"], &mail["user"]),
            (
                &json!("pharos@mail.example"),
                &json!(["on-call@shop.example"]),
                &json!("pharos")
            )
        );
        let title = "shop.example: 2 failing checks in a row";
        assert_eq!(mail["headers"]["Subject"], title);
        for form in ["text", "html"] {
            let text = mail[form].as_str().unwrap();
            assert!(
                text.contains(title) && text.contains("https://pharos.example/console/unsubscribe/"),
                "{text}"
            );
        }
        let unsubscribe = mail["headers"]["List-Unsubscribe"].as_str().unwrap();
        assert!(
            unsubscribe.starts_with("<https://pharos.example/console/unsubscribe/"),
            "{unsubscribe}"
        );

        // The end of this outage, and the next one, are told in one mail.
        see_now(&app, 200).await;
        app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE event = 'resolved')")
            .await;
        see_now(&app, 503).await;
        // Half a minute after the first mail the outage would wait no longer.
        app.reaches(
            "(SELECT count(*) FROM jobs WHERE kind = 'alert_delivery' AND state = 'queued' AND run_at > now()) = 2
            OR (SELECT count(*) FROM alert_deliveries WHERE state = 'sent') = 3",
        )
        .await;
        hurry(&app).await;
        let mail = mails.next().await;
        assert_eq!(
            mail["headers"]["Subject"],
            format!("2 messages, up to critical: {title}")
        );
        // The job of the delivery that went along waits for the one that took it.
        app.reaches("(SELECT count(*) FROM alert_deliveries WHERE state = 'sent') = 3")
            .await;
        hurry(&app).await;
        app.reaches("(SELECT count(*) FROM jobs WHERE kind = 'alert_delivery' AND state = 'succeeded') = 3")
            .await;
        let deliveries = app
            .sql("SELECT event, state FROM alert_deliveries ORDER BY created_at")
            .await;
        let sent = |event: &str| vec![Some(event.to_owned()), Some("sent".to_owned())];
        assert_eq!(deliveries, vec![sent("raised"), sent("resolved"), sent("raised")]);
    }
}
