//! A site of which every widget has figures, in the 28 days of the report and in those before.

use pharos_analytics::conformance;
use pharos_domain::collect::{
    BeaconStore, PageLoadId,
    client::Device,
    event::{Action, Events},
};
use pharos_search::gsc::figures::SearchType;
use serde_json::json;
use time::{
    Duration,
    macros::{date, datetime},
};
use uuid::Uuid;

use crate::{
    fixtures,
    harness::{
        TestApp,
        openssl::{TlsSite, Vault},
    },
    rum, search,
    uptime::{self, certificates, registration},
};

/// Has the app know all that the report is about.
pub(super) async fn site(app: &TestApp) {
    watch(app, &json!({})).await;
    checks(app).await;
    // Before the fixtures, in which there is nobody to ask.
    registration::ask(app, "2027-06-02T08:00:00Z").await;
    fixtures::fill(app).await;
    certificate(app).await;
    watch(app, &json!({ "sla_target_pct": 99.9 })).await;
    views(app).await;
    releases(app).await;
    visits(app).await;
    searches(app).await;
    submitted(app).await;
    chrome(app).await;
}

async fn watch(app: &TestApp, settings: &serde_json::Value) {
    let path = uptime::path(app, "config");
    app.put(&path, &app.world.key, settings).send().await.ok();
}

/// An outage of two minutes in the days before, and some minutes in these that were slower than what fixtures tell of today.
async fn checks(app: &TestApp) {
    let mut checks = Vec::new();
    for (begin, response_ms) in [
        (datetime!(2026-02-20 10:00 UTC), 412.5),
        (datetime!(2026-03-10 10:00 UTC), 1_234.5),
    ] {
        let is_before = begin < datetime!(2026-03-04 00:00 UTC);
        for minute in 0..5 {
            let status = if is_before && (1..3).contains(&minute) {
                503
            } else {
                200
            };
            let at = begin + Duration::minutes(minute);
            let mut check = uptime::check(app.world.domain, at, status);
            check.response_ms = Some(response_ms);
            checks.push(check);
        }
    }
    uptime::store(app, checks).await;
}

/// The findings of a check over TLS.
async fn certificate(app: &TestApp) {
    let vault = Vault::new("Test_Root");
    vault.issue("site", "-newkey ec -pkeyopt ec_paramgen_curve:P-256", 90);
    let site = TlsSite::start(&vault, "site", &[]);
    certificates::check_site(app, &vault, &site, true).await;
}

/// Views of phones and of computers, slower than in the days before.
async fn views(app: &TestApp) {
    let now = app.now();
    let mut seen = Vec::new();
    for number in 0..12_u8 {
        let is_before = number < 4;
        let days = if is_before { 40 } else { 10 };
        let mut view = rum::view(500 + i64::from(number), now - Duration::days(days));
        let slower = f64::from(number) * 40.0;
        (view.lcp_ms, view.inp_ms) = (Some(1_800.0 + slower), Some(90.0 + slower));
        (view.cls, view.ttfb_ms) = (Some(0.02 + slower / 4_000.0), Some(300.0 + slower));
        if number % 3 == 0 {
            view.path = "/shoes/".to_owned();
        }
        let device = if number % 2 == 0 {
            Device::Mobile
        } else {
            Device::Desktop
        };
        seen.push((device, view));
    }
    rum::store(app, seen).await;
}

/// A release before, and two in the days of the report.
async fn releases(app: &TestApp) {
    app.sql(&format!(
        "INSERT INTO rum_releases (domain_id, name, released_at) SELECT '{}', name, at::timestamptz FROM (VALUES
            ('2026.2.9', '2026-02-20 10:00Z'), ('2026.3.1', '2026-03-06 09:30Z'), ('2026.3.2', '2026-03-20 23:30Z')) AS r (name, at)",
        app.world.domain,
    ))
    .await;
}

/// The log of the fixtures once more, four weeks earlier: its first two days are those before, the others begin the days of the report.
async fn visits(app: &TestApp) {
    let store = app.stores.ports.get::<dyn BeaconStore<Events>>().unwrap();
    for mut beacon in conformance::beacons(app.world.domain) {
        beacon.id = Uuid::now_v7();
        beacon.received_at -= Duration::days(28);
        for event in &mut beacon.content.0 {
            event.at -= Duration::days(28);
            // Loads and orders of one id count once.
            event.load = event.load.map(|load| PageLoadId(load.0 + 1_000));
            if let Action::Custom {
                commerce: Some(sale), ..
            } = &mut event.action
            {
                sale.order_id = sale.order_id.take().map(|id| format!("Earlier {id}"));
            }
        }
        // One by one: what comes together is put into sessions by its time.
        store.store(std::slice::from_ref(&beacon)).await.unwrap();
    }
}

/// A day of search before and one in the days of the report, with figures that need their digits grouped.
async fn searches(app: &TestApp) {
    let shoes = |clicks, impressions, position| {
        let page = "https://shop.example/shoes/";
        search::hit("red shoes", page, clicks, impressions, position)
    };
    let hats = search::hit("hats", "https://shop.example/hats", 1_012, 9_876, 3.25)
        .at("FR", pharos_search::gsc::figures::Device::Desktop);
    let stored = [
        (
            date!(2026 - 02 - 15),
            search::day(true, &[shoes(987, 40_000, 6.5)]),
        ),
        (
            date!(2026 - 03 - 10),
            search::day(true, &[shoes(1_234, 45_678, 4.5), hats, hats.hidden()]),
        ),
    ];
    search::days(app, SearchType::Web, stored).await;
}

/// Sitemaps that Search Console knows.
async fn submitted(app: &TestApp) {
    app.sql(&format!(
        "INSERT INTO search_submitted_sitemaps (domain_id, site_url, path, form, is_index, is_pending, last_submitted_at,
            last_downloaded_at, errors, warnings, contents)
        VALUES
            ('{domain}', 'sc-domain:shop.example', 'https://shop.example/0.xml', 'sitemap', false, false, '2026-01-12 10:00Z',
                '2026-03-30 04:11:09Z', 1234, 1, '[[\"web\", 12]]'),
            ('{domain}', 'sc-domain:shop.example', 'https://shop.example/old', NULL, false, true, NULL, NULL, 2, 0, '[]')",
        domain = app.world.domain,
    ))
    .await;
}

/// The period of the Chrome UX Report that ended 28 days before the newest.
async fn chrome(app: &TestApp) {
    app.sql(
        "INSERT INTO crux_figures SELECT target_id, form_factor, grain, '2026-03-01',
            jsonb_set(figures, '{metrics,lcp,p75}', '2500') FROM crux_figures
        WHERE grain = 'day' AND form_factor = 'mobile'",
    )
    .await;
}
