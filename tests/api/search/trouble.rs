//! Imports that Google breaks off: what had come in stays, and once it answers again all is as if it always had.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use pharos_server::demo::google::play::{Fact, Facts};
use serde_json::{Value, json};
use time::{Date, macros::date};
use tokio::time::sleep;

use super::{
    google::{Google, Instead, Request, Steady},
    read,
    sync::{cell, client, due, linked, of_types, past, round, stored, watch},
};
use crate::harness::TestApp;

/// Questions about the fifth of the ten final days of a first import.
const FIFTH: &str = "\"startDate\":\"2026-03-23\",\"endDate\":\"2026-03-23\"";
/// The days before it.
const BEFORE: &str = "2026-03-19 2026-03-20 2026-03-21 2026-03-22";
/// How long an answer may take here. Google has a minute otherwise.
const PATIENCE: Duration = Duration::from_secs(3);

/// A linked property of which nothing is imported, and the Google that has [`Steady`] of it.
pub(super) async fn property(search_types: &[&str]) -> (TestApp, Google) {
    let app = TestApp::start().await;
    of_types(&app, search_types).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    (app, google)
}

/// All that there is of it, imported without trouble.
async fn whole() -> Vec<Vec<Option<String>>> {
    let (app, google) = property(&["web"]).await;
    round(&app, &google).await;
    past(&app, &google).await;
    stored(&app).await
}

/// An answer to a question about the fifth day.
fn on_the_fifth(status: u16, body: impl Into<String>) -> Instead {
    Instead {
        path: "query",
        holds: FIFTH,
        status,
        headers: "",
        body: body.into(),
    }
}

/// The days before the fifth are there and told, the property is still connected, and the next attempt is ten minutes away.
async fn is_broken_off(app: &TestApp) {
    let days = "SELECT string_agg(date::text, ' ' ORDER BY date) FROM search_days";
    assert_eq!(cell(app, days).await.as_deref(), Some(BEFORE));
    let property = read(app, "property").await;
    assert_eq!(
        (
            &property["status"],
            &property["last_sync_status"],
            &property["data_through"]
        ),
        (&json!("connected"), &json!("partial"), &json!("2026-03-22"))
    );
    let next = "SELECT (next_sync_at = '2026-03-31 09:25Z')::text FROM search_properties";
    assert_eq!(cell(app, next).await.as_deref(), Some("true"));
}

/// The next import brings the rest, and nothing twice.
async fn is_made_whole(app: &TestApp, google: &Google) {
    google.is_well();
    round(app, google).await;
    past(app, google).await;
    assert_eq!(stored(app).await, whole().await);
    let property = read(app, "property").await;
    assert_eq!(
        (&property["last_sync_status"], &property["data_through"]),
        (&json!("succeeded"), &json!("2026-03-28"))
    );
}

/// How many questions were asked about the fifth day.
fn of_the_fifth(asked: &[Request]) -> usize {
    asked
        .iter()
        .filter(|request| request.body.contains(FIFTH))
        .count()
}

#[tokio::test]
async fn an_import_during_which_google_goes_away_is_made_whole_once_it_is_back() {
    let (app, google) = property(&["web"]).await;
    google.answers(on_the_fifth(503, "<html>Service Unavailable</html>"));
    round(&app, &google).await;
    is_broken_off(&app).await;
    assert_eq!(of_the_fifth(&google.asked()), 1, "it is left alone");
    is_made_whole(&app, &google).await;
}

/// Google says of no account that it counts no more without its word for it.
#[tokio::test]
async fn a_401_of_somebody_in_between_has_no_account_linked_again() {
    let (app, google) = property(&["web"]).await;
    google.answers(on_the_fifth(401, "<html>Sign in to the network</html>"));
    round(&app, &google).await;
    is_broken_off(&app).await;
    is_made_whole(&app, &google).await;
}

#[tokio::test]
async fn an_import_during_which_google_falls_silent_ends_and_is_made_whole_later() {
    let (app, google) = property(&["web"]).await;
    google.is_silent_on(FIFTH);
    due(&app).await;
    let mut watch = watch(&app, &google);
    watch.importer.google = Arc::new(client(&google).within(PATIENCE));
    assert_eq!(watch.round().await.unwrap(), 1);
    is_broken_off(&app).await;
    assert_eq!(of_the_fifth(&google.asked()), 1, "it is left alone");
    let why = "SELECT last_failure FROM search_properties";
    let why = cell(&app, why).await.unwrap();
    assert!(why.contains("did not answer within 3 s"), "{why}");
    is_made_whole(&app, &google).await;
}

