//! Reports on their way.

use pharos_domain::{hex::hex, ids::RunId};
use ring::digest::{SHA256, digest};

use super::*;
use crate::fixtures;

const STATES: &str = "SELECT state, attempts::text, last_error FROM report_deliveries";

/// Whether every delivery that there is went out, so many.
fn all_sent(count: u32) -> String {
    format!("(SELECT count(*) FROM report_deliveries WHERE state = 'sent') = {count}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scheduled_pdf_goes_to_those_who_said_yes_as_it_is_kept() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let body = json!({
        "name": "Monthly", "default_period": "last_30_days", "format": "pdf", "locale": "de",
        "schedule": { "frequency": "weekly", "weekday": 2, "hour": 12, "timezone": "Europe/Berlin" },
        "sections_config": { "version": 1, "sections": [
            { "section": "overview", "widgets": [{ "widget": "summary" }] },
            { "section": "uptime", "widgets": [{ "widget": "kpi_row" }] },
        ] },
    });
    let id: ReportTemplateId = template(&app, &body).await.parse().unwrap();
    confirmed(&app, id, "client@shop.example").await;
    add(&app, id, "not-yet@shop.example").await.unwrap();
    app.sql("DELETE FROM jobs WHERE kind = 'report_question'").await;
    let mut post = Post::open(&app, 0).await;
    app.clock.advance(time::Duration::minutes(45));
    assert_eq!(scheduler(&app).round().await.unwrap(), 1);
    let mail = post.mails.next().await;
    assert_eq!(
        (&mail["from"], &mail["to"]),
        (&json!("pharos@mail.example"), &json!(["client@shop.example"]))
    );
    let subject = mail["headers"]["Subject"].as_str().unwrap();
    assert!(
        subject.starts_with("Monthly: shop.example, ") && subject.contains(".2026"),
        "{subject}"
    );

    // The file is the one that is kept.
    let run = get(&app, "runs").await.ok()["items"][0].clone();
    let run_id: RunId = run["run_id"].as_str().unwrap().parse().unwrap();
    let result = get(&app, &format!("runs/{run_id}/result")).await.ok();
    let attached = attached(&mail);
    let file = &mail["files"][0];
    assert_eq!(
        (&file["type"], file["name"].as_str().unwrap().ends_with(".pdf")),
        (&json!("application/pdf"), true)
    );
    assert!(attached.starts_with(b"%PDF-"));
    assert_eq!(result["sha256"], hex(digest(&SHA256, &attached).as_ref()));
    let download = link_of(&mail);
    let reply = app.request("GET", &download).send().await;
    assert_eq!((reply.status, &reply.body[..]), (200, &attached[..]));
    app.clock.advance(time::Duration::days(14));
    assert_eq!(app.request("GET", &download).send().await.status, 410);

    // The sentences of the summary and the first figures are those that are kept.
    let kept = format!("SELECT result FROM report_runs WHERE run_id = '{run_id}'");
    let kept = app.sql(&kept).await;
    let kept: Value = serde_json::from_str(kept[0][0].as_deref().unwrap()).unwrap();
    let text = mail["text"].as_str().unwrap();
    for (title, sentences) in [("What needs doing", "actions"), ("What changed", "summary")] {
        let (_, below) = text.split_once(&format!("{title}:\r\n")).unwrap();
        let sentences = kept[sentences].as_array().unwrap();
        assert!(!sentences.is_empty());
        for sentence in sentences {
            let sentence = sentence.as_str().unwrap();
            assert!(below.contains(&format!("- {sentence}\r\n")), "{mail}");
        }
    }
    assert!(text.contains(kept["days"].as_str().unwrap()), "{mail}");
    let figure = &kept["figures"][0];
    let told = [&figure["label"], &figure["value"]].map(|text| text.as_str().unwrap());
    assert!(text.contains(&told.join(": ")), "{mail}");
    app.reaches(&all_sent(1)).await;

    // By one click of the mail program it ends.
    assert_eq!(
        mail["headers"]["List-Unsubscribe-Post"],
        "List-Unsubscribe=One-Click"
    );
    let end = mail["headers"]["List-Unsubscribe"].as_str().unwrap();
    let end = end.trim_matches(['<', '>']).strip_prefix(BASE).unwrap();
    assert_eq!(recipients_count(&app, id).await, 1);
    assert_eq!(open(&app, "POST", &format!("/{end}")).await.0, 200);
    assert_eq!(recipients_count(&app, id).await, 0);
    assert_eq!(scheduler(&app).round().await.unwrap(), 1);
    app.reaches("(SELECT count(*) FROM runs WHERE kind = 'report' AND status = 'succeeded') = 3")
        .await;
    assert_eq!(app.sql("SELECT id::text FROM report_deliveries").await.len(), 1);
}

