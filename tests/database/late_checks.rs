//! Checks of days that are rolled up already, and who waits for whom.

use futures_util::future::join_all;
use pharos_domain::identity::DomainAccess;
use pharos_persistence::pool::Database;
use pharos_server::groups::database_options;
use pharos_uptime::check::Outcome;
use pharos_uptime_pg::rollups;
use time::{Duration, OffsetDateTime, macros::datetime};

use crate::{
    completion::{check, finished, watched},
    harness::{Fixture, NOW, connect},
    rollups::{FIRST, TODAY, answers, checks, roll_up, rolled_until, total},
};

/// A check of the domain, through the store as every check comes.
async fn late(fixture: &Fixture, access: &DomainAccess, at: OffsetDateTime) {
    let done = finished(check(access, "eu", at, Outcome::Up), at);
    fixture.stores.schedule.complete(&[done], NOW).await.unwrap();
}

#[tokio::test]
async fn a_check_that_comes_late_is_seen_at_once_and_rolled_up() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    checks(&fixture, &access, FIRST, "2 hours").await;
    roll_up(&fixture.database, NOW).await;
    let before = total(&fixture, &access).await;
    let of_february = datetime!(2026-02-11 23:59:59.999999 UTC);
    late(&fixture, &access, of_february).await;
    late(&fixture, &access, TODAY - Duration::SECOND).await;
    assert_eq!(
        rolled_until(&fixture, &access).await,
        Some(datetime!(2026-02-11 00:00 UTC))
    );
    assert_eq!(total(&fixture, &access).await, before + 2);
    let fresh = answers(&fixture, &access).await;
    roll_up(&fixture.database, NOW).await;
    assert_eq!(rolled_until(&fixture, &access).await, Some(TODAY));
    assert!(answers(&fixture, &access).await == fresh);
}

/// Another session holds the row, as one does that rolls up for long.
#[tokio::test]
async fn checks_of_today_wait_for_nobody() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    roll_up(&fixture.database, NOW).await;
    let other = connect(fixture.test.url()).await;
    let hold = "BEGIN; SELECT FROM uptime_rollup_progress FOR UPDATE";
    other.batch_execute(hold).await.unwrap();
    late(&fixture, &access, TODAY).await;
    assert_eq!(total(&fixture, &access).await, 1);
    assert_eq!(rolled_until(&fixture, &access).await, Some(TODAY));
}

/// Whoever stores a late check holds the row until the check can be seen: meanwhile nobody rolls up without it.
#[tokio::test]
async fn nobody_rolls_up_what_another_is_at() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    checks(&fixture, &access, TODAY - Duration::days(2), "1 hour").await;
    let waits = async || {
        let query = "SELECT count(*) FROM pg_stat_activity
                     WHERE datname = current_database() AND wait_event_type = 'Lock'";
        while fixture.value::<i64>(query, &[]).await == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    // A builder that has made nothing visible yet; the check waits, and its day is rolled up anew.
    let builder = connect(fixture.test.url()).await;
    let begin = "BEGIN; INSERT INTO uptime_rollup_progress SELECT id, '2026-03-31Z' FROM domains";
    builder.batch_execute(begin).await.unwrap();
    let commit = async {
        waits().await;
        builder.batch_execute("COMMIT").await.unwrap();
    };
    futures_util::join!(late(&fixture, &access, TODAY - Duration::HOUR), commit);
    assert_eq!(rolled_until(&fixture, &access).await, Some(TODAY - Duration::DAY));
    // A check that can't be seen yet.
    let storing = connect(fixture.test.url()).await;
    let begin = "BEGIN; SELECT FROM uptime_rollup_progress FOR UPDATE";
    storing.batch_execute(begin).await.unwrap();
    assert!(
        !rollups::roll_up(&fixture.database, access.id(), NOW)
            .await
            .unwrap()
    );
    assert_eq!(rolled_until(&fixture, &access).await, Some(TODAY - Duration::DAY));
    storing.batch_execute("COMMIT").await.unwrap();
    roll_up(&fixture.database, NOW).await;
    assert_eq!(rolled_until(&fixture, &access).await, Some(TODAY));
}

/// Three nodes roll up while late checks come in. In the end every check is in every sum.
#[tokio::test]
async fn nodes_and_late_checks_do_not_get_in_each_others_way() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    checks(&fixture, &access, FIRST, "2 hours").await;
    let before = total(&fixture, &access).await;
    let mut nodes = Vec::new();
    for _ in 0..3 {
        let options = database_options();
        nodes.push(Database::connect(fixture.test.url(), &options).await.unwrap());
    }
    let rolling = join_all(nodes.iter().map(async |node| {
        for _ in 0..10 {
            roll_up(node, NOW).await;
        }
    }));
    let storing = async {
        for day in 0..30 {
            late(
                &fixture,
                &access,
                FIRST + Duration::days(2 * day) + Duration::HOUR,
            )
            .await;
        }
    };
    futures_util::join!(rolling, storing);
    roll_up(&fixture.database, NOW).await;
    assert_eq!(rolled_until(&fixture, &access).await, Some(TODAY));
    assert_eq!(total(&fixture, &access).await, before + 30);
    let rolled = answers(&fixture, &access).await;
    let forget = "UPDATE uptime_rollup_progress SET rolled_until = NULL";
    fixture.sql.execute(forget, &[]).await.unwrap();
    assert!(answers(&fixture, &access).await == rolled);
}
