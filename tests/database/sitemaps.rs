//! Sitemap files that nothing names any more, and how the pages of a file are found.

use time::OffsetDateTime;
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
