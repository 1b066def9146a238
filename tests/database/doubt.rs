//! Commits that are not answered: nothing is charged that is refused.

use std::time::Duration;

use pharos_domain::{
    credits::{SettleError, Settlement, Slip},
    ledger::{LedgerStore as _, Verdict},
    store::StoreError,
};
use pharos_persistence::{
    metering::{charged::charged_statement, ledger::PgLedgerStore},
    pool::{Database, DatabaseOptions},
};
use pharos_server::groups::database_options;
use time::macros::datetime;
use tokio::time::sleep;

use crate::{
    charged::EFFECT,
    harness::{Fixture, NOW, entry},
    purse::Charged,
    relay::Relay,
    retries::blocked,
};

/// Pays by way of the relay.
async fn pay(relay: &Relay, slip: &Slip) -> Result<i64, SettleError> {
    // With one connection only, the doubt can't be resolved unless the lost one is given up.
    let options = DatabaseOptions {
        pool_size: 1,
        ..database_options()
    };
    let database = Database::new(&relay.url, &options).unwrap();
    charged_statement(&database, slip, None, Duration::ZERO, EFFECT).await
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_counts() {
    let (fixture, home) = Fixture::with_effects().await;
    let relay = Relay::start(fixture.test.url()).await;
    relay.swallow_the_answer_to("COMMIT");
    let slip = Slip::new(entry(&home, 25, NOW), None);
    assert_eq!(pay(&relay, &slip).await.unwrap(), 1);
    let remaining = 999_975;
    assert_eq!(
        slip.settlement(),
        Some(&Settlement::Charged {
            remaining,
            answer: None
        })
    );
    assert_eq!(fixture.effects().await, 1);
    assert_eq!(fixture.charged(&home).await, Charged::of(25));
}

#[tokio::test]
async fn a_commit_that_never_arrived_costs_nothing() {
    let (fixture, home) = Fixture::with_effects().await;
    let relay = Relay::start(fixture.test.url()).await;
    relay.swallow("COMMIT");
    let slip = Slip::new(entry(&home, 25, NOW), None);
    let lost = pay(&relay, &slip).await;
    assert!(
        matches!(lost, Err(SettleError::Store(StoreError::Unavailable(_)))),
        "{lost:?}"
    );
    assert_eq!(slip.settlement(), None);
    assert_eq!(fixture.effects().await, 0);
    assert_eq!(fixture.charged(&home).await, Charged::of(0));
}

/// Charges that could be paid are made by the time that caps are looked up: a refusal says less, and nothing is refused twice.
#[tokio::test]
async fn charges_count_though_nobody_can_say_whose_cap_refused_others() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.cap(&home, home.owner, Some(20)).await;
    let relay = Relay::start(fixture.test.url()).await;
    let ledger = PgLedgerStore::new(Database::new(&relay.url, &database_options()).unwrap());
    relay.swallow("\"credit_balances\".\"granted\"");
    let verdicts = ledger
        .settle(&[entry(&home, 7, NOW), entry(&home, 25, NOW)], false)
        .await
        .unwrap();
    // Without the look-up it is told as the workspace's own limit.
    assert!(matches!(verdicts[0], Verdict::Settled { .. }), "{verdicts:?}");
    assert!(
        matches!(verdicts[1], Verdict::Refused(told) if !told.is_cap && (told.used, told.limit) == (7, 20)),
        "{verdicts:?}"
    );
    assert_eq!(fixture.charged(&home).await, Charged::of(7));
}

/// The row has another time than the request: it was moved into the present cycle.
#[tokio::test]
async fn a_commit_after_its_cycle_was_closed_is_found() {
    let (fixture, home) = Fixture::with_effects().await;
    fixture
        .settle(&[entry(&home, 1, datetime!(2026-04-30 00:00 UTC))])
        .await;
    let relay = Relay::start(fixture.test.url()).await;
    relay.swallow_the_answer_to("COMMIT");
    let slip = Slip::new(entry(&home, 25, datetime!(2026-04-29 23:59 UTC)), None);
    assert_eq!(pay(&relay, &slip).await.unwrap(), 1);
    assert_eq!(fixture.charged(&home).await, Charged::of(26));
}

