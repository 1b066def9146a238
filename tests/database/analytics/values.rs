//! Values of the dictionary are forgotten once nothing that is kept can name them.

use pharos_analytics::{
    breakdown::{BreakdownQuery, Grouping},
    filter::Filters,
    store::VisitStore,
};
use pharos_analytics_pg::{collect::PgEventStore, reads::PgVisitStore};
use pharos_domain::{
    collect::{
        Beacon, BeaconStore,
        event::{Action, Events},
    },
    ids::DomainId,
    window::DateRange,
};
use tokio::time::{Duration, sleep};

use super::collect::beacon;
use crate::harness::{Fixture, NOW};

const DAY: i64 = 24 * 60;
/// Longer ago than anything is kept: twelve years.
const LONG_AGO: i64 = -12 * 366 * DAY;
/// Ten months longer ago than anything is kept.
const NOT_LONG_AGO: i64 = -(10 * 366 + 300) * DAY;
/// The pages that are known.
const PAGES: &str =
    "SELECT coalesce(string_agg(value, ' ' ORDER BY value), '') FROM analytics_values WHERE dimension = 0";
/// The pages that have a title.
const TITLES: &str = "SELECT coalesce(string_agg(title, ' ' ORDER BY title), '') FROM analytics_titles";
/// When the page was last used.
const USED: &str = "SELECT used_on::text FROM analytics_values WHERE dimension = 0 AND value = '/page'";
/// Hits of today whose page or browser nobody knows.
const NAMELESS: &str = "SELECT count(*) FROM analytics_hits AS h
     WHERE h.at >= '2026-03-31' AND NOT EXISTS (
         SELECT FROM analytics_values AS page
         JOIN analytics_values AS browser ON browser.id = h.browser
         WHERE page.id = h.page
     )";

/// A view of a page that is called as its path is.
fn view(domain: DomainId, visitor: i64, minutes: i64, path: &str) -> Beacon<Events> {
    let mut beacon = beacon(domain, visitor, minutes, path, Action::PageView);
    beacon.content.0[0].page.title = Some(path.to_owned());
    beacon
}

/// Does the step of upkeep that forgets values.
async fn forget(fixture: &Fixture) {
    let steps = fixture.database.groups().iter().flat_map(|group| group.upkeep);
    for step in steps.filter(|step| step.name == "values of visits") {
        (step.run)(&fixture.database, NOW).await.unwrap();
    }
}

async fn nameless(fixture: &Fixture) -> i64 {
    fixture.value(NAMELESS, &[]).await
}

/// The browser is used on both days, and comes first on the older one.
#[tokio::test]
async fn a_value_that_nothing_has_any_more_is_forgotten_and_made_anew() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let store = PgEventStore::new(fixture.database.clone());
    let views = [
        view(home.domain, 1, LONG_AGO, "/old"),
        view(home.domain, 2, 0, "/new"),
    ];
    store.store(&views).await.unwrap();
    forget(&fixture).await;
    assert_eq!(fixture.value::<String>(PAGES, &[]).await, "/new");
    assert_eq!(fixture.value::<String>(TITLES, &[]).await, "/new");
    // The store remembers the number that the old page had.
    store.store(&[view(home.domain, 3, 1, "/old")]).await.unwrap();
    assert_eq!(fixture.value::<String>(PAGES, &[]).await, "/new /old");
    assert_eq!(nameless(&fixture).await, 0);
}

/// A node of the version before that shares the database for months uses values, and writes no day.
#[tokio::test]
async fn a_value_stays_for_longer_than_older_nodes_are_left_running() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let store = PgEventStore::new(fixture.database.clone());
    let views = [
        view(home.domain, 1, LONG_AGO, "/old"),
        view(home.domain, 2, NOT_LONG_AGO, "/page"),
    ];
    store.store(&views).await.unwrap();
    forget(&fixture).await;
    assert_eq!(fixture.value::<String>(PAGES, &[]).await, "/page");
}

#[tokio::test]
async fn a_value_that_is_used_again_stays_whoever_remembers_it() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let first = PgEventStore::new(fixture.database.clone());
    let old = ["/page", "/other"].map(|path| view(home.domain, 1, LONG_AGO, path));
    first.store(&old).await.unwrap();
    // One that remembers, and one that has yet to look.
    let second = PgEventStore::new(fixture.database.clone());
    first.store(&[view(home.domain, 2, 0, "/page")]).await.unwrap();
    second.store(&[view(home.domain, 3, 0, "/other")]).await.unwrap();
    forget(&fixture).await;
    assert_eq!(fixture.value::<String>(PAGES, &[]).await, "/other /page");
    assert_eq!(nameless(&fixture).await, 0);
}

