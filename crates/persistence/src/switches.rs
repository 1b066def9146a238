//! Switches.

use async_trait::async_trait;
use diesel::{ExpressionMethods, QueryDsl};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    audit::Actor,
    store::StoreError,
    switches::{Switch, SwitchStore, Switches},
};
use serde_json::json;
use time::OffsetDateTime;

use crate::{
    audit::{self, By},
    failure::{Abort, failure},
    names,
    pool::Database,
    schema::switches,
};

/// Switches in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSwitchStore {
    database: Database,
}

impl PgSwitchStore {
    /// The switches of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

async fn thrown(connection: &mut AsyncPgConnection) -> diesel::QueryResult<Vec<String>> {
    switches::table.select(switches::name).load(connection).await
}

#[async_trait]
impl SwitchStore for PgSwitchStore {
    async fn set(
        &self,
        switch: Switch,
        thrown: bool,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Switches, StoreError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let names = connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let changed = if thrown {
                    diesel::insert_into(switches::table)
                        .values((switches::name.eq(switch.as_str()), switches::thrown_at.eq(now)))
                        .on_conflict_do_nothing()
                        .execute(connection)
                        .await?
                } else {
                    diesel::delete(switches::table.find(switch.as_str()))
                        .execute(connection)
                        .await?
                };
                // A switch that is as it was is no change.
                if changed > 0 {
                    let action = if thrown { "switch.throw" } else { "switch.put-back" };
                    audit::record(connection, by, action, switch, json!({})).await?;
                }
                Ok(self::thrown(connection).await?)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(names::known::<Switch, _>(&names))
    }

    async fn read(&self) -> Result<Switches, StoreError> {
        let mut connection = self.database.connection().await?;
        let names = thrown(&mut connection).await.map_err(failure)?;
        // Without one that only a later version knows, the others are obeyed, and the listener hears.
        Ok(names::known::<Switch, _>(&names))
    }
}
