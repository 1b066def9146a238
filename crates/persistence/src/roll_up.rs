//! Rolling up the closed days of time series, step by step.
//!
//! A step rolls up some days of a domain in one transaction, and may be done twice. Reads do without what fails: they look at
//! the records. The next hour tries again.

use std::{fmt, ops::ControlFlow};

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use futures_util::future::BoxFuture;
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_supervisor::each;
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    failure::{Abort, failure, is_timeout},
    names,
    pool::Database,
    set_aside::{Fault, Kind, SetAside},
    statement::Bare,
};

/// A time series of domains whose closed days are rolled up.
#[derive(Clone, Copy)]
pub struct RolledSeries {
    /// Its records, as the log calls them.
    pub records: &'static str,
    /// Says which domains have a closed day that is not rolled up.
    pub behind: Behind,
    /// Takes the next step of a domain, within its transaction.
    pub step: Step,
}

/// Says which domains are behind at a moment.
pub type Behind =
    for<'a> fn(&'a Database, OffsetDateTime) -> BoxFuture<'a, Result<Vec<DomainId>, StoreError>>;

/// Takes a step of a domain, and says whether there is more to do: not where another node is at it.
pub type Step = for<'a> fn(
    &'a mut AsyncPgConnection,
    DomainId,
    OffsetDateTime,
) -> BoxFuture<'a, Result<bool, Abort<StoreError>>>;

impl fmt::Debug for RolledSeries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RolledSeries").field(&self.records).finish()
    }
}

impl RolledSeries {
    /// Rolls up the closed days of every domain that are not yet, until `stop`. Nodes share the work.
    ///
    /// # Panics
    /// The days of a domain brought about a panic. Those of the others are rolled up.
    pub async fn roll_up(self, database: &Database, now: OffsetDateTime, stop: &CancellationToken) {
        let records = self.records;
        let domains = (self.behind)(database, now).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "{records} can't be rolled up at the moment; the next hour will");
            Vec::new()
        });
        let works = domains
            .into_iter()
            .map(|domain| (domain, self.take_steps(database, domain, now, stop)));
        each(works, |domain, outcome| {
            match outcome {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    tracing::warn!(%error, %domain, "{records} can't be rolled up at the moment; the next hour will");
                    if matches!(error, StoreError::Unavailable(_)) {
                        return ControlFlow::Break(());
                    }
                }
                Err(panic) => {
                    tracing::error!(%panic, %domain, "{records} brought about a panic as they were rolled up");
                }
            }
            ControlFlow::Continue(())
        })
        .await;
    }

    /// Takes the steps of one domain.
    async fn take_steps(
        self,
        database: &Database,
        domain: DomainId,
        now: OffsetDateTime,
        stop: &CancellationToken,
    ) -> Result<(), StoreError> {
        while !stop.is_cancelled() && self.take_step(database, domain, now).await? {}
        Ok(())
    }

    /// Takes the next step of a domain. Whether there is more to do: not where another node is at it.
    ///
    /// # Errors
    /// The database could not do it; nothing has changed. Where it is there, and the domain is what it fails over, that is set
    /// aside.
    pub async fn take_step(
        self,
        database: &Database,
        domain: DomainId,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        let step = self.step;
        let mut connection = database.long_read().await?;
        let stepped = connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                // The days of a domain are sorted in memory; code is not compiled for them.
                connection
                    .batch_execute("SET LOCAL work_mem = '64MB'; SET LOCAL jit = off")
                    .await?;
                step(connection, domain, now).await
            })
            .await;
        drop(connection);
        let error = match stepped {
            Ok(has_more) => return Ok(has_more),
            // One that takes too long is no sign of a database that is away.
            Err(Abort::Database(error)) if is_timeout(&error) => StoreError::Failed(Box::new(error)),
            Err(abort) => abort.answer(),
        };
        if error.lies_in_a_row() {
            database
                .note(SetAside::unread(Kind::Rollup, &domain, &error))
                .await?;
        }
        Err(error)
    }
}

#[derive(QueryableByName)]
struct DomainRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
}

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = BigInt)]
    found: i64,
}

/// The domains that a statement finds as `domain_id`: those that are behind `$1`, up to which days are closed.
///
/// # Errors
/// The database could not say.
pub async fn behind<Name: Send + 'static>(
    database: &Database,
    statement: Bare<Name>,
    closed_until: OffsetDateTime,
) -> Result<Vec<DomainId>, StoreError> {
    let mut connection = database.connection().await?;
    let query = statement.bind::<Timestamptz, _>(closed_until);
    let rows: Vec<DomainRow> = query.load(&mut connection).await.map_err(failure)?;
    Ok(rows.into_iter().map(|row| DomainId(row.domain_id)).collect())
}

/// How many domains a statement counts as `found`: those that are behind `$1`, up to which days are closed.
///
/// # Errors
/// The database could not say.
pub async fn count_behind<Name: Send + 'static>(
    database: &Database,
    statement: Bare<Name>,
    closed_until: OffsetDateTime,
) -> Result<usize, StoreError> {
    let mut connection = database.connection().await?;
    let query = statement.bind::<Timestamptz, _>(closed_until);
    let count: CountRow = query.get_result(&mut connection).await.map_err(failure)?;
    names::count(count.found)
}
