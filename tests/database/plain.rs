//! Charges that can be paid as they came, beside those that can't.

use std::{pin::pin, sync::Arc, time::Duration};

use futures_util::poll;
use pharos_domain::{
    credits::{LogEntry, SettleError},
    ledger::{LedgerFailure, Verdict},
    role::Role,
};
use pharos_http::metering::CreditMeter;
use pharos_metering::credits::meter::Meter;
use pharos_supervisor::Supervisor;
use tokio::time::timeout;
use tokio_postgres::Client;

use crate::{
    committers::holding,
    harness::{Fixture, Home, NOW, connect, entry},
    purse::{Charged, settled},
    retries::blocked,
};

/// Two homes. A member of the second has a cap, and somebody holds the members: who needs a look at them waits.
struct Halves {
    fixture: Fixture,
    plain: Home,
    capped: Home,
    holder: Client,
}

impl Halves {
    async fn new() -> Self {
        let fixture = Fixture::new().await;
        let (plain, capped) = (fixture.home("ada").await, fixture.home("eve").await);
        let bob = fixture.member(capped.workspace, "bob", Role::Viewer).await;
        fixture.cap(&capped, bob, Some(8)).await;
        let holder = connect(fixture.test.url()).await;
        holder
            .batch_execute("BEGIN; LOCK TABLE members IN ACCESS EXCLUSIVE MODE")
            .await
            .unwrap();
        Self {
            fixture,
            plain,
            capped,
            holder,
        }
    }

    fn batch(&self) -> [LogEntry; 3] {
        [
            entry(&self.capped, 2, NOW),
            entry(&self.plain, 4, NOW),
            entry(&self.capped, 3, NOW),
        ]
    }

    /// Settles a batch, whose second half waits for the members when `meanwhile` is run with its process.
    async fn settle(
        &self,
        batch: &[LogEntry],
        meanwhile: impl AsyncFnOnce(i32),
    ) -> Result<Vec<Verdict>, LedgerFailure> {
        let release = async {
            let pid = blocked(&self.fixture, "settle_charges($1").await;
            meanwhile(pid).await;
            self.holder.batch_execute("ROLLBACK").await.unwrap();
        };
        let (settled, ()) = futures_util::join!(self.fixture.stores.ledger.settle(batch, false), release);
        settled
    }

    async fn signal(&self, how: &str, pid: i32) {
        let query = format!("SELECT {how}($1)");
        self.fixture.sql.execute(&query, &[&pid]).await.unwrap();
    }
}

#[tokio::test]
async fn what_can_be_paid_as_it_came_needs_no_look_at_members() {
    let halves = Halves::new().await;
    let batch = [entry(&halves.plain, 4, NOW), entry(&halves.plain, 1, NOW)];
    let verdicts = timeout(Duration::from_secs(10), halves.fixture.settle(&batch)).await;
    assert_eq!(verdicts.unwrap(), [settled(999_995), settled(999_995)]);
    assert_eq!(halves.fixture.charged(&halves.plain).await, Charged::of(5));
}

#[tokio::test]
async fn a_workspace_with_a_cap_holds_up_no_other_of_its_batch() {
    let halves = Halves::new().await;
    let batch = halves.batch();
    let settled_both = halves
        .settle(&batch, async |_| {
            assert_eq!(halves.fixture.charged(&halves.plain).await, Charged::of(4));
            assert_eq!(halves.fixture.charged(&halves.capped).await, Charged::of(0));
        })
        .await;
    let want = [settled(999_995), settled(999_996), settled(999_995)];
    assert_eq!(settled_both.unwrap(), want);
    assert_eq!(halves.fixture.charged(&halves.capped).await, Charged::of(5));
}

#[tokio::test]
async fn of_a_batch_that_fails_half_way_the_rest_was_not_charged() {
    let halves = Halves::new().await;
    let batch = halves.batch();
    let half = halves
        .settle(&batch, async |pid| halves.signal("pg_cancel_backend", pid).await)
        .await;
    let want = [Verdict::Unsettled, settled(999_996), Verdict::Unsettled];
    assert_eq!(half.unwrap(), want);
    assert_eq!(halves.fixture.charged(&halves.plain).await, Charged::of(4));
    assert_eq!(halves.fixture.charged(&halves.capped).await, Charged::of(0));
}

/// Both wait in the queue while the first is at work, so they are one batch.
#[tokio::test]
async fn whoever_was_not_charged_is_refused_and_whoever_was_is_answered() {
    let halves = Halves::new().await;
    let fixture = &halves.fixture;
    let of_plain = holding(fixture, &halves.plain).await;
    let (meter, running) = Meter::start(Arc::clone(&fixture.stores.ledger), &Supervisor::default()).unwrap();
    let mut first = pin!(meter.settle(entry(&halves.plain, 1, NOW)));
    assert!(poll!(&mut first).is_pending());
    blocked(fixture, "WITH charged AS").await;
    let mut capped = pin!(meter.settle(entry(&halves.capped, 2, NOW)));
    let mut plain = pin!(meter.settle(entry(&halves.plain, 4, NOW)));
    assert!(poll!(&mut capped).is_pending() && poll!(&mut plain).is_pending());
    of_plain.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(first.await.unwrap(), 999_999);
    let pid = blocked(fixture, "settle_charges($1").await;
    halves.signal("pg_cancel_backend", pid).await;
    let (capped, plain) = futures_util::join!(capped, plain);
    assert!(matches!(capped, Err(SettleError::Store(_))), "{capped:?}");
    assert_eq!(plain.unwrap(), 999_995);
    assert_eq!(fixture.charged(&halves.plain).await, Charged::of(5));
    assert_eq!(fixture.charged(&halves.capped).await, Charged::of(0));
    halves.holder.batch_execute("ROLLBACK").await.unwrap();
    running.stop().await;
}

#[tokio::test]
async fn a_batch_that_is_lost_half_way_is_charged_once() {
    let halves = Halves::new().await;
    let batch = halves.batch();
    let lost = halves
        .settle(&batch, async |pid| {
            halves.signal("pg_terminate_backend", pid).await
        })
        .await;
    assert!(matches!(lost, Err(LedgerFailure::InDoubt(_))), "{lost:?}");
    assert_eq!(halves.fixture.charged(&halves.plain).await, Charged::of(4));
    let again = halves.fixture.stores.ledger.settle(&batch, true).await.unwrap();
    assert_eq!(again, [settled(999_995), settled(999_996), settled(999_995)]);
    assert_eq!(halves.fixture.charged(&halves.plain).await, Charged::of(4));
    assert_eq!(halves.fixture.charged(&halves.capped).await, Charged::of(5));
}
