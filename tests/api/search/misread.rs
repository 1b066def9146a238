//! Imports of answers that are not as they should be.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration as StdDuration, Instant},
};

use futures_util::future::join_all;
use pharos_domain::{clock::Clock, ids::SearchAccountId, secret::Secret};
use pharos_search::{
    google::{
        account::{Account, Credentials},
        client::GoogleClient,
        error::GoogleError,
        search_analytics::{DataState, Dimension, MOST_OF_KEYS, SearchAnalyticsQuery},
    },
    gsc::figures::SearchType,
};
use pharos_server::demo::google::play::{Fact, Facts};
use serde_json::{Value, json};
use time::{Date, Duration, macros::date};

use super::{
    google::{Google, Instead, SITE, SITEMAP, Steady},
    read,
    sync::{Many, cell, client, linked, of_types, past, round, stored},
};
use crate::{
    doctor::{findings, only},
    harness::TestApp,
};

/// The question for the queries of a final day.
const QUERIES: &str = "\"startDate\":\"2026-03-25\",\"endDate\":\"2026-03-25\",\"dimensions\":[\"QUERY\",\"COUNTRY\",\"DEVICE\"]";

/// Has Google answer questions with this in their body otherwise.
fn answers(google: &Google, holds: &'static str, status: u16, body: impl Into<String>) {
    google.answers(Instead {
        path: "query",
        holds,
        status,
        headers: "",
        body: body.into(),
    });
}

/// How many days there are of each search type.
pub(super) async fn days(app: &TestApp) -> String {
    let days = "SELECT coalesce(string_agg(search_type || ':' || n, ' ' ORDER BY search_type), '')
        FROM (SELECT search_type, count(*) AS n FROM search_days GROUP BY search_type) AS t";
    cell(app, days).await.unwrap()
}

/// The queries of that day, where it came in and so did all others up to the newest final one.
async fn queries(app: &TestApp) -> Option<String> {
    let property = read(app, "property").await;
    assert_eq!(
        (&property["last_sync_status"], &property["data_through"]),
        (&json!("succeeded"), &json!("2026-03-28"))
    );
    let is_stored = "SELECT count(*)::text FROM search_days WHERE date = '2026-03-25'";
    assert_eq!(cell(app, is_stored).await.as_deref(), Some("1"));
    let queries = "SELECT string_agg(v.value, ', ' ORDER BY v.value) FROM search_queries AS q
        JOIN search_values AS v ON v.id = q.query_id WHERE q.date = '2026-03-25'";
    cell(app, queries).await
}

