//! The rows of recipients.

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_domain::{
    ids::{ReportRecipientId, ReportTemplateId},
    store::StoreError,
};
use pharos_reporting::recipients::{
    recipient::{Address, Recipient},
    store::MailedReport,
};
use time::OffsetDateTime;
use uuid::Uuid;

#[derive(QueryableByName)]
pub(super) struct RecipientRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    template_id: Uuid,
    #[diesel(sql_type = Text)]
    address: String,
    #[diesel(sql_type = Timestamptz)]
    asked_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    confirmed_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    unsubscribed_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Text)]
    state: String,
}

impl TryFrom<RecipientRow> for Recipient {
    type Error = StoreError;

    fn try_from(row: RecipientRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: ReportRecipientId(row.id),
            template: ReportTemplateId(row.template_id),
            address: Address::kept(row.address),
            state: row.state.parse()?,
            asked_at: row.asked_at,
            confirmed_at: row.confirmed_at,
            unsubscribed_at: row.unsubscribed_at,
        })
    }
}

/// How often was asked.
#[derive(QueryableByName)]
pub(super) struct MayAskRow {
    #[diesel(sql_type = BigInt)]
    pub(super) by_workspace: i64,
    #[diesel(sql_type = BigInt)]
    pub(super) of_address: i64,
    #[diesel(sql_type = Bool)]
    pub(super) is_refused: bool,
}

/// Whether the link in a mail is that of somebody who was asked.
#[derive(QueryableByName)]
pub(super) struct WasAskedRow {
    #[diesel(sql_type = Bool)]
    pub(super) was_asked: bool,
}

/// A recipient, and the report that a link is about.
#[derive(QueryableByName)]
pub(super) struct MailedRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    pub(super) template_id: Uuid,
    #[diesel(sql_type = Text)]
    pub(super) address: String,
    #[diesel(sql_type = Text)]
    pub(super) template_name: String,
    #[diesel(sql_type = Text)]
    hostname: String,
    #[diesel(sql_type = Text)]
    workspace_name: String,
    #[diesel(sql_type = Text)]
    state: String,
}

impl TryFrom<MailedRow> for MailedReport {
    type Error = StoreError;

    fn try_from(row: MailedRow) -> Result<Self, StoreError> {
        Ok(Self {
            template_name: row.template_name,
            hostname: row.hostname,
            workspace_name: row.workspace_name,
            state: row.state.parse()?,
        })
    }
}
