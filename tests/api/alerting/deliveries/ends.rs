//! The word that something is over: when, why, and where it was told of before.

use serde_json::{Value, json};
use time::OffsetDateTime;

use super::{receivers::Recorder, *};
use crate::alerting::{evaluate, get, path};

/// A channel of ntfy that leads to a port of this machine.
fn topic(app: &TestApp, port: u16) -> Value {
    let url = format!("http://127.0.0.1:{port}/alerts");
    create(app, "Topic", &["ntfy", "--url", &url])
}

/// Rules that the first look wakes are due by the database's clock, and so for the second.
async fn evaluate_now(app: &TestApp) {
    for _ in 0..2 {
        app.clock.advance(OffsetDateTime::now_utc() - app.now());
        evaluate(app).await;
    }
}

fn json_of(requests: &[(String, String)]) -> Vec<Value> {
    let bodies = requests.iter().map(|(_, body)| body);
    bodies.map(|body| serde_json::from_str(body).unwrap()).collect()
}

/// As in quiet hours, or while a receiver is away: nothing was sent before it was over.
#[tokio::test(flavor = "multi_thread")]
async fn people_get_one_message_of_what_is_over_before_they_were_told_and_programs_two() {
    let app = watched_now().await;
    let (people, program) = (
        Recorder::answering(&["503 Busy"]).await,
        Recorder::answering(&[]).await,
    );
    topic(&app, people.port);
    webhook(&app, "Webhook", program.port);
    for status in [503, 200] {
        see_now(&app, status).await;
        evaluate_now(&app).await;
    }
    app.reaches("(SELECT count(*) FROM alert_deliveries WHERE state = 'queued') = 4")
        .await;
    let _node = sender(&app, &[]);
    app.reaches("EXISTS (SELECT FROM alert_deliveries WHERE attempts = 1 AND state = 'queued')")
        .await;
    hurry(&app).await;
    app.reaches("NOT EXISTS (SELECT FROM alert_deliveries WHERE state <> 'sent')")
        .await;
    let told = json_of(&people.requests());
    let titles: Vec<&Value> = told.iter().map(|message| &message["title"]).collect();
    // The first attempt failed.
    assert_eq!(titles, ["Resolved: shop.example: 2 failing checks in a row"; 2]);
    let text = told[1]["message"].as_str().unwrap();
    assert!(
        text.starts_with("It ended on ")
            && text.contains("When it began: There were 2 failing checks in a row.")
            && text.contains("The last error: answered 503."),
        "{text}"
    );
    let types: Vec<Value> = json_of(&program.requests())
        .into_iter()
        .map(|mut event| event["type"].take())
        .collect();
    assert_eq!(types, ["alert.fired", "alert.resolved"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_alert_that_is_closed_by_hand_says_so() {
    for (way, says) in [
        ("disable", "Its rule was disabled on "),
        ("change", "Its rule was changed on "),
        ("delete", "Its rule was deleted on "),
        ("pause the monitor", "Its monitor was paused on "),
        ("delete the domain", "The domain was deleted on "),
    ] {
        let app = watched_now().await;
        let people = Recorder::answering(&[]).await;
        topic(&app, people.port);
        see_now(&app, 503).await;
        evaluate_now(&app).await;
        let rules = get(&app, &path(&app, "alerts/rules")).await;
        let rule = rules["items"][0]["id"].as_str().unwrap();
        let rule = path(&app, &format!("alerts/rules/{rule}"));
        app.clock.advance(OffsetDateTime::now_utc() - app.now());
        let put = async |target: &str, change: Value| {
            app.put(target, &app.world.key, &change).send().await.ok();
        };
        match way {
            "disable" => put(&rule, json!({"enabled": false})).await,
            "change" => put(&rule, json!({"threshold_value": 100})).await,
            "pause the monitor" => {
                put(&path(&app, "uptime/config"), json!({"enabled": false})).await;
                app.sql("UPDATE alert_evaluations SET next_evaluation_at = now()")
                    .await;
            }
            "delete" => {
                app.request("DELETE", &rule).key(&app.world.key).send().await.ok();
            }
            _ => {
                let (domains, actor) = (&app.stores.domain_admin, crate::harness::actor());
                domains.delete(app.world.domain, &actor, app.now()).await.unwrap();
            }
        }
        evaluate_now(&app).await;
        let _node = sender(&app, &[]);
        app.reaches("(SELECT count(*) FROM alert_deliveries WHERE state = 'sent') = 2")
            .await;
        let told = json_of(&people.requests());
        assert_eq!(
            told[0]["title"], "Closed: shop.example: 2 failing checks in a row",
            "{way}"
        );
        let text = told[0]["message"].as_str().unwrap();
        assert!(
            text.starts_with(says) && text.contains(", which closed the alert after "),
            "{way}: {text}"
        );
    }
}
