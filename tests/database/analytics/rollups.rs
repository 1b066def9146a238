//! Roll-ups say what the visits say that they are made of, whenever they are made.

use std::collections::BTreeSet;

use pharos_analytics::{
    actions::{ActionKind, Actions, ActionsQuery},
    breakdown::{BreakdownQuery, Breakdowns, Grouping},
    commerce::{SalesByChannel, SalesByDay},
    filter::Filters,
    overview::Overview,
    pages::{PageFigures, PagePart, PageSort, Pages, PagesQuery},
    store::{ActionStore, CommerceStore, VisitStore},
};
use pharos_analytics_pg::{collect::PgEventStore, reads::PgVisitStore, rollups};
use pharos_domain::{
    collect::{
        Beacon, BeaconStore, PageLoadId, VisitorId,
        client::{Client, Device},
        event::{Action, Commerce, CommerceItem, CommerceStep, Event, Events, Origin, Page},
    },
    identity::DomainAccess,
    ids::DomainId,
    page::{OffsetRequest, SortOrder},
    window::DateRange,
};
use pharos_persistence::pool::Database;
use time::{
    Duration, OffsetDateTime,
    macros::{date, datetime},
};
use uuid::Uuid;

use super::collect::view;
use crate::harness::{Fixture, NOW};

const FIRST: OffsetDateTime = datetime!(2026-01-20 00:00 UTC);
const DAYS: i64 = 45;

/// Rolls up until there is nothing left to do.
pub(super) async fn roll_up(database: &Database, now: OffsetDateTime) {
    for domain in rollups::behind(database, now).await.unwrap() {
        while rollups::roll_up_day(database, domain, now).await.unwrap() {}
    }
}

/// A random beacon of one of thirty visitors.
fn beacon(random: &mut fastrand::Rng, domain: DomainId) -> Beacon<Events> {
    let at = FIRST + Duration::seconds(random.i64(0..DAYS * 86_400));
    let action = match random.u8(0..10) {
        0..=5 => Action::PageView,
        6 | 7 => Action::Engagement {
            visible_ms: random.u32(0..60_000),
            scroll_pct: random.bool().then(|| random.u8(0..=100)),
        },
        8 => match random.u8(0..4) {
            0 => Action::Outbound {
                url: format!("https://other.example/{}", random.u8(0..3)),
            },
            1 => Action::Download {
                url: format!("https://ada.example/{}.pdf", random.u8(0..3)),
            },
            2 => Action::Search {
                term: Some(random.u8(0..3).to_string()),
                results: random.bool().then(|| random.u32(0..5)),
            },
            _ => Action::Custom {
                name: format!("event {}", random.u8(0..3)),
                properties: Vec::new(),
                commerce: None,
            },
        },
        _ => Action::Custom {
            name: "purchase".to_owned(),
            properties: Vec::new(),
            commerce: Some(Commerce {
                step: *random
                    .choice(&[
                        CommerceStep::View,
                        CommerceStep::AddToCart,
                        CommerceStep::Checkout,
                        CommerceStep::Purchase,
                        CommerceStep::Refund,
                    ])
                    .unwrap(),
                order_id: Some(random.u8(0..60).to_string()),
                value_cents: random.bool().then(|| random.i64(0..10_000)),
                currency: random
                    .choice([None, Some("EUR"), Some("USD")])
                    .unwrap()
                    .map(str::to_owned),
                items: Vec::new(),
            }),
        },
    };
    let origin = Origin {
        referrer_host: random.bool().then(|| "google.com".to_owned()),
        ..Origin::default()
    };
    Beacon {
        id: Uuid::from_u128(random.u128(..)),
        domain,
        visitor: VisitorId(random.i64(0..30)),
        received_at: at,
        client: Client {
            device: Device::Desktop,
            browser: None,
            browser_version: None,
            os: None,
            os_version: None,
            country: random
                .choice([None, Some("DE"), Some("FR")])
                .unwrap()
                .map(str::to_owned),
            region: None,
            city: None,
            screen: None,
        },
        content: Events(vec![Event {
            at,
            load: Some(PageLoadId(random.i64(1..400))),
            page: Page {
                host: "ada.example".to_owned(),
                path: format!("/{}", random.u8(0..8)),
                title: None,
                origin,
            },
            action,
        }]),
    }
}

