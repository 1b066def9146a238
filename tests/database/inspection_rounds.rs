//! The locks of a round of inspections, beside those who add URLs.

use std::sync::Arc;

use pharos_domain::problem::Suffix;
use pharos_search::indexing::{
    quota::QuotaDay,
    store::schedule::{Attempt, IndexingSchedule, InspectionFailure, Round},
};
use time::Duration;
use tokio::time::{Duration as Wait, sleep};

use crate::harness::{Fixture, NOW};

/// Whoever adds URLs, or links another property, has URLs before the row of the rotation. A round that had them the other way round
/// would wait for those that wait for it.
#[tokio::test]
async fn a_round_that_waits_for_urls_holds_no_rotation() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (domain, workspace) = (home.domain, home.workspace);
    let day = QuotaDay::of(NOW);
    let fill = format!(
        "INSERT INTO indexing_sites (domain_id, workspace_id, next_round_at, spent_on, spent)
            VALUES ('{domain}', '{workspace}', now(), '{}', 24);
        INSERT INTO indexing_urls (id, domain_id, url, source, created_at, next_inspection_at)
            VALUES (gen_random_uuid(), '{domain}', 'https://ada.example/a', 'manual', now(), now())",
        day.day
    );
    fixture.sql.batch_execute(&fill).await.unwrap();
    let schedule: Arc<dyn IndexingSchedule> = fixture.stores.ports.get().unwrap();
    let adds = "BEGIN; SELECT FROM indexing_urls FOR UPDATE";
    fixture.sql.batch_execute(adds).await.unwrap();
    let failure = InspectionFailure {
        code: Suffix::RateLimited,
        is_of_the_url: false,
        pause: None,
    };
    let round = Round {
        domain,
        leased_until: NOW,
        began_at: NOW,
        at: NOW,
        attempts: vec![Attempt {
            url: "https://ada.example/a".to_owned(),
            at: NOW,
            outcome: Err(failure),
        }],
        unused: Some(("sc-domain:ada.example".to_owned(), day, 3)),
        failures: 1,
        failure: None,
        next_round_at: NOW + Duration::HOUR,
    };
    let completing = tokio::spawn(async move { schedule.complete(&[round]).await });
    let waits = "SELECT count(*) FROM pg_locks AS l
         WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(l.pid))";
    while fixture.value::<i64>(waits, &[]).await == 0 {
        sleep(Wait::from_millis(10)).await;
    }
    let free = "SELECT count(*) FROM (SELECT domain_id FROM indexing_sites FOR UPDATE SKIP LOCKED) AS free";
    assert_eq!(fixture.value::<i64>(free, &[]).await, 1);
    fixture.sql.batch_execute("COMMIT").await.unwrap();
    completing.await.unwrap().unwrap();
    let spent: i32 = fixture.value("SELECT spent FROM indexing_sites", &[]).await;
    assert_eq!(spent, 21);
}
