//! A ledger that does not say what became of a batch for as long as a test wants that.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use pharos_domain::{
    credits::{Balance, LogEntry, Payer},
    ledger::{LedgerFailure, LedgerStore, Verdict},
    ports::Ports,
    store::StoreError,
};
use time::OffsetDateTime;

/// Whether the ledger is silent on what it did.
#[derive(Clone, Default)]
pub(super) struct Doubt(Arc<AtomicBool>);

impl Doubt {
    pub(super) fn begins(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    pub(super) fn ends(&self) {
        self.0.store(false, Ordering::SeqCst);
    }

    /// The ports, with this in that of the ledger.
    pub(super) fn within(&self, ports: Ports) -> Ports {
        let ledger = Doubtful(ports.get().unwrap(), self.clone());
        ports.with_instead::<dyn LedgerStore>(Arc::new(ledger))
    }
}

struct Doubtful(Arc<dyn LedgerStore>, Doubt);

#[async_trait]
impl LedgerStore for Doubtful {
    async fn settle(&self, charges: &[LogEntry], again: bool) -> Result<Vec<Verdict>, LedgerFailure> {
        if self.1.0.load(Ordering::SeqCst) {
            return Err(LedgerFailure::InDoubt(StoreError::Unavailable(
                "the connection is lost".into(),
            )));
        }
        self.0.settle(charges, again).await
    }

    async fn record(&self, entries: &[LogEntry]) -> Result<(), StoreError> {
        self.0.record(entries).await
    }

    async fn balance(&self, payer: Payer, now: OffsetDateTime) -> Result<Option<Balance>, StoreError> {
        self.0.balance(payer, now).await
    }
}
