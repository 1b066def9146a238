//! A walk through a shop in a real Chromium, and what the API says of it afterwards: exactly what was done.
//!
//! Somebody comes by a letter, searches, looks at a lamp, takes the price list, follows a link, and buys the lamp; the last page is
//! loaded again, and tells of the same order. Somebody else looks at the first page by phone. See `tests/browser/tracker/shop.mjs`.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};
use time::{OffsetDateTime, Time};
use tokio::time::sleep;

use super::node;
use crate::harness::{Node, Request, TestApp};

/// The site of the world.
const HOST: &str = "shop.example";
/// Longer than the walk takes.
const WALK: Duration = Duration::from_secs(300);
/// The members of a view that the pages logged too, with the name there, and by how much rounding moves them.
const VITALS: [(&str, &str, f64); 4] = [
    ("lcp_ms", "lcp", 0.051),
    ("fcp_ms", "fcp", 0.051),
    ("ttfb_ms", "ttfb", 0.051),
    ("cls", "cls", 0.000_051),
];

/// Whoever asks what is stored of today.
struct Asking {
    app: TestApp,
    pharos: Node,
    day: String,
}

impl Asking {
    fn request(&self, method: &str, rest: &str) -> Request {
        let path = format!("/domains/{}/{rest}", self.app.world.domain);
        Request::new(self.pharos.address, method, &path).key(&self.app.world.key)
    }

    async fn put(&self, rest: &str, settings: &Value) -> Value {
        self.request("PUT", rest).json(settings).send().await.ok()
    }

    async fn get(&self, read: &str) -> Value {
        self.with(read, "").await
    }

    async fn with(&self, read: &str, parameters: &str) -> Value {
        let day = &self.day;
        let rest = format!("{read}?start_date={day}&end_date={day}{parameters}");
        self.request("GET", &rest).send().await.ok()
    }
}

/// Holds members of an object against what they have to be.
#[track_caller]
fn holds(found: &Value, wanted: &Value) {
    for (member, wanted) in wanted.as_object().unwrap() {
        assert_eq!(&found[member], wanted, "{member} of {found}");
    }
}

/// The rows of a list as these members of theirs.
fn rows(list: &Value, members: &[&str]) -> Vec<Value> {
    let rows = list.as_array().unwrap().iter();
    rows.map(|row| members.iter().map(|member| row[member].clone()).collect())
        .collect()
}

