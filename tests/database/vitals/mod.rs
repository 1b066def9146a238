//! Real-user monitoring: views are stored once, redacted, and read as they were told.

mod answers;
mod lookups;
mod percentiles;
mod plans;
mod port_plans;
mod releases;
mod texts;
mod trends;

use std::sync::Arc;

use pharos_domain::{
    collect::{
        Beacon, BeaconStore, PageLoadId, VisitorId,
        client::{Client, Device},
        view::{Cause, Engagement, ErrorSource, Navigation, Resource, ResourceType, ScriptError, View},
    },
    identity::DomainAccess,
    ids::DomainId,
    window::DateRange,
};
use pharos_vitals::{
    metric::Metric,
    overview::{SiteFigures, ViewFilter},
    settings::{UrlGroup, VitalsSettings},
    store::{VitalsReads, VitalsSites},
};
use pharos_vitals_pg::{collect::PgViewStore, rollups};
use time::{Duration, OffsetDateTime, macros::date};
use uuid::Uuid;

use crate::harness::{Fixture, Home, NOW, charged};

fn store(fixture: &Fixture) -> Arc<dyn BeaconStore<View>> {
    fixture.stores.ports.get().unwrap()
}

/// A view of a page of the shop, a tenth of a second fast.
fn view(load: i64, at: OffsetDateTime) -> View {
    View {
        load: PageLoadId(load),
        at,
        revision: 0,
        origin: "https://ada.example".to_owned(),
        host: "ada.example".to_owned(),
        path: "/p/1".to_owned(),
        referrer: None,
        navigation: Navigation::Navigate,
        was_hidden: false,
        lcp_ms: Some(100.0),
        inp_ms: None,
        cls: Some(0.0),
        fcp_ms: Some(90.0),
        ttfb_ms: Some(10.0),
        dom_content_loaded_ms: None,
        load_ms: None,
        cause: Box::new(Cause::default()),
        version: None,
        viewport: Some((390, 844)),
        connection: None,
        rtt_ms: None,
        protocol: Some("h2".to_owned()),
        device_memory: None,
        engagement: Engagement::default(),
        errors: Vec::new(),
        resources: Vec::new(),
        long_frames: None,
        not_restored: None,
    }
}

fn beacon(domain: DomainId, view: View) -> Beacon<View> {
    Beacon {
        id: Uuid::new_v4(),
        domain,
        visitor: VisitorId(1),
        received_at: view.at,
        client: Client {
            device: Device::Mobile,
            browser: Some("Chrome".to_owned()),
            browser_version: Some("140".to_owned()),
            os: Some("Android".to_owned()),
            os_version: None,
            country: Some("DE".to_owned()),
            region: None,
            city: None,
            screen: None,
        },
        content: view,
    }
}

fn error(message: &str) -> ScriptError {
    ScriptError {
        message: message.to_owned(),
        name: Some("TypeError".to_owned()),
        source: ErrorSource::Source,
        is_handled: false,
        filename: Some("https://ada.example/app.js".to_owned()),
        line: Some(3),
        column: Some(14),
        stack: Some(format!(
            "TypeError: {message}\n    at pay (https://ada.example/app.js:3:14)"
        )),
        causes: Vec::new(),
    }
}

/// The figures of the week that ends with [`NOW`].
async fn week(fixture: &Fixture, access: &DomainAccess, filter: &ViewFilter) -> SiteFigures {
    let reads: Arc<dyn VitalsReads> = fixture.stores.ports.get().unwrap();
    let days = DateRange::new(date!(2026 - 03 - 25), date!(2026 - 03 - 31)).unwrap();
    reads.figures(access, days, filter, 75).await.unwrap()
}

async fn rolled_until(fixture: &Fixture, home: &Home) -> Option<OffsetDateTime> {
    let query = "SELECT extract(epoch FROM rolled_until)::bigint FROM rum_progress WHERE domain_id = $1";
    let seconds: Option<i64> = fixture.value(query, &[&home.domain.0]).await;
    seconds.map(|seconds| OffsetDateTime::from_unix_timestamp(seconds).unwrap())
}

