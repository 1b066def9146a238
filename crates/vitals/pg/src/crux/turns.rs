//! The turns of requests to the API, which all nodes share.

use std::time::Duration;

use async_trait::async_trait;
use diesel::{OptionalExtension, QueryableByName, sql_types::BigInt};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use pharos_persistence::{failure::failure, sql};
use pharos_vitals::crux::turns::{CruxTurns, Turn};

use super::PgCruxStore;

#[derive(QueryableByName)]
struct WaitRow {
    #[diesel(sql_type = BigInt)]
    wait_ms: i64,
}

impl WaitRow {
    fn wait(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.wait_ms).unwrap_or(0))
    }
}

#[async_trait]
impl CruxTurns for PgCruxStore {
    async fn take(&self, between: Duration, patience: Duration) -> Result<Turn, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("take_turn.sql")
            .bind::<BigInt, _>(millis(between))
            .bind::<BigInt, _>(millis(patience));
        let taken: Option<WaitRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        if let Some(taken) = taken {
            return Ok(Turn::In(taken.wait()));
        }
        let next: Option<WaitRow> = sql!("next_turn.sql")
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        Ok(Turn::NotYet(next.map_or(patience, |next| next.wait())))
    }

    async fn hold(&self, pause: Duration) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("hold_turns.sql").bind::<BigInt, _>(millis(pause));
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }
}

/// At most a day: a server that asks for more is asked again then.
fn millis(time: Duration) -> i64 {
    const DAY: i64 = 86_400_000;
    i64::try_from(time.as_millis()).map_or(DAY, |millis| millis.min(DAY))
}