/// The node that imports dies when it has asked about the fifth day. Another leaves the property alone until the claim is over.
#[tokio::test]
async fn an_import_whose_node_dies_is_made_whole_by_another() {
    let (app, google) = property(&["web"]).await;
    google.is_silent_on(FIFTH);
    due(&app).await;
    let node = watch(&app, &google);
    let asked = async {
        while of_the_fifth(&google.asked()) == 0 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        ended = node.round() => panic!("it ended: {ended:?}"),
        () = asked => {}
    }
    let days = "SELECT string_agg(date::text, ' ' ORDER BY date) FROM search_days";
    assert_eq!(cell(&app, days).await.as_deref(), Some(BEFORE));
    google.is_well();
    due(&app).await;
    assert_eq!(watch(&app, &google).round().await.unwrap(), 0);
    assert!(google.asked().is_empty());
    app.sql("UPDATE search_properties SET leased_until = '2026-03-01'")
        .await;
    is_made_whole(&app, &google).await;
}

/// The token is replaced, the question asked once more, and the import goes on.
#[tokio::test]
async fn a_token_that_ends_during_an_import_costs_nothing() {
    let (app, google) = property(&["web"]).await;
    let refusal = json!({ "error": { "status": "UNAUTHENTICATED" } });
    google.answers_once(on_the_fifth(401, refusal.to_string()));
    round(&app, &google).await;
    let property = read(&app, "property").await;
    assert_eq!(
        (
            &property["status"],
            &property["last_sync_status"],
            &property["data_through"]
        ),
        (&json!("connected"), &json!("succeeded"), &json!("2026-03-28"))
    );
    let asked = google.asked();
    let (tokens, questions): (Vec<_>, Vec<_>) =
        asked.iter().partition(|request| request.path.ends_with("/token"));
    assert_eq!(tokens.len(), 2);
    let different: BTreeSet<(&str, &str)> = questions
        .iter()
        .map(|request| (request.path.as_str(), request.body.as_str()))
        .collect();
    assert_eq!(
        questions.len(),
        different.len() + 1,
        "one question was asked twice"
    );
    past(&app, &google).await;
    assert_eq!(stored(&app).await, whole().await);
}

/// Nothing in web search on the 27th, and nothing at all on the 26th.
#[derive(Clone, Copy)]
struct Quiet;

impl Facts for Quiet {
    fn of(&self, date: Date, search_type: &str) -> Vec<Fact> {
        match search_type {
            _ if date == date!(2026 - 03 - 26) => Vec::new(),
            "WEB" if date == date!(2026 - 03 - 27) => Vec::new(),
            _ => Steady.of(date, search_type),
        }
    }
}

/// The days had rows before, which Google took back.
#[tokio::test]
async fn a_day_without_rows_is_no_failure_and_has_none() {
    let (app, google) = property(&["web", "discover"]).await;
    round(&app, &google).await;
    let rows = "SELECT count(*)::text FROM search_days WHERE date IN ('2026-03-26', '2026-03-27')";
    assert_eq!(cell(&app, rows).await.as_deref(), Some("4"));
    let quiet = Google::of(Quiet, app.clock.clone()).await;
    round(&app, &quiet).await;
    assert_eq!(
        cell(&app, rows).await.as_deref(),
        Some("1"),
        "Discover has the 27th"
    );
    let queries = "SELECT count(*)::text FROM search_queries WHERE date IN ('2026-03-26', '2026-03-27')";
    assert_eq!(cell(&app, queries).await.as_deref(), Some("0"));
    let property = read(&app, "property").await;
    assert_eq!(
        (&property["last_sync_status"], &property["data_through"]),
        (&json!("succeeded"), &json!("2026-03-28"))
    );
    let missed = "SELECT count(*)::text FROM search_missed_days";
    assert_eq!(cell(&app, missed).await.as_deref(), Some("0"));
    let series = read(&app, "timeseries?start_date=2026-03-25&end_date=2026-03-28").await;
    let clicks: Vec<&Value> = series["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| &point["clicks"])
        .collect();
    // A day on which the property had nothing at all may be one that Google does not tell.
    assert_eq!(clicks, [&json!(4), &Value::Null, &json!(0), &json!(4)]);
}
