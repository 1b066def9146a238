//! The rows of every report of the log, worked out by hand. The numbers in brackets are those of the sessions in the log.

use pharos_analytics::reports::ReportKey;
use serde_json::{Value, json};

use super::{
    reports::{rows, worker},
    told,
};

/// The rows of a report, each with its cells in the order of the columns, in the order of their texts: which of two rows with as
/// many visitors comes first is not said.
fn cells(report: &Value) -> Vec<Vec<Value>> {
    let columns = report["columns"].as_array().unwrap();
    let items = report["items"].as_array().unwrap();
    let mut rows: Vec<Vec<Value>> = items
        .iter()
        .map(|row| {
            let cells = columns
                .iter()
                .map(|column| &row[column["name"].as_str().unwrap()]);
            cells.cloned().collect()
        })
        .collect();
    rows.sort_by_key(|row| texts(row));
    rows
}

/// The cells of a row that are no figures.
fn texts(row: &[Value]) -> Vec<String> {
    let texts = row.iter().filter(|cell| !cell.is_number());
    texts.map(Value::to_string).collect()
}

/// Whether two cells say the same: a whole number is one with and without a decimal point.
fn is_same(found: &Value, expected: &Value) -> bool {
    match (found.as_f64(), expected.as_f64()) {
        (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
        _ => found == expected,
    }
}

/// Sources: 1, 14 and 15 come from Google, 7 from Facebook, 13 from Twitter, 5 by an advertisement, 10 by mail. All others are direct.
fn sources() -> Value {
    json!([
        ["direct", "direct", null, null, 7, 9, 9, 400.0 / 9.0, 300],
        [
            "organic_search",
            "google",
            null,
            "google.com",
            2,
            3,
            4,
            100.0 / 3.0,
            2_140.0 / 3.0
        ],
        ["organic_social", "facebook", null, "facebook.com", 1, 1, 1, 0, 60],
        ["organic_social", "twitter", null, "t.co", 1, 1, 1, 100, 20],
        ["paid_search", "google", "cpc", null, 1, 1, 1, 100, 0],
        ["email", "newsletter", "email", null, 1, 1, 2, 0, 1_200],
    ])
}

/// Pages, each by how its sessions came.
fn pages_by_source() -> Value {
    json!([
        // 2, 4, 8, 11; 1; 10; 13.
        ["/", "direct", "direct", 4, 4, 4],
        ["/", "organic_search", "google", 1, 1, 1],
        ["/", "email", "newsletter", 1, 1, 1],
        ["/", "organic_social", "twitter", 1, 1, 1],
        // 3, 11; 1, 14; 5; 7.
        ["/a", "direct", "direct", 2, 2, 2],
        ["/a", "organic_search", "google", 2, 2, 2],
        ["/a", "paid_search", "google", 1, 1, 1],
        ["/a", "organic_social", "facebook", 1, 1, 1],
        // 6, 12; 1.
        ["/b", "direct", "direct", 2, 2, 2],
        ["/b", "organic_search", "google", 1, 1, 1],
        ["/landing", "email", "newsletter", 1, 1, 1],
        ["/shop", "direct", "direct", 1, 1, 1],
    ])
}

/// Hours: visitors, sessions that began, views and events. Session 10 goes on into the hour after that in which it began.
fn hours() -> Value {
    json!([
        ["2026-03-30T10:00:00Z", 1, 1, 3, 0],
        ["2026-03-30T11:00:00Z", 1, 2, 2, 0],
        ["2026-03-30T12:00:00Z", 1, 1, 1, 1],
        ["2026-03-30T23:00:00Z", 1, 1, 1, 0],
        ["2026-03-31T00:00:00Z", 1, 1, 1, 0],
        ["2026-03-31T09:00:00Z", 1, 1, 1, 0],
        ["2026-03-31T10:00:00Z", 1, 1, 1, 0],
        ["2026-03-31T11:00:00Z", 2, 2, 2, 5],
        ["2026-03-31T12:00:00Z", 1, 0, 1, 0],
        ["2026-04-01T08:00:00Z", 1, 2, 3, 0],
        ["2026-04-01T09:00:00Z", 1, 1, 1, 0],
        ["2026-04-01T10:00:00Z", 1, 2, 1, 1],
        ["2026-04-01T12:00:00Z", 1, 1, 0, 4],
    ])
}

/// The first four days, of sessions 1 to 16.
#[tokio::test(flavor = "multi_thread")]
async fn the_rows_of_every_report_are_those_that_were_worked_out_by_hand() {
    let app = told().await;
    let _worker = worker(&app).await;
    let expected = [
        ("sources_full", sources()),
        (
            "campaigns_full",
            json!([
                ["spring", "google", "cpc", null, null, 1, 1, 1, 100, 0],
                ["march", "newsletter", "email", null, null, 1, 1, 2, 0, 1_200],
            ]),
        ),
        (
            "events_full",
            json!([
                // 9 twice, 16 three times.
                ["purchase", "/shop", 5, 2, 2],
                // 4; 15.
                ["signup", "/", 1, 1, 1],
                ["signup", "/a", 1, 1, 1],
                ["view_item", "/shop", 1, 1, 1],
                ["add_to_cart", "/shop", 1, 1, 1],
                ["begin_checkout", "/shop", 1, 1, 1],
                ["refund", "/shop", 1, 1, 1],
            ]),
        ),
        (
            "event_properties_full",
            json!([
                ["signup", "user", "ada", 1, 1],
                ["signup", "user", "bob", 1, 1],
                ["signup", "seats", "2", 1, 1],
                ["signup", "seats", "5", 1, 1],
            ]),
        ),
        (
            "ecommerce_orders_by_product",
            json!([
                // The order that is told twice counts once.
                ["P1", "Pot", null, null, null, 1, 2, 80],
                ["P2", "Lid", null, null, null, 1, 1, 20],
                // The one in dollars has the product's id alone, and is no revenue.
                ["P1", null, null, null, null, 1, 1, 0],
            ]),
        ),
        ("pages_by_source", pages_by_source()),
        (
            "countries_by_page",
            json!([
                // 1, 4, 11; 2, 10, 13; 8.
                ["/", "DE", 3, 3, 3],
                ["/", "FR", 3, 3, 3],
                ["/", "US", 1, 1, 1],
                // 1, 7, 11, 14; 3, 5.
                ["/a", "DE", 4, 4, 4],
                ["/a", "FR", 2, 2, 2],
                // 1, 12; 6.
                ["/b", "DE", 2, 2, 2],
                ["/b", "FR", 1, 1, 1],
                ["/landing", "FR", 1, 1, 1],
                ["/shop", "DE", 1, 1, 1],
            ]),
        ),
        ("hourly_traffic", hours()),
    ];
    // Pages have a test of their own, by their filters.
    let keys = expected.iter().map(|(key, _)| *key);
    let keys: Vec<&str> = ["pages_full"].into_iter().chain(keys).collect();
    let all: Vec<&str> = ReportKey::ALL.iter().map(|key| key.as_str()).collect();
    assert_eq!(keys, all);
    for (report, expected) in expected {
        let found = rows(&app, report, &json!({ "end_date": "2026-04-02" })).await;
        let found = cells(&found);
        let mut expected: Vec<Vec<Value>> = serde_json::from_value(expected).unwrap();
        expected.sort_by_key(|row| texts(row));
        assert_eq!(found.len(), expected.len(), "{report}: {found:?}");
        for (found, expected) in found.iter().zip(&expected) {
            let mut cells = found.iter().zip(expected);
            assert!(
                found.len() == expected.len() && cells.all(|(found, expected)| is_same(found, expected)),
                "{report}: {found:?} is not {expected:?}"
            );
        }
    }
}
