//! Batches that are in doubt: settled again, they are charged once.

use std::time::Duration;

use pharos_domain::ledger::Verdict;
use time::macros::datetime;
use tokio::time::sleep;

use crate::{
    harness::{Fixture, NOW, connect, entry},
    purse::{Charged, by_hand, refused, settled},
};

/// Waits until a statement that mentions `text` waits for a lock, and gives its process.
pub(crate) async fn blocked(fixture: &Fixture, text: &str) -> i32 {
    let waiting = "SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%' || $1 || '%'";
    for _ in 0..500 {
        if let Some(row) = fixture.sql.query_opt(waiting, &[&text]).await.unwrap() {
            return row.get(0);
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("nothing waits that mentions {text}");
}

#[tokio::test]
async fn a_batch_that_was_committed_is_found_again() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.grant(&home, 10).await;
    let batch = [entry(&home, 4, NOW), entry(&home, 9, NOW), entry(&home, 5, NOW)];
    let first = fixture.settle(&batch).await;
    assert_eq!(first, [settled(1), refused(4, 10), settled(1)]);
    for _ in 0..2 {
        let again = fixture.stores.ledger.settle(&batch, true).await.unwrap();
        // A refused charge had nothing written; it is judged anew.
        assert_eq!(again, [settled(1), refused(9, 10), settled(1)]);
    }
    assert_eq!(fixture.charged(&home).await, Charged::of(9));
    let mut more = batch.to_vec();
    more.push(entry(&home, 1, NOW));
    let again = fixture.stores.ledger.settle(&more, true).await.unwrap();
    assert_eq!(again, [settled(0), refused(9, 10), settled(0), settled(0)]);
    assert_eq!(fixture.charged(&home).await, Charged::of(10));
}

/// The server has not noticed yet that the first attempt's client is gone.
#[tokio::test]
async fn an_attempt_that_still_holds_the_balance_is_waited_for() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    for (ending, rows) in [("COMMIT", 1), ("ROLLBACK", 1)] {
        let batch = [entry(&home, 4, NOW)];
        let before = fixture.charged(&home).await.used;
        let first = connect(fixture.test.url()).await;
        let attempt = format!("BEGIN; {}", by_hand(&batch, false));
        first.batch_execute(&attempt).await.unwrap();
        let again = fixture.stores.ledger.settle(&batch, true);
        let end = async {
            blocked(&fixture, "settle_charges($1").await;
            first.batch_execute(ending).await.unwrap();
        };
        let (again, ()) = futures_util::join!(again, end);
        assert!(
            matches!(again.unwrap()[..], [Verdict::Settled { .. }]),
            "{ending}"
        );
        assert_eq!(
            fixture.charged(&home).await,
            Charged::of(before + 4 * rows),
            "{ending}"
        );
    }
}

/// The retry was there first: of the first attempt only what the retry did not have is charged.
#[tokio::test]
async fn an_attempt_that_comes_after_its_retry_charges_nothing_again() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let batch = [entry(&home, 4, NOW), entry(&home, 5, NOW)];
    fixture.stores.ledger.settle(&batch[..1], true).await.unwrap();
    let late = fixture.stores.ledger.settle(&batch, false).await.unwrap();
    assert!(
        matches!(late[..], [Verdict::Unsettled, Verdict::Settled { .. }]),
        "{late:?}"
    );
    assert_eq!(fixture.charged(&home).await, Charged::of(9));
}

/// A charge keeps its price whatever cycle began between two attempts.
#[tokio::test]
async fn a_cycle_that_ends_between_two_attempts_charges_neither_twice() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (before, edge) = (
        datetime!(2026-04-29 23:59:59 UTC),
        datetime!(2026-04-30 00:00 UTC),
    );
    let old = [entry(&home, 4, before)];
    fixture.settle(&old).await;
    fixture.settle(&[entry(&home, 1, edge)]).await;
    // Moved into the new cycle when it was first settled.
    let moved = [entry(&home, 2, before)];
    fixture.settle(&moved).await;
    for again in [true, false] {
        for batch in [&old, &moved] {
            let verdicts = fixture.stores.ledger.settle(batch, again).await.unwrap();
            assert_eq!(verdicts, [settled(999_997)]);
        }
    }
    let used: i64 = fixture.value("SELECT used FROM credit_balances", &[]).await;
    let logged: i64 = fixture.value("SELECT sum(cost) FROM credit_log", &[]).await;
    assert_eq!((used, logged), (3, 7));
}

/// A retry comes when the database has just been away: it must not read a busy workspace's whole log.
#[tokio::test]
async fn a_retry_reads_no_rows_but_its_own() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture
        .sql
        .execute(
            "INSERT INTO credit_log (workspace_id, occurred_at, request_id, credential_id, operation, status, cost, cache)
             SELECT $1, '2026-03-31 09:15Z'::timestamptz - n * interval '1 second', gen_random_uuid(), gen_random_uuid(),
                 'listDomains', 200, 0, 'miss'
             FROM generate_series(1, 20000) AS n",
            &[&home.workspace.0],
        )
        .await
        .unwrap();
    let batch: Vec<_> = (0..10).map(|_| entry(&home, 1, NOW)).collect();
    fixture.settle(&batch[..5]).await;
    let reads = async || -> i64 {
        let session = connect(fixture.test.url()).await;
        let flush = "SELECT pg_stat_force_next_flush()";
        session.batch_execute(flush).await.unwrap();
        let read =
            "SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes WHERE relname LIKE 'credit_log%'";
        session.query_one(read, &[]).await.unwrap().get(0)
    };
    let before = reads().await;
    let session = connect(fixture.test.url()).await;
    session.batch_execute(&by_hand(&batch, true)).await.unwrap();
    session
        .batch_execute("SELECT pg_stat_force_next_flush()")
        .await
        .unwrap();
    let read = reads().await - before;
    assert!((5..=20).contains(&read), "{read} rows");
    assert_eq!(fixture.charged(&home).await, Charged::of(10));
}