fn windows(random: &mut fastrand::Rng) -> Vec<DateRange> {
    let last = FIRST.date() + Duration::days(DAYS + 2);
    let mut windows = vec![DateRange::ending(last, 60)];
    for _ in 0..12 {
        let first = FIRST.date() + Duration::days(random.i64(-3..DAYS));
        windows.extend(DateRange::new(first, first + Duration::days(random.i64(0..DAYS))));
    }
    windows
}

/// The answers of a store for a window: by the dimensions of its sessions, and by what was done and sold.
#[derive(Debug, PartialEq)]
struct Parts {
    breakdowns: Breakdowns,
    actions: Vec<Actions>,
    sales: Option<(SalesByDay, SalesByChannel)>,
}

async fn parts(visits: &PgVisitStore, access: &DomainAccess, window: DateRange, filters: &Filters) -> Parts {
    let query = BreakdownQuery {
        window,
        filters,
        currency: "EUR",
        limit: 100,
    };
    let breakdowns = visits.breakdowns(access, &query, &Grouping::ALL).await.unwrap();
    let mut actions = Vec::new();
    for kind in [
        ActionKind::Event,
        ActionKind::Outbound,
        ActionKind::Download,
        ActionKind::Search,
    ] {
        let query = ActionsQuery {
            window,
            filters,
            kind,
            name: None,
            rows: 100,
            after: None,
            currency: "EUR",
        };
        actions.push(visits.actions(access, &query).await.unwrap());
    }
    let sales = if filters.is_empty() {
        let sales = visits.sales(access, &[window], "EUR").await.unwrap();
        let sales = SalesByDay {
            // It is known of all days that are rolled up, of others only of those that are asked for.
            has_refunds: true,
            ..sales
        };
        Some((
            sales,
            visits.sales_by_channel(access, window, "EUR").await.unwrap(),
        ))
    } else {
        None
    };
    Parts {
        breakdowns,
        actions,
        sales,
    }
}

/// A page's figures, and those of its days, in one order.
async fn answers(
    visits: &PgVisitStore,
    access: &DomainAccess,
    windows: &[DateRange],
) -> Vec<(Overview, Vec<(BTreeSet<String>, Pages)>, Parts)> {
    let country = Filters {
        country: Some("FR".to_owned()),
        ..Filters::default()
    };
    let mut answers = Vec::new();
    for window in windows {
        for filters in [&Filters::default(), &country] {
            let mut overview = visits.overview(access, &[*window], filters, "EUR").await.unwrap();
            overview.revenue_cents.retain(|(_, cents)| *cents != 0);
            let mut lists = Vec::new();
            for part in PagePart::ALL {
                let query = PagesQuery {
                    window: *window,
                    filters,
                    part: *part,
                    search: None,
                    sort: PageSort::Visitors,
                    order: SortOrder::Descending,
                    page: OffsetRequest {
                        limit: 100,
                        offset: 0,
                    },
                };
                let mut pages = visits.pages(access, &query).await.unwrap();
                pages.items.sort_by(|a: &PageFigures, b| a.path.cmp(&b.path));
                let paths = pages.items.iter().map(|page| page.path.clone()).collect();
                lists.push((paths, pages));
            }
            let parts = parts(visits, access, *window, filters).await;
            answers.push((overview, lists, parts));
        }
    }
    answers
}

#[tokio::test]
async fn roll_ups_say_what_visits_say_in_any_window_on_any_day() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let mut random = fastrand::Rng::with_seed(7);
    let mut beacons: Vec<_> = (0..3_000).map(|_| beacon(&mut random, home.domain)).collect();
    beacons.sort_by_key(|beacon| beacon.received_at);
    let store = PgEventStore::new(fixture.database.clone());
    for batch in beacons.chunks(300) {
        store.store(batch).await.unwrap();
    }
    let visits = PgVisitStore::new(fixture.database.clone());
    let windows = windows(&mut random);
    let raw = answers(&visits, &access, &windows).await;
    assert!(raw[0].0.totals(windows[0]).sessions > 1_000, "{:?}", raw[0].0);
    for days in [1, 12, 13, 25, 39, 40, 41, DAYS + 3] {
        roll_up(&fixture.database, FIRST + Duration::days(days) + Duration::HOUR).await;
        assert_eq!(
            answers(&visits, &access, &windows).await,
            raw,
            "after {days} days"
        );
    }
    let rows: i64 = fixture
        .value("SELECT count(*) FROM analytics_pages WHERE grain = 1", &[])
        .await;
    assert!(rows > 20, "{rows}: months are rolled up");
    // Something late opens its day again. Both months after it are made anew.
    let mut late = beacon(&mut random, home.domain);
    late.content.0[0].at = datetime!(2026-01-31 23:00 UTC);
    late.content.0[0].action = Action::PageView;
    store.store(&[late]).await.unwrap();
    let reopened = answers(&visits, &access, &windows).await;
    assert_ne!(reopened, raw);
    roll_up(
        &fixture.database,
        FIRST + Duration::days(DAYS + 3) + Duration::HOUR,
    )
    .await;
    assert_eq!(answers(&visits, &access, &windows).await, reopened);
}

