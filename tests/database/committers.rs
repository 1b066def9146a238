//! Several who charge at once, on several nodes, and batches that follow each other on one.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::{future::join_all, poll};
use pharos_domain::{
    credits::{SettleError, Slip},
    ids::UserId,
    ledger::{LedgerStore, Verdict},
    role::Role,
};
use pharos_http::metering::CreditMeter;
use pharos_metering::credits::meter::Meter;
use pharos_persistence::{
    metering::{charged::charged_statement, ledger::PgLedgerStore},
    pool::Database,
};
use pharos_server::groups::database_options;
use pharos_supervisor::Supervisor;
use tokio::time::timeout;
use tokio_postgres::Client;

use crate::{
    harness::{Fixture, Home, NOW, connect, entry},
    purse::Charged,
    retries::blocked,
};

/// Another node.
async fn node(fixture: &Fixture) -> Database {
    Database::connect(fixture.test.url(), &database_options())
        .await
        .unwrap()
}

/// Charges `cost` 200 times at once: half of it on one node and half on another, half as reads and half as writes. How
/// often that was let through.
async fn storm(fixture: &Fixture, home: &Home, user: UserId, cost: u32) -> usize {
    let nodes = [node(fixture).await, node(fixture).await];
    let ledgers = nodes.clone().map(PgLedgerStore::new);
    let admitted = AtomicUsize::new(0);
    join_all((0..200).map(async |number| {
        let mut charge = entry(home, cost, NOW);
        charge.user_id = user;
        let (node, is_read) = (number % 2, number % 4 < 2);
        let is_admitted = if is_read {
            let verdicts = ledgers[node].settle(&[charge], false).await.unwrap();
            matches!(verdicts[0], Verdict::Settled { .. })
        } else {
            let slip = Slip::new(charge, None);
            match charged_statement(&nodes[node], &slip, None, Duration::ZERO, "SELECT 1::bigint").await {
                Ok(_) => true,
                Err(SettleError::Exhausted(_)) => false,
                Err(error) => panic!("{error}"),
            }
        };
        admitted.fetch_add(usize::from(is_admitted), Ordering::Relaxed);
    }))
    .await;
    admitted.into_inner()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_hundred_at_once_as_many_pass_as_the_balance_pays_for() {
    let fixture = Fixture::new().await;
    for (name, credits, admitted) in [("ada", 37, 7), ("eve", 500, 100), ("bob", 4, 0)] {
        let home = fixture.home(name).await;
        fixture.grant(&home, credits).await;
        assert_eq!(
            storm(&fixture, &home, home.owner, 5).await,
            admitted,
            "of {credits}"
        );
        assert_eq!(
            fixture.charged(&home).await,
            Charged::of(5 * i64::try_from(admitted).unwrap())
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_hundred_at_once_as_many_pass_as_the_cap_pays_for() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let bob = fixture.member(home.workspace, "bob", Role::Viewer).await;
    fixture.grant(&home, 500).await;
    fixture.cap(&home, bob, Some(99)).await;
    assert_eq!(storm(&fixture, &home, bob, 5).await, 19);
    assert_eq!(storm(&fixture, &home, home.owner, 5).await, 81);
    assert_eq!(fixture.charged(&home).await, Charged::of(500));
}

/// How many batches have to meet to say something.
const ENOUGH: usize = 50;

/// Each batch is over all workspaces, one node's the other way round than the other's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn committers_that_meet_in_opposite_order_never_deadlock() {
    let fixture = Fixture::new().await;
    let mut homes = Vec::new();
    for number in 0..12 {
        homes.push(fixture.home(&format!("user{number}")).await);
    }
    let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
    let until = Instant::now() + Duration::from_secs(3);
    let batches = AtomicUsize::new(0);
    let commit = async |is_backwards: bool, again: bool| {
        let ledger = PgLedgerStore::new(node(&fixture).await);
        while Instant::now() < until || batches.load(Ordering::Relaxed) <= ENOUGH {
            let mut batch: Vec<_> = homes
                .iter()
                .chain(&homes)
                .map(|home| entry(home, 1, NOW))
                .collect();
            if is_backwards {
                batch.reverse();
            }
            let verdicts = ledger.settle(&batch, again).await.unwrap();
            assert!(
                verdicts
                    .iter()
                    .all(|verdict| matches!(verdict, Verdict::Settled { .. }))
            );
            batches.fetch_add(1, Ordering::Relaxed);
        }
    };
    futures_util::join!(
        commit(false, false),
        commit(true, false),
        commit(false, true),
        commit(true, true)
    );
    let batches = batches.into_inner();
    // The statistics come a moment after.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(fixture.value::<i64>(deadlocks, &[]).await, 0);
    for home in &homes {
        assert_eq!(
            fixture.charged(home).await,
            Charged::of(2 * i64::try_from(batches).unwrap())
        );
    }
}

/// A session that holds the balance.
pub(crate) async fn holding(fixture: &Fixture, home: &Home) -> Client {
    let session = connect(fixture.test.url()).await;
    let hold = format!(
        "BEGIN; SELECT FROM credit_balances WHERE workspace_id = '{}' FOR UPDATE",
        home.workspace
    );
    session.batch_execute(&hold).await.unwrap();
    session
}

/// The second batch waits for a balance when the first is done.
#[tokio::test]
async fn a_batch_is_answered_while_the_next_is_at_work() {
    let fixture = Fixture::new().await;
    let (ada, eve) = (fixture.home("ada").await, fixture.home("eve").await);
    let (of_ada, of_eve) = (holding(&fixture, &ada).await, holding(&fixture, &eve).await);
    let (meter, running) = Meter::start(Arc::clone(&fixture.stores.ledger), &Supervisor::default()).unwrap();
    let mut first = pin!(meter.settle(entry(&ada, 1, NOW)));
    assert!(poll!(&mut first).is_pending());
    blocked(&fixture, "WITH charged AS").await;
    let mut second = pin!(meter.settle(entry(&eve, 2, NOW)));
    assert!(poll!(&mut second).is_pending());
    of_ada.batch_execute("ROLLBACK").await.unwrap();
    let patience = Duration::from_secs(10);
    assert_eq!(timeout(patience, first).await.unwrap().unwrap(), 999_999);
    blocked(&fixture, "WITH charged AS").await;
    assert!(poll!(&mut second).is_pending());
    of_eve.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(timeout(patience, second).await.unwrap().unwrap(), 999_998);
    running.stop().await;
}
