//! Domains as the reads see them.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    prelude::{Queryable, Selectable},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::future::try_join_all;
use pharos_account::domains::{Domain, DomainStore, Modules};
use pharos_domain::{
    identity::{DomainAccess, WorkspaceAccess},
    ids::{DomainId, WorkspaceId},
    module::Module,
    store::StoreError,
};
use pharos_persistence::{failure::failure, group::PgGroup, names, pool::Database, schema::domains};
use time::OffsetDateTime;
use uuid::Uuid;

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
        Ok(Domain {
            id: DomainId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            hostname: names::hostname(&self.hostname)?,
            display_name: self.display_name,
            verified: self.verified,
            timezone_hint: self.timezone_hint,
            active_modules,
            created_at: self.created_at,
        })
    }
}

/// Which of these domains have which modules active, as the groups of the modules say.
async fn active_modules(
    connection: &AsyncPgConnection,
    groups: &[PgGroup],
    domains: &[Uuid],
) -> diesel::QueryResult<impl Fn(Uuid) -> Vec<Module> + use<>> {
    let of_groups = groups.iter().filter_map(|group| group.domain.as_ref());
    let found = try_join_all(of_groups.map(|hooks| (hooks.active)(connection, domains))).await?;
    let mut active: HashMap<Uuid, Vec<Module>> = HashMap::new();
    for (domain, module) in found.into_iter().flatten() {
        active.entry(domain).or_default().push(module);
    }
    Ok(move |domain| {
        let mut modules = active.get(&domain).cloned().unwrap_or_default();
        modules.sort_unstable();
        modules
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
                Some(
                    active_modules(&connection, self.database.groups(), &ids)
                        .await
                        .map_err(failure)?,
                )
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
        let active = active_modules(&reader, self.database.groups(), &[row.id])
            .await
            .map_err(failure)?;
        let modules = active(row.id);
        row.into_domain(Some(modules)).map(Some)
    }
}
