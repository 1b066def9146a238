//! GET /domains/{domain_id}/rum/engagement and engagement/correlation

use std::sync::Arc;

use pharos_domain::collect::{
    Beacon, BeaconStore, PageLoadId, VisitorId,
    client::Device,
    event::{Action, Commerce, CommerceStep, Event, Events, Page},
    view::{Engagement, Navigation, View},
};
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use super::{beacon, path, store, view};
use crate::harness::TestApp;

async fn read(app: &TestApp, which: &str) -> Value {
    app.get(&path(app, which), &app.world.key).send().await.ok()
}

fn with(load: i64, app: &TestApp, (visible_ms, scroll_pct, interactions): (u32, u8, u16)) -> View {
    let mut view = view(load, app.now());
    view.engagement = Engagement {
        visible_ms: Some(visible_ms),
        scroll_pct: Some(scroll_pct),
        interactions: Some(interactions),
        rage_clicks: Some(u16::from(load == 1)),
        dead_clicks: Some(if load == 4 { 2 } else { 0 }),
    };
    view
}

/// Worked out by hand. Four views were measured, of 4, 9.99, 20 and 60 seconds, and one was not. One bounced: of the two that
/// were short, the other has an interaction.
#[tokio::test]
async fn engagement_is_that_of_the_views_that_were_measured() {
    let app = TestApp::start().await;
    let views = [
        with(1, &app, (4_000, 24, 1)),
        with(2, &app, (9_990, 25, 0)),
        with(3, &app, (20_000, 75, 0)),
        with(4, &app, (60_000, 100, 4)),
        view(5, app.now()),
    ];
    store(&app, views.map(|view| (Device::Mobile, view))).await;
    let found = read(&app, "engagement?start_date=2026-03-30").await;
    assert_eq!(found["pageviews"], 5);
    // 93.99 seconds over four views; between 9.99 and 20.
    assert_eq!(
        (
            &found["avg_time_on_page_seconds"],
            &found["median_time_on_page_seconds"]
        ),
        (&json!(23.5), &json!(15.0))
    );
    assert_eq!(found["avg_scroll_depth_pct"], 56.0);
    assert_eq!(
        found["scroll_depth_split"],
        json!({ "to_25_pct": 75.0, "to_50_pct": 50.0, "to_75_pct": 50.0, "to_100_pct": 25.0 })
    );
    assert_eq!(
        (&found["bounce_rate_pct"], &found["avg_interactions"]),
        (&json!(25.0), &json!(1.25))
    );
    assert_eq!(found["interacted_views_pct"], 40.0, "of all views");
    assert_eq!(
        (&found["rage_click_views_pct"], &found["dead_click_views_pct"]),
        (&json!(25.0), &json!(25.0))
    );
    assert_eq!(
        found["items"][0],
        json!({
            "date": "2026-03-30", "pageviews": 0, "avg_time_on_page_seconds": null, "avg_scroll_depth_pct": null,
            "bounce_rate_pct": null, "avg_interactions": null,
        })
    );
    assert_eq!(
        (
            &found["items"][1]["pageviews"],
            &found["items"][1]["bounce_rate_pct"]
        ),
        (&json!(5), &json!(25.0))
    );
    let found = read(&app, "engagement?url=https://shop.example/none").await;
    assert_eq!(
        (
            &found["pageviews"],
            &found["interacted_views_pct"],
            &found["bounce_rate_pct"]
        ),
        (&json!(0), &Value::Null, &Value::Null)
    );
}

/// Worked out by hand. One of the two views bounced whose time was measured; the interaction with the third tells nothing of how
/// often views bounce, since those without one are not known.
#[tokio::test]
async fn views_whose_time_was_not_measured_are_no_views_that_did_not_bounce() {
    let app = TestApp::start().await;
    let mut untimed = with(1, &app, (0, 50, 3));
    untimed.engagement.visible_ms = None;
    store(&app, [(Device::Mobile, untimed)]).await;
    let bounce_rates = async |filter: &str| {
        let engagement = read(&app, &format!("engagement?start_date=2026-03-31{filter}")).await;
        let correlation = read(
            &app,
            &format!("engagement/correlation?start_date=2026-03-31{filter}"),
        )
        .await;
        // A thousand milliseconds: from the third edge on.
        let bucket = correlation["buckets"][2].clone();
        assert_eq!(bucket["pageviews"], engagement["pageviews"]);
        [&engagement, &engagement["items"][0], &bucket].map(|of| of["bounce_rate_pct"].clone())
    };
    assert_eq!(bounce_rates("").await, [Value::Null, Value::Null, Value::Null]);
    let timed = [with(2, &app, (4_000, 50, 0)), with(3, &app, (40_000, 50, 0))];
    store(&app, timed.map(|view| (Device::Mobile, view))).await;
    assert_eq!(
        bounce_rates("&device=mobile").await,
        [json!(50.0), json!(50.0), json!(50.0)]
    );
}

