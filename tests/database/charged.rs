//! An effect and its charge: both or none.

use std::time::Duration;

use pharos_domain::{
    credits::{SettleError, Settlement, Slip},
    store::StoreError,
};
use pharos_persistence::metering::charged::charged_statement;

use crate::{
    harness::{Fixture, Home, NOW, entry},
    purse::Charged,
};

/// An effect that can be counted.
pub(crate) const EFFECT: &str = "INSERT INTO effects DEFAULT VALUES RETURNING number";

impl Fixture {
    /// A home, and a table for effects.
    pub(crate) async fn with_effects() -> (Self, Home) {
        let fixture = Self::new().await;
        let home = fixture.home("ada").await;
        let table = "CREATE TABLE effects (number bigint GENERATED ALWAYS AS IDENTITY)";
        fixture.sql.batch_execute(table).await.unwrap();
        (fixture, home)
    }

    /// How many effects there are.
    pub(crate) async fn effects(&self) -> i64 {
        self.value("SELECT count(*) FROM effects", &[]).await
    }

    /// Does what the slip pays for.
    pub(crate) async fn pay(&self, slip: &Slip, effect: &str) -> Result<i64, SettleError> {
        charged_statement(&self.database, slip, None, Duration::ZERO, effect).await
    }
}

#[tokio::test]
async fn effect_and_charge_are_committed_together() {
    let (fixture, home) = Fixture::with_effects().await;
    let slip = Slip::new(entry(&home, 25, NOW), None);
    assert_eq!(fixture.pay(&slip, EFFECT).await.unwrap(), 1);
    assert_eq!(fixture.effects().await, 1);
    assert_eq!(fixture.charged(&home).await, Charged::of(25));
    let remaining = 999_975;
    assert_eq!(
        slip.settlement(),
        Some(&Settlement::Charged {
            remaining,
            answer: None
        })
    );
    let row: uuid::Uuid = fixture.value("SELECT request_id FROM credit_log", &[]).await;
    assert_eq!(row, slip.entry().unwrap().request_id.0);
}

#[tokio::test]
async fn what_costs_nothing_has_its_row_all_the_same() {
    let (fixture, home) = Fixture::with_effects().await;
    fixture.grant(&home, 0).await;
    let slip = Slip::new(entry(&home, 0, NOW), None);
    fixture.pay(&slip, EFFECT).await.unwrap();
    let rows: i64 = fixture.value("SELECT count(*) FROM credit_log", &[]).await;
    assert_eq!((rows, fixture.effects().await), (1, 1));
}

#[tokio::test]
async fn without_credits_there_is_no_effect() {
    let (fixture, home) = Fixture::with_effects().await;
    fixture.grant(&home, 24).await;
    let slip = Slip::new(entry(&home, 25, NOW), None);
    let refused = fixture.pay(&slip, EFFECT).await;
    let Err(SettleError::Exhausted(why)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(
        (why.used, why.limit, why.resets_on),
        (0, 24, time::macros::date!(2026 - 04 - 30))
    );
    assert_eq!(slip.settlement(), None);
    assert_eq!(fixture.effects().await, 0);
    assert_eq!(fixture.charged(&home).await, Charged::of(0));
}

#[tokio::test]
async fn an_effect_that_fails_costs_nothing() {
    let (fixture, home) = Fixture::with_effects().await;
    let slip = Slip::new(entry(&home, 25, NOW), None);
    let failed = fixture.pay(&slip, "SELECT 1 / 0::bigint").await;
    assert!(
        matches!(failed, Err(SettleError::Store(StoreError::Failed(_)))),
        "{failed:?}"
    );
    // So does one that only the commit finds wrong.
    let deferred = "ALTER TABLE effects ADD COLUMN one integer DEFAULT 1,
        ADD CONSTRAINT one UNIQUE (one) DEFERRABLE INITIALLY DEFERRED";
    fixture.sql.batch_execute(deferred).await.unwrap();
    fixture
        .pay(&Slip::new(entry(&home, 3, NOW), None), EFFECT)
        .await
        .unwrap();
    let failed = fixture.pay(&slip, EFFECT).await;
    assert!(
        matches!(failed, Err(SettleError::Store(StoreError::Failed(_)))),
        "{failed:?}"
    );
    assert_eq!(slip.settlement(), None);
    assert_eq!(fixture.effects().await, 1);
    assert_eq!(fixture.charged(&home).await, Charged::of(3));
}

/// The pool must not hand out what a failure has left behind.
#[tokio::test]
async fn failures_leave_the_connections_in_order() {
    let (fixture, home) = Fixture::with_effects().await;
    for _ in 0..40 {
        let slip = Slip::new(entry(&home, 1, NOW), None);
        fixture.pay(&slip, "SELECT 1 / 0::bigint").await.unwrap_err();
        let slip = Slip::new(entry(&home, 1, NOW), None);
        fixture.pay(&slip, EFFECT).await.unwrap();
    }
    assert_eq!(fixture.charged(&home).await, Charged::of(40));
}
