//! Runs: a job for each region, in the transaction that charges them.

use async_trait::async_trait;
use pharos_domain::{
    credits::{Answering, Keyed, SettleError},
    identity::DomainAccess,
    runs::{Run, RunKind},
};
use pharos_persistence::{jobs, metering::charged::charged, pool::Database};
use pharos_uptime::{run, store::RunStore};
use time::OffsetDateTime;

/// Runs in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgRunStore {
    database: Database,
}

impl PgRunStore {
    /// The runs of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl RunStore for PgRunStore {
    async fn request(
        &self,
        domain: &Keyed<DomainAccess>,
        regions: &[String],
        now: OffsetDateTime,
        answer: &Answering<'_, Run>,
    ) -> Result<Run, SettleError> {
        let slip = domain.slip();
        let requester = domain.identity().into();
        let asked = Run::requested(RunKind::UptimeCheck, requester, slip.entry().cost, now);
        let wanted = run::jobs(&asked, slip.entry().workspace_id, domain.id(), regions);
        charged(&self.database, slip, Some(answer), async move |connection| {
            jobs::enqueue(connection, &wanted, now).await?;
            Ok(asked)
        })
        .await
    }
}