#[tokio::test]
async fn that_a_value_is_used_is_written_once_a_month() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let store = PgEventStore::new(fixture.database.clone());
    for (days, used_on) in [
        (0, "2026-03-31"),
        (30, "2026-03-31"),
        (31, "2026-05-01"),
        (20, "2026-05-01"),
        (61, "2026-05-01"),
    ] {
        let viewed = view(home.domain, 1, days * DAY, "/page");
        store.store(&[viewed]).await.unwrap();
        let found: String = fixture.value(USED, &[]).await;
        assert_eq!(found, used_on, "after {days} days");
    }
}

/// All sites share the numbers, of which there are as many as 32 bits hold.
#[tokio::test]
async fn values_beyond_the_bound_of_a_day_use_up_no_numbers() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let store = PgEventStore::new(fixture.database.clone()).with_most_new_values(1);
    let last = "SELECT last_value FROM analytics_values_id_seq";
    for path in ["/first", "/beyond"] {
        store.store(&[view(home.domain, 1, 0, path)]).await.unwrap();
    }
    let used: i64 = fixture.value(last, &[]).await;
    for minute in 1..4 {
        let path = format!("/beyond/{minute}");
        store.store(&[view(home.domain, 1, minute, &path)]).await.unwrap();
    }
    let pages = "SELECT count(*) FROM analytics_values WHERE dimension = 0";
    assert_eq!(fixture.value::<i64>(pages, &[]).await, 2);
    assert_eq!(fixture.value::<i64>(last, &[]).await, used);
}

/// Upkeep deletes it after the writer has seen it, and before the writer has noted that it is used.
#[tokio::test]
async fn a_value_that_is_forgotten_while_it_is_looked_up_is_made_anew() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let store = PgEventStore::new(fixture.database.clone());
    store
        .store(&[view(home.domain, 1, LONG_AGO, "/page")])
        .await
        .unwrap();
    let forgets = "BEGIN; DELETE FROM analytics_values WHERE dimension = 0";
    fixture.sql.batch_execute(forgets).await.unwrap();
    let viewed = view(home.domain, 2, 0, "/page");
    let storing = tokio::spawn(async move { store.store(&[viewed]).await });
    let waits = "SELECT count(*) FROM pg_locks AS l
         WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(l.pid))";
    while fixture.value::<i64>(waits, &[]).await == 0 {
        sleep(Duration::from_millis(10)).await;
    }
    fixture.sql.batch_execute("COMMIT").await.unwrap();
    storing.await.unwrap().unwrap();
    assert_eq!(fixture.value::<String>(PAGES, &[]).await, "/page");
    assert_eq!(nameless(&fixture).await, 0);
}

/// So it is after a failover that lost what was written last, where a node remembers a number that another value got since.
#[tokio::test]
async fn a_number_of_a_value_of_another_domain_names_nothing() {
    let fixture = Fixture::new().await;
    let (ada, bob) = (fixture.home("ada").await, fixture.home("bob").await);
    let access = fixture.access(&ada).await;
    let mut viewed = view(ada.domain, 1, 0, "/page");
    viewed.client.browser = Some("Lynx".to_owned());
    let store = PgEventStore::new(fixture.database.clone());
    store.store(&[viewed]).await.unwrap();
    let visits = PgVisitStore::new(fixture.database.clone());
    let query = BreakdownQuery {
        window: DateRange::ending(NOW.date(), 1),
        filters: &Filters::default(),
        currency: "EUR",
        limit: 10,
    };
    let browsers = async || {
        let found = visits
            .breakdowns(&access, &query, &[Grouping::Browser])
            .await
            .unwrap();
        assert_eq!(found.totals.sessions, 1);
        format!("{:?}", found.breakdowns)
    };
    assert!(browsers().await.contains("Lynx"));
    let taken = "UPDATE analytics_values SET domain_id = $1 WHERE value = 'Lynx'";
    fixture.sql.execute(taken, &[&bob.domain.0]).await.unwrap();
    assert!(!browsers().await.contains("Lynx"));
}