/// The first visit of a site is alone on its day, a minute before midnight; the next comes before that day is rolled up.
#[tokio::test]
async fn a_first_day_counts_though_the_next_begins_before_it_is_rolled_up() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    let visits = PgVisitStore::new(fixture.database.clone());
    let midnight = datetime!(2026-02-01 00:00 UTC);
    for (visitor, at) in [
        (1, midnight - Duration::MINUTE),
        (2, midnight + Duration::minutes(2)),
    ] {
        let mut told = view(home.domain, visitor, 0);
        told.content.0[0].at = at;
        store.store(&[told]).await.unwrap();
    }
    let window = DateRange::ending(midnight.date(), 2);
    for later in [Duration::minutes(3), Duration::HOUR, Duration::days(2)] {
        roll_up(&fixture.database, midnight + later).await;
        let found = visits
            .overview(&access, &[window], &Filters::default(), "EUR")
            .await
            .unwrap();
        let sessions: Vec<_> = found
            .days
            .iter()
            .map(|day| (day.day, day.totals.sessions))
            .collect();
        assert_eq!(
            sessions,
            [(date!(2026 - 01 - 31), 1), (date!(2026 - 02 - 01), 1)],
            "{later} after midnight"
        );
    }
}

/// Whoever knows the key of a site can claim as many orders of the highest amount as come to more than a number holds.
#[tokio::test]
async fn amounts_that_no_number_holds_stop_no_read_and_no_roll_up() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    let dear = CommerceItem {
        id: "S1".to_owned(),
        name: None,
        category: None,
        brand: None,
        variant: None,
        price_cents: Some(1_000_000_000_000_000),
        quantity: 1_000_000,
    };
    let purchase = Action::Custom {
        name: "purchase".to_owned(),
        properties: Vec::new(),
        commerce: Some(Commerce {
            step: CommerceStep::Purchase,
            order_id: None,
            value_cents: Some(4_000_000_000_000_000_000),
            currency: None,
            items: vec![dear],
        }),
    };
    let mut random = fastrand::Rng::with_seed(7);
    let mut beacons = Vec::new();
    for days in [0, 0, 0, 1, 1, 1, 2] {
        let mut visit = beacon(&mut random, home.domain);
        visit.content.0[0].at = FIRST + Duration::days(days) + Duration::HOUR;
        visit.content.0[0].action = purchase.clone();
        beacons.push(visit);
    }
    store.store(&beacons).await.unwrap();
    let visits = PgVisitStore::new(fixture.database.clone());
    let window = DateRange::new(FIRST.date(), FIRST.date() + Duration::days(2)).unwrap();
    let raw = answers(&visits, &access, &[window]).await;
    let orders: u64 = raw[0].0.orders.iter().map(|(_, orders)| *orders).sum();
    assert_eq!(orders, 7);
    assert!(raw[0].0.revenue(window) > 9e13, "{:?}", raw[0].0);
    let page = OffsetRequest {
        limit: 100,
        offset: 0,
    };
    let products = visits
        .sales_by_product(&access, window, "EUR", page)
        .await
        .unwrap();
    assert_eq!(products.products[0].units, 7_000_000);
    let hours = visits.sales_by_hour(&access, window, "EUR").await.unwrap();
    assert_eq!(hours.len(), 3);

    let later = FIRST + Duration::days(4);
    roll_up(&fixture.database, later).await;
    assert!(
        rollups::behind(&fixture.database, later)
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(answers(&visits, &access, &[window]).await, raw);
}

