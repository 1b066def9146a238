//! Consent and unsubscription, by the links in mails.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult,
    dsl::exists,
    sql_types::{Binary, Double, Nullable, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    audit::Actor,
    ids::{ReportRecipientId, ReportTemplateId},
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    sql,
};
use pharos_reporting::recipients::{
    bounds::REFUSED_FOR,
    recipient::{Address, RecipientState},
    store::{MailedReport, RecipientError, RecipientLinks},
    token::TokenDigest,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    Change, PgRecipientStore, locked, note, refused,
    row::{MailedRow, WasAskedRow},
};
use crate::schema::report_questions;

/// The link in a mail.
#[derive(Clone, Copy)]
enum Link<'a> {
    /// That of a question.
    Question(&'a TokenDigest),
    /// The one that ends mails.
    Unsubscribe(Uuid),
}

#[async_trait]
impl RecipientLinks for PgRecipientStore {
    async fn asked(&self, link: &TokenDigest) -> Result<Option<MailedReport>, StoreError> {
        self.read(Link::Question(link)).await
    }

    async fn confirm(
        &self,
        link: &TokenDigest,
        now: OffsetDateTime,
    ) -> Result<Option<MailedReport>, StoreError> {
        self.change(Link::Question(link), "report_recipient.confirm", now)
            .await
    }

    async fn find(&self, unsubscribe: Uuid) -> Result<Option<MailedReport>, StoreError> {
        self.read(Link::Unsubscribe(unsubscribe)).await
    }

    async fn end(&self, unsubscribe: Uuid, now: OffsetDateTime) -> Result<Option<MailedReport>, StoreError> {
        let link = Link::Unsubscribe(unsubscribe);
        self.change(link, "report_recipient.unsubscribe", now).await
    }

    async fn was_asked(&self, unsubscribe: Uuid) -> Result<bool, StoreError> {
        let mut connection = self.database.connection().await?;
        let asked = report_questions::table
            .find(unsubscribe)
            .filter(report_questions::is_refusal.eq(false));
        diesel::select(exists(asked))
            .get_result(&mut connection)
            .await
            .map_err(failure)
    }

    async fn refuse(&self, unsubscribe: Uuid) -> Result<bool, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: WasAskedRow = sql!("refuse.sql")
            .bind::<SqlUuid, _>(unsubscribe)
            .bind::<Double, _>(REFUSED_FOR.as_seconds_f64())
            .get_result(&mut connection)
            .await
            .map_err(failure)?;
        Ok(row.was_asked)
    }
}

impl PgRecipientStore {
    async fn read(&self, link: Link<'_>) -> Result<Option<MailedReport>, StoreError> {
        let mut connection = self.database.connection().await?;
        let row = mailed(&mut connection, link).await.map_err(failure)?;
        row.map(MailedReport::try_from).transpose()
    }

    /// Does what the link says, and gives the report as it stands then.
    async fn change(
        &self,
        link: Link<'_>,
        action: &'static str,
        now: OffsetDateTime,
    ) -> Result<Option<MailedReport>, StoreError> {
        let mut connection = self.database.connection().await?;
        let done = connection
            .transaction::<_, Abort<RecipientError>, _>(async |connection| {
                change(connection, link, action, now).await
            })
            .await
            .map_err(Abort::answer);
        match done {
            Ok(report) => Ok(report),
            Err(RecipientError::Store(error)) => Err(error),
            // The template was deleted meanwhile.
            Err(_) => Ok(None),
        }
    }
}

async fn change(
    connection: &mut AsyncPgConnection,
    link: Link<'_>,
    action: &'static str,
    now: OffsetDateTime,
) -> Result<Option<MailedReport>, Abort<RecipientError>> {
    let Some(row) = mailed(connection, link).await? else {
        return Ok(None);
    };
    let (recipient, address) = (ReportRecipientId(row.id), Address::kept(row.address.clone()));
    let template = ReportTemplateId(row.template_id);
    let (workspace, name) = locked(connection, template).await?;
    let (changed, state) = match link {
        Link::Question(digest) => {
            let query = sql!("confirm.sql").bind::<Binary, _>(digest.as_bytes());
            (query.execute(connection).await?, RecipientState::Confirmed)
        }
        Link::Unsubscribe(_) => {
            let query = sql!("end.sql").bind::<SqlUuid, _>(recipient.0);
            (query.execute(connection).await?, RecipientState::Unsubscribed)
        }
    };
    let report = MailedReport {
        state,
        ..MailedReport::try_from(row).map_err(Abort::port)?
    };
    if changed == 0 {
        // It was used by another at this moment, or ended before.
        return Ok((state == RecipientState::Unsubscribed).then_some(report));
    }
    if state == RecipientState::Unsubscribed {
        refused(connection, workspace, &address).await?;
    }
    let change = Change {
        action,
        template,
        workspace,
        name,
    };
    note(connection, &change, recipient, &Actor::reader(), now).await?;
    Ok(Some(report))
}

async fn mailed(connection: &mut AsyncPgConnection, link: Link<'_>) -> QueryResult<Option<MailedRow>> {
    let (digest, token) = match link {
        Link::Question(digest) => (Some(digest.as_bytes()), None),
        Link::Unsubscribe(token) => (None, Some(token)),
    };
    sql!("mailed.sql")
        .bind::<Nullable<Binary>, _>(digest)
        .bind::<Nullable<SqlUuid>, _>(token)
        .get_result(connection)
        .await
        .optional()
}
