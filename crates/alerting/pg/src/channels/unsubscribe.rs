//! Readers of mails switch their channel off.

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryDsl, QueryResult, QueryableByName, SelectableHelper,
    sql_types::{Binary, Bool, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_alerting::delivery::{
    channel::{Channel, UNSUBSCRIBED},
    notice,
};
use pharos_domain::{
    store::StoreError,
    unsubscribe::{MailedChannel, Unsubscribe},
};
use pharos_persistence::{
    failure::{Abort, failure},
    moment::{not_ahead, to_micros},
    notices,
    seal::RowKeys,
    sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{PgChannelStore, row::ChannelRow, secrets::token_digest};
use crate::schema::alert_channels;

#[derive(QueryableByName)]
struct MailedChannelRow {
    #[diesel(sql_type = Text)]
    channel_name: String,
    #[diesel(sql_type = Text)]
    workspace_name: String,
    #[diesel(sql_type = Bool)]
    is_on: bool,
}

impl From<MailedChannelRow> for MailedChannel {
    fn from(row: MailedChannelRow) -> Self {
        Self {
            channel_name: row.channel_name,
            workspace_name: row.workspace_name,
            is_on: row.is_on,
        }
    }
}

#[derive(QueryableByName)]
struct EndedRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

#[async_trait]
impl Unsubscribe for PgChannelStore {
    async fn find(&self, token: Uuid) -> Result<Option<MailedChannel>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("mailed_channel.sql")
            .bind::<Binary, _>(token_digest(&token.to_string()))
            .bind::<SqlUuid, _>(token);
        let row: Option<MailedChannelRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        Ok(row.map(Into::into))
    }

    async fn end(&self, token: Uuid, now: OffsetDateTime) -> Result<Option<MailedChannel>, StoreError> {
        let keys = self.seal.keys(&self.database).await?;
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                Ok(end(connection, &keys, token, now).await?)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.find(token).await
    }
}

/// Switches the channel off, and tells its workspace, which nothing else would.
async fn end(
    connection: &mut AsyncPgConnection,
    keys: &RowKeys,
    token: Uuid,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let now = to_micros(not_ahead(connection, now).await?);
    let query = sql!("unsubscribe.sql")
        .bind::<Binary, _>(token_digest(&token.to_string()))
        .bind::<SqlUuid, _>(token)
        .bind::<Timestamptz, _>(now)
        .bind::<Text, _>(UNSUBSCRIBED);
    let ended: Option<EndedRow> = query.get_result(connection).await.optional()?;
    let Some(EndedRow { id }) = ended else {
        return Ok(());
    };
    let row: ChannelRow = alert_channels::table
        .find(id)
        .select(ChannelRow::as_select())
        .first(connection)
        .await?;
    match Channel::try_from(row.with(keys)) {
        Ok(channel) => notices::tell(connection, &notice::unsubscribed(&channel, now)).await,
        // Its reader is rid of it all the same.
        Err(error) => {
            tracing::warn!(channel = %id, %error, "nobody is told that a channel which can't be read was switched off");
            Ok(())
        }
    }
}
