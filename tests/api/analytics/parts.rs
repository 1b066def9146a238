//! GET /domains/{domain_id}/analytics/timeseries, /sources, /countries, /devices, /searches, /downloads, /outbound-links, /events
//! and /ecommerce, of the log that was worked out by hand.

use pharos_analytics::conformance;
use pharos_domain::collect::{
    Beacon,
    event::{Action, Events, PropertyValue},
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    path,
    reads::{get, number},
    store, told,
};
use crate::harness::TestApp;

const DAYS: &str = "start_date=2026-03-30&end_date=2026-04-03";

/// The values of a series.
fn values(answer: &Value, series: usize) -> Vec<Value> {
    let points = answer["series"][series]["points"].as_array().unwrap();
    points.iter().map(|point| point["value"].clone()).collect()
}

#[tokio::test]
async fn a_series_has_every_piece_of_the_window() {
    let app = told().await;
    let query = format!("timeseries?{DAYS}&metrics=visitors,bounce_rate_pct,revenue,visitors");
    let by_day = get(&app, &query).await;
    assert_eq!(by_day["series"].as_array().unwrap().len(), 3, "each once");
    assert_eq!(values(&by_day, 0), [4.0, 5.0, 4.0, 0.0, 3.0].map(Value::from));
    assert_eq!(
        values(&by_day, 1)[..4],
        [json!(60.0), json!(20.0), json!(50.0), Value::Null]
    );
    assert_eq!(values(&by_day, 2), [0.0, 100.0, -59.0, 0.0, 0.0].map(Value::from));
    // 30 March is a Monday; the window begins on a Wednesday.
    let by_week = get(
        &app,
        "timeseries?start_date=2026-04-01&end_date=2026-04-03&granularity=week&metrics=sessions",
    )
    .await;
    assert_eq!(
        by_week["series"][0]["points"],
        json!([{ "bucket_start": "2026-03-30T00:00:00Z", "value": 9.0 }])
    );
    let by_month = get(
        &app,
        &format!("timeseries?{DAYS}&granularity=month&metrics=orders,sessions"),
    )
    .await;
    assert_eq!(values(&by_month, 0), [1.0, 3.0].map(Value::from));
    assert_eq!(values(&by_month, 1), [10.0, 9.0].map(Value::from));
    // Half past twelve on the last day: 13 hours have begun.
    let by_hour = get(
        &app,
        "timeseries?start_date=2026-04-03&end_date=2026-04-03&granularity=hour&metrics=visitors",
    )
    .await;
    let hours = values(&by_hour, 0);
    assert_eq!(
        (hours.len(), &hours[10], &hours[11], &hours[12]),
        (13, &json!(0.0), &json!(2.0), &json!(1.0))
    );
}

#[tokio::test]
async fn all_that_is_wrong_with_a_series_is_told() {
    let app = told().await;
    let query = "timeseries?period_days=15&granularity=hour&metrics=visitors,clicks";
    let answer = app.get(&path(&app, query), &app.world.key).send().await;
    assert_eq!(answer.status, 400);
    let problem = answer.json();
    let mut parameters: Vec<&str> = problem["errors"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|fault| fault["parameter"].as_str())
        .collect();
    parameters.sort_unstable();
    assert_eq!(parameters, ["granularity", "metrics"]);
    let sold = app.get(
        &path(&app, "ecommerce/overview?period_days=15&granularity=hour"),
        &app.world.key,
    );
    assert_eq!(sold.send().await.status, 400);
}