/// The past begins on the 18th, since the ten days from the 19th on are among the newest.
#[tokio::test]
async fn a_day_of_the_past_that_is_garbled_is_missed_and_asked_for_again() {
    let app = TestApp::start().await;
    of_types(&app, &["web", "discover"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    answers(
        &google,
        "\"startDate\":\"2026-03-17\",\"endDate\":\"2026-03-17\"",
        200,
        "{\"rows\":[{\"keys\":[\"red sh",
    );
    round(&app, &google).await;
    past(&app, &google).await;
    assert_eq!(days(&app).await, "1:15 2:15");
    let missed =
        "SELECT string_agg(search_type || ' ' || date, ', ' ORDER BY search_type) FROM search_missed_days";
    assert_eq!(
        cell(&app, missed).await.as_deref(),
        Some("1 2026-03-17, 2 2026-03-17")
    );
    assert_eq!(
        read(&app, "property").await["backfill_from"],
        "2024-11-30",
        "the days before came in all the same"
    );
    google.is_well();
    google.asked();
    past(&app, &google).await;
    assert!(google.asked().is_empty(), "once a day");
    app.sql("UPDATE search_missed_days SET tried_at = '2026-01-01'")
        .await;
    past(&app, &google).await;
    assert_eq!(days(&app).await, "1:16 2:16");
    assert_eq!(cell(&app, missed).await, None);
}

#[tokio::test]
async fn rows_that_are_impossible_are_left_out_and_the_day_comes_in() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let row = |query: &str, clicks: Value, impressions: Value| json!({ "keys": [query, "deu", "MOBILE"], "clicks": clicks, "impressions": impressions, "ctr": 0, "position": 2 });
    let rows = [
        row("red shoes", json!(3), json!(40)),
        row("blue shoes", json!(-1), json!(5)),
        row("old shoes", json!(1), Value::Null),
        row("new shoes", json!(2), json!(7)),
    ];
    answers(&google, QUERIES, 200, json!({ "rows": rows }).to_string());
    round(&app, &google).await;
    assert_eq!(queries(&app).await.as_deref(), Some("new shoes, red shoes"));
}

/// A row with this query.
fn of_query(query: impl Into<Value>) -> Value {
    let query: Value = query.into();
    json!({ "keys": [query, "deu", "MOBILE"], "clicks": 1, "impressions": 5, "ctr": 0.2, "position": 2 })
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_whose_key_is_no_text_are_set_aside_and_the_day_comes_in() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let aside = || {
        only(findings(
            &[("PHAROS_DATABASE_URL", app.database.url())],
            "set aside",
        ))
    };
    assert_eq!(aside(), (true, "nothing".to_owned()));
    let rows = [
        of_query("red shoes"),
        of_query(7),
        of_query(Value::Null),
        of_query("hats"),
        Value::Null,
        of_query("new shoes"),
    ];
    answers(&google, QUERIES, 200, json!({ "rows": rows }).to_string());
    round(&app, &google).await;
    assert_eq!(queries(&app).await.as_deref(), Some("hats, new shoes, red shoes"));
    let (is_well, detail) = aside();
    let which = format!(
        "search_import: 1 times, of 1; the last, {}, at ",
        app.world.domain
    );
    let why = "3 of web from 2026-03-25 to 2026-03-25 by [Query, Country, Device]; the table set_aside";
    assert!(
        !is_well && detail.starts_with(&which) && detail.contains(why),
        "{detail}"
    );
}

/// The totals, places and pages of the day are as good as on any other.
#[tokio::test]
async fn a_list_whose_only_row_is_none_keeps_no_day_from_coming_in() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let rows = [of_query(Value::Null)];
    answers(&google, QUERIES, 200, json!({ "rows": rows }).to_string());
    round(&app, &google).await;
    assert_eq!(queries(&app).await, None);
    let pages = "SELECT count(*)::text FROM search_pages WHERE date = '2026-03-25'";
    assert_eq!(cell(&app, pages).await.as_deref(), Some("3"));
}

#[tokio::test]
async fn a_query_that_was_cut_within_an_emoji_comes_in() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let rows = json!({ "rows": [of_query("red CUT"), of_query("hats")] });
    answers(&google, QUERIES, 200, rows.to_string().replace("CUT", "\\ud83d"));
    round(&app, &google).await;
    assert_eq!(queries(&app).await.as_deref(), Some("hats, red \u{fffd}"));
}

/// The names of rich results, sitemaps and properties are anybody's, as queries are.
#[tokio::test]
async fn a_name_that_was_cut_within_an_emoji_spoils_no_answer() {
    let app = TestApp::start().await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let (client, account) = (client(&google), account(&app));
    for (path, body) in [
        (
            "/index:inspect",
            json!({ "inspectionResult": { "indexStatusResult": { "verdict": "PASS" }, "richResultsResult": {
                "detectedItems": [{ "richResultType": "FAQ", "items": [{ "name": "Teapot CUT" }] }],
            } } }),
        ),
        (
            "/sitemaps",
            json!({ "sitemap": [{ "path": "https://shop.example/CUT.xml" }, { "path": SITEMAP }] }),
        ),
        (
            "/sites",
            json!({ "siteEntry": [
                { "siteUrl": "https://shop.example/CUT/", "permissionLevel": "siteOwner" },
                { "siteUrl": SITE, "permissionLevel": "siteOwner" },
            ] }),
        ),
    ] {
        google.answers(Instead {
            path,
            holds: "",
            status: 200,
            headers: "",
            body: body.to_string().replace("CUT", "\\udc00"),
        });
    }
    let inspected = client.inspect(&account, SITE, "https://shop.example/", app.now());
    let inspected = inspected.await.unwrap();
    assert!(inspected.is_indexed());
    assert_eq!(
        inspected.rich_results[0].items[0].name.as_deref(),
        Some("Teapot \u{fffd}")
    );
    let sitemaps = client.sitemaps(&account, SITE, app.now()).await.unwrap().read;
    let paths: Vec<&str> = sitemaps.iter().map(|sitemap| sitemap.path.as_str()).collect();
    assert_eq!(paths, [SITEMAP, "https://shop.example/\u{fffd}.xml"]);
    let sites = client.sites(&account, app.now()).await.unwrap();
    let names: Vec<&str> = sites.iter().map(|site| site.site_url.as_str()).collect();
    assert_eq!(names, ["https://shop.example/\u{fffd}/", SITE]);
}

