//! Sitemap files that nothing names any more, and how the pages of a file are found.

use std::sync::Arc;

use pharos_crawl::sitemap::monitor::{
    pages::PageFilter,
    site::{CheckCounts, MOST_FILES},
    store::{Concluded, SitemapArchive, SitemapStore},
};
use pharos_domain::{
    identity::DomainAccess,
    page::{ListKey, PageRequest},
    store::StoreError,
};
use time::OffsetDateTime;
use url::Url;
use uuid::Uuid;

use crate::harness::Fixture;

/// Each went so long ago; one was stopped, and one has a page that is there yet.
const FILES: &str = "
    INSERT INTO sitemap_files (id, domain_id, url, url_key, depth, found_at, removed_at, stopped_at)
    SELECT gen_random_uuid(), $1, f.url, gen_random_uuid(), 1, now() - interval '3 years', now() - f.age,
        CASE WHEN f.is_stopped THEN now() - f.age END
    FROM (
        VALUES
            ('gone', interval '13 months', false), ('listing', interval '13 months', false),
            ('recent', interval '11 months', false), ('stopped', interval '13 months', true)
    ) AS f (url, age, is_stopped)";
const PAGE: &str = "
    INSERT INTO sitemap_urls (
        file_id, url_key, domain_id, url, images, videos, is_news, first_seen_at, listed_at, missing_since, last_seen_at, removed_at
    )
    SELECT f.id, gen_random_uuid(), f.domain_id, 'https://ada.example/', 0, 0, false, f.found_at, f.found_at, p.at, p.at, p.at
    FROM sitemap_files AS f
    JOIN (VALUES ('gone', now() - interval '13 months'), ('listing', NULL)) AS p (file, at) ON p.file = f.url";

/// Pages are forgotten first, so that a file goes in the round of its last page.
#[tokio::test]
async fn files_that_went_long_ago_are_forgotten_once_their_pages_are() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let domain: Uuid = home.domain.0;
    fixture.sql.execute(FILES, &[&domain]).await.unwrap();
    assert_eq!(fixture.sql.execute(PAGE, &[]).await.unwrap(), 2);
    fixture
        .database
        .maintain(OffsetDateTime::now_utc())
        .await
        .unwrap();
    let left: Vec<String> = fixture
        .value("SELECT array_agg(url ORDER BY url) FROM sitemap_files", &[])
        .await;
    assert_eq!(left, ["listing", "recent", "stopped"]);
}

/// Somebody stops a file while a check ends.
#[tokio::test]
async fn a_round_counts_findings_of_files_that_are_watched() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let domain: Uuid = home.domain.0;
    let archive: Arc<dyn SitemapArchive> = fixture.stores.ports.get().unwrap();
    archive.begin(home.domain).await.unwrap();
    fixture.sql.execute(FILES, &[&domain]).await.unwrap();
    let found = "INSERT INTO sitemap_issues (file_id, code, domain_id, count, examples, first_seen_at)
        SELECT f.id, c.code, f.domain_id, 1, '[]', now()
        FROM sitemap_files AS f
        CROSS JOIN (VALUES ('unreachable'), ('empty')) AS c (code)";
    assert_eq!(fixture.sql.execute(found, &[]).await.unwrap(), 8);
    let watched = "UPDATE sitemap_files SET removed_at = NULL WHERE url = 'recent'";
    assert_eq!(fixture.sql.execute(watched, &[]).await.unwrap(), 1);
    let concluded = Concluded {
        counts: CheckCounts::default(),
        is_declared: None,
        figures: None,
        is_compared: true,
    };
    let now = OffsetDateTime::now_utc();
    archive.conclude(home.domain, &concluded, now).await.unwrap();
    let counted: String = fixture
        .value("SELECT concat(errors, ' ', warnings) FROM sitemap_rounds", &[])
        .await;
    assert_eq!(counted, "1 1");
}

/// Robots.txt files of the hosts of a domain name 1,100, of which somebody stopped one; the last was there before.
#[tokio::test]
async fn as_many_files_are_watched_as_there_is_room_for() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let archive: Arc<dyn SitemapArchive> = fixture.stores.ports.get().unwrap();
    let named: Vec<Url> = (0..1_100)
        .map(|number| format!("https://ada.example/{number}.xml").parse().unwrap())
        .collect();
    let now = OffsetDateTime::now_utc();
    archive.declare(home.domain, &named[..1], now).await.unwrap();
    let stop = "UPDATE sitemap_files SET removed_at = now(), stopped_at = now(), in_robots = false";
    assert_eq!(fixture.sql.execute(stop, &[]).await.unwrap(), 1);
    archive.declare(home.domain, &named[1_099..], now).await.unwrap();
    let watched = "SELECT array_agg(url ORDER BY length(url), url) FROM sitemap_files WHERE removed_at IS NULL AND in_robots";
    for _ in 0..2 {
        archive.declare(home.domain, &named, now).await.unwrap();
        let watched: Vec<String> = fixture.value(watched, &[]).await;
        assert_eq!(watched.len(), MOST_FILES as usize);
        assert_eq!(watched[0], named[1].as_str());
        assert_eq!(watched[998], named[999].as_str());
        assert_eq!(watched[999], named[1_099].as_str());
    }
}