/// Schemas refuse some faults, and rules that they do not have refuse others.
#[tokio::test]
async fn rules_that_no_schema_has_are_told_with_all_else() {
    let app = told().await;
    let long = "start_date=2024-01-01&granularity";
    for (query, faults) in [
        (
            format!("timeseries?{long}=hour&metrics=clicks&device=phone"),
            &["device", "granularity", "metrics"][..],
        ),
        (
            "timeseries?granularity=minute&metrics=clicks".to_owned(),
            &["granularity", "metrics"],
        ),
        (
            format!("retention?{long}=day&channel=nope"),
            &["channel", "granularity"],
        ),
        (
            format!("ecommerce/overview?{long}=hour&device=mobile"),
            &["device", "granularity"],
        ),
        // How many days there are is not known.
        (
            "ecommerce/overview?start_date=now&granularity=hour".to_owned(),
            &["start_date"],
        ),
    ] {
        let refused = app.get(&path(&app, &query), &app.world.key).send().await;
        assert_eq!(refused.faults(), faults, "{query}");
    }
    // They are judged before anything is looked up.
    let elsewhere = format!(
        "/domains/{}/analytics/timeseries?metrics=clicks",
        uuid::Uuid::now_v7()
    );
    let refused = app.get(&elsewhere, &app.world.key).send().await;
    assert_eq!(refused.faults(), ["metrics"]);
}

#[tokio::test]
async fn sources_have_the_keys_of_their_grouping() {
    let app = told().await;
    let channels = get(&app, &format!("sources?{DAYS}")).await;
    assert_eq!(
        (
            &channels["group_by"],
            &channels["total_rows"],
            &channels["truncated"]
        ),
        (&json!("channel"), &json!(5), &json!(false))
    );
    assert!(channels["rules_version"].is_string(), "{channels}");
    let direct = &channels["items"][0];
    for (member, expected) in [
        ("key", json!("direct")),
        ("label", json!("Direct")),
        ("channel", json!("direct")),
        ("source", Value::Null),
        ("visitors", json!(9)),
        ("sessions", json!(11)),
        ("conversions", json!(4)),
        ("revenue", json!(41.0)),
        ("share_pct", json!(56.25)),
    ] {
        assert_eq!(direct[member], expected, "{member}");
    }
    let pairs = get(
        &app,
        &format!("sources?{DAYS}&group_by=source_medium&channel=paid_search"),
    )
    .await;
    let paid = &pairs["items"][0];
    assert_eq!(
        (&paid["key"], &paid["source"], &paid["medium"], &paid["share_pct"]),
        (
            &json!("google / cpc"),
            &json!("google"),
            &json!("cpc"),
            &json!(100.0)
        )
    );
    let untagged = get(&app, &format!("sources?{DAYS}&group_by=campaign")).await;
    assert_eq!(
        (&untagged["items"][0]["key"], &untagged["items"][0]["label"]),
        (&Value::Null, &json!("(not set)"))
    );
}

#[tokio::test]
async fn places_and_devices_are_named() {
    let app = told().await;
    let countries = get(&app, &format!("countries?{DAYS}")).await;
    let first = &countries["items"][0];
    assert_eq!(
        (&first["country"], &first["country_name"], &first["visitors"]),
        (&json!("DE"), &json!("Germany"), &json!(9))
    );
    let cities = get(&app, &format!("countries?{DAYS}&level=city&country=fr")).await;
    let only = &cities["items"][0];
    assert_eq!(
        (
            &only["city"],
            &only["country"],
            &only["label"],
            &cities["total_rows"]
        ),
        (&Value::Null, &json!("FR"), &json!("Unknown"), &json!(1))
    );
    for nowhere in ["usa", "QQ", ""] {
        let asked = path(&app, &format!("countries?{DAYS}&country={nowhere}"));
        let refused = app.get(&asked, &app.world.key).send().await;
        assert_eq!(refused.faults(), ["country"], "{nowhere}");
    }
    let devices = get(&app, &format!("devices?{DAYS}")).await;
    assert_eq!(
        devices["device_types"][1],
        json!({ "name": "mobile", "visitors": 6, "sessions": 7, "share_pct": 37.5 })
    );
    assert!(devices.get("browser_versions").is_none(), "{devices}");
    let versions = get(&app, &format!("devices?{DAYS}&include_versions=true&os=iOS")).await;
    assert_eq!(versions["browser_versions"][0]["name"], "Safari");
    assert_eq!(versions["screen_sizes"][0]["name"], Value::Null);
}

