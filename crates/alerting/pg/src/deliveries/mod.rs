//! Deliveries, as the jobs that send them see them.

mod row;

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryDsl, QueryResult, QueryableByName, SelectableHelper,
    sql_types::{Array, BigInt, Bool, Double, Jsonb, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_alerting::{
    alert::Alert,
    delivery::{
        channel::Channel,
        message::Message,
        notice::Notice,
        step::{BETWEEN_MAILS, MOST_IN_A_MAIL, Step, Waiting},
        store::{AttemptEnd, DeliveryStore, SILENT_FAILURE, Taken},
    },
    notification::NotificationType,
    severity::Severity,
};
use pharos_domain::{
    ids::{AlertId, ChannelId, DeliveryId},
    module::Module,
    store::StoreError,
};
use pharos_persistence::{failure::Abort, json::written, pool::Database, sql, text::without_nul};
use time::Duration;
use uuid::Uuid;

use self::row::{TakenRow, WaitingRow};
use crate::{alerts::row::AlertRow, channels::row::ChannelRow, schema::alert_channels};

/// Deliveries in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgDeliveryStore {
    database: Database,
}

impl PgDeliveryStore {
    /// The deliveries of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct FailedRow {
    #[diesel(sql_type = Bool)]
    is_to_be_told: bool,
}

#[async_trait]
impl DeliveryStore for PgDeliveryStore {
    async fn take(&self, delivery: DeliveryId, lease: Duration) -> Result<Taken, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                take(connection, delivery, lease).await
            })
            .await
            .map_err(Abort::answer)
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
                AttemptEnd::Again { why } => failed(connection, channel, ids, why, false, false).await,
                AttemptEnd::GivenUp { why } => failed(connection, channel, ids, why, true, false).await,
                AttemptEnd::Gone { why } => failed(connection, channel, ids, why, true, true).await,
            })
            .await
            .map_err(Abort::answer)
    }
}

async fn take(
    connection: &mut AsyncPgConnection,
    delivery: DeliveryId,
    lease: Duration,
) -> Result<Taken, Abort<StoreError>> {
    let query = sql!("waiting.sql").bind::<SqlUuid, _>(delivery.0);
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
    let channel = Channel::try_from(channel).map_err(Abort::Port)?;
    let step = waiting(&row, &channel).map_err(Abort::Port)?.step(row.present);
    let together = match step {
        Step::Done => return Ok(Taken::Nothing),
        Step::Drop => {
            let query = sql!("drop.sql").bind::<SqlUuid, _>(delivery.0);
            query.execute(connection).await?;
            return Ok(Taken::Nothing);
        }
        Step::Wait(until) => return Ok(Taken::Later(until - row.present)),
        Step::Send => None,
        Step::SendTogether(severity) => {
            let query = sql!(text "UPDATE alert_channels SET next_mail_at = clock_timestamp() + make_interval(secs => $2)
                WHERE id = $1")
            .bind::<SqlUuid, _>(row.channel_id)
            .bind::<Double, _>(BETWEEN_MAILS.as_seconds_f64());
            query.execute(connection).await?;
            Some(severity)
        }
    };
    let query = sql!("take.sql")
        .bind::<SqlUuid, _>(row.channel_id)
        .bind::<SqlUuid, _>(delivery.0)
        .bind::<Double, _>(lease.as_seconds_f64())
        .bind::<Nullable<Text>, _>(together.map(Severity::as_str))
        .bind::<BigInt, _>(i64::from(MOST_IN_A_MAIL) - 1);
    let rows: Vec<TakenRow> = query.load(connection).await?;
    let alerts = alerts(connection, rows.iter().filter_map(TakenRow::alert).collect()).await?;
    let messages: Result<Vec<Message>, StoreError> = rows
        .into_iter()
        .map(|taken| {
            // The beginning and the end of one alert may stand in one mail.
            let alert = taken.alert().and_then(|id| alerts.get(&AlertId(id)).cloned());
            taken.message(&channel, &row.workspace_name, alert)
        })
        .collect();
    Ok(Taken::Send(Box::new(channel), messages.map_err(Abort::Port)?))
}

/// The alerts that messages tell of, as the API shows them.
async fn alerts(
    connection: &mut AsyncPgConnection,
    ids: Vec<Uuid>,
) -> Result<HashMap<AlertId, Alert>, Abort<StoreError>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let query = sql!("alerts.sql").bind::<Array<SqlUuid>, _>(ids);
    let rows: Vec<AlertRow> = query.load(connection).await?;
    rows.into_iter()
        .map(|row| Alert::try_from(row).map(|alert| (alert.id, alert)))
        .collect::<Result<_, _>>()
        .map_err(Abort::Port)
}

fn waiting<'a>(row: &WaitingRow, channel: &'a Channel) -> Result<Waiting<'a>, StoreError> {
    Ok(Waiting {
        event: row.event.parse()?,
        state: row.state.parse()?,
        severity: row.severity.parse()?,
        taken_until: row.taken_until,
        raised: row.raised.as_deref().map(str::parse).transpose()?,
        settings: &channel.settings,
        is_on: channel.off_reason.is_none(),
        next_mail_at: row.next_mail_at,
    })
}

async fn sent(connection: &mut AsyncPgConnection, channel: ChannelId, ids: Vec<Uuid>) -> QueryResult<()> {
    let query = sql!("sent.sql")
        .bind::<SqlUuid, _>(channel.0)
        .bind::<Array<SqlUuid>, _>(ids);
    query.execute(connection).await.map(|_| ())
}

async fn failed(
    connection: &mut AsyncPgConnection,
    channel: &Channel,
    ids: Vec<Uuid>,
    why: &str,
    is_given_up: bool,
    is_gone: bool,
) -> Result<(), Abort<StoreError>> {
    let query = sql!("failed.sql")
        .bind::<SqlUuid, _>(channel.id.0)
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Text, _>(without_nul(why.to_owned()))
        .bind::<Bool, _>(is_given_up)
        .bind::<Bool, _>(is_gone)
        .bind::<Double, _>(SILENT_FAILURE.as_seconds_f64());
    let row: Option<FailedRow> = query.get_result(connection).await.optional()?;
    // Its channel was deleted meanwhile.
    if !row.is_some_and(|row| row.is_to_be_told) {
        return Ok(());
    }
    let notice = if is_gone {
        Notice::switched_off(channel, why)
    } else {
        Notice::failing(channel, why)
    };
    tell(connection, channel, &notice).await
}

async fn tell(
    connection: &mut AsyncPgConnection,
    channel: &Channel,
    notice: &Notice,
) -> Result<(), Abort<StoreError>> {
    let data = written(&notice.data).map_err(Abort::Port)?;
    let query = sql!(text "INSERT INTO notifications
            (id, workspace_id, domain_id, kind, severity, module, title, body, data, created_at)
        VALUES (uuid_v7(), $1, $2, $3, $4, $5, $6, $7, $8, now())")
    .bind::<SqlUuid, _>(channel.workspace_id.0)
    .bind::<Nullable<SqlUuid>, _>(channel.domain_id.map(|domain| domain.0))
    .bind::<Text, _>(NotificationType::ModuleDisconnected.as_str())
    .bind::<Text, _>(Severity::Warning.as_str())
    .bind::<Text, _>(Module::Alerts.as_str())
    .bind::<Text, _>(&notice.title)
    .bind::<Text, _>(without_nul(notice.body.clone()))
    .bind::<Jsonb, _>(data);
    query.execute(connection).await?;
    Ok(())
}