/// The day is asked for again as long as corrections may come. Google refuses one of the questions.
#[tokio::test]
async fn what_is_stored_stays_where_a_question_is_refused() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    round(&app, &google).await;
    let before = stored(&app).await;
    answers(
        &google,
        "\"startDate\":\"2026-03-28\",\"endDate\":\"2026-03-28\",\"dimensions\":[\"QUERY\",\"COUNTRY\",\"DEVICE\"]",
        400,
        "{\"error\":{\"status\":\"INVALID_ARGUMENT\"}}",
    );
    round(&app, &google).await;
    assert_eq!(stored(&app).await, before);
    let sums = "SELECT string_agg(v.value, ', ' ORDER BY v.value) FROM search_sums AS s
        JOIN search_values AS v ON v.id = s.value_id WHERE s.date = '2026-03-28' AND s.kind = 1";
    assert_eq!(cell(&app, sums).await.as_deref(), Some("hats, red shoes"));
}

/// A day that can't be read is of a row that is left out, and so is one of an hour; what is said of the first incomplete ones is
/// as if it was not said, so that days that may still change count as final for once.
#[tokio::test]
async fn days_and_hours_that_nobody_can_read_are_left_out_and_the_others_come_in() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let row = |key: &str| json!({ "keys": [key], "clicks": 4, "impressions": 55, "ctr": 0, "position": 6 });
    let told = |keys: &[&str], metadata: Value| {
        let rows: Vec<Value> = keys.iter().map(|key| row(key)).collect();
        json!({ "rows": rows, "metadata": metadata }).to_string()
    };
    let days = ["2026-03-27", "2026-03-28", "99999-01-01"];
    let incomplete = json!({ "firstIncompleteDate": "99999-01-01" });
    answers(&google, "\"dimensions\":[\"DATE\"]", 200, told(&days, incomplete));
    let hours = [
        "2026-03-30T01:00:00-07:00",
        "2026-03-30T02:00:00+24:00",
        "2026-03-30T03:00:00-07:00",
    ];
    let incomplete = json!({ "firstIncompleteHour": 7 });
    answers(
        &google,
        "\"dimensions\":[\"HOUR\"]",
        200,
        told(&hours, incomplete),
    );
    round(&app, &google).await;
    let property = read(&app, "property").await;
    assert_eq!(
        (&property["last_sync_status"], &property["data_through"]),
        (&json!("succeeded"), &json!("2026-03-28"))
    );
    let stored = "SELECT string_agg(date::text, ' ' ORDER BY date) FROM search_days";
    assert_eq!(cell(&app, stored).await.as_deref(), Some("2026-03-27 2026-03-28"));
    let hours = "SELECT count(*)::text FROM search_hours";
    assert_eq!(cell(&app, hours).await.as_deref(), Some("2"));
}

