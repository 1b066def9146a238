//! Recipients.

mod links;
mod row;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult,
    dsl::sql as text,
    result::{DatabaseErrorKind, Error},
    sql_types::{Binary, Double, Nullable, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::{
    audit::Actor,
    ids::{ReportRecipientId, ReportTemplateId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    jobs::enqueue,
    moment::{not_ahead, to_micros},
    pool::Database,
    sql,
};
use pharos_reporting::{
    mails::questions::asking,
    recipients::{
        bounds::{
            ASKED_BY_WORKSPACE, ASKED_OF_ADDRESS, COUNTED_OVER, MAY_CONFIRM_FOR, MOST_RECIPIENTS, REFUSED_FOR,
        },
        recipient::{Address, Recipient, RecipientState},
        store::{RecipientAdmin, RecipientError},
    },
};
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::Uuid;

use self::row::{MayAskRow, RecipientRow};
use crate::schema::{report_questions, report_recipients, report_templates};

/// Recipients in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgRecipientStore {
    database: Database,
}

impl PgRecipientStore {
    /// The recipients of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl RecipientAdmin for PgRecipientStore {
    async fn list(&self, template: ReportTemplateId) -> Result<Vec<Recipient>, RecipientError> {
        let mut connection = self.database.connection().await?;
        let known: Option<Uuid> = report_templates::table
            .find(template.0)
            .select(report_templates::id)
            .first(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        known.ok_or(RecipientError::NoTemplate)?;
        let rows = load(&mut connection, template, None).await.map_err(failure)?;
        let read: Result<Vec<Recipient>, StoreError> = rows.into_iter().map(Recipient::try_from).collect();
        Ok(read?)
    }

    async fn add(
        &self,
        template: ReportTemplateId,
        address: &Address,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Recipient, RecipientError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<RecipientError>, _>(async |connection| {
                add(connection, template, address, actor, now).await
            })
            .await
            .map_err(Abort::answer)
    }

    async fn ask_again(
        &self,
        template: ReportTemplateId,
        recipient: ReportRecipientId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Recipient, RecipientError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<RecipientError>, _>(async |connection| {
                let (workspace, name) = locked(connection, template).await?;
                let known = one(connection, template, recipient).await?;
                match known.state {
                    RecipientState::Confirmed => return Err(Abort::Port(RecipientError::Confirmed)),
                    RecipientState::Unsubscribed => return Err(Abort::Port(RecipientError::Refused)),
                    RecipientState::Asked | RecipientState::Lapsed => {}
                }
                ask(connection, workspace, recipient, &known.address).await?;
                sql!("ask_again.sql")
                    .bind::<SqlUuid, _>(recipient.0)
                    .bind::<Double, _>(MAY_CONFIRM_FOR.as_seconds_f64())
                    .execute(connection)
                    .await?;
                let change = Change {
                    action: "report_recipient.ask_again",
                    template,
                    workspace,
                    name,
                };
                note(connection, &change, recipient, actor, now).await?;
                one(connection, template, recipient).await
            })
            .await
            .map_err(Abort::answer)
    }

    async fn remove(
        &self,
        template: ReportTemplateId,
        recipient: ReportRecipientId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), RecipientError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<RecipientError>, _>(async |connection| {
                let (workspace, name) = locked(connection, template).await?;
                let gone = diesel::delete(report_recipients::table.find(recipient.0))
                    .filter(report_recipients::template_id.eq(template.0))
                    .execute(connection)
                    .await?;
                if gone == 0 {
                    return Err(Abort::Port(RecipientError::NotFound));
                }
                let change = Change {
                    action: "report_recipient.remove",
                    template,
                    workspace,
                    name,
                };
                note(connection, &change, recipient, actor, now).await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }
}

async fn add(
    connection: &mut AsyncPgConnection,
    template: ReportTemplateId,
    address: &Address,
    actor: &Actor,
    now: OffsetDateTime,
) -> Result<Recipient, Abort<RecipientError>> {
    let (workspace, name) = locked(connection, template).await?;
    let known: Option<(Uuid, Option<OffsetDateTime>)> = report_recipients::table
        .filter(report_recipients::template_id.eq(template.0))
        .filter(report_recipients::address_key.eq(address.key()))
        .select((report_recipients::id, report_recipients::unsubscribed_at))
        .first(connection)
        .await
        .optional()?;
    match known {
        None => {}
        Some((_, None)) => return Err(Abort::Port(RecipientError::Known)),
        Some((id, Some(_))) => {
            // Once they may be asked again they are a new recipient. Until then `ask` refuses it, and they stay.
            diesel::delete(report_recipients::table.find(id))
                .execute(connection)
                .await?;
        }
    }
    let recipients: i64 = report_recipients::table
        .filter(report_recipients::template_id.eq(template.0))
        .count()
        .get_result(connection)
        .await?;
    if recipients >= i64::from(MOST_RECIPIENTS) {
        return Err(Abort::Port(RecipientError::TooMany));
    }
    let recipient = ReportRecipientId::generate();
    let until = text::<Timestamptz>("now() + make_interval(secs => ")
        .bind::<Double, _>(MAY_CONFIRM_FOR.as_seconds_f64())
        .sql(")");
    let added = diesel::insert_into(report_recipients::table)
        .values((
            report_recipients::id.eq(recipient.0),
            report_recipients::template_id.eq(template.0),
            report_recipients::address.eq(address.as_str()),
            report_recipients::address_key.eq(address.key()),
            report_recipients::asked_at.eq(diesel::dsl::now),
            report_recipients::asked_until.eq(until),
        ))
        .execute(connection)
        .await;
    match added {
        Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => {
            return Err(Abort::Port(RecipientError::Known));
        }
        added => added?,
    };
    ask(connection, workspace, recipient, address).await?;
    let change = Change {
        action: "report_recipient.add",
        template,
        workspace,
        name,
    };
    note(connection, &change, recipient, actor, now).await?;
    one(connection, template, recipient).await
}

/// The template's workspace and name. Whoever else changes recipients of the template is waited for: the trigger that counts them
/// locks the template, too, and all lock it first.
async fn locked(
    connection: &mut AsyncPgConnection,
    template: ReportTemplateId,
) -> Result<(WorkspaceId, String), Abort<RecipientError>> {
    let found: Option<(Uuid, String)> = report_templates::table
        .find(template.0)
        .for_no_key_update()
        .select((report_templates::workspace_id, report_templates::name))
        .first(connection)
        .await
        .optional()?;
    let (workspace, name) = found.ok_or(Abort::Port(RecipientError::NoTemplate))?;
    Ok((WorkspaceId(workspace), name))
}

/// Asks a recipient by mail, unless this recipient or others were asked too often.
async fn ask(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    recipient: ReportRecipientId,
    address: &Address,
) -> Result<(), Abort<RecipientError>> {
    // Two questions that come at once both count.
    connection
        .batch_execute("LOCK TABLE report_questions IN SHARE ROW EXCLUSIVE MODE")
        .await?;
    let MayAskRow {
        by_workspace,
        of_address,
        is_refused,
    } = sql!("may_ask.sql")
        .bind::<SqlUuid, _>(workspace.0)
        .bind::<Binary, _>(address.digest())
        .bind::<Double, _>(COUNTED_OVER.as_seconds_f64())
        .bind::<Double, _>(REFUSED_FOR.as_seconds_f64())
        .get_result(connection)
        .await?;
    let fault = if is_refused {
        Some(RecipientError::Refused)
    } else if of_address >= i64::from(ASKED_OF_ADDRESS) {
        Some(RecipientError::AddressAskedTooOften)
    } else if by_workspace >= i64::from(ASKED_BY_WORKSPACE) {
        Some(RecipientError::WorkspaceAsksTooOften)
    } else {
        None
    };
    if let Some(fault) = fault {
        return Err(Abort::Port(fault));
    }
    sql!("asked.sql")
        .bind::<SqlUuid, _>(recipient.0)
        .bind::<SqlUuid, _>(workspace.0)
        .bind::<Binary, _>(address.digest())
        .execute(connection)
        .await?;
    enqueue(connection, &[asking(workspace, recipient)]).await?;
    Ok(())
}

/// Records that an address wants nothing.
async fn refused(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    address: &Address,
) -> QueryResult<()> {
    diesel::insert_into(report_questions::table)
        .values((
            report_questions::id.eq(Uuid::now_v7()),
            report_questions::workspace_id.eq(workspace.0),
            report_questions::address_digest.eq(address.digest()),
            report_questions::is_refusal.eq(true),
            report_questions::at.eq(diesel::dsl::now),
        ))
        .execute(connection)
        .await
        .map(|_| ())
}

async fn load(
    connection: &mut AsyncPgConnection,
    template: ReportTemplateId,
    recipient: Option<ReportRecipientId>,
) -> QueryResult<Vec<RecipientRow>> {
    sql!("list.sql")
        .bind::<SqlUuid, _>(template.0)
        .bind::<Nullable<SqlUuid>, _>(recipient.map(|recipient| recipient.0))
        .load(connection)
        .await
}

async fn one(
    connection: &mut AsyncPgConnection,
    template: ReportTemplateId,
    recipient: ReportRecipientId,
) -> Result<Recipient, Abort<RecipientError>> {
    let rows = load(connection, template, Some(recipient)).await?;
    let row = rows
        .into_iter()
        .next()
        .ok_or(Abort::Port(RecipientError::NotFound))?;
    Recipient::try_from(row).map_err(Abort::port)
}

/// A change for the audit log, which names no address: that is forgotten with its recipient.
struct Change {
    action: &'static str,
    template: ReportTemplateId,
    workspace: WorkspaceId,
    name: String,
}

async fn note(
    connection: &mut AsyncPgConnection,
    change: &Change,
    recipient: ReportRecipientId,
    actor: &Actor,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let now = to_micros(not_ahead(connection, now).await?);
    let details: Value = json!({
        "workspace_id": change.workspace,
        "template_id": change.template,
        "template_name": change.name,
    });
    audit::record(connection, By { actor, now }, change.action, recipient, details).await
}
