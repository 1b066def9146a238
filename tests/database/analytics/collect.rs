//! Beacons become sessions, each once.

use std::sync::Arc;

use pharos_analytics::store::CommerceStore;
use pharos_analytics_pg::{collect::PgEventStore, reads::PgVisitStore};
use pharos_domain::{
    collect::{
        Beacon, BeaconStore, PageLoadId, VisitorId,
        client::{Client, Device},
        event::{Action, Commerce, CommerceStep, Event, Events, Origin, Page},
    },
    ids::DomainId,
    window::DateRange,
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::harness::{Fixture, Home, NOW};

fn client() -> Client {
    Client {
        device: Device::Desktop,
        browser: Some("Chrome".to_owned()),
        browser_version: Some("140".to_owned()),
        os: Some("Windows".to_owned()),
        os_version: Some("11".to_owned()),
        country: Some("DE".to_owned()),
        region: None,
        city: None,
        screen: Some((1920, 1080)),
    }
}

/// A beacon of one event, so many minutes after [`NOW`].
pub(super) fn beacon(
    domain: DomainId,
    visitor: i64,
    minutes: i64,
    path: &str,
    action: Action,
) -> Beacon<Events> {
    let at = NOW + Duration::minutes(minutes);
    Beacon {
        id: Uuid::now_v7(),
        domain,
        visitor: VisitorId(visitor),
        received_at: at,
        client: client(),
        content: Events(vec![Event {
            at,
            load: Some(PageLoadId(1)),
            page: Page {
                host: "ada.example".to_owned(),
                path: path.to_owned(),
                title: None,
                origin: Origin::default(),
            },
            action,
        }]),
    }
}

pub(super) fn view(domain: DomainId, visitor: i64, minutes: i64) -> Beacon<Events> {
    beacon(domain, visitor, minutes, "/", Action::PageView)
}

pub(super) fn purchase(domain: DomainId, visitor: i64, minutes: i64, order_id: &str) -> Beacon<Events> {
    let commerce = Commerce {
        step: CommerceStep::Purchase,
        order_id: Some(order_id.to_owned()),
        value_cents: Some(1_990),
        currency: None,
        items: Vec::new(),
    };
    let action = Action::Custom {
        name: "purchase".to_owned(),
        properties: Vec::new(),
        commerce: Some(commerce),
    };
    beacon(domain, visitor, minutes, "/thanks", action)
}

/// A refund in the site's own currency.
pub(super) fn refund(
    domain: DomainId,
    visitor: i64,
    minutes: i64,
    order_id: &str,
    value_cents: Option<i64>,
) -> Beacon<Events> {
    let commerce = Commerce {
        step: CommerceStep::Refund,
        order_id: Some(order_id.to_owned()),
        value_cents,
        currency: None,
        items: Vec::new(),
    };
    let action = Action::Custom {
        name: "refund".to_owned(),
        properties: Vec::new(),
        commerce: Some(commerce),
    };
    beacon(domain, visitor, minutes, "/admin", action)
}

async fn home() -> (Fixture, Home, PgEventStore) {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let store = PgEventStore::new(fixture.database.clone());
    (fixture, home, store)
}

/// How many sessions there are, with how many page views and events.
async fn sessions(fixture: &Fixture) -> (i64, i64, i64) {
    let query =
        "SELECT count(*), coalesce(sum(pageviews), 0), coalesce(sum(events), 0) FROM analytics_sessions";
    let row = fixture.sql.query_one(query, &[]).await.unwrap();
    (row.get(0), row.get(1), row.get(2))
}

#[tokio::test]
async fn a_session_goes_on_from_batch_to_batch() {
    let (fixture, home, store) = home().await;
    for minutes in [0, 30, 60, 91] {
        store.store(&[view(home.domain, 7, minutes)]).await.unwrap();
    }
    assert_eq!(sessions(&fixture).await, (2, 4, 0));
    let hits: i64 = fixture
        .value(
            "SELECT count(*) FROM analytics_hits AS h JOIN analytics_sessions AS s
             ON s.id = h.session_id AND h.at BETWEEN s.started_at AND s.ended_at AND h.visitor_id = s.visitor_id
                 AND h.source = s.source AND h.browser = s.browser",
            &[],
        )
        .await;
    assert_eq!(hits, 4);
}

#[tokio::test]
async fn what_comes_late_begins_its_session_and_says_where_it_came_from() {
    let (fixture, home, store) = home().await;
    store.store(&[view(home.domain, 7, 20)]).await.unwrap();
    let mut late = beacon(home.domain, 7, 0, "/landing", Action::PageView);
    late.content.0[0].page.origin.referrer_host = Some("google.com".to_owned());
    store.store(&[late]).await.unwrap();
    assert_eq!(sessions(&fixture).await, (1, 2, 0));
    let told: i64 = fixture
        .value(
            "SELECT count(*) FROM analytics_hits AS h
             JOIN analytics_sessions AS s ON s.id = h.session_id
             JOIN analytics_values AS source ON source.id = h.source AND source.id = s.source
             JOIN analytics_values AS entry ON entry.id = s.entry_page
             JOIN analytics_values AS exit ON exit.id = s.exit_page
             WHERE source.value = 'google' AND entry.value = '/landing' AND exit.value = '/'
                 AND s.ended_at - s.started_at = '20 minutes'",
            &[],
        )
        .await;
    assert_eq!(told, 2);
}

#[tokio::test]
async fn beacons_and_orders_that_are_sent_again_count_once() {
    let (fixture, home, store) = home().await;
    let batch = [view(home.domain, 7, 0), purchase(home.domain, 7, 1, "T1")];
    let again = [batch[1].clone(), batch[0].clone(), batch[0].clone()];
    store.store(&batch).await.unwrap();
    store.store(&again).await.unwrap();
    assert_eq!(sessions(&fixture).await, (1, 1, 1));
    // The same order by another event: an event more, and no order.
    store.store(&[purchase(home.domain, 7, 2, "T1")]).await.unwrap();
    assert_eq!(sessions(&fixture).await, (1, 1, 2));
    let orders: i64 = fixture
        .value(
            "SELECT count(*) FROM analytics_commerce WHERE NOT is_repeated",
            &[],
        )
        .await;
    assert_eq!(orders, 1);
}

/// Two orders of 19.90. The first is refunded whole three times; 10.00 of the second, the rest, and 5.00 more; and 7.00 of an order
/// that nobody told of.
#[tokio::test]
async fn an_order_is_refunded_at_most_to_its_value() {
    let (fixture, home, store) = home().await;
    let refund = |minutes, order_id, cents| refund(home.domain, 7, minutes, order_id, cents);
    for batch in [
        vec![
            purchase(home.domain, 7, 0, "T1"),
            purchase(home.domain, 7, 0, "T2"),
        ],
        vec![refund(1, "T1", None), refund(2, "T1", None)],
        vec![
            refund(3, "T1", None),
            refund(4, "T2", Some(1_000)),
            refund(5, "T2", None),
        ],
        vec![refund(6, "T2", Some(500)), refund(7, "T3", Some(700))],
    ] {
        store.store(&batch).await.unwrap();
    }
    let query = "SELECT value_cents, is_repeated FROM analytics_commerce WHERE step = 4 ORDER BY at, hit_id";
    let rows = fixture.sql.query(query, &[]).await.unwrap();
    let found: Vec<(i64, bool)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    assert_eq!(
        found,
        [
            (1_990, false),
            (0, true),
            (0, true),
            (1_000, false),
            (990, false),
            (0, true),
            (700, false)
        ]
    );
    let visits = PgVisitStore::new(fixture.database.clone());
    let access = fixture.access(&home).await;
    let window = DateRange::ending(NOW.date(), 1);
    let sales = visits.sales(&access, &[window], "EUR").await.unwrap();
    let sales = sales.sales(window);
    assert_eq!((sales.orders, sales.ordered_cents), (2, 3_980));
    assert_eq!((sales.refunds, sales.refunded_cents), (4, 4_680));
}

/// The same event of ecommerce with another currency, or none.
fn told_in(mut beacon: Beacon<Events>, currency: Option<&str>) -> Beacon<Events> {
    if let Action::Custom {
        commerce: Some(commerce),
        ..
    } = &mut beacon.content.0[0].action
    {
        commerce.currency = currency.map(str::to_owned);
    }
    beacon
}

/// The site's own currency is the dollar. Orders of 19.90 in dollars, in none and in euros are refunded by 15.00 and then by 10.00, each
/// told in another way; only a refund in euros of an order in dollars is none of that order.
#[tokio::test]
async fn a_currency_that_is_not_told_is_that_of_the_order_and_else_the_sites_own() {
    let (fixture, home, store) = home().await;
    let site = "INSERT INTO analytics_sites (domain_id, settings, created_at, updated_at)
        SELECT id, '{\"enabled\": true, \"currency\": \"USD\"}', now(), now() FROM domains";
    fixture.sql.batch_execute(site).await.unwrap();
    let bought = |order_id, currency| told_in(purchase(home.domain, 7, 0, order_id), currency);
    let refunded = |minutes, order_id, cents, currency| {
        told_in(refund(home.domain, 7, minutes, order_id, Some(cents)), currency)
    };
    let orders = [
        bought("dollars", Some("USD")),
        bought("own", None),
        bought("euros", Some("EUR")),
    ];
    store.store(&orders).await.unwrap();
    let refunds = [
        refunded(1, "dollars", 1_500, None),
        refunded(2, "dollars", 1_000, Some("USD")),
        refunded(3, "own", 1_500, Some("USD")),
        refunded(4, "own", 1_000, None),
        refunded(5, "euros", 1_500, Some("EUR")),
        refunded(6, "euros", 1_000, None),
        refunded(7, "dollars", 300, Some("EUR")),
    ];
    store.store(&refunds).await.unwrap();
    let query = "SELECT value_cents, currency FROM analytics_commerce WHERE step = 4 ORDER BY at, hit_id";
    let rows = fixture.sql.query(query, &[]).await.unwrap();
    let found: Vec<(i64, &str)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    assert_eq!(
        found,
        [
            (1_500, "USD"),
            (490, "USD"),
            (1_500, ""),
            (490, ""),
            (1_500, "EUR"),
            (490, "EUR"),
            (300, "EUR"),
        ]
    );
    let visits = PgVisitStore::new(fixture.database.clone());
    let access = fixture.access(&home).await;
    let window = DateRange::ending(NOW.date(), 1);
    let sales = visits.sales(&access, &[window], "USD").await.unwrap();
    let sales = sales.sales(window);
    assert_eq!((sales.ordered_cents, sales.refunded_cents), (3_980, 3_980));
}

/// Twelve nodes are told at once that an order is refunded whole.
#[tokio::test]
async fn refunds_that_are_stored_at_once_take_an_order_off_once() {
    let (fixture, home, store) = home().await;
    store.store(&[purchase(home.domain, 7, 0, "T1")]).await.unwrap();
    let store = Arc::new(store);
    let stores = (0..12).map(|number| {
        let store = Arc::clone(&store);
        let domain = home.domain;
        async move { store.store(&[refund(domain, number, 1, "T1", None)]).await }
    });
    futures_util::future::try_join_all(stores).await.unwrap();
    let refunded: i64 = fixture
        .value(
            "SELECT sum(value_cents)::bigint FROM analytics_commerce WHERE step = 4",
            &[],
        )
        .await;
    assert_eq!(refunded, 1_990);
}

#[tokio::test]
async fn a_beacon_is_known_for_48_hours() {
    let (fixture, home, store) = home().await;
    let batch = [view(home.domain, 7, 0)];
    for (hours, views) in [(0, 1), (47, 1), (49, 2)] {
        let older = format!("UPDATE analytics_beacons SET stored_at = now() - interval '{hours} hours'");
        fixture.sql.batch_execute(&older).await.unwrap();
        fixture
            .database
            .maintain(OffsetDateTime::now_utc())
            .await
            .unwrap();
        store.store(&batch).await.unwrap();
        assert_eq!(sessions(&fixture).await.1, views, "after {hours} hours");
    }
}

/// Twelve nodes are told of one visitor's page views at once, and of an order that all of them bring.
#[tokio::test]
async fn nodes_that_store_at_once_make_one_session() {
    let (fixture, home, store) = home().await;
    let store = Arc::new(store);
    let stores = (0..12).map(|number| {
        let store = Arc::clone(&store);
        let (domain, visitor) = (home.domain, number % 2);
        async move {
            let batch = [
                view(domain, visitor, number),
                view(domain, 1 - visitor, number),
                purchase(domain, visitor, number, "T1"),
            ];
            store.store(&batch).await
        }
    });
    futures_util::future::try_join_all(stores).await.unwrap();
    assert_eq!(sessions(&fixture).await, (2, 24, 12));
    let orders: i64 = fixture
        .value(
            "SELECT count(*) FROM analytics_commerce WHERE NOT is_repeated",
            &[],
        )
        .await;
    assert_eq!(orders, 1);
}

#[tokio::test]
async fn a_beacon_that_cannot_be_stored_is_set_aside_and_the_others_are_stored() {
    let (fixture, home, store) = home().await;
    let mut bad = view(home.domain, 8, 0);
    bad.content.0[0].at = OffsetDateTime::new_utc(time::Date::MIN, time::Time::MIDNIGHT);
    let unknown = view(DomainId(Uuid::now_v7()), 9, 0);
    let batch = [view(home.domain, 7, 0), bad, unknown, view(home.domain, 7, 1)];
    store.store(&batch).await.unwrap();
    assert_eq!(sessions(&fixture).await, (1, 2, 0));
    let aside: i64 = fixture
        .value("SELECT count(*) FROM set_aside WHERE kind = 'beacon'", &[])
        .await;
    assert_eq!(aside, 2);
}

#[tokio::test]
async fn a_flood_of_values_grows_no_table() {
    let (fixture, home, store) = home().await;
    let store = store.with_most_new_values(3);
    let paths = |from: i64| -> Vec<Beacon<Events>> {
        (from..from + 10)
            .map(|number| beacon(home.domain, 7, 0, &format!("/{number}"), Action::PageView))
            .collect()
    };
    store.store(&paths(0)).await.unwrap();
    store.store(&paths(10)).await.unwrap();
    let values: i64 = fixture
        .value(
            "SELECT count(DISTINCT v.value) FROM analytics_hits AS h JOIN analytics_values AS v ON v.id = h.page",
            &[],
        )
        .await;
    assert_eq!(values, 4, "three, and (other)");
    assert_eq!(sessions(&fixture).await, (1, 20, 0));
    // A value that was stored before stays itself beyond the limit.
    store
        .store(&[beacon(home.domain, 7, 1, "/0", Action::PageView)])
        .await
        .unwrap();
    let first: i64 = fixture
        .value(
            "SELECT count(*) FROM analytics_hits AS h JOIN analytics_values AS v ON v.id = h.page
             WHERE v.value = '/0'",
            &[],
        )
        .await;
    assert_eq!(first, 2);
}

/// 1,000 visitors come twice: the second time their sessions are there.
#[tokio::test]
async fn a_thousand_beacons_are_stored_together() {
    let (fixture, home, store) = home().await;
    let batch = |beacons: i64| -> Vec<Beacon<Events>> {
        (0..beacons)
            .map(|number| view(home.domain, number, number % 20))
            .collect()
    };
    store.store(&batch(1_000)).await.unwrap();
    assert_eq!(sessions(&fixture).await.1, 1_000);
    store.store(&batch(1_000)).await.unwrap();
    assert_eq!(sessions(&fixture).await, (1_000, 2_000, 0));
}
