//! The steps of upkeep that fail, as operators are told of them.

use std::collections::BTreeMap;

use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Text, Timestamptz},
};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use time::OffsetDateTime;

use crate::{
    failure::failure,
    metrics,
    pool::Database,
    sql,
    text::{beginning, without_nul},
};

/// The longest reason that is kept, in bytes.
const LONGEST_REASON: usize = 1_000;

/// The outcomes of one round of upkeep: each step by its name, with why it failed.
pub type Outcomes = BTreeMap<&'static str, Option<String>>;

/// A step of upkeep that failed the last time.
#[derive(Clone, Debug, PartialEq, Eq, QueryableByName)]
pub struct FailingStep {
    /// Its name in the log.
    #[diesel(sql_type = Text)]
    pub step: String,
    /// Why it failed the last time.
    #[diesel(sql_type = Text)]
    pub reason: String,
    /// When it failed first since it was done.
    #[diesel(sql_type = Timestamptz)]
    pub first_at: OffsetDateTime,
    /// When it failed last.
    #[diesel(sql_type = Timestamptz)]
    pub last_at: OffsetDateTime,
    /// How often it has failed since it was done.
    #[diesel(sql_type = BigInt)]
    pub times: i64,
}

impl Database {
    /// Notes how steps of upkeep came out. Where it can't, the log alone has them.
    pub async fn note_upkeep(&self, outcomes: &Outcomes) {
        if let Err(error) = self.try_to_note(outcomes).await {
            tracing::warn!(%error, "how upkeep went can't be noted at the moment");
        }
    }

    async fn try_to_note(&self, outcomes: &Outcomes) -> Result<(), StoreError> {
        let (mut failed, mut reasons, mut done) = (Vec::new(), Vec::new(), Vec::new());
        for (&step, why) in outcomes {
            if let Some(why) = why {
                metrics::upkeep_failed(step);
                failed.push(step);
                reasons.push(beginning(without_nul(why.clone()), LONGEST_REASON));
            } else {
                done.push(step);
            }
        }
        let mut connection = self.connection().await?;
        if !failed.is_empty() {
            // By the database's clock: that of the node may be what is wrong.
            sql!(text "INSERT INTO upkeep_failures (step, reason)
                SELECT f.step, f.reason FROM unnest($1, $2) AS f (step, reason)
                ON CONFLICT (step) DO UPDATE SET
                    reason = excluded.reason, last_at = now(), times = upkeep_failures.times + 1")
            .bind::<Array<Text>, _>(failed)
            .bind::<Array<Text>, _>(reasons)
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        }
        sql!(text "DELETE FROM upkeep_failures WHERE step = ANY ($1)")
            .bind::<Array<Text>, _>(done)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    /// The steps of upkeep that failed the last time.
    ///
    /// # Errors
    /// The database could not say.
    pub async fn failing_upkeep(&self) -> Result<Vec<FailingStep>, StoreError> {
        let mut connection = self.connection().await?;
        sql!(text "SELECT step, reason, first_at, last_at, times FROM upkeep_failures ORDER BY first_at, step")
            .load(&mut connection)
            .await
            .map_err(failure)
    }
}
