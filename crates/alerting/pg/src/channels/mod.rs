//! Channels: where notifications of a workspace are delivered.

mod change;
pub(crate) mod row;
pub(crate) mod secrets;
mod trouble;
mod unsubscribe;

use std::sync::Arc;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, JoinOnDsl, NullableExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    prelude::Queryable,
    sql_types::{Array, BigInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_alerting::delivery::{
    channel::{
        Channel, ChannelChange, ChannelError, ChannelStore, ChannelTrouble, DeliveryDetails, DeliveryState,
        MOST_CHANNELS, NewChannel, RECEIVER_GONE, UNSUBSCRIBED,
    },
    message::DeliveryEvent,
};
use pharos_domain::{
    audit::Actor,
    ids::{ChannelId, DeliveryId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    hold,
    moment::to_micros,
    names,
    pool::Database,
    seal::Seal,
    set_aside::Kind,
    sql,
};
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::Uuid;

use self::{
    row::{ChannelRow, NewChannelRow, SealedChannel},
    secrets::seal,
    trouble::TroubleRow,
};
use crate::schema::{alert_channels, alert_deliveries, alert_history, notifications};

/// Channels in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgChannelStore {
    database: Database,
    seal: Arc<Seal>,
}

impl PgChannelStore {
    /// The channels of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            seal: seal(),
        }
    }
}

#[derive(Queryable)]
struct DeliveryRow {
    id: Uuid,
    event: String,
    title: Option<String>,
    end_reason: Option<String>,
    state: String,
    attempts: i32,
    last_error: Option<String>,
    created_at: OffsetDateTime,
    ended_at: Option<OffsetDateTime>,
}

