//! The audit trail.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, QueryDsl, SelectableHelper,
    dsl::sql,
    prelude::{Queryable, Selectable},
    sql_types::{Bool, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use ipnet::IpNet;
use pharos_account::admin::audit::{AuditEntry, AuditQuery, AuditStore};
use pharos_domain::store::StoreError;
use pharos_persistence::{failure::read_failure, pool::Database, schema::audit_log};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

/// The audit trail in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgAuditStore {
    database: Database,
}

impl PgAuditStore {
    /// The trail of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = audit_log)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct AuditRow {
    id: Uuid,
    at: OffsetDateTime,
    actor: String,
    action: String,
    subject_id: String,
    details: Value,
    source: Option<IpNet>,
}

impl From<AuditRow> for AuditEntry {
    fn from(row: AuditRow) -> Self {
        Self {
            id: row.id,
            at: row.at,
            actor: row.actor,
            source: row.source.map(|range| range.addr()),
            action: row.action,
            subject_id: row.subject_id,
            details: row.details,
        }
    }
}

#[async_trait]
impl AuditStore for PgAuditStore {
    async fn list(&self, query: &AuditQuery) -> Result<Vec<AuditEntry>, StoreError> {
        let mut rows = audit_log::table
            .order((audit_log::at.desc(), audit_log::id.desc()))
            .limit(i64::from(query.limit))
            .select(AuditRow::as_select())
            .into_boxed();
        if let Some(workspace) = query.workspace {
            rows = rows.filter(audit_log::workspace_id.eq(workspace.0));
        }
        if let Some(actor) = &query.actor {
            rows = rows.filter(audit_log::actor.eq(actor));
        }
        if let Some(action) = &query.action {
            // The noun of an action is the kind of its subject, of which there is an index: what is rare is found at once.
            let noun = action.split('.').next().unwrap_or(action);
            rows = rows.filter(audit_log::subject_kind.eq(noun));
            if noun != action {
                rows = rows.filter(audit_log::action.eq(action));
            }
        }
        if let Some(before) = query.before {
            rows = rows.filter(
                sql::<Bool>("(at, id) < (SELECT at, id FROM audit_log WHERE id = ")
                    .bind::<SqlUuid, _>(before)
                    .sql(")"),
            );
        }
        // A filter that few rows pass makes the statement read all of the trail, which may take long.
        let mut connection = self.database.long_read().await?;
        let rows: Vec<AuditRow> = rows.load(&mut connection).await.map_err(read_failure)?;
        Ok(rows.into_iter().map(AuditEntry::from).collect())
    }
}
