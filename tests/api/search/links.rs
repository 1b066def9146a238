//! Imported days after a change of a link or of its search types.

use std::{
    sync::Arc,
    time::{Duration as StdDuration, Instant},
};

use pharos_domain::{ids::SearchAccountId, secret::Secret};
use pharos_due::work::DueClaim;
use pharos_search::{
    google::account::Credentials,
    gsc::{
        accounts::{AccountStore, NewAccount, NewLink},
        importer::{Days, ImportError, Newest, Tried},
        link::{DueLink, Lease, Link, LinkStore, Next, Synced},
        property::{Permission, PropertyStatus},
    },
};
use pharos_server::demo::google::play::{Fact, Facts};
use time::{Date, Duration, macros::date};

use super::{
    google::{Google, Instead, SITE, Steady},
    read,
    sync::{cell, importer, linked, of_types, past, round, stored},
};
use crate::harness::{TestApp, actor};

/// Another property of the same site, which had something on every other day alone.
const OTHER: &str = "https://www.shop.example/";

#[derive(Clone, Copy)]
struct EveryOther;

impl Facts for EveryOther {
    fn of(&self, date: Date, search_type: &str) -> Vec<Fact> {
        let since = date - date!(2026 - 03 - 18);
        if search_type != "WEB" || since.is_negative() || since.whole_days() % 2 != 0 {
            return Vec::new();
        }
        vec![Fact {
            query: Some("boots".to_owned()),
            page: "https://www.shop.example/boots".to_owned(),
            country: "fra",
            device: "DESKTOP",
            look: None,
            hour: 0,
            clicks: 100,
            impressions: 1_000,
            position: 2.0,
        }]
    }
}

async fn link(app: &TestApp, account: SearchAccountId, site_url: &str) {
    let accounts: Arc<dyn AccountStore> = app.stores.ports.get().unwrap();
    let link = NewLink {
        domain: app.world.domain,
        account,
        site_url: site_url.to_owned(),
        permission: Permission::Owner,
        linked_by: Some(app.world.owner),
    };
    accounts.link(&link, &actor(), app.now()).await.unwrap();
}

/// The link as an import begins with it.
async fn known(app: &TestApp) -> Link {
    let links: Arc<dyn LinkStore> = app.stores.ports.get().unwrap();
    links.link(app.world.domain).await.unwrap().unwrap()
}

/// In an hour: later than any test ends.
fn later() -> Instant {
    Instant::now() + StdDuration::from_secs(3_600)
}

const DAYS: &str =
    "SELECT string_agg(extract(day FROM date)::text || ':' || clicks, ' ' ORDER BY date) FROM search_days";

/// There and back: the first property had something on the days from the 16th on, the second from the 18th on.
#[tokio::test]
async fn another_property_takes_the_place_of_the_one_before_with_all_its_days() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    let account = linked(&app).await;
    let (steady, other) = (
        Google::of(Steady, app.clock.clone()).await,
        Google::of(EveryOther, app.clock.clone()).await,
    );
    round(&app, &steady).await;
    past(&app, &steady).await;
    let first = stored(&app).await;

    link(&app, account, OTHER).await;
    round(&app, &other).await;
    past(&app, &other).await;
    assert_eq!(
        cell(&app, DAYS).await.as_deref(),
        Some("18:100 20:100 22:100 24:100 26:100 28:100 30:100"),
        "no day has figures of the property before"
    );
    let queries = "SELECT count(DISTINCT query_id)::text FROM search_queries";
    assert_eq!(cell(&app, queries).await.as_deref(), Some("1"));

    link(&app, account, SITE).await;
    round(&app, &steady).await;
    past(&app, &steady).await;
    assert_eq!(stored(&app).await, first);
}

