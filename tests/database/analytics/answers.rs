//! The log that was worked out by hand, and its answers.

use pharos_analytics::conformance;
use pharos_analytics_pg::{collect::PgEventStore, reads::PgVisitStore};
use pharos_domain::identity::DomainAccess;
use time::{Duration, macros::datetime};

use super::rollups::roll_up;
use crate::harness::Fixture;

async fn check(visits: &PgVisitStore, access: &DomainAccess) {
    conformance::check(visits, access).await.unwrap();
    conformance::check_actions(visits, access).await.unwrap();
    conformance::check_sales(visits, access).await.unwrap();
    conformance::check_paths(visits, access).await.unwrap();
}

/// Whatever is rolled up: nothing, part of a month, a month and part of the next, all, and after a day was opened again.
#[tokio::test]
async fn answers_are_those_that_were_worked_out_by_hand() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    let visits = PgVisitStore::new(fixture.database.clone());
    conformance::tell(&store, &access).await.unwrap();
    check(&visits, &access).await;
    for now in [
        datetime!(2026-03-31 00:10 UTC),
        datetime!(2026-04-01 12:00 UTC),
        conformance::NOW,
        conformance::NOW + Duration::days(40),
    ] {
        roll_up(&fixture.database, now).await;
        check(&visits, &access).await;
    }
    fixture
        .sql
        .batch_execute("UPDATE analytics_progress SET rolled_until = '2026-03-31 00:00Z'")
        .await
        .unwrap();
    check(&visits, &access).await;
    roll_up(&fixture.database, conformance::NOW).await;
    check(&visits, &access).await;
}
