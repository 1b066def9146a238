//! The ledger's connection, lost at every moment.

use std::time::Duration;

use pharos_domain::{
    credits::LogEntry,
    ledger::{LedgerFailure, LedgerStore, Verdict},
};
use pharos_persistence::{metering::ledger::PgLedgerStore, pool::Database};
use pharos_server::groups::database_options;
use tokio::time::sleep;

use crate::{
    harness::{Fixture, NOW, connect, entry},
    purse::{Charged, settled},
    relay::Relay,
    retries::blocked,
};

#[tokio::test]
async fn a_connection_that_is_lost_between_batches_is_opened_anew() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.settle(&[entry(&home, 1, NOW)]).await;
    let ended: i64 = fixture
        .value(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
            &[],
        )
        .await;
    assert!(ended > 0);
    sleep(Duration::from_millis(100)).await;
    assert_eq!(fixture.settle(&[entry(&home, 1, NOW)]).await, [settled(999_998)]);
    assert_eq!(fixture.charged(&home).await, Charged::of(2));
}

/// The outcome of settling a batch while its backend, which waits for a balance, is dealt with by `how`.
async fn interrupted(
    fixture: &Fixture,
    batch: &[LogEntry],
    how: &str,
) -> Result<Vec<Verdict>, LedgerFailure> {
    let other = connect(fixture.test.url()).await;
    let hold = "BEGIN; SELECT FROM credit_balances FOR UPDATE";
    other.batch_execute(hold).await.unwrap();
    let interrupt = async {
        let pid = blocked(fixture, "WITH charged AS").await;
        let query = format!("SELECT {how}($1)");
        fixture.sql.execute(&query, &[&pid]).await.unwrap();
    };
    let (settled, ()) = futures_util::join!(fixture.stores.ledger.settle(batch, false), interrupt);
    other.batch_execute("ROLLBACK").await.unwrap();
    settled
}

#[tokio::test]
async fn a_statement_that_fails_on_a_live_connection_charged_nothing() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let batch = [entry(&home, 4, NOW)];
    let failed = interrupted(&fixture, &batch, "pg_cancel_backend").await;
    assert!(matches!(failed, Err(LedgerFailure::Nothing(_))), "{failed:?}");
    assert_eq!(fixture.charged(&home).await, Charged::of(0));
    assert_eq!(fixture.settle(&batch).await, [settled(999_996)]);
}

#[tokio::test]
async fn a_backend_that_is_ended_half_way_leaves_a_doubt_that_the_next_attempt_settles() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let batch = [entry(&home, 4, NOW)];
    let lost = interrupted(&fixture, &batch, "pg_terminate_backend").await;
    assert!(matches!(lost, Err(LedgerFailure::InDoubt(_))), "{lost:?}");
    let again = fixture.stores.ledger.settle(&batch, true).await.unwrap();
    assert_eq!(again, [settled(999_996)]);
    assert_eq!(fixture.charged(&home).await, Charged::of(4));
}

/// The batch is committed, and the answer is lost on its way.
#[tokio::test]
async fn an_answer_that_is_lost_leaves_a_doubt_that_the_next_attempt_settles() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let relay = Relay::start(fixture.test.url()).await;
    let ledger = PgLedgerStore::new(Database::new(&relay.url, &database_options()).unwrap());
    ledger.settle(&[entry(&home, 1, NOW)], false).await.unwrap();
    let batch = [entry(&home, 4, NOW)];
    relay.swallow_the_answer_to("listUptimeChecks");
    let lost = ledger.settle(&batch, false).await;
    assert!(matches!(lost, Err(LedgerFailure::InDoubt(_))), "{lost:?}");
    assert_eq!(fixture.charged(&home).await, Charged::of(5));
    assert_eq!(ledger.settle(&batch, true).await.unwrap(), [settled(999_995)]);
    assert_eq!(fixture.charged(&home).await, Charged::of(5));
}