/// Days that Google has no more, and a search type that is imported no more: nothing of the next import replaces either.
#[tokio::test]
async fn figures_of_another_property_go_whole() {
    let app = TestApp::start().await;
    of_types(&app, &["web", "discover"]).await;
    let account = linked(&app).await;
    let (steady, other) = (
        Google::of(Steady, app.clock.clone()).await,
        Google::of(EveryOther, app.clock.clone()).await,
    );
    round(&app, &steady).await;
    past(&app, &steady).await;
    let old =
        "INSERT INTO search_days (domain_id, search_type, date, is_final, clicks, impressions, position_sum)
        SELECT domain_id, 1, '2020-05-01', true, 1, 10, 20 FROM search_properties";
    app.sql(old).await;
    let days = "SELECT count(*)::text || ' since ' || min(date) FROM search_days";
    assert_eq!(cell(&app, days).await.as_deref(), Some("33 since 2020-05-01"));

    // Another one that was linked by mistake, of which nothing was imported, and the same one by a link of its own keep them.
    link(&app, account, OTHER).await;
    let accounts: Arc<dyn AccountStore> = app.stores.ports.get().unwrap();
    accounts
        .unlink(app.world.domain, &actor(), app.now())
        .await
        .unwrap();
    link(&app, account, SITE).await;
    round(&app, &steady).await;
    assert_eq!(cell(&app, days).await.as_deref(), Some("33 since 2020-05-01"));

    of_types(&app, &["web"]).await;
    link(&app, account, OTHER).await;
    let hours = "SELECT count(*)::text FROM search_hours";
    assert_eq!(cell(&app, hours).await.as_deref(), Some("0"));
    round(&app, &other).await;
    past(&app, &other).await;
    assert_eq!(cell(&app, days).await.as_deref(), Some("7 since 2026-03-18"));
    let sums = "SELECT count(DISTINCT value_id)::text FROM search_sums";
    assert_eq!(cell(&app, sums).await.as_deref(), Some("2"), "a query and a page");
    let texts = "SELECT string_agg(value, ', ' ORDER BY value) FROM search_values";
    assert_eq!(
        cell(&app, texts).await.as_deref(),
        Some("boots, https://www.shop.example/boots"),
        "what people searched for to find the property before is not kept"
    );
}

/// 16 days before it was unlinked, and 20 until it was linked again.
#[tokio::test]
async fn days_that_came_while_nothing_was_linked_come_in_with_the_next_link() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    let account = linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    round(&app, &google).await;
    past(&app, &google).await;
    let accounts: Arc<dyn AccountStore> = app.stores.ports.get().unwrap();
    accounts
        .unlink(app.world.domain, &actor(), app.now())
        .await
        .unwrap();
    app.clock.advance(Duration::days(20));
    link(&app, account, SITE).await;
    round(&app, &google).await;
    past(&app, &google).await;
    let days = "SELECT count(*)::text FROM search_days";
    assert_eq!(cell(&app, days).await.as_deref(), Some("36"));
}