#[tokio::test]
async fn searches_are_shown_only_where_the_site_stores_them() {
    let app = told().await;
    let off = get(&app, &format!("searches?{DAYS}")).await;
    assert_eq!(
        (&off["items"], &off["storage_enabled"]),
        (&json!([]), &json!(false))
    );
    let settings = json!({ "store_search_terms": true });
    let put = app.put(&path(&app, "config"), &app.world.key, &settings);
    put.send().await.ok();
    let on = get(&app, &format!("searches?{DAYS}")).await;
    assert_eq!(on["storage_enabled"], true);
    assert_eq!(
        on["items"],
        json!([{
            "term": "shoes", "searches": 1, "visitors": 1, "results_count": 0, "exit_rate_pct": 100.0, "share_pct": 6.25,
            "is_zero_result": true,
        }])
    );
}

#[tokio::test]
async fn links_and_downloads_are_told_apart() {
    let app = told().await;
    let files = get(&app, &format!("downloads?{DAYS}")).await;
    assert_eq!(
        (&files["total_clicks"], &files["extensions"]),
        (&json!(1), &json!([{ "extension": "pdf", "clicks": 1 }]))
    );
    assert_eq!(
        files["items"][0],
        json!({
            "url": "https://shop.example/f.pdf", "domain": "shop.example", "file_name": "f.pdf", "extension": "pdf",
            "clicks": 1, "visitors": 1, "top_page": "/a",
        })
    );
    let links = get(&app, &format!("outbound-links?{DAYS}&device=tablet")).await;
    assert_eq!(
        (
            &links["items"][0]["domain"],
            &links["items"][0]["file_name"],
            &links["total_links"]
        ),
        (&json!("other.example"), &Value::Null, &json!(1))
    );
    let none = get(&app, &format!("downloads?{DAYS}&device=tablet")).await;
    assert_eq!((&none["items"], &none["total_clicks"]), (&json!([]), &json!(0)));
}

#[tokio::test]
async fn events_are_paged_by_how_often_they_happened() {
    let app = told().await;
    let mut names = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = get(&app, &format!("events?{DAYS}&limit=4{cursor}")).await;
        assert_eq!(page["events_ever_recorded"], true);
        let items = page["items"].as_array().unwrap();
        names.extend(
            items
                .iter()
                .map(|item| item["event_name"].as_str().unwrap().to_owned()),
        );
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(
        names,
        [
            "purchase",
            "signup",
            "add_to_cart",
            "begin_checkout",
            "refund",
            "view_item"
        ]
    );
    // In place of the filter event, which alone would fit no session with a signup.
    let signup = get(&app, &format!("events?{DAYS}&event=purchase&event_name=signup")).await;
    let only = &signup["items"][0];
    for (member, expected) in [
        ("count", json!(3)),
        ("per_visitor", json!(1.0)),
        ("conversion_rate_pct", json!(18.75)),
        ("revenue", Value::Null),
        ("last_seen_at", json!("2026-04-03T11:40:30Z")),
    ] {
        assert_eq!(only[member], expected, "{member}");
    }
    let bought = get(&app, &format!("events?{DAYS}&event_name=purchase")).await;
    assert_eq!(bought["items"][0]["revenue"], 141.0);
    let never = get(&app, &format!("events?{DAYS}&event_name=%25%27--")).await;
    assert_eq!(never["items"], json!([]));
}

