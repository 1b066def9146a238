//! A database that says nothing any more, and callers who wait no longer.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use pharos_auth::secret::SecretDigest;
use pharos_domain::{permit::Permit, store::StoreError};
use pharos_persistence::pool::{Database, DatabaseOptions};
use pharos_server::groups::database_options;
use pharos_tests::stores::Stores;
use tokio::time::{sleep, timeout};

use crate::{
    harness::{Fixture, NOW, actor, connect, entry},
    purse::Charged,
    relay::Relay,
};

/// Far longer than any wait may be, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn quick() -> DatabaseOptions {
    DatabaseOptions {
        pool_size: 2,
        connect_timeout: Duration::from_millis(500),
        wait_timeout: Duration::from_millis(500),
        statement_timeout: Duration::from_millis(500),
        application_name: "pharos quick".to_owned(),
        ..database_options()
    }
}

fn is_away<T>(result: &Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Unavailable(_)))
}

/// Whether calls on a shared connection, a pooled one and in a transaction are all refused as away.
async fn all_away(stores: &Stores) -> bool {
    let digest = SecretDigest::of("svc_dev_no");
    let actor = actor();
    let asked = async {
        let (one, other, pooled, written) = tokio::join!(
            stores.credentials.find_key(&digest),
            stores.credentials.find_key(&digest),
            stores.plans.list(),
            stores.users.create("eve@example.org", "Eve", &actor, NOW),
        );
        is_away(&one) && is_away(&other) && is_away(&pooled) && written.is_err()
    };
    timeout(PATIENCE, asked).await.expect("nothing waits for ever")
}

/// The connections stay, and so does the server; only nothing comes back, as from a process that was stopped.
#[tokio::test]
async fn a_server_that_falls_silent_is_away_and_is_there_again_when_it_speaks() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let relay = Relay::start(fixture.test.url()).await;
    let database = Database::connect(&relay.url, &quick()).await.unwrap();
    let stores = Stores::new(&database);
    let digest = SecretDigest::of("svc_dev_no");
    stores.credentials.find_key(&digest).await.unwrap();
    stores.plans.list().await.unwrap();
    stores.ledger.settle(&[], false).await.unwrap();

    relay.be_silent(true);
    // First on the connections that there are, then on new ones.
    assert!(all_away(&stores).await);
    assert!(all_away(&stores).await);
    let batch = [entry(&home, 4, NOW)];
    let lost = timeout(PATIENCE, stores.ledger.settle(&batch, false)).await;
    assert!(lost.expect("nor does a charge").is_err());

    relay.be_silent(false);
    let back = async {
        while stores.credentials.find_key(&digest).await.is_err() || stores.plans.list().await.is_err() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, back).await.expect("it is there again");
    while stores.ledger.settle(&batch, true).await.is_err() {
        sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(fixture.charged(&home).await, Charged::of(4));
}

/// It is ended by PostgreSQL, which is not away: whoever asked is told to ask for less.
#[tokio::test]
async fn a_read_of_much_that_takes_too_long_says_so() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let domain = fixture.access(&home).await;
    let database = Database::connect(fixture.test.url(), &quick()).await.unwrap();
    let blocker = block(&fixture).await;
    let told = Stores::new(&database)
        .history
        .aggregate(&domain, &[], &[NOW], None)
        .await;
    assert!(matches!(told, Err(StoreError::TooLong(_))), "{told:?}");
    drop(blocker);
}

/// The log's rows wait behind nothing, and a write of them that is not answered ends.
#[tokio::test]
async fn rows_of_the_log_are_not_written_to_a_silent_server_for_ever() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let relay = Relay::start(fixture.test.url()).await;
    let stores = Stores::new(&Database::connect(&relay.url, &quick()).await.unwrap());
    stores.ledger.record(&[entry(&home, 0, NOW)]).await.unwrap();
    relay.be_silent(true);
    let rows = [entry(&home, 0, NOW)];
    let written = timeout(PATIENCE, stores.ledger.record(&rows)).await.unwrap();
    assert!(is_away(&written));
    relay.be_silent(false);
    while stores.ledger.record(&rows).await.is_err() {
        sleep(Duration::from_millis(10)).await;
    }
}

/// How many reads wait for the lock of [`block`]. A statement that sets a connection up is active for a moment, too.
async fn at_work(fixture: &Fixture) -> i64 {
    let query = "SELECT count(*) FROM pg_stat_activity
                 WHERE datname = current_database() AND application_name = 'pharos small'
                     AND state = 'active' AND wait_event_type = 'Lock'";
    fixture.value(query, &[]).await
}

/// A read that waits for a lock on what is rolled up.
async fn block(fixture: &Fixture) -> tokio_postgres::Client {
    let blocker = connect(fixture.test.url()).await;
    blocker
        .batch_execute("BEGIN; LOCK TABLE uptime_rollup_progress IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    blocker
}

#[tokio::test]
async fn a_read_that_nobody_waits_for_is_cancelled_and_holds_its_place_until_then() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let domain = fixture.access(&home).await;
    let options = DatabaseOptions {
        long_reads: 2,
        application_name: "pharos small".to_owned(),
        ..database_options()
    };
    let history = Stores::new(&Database::connect(fixture.test.url(), &options).await.unwrap()).history;
    let blocker = block(&fixture).await;
    for _ in 0..10 {
        let is_given_back = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&is_given_back);
        let permit = Permit::new(move || told.store(true, Ordering::SeqCst));
        let reading = permit.during(history.aggregate(&domain, &[], &[NOW], None));
        tokio::select! {
            told = reading => panic!("{told:?}"),
            () = async {
                while at_work(&fixture).await == 0 {
                    sleep(Duration::from_millis(5)).await;
                }
            } => {}
        }
        drop(permit);
        let free = async {
            while !is_given_back.load(Ordering::SeqCst) {
                sleep(Duration::from_millis(1)).await;
            }
        };
        timeout(PATIENCE, free).await.expect("the place is given back");
        assert_eq!(at_work(&fixture).await, 0, "PostgreSQL works for nobody");
    }
    drop(blocker);
    history.aggregate(&domain, &[], &[NOW], None).await.unwrap();
}