#[tokio::test]
async fn a_beacon_that_is_sent_again_counts_once_and_a_later_revision_takes_the_place_of_an_earlier() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = store(&fixture);
    let first = beacon(home.domain, view(1, NOW));
    let other = beacon(home.domain, view(2, NOW));
    store.store(&[first.clone(), first.clone(), other]).await.unwrap();
    store.store(std::slice::from_ref(&first)).await.unwrap();
    let all = ViewFilter::default();
    assert_eq!(week(&fixture, &access, &all).await.all.views, 2);

    // A second later, with another idea of when it began, it knows of an interaction and of an error.
    let mut later = view(1, NOW + Duration::SECOND);
    later.revision = 2;
    later.inp_ms = Some(640.0);
    later.errors = vec![error("x is undefined")];
    let later = beacon(home.domain, later);
    // A beacon that comes after it knows less, and so does one that comes with it.
    let mut earlier = view(1, NOW);
    earlier.revision = 1;
    let earlier = beacon(home.domain, earlier);
    store.store(&[later, earlier.clone()]).await.unwrap();
    let found = week(&fixture, &access, &all).await.all;
    assert_eq!((found.views, found.errors, found.samples(Metric::Inp)), (2, 1, 1));
    store
        .store(&[beacon(home.domain, earlier.content)])
        .await
        .unwrap();
    assert_eq!(week(&fixture, &access, &all).await.all, found);
    let moments: i64 = fixture
        .value("SELECT count(DISTINCT at) FROM rum_views", &[])
        .await;
    assert_eq!(moments, 1, "the first beacon says when a load began");
}

/// A beacon that comes again has the same id, and tells of a load that seems to have begun later.
#[tokio::test]
async fn a_beacon_and_its_page_load_are_known_for_48_hours() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let store = store(&fixture);
    let first = beacon(home.domain, view(1, NOW));
    for (hours, views) in [(0, 1), (47, 1), (49, 2)] {
        for table in ["rum_beacons", "rum_loads"] {
            let older = format!("UPDATE {table} SET stored_at = now() - interval '{hours} hours'");
            fixture.sql.batch_execute(&older).await.unwrap();
        }
        fixture
            .database
            .maintain(OffsetDateTime::now_utc())
            .await
            .unwrap();
        let mut again = first.clone();
        again.content.at += Duration::hours(hours);
        store.store(&[again]).await.unwrap();
        let found: i64 = fixture.value("SELECT count(*) FROM rum_views", &[]).await;
        assert_eq!(found, views, "after {hours} hours");
    }
}

/// Worked out by hand: of two views one has a poor interaction; the other is good.
#[tokio::test]
async fn figures_are_the_same_whether_a_day_is_rolled_up_or_not_and_a_late_revision_changes_them() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = store(&fixture);
    let yesterday = NOW - Duration::hours(20);
    let mut slow = view(1, yesterday);
    slow.inp_ms = Some(640.0);
    slow.navigation = Navigation::BackForward;
    let mut restored = view(2, yesterday);
    restored.navigation = Navigation::BackForwardCache;
    restored.errors = vec![error("x is undefined"), error("x is undefined")];
    let beacons = [slow, restored, view(3, NOW)].map(|view| beacon(home.domain, view));
    store.store(&beacons).await.unwrap();
    let all = ViewFilter::default();
    let raw = week(&fixture, &access, &all).await;
    assert_eq!((raw.all.views, raw.all.core_views, raw.all.good_views), (3, 3, 2));
    assert_eq!((raw.all.error_views, raw.all.errors), (1, 2));
    assert_eq!(raw.all.bfcache_hit_pct(), Some(50.0));
    assert_eq!(raw.all.good_views_pct(), Some(66.67));
    assert_eq!(
        raw.days.iter().map(|(_, day)| day.views).collect::<Vec<_>>(),
        [2, 1]
    );
    let inp = raw.all.percentiles.of(Metric::Inp).unwrap();
    assert!((inp / 640.0 - 1.0).abs() < 0.01, "{inp}");
    assert_eq!(raw.all.percentiles.of(Metric::Cls), Some(0.0));

    assert!(
        !rollups::roll_up(&fixture.database, home.domain, NOW)
            .await
            .unwrap()
    );
    assert_eq!(
        rolled_until(&fixture, &home).await,
        Some(NOW.replace_time(time::Time::MIDNIGHT))
    );
    assert_eq!(week(&fixture, &access, &all).await, raw);

    // A word of yesterday's view that comes late: its day is read anew, and is rolled up again.
    let mut late = view(1, yesterday);
    late.revision = 1;
    late.inp_ms = Some(80.0);
    store.store(&[beacon(home.domain, late)]).await.unwrap();
    assert!(rolled_until(&fixture, &home).await.unwrap() < NOW.replace_time(time::Time::MIDNIGHT));
    let after = week(&fixture, &access, &all).await;
    assert_eq!((after.all.views, after.all.good_views), (3, 3));
    rollups::roll_up(&fixture.database, home.domain, NOW)
        .await
        .unwrap();
    assert_eq!(week(&fixture, &access, &all).await, after);
}