#[tokio::test]
async fn nothing_is_answered_before_the_database_says() {
    let (fixture, home) = Fixture::with_effects().await;
    let relay = Relay::start(fixture.test.url()).await;
    relay.swallow_the_answer_to("COMMIT");
    relay.stay_away_for(Duration::from_secs(1));
    let slip = Slip::new(entry(&home, 25, NOW), None);
    let begun = std::time::Instant::now();
    assert_eq!(pay(&relay, &slip).await.unwrap(), 1);
    assert!(begun.elapsed() >= Duration::from_secs(1));
    assert_eq!(fixture.charged(&home).await, Charged::of(25));
}

/// The backend is ended while it commits, and nobody knows until then how that ends.
#[tokio::test]
async fn a_backend_that_is_ended_in_its_commit_costs_nothing() {
    let (fixture, home) = Fixture::with_effects().await;
    fixture
        .sql
        .batch_execute(
            "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
             CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON effects DEFERRABLE INITIALLY DEFERRED
                 FOR EACH ROW EXECUTE FUNCTION wait();
             SELECT pg_advisory_lock(1)",
        )
        .await
        .unwrap();
    let slip = Slip::new(entry(&home, 25, NOW), None);
    let end = async {
        let pid = blocked(&fixture, "COMMIT").await;
        fixture
            .sql
            .execute("SELECT pg_terminate_backend($1)", &[&pid])
            .await
            .unwrap();
    };
    let (lost, ()) = futures_util::join!(fixture.pay(&slip, EFFECT), end);
    assert!(
        matches!(lost, Err(SettleError::Store(StoreError::Unavailable(_)))),
        "{lost:?}"
    );
    assert_eq!(fixture.effects().await, 0);
    assert_eq!(fixture.charged(&home).await, Charged::of(0));
}

#[tokio::test]
async fn a_backend_that_is_ended_in_the_effect_costs_nothing() {
    let (fixture, home) = Fixture::with_effects().await;
    fixture
        .sql
        .batch_execute("SELECT pg_advisory_lock(1)")
        .await
        .unwrap();
    let slip = Slip::new(entry(&home, 25, NOW), None);
    let slow = "WITH done AS (INSERT INTO effects DEFAULT VALUES RETURNING number), waited AS (
                    SELECT pg_advisory_xact_lock(1)
                ) SELECT number FROM done, waited";
    let end = async {
        let pid = blocked(&fixture, "waited").await;
        fixture
            .sql
            .execute("SELECT pg_terminate_backend($1)", &[&pid])
            .await
            .unwrap();
    };
    let (lost, ()) = futures_util::join!(fixture.pay(&slip, slow), end);
    assert!(
        matches!(lost, Err(SettleError::Store(StoreError::Unavailable(_)))),
        "{lost:?}"
    );
    assert_eq!(fixture.charged(&home).await, Charged::of(0));
}

/// Whoever asked is gone: what it asked for is done with its charge, or not at all.
#[tokio::test]
async fn a_request_that_is_dropped_half_way_leaves_nothing() {
    let (fixture, home) = Fixture::with_effects().await;
    fixture
        .sql
        .batch_execute("BEGIN; SELECT FROM credit_balances FOR UPDATE")
        .await
        .unwrap();
    let slip = Slip::new(entry(&home, 25, NOW), None);
    let dropped = tokio::time::timeout(Duration::from_millis(300), fixture.pay(&slip, EFFECT)).await;
    assert!(dropped.is_err());
    fixture.sql.batch_execute("COMMIT").await.unwrap();
    sleep(Duration::from_millis(300)).await;
    assert_eq!(fixture.effects().await, 0);
    assert_eq!(fixture.charged(&home).await, Charged::of(0));
    assert_eq!(fixture.pay(&slip, EFFECT).await.unwrap(), 2);
}
