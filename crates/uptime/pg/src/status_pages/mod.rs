//! Status pages.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName,
    result::{DatabaseErrorKind, Error},
    sql_types::{Array, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    audit::Actor,
    identity::WorkspaceAccess,
    ids::{DomainId, StatusPageId, WorkspaceId},
    settings::SettingsChange,
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    hold,
    pool::Database,
    sql,
};
use pharos_uptime::status_page::{
    MOST_PAGES, PublicStatusPage, Slug, StatusPage, StatusPageError, StatusPageSettings, StatusPageStore,
};
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::{status_page_sites, status_pages};

/// Status pages in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgStatusPageStore {
    database: Database,
}

impl PgStatusPageStore {
    /// Those of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    async fn read(
        &self,
        workspace: WorkspaceId,
        id: Option<StatusPageId>,
    ) -> Result<Vec<StatusPage>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("list.sql")
            .bind::<SqlUuid, _>(workspace.0)
            .bind::<Nullable<SqlUuid>, _>(id.map(|id| id.0));
        let rows: Vec<PageRow> = query.load(&mut &*reader).await.map_err(failure)?;
        rows.into_iter().map(StatusPage::try_from).collect()
    }
}

#[derive(QueryableByName)]
struct PageRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    slug: String,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Array<SqlUuid>)]
    domain_ids: Vec<Uuid>,
}

#[derive(QueryableByName)]
struct PublicRow {
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Array<SqlUuid>)]
    ids: Vec<Uuid>,
    #[diesel(sql_type = Array<Text>)]
    names: Vec<String>,
}

impl TryFrom<PageRow> for StatusPage {
    type Error = StoreError;

    fn try_from(row: PageRow) -> Result<Self, StoreError> {
        let slug = row
            .slug
            .parse()
            .map_err(|_| StoreError::Corrupt(format!("the address of status page {}", row.id)))?;
        Ok(Self {
            id: StatusPageId(row.id),
            settings: StatusPageSettings {
                slug,
                title: row.title,
                domains: row.domain_ids.into_iter().map(DomainId).collect(),
            },
            created_at: row.created_at,
        })
    }
}

#[async_trait]
impl StatusPageStore for PgStatusPageStore {
    async fn list(&self, workspace: &WorkspaceAccess) -> Result<Vec<StatusPage>, StoreError> {
        self.read(workspace.workspace().id, None).await
    }

    async fn find(
        &self,
        workspace: &WorkspaceAccess,
        id: StatusPageId,
    ) -> Result<Option<StatusPage>, StoreError> {
        let found = self.read(workspace.workspace().id, Some(id)).await?;
        Ok(found.into_iter().next())
    }