/// A node of the version before has the row of a site to itself until its days are rolled up.
#[tokio::test]
async fn a_view_of_today_does_not_wait_until_earlier_days_are_rolled_up() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let store = store(&fixture);
    store.store(&[beacon(home.domain, view(1, NOW))]).await.unwrap();
    let last_at = "SELECT extract(epoch FROM last_at)::bigint FROM rum_progress";
    let hold = "BEGIN; SELECT FROM rum_progress FOR UPDATE";
    fixture.sql.batch_execute(hold).await.unwrap();
    // One that says nothing new of the site, and one that does, more than a minute later.
    for (load, later) in [(2, Duration::ZERO), (3, Duration::minutes(5))] {
        let viewed = [beacon(home.domain, view(load, NOW + later))];
        let stored = tokio::time::timeout(std::time::Duration::from_secs(5), store.store(&viewed));
        stored.await.unwrap().unwrap();
    }
    fixture.sql.batch_execute("COMMIT").await.unwrap();
    assert_eq!(fixture.value::<i64>(last_at, &[]).await, NOW.unix_timestamp());
    let viewed = beacon(home.domain, view(4, NOW + Duration::minutes(6)));
    store.store(&[viewed]).await.unwrap();
    let told = NOW + Duration::minutes(6);
    assert_eq!(fixture.value::<i64>(last_at, &[]).await, told.unix_timestamp());
}

/// A row that comes while its day is rolled up may be missing there, so that the day is rolled up once more.
#[tokio::test]
async fn a_word_of_yesterdays_view_does_not_wait_until_that_day_is_rolled_up_and_counts() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = store(&fixture);
    let yesterday = NOW - Duration::hours(20);
    store
        .store(&[beacon(home.domain, view(1, yesterday))])
        .await
        .unwrap();
    // The roll-up can't be written for a while.
    let hold = "BEGIN; LOCK TABLE rum_hist IN EXCLUSIVE MODE";
    fixture.sql.batch_execute(hold).await.unwrap();
    let (database, domain) = (fixture.database.clone(), home.domain);
    let rolling = tokio::spawn(async move { rollups::roll_up(&database, domain, NOW).await });
    let waits = "SELECT count(*) FROM pg_locks AS l
         WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(l.pid))";
    while fixture.value::<i64>(waits, &[]).await == 0 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let mut late = view(1, yesterday);
    late.revision = 1;
    late.lcp_ms = Some(4_200.0);
    let late = [beacon(home.domain, late)];
    let stored = tokio::time::timeout(std::time::Duration::from_secs(5), store.store(&late));
    stored.await.unwrap().unwrap();
    fixture.sql.batch_execute("COMMIT").await.unwrap();
    assert!(!rolling.await.unwrap().unwrap());
    assert_eq!(rolled_until(&fixture, &home).await, None);
    rollups::roll_up(&fixture.database, home.domain, NOW)
        .await
        .unwrap();
    assert!(rolled_until(&fixture, &home).await.is_some());
    let all = week(&fixture, &access, &ViewFilter::default()).await.all;
    assert_eq!((all.views, all.good_views), (1, 0));
}

#[tokio::test]
async fn views_are_filtered_by_all_that_is_given() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let mut other = beacon(home.domain, view(2, NOW));
    other.client.device = Device::Desktop;
    other.client.country = None;
    other.client.browser = Some("Firefox".to_owned());
    other.content.path = "/blog/a".to_owned();
    other.content.lcp_ms = Some(5_000.0);
    store(&fixture)
        .store(&[beacon(home.domain, view(1, NOW)), other])
        .await
        .unwrap();
    let views = async |filter: ViewFilter| {
        let found = week(&fixture, &access, &filter).await;
        (found.all.views, found.all.percentiles.of(Metric::Lcp))
    };
    let text = |text: &str| Some(text.to_owned());
    let filter = ViewFilter::default;
    assert_eq!(
        views(ViewFilter {
            country: text("DE"),
            ..filter()
        })
        .await,
        (1, Some(100.0))
    );
    assert_eq!(
        views(ViewFilter {
            country: text("FR"),
            ..filter()
        })
        .await,
        (0, None)
    );
    assert_eq!(
        views(ViewFilter {
            browser: text("Firefox"),
            ..filter()
        })
        .await,
        (1, Some(5_000.0))
    );
    let blog = text("https://ada.example/blog/");
    assert_eq!(
        views(ViewFilter {
            url_prefix: blog,
            ..filter()
        })
        .await,
        (1, Some(5_000.0))
    );
    let restored = Some(Navigation::BackForwardCache);
    assert_eq!(
        views(ViewFilter {
            navigation: restored,
            ..filter()
        })
        .await
        .0,
        0
    );
    assert_eq!(
        views(ViewFilter {
            device: Some(Device::Desktop),
            ..filter()
        })
        .await
        .0,
        1
    );
    let both = ViewFilter {
        device: Some(Device::Desktop),
        country: text("DE"),
        ..filter()
    };
    assert_eq!(views(both).await, (0, None));
}