#[tokio::test]
async fn a_search_type_that_comes_back_is_imported_with_the_days_between() {
    let app = TestApp::start().await;
    of_types(&app, &["web", "discover"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    round(&app, &google).await;
    past(&app, &google).await;
    of_types(&app, &["web"]).await;
    app.clock.advance(Duration::days(20));
    round(&app, &google).await;
    of_types(&app, &["web", "discover"]).await;
    round(&app, &google).await;
    past(&app, &google).await;
    let days = "SELECT string_agg(n::text, ' ') FROM (SELECT count(*) AS n FROM search_days GROUP BY search_type) AS t";
    assert_eq!(cell(&app, days).await.as_deref(), Some("36 36"));
}

/// Somebody links another property while days come in: the import is of none any more, whatever it still brings.
#[tokio::test]
async fn an_import_of_a_link_that_is_no_more_changes_nothing() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    let account = linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let unimported = known(&app).await;
    round(&app, &google).await;
    let imported = known(&app).await;
    let before = stored(&app).await;
    link(&app, account, OTHER).await;

    let importer = importer(&app, &google);
    let newest = importer
        .newest(&unimported, Days::Since(None), None, later())
        .await;
    assert!(
        matches!(newest.error, Some(ImportError::Relinked)),
        "{:?}",
        newest.error
    );
    let past = importer.backfill(&imported, later()).await;
    assert!(matches!(past, Err(ImportError::Relinked)), "{past:?}");
    let links: Arc<dyn LinkStore> = app.stores.ports.get().unwrap();
    let ended = Synced {
        domain: app.world.domain,
        site_url: imported.site_url.clone(),
        linked_at: imported.linked_at,
        at: app.now(),
        outcome: None,
        marks: None,
        status: PropertyStatus::PermissionLost,
        failure: None,
        next: None,
    };
    links.settle(&[ended]).await.unwrap();
    assert_eq!(stored(&app).await, before);
    let noted = "SELECT count(*)::text FROM search_imports";
    assert_eq!(cell(&app, noted).await.as_deref(), Some("0"));
    assert_eq!(read(&app, "property").await["status"], "pending");
}

#[tokio::test]
async fn a_type_that_is_added_while_an_import_goes_on_does_not_wait_for_the_next_day() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let links: Arc<dyn LinkStore> = app.stores.ports.get().unwrap();
    app.sql("UPDATE search_properties SET next_sync_at = '2026-03-01'")
        .await;
    let claim = DueClaim::of_now(app.now(), Duration::minutes(15), 1);
    let due = links.claim(&claim).await.unwrap().remove(0);
    let link = known(&app).await;
    of_types(&app, &["web", "discover"]).await;
    let ended = Synced {
        domain: link.domain,
        site_url: link.site_url,
        linked_at: link.linked_at,
        at: app.now(),
        outcome: None,
        marks: None,
        status: PropertyStatus::Connected,
        failure: None,
        next: Some(Next {
            leased_until: due.lease.end(),
            at: app.now() + Duration::DAY,
            newest_at: app.now() + Duration::DAY,
            failures: 0,
        }),
    };
    links.settle(&[ended]).await.unwrap();
    let is_due =
        "SELECT (newest_due_at < '2026-04-01' AND next_sync_at < '2026-04-01' AND leased_until IS NULL)::text
        FROM search_properties";
    assert_eq!(cell(&app, is_due).await.as_deref(), Some("true"));
}

/// The first day is begun when the time is over: no day came in, and the next import has another try.
#[tokio::test]
async fn newest_days_that_take_too_long_are_left_to_the_next_import() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let (link, importer) = (known(&app).await, importer(&app, &google));
    let late = importer
        .newest(&link, Days::Since(None), None, Instant::now())
        .await;
    assert!(matches!(late.error, Some(ImportError::TooSlow)), "{late:?}");
    assert_eq!(late.items.completed, 0);
    let newest = importer.newest(&link, Days::Since(None), None, later()).await;
    assert!(newest.error.is_none(), "{newest:?}");
    assert_eq!(
        newest.items.completed, 13,
        "ten final days and three that are not"
    );
}

/// The time of each piece is over when it begins: each brings one day, and none is asked for twice.
#[tokio::test]
async fn newest_days_come_in_by_pieces_that_each_go_on_from_the_one_before() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let (link, importer) = (known(&app).await, importer(&app, &google));
    let whole = importer.newest(&link, Days::Since(None), None, later()).await;
    assert!(whole.error.is_none(), "{whole:?}");
    let (before, marks) = (stored(&app).await, whole.marks);
    let of_days = |google: &Google| -> Vec<String> {
        let asked = google.asked().into_iter().map(|request| request.body);
        asked
            .filter(|body| body.contains("\"dimensions\":[\"COUNTRY\""))
            .collect()
    };
    let mut once = of_days(&google);
    app.sql("DELETE FROM search_days").await;

    let mut newest = Newest {
        until: Instant::now(),
        tried: Tried::default(),
        is_left: false,
    };
    let mut asked = Vec::new();
    for done in 1..13 {
        newest.is_left = false;
        let piece = importer.newest_piece(&link, &mut newest).await;
        assert!(newest.is_left && piece.error.is_none(), "{piece:?}");
        assert_eq!(newest.tried.done.len(), done);
        assert_eq!(piece.marks.data_through, None, "it has not ended");
        asked.extend(of_days(&google));
    }
    newest.is_left = false;
    let last = importer.newest_piece(&link, &mut newest).await;
    assert!(!newest.is_left && last.error.is_none(), "{last:?}");
    asked.extend(of_days(&google));
    assert_eq!((stored(&app).await, last.marks), (before, marks));
    assert_eq!(last.items.completed, 13);
    once.sort_unstable();
    asked.sort_unstable();
    assert_eq!(asked, once);
}

