//! Upkeep of every installation: partitions and retention.

use std::ops::ControlFlow;

use diesel::sql_types::{Integer, Text, Timestamptz};
use diesel_async::RunQueryDsl;
use futures_util::{FutureExt, future::BoxFuture};
use pharos_domain::store::StoreError;
use pharos_supervisor::{caught, each};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

use crate::{
    failure::failure, migrate::Partitioned, moment::not_ahead, pool::Database, sql, upkeep_failures::Outcomes,
};

/// A step of [`Database::maintain`], and what it is called in the log.
type Step<'a> = (&'static str, BoxFuture<'a, Result<(), StoreError>>);

impl Database {
    /// The tables in partitions.
    fn partitioned(&self) -> impl Iterator<Item = &'static Partitioned> {
        self.groups().iter().flat_map(|group| group.schema.partitions)
    }

    /// Makes the partitions of the present and of what comes next, where they are missing. A worker that registers
    /// its region does so too. Without them rows go to default partitions.
    ///
    /// # Errors
    /// The database could not make all of them.
    pub async fn ensure_partitions(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        for partitioned in self.partitioned() {
            self.ensure_partitions_of(partitioned, now).await?;
        }
        Ok(())
    }

    async fn ensure_partitions_of(
        &self,
        partitioned: &Partitioned,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        // Whoever registers a region claims nothing before.
        let mut connection = self.claiming().await?;
        let query = sql!(text "SELECT ensure_partitions($1::regclass, $2, $3, $4)")
            .bind::<Text, _>(partitioned.table)
            .bind::<Text, _>(partitioned.grain)
            .bind::<Timestamptz, _>(now)
            .bind::<Integer, _>(partitioned.ahead);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }

    /// Does the upkeep that every installation needs when it starts and then once an hour, by whichever node: partitions
    /// ahead, retention, and the steps of all groups. The kit's own steps take away the credit log's days of more than
    /// 90 days ago, the answers that keys had for 24 hours, what was set aside and has not happened for 30 days, runs
    /// that were over a year ago, and the audit trail of more than two years ago. Results of runs that are no longer kept are noted.
    /// Secrets that older keys have sealed are sealed anew.
    ///
    /// A step that fails keeps no other from being done, and is noted until it is done.
    ///
    /// # Errors
    /// The database could not do all of it: the last failure.
    ///
    /// # Panics
    /// A step panicked.
    pub async fn maintain(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut steps: Vec<Step<'_>> = Vec::new();
        for partitioned in self.partitioned() {
            let ensure = self.ensure_partitions_of(partitioned, now);
            steps.push(("partitions ahead", ensure.boxed()));
        }
        for partitioned in self.partitioned() {
            let drop = self.drop_partitions(partitioned, now);
            steps.push(("partitions that are over", drop.boxed()));
        }
        for step in self.groups().iter().flat_map(|group| group.upkeep) {
            steps.push((step.name, async move { (step.run)(self, now).await }.boxed()));
        }
        // Behind the steps of the groups, which may seal what older versions wrote in the clear.
        for column in self.sealed_columns() {
            let anew = self.seal_anew(column, now);
            steps.push(("secrets of older keys", anew.boxed()));
        }
        let (mut done, mut outcomes) = (Ok(()), Outcomes::new());
        let ended = each(steps, |step, outcome| {
            let why = match outcome {
                Ok(Ok(())) => None,
                Ok(Err(error)) => {
                    tracing::warn!(%error, step, "a step of upkeep can't be done at the moment");
                    let why = error.to_string();
                    done = Err(error);
                    Some(why)
                }
                Err(panic) => {
                    tracing::error!(%panic, step, "a step of upkeep panicked");
                    Some(format!("it panicked: {panic}"))
                }
            };
            // Several tables may have a step of one name.
            let noted = outcomes.entry(step).or_default();
            *noted = noted.take().or(why);
            ControlFlow::Continue(())
        });
        let ended = caught(ended).await;
        self.note_upkeep(&outcomes).await;
        if let Err(panic) = ended {
            panic.resume();
        }
        done
    }

    /// A node's time, or the database's where the node's clock is ahead of it.
    ///
    /// # Errors
    /// The database can't be reached.
    pub async fn not_ahead(&self, now: OffsetDateTime) -> Result<OffsetDateTime, StoreError> {
        let mut connection = self.claiming().await?;
        not_ahead(&mut connection, now).await.map_err(failure)
    }

    /// How many domains have a day, closed by then, that is not rolled up yet: by group, those of which there is none left out.
    ///
    /// # Errors
    /// The database could not say.
    pub async fn behind_in_roll_ups(
        &self,
        then: OffsetDateTime,
    ) -> Result<Vec<(&'static str, usize)>, StoreError> {
        let mut behind = Vec::new();
        for group in self.groups() {
            if let Some(count) = group.behind_in_roll_ups {
                let domains = count(self, then).await?;
                if domains > 0 {
                    behind.push((group.schema.group, domains));
                }
            }
        }
        Ok(behind)
    }

    /// Rolls up the time series of every group, until `stop`. Nodes share the work.
    ///
    /// # Panics
    /// A group panicked. The others have rolled up theirs.
    pub async fn roll_up(&self, now: OffsetDateTime, stop: &CancellationToken) {
        let mut works: Vec<(&str, BoxFuture<'_, ()>)> = Vec::new();
        for group in self.groups() {
            if let Some(roll_up) = group.roll_up {
                works.push((group.schema.group, roll_up(self, now, stop)));
            }
        }
        each(works, |group, outcome| {
            if let Err(panic) = outcome {
                tracing::error!(%panic, group, "rolling up panicked");
            }
            ControlFlow::Continue(())
        })
        .await;
    }

    async fn drop_partitions(
        &self,
        partitioned: &Partitioned,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        let query = sql!(text "SELECT drop_partitions($1::regclass, day_before($2, $3))")
            .bind::<Text, _>(partitioned.table)
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(partitioned.kept);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }
}
