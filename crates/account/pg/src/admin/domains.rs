//! Domains.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    prelude::{Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_account::admin::{
    AdminError, check_name,
    domains::{DomainAdmin, DomainDetails, MOST_OF_A_WORKSPACE, check_hostname},
};
use pharos_account::verification::Proof;
use pharos_domain::{
    audit::Actor,
    hostname::Hostname,
    ids::{DomainId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    group::DomainHooks,
    moment::{not_ahead, present},
    pool::Database,
    schema::domains,
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{hold_workspace, missing, taken};

/// Changes of domains in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgDomainAdmin {
    database: Database,
}

impl PgDomainAdmin {
    /// The domains of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// The hooks by which other groups change their rows with a domain.
    fn hooks(&self) -> impl Iterator<Item = &'static DomainHooks> {
        self.database
            .groups()
            .iter()
            .filter_map(|group| group.domain.as_ref())
    }
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = domains)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct DomainRow {
    id: Uuid,
    workspace_id: Uuid,
    hostname: String,
    display_name: Option<String>,
    created_at: OffsetDateTime,
    deleted_at: Option<OffsetDateTime>,
    erasing_at: Option<OffsetDateTime>,
}

impl From<DomainRow> for DomainDetails {
    fn from(row: DomainRow) -> Self {
        Self {
            id: DomainId(row.id),
            workspace_id: WorkspaceId(row.workspace_id),
            domain: row.hostname,
            display_name: row.display_name,
            created_at: row.created_at,
            deleted_at: row.deleted_at,
            erasing_at: row.erasing_at,
        }
    }
}

/// Locks a domain that is deleted, or one that is not.
async fn lock(
    connection: &mut AsyncPgConnection,
    id: DomainId,
    deleted: bool,
) -> Result<DomainRow, Abort<AdminError>> {
    let row: Option<DomainRow> = domains::table
        .find(id.0)
        .for_no_key_update()
        .select(DomainRow::as_select())
        .first(connection)
        .await
        .optional()?;
    let what = if deleted { "deleted domain" } else { "domain" };
    missing(row.filter(|row| row.deleted_at.is_some() == deleted), what)
}

async fn set_deleted_at(
    connection: &mut AsyncPgConnection,
    id: DomainId,
    deleted_at: Option<OffsetDateTime>,
) -> Result<DomainRow, Abort<AdminError>> {
    let updated = diesel::update(domains::table.find(id.0))
        .set(domains::deleted_at.eq(deleted_at))
        .returning(DomainRow::as_returning())
        .get_result(connection)
        .await;
    taken(updated, "domain")
}

#[async_trait]
impl DomainAdmin for PgDomainAdmin {
    async fn add(
        &self,
        workspace: WorkspaceId,
        hostname: &Hostname,
        display_name: Option<&str>,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DomainDetails, AdminError> {
        let display_name = display_name
            .map(|name| check_name("a domain's display name", name))
            .transpose()?;
        check_hostname(hostname)?;
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                hold_workspace(connection, workspace).await?;
                let count: i64 = domains::table
                    .filter(domains::workspace_id.eq(workspace.0))
                    .count()
                    .get_result(connection)
                    .await?;
                if count >= MOST_OF_A_WORKSPACE {
                    return Err(Abort::Port(AdminError::TooManyDomains));
                }
                let id = DomainId::generate();
                let inserted = diesel::insert_into(domains::table)
                    .values(DomainRow {
                        id: id.0,
                        workspace_id: workspace.0,
                        hostname: hostname.to_string(),
                        display_name: display_name.clone(),
                        created_at: now,
                        deleted_at: None,
                        erasing_at: None,
                    })
                    .returning(DomainRow::as_returning())
                    .get_result(connection)
                    .await;
                let row: DomainRow = taken(inserted, "domain")?;
                let details = json!({
                    "workspace_id": workspace,
                    "domain": hostname.as_str(),
                    "display_name": display_name,
                });
                audit::record(connection, by, "domain.add", id, details).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.into())
    }

    async fn delete(
        &self,
        id: DomainId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DomainDetails, AdminError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                lock(connection, id, false).await?;
                // By the database's clock: a deletion that a node's clock put far back could not be taken back.
                let deleted_at = present(connection).await?;
                let row = set_deleted_at(connection, id, Some(deleted_at)).await?;
                for hooks in self.hooks() {
                    (hooks.deleted)(connection, id, now).await.map_err(Abort::widen)?;
                }
                audit::record(
                    connection,
                    by,
                    "domain.delete",
                    id,
                    json!({ "domain": row.hostname }),
                )
                .await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.into())
    }

    async fn restore(
        &self,
        id: DomainId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DomainDetails, AdminError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                let deleted = DomainDetails::from(lock(connection, id, true).await?);
                if !deleted.is_restorable(not_ahead(connection, now).await?) {
                    return Err(Abort::Port(AdminError::TooLate));
                }
                let row = set_deleted_at(connection, id, None).await?;
                for hooks in self.hooks() {
                    (hooks.restored)(connection, id, now)
                        .await
                        .map_err(Abort::widen)?;
                }
                audit::record(
                    connection,
                    by,
                    "domain.restore",
                    id,
                    json!({ "domain": row.hostname }),
                )
                .await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.into())
    }

    async fn verify(
        &self,
        id: DomainId,
        proof: Proof,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<DomainDetails, AdminError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                let row = lock(connection, id, false).await?;
                diesel::update(domains::table.find(id.0))
                    .set(domains::verified.eq(true))
                    .execute(connection)
                    .await?;
                let details = json!({
                    "workspace_id": WorkspaceId(row.workspace_id),
                    "domain": row.hostname,
                    "method": proof.as_str(),
                });
                audit::record(connection, by, "domain.verify", id, details).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.into())
    }

    async fn list(&self, workspace: WorkspaceId) -> Result<Vec<DomainDetails>, StoreError> {
        let mut connection = self.database.connection().await?;
        let rows: Vec<DomainRow> = domains::table
            .filter(domains::workspace_id.eq(workspace.0))
            .order((domains::created_at, domains::id))
            .select(DomainRow::as_select())
            .load(&mut connection)
            .await
            .map_err(failure)?;
        Ok(rows.into_iter().map(DomainDetails::from).collect())
    }

    async fn find(&self, ids: &[DomainId]) -> Result<Vec<DomainDetails>, StoreError> {
        let mut connection = self.database.connection().await?;
        let rows: Vec<DomainRow> = domains::table
            .filter(domains::id.eq_any(ids.iter().map(|id| id.0)))
            .select(DomainRow::as_select())
            .load(&mut connection)
            .await
            .map_err(failure)?;
        Ok(rows.into_iter().map(DomainDetails::from).collect())
    }

    async fn deleted(&self, workspace: WorkspaceId) -> Result<Vec<DomainDetails>, StoreError> {
        let mut connection = self.database.connection().await?;
        let rows: Vec<DomainRow> = domains::table
            .filter(domains::workspace_id.eq(workspace.0))
            .filter(domains::deleted_at.is_not_null())
            .order((domains::deleted_at.desc(), domains::id.desc()))
            .limit(MOST_OF_A_WORKSPACE)
            .select(DomainRow::as_select())
            .load(&mut connection)
            .await
            .map_err(failure)?;
        Ok(rows.into_iter().map(DomainDetails::from).collect())
    }
}