/// Google takes its time for answers that can't be read: each piece asks for one day, and none is asked for twice.
#[tokio::test]
async fn newest_days_that_cannot_be_read_take_their_turn_as_those_that_come_in() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let (link, importer) = (known(&app).await, importer(&app, &google));
    let places = "\"dimensions\":[\"COUNTRY\"";
    google.answers(Instead {
        path: "query",
        holds: places,
        status: 200,
        headers: "",
        body: "{\"rows\":[{\"keys\":[\"red sh".to_owned(),
    });
    let mut newest = Newest {
        until: Instant::now(),
        tried: Tried::default(),
        is_left: false,
    };
    for tried in 1..13 {
        newest.is_left = false;
        let piece = importer.newest_piece(&link, &mut newest).await;
        assert!(newest.is_left, "{piece:?}");
        assert!(newest.tried.done.is_empty());
        assert_eq!(newest.tried.unread.len(), tried);
        let asked = google.asked().into_iter();
        assert_eq!(asked.filter(|request| request.body.contains(places)).count(), 1);
    }
    newest.is_left = false;
    let last = importer.newest_piece(&link, &mut newest).await;
    assert!(!newest.is_left, "{last:?}");
    assert_eq!((last.items.completed, last.items.failed), (0, 13));
    assert!(
        matches!(last.error, Some(ImportError::Unread(_))),
        "the first reason is that of a piece before: {last:?}"
    );
}

/// Somebody clicks twice on the page that Google asks on.
#[tokio::test]
async fn two_consents_by_the_same_name_at_once_are_of_one_account() {
    let app = TestApp::start().await;
    let accounts: Arc<dyn AccountStore> = app.stores.ports.get().unwrap();
    let new = |token: &str| NewAccount {
        workspace: app.world.workspace,
        label: "ada@shop.example".to_owned(),
        credentials: Credentials::Oauth {
            refresh_token: Secret::from(token.to_owned()),
        },
        created_by: Some(app.world.owner),
    };
    let (first, second) = (new("the-first-token"), new("the-second-token"));
    let by = actor();
    let (first, second) = tokio::join!(
        accounts.consent(&first, &by, app.now()),
        accounts.consent(&second, &by, app.now())
    );
    assert_eq!(first.unwrap(), second.unwrap());
    assert_eq!(accounts.list(app.world.workspace).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_claim_is_renewed_by_whoever_has_it() {
    let app = TestApp::start().await;
    linked(&app).await;
    let links: Arc<dyn LinkStore> = app.stores.ports.get().unwrap();
    app.sql("UPDATE search_properties SET next_sync_at = '2026-03-01'")
        .await;
    let claim = DueClaim::of_now(app.now(), Duration::minutes(1), 1);
    let due = links.claim(&claim).await.unwrap().remove(0);
    let (claimed, elsewhere) = (due.lease.end(), due.clone());
    assert!(links.renew(&due, Duration::hours(1)).await.unwrap());
    assert!(due.lease.end() > claimed);
    let late = DueLink {
        lease: Lease::until(claimed),
        ..elsewhere
    };
    assert!(!links.renew(&late, Duration::hours(1)).await.unwrap());
    let leased = "SELECT (leased_until IS NOT NULL)::text FROM search_properties";
    links.release(&[&late]).await.unwrap();
    assert_eq!(cell(&app, leased).await.as_deref(), Some("true"));
    links.release(&[&due]).await.unwrap();
    assert_eq!(cell(&app, leased).await.as_deref(), Some("false"));
}

#[tokio::test]
async fn credentials_that_cannot_be_opened_are_told_like_a_consent_that_ended() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    app.sql("UPDATE search_accounts SET sealed = decode(repeat('01', 80), 'hex')")
        .await;
    round(&app, &google).await;
    assert_eq!(read(&app, "property").await["status"], "reauthorization_required");
    let told = "SELECT count(*)::text FROM notifications WHERE kind = 'module_disconnected'";
    assert_eq!(cell(&app, told).await.as_deref(), Some("1"));
    assert!(google.asked().is_empty());
}