/// Two indexes name each other, and robots.txt only one of them from now on.
#[tokio::test]
async fn indexes_that_name_each_other_do_not_hold_each_other() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let domain: Uuid = home.domain.0;
    let archive: Arc<dyn SitemapArchive> = fixture.stores.ports.get().unwrap();
    let (named, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let files =
        "INSERT INTO sitemap_files (id, domain_id, url, url_key, parent_id, in_robots, depth, found_at)
        VALUES ($2::uuid, $1::uuid, 'other', $2::uuid, NULL::uuid, false, 1, now()),
            ($3::uuid, $1::uuid, 'named', $3::uuid, $2::uuid, true, 1, now())";
    let files = fixture.sql.execute(files, &[&domain, &other, &named]).await;
    assert_eq!(files.unwrap(), 2);
    let names =
        "INSERT INTO sitemap_names (file_id, keys) VALUES ($1, ARRAY[$2::uuid]), ($2, ARRAY[$1::uuid])";
    let names = fixture.sql.execute(names, &[&other, &named]).await;
    assert_eq!(names.unwrap(), 2);
    archive.keep_usual(home.domain, &[]).await.unwrap();
    let parents = "SELECT string_agg(f.url || ' below ' || coalesce(p.url, 'none'), ', ' ORDER BY f.url)
        FROM sitemap_files AS f LEFT JOIN sitemap_files AS p ON p.id = f.parent_id";
    let parents: String = fixture.value(parents, &[]).await;
    assert_eq!(parents, "named below none, other below named");
}

/// As imports make it for their connection.
const STAGE: &str = "
    CREATE TEMPORARY TABLE sitemap_staged (
        url_key uuid PRIMARY KEY, url text NOT NULL, lastmod timestamptz, change_frequency text, priority double precision,
        images integer NOT NULL, videos integer NOT NULL, is_news boolean NOT NULL, alternates jsonb
    )";

/// The first import of all fills the table after it is planned.
#[tokio::test]
async fn pages_are_looked_up_by_their_keys_in_a_table_of_which_nothing_is_known() {
    let fixture = Fixture::new().await;
    let sql = include_str!("../../crates/crawl/pg/src/sitemap/archive/new_pages.sql");
    fixture.sql.batch_execute(STAGE).await.unwrap();
    let prepare = format!("PREPARE import (uuid, uuid, timestamptz, boolean) AS {sql}");
    fixture.sql.batch_execute(&prepare).await.unwrap();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        fixture.sql.batch_execute(&set).await.unwrap();
        let explain = "EXPLAIN (COSTS off) EXECUTE import (
            '01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002', '2026-11-28 12:00Z', false)";
        let rows = fixture.sql.query(explain, &[]).await.unwrap();
        let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        let read: Vec<&str> = lines
            .iter()
            .map(|line| line.trim())
            .filter(|line| line.contains("Scan") && line.contains("sitemap_urls"))
            .collect();
        let [read] = read[..] else {
            panic!("{lines:#?}");
        };
        assert!(
            read.ends_with("Index Scan using sitemap_urls_domain_id_idx on sitemap_urls u"),
            "{mode}: {lines:#?}"
        );
    }
}

/// As where somebody looks for many texts at once: they wait for their own, and nobody else does.
#[tokio::test]
async fn whoever_looks_for_many_pages_leaves_connections_to_others() {
    let fixture = Fixture::new().await;
    let (home, other) = (fixture.home("ada").await, fixture.home("grace").await);
    let (ada, grace) = (fixture.access(&home).await, fixture.access(&other).await);
    let store: Arc<dyn SitemapStore> = fixture.stores.ports.get().unwrap();
    let mut shares = Vec::new();
    for _ in 0..4 {
        shares.push(fixture.database.long_read_share(home.workspace.0).await.unwrap());
    }
    let list = async |access: &DomainAccess| {
        let filter = PageFilter {
            file: None,
            presence: None,
            search: Some("shoes".to_owned()),
        };
        let page = PageRequest {
            limit: 1,
            after: None,
            list: ListKey::new("listSitemapUrls", Uuid::nil()),
        };
        let found = store.pages(access, &filter, &page).await;
        found.map(|found| found.items.len())
    };
    let refused = list(&ada).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(list(&grace).await.unwrap(), 0);
    drop(shares);
    assert_eq!(list(&ada).await.unwrap(), 0);
}