/// Thirty views that are the slower the sooner people leave, two of them alike in both: the ranks go down as the others go up.
#[tokio::test]
async fn behaviour_is_told_by_speed_as_an_association() {
    let app = TestApp::start().await;
    let views = (1..=30_u32).map(|load| {
        let mut view = with(load.into(), &app, (40_000 - 1_000 * load.max(2), 50, 0));
        view.lcp_ms = Some(f64::from(load.max(2)) * 200.0);
        (Device::Mobile, view)
    });
    store(&app, views).await;
    let found = read(&app, "engagement/correlation").await;
    assert_eq!(
        (&found["metric"], &found["bucket_unit"], &found["interpretation"]),
        (&json!("lcp"), &json!("ms"), &json!("association"))
    );
    assert_eq!(
        (&found["spearman_rho"], &found["sample_count"]),
        (&json!(-1.0), &json!(30))
    );
    let buckets = found["buckets"].as_array().unwrap();
    assert_eq!(buckets.len(), 11);
    // 5,000 to 6,000 ms lie in the last; from 2,500 up to 3,000 there are 13 and 14.
    assert_eq!(
        (
            &found["baseline_bucket"],
            &buckets[10]["pageviews"],
            &buckets[10]["end"]
        ),
        (&json!(10), &json!(6), &Value::Null)
    );
    assert_eq!(
        buckets[5],
        json!({
            "start": 2_500.0, "end": 3_000.0, "pageviews": 2, "share_pct": 6.67, "bounce_rate_pct": 0.0,
            "avg_time_on_page_seconds": 26.5, "avg_scroll_depth_pct": 50.0, "conversion_rate_pct": null,
        })
    );
    // From 10,000 ms of time down nobody is quick enough to bounce: the last two have 10 seconds and more.
    assert_eq!(buckets[10]["bounce_rate_pct"], 0.0);

    let mut few = view(99, app.now());
    few.cls = Some(0.3);
    store(&app, [(Device::Desktop, few)]).await;
    let found = read(&app, "engagement/correlation?metric=cls&device=desktop").await;
    assert_eq!(
        (
            &found["spearman_rho"],
            &found["sample_count"],
            &found["bucket_unit"]
        ),
        (&Value::Null, &json!(1), &json!("none"))
    );
    let bucket = &found["buckets"][6];
    assert_eq!(
        (&bucket["start"], &bucket["pageviews"], &bucket["bounce_rate_pct"]),
        (&json!(0.3), &json!(1), &Value::Null)
    );
    let refused = app
        .get(&path(&app, "engagement/correlation?metric=fcp"), &app.world.key)
        .send()
        .await;
    assert_eq!(refused.faults(), ["metric"]);
}

/// Stores in web analytics a visitor who sees these loads, a second each, and then buys this order.
async fn visit(app: &TestApp, visitor: i64, loads: &[i64], order: Option<&str>) {
    let event = |load: i64, age: i64, action: Action| Event {
        at: app.now() - Duration::seconds(age),
        load: Some(PageLoadId(load)),
        page: Page {
            host: "shop.example".to_owned(),
            path: "/".to_owned(),
            ..Page::default()
        },
        action,
    };
    let stay = Action::Engagement {
        visible_ms: 1_000,
        scroll_pct: None,
    };
    let mut events = Vec::new();
    for load in loads {
        events.push(event(*load, 20, Action::PageView));
        events.push(event(*load, 19, stay.clone()));
    }
    if let Some(order) = order {
        let purchase = Action::Custom {
            name: "purchase".to_owned(),
            properties: Vec::new(),
            commerce: Some(Commerce {
                step: CommerceStep::Purchase,
                order_id: Some(order.to_owned()),
                value_cents: Some(1_000),
                currency: None,
                items: Vec::new(),
            }),
        };
        events.push(event(loads[0], 10, purchase));
    }
    let like = beacon(app, Device::Mobile, view(0, app.now()));
    let told = Beacon {
        id: Uuid::new_v4(),
        domain: like.domain,
        visitor: VisitorId(visitor),
        received_at: app.now(),
        client: like.client,
        content: Events(events),
    };
    let store: Arc<dyn BeaconStore<Events>> = app.stores.ports.get().unwrap();
    store.store(&[told]).await.unwrap();
}

/// Worked out by hand. Views 1 and 5 belong to a visit that bought something, as does a route within view 1, which is no load. The
/// visit of view 2 tells the same order again, which is none, and web analytics knows nothing of view 3.
#[tokio::test]
async fn conversions_are_those_of_the_visits_that_views_belong_to() {
    let app = TestApp::start().await;
    let views = [
        (1, 1_000.0, Navigation::Navigate),
        (2, 1_000.0, Navigation::Navigate),
        (3, 1_000.0, Navigation::Reload),
        (4, 1_000.0, Navigation::Soft),
        (5, 3_200.0, Navigation::Navigate),
    ];
    let views = views.map(|(load, lcp_ms, navigation)| {
        let mut view = view(load, app.now());
        (view.lcp_ms, view.navigation) = (Some(lcp_ms), navigation);
        (Device::Mobile, view)
    });
    store(&app, views).await;
    let rates = async |filter: &str| {
        let rest = format!("engagement/correlation?start_date=2026-03-31{filter}");
        let found = read(&app, &rest).await;
        [2_usize, 3, 6].map(|bucket| {
            let bucket = &found["buckets"][bucket];
            (
                bucket["pageviews"].as_u64().unwrap(),
                bucket["conversion_rate_pct"].clone(),
            )
        })
    };
    visit(&app, 3, &[9], None).await;
    let unknown = [(4, Value::Null), (0, Value::Null), (1, Value::Null)];
    assert_eq!(rates("").await, unknown, "nobody sells anything");
    visit(&app, 1, &[1, 4, 5], Some("A-1")).await;
    visit(&app, 2, &[2], Some("A-1")).await;
    assert_eq!(
        rates("&device=mobile").await,
        [(4, json!(33.33)), (0, Value::Null), (1, json!(100.0))]
    );
    assert_eq!(
        rates("&navigation_type=soft_navigation").await,
        [(1, Value::Null), (0, Value::Null), (0, Value::Null)],
        "routes are of no visit"
    );
}
