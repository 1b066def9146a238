//! The rows of mails.

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_domain::{ids::RunId, secret::Secret, store::StoreError};
use pharos_reporting::{
    mails::store::{DeliveryCounts, RecipientQuestion, ReportToMail},
    recipients::recipient::Address,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::runs::row::ReportRunRow;

#[derive(QueryableByName)]
pub(super) struct QuestionRow {
    #[diesel(sql_type = Text)]
    address: String,
    #[diesel(sql_type = Text)]
    hostname: String,
    #[diesel(sql_type = Text)]
    workspace_name: String,
    #[diesel(sql_type = Timestamptz)]
    asked_until: OffsetDateTime,
    #[diesel(sql_type = SqlUuid)]
    unsubscribe_token: Uuid,
}

impl From<QuestionRow> for RecipientQuestion {
    fn from(row: QuestionRow) -> Self {
        Self {
            to: Address::kept(row.address),
            hostname: row.hostname,
            workspace_name: row.workspace_name,
            until: row.asked_until,
            unsubscribe_token: Secret::from(row.unsubscribe_token.to_string()),
        }
    }
}

#[derive(QueryableByName)]
pub(super) struct ReportToMailRow {
    #[diesel(embed)]
    run: ReportRunRow,
    #[diesel(sql_type = Text)]
    locale: String,
    #[diesel(sql_type = Nullable<Text>)]
    accent: Option<String>,
    #[diesel(sql_type = Text)]
    address: String,
    #[diesel(sql_type = SqlUuid)]
    unsubscribe_token: Uuid,
    #[diesel(sql_type = Text)]
    hostname: String,
    #[diesel(sql_type = Text)]
    workspace_name: String,
}

impl TryFrom<ReportToMailRow> for ReportToMail {
    type Error = StoreError;

    fn try_from(row: ReportToMailRow) -> Result<Self, StoreError> {
        Ok(Self {
            to: Address::kept(row.address),
            // As it ended: whether its result is still kept was asked of the database.
            run: row.run.try_into()?,
            locale: row.locale.parse()?,
            accent: row.accent,
            hostname: row.hostname,
            workspace_name: row.workspace_name,
            unsubscribe_token: Secret::from(row.unsubscribe_token.to_string()),
        })
    }
}

/// Whether a report may be sent by hand.
#[derive(QueryableByName)]
pub(super) struct MaySendRow {
    #[diesel(sql_type = Bool)]
    pub(super) has_recipient: bool,
    #[diesel(sql_type = Bool)]
    pub(super) is_too_soon: bool,
    #[diesel(sql_type = BigInt)]
    pub(super) sent_by_hand: i64,
}

#[derive(QueryableByName)]
pub(super) struct CountsRow {
    #[diesel(sql_type = SqlUuid)]
    run_id: Uuid,
    #[diesel(sql_type = BigInt)]
    queued: i64,
    #[diesel(sql_type = BigInt)]
    sent: i64,
    #[diesel(sql_type = BigInt)]
    failed: i64,
    #[diesel(sql_type = BigInt)]
    dropped: i64,
}

impl CountsRow {
    pub(super) fn read(self) -> Result<(RunId, DeliveryCounts), StoreError> {
        let count = |count: i64| {
            u32::try_from(count).map_err(|_| StoreError::Corrupt(format!("{count} deliveries of a report")))
        };
        let counts = DeliveryCounts {
            queued: count(self.queued)?,
            sent: count(self.sent)?,
            failed: count(self.failed)?,
            dropped: count(self.dropped)?,
        };
        Ok((RunId(self.run_id), counts))
    }
}
