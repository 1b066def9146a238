//! The link by which the reader of a mail ends them.

use super::*;
use crate::alerting::{fixtures::channels, get};

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_ends_the_mails_by_the_link_after_a_question_and_by_one_click() {
    let app = watched().await;
    let made = create(&app, "On <b>call</b>", &["email", "--to", "on-call@shop.example"]);
    let token = channels(&app).await[0].unsubscribe_token.clone();
    webhook(&app, "Others", 9);
    let path = format!("//console/unsubscribe/{}", token.reveal());
    let is_on = async || {
        let listed = channel(&app, &["list", &app.world.workspace.to_string()]).unwrap();
        listed[0]["off_reason"] == Value::Null
    };
    let page = async |method| {
        let answer = app
            .request(method, &path)
            .body("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click");
        let answer = answer.send_unchecked().await;
        assert_eq!(answer.status, 200);
        String::from_utf8(answer.body.to_vec()).unwrap()
    };
    // A name that would turn the text around it.
    app.sql("UPDATE workspaces SET name = U&'Shop\\202E'").await;
    let names = |text: &str| {
        let names = ["<bdi>On &lt;b&gt;call&lt;/b&gt;</bdi>", "<bdi>Shop⟦U+202E⟧</bdi>"];
        names.iter().all(|name| text.contains(name))
    };
    let question = page("GET").await;
    assert!(names(&question), "{question}");
    assert!(is_on().await, "programs that follow links end nothing");
    for _ in 0..2 {
        let ended = page("POST").await;
        assert!(ended.contains("is switched off") && names(&ended), "{ended}");
    }
    assert!(!is_on().await);
    assert!(page("GET").await.contains("is switched off"));
    let audit = "SELECT actor, action, subject_id FROM audit_log WHERE action = 'channel.unsubscribe'";
    let row = &app.sql(audit).await[0];
    assert_eq!(
        (row[0].as_deref(), row[2].as_deref()),
        (Some("reader"), made["id"].as_str())
    );

    let notifications = get(&app, "/notifications?type=module_disconnected").await;
    let told = notifications["items"].as_array().unwrap();
    assert_eq!(told.len(), 1, "once, though it was asked for again: {told:?}");
    assert_eq!(
        told[0]["title"],
        "The channel \u{201c}On <b>call</b>\u{201d} is switched off"
    );
    assert!(
        told[0]["body"].as_str().unwrap().contains("unsubscribed"),
        "{told:?}"
    );
    assert_eq!(told[0]["data"]["channel_id"], made["id"]);
    let queued = app
        .sql("SELECT c.name FROM alert_deliveries AS d JOIN alert_channels AS c ON c.id = d.channel_id")
        .await;
    assert_eq!(
        queued,
        [[Some("Others".to_owned())]],
        "the other channels tell of it"
    );

    for nothing in ["x", "01900000-0000-4000-8000-000000000000"] {
        let path = format!("//console/unsubscribe/{nothing}");
        for method in ["GET", "POST"] {
            assert_eq!(app.request(method, &path).send_unchecked().await.status, 404);
        }
    }
    webhook(&app, "Webhook", 9);
    let channels = channels(&app).await;
    let token = &channels.last().unwrap().unsubscribe_token;
    let path = format!("//console/unsubscribe/{}", token.reveal());
    assert_eq!(
        app.request("POST", &path).send_unchecked().await.status,
        404,
        "no mails"
    );
}