fn link_of(mail: &Value) -> String {
    let text = mail["text"].as_str().unwrap();
    let link = text.split_whitespace().find(|word| word.contains("/artefacts/"));
    let link = link.unwrap_or_else(|| panic!("no link in {text}"));
    format!("/{}", &link[link.find("/artefacts/").unwrap()..])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_the_api_asked_for_goes_to_nobody() {
    let app = TestApp::start().await;
    let id = weekly(&app, "csv").await;
    confirmed(&app, id, "client@shop.example").await;
    let _post = Post::open(&app, 0).await;
    super::super::made(&app, &id.to_string(), &json!({})).await;
    assert_eq!(app.sql(STATES).await, Vec::<Vec<Option<String>>>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_of_several_lines_adds_no_header_and_no_reader() {
    let app = TestApp::start().await;
    let id = weekly(&app, "csv").await;
    let refused = app
        .put(
            &path(&app, &format!("templates/{id}")),
            &app.world.key,
            &json!({ "name": "Weekly\r\nBcc: others@shop.example" }),
        )
        .send()
        .await;
    refused.problem(400, "invalid-request");
    confirmed(&app, id, "client@shop.example").await;
    // An older version may have taken it.
    app.sql("UPDATE report_templates SET name = E'Weekly\\r\\nBcc: others@shop.example\\r\\n\\r\\n<b>'")
        .await;
    let mut post = Post::open(&app, 0).await;
    due(&app).await;
    let mail = post.mails.next().await;
    assert_eq!(mail["to"], json!(["client@shop.example"]));
    let headers = mail["headers"].as_object().unwrap();
    assert!(!headers.contains_key("Bcc"), "{headers:?}");
    let subject = headers["Subject"].as_str().unwrap();
    assert!(
        subject.starts_with("Weekly Bcc: others@shop.example <b>: shop.example"),
        "{subject}"
    );
    assert!(!mail["html"].as_str().unwrap().contains("<b>"), "{mail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_server_that_breaks_off_is_tried_again() {
    let app = TestApp::start().await;
    let id = weekly(&app, "csv").await;
    confirmed(&app, id, "client@shop.example").await;
    let mut post = Post::open(&app, 1).await;
    due(&app).await;
    app.reaches("EXISTS (SELECT FROM report_deliveries WHERE attempts = 1)")
        .await;
    let after = app.sql(STATES).await;
    assert_eq!(after[0][0].as_deref(), Some("queued"));
    assert!(
        after[0][2].as_deref().unwrap().contains("mail server"),
        "{after:?}"
    );
    app.reaches(
        "EXISTS (SELECT FROM jobs WHERE kind = 'report_delivery' AND state = 'queued' AND run_at > now())",
    )
    .await;
    hurry(&app).await;
    let mail = post.mails.next().await;
    assert_eq!(mail["files"][0]["type"], "text/csv");
    app.reaches(&all_sent(1)).await;
    assert_eq!(
        app.sql(STATES).await,
        [[Some("sent".to_owned()), Some("2".to_owned()), None]]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_goes_with_its_template_or_its_reader() {
    let app = TestApp::start().await;
    let id = weekly(&app, "csv").await;
    confirmed(&app, id, "client@shop.example").await;
    let gone = confirmed(&app, id, "gone@shop.example").await;
    let ended = confirmed(&app, id, "ended@shop.example").await;
    {
        // A worker that makes reports and mails none.
        let _maker = super::super::worker(&app).await;
        due(&app).await;
        app.reaches("(SELECT count(*) FROM report_deliveries WHERE state = 'queued') = 3")
            .await;
    }
    let recipients = app.stores.ports.get::<dyn RecipientAdmin>().unwrap();
    recipients.remove(id, gone.id, &actor(), app.now()).await.unwrap();
    app.sql(&format!(
        "UPDATE report_recipients SET unsubscribed_at = now() WHERE id = '{}'",
        ended.id
    ))
    .await;
    let mut post = Post::open(&app, 0).await;
    assert_eq!(post.mails.next().await["to"], json!(["client@shop.example"]));
    app.reaches("(SELECT count(*) FROM jobs WHERE kind = 'report_delivery' AND state = 'succeeded') = 3")
        .await;
    let states = app
        .sql("SELECT state FROM report_deliveries ORDER BY state")
        .await;
    assert_eq!(states, [[Some("dropped".to_owned())], [Some("sent".to_owned())]]);
    drop(post);

    {
        let _maker = super::super::worker(&app).await;
        due(&app).await;
        app.reaches("EXISTS (SELECT FROM report_deliveries WHERE state = 'queued')")
            .await;
    }
    let path = path(&app, &format!("templates/{id}"));
    app.request("DELETE", &path).key(&app.world.key).send().await.ok();
    let _post = Post::open(&app, 0).await;
    app.reaches("(SELECT count(*) FROM jobs WHERE kind = 'report_delivery' AND state = 'succeeded') = 4")
        .await;
    assert!(app.sql("SELECT id::text FROM report_recipients").await.is_empty());
}