/// The same where the order of rows means nothing.
fn sorted(mut rows: Vec<Value>) -> Vec<Value> {
    rows.sort_by_key(Value::to_string);
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn the_api_says_of_a_walk_exactly_what_was_done() {
    let app = TestApp::start().await;
    let pharos = Node::start(
        &["--roles", "api,ingest"],
        &[("PHAROS_DATABASE_URL", app.database.url())],
    );
    // A session ends at midnight.
    let left = OffsetDateTime::now_utc().time().duration_until(Time::MIDNIGHT);
    if left < WALK {
        sleep(left.unsigned_abs()).await;
    }
    let asking = Asking {
        app,
        pharos,
        day: OffsetDateTime::now_utc().date().to_string(),
    };
    asking
        .put("analytics/config", &json!({ "store_search_terms": true }))
        .await;
    let settings = asking.put("rum/config", &json!({ "enabled": true })).await;
    let key = settings["site_key"].as_str().unwrap();
    let script = format!("http://{}/js/{key}.js", asking.pharos.address);
    let said = node(
        &["tracker/shop.mjs"],
        &[("SCRIPT", script.as_str()), ("HOST", HOST)],
    )
    .await;
    let own: Vec<Value> = serde_json::from_str(said.trim()).unwrap();

    visits(&asking).await;
    origins(&asking).await;
    actions(&asking).await;
    sales(&asking).await;
    feelings(&asking, &own).await;
    causes(&asking).await;
}

/// 7 views of the one who bought, two of them of the last page; one view by phone.
async fn visits(asking: &Asking) {
    let overview = asking.get("analytics/overview").await;
    holds(
        &overview,
        &json!({
            "visitors": 2, "sessions": 2, "pageviews": 8, "events": 5, "bounce_rate_pct": 50.0, "views_per_session": 4.0,
            "revenue": 189.0, "currency": "USD",
            "items": [{ "date": asking.day, "visitors": 2, "sessions": 2, "pageviews": 8 }],
        }),
    );
    let pages = asking.get("analytics/pages").await;
    holds(
        &pages,
        &json!({ "total_pages": 6, "totals": { "visitors": 2, "pageviews": 8, "sessions": 2 } }),
    );
    let members = [
        "page",
        "title",
        "visitors",
        "pageviews",
        "sessions",
        "entries",
        "exits",
    ];
    assert_eq!(
        sorted(rows(&pages["items"], &members)),
        sorted(vec![
            json!(["/", "Lamps", 2, 2, 2, 2, 1]),
            json!(["/search", "Search", 1, 1, 1, 0, 0]),
            json!(["/product/arc", "Arc floor lamp", 1, 1, 1, 0, 0]),
            json!(["/cart", "Cart", 1, 1, 1, 0, 0]),
            json!(["/checkout", "Checkout", 1, 1, 1, 0, 0]),
            json!(["/thank-you", "Thank you", 1, 2, 1, 0, 1]),
        ])
    );
}

/// Who came by which tag, and with which device.
async fn origins(asking: &Asking) {
    let members = ["key", "visitors", "pageviews", "conversions", "revenue"];
    for (parameters, bought, other) in [
        ("", "email", json!("direct")),
        ("&group_by=campaign", "spring", Value::Null),
    ] {
        let found = asking.with("analytics/sources", parameters).await;
        assert_eq!(
            sorted(rows(&found["items"], &members)),
            sorted(vec![
                json!([bought, 1, 7, 1, 189.0]),
                json!([other, 1, 1, 0, 0.0])
            ]),
            "{parameters}"
        );
    }
    let devices = asking.get("analytics/devices").await;
    for (list, wanted) in [
        ("device_types", [json!(["desktop", 1]), json!(["mobile", 1])]),
        ("operating_systems", [json!(["Android", 1]), json!(["Linux", 1])]),
    ] {
        let found = sorted(rows(&devices[list], &["name", "sessions"]));
        assert_eq!(found, sorted(Vec::from(wanted)), "{list}");
    }
    assert_eq!(
        rows(&devices["browsers"], &["name", "sessions"]),
        [json!(["Chrome", 2])]
    );
}

/// One search, one file, one link, five events.
async fn actions(asking: &Asking) {
    let searches = asking.get("analytics/searches").await;
    assert_eq!(
        searches["items"],
        json!([{
            "term": "lamp", "searches": 1, "visitors": 1, "results_count": null, "exit_rate_pct": 0.0, "share_pct": 50.0,
            "is_zero_result": null,
        }])
    );
    let files = asking.get("analytics/downloads").await;
    holds(
        &files,
        &json!({
            "total_clicks": 1, "total_links": 1, "extensions": [{ "extension": "pdf", "clicks": 1 }],
            "items": [{
                "url": "http://shop.example/files/price-list.pdf", "domain": "shop.example", "file_name": "price-list.pdf",
                "extension": "pdf", "clicks": 1, "visitors": 1, "top_page": "/product/arc",
            }],
        }),
    );
    let links = asking.get("analytics/outbound-links").await;
    holds(
        &links,
        &json!({
            "total_clicks": 1, "total_links": 1, "extensions": [],
            "items": [{
                "url": "http://elsewhere.example/lumens", "domain": "elsewhere.example", "file_name": "lumens",
                "extension": null, "clicks": 1, "visitors": 1, "top_page": "/product/arc",
            }],
        }),
    );
    let events = asking.get("analytics/events").await;
    let members = ["event_name", "count", "visitors", "sessions", "revenue"];
    assert_eq!(
        rows(&events["items"], &members),
        [
            json!(["purchase", 2, 1, 1, 189.0]),
            json!(["add_to_cart", 1, 1, 1, null]),
            json!(["begin_checkout", 1, 1, 1, null]),
            json!(["view_item", 1, 1, 1, null]),
        ]
    );
}

/// One lamp for 189.00, whose order was told twice.
async fn sales(asking: &Asking) {
    let overview = asking.get("analytics/ecommerce/overview").await;
    holds(
        &overview,
        &json!({
            "revenue": 189.0, "orders": 1, "average_order_value": 189.0, "items_sold": 1, "refunds": null,
            "duplicate_orders": 1, "unconverted_orders": 0, "conversion_rate_pct": 50.0, "revenue_per_visitor": 94.5,
            "cart_abandonment_pct": 0.0, "checkout_abandonment_pct": 0.0,
            "funnel": { "views": 1, "add_to_carts": 1, "checkouts": 1, "purchases": 1 },
        }),
    );
    let products = asking.get("analytics/ecommerce/products").await;
    assert_eq!(
        products["items"],
        json!([{
            "product_id": "arc", "name": "Arc floor lamp", "category": "Floor lamps", "brand": null, "variant": null,
            "views": 1, "add_to_carts": 1, "purchases": 1, "orders": 1, "revenue": 189.0, "conversion_rate_pct": 100.0,
            "cart_rate_pct": 100.0, "average_price": 189.0,
        }])
    );
    let channels = asking.get("analytics/ecommerce/channels").await;
    assert_eq!(
        sorted(rows(
            &channels["items"],
            &["channel", "sessions", "orders", "revenue"]
        )),
        sorted(vec![json!(["email", 1, 1, 189.0]), json!(["direct", 1, 0, 0.0]),])
    );
}

/// A view by its path, how the browser came to it, and by which device.
fn views<'a>(
    list: &'a [Value],
    path: fn(&Value) -> &str,
    kind: &str,
) -> BTreeMap<(String, String, String), &'a Value> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    list.iter()
        .map(|view| {
            let key = (path(view).to_owned(), text(&view[kind]), text(&view["device"]));
            (key, view)
        })
        .collect()
}

