//! Outcomes that can't be stored, of things that are due again and again: one is set aside and waits for a day, and those that were
//! to be stored with it are stored.

use std::sync::Arc;

use pharos_domain::ids::DomainId;
use pharos_due::work::DueClaim;
use pharos_search::{
    gsc::{
        link::{LinkStore, Next, Synced},
        property::{PropertyStatus, SyncStatus},
    },
    indexing::store::schedule::{IndexingSchedule, Round},
};
use pharos_vitals::crux::store::{Collected, CruxCollection, Learned};
use time::{Duration, OffsetDateTime, macros::datetime};
use uuid::Uuid;

use crate::harness::{Fixture, NOW};

/// The reason that no table takes.
const REFUSED: &str = "refused";

/// A database with three domains, in whose table no reason of a failure is [`REFUSED`].
async fn refusing(table: &str) -> (Fixture, [DomainId; 3]) {
    let fixture = Fixture::new().await;
    let mut domains = Vec::new();
    for name in ["ada", "bea", "eve"] {
        domains.push(fixture.home(name).await.domain);
    }
    let refuse = format!("ALTER TABLE {table} ADD CHECK (last_failure <> '{REFUSED}')");
    fixture.sql.batch_execute(&refuse).await.unwrap();
    (fixture, domains.try_into().unwrap())
}

/// The second of three can't be stored.
fn reason(place: usize) -> String {
    let reason = if place == 1 { REFUSED } else { "a reason" };
    reason.to_owned()
}

/// Holds that the first and the last were stored and the second was not; that it is noted, nobody has it, and it waits for a day.
async fn is_set_aside(fixture: &Fixture, kind: &str, subject: Uuid, table: &str, due: &str) {
    let stored =
        format!("SELECT count(*) FROM {table} WHERE last_failure = 'a reason' AND leased_until IS NULL");
    assert_eq!(fixture.value::<i64>(&stored, &[]).await, 2);
    let waits = format!(
        "SELECT count(*) FROM {table} WHERE last_failure IS NULL AND leased_until IS NULL
            AND {due} >= (SELECT max({due}) FROM {table} WHERE last_failure = 'a reason') + interval '22 hours'"
    );
    assert_eq!(fixture.value::<i64>(&waits, &[]).await, 1);
    let noted = fixture
        .sql
        .query("SELECT kind, subject FROM set_aside", &[])
        .await
        .unwrap();
    let noted: Vec<(String, String)> = noted.iter().map(|row| (row.get(0), row.get(1))).collect();
    assert_eq!(noted, [(kind.to_owned(), subject.to_string())]);
}

#[tokio::test]
async fn field_data_that_can_not_be_stored_stops_no_other() {
    let (fixture, _) = refusing("crux_targets").await;
    let collection: Arc<dyn CruxCollection> = fixture.stores.ports.get().unwrap();
    let now = OffsetDateTime::now_utc();
    collection.enrol(now, 10).await.unwrap();
    let claim = DueClaim::of_now(now, Duration::minutes(10), 10);
    let claimed = collection.claim(&claim).await.unwrap();
    assert_eq!(claimed.len(), 3);
    let collected: Vec<Collected> = claimed
        .iter()
        .enumerate()
        .map(|(place, target)| Collected {
            id: target.id,
            domain: target.domain,
            leased_until: target.leased_until,
            asked_at: now,
            next_collection_at: now + Duration::HOUR,
            learned: Learned::Failure {
                failures: 1,
                reason: reason(place),
            },
        })
        .collect();
    collection.complete(&collected).await.unwrap();
    is_set_aside(
        &fixture,
        "field_data",
        claimed[1].id.0,
        "crux_targets",
        "next_collection_at",
    )
    .await;
}

#[tokio::test]
async fn a_round_of_inspections_that_can_not_be_stored_stops_no_other() {
    let (fixture, domains) = refusing("indexing_sites").await;
    let fill = "INSERT INTO indexing_sites (domain_id, workspace_id, next_round_at, leased_until)
        SELECT id, workspace_id, '2026-03-31 09:00Z', '2026-03-31 09:15Z' FROM domains";
    fixture.sql.batch_execute(fill).await.unwrap();
    let schedule: Arc<dyn IndexingSchedule> = fixture.stores.ports.get().unwrap();
    let rounds: Vec<Round> = domains
        .iter()
        .enumerate()
        .map(|(place, domain)| Round {
            domain: *domain,
            leased_until: NOW,
            began_at: NOW,
            at: NOW,
            attempts: Vec::new(),
            unused: None,
            failures: 1,
            failure: Some(reason(place)),
            next_round_at: NOW + Duration::HOUR,
        })
        .collect();
    schedule.complete(&rounds).await.unwrap();
    is_set_aside(
        &fixture,
        "inspection",
        domains[1].0,
        "indexing_sites",
        "next_round_at",
    )
    .await;
}

#[tokio::test]
async fn an_end_of_an_import_that_can_not_be_stored_stops_no_other() {
    let (fixture, domains) = refusing("search_properties").await;
    let fill = "INSERT INTO search_properties (
            domain_id, workspace_id, site_url, permission, status, linked_at, leased_until
        )
        SELECT id, workspace_id, 'sc-domain:shop.example', 'owner', 'connected', '2026-01-01Z', '2026-03-31 09:15Z'
        FROM domains";
    fixture.sql.batch_execute(fill).await.unwrap();
    let links: Arc<dyn LinkStore> = fixture.stores.ports.get().unwrap();
    // What is put off is so by the clock of the database.
    let next = OffsetDateTime::now_utc() + Duration::HOUR;
    let ends: Vec<Synced> = domains
        .iter()
        .enumerate()
        .map(|(place, domain)| Synced {
            domain: *domain,
            site_url: "sc-domain:shop.example".to_owned(),
            linked_at: datetime!(2026-01-01 00:00 UTC),
            at: NOW,
            outcome: Some(SyncStatus::Failed),
            marks: None,
            status: PropertyStatus::Connected,
            failure: Some(reason(place)),
            next: Some(Next {
                leased_until: NOW,
                at: next,
                newest_at: next,
                failures: 1,
            }),
        })
        .collect();
    links.settle(&ends).await.unwrap();
    is_set_aside(
        &fixture,
        "search_import",
        domains[1].0,
        "search_properties",
        "next_sync_at",
    )
    .await;
}
