//! Things that are due and nobody does, as `doctor` counts them.

use std::sync::Arc;

use pharos_crawl::sitemap::monitor::store::SitemapSchedule;
use pharos_search::{gsc::link::LinkStore, indexing::store::schedule::IndexingSchedule};

use crate::harness::{Fixture, Home};

/// How many minutes ago a thing was due, the end of its lease, and whether it is overdue.
const CASES: [(u32, &str, bool); 4] = [
    (50, "NULL", false),
    (70, "NULL", true),
    (70, "now() + interval '5 minutes'", false),
    // The node that had it is gone.
    (70, "now() - interval '5 minutes'", true),
];

/// Has the one thing of a table be due then, and leased until that.
async fn is_due(fixture: &Fixture, table: &str, due: &str, minutes: u32, lease: &str) {
    let due =
        format!("UPDATE {table} SET {due} = now() - interval '{minutes} minutes', leased_until = {lease}");
    assert_eq!(fixture.sql.execute(due.as_str(), &[]).await.unwrap(), 1);
}

/// A domain whose property an account reads.
async fn linked(fixture: &Fixture) -> Home {
    let home = fixture.home("ada").await;
    let (domain, workspace) = (home.domain, home.workspace);
    let link = format!(
        "INSERT INTO search_accounts (id, workspace_id, kind, label, sealed, created_at)
        VALUES ('{domain}', '{workspace}', 'oauth', 'ada@example.org', '\\x01', now());
        INSERT INTO search_properties (domain_id, workspace_id, site_url, permission, status, linked_at, account_id)
        VALUES ('{domain}', '{workspace}', 'sc-domain:ada.example', 'owner', 'connected', now(), '{domain}')"
    );
    fixture.sql.batch_execute(&link).await.unwrap();
    home
}

#[tokio::test]
async fn an_import_is_overdue_after_an_hour_in_which_nobody_has_it() {
    let fixture = Fixture::new().await;
    linked(&fixture).await;
    let links: Arc<dyn LinkStore> = fixture.stores.ports.get().unwrap();
    for (minutes, lease, is_overdue) in CASES {
        is_due(&fixture, "search_properties", "next_sync_at", minutes, lease).await;
        let health = links.health().await.unwrap();
        assert_eq!(
            (health.linked, health.overdue),
            (1, is_overdue.into()),
            "{minutes}, {lease}"
        );
    }
}

#[tokio::test]
async fn a_round_of_inspections_is_overdue_after_an_hour_in_which_nobody_has_it() {
    let fixture = Fixture::new().await;
    let home = linked(&fixture).await;
    let site = "INSERT INTO indexing_sites (domain_id, workspace_id, next_round_at) VALUES ($1, $2, now())";
    fixture
        .sql
        .execute(site, &[&home.domain.0, &home.workspace.0])
        .await
        .unwrap();
    let schedule: Arc<dyn IndexingSchedule> = fixture.stores.ports.get().unwrap();
    for (minutes, lease, is_overdue) in CASES {
        is_due(&fixture, "indexing_sites", "next_round_at", minutes, lease).await;
        let health = schedule.health().await.unwrap();
        assert_eq!(
            (health.sites, health.overdue),
            (1, is_overdue.into()),
            "{minutes}, {lease}"
        );
    }
}

#[tokio::test]
async fn a_check_of_sitemaps_is_overdue_after_an_hour_in_which_nobody_has_it() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let site = "INSERT INTO sitemap_sites (domain_id, workspace_id, next_check_at) VALUES ($1, $2, now())";
    fixture
        .sql
        .execute(site, &[&home.domain.0, &home.workspace.0])
        .await
        .unwrap();
    let schedule: Arc<dyn SitemapSchedule> = fixture.stores.ports.get().unwrap();
    for (minutes, lease, is_overdue) in CASES {
        is_due(&fixture, "sitemap_sites", "next_check_at", minutes, lease).await;
        let health = schedule.watch_health().await.unwrap();
        assert_eq!(
            (health.watched, health.overdue),
            (1, is_overdue.into()),
            "{minutes}, {lease}"
        );
    }
}
