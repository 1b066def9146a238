//! Domains as the reads see them.

use std::collections::HashSet;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    prelude::{Queryable, Selectable},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_account::domains::{Domain, DomainStore, Modules};
use pharos_domain::{
    identity::{DomainAccess, WorkspaceAccess},
    ids::{DomainId, WorkspaceId},
    module::Module,
    store::StoreError,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{
    failure::failure,
    names,
    pool::Database,
    schema::{domains, uptime_monitors},
};

/// Domains in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgDomainStore {
    database: Database,
}

impl PgDomainStore {
    /// The domains of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = domains)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct DomainRow {
    id: Uuid,
    workspace_id: Uuid,
    hostname: String,
    display_name: Option<String>,
    verified: bool,
    timezone_hint: Option<String>,
    created_at: OffsetDateTime,
}

impl DomainRow {
    fn into_domain(self, active_modules: Option<Vec<Module>>) -> Result<Domain, StoreError> {
        let Self {
            id,
            workspace_id,
            hostname,
            display_name,
            verified,
            timezone_hint,
            created_at,
        } = self;
        Ok(Domain {
            id: DomainId(id),
            workspace_id: WorkspaceId(workspace_id),
            hostname: names::hostname(&hostname)?,
            display_name,
            verified,
            timezone_hint,
            active_modules,
            created_at,
        })
    }
}

/// Which of these domains have which modules active. A module that comes to have a configuration of its own adds
/// its look-up here.
async fn active_modules(
    mut connection: &AsyncPgConnection,
    domains: &[Uuid],
) -> diesel::QueryResult<impl Fn(Uuid) -> Vec<Module> + use<>> {
    let watched: HashSet<Uuid> = uptime_monitors::table
        .filter(uptime_monitors::domain_id.eq_any(domains))
        .filter(uptime_monitors::enabled)
        .select(uptime_monitors::domain_id)
        .load(&mut connection)
        .await?
        .into_iter()
        .collect();
    Ok(move |domain| {
        let uptime = watched.contains(&domain).then_some(Module::Uptime);
        uptime.into_iter().collect()
    })
}

#[async_trait]
impl DomainStore for PgDomainStore {
    async fn list(&self, reach: &[WorkspaceAccess], modules: Modules) -> Result<Vec<Domain>, StoreError> {
        let workspaces: Vec<Uuid> = reach.iter().map(|access| access.workspace().id.0).collect();
        // There may be thousands, of which nobody else's read waits for a page.
        let mut connection = self.database.connection().await?;
        let rows: Vec<DomainRow> = domains::table
            .filter(domains::workspace_id.eq_any(workspaces))
            .filter(domains::deleted_at.is_null())
            .order((domains::created_at, domains::id))
            .select(DomainRow::as_select())
            .load(&mut connection)
            .await
            .map_err(failure)?;
        let active = match modules {
            Modules::LeftOut => None,
            Modules::Included => {
                let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
                Some(active_modules(&connection, &ids).await.map_err(failure)?)
            }
        };
        rows.into_iter()
            .map(|row| {
                let modules = active.as_ref().map(|active| active(row.id));
                row.into_domain(modules)
            })
            .collect()
    }

    async fn view(&self, access: &DomainAccess) -> Result<Option<Domain>, StoreError> {
        let reader = self.database.reader().await?;
        let row: Option<DomainRow> = domains::table
            .find(access.id().0)
            .filter(domains::workspace_id.eq(access.workspace().workspace().id.0))
            .filter(domains::deleted_at.is_null())
            .select(DomainRow::as_select())
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        let Some(row) = row else { return Ok(None) };
        let active = active_modules(&reader, &[row.id]).await.map_err(failure)?;
        let modules = active(row.id);
        row.into_domain(Some(modules)).map(Some)
    }
}