/// The row of a day that was stored can't be read: the day stays as it was.
#[tokio::test]
async fn a_day_whose_row_may_be_the_one_that_nobody_can_read_stays() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    round(&app, &google).await;
    for unread in [json!(""), json!(20_260_327), Value::Null] {
        let days = (25..=31).map(|day| {
            let key = if day == 27 {
                unread.clone()
            } else {
                json!(format!("2026-03-{day}"))
            };
            json!({ "keys": [key], "clicks": 4, "impressions": 55, "ctr": 0, "position": 6 })
        });
        let days: Vec<Value> = days.collect();
        answers(
            &google,
            "\"dimensions\":[\"DATE\"]",
            200,
            json!({ "rows": days, "metadata": { "firstIncompleteDate": "2026-03-29" } }).to_string(),
        );
        round(&app, &google).await;
        let kept = "SELECT clicks::text FROM search_days WHERE date = '2026-03-27'";
        assert_eq!(cell(&app, kept).await.as_deref(), Some("4"), "{unread}");
        let property = read(&app, "property").await;
        assert_eq!(
            (&property["last_sync_status"], &property["data_through"]),
            (&json!("partial"), &json!("2026-03-28")),
            "{unread}"
        );
        google.is_well();
    }
}

/// The 27th is final, and its totals are as they were.
#[tokio::test]
async fn a_final_day_does_not_lose_its_queries_or_pages_to_an_answer_without_any() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    round(&app, &google).await;
    let before = stored(&app).await;
    for holds in [
        "\"startDate\":\"2026-03-27\",\"endDate\":\"2026-03-27\",\"dimensions\":[\"QUERY\",\"COUNTRY\",\"DEVICE\"]",
        "\"startDate\":\"2026-03-27\",\"endDate\":\"2026-03-27\",\"dimensions\":[\"PAGE\",\"COUNTRY\",\"DEVICE\"]",
    ] {
        answers(&google, holds, 200, "{}");
        round(&app, &google).await;
        assert_eq!(stored(&app).await, before, "{holds}");
        let property = read(&app, "property").await;
        assert_eq!(
            (&property["last_sync_status"], &property["data_through"]),
            (&json!("partial"), &json!("2026-03-28")),
            "{holds}"
        );
        google.is_well();
    }
}

/// Nobody can tell such a day from one without searches: it is missing, and not zero.
#[tokio::test]
async fn a_day_whose_totals_are_impossible_is_missing() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    round(&app, &google).await;
    let days = (25..=31).map(|day| {
        let impressions = if day == 27 { json!(-5) } else { json!(55) };
        json!({ "keys": [format!("2026-03-{day}")], "clicks": 4, "impressions": impressions, "ctr": 0, "position": 6 })
    });
    let days: Vec<Value> = days.collect();
    answers(
        &google,
        "\"dimensions\":[\"DATE\"]",
        200,
        json!({ "rows": days, "metadata": { "firstIncompleteDate": "2026-03-29" } }).to_string(),
    );
    round(&app, &google).await;
    let kept = "SELECT clicks::text FROM search_days WHERE date = '2026-03-27'";
    assert_eq!(cell(&app, kept).await.as_deref(), Some("4"), "as it was before");
    let property = read(&app, "property").await;
    assert_eq!(property["last_sync_status"], "partial");
    assert_eq!(
        (&property["data_through"], &property["provisional_through"]),
        (&json!("2026-03-28"), &json!("2026-03-31")),
        "what is stored is still there"
    );
}

