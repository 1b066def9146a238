//! Deliveries, as the jobs that send them see them.

mod row;

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryDsl, QueryResult, QueryableByName, SelectableHelper,
    sql_types::{Array, BigInt, Bool, Double, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_alerting::{
    alert::Alert,
    delivery::{
        channel::{Channel, DeliveryState},
        kind::ChannelKind,
        message::Message,
        notice,
        step::{BETWEEN_MAILS, DeliveryStep, LONGEST_REST, MOST_TOLD_TOGETHER, SHORTEST_REST, Waiting},
        store::{AttemptEnd, DeliveryStore, SILENT_FAILURE, Taken},
    },
    severity::Severity,
};
use pharos_domain::{
    ids::{AlertId, ChannelId, DeliveryId},
    store::StoreError,
};
use pharos_persistence::{
    failure::Abort,
    notices,
    pool::Database,
    seal::{RowKeys, Seal},
    set_aside::{Kind, SetAside},
    sql,
    text::without_nul,
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use self::row::{GivenUpRow, TakenRow, WaitingRow};
use crate::{
    alerts::{BY_IDS, row::AlertRow},
    channels::{row::ChannelRow, secrets::seal},
    schema::{alert_channels, alert_deliveries},
};

/// How long a delivery waits that can't be read.
const UNREADABLE: Duration = Duration::minutes(10);

/// Deliveries in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgDeliveryStore {
    database: Database,
    seal: Arc<Seal>,
}

impl PgDeliveryStore {
    /// The deliveries of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            seal: seal(),
        }
    }
}

#[derive(QueryableByName)]
struct FailedRow {
    #[diesel(sql_type = Bool)]
    is_to_be_told: bool,
    #[diesel(sql_type = Timestamptz)]
    present: OffsetDateTime,
}

#[derive(QueryableByName)]
struct CrowdedRow {
    #[diesel(sql_type = Timestamptz)]
    present: OffsetDateTime,
}

#[async_trait]
impl DeliveryStore for PgDeliveryStore {
    async fn take(&self, delivery: DeliveryId, lease: Duration) -> Result<Taken, StoreError> {
        let keys = self.seal.keys(&self.database).await?;
        let mut connection = self.database.connection().await?;
        let taken = connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                take(connection, &keys, delivery, lease).await
            })
            .await
            .map_err(Abort::answer);
        drop(connection);
        match taken {
            // A newer node may read it.
            Err(why @ StoreError::Corrupt(_)) => {
                let note = SetAside::unread(Kind::Delivery, &delivery, &why);
                self.database.note(note).await?;
                Ok(Taken::Later(UNREADABLE))
            }
            taken => taken,
        }
    }

    async fn end(
        &self,
        channel: &Channel,
        deliveries: &[DeliveryId],
        end: &AttemptEnd,
    ) -> Result<(), StoreError> {
        let ids: Vec<Uuid> = deliveries.iter().map(|delivery| delivery.0).collect();
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| match end {
                AttemptEnd::Sent => Ok(sent(connection, channel.id, ids).await?),
                AttemptEnd::Apart { why } => Ok(apart(connection, channel.id, ids, why).await?),
                AttemptEnd::PutBack => Ok(put_back(connection, ids).await?),
                AttemptEnd::Again { .. } | AttemptEnd::GivenUp { .. } | AttemptEnd::Gone { .. } => {
                    failed(connection, channel, ids, end).await
                }
            })
            .await
            .map_err(Abort::answer)
    }

    async fn dropped(&self, delivery: DeliveryId) -> Result<Option<ChannelKind>, StoreError> {
        let keys = self.seal.keys(&self.database).await?;
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                dropped(connection, &keys, delivery).await
            })
            .await
            .map_err(Abort::answer)
    }
}

