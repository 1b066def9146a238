//! Readers of mails switch their channel off.

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{Bool, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    store::StoreError,
    unsubscribe::{Subscription, Unsubscribe},
};
use pharos_persistence::{failure::failure, moment::to_micros, sql};
use time::OffsetDateTime;
use uuid::Uuid;

use super::PgChannelStore;

#[derive(QueryableByName)]
struct SubscriptionRow {
    #[diesel(sql_type = Text)]
    channel_name: String,
    #[diesel(sql_type = Text)]
    workspace_name: String,
    #[diesel(sql_type = Bool)]
    is_on: bool,
}

impl From<SubscriptionRow> for Subscription {
    fn from(row: SubscriptionRow) -> Self {
        Self {
            channel_name: row.channel_name,
            workspace_name: row.workspace_name,
            is_on: row.is_on,
        }
    }
}

#[async_trait]
impl Unsubscribe for PgChannelStore {
    async fn find(&self, token: Uuid) -> Result<Option<Subscription>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("subscription.sql").bind::<SqlUuid, _>(token);
        let row: Option<SubscriptionRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        Ok(row.map(Into::into))
    }

    async fn end(&self, token: Uuid, now: OffsetDateTime) -> Result<Option<Subscription>, StoreError> {
        let mut connection = self.database.connection().await?;
        let end = sql!("unsubscribe.sql")
            .bind::<SqlUuid, _>(token)
            .bind::<Timestamptz, _>(to_micros(now));
        end.execute(&mut connection).await.map_err(failure)?;
        drop(connection);
        self.find(token).await
    }
}