#[tokio::test]
async fn nothing_that_names_a_person_is_stored_and_pages_of_a_group_are_one() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let sites: Arc<dyn VitalsSites> = fixture.stores.ports.get().unwrap();
    let grouped = |_: Option<&VitalsSettings>| {
        Ok(VitalsSettings {
            url_groups: vec![UrlGroup {
                pattern: "/p/*".to_owned(),
                label: "/p/:product".to_owned(),
            }],
            ..VitalsSettings::default()
        })
    };
    let paid = charged(&access, 1, NOW);
    sites.update(&paid, &grouped, home.owner, NOW).await.unwrap();

    let secret = "9f86d081884c7d659a2feaa0c55ad015";
    let mut hostile = view(1, NOW);
    hostile.path = format!("/u/ada%40shop.example/{secret}");
    hostile.referrer = Some(format!("https://mail.example/{secret}"));
    hostile.errors = vec![error(&format!("no session {secret} of ada@shop.example"))];
    hostile.cause.lcp.element.selector = Some("#user-ada@shop.example".to_owned());
    hostile.cause.lcp.element.id = Some(secret.to_owned());
    hostile.cause.lcp.resource_url = Some(format!("https://cdn.example/{secret}.png"));
    hostile.resources = vec![Resource {
        url: format!("https://api.example/session/{secret}"),
        kind: ResourceType::Fetch,
        method: Some("GET".to_owned()),
        start_ms: 0.0,
        duration_ms: 5.0,
        phases: None,
        protocol: None,
        is_render_blocking: None,
        is_cached: None,
        status: None,
    }];
    let beacons = [beacon(home.domain, hostile), beacon(home.domain, view(2, NOW))];
    store(&fixture).store(&beacons).await.unwrap();
    let texts: String = fixture
        .value("SELECT string_agg(value, ' ') FROM rum_texts", &[])
        .await;
    let groups: String = fixture
        .value("SELECT string_agg(g::text, ' ') FROM rum_error_groups AS g", &[])
        .await;
    for named in [secret, "ada@", "ada%40"] {
        assert!(
            !texts.contains(named) && !groups.contains(named),
            "{named} in {texts} {groups}"
        );
    }
    assert!(texts.contains("https://ada.example/p/:product"), "{texts}");
    assert!(
        texts.contains("https://ada.example/u/[redacted]/[redacted]"),
        "{texts}"
    );
}

#[tokio::test]
async fn one_bad_beacon_stops_no_other() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let mut bad = view(2, NOW);
    // JSON has no such number, so the column gets none, and it has to have one.
    bad.resources = vec![Resource {
        url: "https://cdn.example/a.js".to_owned(),
        kind: ResourceType::Script,
        method: None,
        start_ms: f64::NAN,
        duration_ms: 1.0,
        phases: None,
        protocol: None,
        is_render_blocking: None,
        is_cached: None,
        status: None,
    }];
    let beacons = [view(1, NOW), bad, view(3, NOW)].map(|view| beacon(home.domain, view));
    store(&fixture).store(&beacons).await.unwrap();
    assert_eq!(week(&fixture, &access, &ViewFilter::default()).await.all.views, 2);
    let aside: String = fixture
        .value("SELECT payload FROM set_aside WHERE kind = 'beacon'", &[])
        .await;
    assert!(aside.contains(&beacons[1].id.to_string()), "{aside}");
}

#[tokio::test]
async fn kinds_of_errors_are_bounded_and_what_is_beyond_is_one() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let store = PgViewStore::new(fixture.database.clone()).with_most_new_texts(3);
    let words = ["ant", "bee", "cat", "dog", "elk", "fox"];
    let views = (1..).zip(words).map(|(load, word)| {
        let mut view = view(load, NOW);
        view.errors = vec![error(word)];
        beacon(home.domain, view)
    });
    for beacon in views {
        store.store(&[beacon]).await.unwrap();
    }
    let kinds: i64 = fixture.value("SELECT count(*) FROM rum_error_groups", &[]).await;
    assert_eq!(kinds, 4, "three, and one that stands for all others");
    let others: i64 = fixture
        .value(
            "SELECT count(*) FROM rum_errors AS e JOIN rum_error_groups AS g ON g.kind = e.kind
             WHERE g.message = '(other)' AND g.stack IS NULL",
            &[],
        )
        .await;
    assert_eq!(others, 3);
}