#[async_trait]
impl ChannelStore for PgChannelStore {
    async fn create(
        &self,
        channel: &NewChannel,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Channel, ChannelError> {
        channel.settings.check()?;
        let now = to_micros(now);
        let keys = self.seal.keys(&self.database).await?;
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<ChannelError>, _>(async |connection| {
                if !hold::workspace(connection, channel.workspace_id).await? {
                    return Err(Abort::Port(ChannelError::NotFound("workspace")));
                }
                change::check_domain(connection, channel.workspace_id, channel.domain_id).await?;
                let channels: i64 = alert_channels::table
                    .filter(alert_channels::workspace_id.eq(channel.workspace_id.0))
                    .count()
                    .get_result(connection)
                    .await?;
                if usize::try_from(channels).is_ok_and(|channels| channels >= MOST_CHANNELS) {
                    return Err(Abort::Port(ChannelError::TooMany));
                }
                let new = NewChannelRow::new(channel, &keys, now).map_err(Abort::port)?;
                let row: ChannelRow = diesel::insert_into(alert_channels::table)
                    .values(new)
                    .returning(ChannelRow::as_returning())
                    .get_result(connection)
                    .await?;
                let details = json!({
                    "workspace_id": channel.workspace_id,
                    "domain_id": channel.domain_id,
                    "name": channel.settings.name,
                    "kind": channel.settings.target.kind(),
                });
                audit::record(connection, By { actor, now }, "channel.create", row.id, details).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        Ok(Channel::try_from(row.with(&keys))?)
    }

    async fn list(&self, workspaces: &[WorkspaceId]) -> Result<Vec<Channel>, StoreError> {
        let keys = self.seal.keys(&self.database).await?;
        let mut connection = self.database.connection().await?;
        let rows: Vec<ChannelRow> = alert_channels::table
            .filter(alert_channels::workspace_id.eq_any(workspaces.iter().map(|workspace| workspace.0)))
            .order((alert_channels::created_at, alert_channels::id))
            .select(ChannelRow::as_select())
            .load(&mut connection)
            .await
            .map_err(failure)?;
        drop(connection);
        let rows: Vec<SealedChannel<'_>> = rows.into_iter().map(|row| row.with(&keys)).collect();
        Ok(self
            .database
            .readable(Kind::Channel, rows, SealedChannel::id)
            .await)
    }

    async fn find(&self, id: ChannelId) -> Result<Option<Channel>, StoreError> {
        let keys = self.seal.keys(&self.database).await?;
        let mut connection = self.database.connection().await?;
        let row: Option<ChannelRow> = alert_channels::table
            .find(id.0)
            .select(ChannelRow::as_select())
            .first(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        row.map(|row| Channel::try_from(row.with(&keys))).transpose()
    }

    async fn change(
        &self,
        id: ChannelId,
        change: &ChannelChange,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Channel, ChannelError> {
        match change {
            ChannelChange::Edit(edit) => edit.settings.check()?,
            ChannelChange::SwitchOn | ChannelChange::SwitchOff(_) | ChannelChange::Secret(_) => {}
        }
        let now = to_micros(now);
        let keys = self.seal.keys(&self.database).await?;
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<ChannelError>, _>(async |connection| {
                let (row, action, details) = change::apply(connection, &keys, id, change, now).await?;
                audit::record(connection, By { actor, now }, action, id, details).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        Ok(Channel::try_from(row.with(&keys))?)
    }

    async fn delete(&self, id: ChannelId, actor: &Actor, now: OffsetDateTime) -> Result<(), ChannelError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<ChannelError>, _>(async |connection| {
                let deleted = diesel::delete(alert_channels::table.find(id.0))
                    .execute(connection)
                    .await?;
                if deleted == 0 {
                    return Err(Abort::Port(ChannelError::NotFound("channel")));
                }
                audit::record(connection, By { actor, now }, "channel.delete", id, Value::Null).await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn test(
        &self,
        id: ChannelId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DeliveryId, ChannelError> {
        let delivery = DeliveryId::generate();
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<ChannelError>, _>(async |connection| {
                let off: Option<Option<String>> = alert_channels::table
                    .find(id.0)
                    .for_key_share()
                    .select(alert_channels::off_reason)
                    .first(connection)
                    .await
                    .optional()?;
                match off {
                    None => return Err(Abort::Port(ChannelError::NotFound("channel"))),
                    Some(Some(reason)) => return Err(Abort::Port(ChannelError::Off(reason))),
                    Some(None) => {}
                }
                diesel::insert_into(alert_deliveries::table)
                    .values((
                        alert_deliveries::id.eq(delivery.0),
                        alert_deliveries::channel_id.eq(id.0),
                        alert_deliveries::event.eq(DeliveryEvent::Test.as_str()),
                        alert_deliveries::state.eq(DeliveryState::Queued.as_str()),
                        alert_deliveries::created_at.eq(to_micros(now)),
                    ))
                    .execute(connection)
                    .await?;
                let send =
                    sql!(text "SELECT send_deliveries($1)").bind::<Array<SqlUuid>, _>(vec![delivery.0]);
                send.execute(connection).await?;
                let details = json!({ "delivery_id": delivery });
                audit::record(connection, By { actor, now }, "channel.test", id, details).await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)?;
        Ok(delivery)
    }

    async fn deliveries(&self, id: ChannelId, limit: u32) -> Result<Vec<DeliveryDetails>, StoreError> {
        let mut connection = self.database.connection().await?;
        let rows: Vec<DeliveryRow> = alert_deliveries::table
            .left_join(
                notifications::table.on(alert_deliveries::notification_id.eq(notifications::id.nullable())),
            )
            .left_join(alert_history::table.on(notifications::alert_id.eq(alert_history::id.nullable())))
            .filter(alert_deliveries::channel_id.eq(id.0))
            .order((alert_deliveries::created_at.desc(), alert_deliveries::id.desc()))
            .limit(i64::from(limit))
            .select((
                alert_deliveries::id,
                alert_deliveries::event,
                notifications::title.nullable(),
                alert_history::end_reason.nullable(),
                alert_deliveries::state,
                alert_deliveries::attempts,
                alert_deliveries::last_error,
                alert_deliveries::created_at,
                alert_deliveries::ended_at,
            ))
            .load(&mut connection)
            .await
            .map_err(failure)?;
        drop(connection);
        Ok(self.database.readable(Kind::Delivery, rows, |row| row.id).await)
    }

    async fn in_trouble(&self, since: OffsetDateTime, limit: u32) -> Result<Vec<ChannelTrouble>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("in_trouble.sql")
            .bind::<Timestamptz, _>(to_micros(since))
            .bind::<BigInt, _>(i64::from(limit))
            .bind::<Text, _>(RECEIVER_GONE);
        let rows: Vec<TroubleRow> = query.load(&mut connection).await.map_err(failure)?;
        rows.into_iter().map(ChannelTrouble::try_from).collect()
    }

    async fn unsubscribed(&self) -> Result<u64, StoreError> {
        let mut connection = self.database.connection().await?;
        let found: i64 = alert_channels::table
            .filter(alert_channels::off_reason.eq(UNSUBSCRIBED))
            .count()
            .get_result(&mut connection)
            .await
            .map_err(failure)?;
        names::count(found)
    }
}

impl TryFrom<DeliveryRow> for DeliveryDetails {
    type Error = StoreError;

    fn try_from(row: DeliveryRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: DeliveryId(row.id),
            event: row.event.parse()?,
            title: row.title,
            end: row.end_reason.as_deref().map(str::parse).transpose()?,
            state: row.state.parse()?,
            attempts: names::count(row.attempts)?,
            last_error: row.last_error,
            created_at: row.created_at,
            ended_at: row.ended_at,
        })
    }
}
