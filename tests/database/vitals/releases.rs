//! Releases of sites: once each, those of days, bounded, and known by their source maps.

use std::sync::Arc;

use pharos_domain::{ids::DomainId, window::DateRange};
use pharos_vitals::{
    releases::{MOST_RELEASES, ReleaseError, ReleaseStore},
    source_maps::{AddError, NewSourceMap, SourceMapStore},
};
use time::{
    Duration, OffsetDateTime,
    macros::{date, datetime},
};

use crate::harness::{Fixture, NOW, actor};

/// The migration that made the table.
const MADE: &str =
    include_str!("../../../crates/vitals/pg/migrations/versions/2026-11-27-113000_releases/up.sql");

fn store(fixture: &Fixture) -> Arc<dyn ReleaseStore> {
    fixture.stores.ports.get().unwrap()
}

async fn listed(fixture: &Fixture, domain: DomainId) -> Vec<(String, OffsetDateTime)> {
    let releases = store(fixture).list(domain).await.unwrap();
    releases
        .into_iter()
        .map(|release| (release.name, release.released_at))
        .collect()
}

fn map(script: &str, url: &str) -> NewSourceMap {
    NewSourceMap {
        url: url.to_owned(),
        script: script.to_owned(),
        sources: 1,
        map: b"{}".to_vec(),
    }
}

#[tokio::test]
async fn a_release_that_is_known_keeps_its_moment_unless_another_is_told() {
    let fixture = Fixture::new().await;
    let (ada, bob) = (fixture.home("ada").await, fixture.home("bob").await);
    let store = store(&fixture);
    let add = async |domain, at, now| store.add(domain, "1", at, &actor(), now).await.unwrap();
    assert_eq!(add(ada.domain, None, NOW).await.released_at, NOW);
    let later = NOW + Duration::HOUR;
    assert_eq!(add(ada.domain, None, later).await.released_at, NOW);
    let told = NOW - Duration::DAY;
    assert_eq!(add(ada.domain, Some(told), later).await.released_at, told);
    add(bob.domain, None, later).await;
    assert_eq!(listed(&fixture, ada.domain).await, [("1".to_owned(), told)]);
    assert_eq!(listed(&fixture, bob.domain).await, [("1".to_owned(), later)]);

    let ahead = store
        .add(ada.domain, "2", Some(NOW + Duration::SECOND), &actor(), NOW)
        .await;
    assert!(matches!(ahead, Err(ReleaseError::Ahead)), "{ahead:?}");
    let nowhere = store.add(DomainId::generate(), "2", None, &actor(), NOW).await;
    assert!(matches!(nowhere, Err(ReleaseError::NoDomain)), "{nowhere:?}");

    assert!(store.remove(ada.domain, "1", &actor(), NOW).await.unwrap());
    assert!(!store.remove(ada.domain, "1", &actor(), NOW).await.unwrap());
    assert!(listed(&fixture, ada.domain).await.is_empty());
    assert_eq!(listed(&fixture, bob.domain).await.len(), 1);
}

#[tokio::test]
async fn days_have_the_releases_that_came_from_their_first_midnight_to_their_last() {
    let fixture = Fixture::new().await;
    let (ada, bob) = (fixture.home("ada").await, fixture.home("bob").await);
    let access = fixture.access(&ada).await;
    let store = store(&fixture);
    for (domain, name, at) in [
        (ada.domain, "before", datetime!(2026-03-24 23:59:59 UTC)),
        (ada.domain, "first", datetime!(2026-03-25 00:00 UTC)),
        (ada.domain, "last", datetime!(2026-03-30 23:59:59 UTC)),
        (ada.domain, "after", datetime!(2026-03-31 00:00 UTC)),
        (bob.domain, "another's", datetime!(2026-03-27 00:00 UTC)),
    ] {
        store.add(domain, name, Some(at), &actor(), NOW).await.unwrap();
    }
    let days = DateRange::new(date!(2026 - 03 - 25), date!(2026 - 03 - 30)).unwrap();
    let found = store.within(&access, days).await.unwrap();
    let names: Vec<&str> = found.iter().map(|release| release.name.as_str()).collect();
    assert_eq!(names, ["last", "first"]);
}

#[tokio::test]
async fn a_domain_has_so_many_releases_and_the_oldest_go() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let many = "INSERT INTO rum_releases (domain_id, name, released_at)
        SELECT $1::uuid, 'release ' || n, timestamptz '2026-01-01' + n * interval '1 minute' FROM generate_series(1, $2::bigint) AS s (n)";
    fixture
        .sql
        .execute(many, &[&home.domain.0, &MOST_RELEASES])
        .await
        .unwrap();
    let add = async |name, at| {
        let added = store(&fixture).add(home.domain, name, at, &actor(), NOW).await;
        added.unwrap().older_ones_removed
    };
    assert_eq!(add("new", None).await, 1);
    assert_eq!(add("new", None).await, 0, "it takes no room again");
    let kept = listed(&fixture, home.domain).await;
    assert_eq!(kept.len(), 500);
    assert_eq!((kept[0].0.as_str(), kept[499].0.as_str()), ("new", "release 2"));
    // One that came before all of them is not the one that goes.
    let long_ago = datetime!(2020-01-01 00:00 UTC);
    assert_eq!(add("1.0", Some(long_ago)).await, 1);
    let kept = listed(&fixture, home.domain).await;
    assert_eq!(kept.len(), 500);
    assert_eq!((kept[498].0.as_str(), kept[499].0.as_str()), ("release 3", "1.0"));
}

#[tokio::test]
async fn the_first_source_maps_of_a_release_make_it_known_and_refused_ones_do_not() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let maps: Arc<dyn SourceMapStore> = fixture.stores.ports.get().unwrap();
    let add = async |release, given: &[NewSourceMap], now| {
        maps.add(home.domain, release, given, &actor(), now).await
    };
    let (app, other) = (map("app.js", "https://ada.example/app.js"), map("b.js", "b.js"));
    add("1", std::slice::from_ref(&app), NOW - Duration::HOUR)
        .await
        .unwrap();
    add("1", &[other], NOW).await.unwrap();
    let alike = [map("app.js", "https://ada.example/app.1.js"), app];
    let refused = add("2", &alike, NOW).await;
    assert!(matches!(refused, Err(AddError::Alike { .. })), "{refused:?}");
    let known = [("1".to_owned(), NOW - Duration::HOUR)];
    assert_eq!(listed(&fixture, home.domain).await, known);
    maps.remove(home.domain, "1", &actor(), NOW).await.unwrap();
    assert_eq!(
        listed(&fixture, home.domain).await,
        known,
        "it was released all the same"
    );
}

#[tokio::test]
async fn releases_of_source_maps_from_before_there_were_any_are_known() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let maps: Arc<dyn SourceMapStore> = fixture.stores.ports.get().unwrap();
    for (release, script, at) in [
        ("1", "a.js", NOW - Duration::DAY),
        ("1", "b.js", NOW),
        ("2", "a.js", NOW),
    ] {
        let given = [map(script, script)];
        maps.add(home.domain, release, &given, &actor(), at)
            .await
            .unwrap();
    }
    fixture
        .sql
        .batch_execute(&format!("DROP TABLE rum_releases; {MADE}"))
        .await
        .unwrap();
    assert_eq!(
        listed(&fixture, home.domain).await,
        [("2".to_owned(), NOW), ("1".to_owned(), NOW - Duration::DAY)]
    );
}
