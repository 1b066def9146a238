//! How reads over all monitored URLs of a domain are planned: by an index that has what they count, beside rows that have whole
//! inspections. Searches of one workspace leave connections to others.

use std::sync::Arc;

use pharos_domain::{
    identity::DomainAccess,
    page::{ListKey, PageRequest},
    store::StoreError,
};
use pharos_search::indexing::store::urls::{IndexingUrls, UrlFilter};
use uuid::Uuid;

use crate::{
    harness::Fixture,
    list_filters::{settled, two_homes},
};

/// Inspected URLs of two domains, each with an inspection of a kilobyte.
const FILL: &str = "
    INSERT INTO indexing_urls (
        id, domain_id, url, source, created_at, next_inspection_at, inspected_at, verdict, coverage_state, coverage_reason,
        robots_txt_state, indexing_state, page_fetch_state, crawled_as, last_crawl_at, inspection
    )
    SELECT gen_random_uuid(), d.id, 'https://ada.example/' || n, 'manual', now(), now(), now(), 'pass', 'Submitted and indexed',
        'submitted_and_indexed', 'allowed', 'indexing_allowed', 'successful', 'mobile', now() - n * interval '1 hour',
        (SELECT jsonb_agg(md5(n::text || k)) FROM generate_series(1, 30) AS k)
    FROM domains AS d, generate_series(1, 3000) AS n";

macro_rules! statement {
    ($file:literal) => {
        include_str!(concat!("../../crates/search/pg/src/indexing/", $file))
    };
}

/// The plans of a statement, for its values and once for all.
async fn plans(fixture: &Fixture, types: &str, sql: &str, values: &str) -> Vec<String> {
    let prepare = format!("PREPARE read ({types}) AS {sql}");
    fixture.sql.batch_execute(&prepare).await.unwrap();
    let mut plans = Vec::new();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        fixture.sql.batch_execute(&set).await.unwrap();
        let explain = format!("EXPLAIN (COSTS off) EXECUTE read ({values})");
        let rows = fixture.sql.query(&explain, &[]).await.unwrap();
        let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        plans.push(lines.join("\n"));
    }
    fixture.sql.batch_execute("DEALLOCATE read").await.unwrap();
    plans
}

#[tokio::test]
async fn what_is_counted_of_all_urls_is_read_from_an_index_alone() {
    let (fixture, ada, _) = two_homes().await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    settled(&fixture, "indexing_urls").await;
    let domain = ada.domain;
    for (types, sql, values) in [
        (
            "uuid, timestamptz, float8",
            statement!("overview.sql"),
            format!("'{domain}', now(), 604800"),
        ),
        (
            "uuid, timestamptz, timestamptz, timestamptz",
            statement!("crawl_stats.sql"),
            format!("'{domain}', now() - interval '28 days', now(), now()"),
        ),
        (
            "uuid, date, timestamptz",
            statement!("stand.sql"),
            format!("'{domain}', '2026-03-31', now()"),
        ),
        ("uuid", statement!("share.sql"), format!("'{domain}'")),
    ] {
        for plan in plans(&fixture, types, sql, &values).await {
            let scan = "Index Only Scan using indexing_urls_standing_idx";
            assert!(plan.contains(scan), "{plan}");
        }
    }
}

#[tokio::test]
async fn what_is_due_next_is_the_first_of_two_indexes() {
    let (fixture, ada, _) = two_homes().await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    settled(&fixture, "indexing_urls").await;
    let values = format!("'{}', now()", ada.domain);
    let next = statement!("next_due.sql");
    for plan in plans(&fixture, "uuid, timestamptz", next, &values).await {
        for index in ["indexing_urls_due_idx", "indexing_urls_daily_idx"] {
            assert!(plan.contains(index), "{plan}");
        }
    }
}

/// As where somebody looks for many texts at once: they wait for their own, and nobody else does.
#[tokio::test]
async fn whoever_looks_for_many_urls_leaves_connections_to_others() {
    let (fixture, home, other) = two_homes().await;
    let (ada, eve) = (fixture.access(&home).await, fixture.access(&other).await);
    let store: Arc<dyn IndexingUrls> = fixture.stores.ports.get().unwrap();
    let mut shares = Vec::new();
    for _ in 0..4 {
        shares.push(fixture.database.long_read_share(home.workspace.0).await.unwrap());
    }
    let list = async |access: &DomainAccess, search: Option<&str>| {
        let filter = UrlFilter {
            search,
            ..UrlFilter::default()
        };
        let page = PageRequest {
            limit: 1,
            after: None,
            list: ListKey::new("listIndexingUrls", Uuid::nil()),
        };
        let found = store.list(access, &filter, &page).await;
        found.map(|found| found.items.len())
    };
    let refused = list(&ada, Some("shoes")).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(list(&ada, None).await.unwrap(), 0, "the index alone answers");
    assert_eq!(list(&eve, Some("shoes")).await.unwrap(), 0);
    drop(shares);
    assert_eq!(list(&ada, Some("shoes")).await.unwrap(), 0);
}
