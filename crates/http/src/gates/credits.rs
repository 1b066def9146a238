//! Credits: can the payer afford it, by all that is known? 402, 503. Only the settlement decides.

use pharos_domain::{credits::Payer, problem::Suffix};
use time::OffsetDateTime;

use crate::{
    metering::{CreditMeter, CreditRefusal},
    problem::{Problem, exhausted},
};

/// Asks for the price.
pub(super) struct CreditGate<'a> {
    pub(super) meter: &'a dyn CreditMeter,
    pub(super) payer: Option<Payer>,
    pub(super) now: OffsetDateTime,
}

impl CreditGate<'_> {
    pub(super) async fn pass(&self, cost: u32) -> Result<(), Problem> {
        if cost == 0 {
            return Ok(());
        }
        // A grant that lost all its workspaces: nobody would pay, and there is nothing that it could read.
        let payer = self.payer.ok_or_else(|| {
            Problem::new(
                Suffix::WorkspaceNotFound,
                "There is no workspace in your reach that could pay for this.",
            )
        })?;
        match self.meter.affords(payer, cost, self.now).await {
            Ok(()) => Ok(()),
            Err(CreditRefusal::Exhausted(exhaustion)) => Err(exhausted(exhaustion)),
            Err(CreditRefusal::Unavailable(error)) => Err(error.into()),
        }
    }
}
