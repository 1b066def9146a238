//! The meter of a node without the log of what costs nothing: its writing is measured by a figure of its own.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::credits::{LogEntry, Payer, SettleError};
use pharos_http::metering::{CreditMeter, CreditRefusal};
use pharos_metering::credits::meter::Meter;
use time::OffsetDateTime;

/// Does all that the meter does, but throws those rows away.
pub(super) struct Unlogged(pub(super) Arc<Meter>);

#[async_trait]
impl CreditMeter for Unlogged {
    async fn affords(&self, payer: Payer, cost: u32, now: OffsetDateTime) -> Result<(), CreditRefusal> {
        self.0.affords(payer, cost, now).await
    }

    async fn settle(&self, entry: LogEntry) -> Result<u64, SettleError> {
        self.0.settle(entry).await
    }

    async fn log(&self, _entry: LogEntry) {}

    async fn remaining(&self, payer: Payer, now: OffsetDateTime) -> Option<u64> {
        self.0.remaining(payer, now).await
    }

    async fn saw(&self, payer: Payer, remaining: u64) {
        self.0.saw(payer, remaining).await;
    }
}