/// 41.00 of orders of 141.00 after a refund of 100.00; 4 orders, one of them in dollars, one told twice.
#[tokio::test]
async fn sales_are_what_was_worked_out() {
    let app = told().await;
    let overview = get(&app, &format!("ecommerce/overview?{DAYS}")).await;
    for (member, expected) in [
        ("revenue", json!(41.0)),
        ("orders", json!(4)),
        ("average_order_value", json!(13.67)),
        ("items_sold", json!(4)),
        ("refunds", json!(1)),
        ("refunded_revenue", json!(100.0)),
        ("unconverted_orders", json!(1)),
        ("duplicate_orders", json!(1)),
        ("revenue_per_visitor", json!(2.56)),
        ("revenue_change", Value::Null),
        ("cart_abandonment_pct", json!(0.0)),
        (
            "funnel",
            json!({ "views": 1, "add_to_carts": 1, "checkouts": 1, "purchases": 4 }),
        ),
    ] {
        assert_eq!(overview[member], expected, "{member}");
    }
    assert!((number(&overview["conversion_rate_pct"]) - 400.0 / 19.0).abs() < 1e-9);
    assert_eq!(overview["items"].as_array().unwrap().len(), 5);
    // 1 and 2 April after 30 and 31 March: −59.00 after 100.00, 3 orders after 1.
    let changed = get(
        &app,
        "ecommerce/overview?start_date=2026-04-01&end_date=2026-04-02&granularity=week",
    )
    .await;
    assert_eq!(
        (&changed["revenue_change"], &changed["orders_change"]),
        (&json!(-159.0), &json!(2.0))
    );
    assert_eq!(
        (
            &changed["items"][0]["bucket_start"],
            &changed["items"][0]["revenue"]
        ),
        (&json!("2026-03-30T00:00:00Z"), &json!(-59.0))
    );
    let channels = get(&app, &format!("ecommerce/channels?{DAYS}")).await;
    assert_eq!(channels["attribution_model"], "last_non_direct");
    let direct = &channels["items"][0];
    assert_eq!(
        (&direct["channel"], &direct["revenue"], &direct["share_pct"]),
        (&json!("direct"), &json!(41.0), &json!(100.0))
    );
    let products = get(&app, &format!("ecommerce/products?{DAYS}&limit=1")).await;
    let first = &products["items"][0];
    for (member, expected) in [
        ("product_id", json!("P1")),
        ("name", json!("Pot")),
        ("purchases", json!(3)),
        ("revenue", json!(80.0)),
        ("average_price", json!(40.0)),
        ("conversion_rate_pct", json!(200.0)),
    ] {
        assert_eq!(first[member], expected, "{member}");
    }
    assert_eq!(products["total_products"], 2);
}

#[tokio::test]
async fn properties_have_values_and_what_numbers_come_to() {
    let app = told().await;
    let found = get(&app, &format!("events/properties?{DAYS}&event_name=signup")).await;
    let user = &found["items"][0];
    assert_eq!(
        (&user["property"], &user["value_type"], &user["numeric"]),
        (&json!("user"), &json!("string"), &Value::Null)
    );
    assert_eq!(
        user["values"][0],
        json!({ "value": "ada", "count": 2, "visitors": 2, "share_pct": 12.5 })
    );
    assert_eq!(
        found["items"][1]["numeric"],
        json!({ "min": 2.0, "max": 5.0, "avg": 3.5, "sum": 7.0 })
    );
    let nameless = app.get(&path(&app, "events/properties"), &app.world.key);
    assert_eq!(nameless.send().await.status, 400);
}

/// The log tells of seats as numbers alone.
#[tokio::test]
async fn a_property_that_is_a_number_and_a_text_is_mixed() {
    let app = told().await;
    let signup = |beacon: &Beacon<Events>| matches!(&beacon.content.0[0].action, Action::Custom { name, .. } if name == "signup");
    let mut log = conformance::beacons(app.world.domain).into_iter();
    let mut again = log.find(signup).unwrap();
    again.id = Uuid::new_v4();
    again.content.0[0].action = Action::Custom {
        name: "signup".to_owned(),
        properties: vec![("seats".to_owned(), PropertyValue::Text("many".to_owned()))],
        commerce: None,
    };
    store(&app, &[again]).await;
    let query = format!("events/properties?{DAYS}&event_name=signup&property=seats");
    let found = get(&app, &query).await;
    assert_eq!(found["items"][0]["value_type"], "mixed");
}

