//! The overview and the series over time.

use serde_json::{Value, json};

use super::{block, close, shop};
use crate::search::{read, try_read};

#[tokio::test]
async fn the_overview_tells_totals_days_and_what_is_hidden() {
    let app = shop().await;
    let overview = read(&app, "overview").await;
    assert_eq!(
        (&overview["meta"]["range_start"], &overview["meta"]["range_end"]),
        (&json!("2026-02-28"), &json!("2026-03-29"))
    );
    assert_eq!(overview["meta"]["data_through"], "2026-03-28");
    assert_eq!(
        (&overview["clicks"], &overview["impressions"]),
        (&json!(8), &json!(85))
    );
    close(&overview["ctr"], 8.0 / 85.0);
    // 180 + 10 + 60 + 50 + 80.
    close(&overview["position"], 380.0 / 85.0);
    assert_eq!(
        (&overview["queries_count"], &overview["pages_count"]),
        (&json!(2), &json!(3))
    );
    assert_eq!(
        (
            &overview["anonymized_clicks"],
            &overview["anonymized_impressions"]
        ),
        (&json!(1), &json!(5))
    );
    assert_eq!(overview["anonymized_clicks_pct"], 12.5);
    assert_eq!(overview["data_state"], "all");
    assert_eq!(overview["aggregation"], "by_property");
    assert!(overview.get("comparison").is_none());
    let days = overview["items"].as_array().unwrap();
    assert_eq!(days.len(), 30);
    assert_eq!(days[1]["date"], "2026-03-01");
    assert_eq!(days[1]["clicks"], 4);
    // Nothing is stored of the day in any search type.
    assert_eq!(days[3]["clicks"], Value::Null);
    assert_eq!(days[29]["clicks"], 1);
    // The window is not covered, so no row is no zero.
    assert_eq!(overview["by_search_type"]["discover"], Value::Null);

    let covered = read(&app, "overview?end_date=2026-03-28").await;
    assert_eq!(covered["data_state"], "final");
    assert_eq!(
        block(&covered["by_search_type"]["discover"]),
        json!([0, 0, null, null])
    );
    assert_eq!(covered["by_search_type"]["news"], Value::Null, "not imported");
    let discover = read(&app, "overview?end_date=2026-03-28&search_type=discover").await;
    assert_eq!(block(&discover), json!([0, 0, null, null]));
    assert_eq!(
        (&discover["queries_count"], &discover["anonymized_clicks"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(discover["aggregation"], "by_page");
    assert_eq!(
        (&discover["items"][2]["clicks"], &discover["items"][9]["clicks"]),
        (&json!(0), &Value::Null)
    );
    let news = read(&app, "overview?search_type=news").await;
    assert_eq!(block(&news), json!([null, null, null, null]));
}

#[tokio::test]
async fn the_overview_compares() {
    let app = shop().await;
    let two = "overview?start_date=2026-03-02&end_date=2026-03-02&compare_previous=true";
    let compared = read(&app, two).await["comparison"].clone();
    // 3 of 30 at 110/30, against 4 of 45 at 190/45.
    assert_eq!(
        compared["clicks"],
        json!({ "current": 3.0, "previous": 4.0, "change": -1.0, "change_pct": -25.0 })
    );
    close(&compared["position"]["change"], 110.0 / 30.0 - 190.0 / 45.0);
    close(&compared["ctr"]["previous"], 4.0 / 45.0);
    assert_eq!(compared["compare_mode"], "previous_period");
    // The days before begin before what was imported.
    let early = read(
        &app,
        "overview?start_date=2026-02-20&end_date=2026-03-29&compare_previous=true&compare_mode=calendar_month",
    )
    .await;
    assert_eq!(early["comparison"]["compare_mode"], "calendar_month");
    assert_eq!(early["comparison"]["clicks"]["previous"], Value::Null);
    let before_history = read(
        &app,
        "overview?start_date=2026-01-05&end_date=2026-03-29&compare_previous=true",
    )
    .await;
    assert_eq!(before_history["comparison"]["clicks"]["current"], 8.0);
    assert_eq!(before_history["comparison"]["clicks"]["change"], Value::Null);
}

#[tokio::test]
async fn a_series_has_every_piece_and_says_what_is_final() {
    let app = shop().await;
    let weeks = read(
        &app,
        "timeseries?start_date=2026-03-01&end_date=2026-03-31&granularity=week",
    )
    .await;
    let points = weeks["points"].as_array().unwrap();
    let starts: Vec<&Value> = points.iter().map(|point| &point["bucket_start"]).collect();
    // 1 March is a Sunday.
    assert_eq!(
        starts,
        [
            "2026-02-23",
            "2026-03-02",
            "2026-03-09",
            "2026-03-16",
            "2026-03-23",
            "2026-03-30"
        ]
    );
    let clicks: Vec<&Value> = points.iter().map(|point| &point["clicks"]).collect();
    assert_eq!(json!(clicks), json!([4, 3, null, null, 1, null]));
    let finals: Vec<&Value> = points.iter().map(|point| &point["is_final"]).collect();
    assert_eq!(json!(finals), json!([true, true, true, true, false, false]));
    assert_eq!(
        weeks["annotations"],
        json!([
            { "date": "2026-03-24", "kind": "search_update", "label": "March 2026 spam update" },
            { "date": "2026-03-27", "kind": "search_update", "label": "March 2026 core update" },
        ])
    );
    let window = "timeseries?start_date=2026-03-01&end_date=2026-03-03";
    for (filter, expected) in [
        ("&query=red%20shoes", json!([3, 3, null])),
        ("&query=Red%20shoes", json!([null, null, null])),
        ("&page=https://shop.example/shoes/", json!([4, 2, null])),
        (
            "&page=https://shop.example/shoes/&query=red%20shoes",
            json!([3, 2, null]),
        ),
        // Final days on which the property had something.
        ("&page=https://shop.example/hats", json!([0, 0, null])),
        ("&country=fr", json!([0, 1, null])),
        ("&country=fr&device=mobile", json!([0, 0, null])),
        ("&country=fr&query=red%20shoes", json!([0, 1, null])),
        (
            "&device=mobile&page=https://shop.example/shoes/",
            json!([4, 2, null]),
        ),
        ("&country=jp", json!([0, 0, null])),
        (
            "&search_type=discover&query=red%20shoes",
            json!([null, null, null]),
        ),
        ("&search_type=discover", json!([0, 0, null])),
    ] {
        let series = read(&app, &format!("{window}{filter}")).await;
        let points = series["points"].as_array().unwrap();
        let clicks: Vec<&Value> = points.iter().map(|point| &point["clicks"]).collect();
        assert_eq!(json!(clicks), expected, "{filter}");
    }
    for name in ["page", "query"] {
        let unsaid = try_read(&app, &format!("{window}&{name}=")).await;
        assert_eq!(unsaid.faults(), [name]);
    }
    let filtered = read(&app, &format!("{window}&country=fr&device=desktop")).await;
    assert_eq!(
        filtered["filters"],
        json!({ "page": null, "query": null, "country": "FR", "device": "desktop" })
    );
    let domain = app.world.domain;
    app.sql(&format!(
        "INSERT INTO search_missed_days (domain_id, search_type, date) VALUES ('{domain}', 2, '2026-03-02')"
    ))
    .await;
    // The window is another one, since answers are kept.
    let feed = read(
        &app,
        "timeseries?start_date=2026-03-01&end_date=2026-03-02&search_type=discover",
    )
    .await;
    let clicks = json!([feed["points"][0]["clicks"], feed["points"][1]["clicks"]]);
    assert_eq!(clicks, json!([0, null]), "one could not be read yet");
    assert_eq!(feed["data_state"], "all");
}

/// A country that there is not has no figures, and 0 would say that nobody searched there.
#[tokio::test]
async fn a_country_that_does_not_exist_is_refused() {
    let app = shop().await;
    for operation in [
        "timeseries",
        "queries",
        "pages",
        "devices",
        "position-distribution",
    ] {
        for country in ["usa", "Germany", "QQ", "U1", ""] {
            let reply = try_read(&app, &format!("{operation}?country={country}")).await;
            let faults = reply.faults();
            assert!(
                faults.iter().any(|fault| fault == "country"),
                "{operation} {country}: {faults:?}"
            );
        }
        let known = read(&app, &format!("{operation}?country=us")).await;
        assert!(known["meta"].is_object(), "{operation}");
    }
    let refused = try_read(&app, "timeseries?country=usa").await;
    assert_eq!(
        refused.problem(400, "invalid-request")["errors"],
        json!([{ "parameter": "country", "detail": "not two letters of ISO 3166-1, such as US" }])
    );
}

/// Nothing was imported before 1 January. The first window begins 17 months ago, before all that Google keeps.
#[tokio::test]
async fn a_window_that_was_not_imported_is_neither_final_nor_zero() {
    let app = shop().await;
    let nothing = json!({ "clicks": null, "impressions": null, "ctr": null, "position": null });
    for (window, state, through) in [
        ("start_date=2024-10-31&end_date=2024-11-29", "all", Value::Null),
        ("start_date=2025-11-01&end_date=2025-11-30", "all", Value::Null),
        (
            "start_date=2025-12-20&end_date=2026-01-10",
            "all",
            json!("2026-01-10"),
        ),
        // Imported, and the property had nothing at all.
        (
            "start_date=2026-02-01&end_date=2026-02-20",
            "final",
            json!("2026-02-20"),
        ),
    ] {
        for list in ["queries", "pages"] {
            let found = read(&app, &format!("{list}?{window}")).await;
            assert_eq!(found["totals"], nothing, "{list} {window}");
        }
        for operation in ["queries", "pages", "overview", "timeseries"] {
            let found = read(&app, &format!("{operation}?{window}")).await;
            assert_eq!(found["data_state"], state, "{operation} {window}");
            assert_eq!(found["meta"]["data_through"], through, "{operation} {window}");
        }
    }
    let known = "start_date=2026-03-01&end_date=2026-03-28";
    let zero = json!({ "clicks": 0, "impressions": 0, "ctr": null, "position": null });
    for (list, expected) in [
        ("queries?search=nothing", &zero),
        ("pages?country=JP", &zero),
        ("pages?search_type=discover", &zero),
        ("queries?search_type=discover", &nothing),
        ("queries?search_type=news", &nothing),
        ("queries?branded=true", &nothing),
    ] {
        let found = read(&app, &format!("{list}&{known}")).await;
        assert_eq!(&found["totals"], expected, "{list}");
    }
}
