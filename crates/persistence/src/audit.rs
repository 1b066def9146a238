//! The log of what operators change.

use diesel::{QueryResult, prelude::Insertable};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::audit::Actor;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::audit_log;

#[derive(Insertable)]
#[diesel(table_name = audit_log)]
struct NewAuditRow<'a> {
    id: Uuid,
    at: OffsetDateTime,
    actor: &'a str,
    action: &'a str,
    subject_kind: &'a str,
    subject_id: String,
    details: Value,
}

/// Who changes something, and when.
#[derive(Clone, Copy)]
pub struct By<'a> {
    /// Who.
    pub actor: &'a Actor,
    /// When.
    pub now: OffsetDateTime,
}

/// Writes one row, within the change's own transaction. `action` is noun and verb, such as `key.rotate`; its noun is
/// the kind of the subject.
pub async fn record(
    connection: &mut AsyncPgConnection,
    by: By<'_>,
    action: &str,
    subject: impl ToString + Send,
    details: Value,
) -> QueryResult<()> {
    let row = NewAuditRow {
        id: Uuid::now_v7(),
        at: by.now,
        actor: by.actor.as_str(),
        action,
        subject_kind: action.split('.').next().unwrap_or(action),
        subject_id: subject.to_string(),
        details,
    };
    diesel::insert_into(audit_log::table)
        .values(row)
        .execute(connection)
        .await
        .map(|_| ())
}