/// Each view has the values that its page's own copy of web-vitals logged, to the places that answers show.
async fn feelings(asking: &Asking, own: &[Value]) {
    let stored = asking.get("rum/pageviews").await;
    let stored = stored["items"].as_array().unwrap();
    let found = views(
        stored,
        |view| {
            view["url"]
                .as_str()
                .unwrap()
                .trim_start_matches("http://shop.example")
        },
        "navigation_type",
    );
    let logged = views(own, |view| view["path"].as_str().unwrap(), "type");
    assert_eq!((stored.len(), own.len()), (8, 8));
    assert!(found.keys().eq(logged.keys()), "{found:?} {logged:?}");
    for (key, logged) in &logged {
        let found = found[key];
        for (member, name, rounding) in VITALS {
            let pair = found[member].as_f64().zip(logged[name].as_f64());
            let is_near = pair.is_some_and(|(found, logged)| (found - logged).abs() <= rounding);
            assert!(is_near, "{member} of {found}, {logged}");
        }
        // Only the slow click is compared: clicks that lead away end while they are measured.
        if key.0 == "/cart" {
            let slowest = found["inp_ms"].as_f64().zip(logged["inp"].as_f64());
            assert!(
                slowest.is_some_and(|(found, logged)| (found - logged).abs() <= 0.051 && logged >= 300.0),
                "{found} {logged}"
            );
        }
        assert_eq!(found["error_count"], u64::from(key.0 == "/cart"), "{found}");
    }
}

/// The elements that were slow or moved, and the error.
async fn causes(asking: &Asking) {
    for (read, page, element) in [
        ("lcp", "/", "#hero"),
        ("cls", "/product/arc", "#product"),
        ("inp", "/cart", "#voucher"),
    ] {
        let url = format!("&url=http://{HOST}{page}");
        let elements = asking.with(&format!("rum/{read}/elements"), &url).await;
        assert_eq!(elements["items"][0]["element"], element, "{elements}");
    }
    let errors = asking.get("rum/errors").await;
    holds(
        &errors["items"][0],
        &json!({
            "message": "The chat is not connected", "type": "TypeError", "handling": "unhandled", "occurrences": 1,
            "affected_views": 1, "affected_views_pct": 12.5, "top_url": "http://shop.example/cart",
        }),
    );
    assert_eq!(errors["total"], 1, "{errors}");
}