/// The sessions of the day of [`NOW`].
async fn sessions_of_today(visits: &PgVisitStore, access: &DomainAccess) -> u64 {
    let today = DateRange::ending(NOW.date(), 1);
    let found = visits
        .overview(access, &[today], &Filters::default(), "EUR")
        .await
        .unwrap();
    found.totals(today).sessions
}

/// A node of the version before has the row of a site to itself until a day is rolled up: half a minute where the site is large.
#[tokio::test]
async fn a_beacon_of_today_does_not_wait_until_an_earlier_day_is_rolled_up() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let store = PgEventStore::new(fixture.database.clone());
    store.store(&[view(home.domain, 1, 0)]).await.unwrap();
    let last_at = "SELECT extract(epoch FROM last_at)::bigint FROM analytics_progress";
    let hold = "BEGIN; SELECT FROM analytics_progress FOR UPDATE";
    fixture.sql.batch_execute(hold).await.unwrap();
    // More than a minute later, so that there is something to say of the site.
    let later = [view(home.domain, 2, 5)];
    let stored = tokio::time::timeout(std::time::Duration::from_secs(5), store.store(&later));
    stored.await.unwrap().unwrap();
    fixture.sql.batch_execute("COMMIT").await.unwrap();
    assert_eq!(fixture.value::<i64>(last_at, &[]).await, NOW.unix_timestamp());
    store.store(&[view(home.domain, 3, 6)]).await.unwrap();
    let told = NOW + Duration::minutes(6);
    assert_eq!(fixture.value::<i64>(last_at, &[]).await, told.unix_timestamp());
}

/// A row that comes while its day is rolled up may be missing there, so that the day is rolled up once more.
#[tokio::test]
async fn what_comes_late_does_not_wait_until_its_day_is_rolled_up_and_counts() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    let visits = PgVisitStore::new(fixture.database.clone());
    store.store(&[view(home.domain, 1, 0)]).await.unwrap();
    let tomorrow = NOW + Duration::DAY;
    fixture.it_is(tomorrow).await;
    // The roll-up can't be written for a while.
    let hold = "BEGIN; LOCK TABLE analytics_pages IN EXCLUSIVE MODE";
    fixture.sql.batch_execute(hold).await.unwrap();
    let (database, domain) = (fixture.database.clone(), home.domain);
    let rolling = tokio::spawn(async move { rollups::roll_up_day(&database, domain, tomorrow).await });
    let waits = "SELECT count(*) FROM pg_locks AS l
         WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(l.pid))";
    while fixture.value::<i64>(waits, &[]).await == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let other = rollups::roll_up_day(&fixture.database, domain, tomorrow);
    assert!(!other.await.unwrap(), "another node is at it");
    let late = [view(domain, 2, 5)];
    let stored = tokio::time::timeout(std::time::Duration::from_secs(5), store.store(&late));
    stored.await.unwrap().unwrap();
    fixture.sql.batch_execute("COMMIT").await.unwrap();
    assert!(!rolling.await.unwrap().unwrap());
    let rolled = "SELECT count(*) FROM analytics_progress WHERE rolled_until IS NOT NULL";
    assert_eq!(fixture.value::<i64>(rolled, &[]).await, 0);
    assert_eq!(sessions_of_today(&visits, &access).await, 2);
    roll_up(&fixture.database, tomorrow).await;
    assert_eq!(fixture.value::<i64>(rolled, &[]).await, 1);
    assert_eq!(sessions_of_today(&visits, &access).await, 2);
}

/// By a clock that is a day ahead, today is over.
#[tokio::test]
async fn a_day_that_was_rolled_up_by_a_clock_ahead_counts_what_comes_once_it_is_back() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    let visits = PgVisitStore::new(fixture.database.clone());
    store.store(&[view(home.domain, 1, 0)]).await.unwrap();
    let tomorrow = NOW + Duration::DAY;
    fixture.it_is(tomorrow).await;
    store.store(&[view(home.domain, 2, 24 * 60)]).await.unwrap();
    roll_up(&fixture.database, tomorrow).await;
    fixture.it_is(NOW + Duration::minutes(5)).await;
    store.store(&[view(home.domain, 3, 5)]).await.unwrap();
    assert_eq!(sessions_of_today(&visits, &access).await, 2);
    roll_up(&fixture.database, NOW + Duration::days(2)).await;
    assert_eq!(sessions_of_today(&visits, &access).await, 2);
}