async fn take(
    connection: &mut AsyncPgConnection,
    keys: &RowKeys,
    delivery: DeliveryId,
    lease: Duration,
) -> Result<Taken, Abort<StoreError>> {
    let query = sql!("waiting.sql")
        .bind::<SqlUuid, _>(delivery.0)
        .bind::<Double, _>(lease.as_seconds_f64());
    let row: Option<WaitingRow> = query.get_result(connection).await.optional()?;
    // Its channel was deleted.
    let Some(row) = row else {
        return Ok(Taken::Nothing);
    };
    let channel: ChannelRow = alert_channels::table
        .find(row.channel_id)
        .select(ChannelRow::as_select())
        .first(connection)
        .await?;
    let channel = Channel::try_from(channel.with(keys)).map_err(Abort::Port)?;
    let waiting = waiting(&row, &channel).map_err(Abort::Port)?;
    let step = waiting.step(row.present);
    let is_dead_letter = waiting.state == DeliveryState::Failed;
    let together = match step {
        DeliveryStep::Done => return Ok(Taken::Nothing),
        DeliveryStep::Drop => {
            let query = sql!("drop.sql").bind::<SqlUuid, _>(delivery.0);
            query.execute(connection).await?;
            return Ok(Taken::Nothing);
        }
        DeliveryStep::GiveUp => {
            let query = sql!("give_up.sql").bind::<SqlUuid, _>(delivery.0);
            let row: Option<GivenUpRow> = query.get_result(connection).await.optional()?;
            let kind = channel.settings.target.kind();
            return Ok(row.map_or(Taken::Nothing, |row| Taken::GivenUp(kind, row.last_error)));
        }
        DeliveryStep::Wait(until) => return Ok(Taken::Later(until - row.present)),
        DeliveryStep::Send => None,
        DeliveryStep::SendTogether(severity) => {
            let query = sql!(text "UPDATE alert_channels SET next_send_at = clock_timestamp() + make_interval(secs => $2)
                WHERE id = $1")
            .bind::<SqlUuid, _>(row.channel_id)
            .bind::<Double, _>(BETWEEN_MAILS.as_seconds_f64());
            query.execute(connection).await?;
            Some(severity)
        }
    };
    if is_dead_letter {
        let query = sql!(text "SELECT reopen_delivery($1)").bind::<SqlUuid, _>(delivery.0);
        query.execute(connection).await?;
    }
    let is_merged = channel.settings.target.kind().spec().is_read_by_people;
    let query = sql!("take.sql")
        .bind::<SqlUuid, _>(row.channel_id)
        .bind::<SqlUuid, _>(delivery.0)
        .bind::<Double, _>(lease.as_seconds_f64())
        .bind::<Nullable<Text>, _>(together.map(Severity::as_str))
        .bind::<BigInt, _>(i64::from(MOST_TOLD_TOGETHER) - 1)
        .bind::<Bool, _>(is_merged);
    let rows: Vec<TakenRow> = query.load(connection).await?;
    let alerts = alerts(connection, rows.iter().filter_map(TakenRow::alert).collect()).await?;
    let (mut messages, mut unread) = (Vec::with_capacity(rows.len()), Vec::new());
    for taken in rows {
        let id = taken.id;
        // The beginning and the end of one alert may stand in one mail.
        let alert = taken.alert().and_then(|id| alerts.get(&AlertId(id)).cloned());
        match taken.message(&channel, &row.workspace_name, alert) {
            Ok(message) => messages.push(message),
            Err(error) if id == delivery.0 => return Err(Abort::Port(error)),
            // Its own job says so.
            Err(_) => unread.push(id),
        }
    }
    if !unread.is_empty() {
        put_back(connection, unread).await?;
    }
    if is_merged {
        messages = Message::merged(messages);
    }
    Ok(Taken::Send(Box::new(channel), messages, row.present))
}

/// The alerts that messages tell of, as the API shows them.
async fn alerts(connection: &mut AsyncPgConnection, ids: Vec<Uuid>) -> QueryResult<HashMap<AlertId, Alert>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let query = sql!(text BY_IDS).bind::<Array<SqlUuid>, _>(ids);
    let rows: Vec<AlertRow> = query.load(connection).await?;
    // An alert that can't be read is told as its notification has it.
    let alerts = rows.into_iter().filter_map(|row| Alert::try_from(row).ok());
    Ok(alerts.map(|alert| (alert.id, alert)).collect())
}

fn waiting<'a>(row: &WaitingRow, channel: &'a Channel) -> Result<Waiting<'a>, StoreError> {
    Ok(Waiting {
        event: row.event.parse()?,
        state: row.state.parse()?,
        severity: row.severity.parse()?,
        queued_at: row.queued_at,
        taken_until: row.taken_until,
        raised: row.raised.as_deref().map(str::parse).transpose()?,
        raised_due_at: row.raised_due_at,
        raised_taken_until: row.raised_taken_until,
        is_alone: row.is_alone,
        settings: &channel.settings,
        is_on: channel.off_reason.is_none(),
        next_send_at: row.next_send_at,
        failing_since: row.failing_since,
        rests: row.rests,
        tried_until: row.tried_until,
    })
}

