//! What has to be done from time to time: partitions, and what retention takes away.

use diesel::{
    sql_query,
    sql_types::{Integer, Text, Timestamptz},
};
use diesel_async::RunQueryDsl;
use futures_util::{FutureExt, future::BoxFuture};
use pharos_domain::store::StoreError;
use pharos_supervisor::caught;
use time::OffsetDateTime;

use crate::{
    failure::failure,
    group::{PgGroup, UpkeepStep},
    metering::replays,
    migrate::{Partitioned, SCHEMAS},
    pool::Database,
    set_aside,
    statement::statement,
};

/// The tables of the kit itself.
const KIT: PgGroup = PgGroup {
    upkeep: &[
        UpkeepStep {
            name: "what was set aside",
            run: |database, now| database.forget_set_aside(now).boxed(),
        },
        UpkeepStep {
            name: "answers of keys",
            run: |database, now| replays::clean_up(database, now).boxed(),
        },
    ],
    ..PgGroup::named("kit")
};

struct EnsurePartitions;
struct DropPartitions;

/// The tables in partitions.
fn partitioned() -> impl Iterator<Item = &'static Partitioned> {
    SCHEMAS.iter().flat_map(|schema| schema.partitions)
}

/// A step of [`Database::maintain`], and what it is called in the log.
type Step<'a> = (&'static str, BoxFuture<'a, Result<(), StoreError>>);

impl Database {
    /// Makes the partitions of the present and of what comes next, where they are missing. A worker that registers
    /// its region does so too. Without them rows go to default partitions.
    ///
    /// # Errors
    /// The database could not make all of them.
    pub async fn ensure_partitions(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        for partitioned in partitioned() {
            self.ensure_partitions_of(partitioned, now).await?;
        }
        Ok(())
    }

    async fn ensure_partitions_of(
        &self,
        partitioned: &Partitioned,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        let query = sql_query("SELECT ensure_partitions($1::regclass, $2, $3, $4)")
            .bind::<Text, _>(partitioned.table)
            .bind::<Text, _>(partitioned.grain)
            .bind::<Timestamptz, _>(now)
            .bind::<Integer, _>(partitioned.ahead);
        statement::<EnsurePartitions, _>(query)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    /// What every installation needs when it starts and then once an hour, by whichever node: partitions ahead, and
    /// what retention takes away, of every group and of the kit: the credit log's days of more than 90 days ago, the
    /// answers that keys had for 24 hours, and what was set aside and has not happened for 30 days.
    ///
    /// A step that fails keeps no other from being done.
    ///
    /// # Errors
    /// The database could not do all of it: the last failure.
    ///
    /// # Panics
    /// A step panicked.
    pub async fn maintain(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut steps: Vec<Step<'_>> = Vec::new();
        for partitioned in partitioned() {
            let ensure = self.ensure_partitions_of(partitioned, now);
            steps.push(("partitions ahead", ensure.boxed()));
        }
        for partitioned in partitioned() {
            let drop = self.drop_partitions(partitioned, now);
            steps.push(("partitions that are over", drop.boxed()));
        }
        let groups = self.groups().iter().map(|group| group.upkeep);
        for step in groups.chain([KIT.upkeep]).flatten() {
            steps.push((step.name, async move { (step.run)(self, now).await }.boxed()));
        }
        let (mut done, mut panicked) = (Ok(()), None);
        for (step, work) in steps {
            match caught(work).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    tracing::warn!(%error, step, "a step of upkeep can't be done at the moment");
                    done = Err(error);
                }
                Err(panic) => {
                    tracing::error!(%panic, step, "a step of upkeep panicked");
                    panicked = Some(panic);
                }
            }
        }
        match panicked {
            Some(panic) => panic.resume(),
            None => done,
        }
    }

    async fn drop_partitions(
        &self,
        partitioned: &Partitioned,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        let query = sql_query("SELECT drop_partitions($1::regclass, day_before($2, $3))")
            .bind::<Text, _>(partitioned.table)
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(partitioned.kept);
        statement::<DropPartitions, _>(query)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn forget_set_aside(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        set_aside::forget(&mut connection, now).await.map_err(failure)
    }
}