#[tokio::test]
async fn a_search_type_that_cannot_be_read_keeps_no_other_waiting() {
    let app = TestApp::start().await;
    of_types(&app, &["web", "discover"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    answers(&google, "\"type\":\"DISCOVER\"", 200, "{\"rows\":\"none\"}");
    round(&app, &google).await;
    past(&app, &google).await;
    assert_eq!(days(&app).await, "1:16");
    let property = read(&app, "property").await;
    assert_eq!(
        (&property["status"], &property["last_sync_status"]),
        (&json!("connected"), &json!("partial"))
    );
    assert_eq!(
        property["data_through"], "2026-03-28",
        "as far as what can be read"
    );
    google.is_well();
    round(&app, &google).await;
    past(&app, &google).await;
    assert_eq!(days(&app).await, "1:16 2:16");
    assert_eq!(read(&app, "property").await["data_through"], "2026-03-28");
}

/// Discover's newest final day is garbled: nothing is known of it, web search goes on, and it comes in once it can be read.
#[tokio::test]
async fn a_newest_day_of_one_search_type_keeps_no_other_waiting() {
    let app = TestApp::start().await;
    of_types(&app, &["web", "discover"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    // By country alone: only Discover is asked that.
    answers(
        &google,
        "\"startDate\":\"2026-03-28\",\"endDate\":\"2026-03-28\",\"dimensions\":[\"COUNTRY\"]",
        200,
        "{\"rows\":[{\"keys\":[\"us",
    );
    round(&app, &google).await;
    let property = read(&app, "property").await;
    assert_eq!(
        (&property["last_sync_status"], &property["data_through"]),
        (&json!("partial"), &json!("2026-03-28"))
    );
    let clicks = async |search_type: &str| {
        let path = format!("timeseries?start_date=2026-03-27&end_date=2026-03-28&search_type={search_type}");
        let series = read(&app, &path).await;
        json!([series["points"][0]["clicks"], series["points"][1]["clicks"]])
    };
    assert_eq!(clicks("discover").await, json!([2, null]));
    assert_eq!(clicks("web").await, json!([4, 4]));
    google.is_well();
    round(&app, &google).await;
    app.clock.advance(Duration::hours(2));
    assert_eq!(clicks("discover").await, json!([2, 2]));
    let missed = "SELECT count(*)::text FROM search_missed_days";
    assert_eq!(cell(&app, missed).await.as_deref(), Some("0"));
}

/// Web search alone is imported: a day of which nothing can be read holds those after it for a week.
#[tokio::test]
async fn a_newest_day_that_nobody_can_read_is_missed_after_a_week() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    answers(
        &google,
        "\"startDate\":\"2026-03-26\",\"endDate\":\"2026-03-26\"",
        200,
        "{\"rows\":[{\"keys\":[\"red sh",
    );
    round(&app, &google).await;
    assert_eq!(read(&app, "property").await["data_through"], "2026-03-25");
    app.clock.advance(Duration::days(3));
    round(&app, &google).await;
    assert_eq!(read(&app, "property").await["data_through"], "2026-03-31");
    let missed = "SELECT string_agg(search_type || ' ' || date, ', ') FROM search_missed_days";
    assert_eq!(cell(&app, missed).await.as_deref(), Some("1 2026-03-26"));
}

/// Somebody between Pharos and Google answers, or nobody to the end.
#[tokio::test]
async fn pages_instead_of_answers_change_nothing() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    round(&app, &google).await;
    let before = stored(&app).await;
    for body in [
        "<!doctype html><title>Sign in to the network</title>",
        "",
        "{\"rows\":[{\"keys\":[\"2026-03",
    ] {
        answers(&google, "", 200, body);
        round(&app, &google).await;
        assert_eq!(stored(&app).await, before, "{body}");
        let property = read(&app, "property").await;
        assert_eq!(
            (
                &property["status"],
                &property["last_sync_status"],
                &property["data_through"]
            ),
            (&json!("connected"), &json!("failed"), &json!("2026-03-28")),
            "{body}"
        );
        google.is_well();
    }
}

#[tokio::test]
async fn only_google_itself_says_that_a_permission_was_lost() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    round(&app, &google).await;
    for (status, body) in [
        (403, "<html>Blocked by the firewall</html>"),
        (404, "<html>"),
        (403, "{\"error\":"),
    ] {
        answers(&google, "", status, body);
        round(&app, &google).await;
        let property = read(&app, "property").await;
        assert_eq!(property["status"], "connected", "{status} {body}");
        assert_eq!(property["last_sync_status"], "failed", "{status} {body}");
        google.is_well();
    }
    let told = "SELECT count(*)::text FROM notifications WHERE kind = 'module_disconnected'";
    assert_eq!(cell(&app, told).await.as_deref(), Some("0"));
}

/// A question about web search on a day.
fn question<'a>(site_url: &'a str, date: Date, dimension: &'static [Dimension]) -> SearchAnalyticsQuery<'a> {
    SearchAnalyticsQuery {
        site_url,
        search_type: SearchType::Web,
        start: date,
        end: date,
        dimensions: dimension,
        data_state: DataState::Final,
        appearance: None,
    }
}

async fn ask(client: &GoogleClient, account: &Account, clock: &dyn Clock, site_url: &str) {
    let question = question(site_url, date!(2026 - 03 - 20), &[Dimension::Date]);
    client.search_analytics(account, &question, clock).await.unwrap();
}

/// The token is replaced, and the question asked once more.
#[tokio::test]
async fn a_token_that_counts_no_more_is_replaced_once() {
    let app = TestApp::start().await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let (client, account) = (client(&google), account(&app));
    ask(&client, &account, &*app.clock, SITE).await;
    google.asked();
    answers(&google, "", 401, "{\"error\":{\"status\":\"UNAUTHENTICATED\"}}");
    let question = question(SITE, date!(2026 - 03 - 20), &[Dimension::Date]);
    let answered = client.search_analytics(&account, &question, &*app.clock).await;
    assert!(
        matches!(answered, Err(GoogleError::Unauthorized { .. })),
        "{answered:?}"
    );
    let asked = google.asked().into_iter().map(|request| request.path);
    let asked: Vec<bool> = asked.map(|path| path.ends_with("/token")).collect();
    assert_eq!(asked, [false, true, false]);
    google.is_well();
    ask(&client, &account, &*app.clock, SITE).await;
}

/// Google gives tokens for 59 minutes and 59 seconds. None is used within a minute of its end.
#[tokio::test]
async fn a_token_is_replaced_before_its_end() {
    let app = TestApp::start().await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let (client, account) = (client(&google), account(&app));
    ask(&client, &account, &*app.clock, SITE).await;
    google.asked();
    let asked = async |pause| {
        app.clock.advance(pause);
        ask(&client, &account, &*app.clock, SITE).await;
        let asked = google.asked().into_iter();
        asked
            .map(|request| request.path.ends_with("/token"))
            .collect::<Vec<bool>>()
    };
    assert_eq!(asked(Duration::minutes(58)).await, [false]);
    assert_eq!(asked(Duration::MINUTE).await, [true, false]);
}

#[tokio::test]
async fn more_rows_than_were_asked_for_are_no_answer() {
    let app = TestApp::start().await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let (client, account) = (client(&google), account(&app));
    let row =
        |at: u32| json!({ "keys": [format!("query {at}")], "clicks": 1, "impressions": 1, "position": 1 });
    let rows: Vec<Value> = (0..25_001).map(row).collect();
    answers(&google, "", 200, json!({ "rows": rows }).to_string());
    let question = question(SITE, date!(2026 - 03 - 28), &[Dimension::Query]);
    let answered = client.search_analytics(&account, &question, &*app.clock).await;
    assert!(matches!(answered, Err(GoogleError::Malformed(_))), "{answered:?}");
}

/// Those of before stay, and one question less is asked of an upstream that fails.
#[tokio::test]
async fn sitemaps_are_asked_for_after_an_import_that_was_whole() {
    let app = TestApp::start().await;
    of_types(&app, &["web", "discover"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    answers(&google, "\"type\":\"DISCOVER\"", 200, "{\"rows\":\"none\"}");
    let asked = async || {
        google.asked();
        round(&app, &google).await;
        let asked = google.asked().into_iter();
        asked
            .filter(|request| request.path.ends_with("/sitemaps"))
            .count()
    };
    assert_eq!(asked().await, 0);
    google.is_well();
    assert_eq!(asked().await, 1);
}

/// A day of 30,000 queries that gets another one with each question, which is above all others.
#[derive(Default)]
struct Growing(AtomicU32);

impl Facts for Growing {
    fn of(&self, date: Date, search_type: &str) -> Vec<Fact> {
        let mut facts = Many.of(date, search_type);
        let asked = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        let more: Vec<Fact> = facts
            .first()
            .into_iter()
            .flat_map(|first| {
                (0..asked).map(move |at| Fact {
                    query: Some(format!("new {at}")),
                    clicks: first.clicks + 1,
                    impressions: first.clicks + 1,
                    ..first.clone()
                })
            })
            .collect();
        facts.extend(more);
        facts
    }
}

/// The first page is of an answer with one new query, the second of one with two, so that it begins with the end of the first.
#[tokio::test]
async fn a_row_that_comes_again_on_the_next_page_counts_once() {
    let app = TestApp::start().await;
    let google = Google::of(Growing::default(), app.clock.clone()).await;
    let (client, account) = (client(&google), account(&app));
    let question = question(SITE, date!(2026 - 03 - 28), &[Dimension::Query]);
    let answered = client.search_analytics(&account, &question, &*app.clock).await;
    let rows = answered.unwrap().rows;
    assert_eq!(rows.len(), 30_001);
    let keys: BTreeSet<&Vec<String>> = rows.iter().map(|row| &row.keys).collect();
    assert_eq!(keys.len(), rows.len());
}

/// The answer is of one page, which is not full.
#[tokio::test]
async fn a_row_that_stands_twice_on_a_page_counts_once() {
    let app = TestApp::start().await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let (client, account) = (client(&google), account(&app));
    let row = |query: &str| json!({ "keys": [query], "clicks": 1, "impressions": 2, "position": 1 });
    let rows = json!({ "rows": [row("red shoes"), row("hats"), row("red shoes")] });
    answers(&google, "\"dimensions\":[\"QUERY\"]", 200, rows.to_string());
    let question = question(SITE, date!(2026 - 03 - 28), &[Dimension::Query]);
    let answered = client.search_analytics(&account, &question, &*app.clock).await;
    let rows = answered.unwrap().rows;
    let keys: Vec<&str> = rows.iter().map(|row| row.keys[0].as_str()).collect();
    assert_eq!(keys, ["red shoes", "hats"]);
}

/// 14,000 keys of 2,500 bytes are 35 million.
#[tokio::test]
async fn an_answer_is_read_as_far_as_its_keys_have_the_most_bytes() {
    let app = TestApp::start().await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let (client, account) = (client(&google), account(&app));
    let rows: Vec<String> = (0..14_000)
        .map(|at| format!("{{\"keys\":[\"{at:02500}\"],\"impressions\":1}}"))
        .collect();
    let body = format!("{{\"rows\":[{}]}}", rows.join(","));
    answers(&google, "\"dimensions\":[\"QUERY\"]", 200, body);
    let question = question(SITE, date!(2026 - 03 - 28), &[Dimension::Query]);
    let answered = client.search_analytics(&account, &question, &*app.clock).await;
    assert_eq!(answered.unwrap().rows.len(), MOST_OF_KEYS / 2_500);
}

/// An account that nobody has stored.
pub(super) fn account(app: &TestApp) -> Account {
    Account {
        id: SearchAccountId::generate(),
        workspace: app.world.workspace,
        label: "ada@shop.example".to_owned(),
        credentials: Credentials::Oauth {
            refresh_token: Secret::from("the-refresh-token".to_owned()),
        },
        given_by: None,
    }
}

/// Twenty questions of one property have most of a second to wait; one of another is asked at once.
#[tokio::test]
async fn no_property_waits_for_the_pace_of_another() {
    let app = TestApp::start().await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let (client, account) = (client(&google), account(&app));
    // The token is there before anybody waits.
    ask(&client, &account, &*app.clock, SITE).await;
    google.asked();
    let first = join_all((0..20).map(|_| ask(&client, &account, &*app.clock, SITE)));
    let other = async {
        ask(&client, &account, &*app.clock, "https://www.shop.example/").await;
        google.asked().len()
    };
    let (_, asked) = tokio::join!(first, other);
    assert!(asked < 20, "{asked} came before it");
}

/// Ten questions of either property take less than half a second. Both are asked by one account, which two workspaces have: its
/// twenty take most of a second.
#[tokio::test]
async fn an_account_keeps_its_pace_over_all_its_properties() {
    let app = TestApp::start().await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let client = client(&google);
    let (first, second) = (account(&app), account(&app));
    let ten = async |account: &Account, site_url: &str| {
        join_all((0..10).map(|_| ask(&client, account, &*app.clock, site_url))).await;
    };
    let begun = Instant::now();
    tokio::join!(ten(&first, SITE), ten(&second, "https://www.shop.example/"));
    let took = begun.elapsed();
    assert!(took >= StdDuration::from_millis(900), "{took:?}");
}