async fn sent(connection: &mut AsyncPgConnection, channel: ChannelId, ids: Vec<Uuid>) -> QueryResult<()> {
    let query = sql!("sent.sql")
        .bind::<SqlUuid, _>(channel.0)
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Double, _>(BETWEEN_MAILS.as_seconds_f64());
    query.execute(connection).await.map(|_| ())
}

async fn apart(
    connection: &mut AsyncPgConnection,
    channel: ChannelId,
    ids: Vec<Uuid>,
    why: &str,
) -> QueryResult<()> {
    let query = sql!("apart.sql")
        .bind::<SqlUuid, _>(channel.0)
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Text, _>(without_nul(why.to_owned()))
        .bind::<Double, _>(BETWEEN_MAILS.as_seconds_f64());
    query.execute(connection).await.map(|_| ())
}

async fn put_back(connection: &mut AsyncPgConnection, ids: Vec<Uuid>) -> QueryResult<()> {
    let query = sql!(text "UPDATE alert_deliveries SET taken_until = NULL WHERE id = ANY ($1)")
        .bind::<Array<SqlUuid>, _>(ids);
    query.execute(connection).await.map(|_| ())
}

async fn dropped(
    connection: &mut AsyncPgConnection,
    keys: &RowKeys,
    delivery: DeliveryId,
) -> Result<Option<ChannelKind>, Abort<StoreError>> {
    let channel: Option<Uuid> = alert_deliveries::table
        .find(delivery.0)
        .select(alert_deliveries::channel_id)
        .first(connection)
        .await
        .optional()?;
    let Some(channel) = channel else {
        return Ok(None);
    };
    let query = sql!("crowded.sql").bind::<SqlUuid, _>(channel);
    let crowded: Option<CrowdedRow> = query.get_result(connection).await.optional()?;
    let row: Option<ChannelRow> = alert_channels::table
        .find(channel)
        .select(ChannelRow::as_select())
        .first(connection)
        .await
        .optional()?;
    let Some(row) = row else {
        return Ok(None);
    };
    let channel = Channel::try_from(row.with(keys)).map_err(Abort::Port)?;
    if let Some(CrowdedRow { present }) = crowded {
        notices::tell(connection, &notice::crowded(&channel, present)).await?;
    }
    Ok(Some(channel.settings.target.kind()))
}

async fn failed(
    connection: &mut AsyncPgConnection,
    channel: &Channel,
    ids: Vec<Uuid>,
    end: &AttemptEnd,
) -> Result<(), Abort<StoreError>> {
    let (why, asked, is_given_up, is_gone) = match end {
        AttemptEnd::Sent | AttemptEnd::Apart { .. } | AttemptEnd::PutBack => return Ok(()),
        AttemptEnd::Again { why, asked } => (why, *asked, false, false),
        AttemptEnd::GivenUp { why } => (why, None, true, false),
        AttemptEnd::Gone { why } => (why, None, true, true),
    };
    let query = sql!("failed.sql")
        .bind::<SqlUuid, _>(channel.id.0)
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Text, _>(without_nul(why.clone()))
        .bind::<Bool, _>(is_given_up)
        .bind::<Bool, _>(is_gone)
        .bind::<Double, _>(SILENT_FAILURE.as_seconds_f64())
        .bind::<Nullable<Double>, _>(asked.map(Duration::as_seconds_f64))
        .bind::<Double, _>(SHORTEST_REST.as_seconds_f64())
        .bind::<Double, _>(LONGEST_REST.as_seconds_f64());
    let row: Option<FailedRow> = query.get_result(connection).await.optional()?;
    // Otherwise its channel was deleted meanwhile.
    let Some(row) = row.filter(|row| row.is_to_be_told) else {
        return Ok(());
    };
    let at = row.present;
    let notice = if is_gone {
        notice::switched_off(channel, why, at)
    } else {
        notice::failing(channel, why, at)
    };
    notices::tell(connection, &notice).await?;
    Ok(())
}
