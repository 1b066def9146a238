//! Mails: questions and reports on their way.

mod row;

use async_trait::async_trait;
use diesel::{
    OptionalExtension,
    sql_types::{Array, Binary, Double, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    audit::Actor,
    identity::DomainAccess,
    ids::{ReportDeliveryId, ReportRecipientId, RunId},
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    hold,
    moment::{not_ahead, to_micros},
    pool::Database,
    sql,
};
use pharos_reporting::{
    mails::store::{
        BETWEEN_SENDS, DeliveryCounts, MOST_SENDS, MailEnd, RecipientQuestion, ReportMails, ReportSending,
        ReportToMail, SendNowError,
    },
    recipients::{bounds::REFUSED_FOR, token::TokenDigest},
    run::{NewReportRun, ReportRun},
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use self::row::{CountsRow, MaySendRow, QuestionRow, ReportToMailRow};
use crate::runs::create;

/// Mails in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgReportMails {
    database: Database,
}

impl PgReportMails {
    /// The mails of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl ReportMails for PgReportMails {
    async fn question(
        &self,
        recipient: ReportRecipientId,
        link: &TokenDigest,
    ) -> Result<Option<RecipientQuestion>, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: Option<QuestionRow> = sql!("question.sql")
            .bind::<SqlUuid, _>(recipient.0)
            .bind::<Binary, _>(link.as_bytes())
            .bind::<Double, _>(REFUSED_FOR.as_seconds_f64())
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        Ok(row.map(RecipientQuestion::from))
    }

    async fn report(&self, delivery: ReportDeliveryId) -> Result<Option<ReportToMail>, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: Option<ReportToMailRow> = sql!("report.sql")
            .bind::<SqlUuid, _>(delivery.0)
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        row.map(ReportToMail::try_from).transpose()
    }

    async fn ended(&self, delivery: ReportDeliveryId, end: &MailEnd) -> Result<(), StoreError> {
        let (word, why) = match end {
            MailEnd::Sent => ("sent", None),
            MailEnd::Again { why } => ("again", Some(why.as_str())),
            MailEnd::GivenUp { why } => ("failed", Some(why.as_str())),
            MailEnd::Dropped => ("dropped", None),
        };
        let mut connection = self.database.connection().await?;
        let query = sql!("ended.sql")
            .bind::<SqlUuid, _>(delivery.0)
            .bind::<Text, _>(word)
            .bind::<Nullable<Text>, _>(why);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }
}

#[async_trait]
impl ReportSending for PgReportMails {
    async fn send_now(
        &self,
        domain: &DomainAccess,
        new: &NewReportRun,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<ReportRun, SendNowError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<SendNowError>, _>(async |connection| {
                send_now(connection, domain, new, actor, now).await
            })
            .await
            .map_err(Abort::answer)
    }

    async fn counts(&self, runs: &[RunId]) -> Result<Vec<(RunId, DeliveryCounts)>, StoreError> {
        let ids: Vec<Uuid> = runs.iter().map(|run| run.0).collect();
        let reader = self.database.reader().await?;
        let rows: Vec<CountsRow> = sql!("counts.sql")
            .bind::<Array<SqlUuid>, _>(ids)
            .load(&mut &*reader)
            .await
            .map_err(failure)?;
        rows.into_iter().map(CountsRow::read).collect()
    }
}

/// The lock on the workspace keeps two from sending its last report of the day.
async fn send_now(
    connection: &mut AsyncPgConnection,
    domain: &DomainAccess,
    new: &NewReportRun,
    actor: &Actor,
    now: OffsetDateTime,
) -> Result<ReportRun, Abort<SendNowError>> {
    let now = to_micros(not_ahead(connection, now).await?);
    let workspace = domain.workspace().workspace().id;
    if !hold::workspace(connection, workspace).await? {
        return Err(Abort::Port(SendNowError::NoTemplate));
    }
    let found: Option<MaySendRow> = sql!("may_send.sql")
        .bind::<SqlUuid, _>(new.template.0)
        .bind::<Timestamptz, _>(now)
        .bind::<Double, _>(BETWEEN_SENDS.as_seconds_f64())
        .bind::<SqlUuid, _>(domain.id().0)
        .get_result(connection)
        .await
        .optional()?;
    let MaySendRow {
        has_recipient,
        is_too_soon,
        sent_by_hand,
    } = found.ok_or(Abort::Port(SendNowError::NoTemplate))?;
    if new.is_mailed && !has_recipient {
        return Err(Abort::Port(SendNowError::NoRecipient));
    }
    if new.is_mailed && is_too_soon {
        return Err(Abort::Port(SendNowError::TooSoon));
    }
    if sent_by_hand >= i64::from(MOST_SENDS) {
        return Err(Abort::Port(SendNowError::TooMany));
    }
    let run = create(connection, new).await.map_err(Abort::widen)?;
    let details = json!({
        "workspace_id": workspace,
        "template_id": new.template,
        "template_name": new.template_name,
    });
    let action = if new.is_mailed {
        "report.send"
    } else {
        "report.make"
    };
    audit::record(connection, By { actor, now }, action, run.run.id, details).await?;
    Ok(run)
}
