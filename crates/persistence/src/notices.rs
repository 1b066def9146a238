//! Notices to the people of a workspace. Whoever knows one writes it in the transaction of the change; a trigger of alerting
//! makes a notification of it, which goes to the channels of the workspace.

use diesel::{QueryResult, prelude::Insertable};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{module::Module, notice::NewNotice};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::notices;

#[derive(Insertable)]
#[diesel(table_name = notices)]
struct NewNoticeRow<'a> {
    id: Uuid,
    workspace_id: Uuid,
    domain_id: Option<Uuid>,
    kind: &'static str,
    severity: &'static str,
    module: Option<&'static str>,
    title: &'a str,
    body: &'a str,
    data: &'a Value,
    resource_path: Option<&'a str>,
    created_at: OffsetDateTime,
}

impl<'a> From<&'a NewNotice> for NewNoticeRow<'a> {
    fn from(notice: &'a NewNotice) -> Self {
        let NewNotice {
            workspace,
            domain,
            kind,
            severity,
            module,
            title,
            body,
            data,
            resource_path,
            at,
        } = notice;
        Self {
            id: Uuid::now_v7(),
            workspace_id: workspace.0,
            domain_id: domain.map(|domain| domain.0),
            kind: kind.as_str(),
            severity: severity.as_str(),
            module: module.map(Module::as_str),
            title,
            body,
            data,
            resource_path: resource_path.as_deref(),
            created_at: *at,
        }
    }
}

/// Tells it to the people of the workspace, if the transaction is committed.
///
/// # Errors
/// The database failed.
pub async fn tell(connection: &mut AsyncPgConnection, notice: &NewNotice) -> QueryResult<()> {
    diesel::insert_into(notices::table)
        .values(NewNoticeRow::from(notice))
        .execute(connection)
        .await
        .map(|_| ())
}