#[tokio::test]
async fn only_those_whom_the_site_identifies_come_back() {
    let app = told().await;
    let by_day = get(&app, &format!("retention?{DAYS}&granularity=day")).await;
    assert_eq!(by_day["basis"], "identified");
    let first = &by_day["cohorts"][0];
    assert_eq!(
        (&first["cohort_start"], &first["visitors"]),
        (&json!("2026-03-30"), &json!(1))
    );
    assert_eq!(
        (
            &first["periods"][1]["retention_pct"],
            &first["periods"][4]["retention_pct"]
        ),
        (&json!(0.0), &json!(100.0))
    );
    // Nobody was first seen on 31 March.
    let second = &by_day["cohorts"][1];
    assert_eq!(
        (&second["visitors"], &second["periods"][0]["returning_visitors"]),
        (&json!(0), &Value::Null)
    );
    let strangers = get(&app, &format!("retention?{DAYS}&device=mobile")).await;
    assert_eq!(
        (&strangers["basis"], &strangers["cohorts"]),
        (&json!("none"), &Value::Null)
    );
    // Each of more than a year's days would have a figure for every day after it.
    let long = path(&app, "retention?start_date=2025-01-01&granularity=day");
    let refused = app.get(&long, &app.world.key).send().await;
    assert_eq!(refused.faults(), ["granularity"]);
    let by_week = get(&app, "retention?start_date=2025-01-01").await;
    assert_eq!(by_week["basis"], "identified");
}

#[tokio::test]
async fn journeys_are_the_first_pages_of_sessions() {
    let app = told().await;
    let found = get(&app, "journeys?depth=2&start=%2Fa").await;
    assert_eq!(
        (
            &found["depth"],
            &found["start"],
            &found["sessions_total"],
            &found["truncated"]
        ),
        (&json!(2), &json!("/a"), &json!(7), &json!(false))
    );
    let second = &found["items"][1];
    assert_eq!(
        (
            &second["path"],
            &second["avg_duration_seconds"],
            &second["exit_pct"]
        ),
        (&json!(["/a", "/b"]), &json!(2140.0), &json!(100.0))
    );
    for depth in ["1", "7"] {
        let answer = app.get(&path(&app, &format!("journeys?depth={depth}")), &app.world.key);
        assert_eq!(answer.send().await.status, 400, "{depth}");
    }
}

/// The site is measured, and nobody came yet. One value has quotes and a percent sign, one 10,000 characters.
#[tokio::test]
async fn all_filters_at_once_fit_nothing_on_an_empty_site() {
    let app = TestApp::start().await;
    let configured = app.put(&path(&app, "config"), &app.world.key, &json!({}));
    configured.send().await.ok();
    let filters = format!(
        "source=%27%25%22&medium=a&campaign={}&channel=email&country=DE&device=laptop&browser=Chrome&os=iOS&page=%2F\
         &referrer=b.example&event=c",
        "x".repeat(10_000)
    );
    for (read, members) in [
        ("overview?", &["/visitors", "/events"][..]),
        ("timeseries?", &["/series/0/points/0/value"]),
        (
            "timeseries?period_days=1&granularity=hour&",
            &["/series/0/points/0/value"],
        ),
        ("pages?", &["/total_pages", "/totals/visitors"]),
        ("pages?type=entry&", &["/total_pages"]),
        ("sources?", &["/total_rows"]),
        ("countries?level=city&", &["/total_rows"]),
        ("searches?", &["/total_terms"]),
        ("downloads?", &["/total_clicks"]),
        ("outbound-links?", &["/total_clicks"]),
        ("funnel?step=page:/&step=event:a&", &["/steps/1/sessions"]),
        ("journeys?", &["/sessions_total"]),
    ] {
        let answer = get(&app, &format!("{read}{filters}")).await;
        for member in members {
            let found = answer.pointer(member).map(number);
            assert_eq!(found, Some(0.0), "{read} {member}");
        }
    }
    for (read, member, expected) in [
        ("overview?", "/bounce_rate_pct", Value::Null),
        ("devices?include_versions=true&", "/screen_sizes", json!([])),
        ("events?", "/items", json!([])),
        ("events?", "/events_ever_recorded", json!(false)),
        ("events/properties?event_name=a&", "/items", json!([])),
        ("retention?", "/cohorts", Value::Null),
    ] {
        let answer = get(&app, &format!("{read}{filters}")).await;
        assert_eq!(answer.pointer(member), Some(&expected), "{read}");
    }
}