    async fn public(&self, slug: &Slug) -> Result<Option<PublicStatusPage>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("public.sql").bind::<Text, _>(slug.as_str());
        let row: Option<PublicRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        Ok(row.map(|row| PublicStatusPage {
            workspace: WorkspaceId(row.workspace_id),
            title: row.title,
            sites: row.ids.into_iter().map(DomainId).zip(row.names).collect(),
        }))
    }

    async fn create(
        &self,
        workspace: &WorkspaceAccess,
        settings: &StatusPageSettings,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<StatusPage, StatusPageError> {
        let owner = workspace.workspace().id;
        let page = StatusPage {
            id: StatusPageId::generate(),
            settings: settings.clone(),
            created_at: now,
        };
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StatusPageError>, _>(async |connection| {
                if !hold::workspace(connection, owner).await? {
                    return Err(Abort::Port(StatusPageError::NotFound));
                }
                let pages: i64 = status_pages::table
                    .filter(status_pages::workspace_id.eq(owner.0))
                    .count()
                    .get_result(connection)
                    .await?;
                if usize::try_from(pages).is_ok_and(|pages| pages >= MOST_PAGES) {
                    return Err(Abort::Port(StatusPageError::TooMany));
                }
                let inserted = diesel::insert_into(status_pages::table)
                    .values((
                        status_pages::id.eq(page.id.0),
                        status_pages::workspace_id.eq(owner.0),
                        status_pages::slug.eq(settings.slug.as_str()),
                        status_pages::title.eq(&settings.title),
                        status_pages::created_at.eq(now),
                    ))
                    .execute(connection)
                    .await;
                taken(inserted)?;
                place(connection, owner, page.id, settings).await?;
                let by = By { actor, now };
                audit::record(
                    connection,
                    by,
                    "status_page.create",
                    page.id,
                    details(owner, settings),
                )
                .await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)?;
        Ok(page)
    }

    async fn update(
        &self,
        workspace: &WorkspaceAccess,
        id: StatusPageId,
        change: &SettingsChange<'_, StatusPageSettings>,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), StatusPageError> {
        let owner = workspace.workspace().id;
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StatusPageError>, _>(async |connection| {
                let present = held(connection, owner, id).await?;
                let changed = change(Some(&present));
                let settings = &changed.map_err(|faults| Abort::Port(StatusPageError::Faults(faults)))?;
                let updated = diesel::update(status_pages::table.find(id.0))
                    .set((
                        status_pages::slug.eq(settings.slug.as_str()),
                        status_pages::title.eq(&settings.title),
                    ))
                    .execute(connection)
                    .await;
                taken(updated)?;
                diesel::delete(status_page_sites::table.filter(status_page_sites::page_id.eq(id.0)))
                    .execute(connection)
                    .await?;
                place(connection, owner, id, settings).await?;
                let by = By { actor, now };
                audit::record(connection, by, "status_page.update", id, details(owner, settings)).await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn delete(
        &self,
        workspace: &WorkspaceAccess,
        id: StatusPageId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), StatusPageError> {
        let owner = workspace.workspace().id;
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StatusPageError>, _>(async |connection| {
                let own = status_pages::table
                    .find(id.0)
                    .filter(status_pages::workspace_id.eq(owner.0));
                if diesel::delete(own).execute(connection).await? == 0 {
                    return Err(Abort::Port(StatusPageError::NotFound));
                }
                let by = By { actor, now };
                let workspace = json!({ "workspace_id": owner });
                audit::record(connection, by, "status_page.delete", id, workspace).await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }
}

/// The settings of a page. Until the transaction ends nobody else changes them, its sites included.
async fn held(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    id: StatusPageId,
) -> Result<StatusPageSettings, Abort<StatusPageError>> {
    let found: Option<Uuid> = status_pages::table
        .find(id.0)
        .filter(status_pages::workspace_id.eq(workspace.0))
        .for_no_key_update()
        .select(status_pages::id)
        .first(connection)
        .await
        .optional()?;
    let found = found.ok_or(Abort::Port(StatusPageError::NotFound))?;
    // A statement of its own: it sees what the one who had the lock before has written.
    let row: PageRow = sql!("list.sql")
        .bind::<SqlUuid, _>(workspace.0)
        .bind::<Nullable<SqlUuid>, _>(Some(found))
        .get_result(connection)
        .await?;
    let page = StatusPage::try_from(row).map_err(Abort::port)?;
    Ok(page.settings)
}

fn details(workspace: WorkspaceId, settings: &StatusPageSettings) -> Value {
    json!({
        "workspace_id": workspace,
        "slug": settings.slug.as_str(),
        "title": settings.title,
        "domains": settings.domains,
    })
}

/// Puts the sites of a page in their order.
async fn place(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    page: StatusPageId,
    settings: &StatusPageSettings,
) -> Result<(), Abort<StatusPageError>> {
    let chosen: Vec<Uuid> = settings.domains.iter().map(|domain| domain.0).collect();
    let query = sql!("place.sql")
        .bind::<SqlUuid, _>(page.0)
        .bind::<SqlUuid, _>(workspace.0)
        .bind::<Array<SqlUuid>, _>(&chosen);
    let placed = query.execute(connection).await?;
    if placed == chosen.len() {
        Ok(())
    } else {
        Err(Abort::Port(StatusPageError::NoSuchDomain))
    }
}

/// Tells an address that another page has from other failures.
fn taken<T>(result: Result<T, Error>) -> Result<T, Abort<StatusPageError>> {
    match result {
        Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => {
            Err(Abort::Port(StatusPageError::Taken))
        }
        other => Ok(other?),
    }
}
