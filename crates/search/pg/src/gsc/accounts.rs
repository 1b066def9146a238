//! Accounts, and linking properties.

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    dsl::exists,
    prelude::{Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    audit::Actor,
    hostname::Hostname,
    ids::{DomainId, SearchAccountId, UserId, WorkspaceId},
    store::{StoreError, UnknownName},
};
use pharos_persistence::{
    audit::{self, By},
    due,
    failure::{Abort, failure},
    hold,
    json::Json,
    moment::to_micros,
    names,
    pool::Database,
    schema::{domains, members},
};
use pharos_search::{
    google::account::{Account, AccountKind},
    gsc::{
        accounts::{AccountStore, AccountSummary, LinkError, MOST_ACCOUNTS, NewAccount, NewLink},
        config::SearchSettings,
        property::PropertyStatus,
    },
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    links::{LANE, begin_source, forget_imports},
    seal::Seal,
    turn::alone,
};
use crate::{
    indexing,
    schema::{search_accounts, search_configs, search_properties},
};

/// Accounts in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgAccountStore {
    database: Database,
    seal: Arc<Seal>,
}

impl PgAccountStore {
    /// The accounts of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            seal: Arc::default(),
        }
    }
}

impl PgAccountStore {
    /// The account of this kind and name that the workspace has.
    async fn named(&self, account: &NewAccount) -> Result<Option<Uuid>, StoreError> {
        let mut connection = self.database.connection().await?;
        search_accounts::table
            .filter(search_accounts::workspace_id.eq(account.workspace.0))
            .filter(search_accounts::kind.eq(account.credentials.kind().as_str()))
            .filter(search_accounts::label.eq(&account.label))
            .order((search_accounts::created_at, search_accounts::id))
            .select(search_accounts::id)
            .first(&mut connection)
            .await
            .optional()
            .map_err(failure)
    }

    /// The row of an account that is made now, under a number of its own.
    async fn row(&self, account: &NewAccount, now: OffsetDateTime) -> Result<AccountRow, StoreError> {
        let id = SearchAccountId::generate();
        Ok(AccountRow {
            id: id.0,
            workspace_id: account.workspace.0,
            kind: account.credentials.kind().as_str().to_owned(),
            label: account.label.clone(),
            sealed: self.seal.close(&self.database, id, &account.credentials).await?,
            created_at: to_micros(now),
            created_by: account.created_by.map(|user| user.0),
        })
    }
}

/// The kind and name of each account of a workspace, which gets no other until the transaction ends.
async fn present(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
) -> Result<Vec<(String, String)>, Abort<LinkError>> {
    if !hold::workspace(connection, workspace).await? {
        return Err(Abort::Port(LinkError::NotFound("workspace")));
    }
    let present = search_accounts::table
        .filter(search_accounts::workspace_id.eq(workspace.0))
        .select((search_accounts::kind, search_accounts::label))
        .load(connection)
        .await?;
    Ok(present)
}

/// Makes an account beside those that the workspace has.
async fn insert(
    connection: &mut AsyncPgConnection,
    row: &AccountRow,
    present: usize,
    by: By<'_>,
) -> Result<(), Abort<LinkError>> {
    if present >= MOST_ACCOUNTS {
        return Err(Abort::Port(LinkError::TooMany));
    }
    diesel::insert_into(search_accounts::table)
        .values(row)
        .execute(connection)
        .await?;
    let details = json!({ "workspace_id": row.workspace_id, "kind": row.kind, "label": row.label });
    audit::record(
        connection,
        by,
        "search_account.add",
        SearchAccountId(row.id),
        details,
    )
    .await?;
    Ok(())
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = search_accounts)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct AccountRow {
    id: Uuid,
    workspace_id: Uuid,
    kind: String,
    label: String,
    sealed: Vec<u8>,
    created_at: OffsetDateTime,
    created_by: Option<Uuid>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = search_accounts)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct SummaryRow {
    id: Uuid,
    kind: String,
    label: String,
    created_at: OffsetDateTime,
    created_by: Option<Uuid>,
}

#[async_trait]
impl AccountStore for PgAccountStore {
    async fn add(
        &self,
        account: &NewAccount,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<SearchAccountId, LinkError> {
        let row = self.row(account, now).await?;
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<LinkError>, _>(async |connection| {
                let present = present(connection, account.workspace).await?;
                insert(connection, &row, present.len(), By { actor, now }).await
            })
            .await
            .map_err(Abort::answer)?;
        Ok(SearchAccountId(row.id))
    }

    async fn consent(
        &self,
        account: &NewAccount,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<SearchAccountId, LinkError> {
        let known = self.named(account).await?;
        let id = known.map_or_else(SearchAccountId::generate, SearchAccountId);
        let sealed = self.seal.close(&self.database, id, &account.credentials).await?;
        let now = to_micros(now);
        let mut connection = self.database.connection().await?;
        let renewed = connection
            .transaction::<_, Abort<LinkError>, _>(async |connection| {
                let renewed = diesel::update(search_accounts::table.find(id.0))
                    .set((
                        search_accounts::sealed.eq(&sealed),
                        search_accounts::created_by.eq(account.created_by.map(|user| user.0)),
                    ))
                    .execute(connection)
                    .await?;
                if renewed == 0 {
                    return Ok(false);
                }
                // An import that is under way has the old token; its end counts no more.
                let woken = diesel::update(
                    search_properties::table
                        .filter(search_properties::account_id.eq(id.0))
                        .filter(
                            search_properties::status.eq(PropertyStatus::ReauthorizationRequired.as_str()),
                        ),
                )
                .set((
                    search_properties::status.eq(PropertyStatus::Pending.as_str()),
                    search_properties::next_sync_at.eq(now),
                    search_properties::newest_due_at.eq(now),
                    search_properties::leased_until.eq(None::<OffsetDateTime>),
                    search_properties::sync_failures.eq(0),
                ))
                .execute(connection)
                .await?;
                if woken > 0 {
                    due::announce(connection, &[LANE.to_owned()], "").await?;
                }
                let details = json!({ "workspace_id": account.workspace, "label": account.label });
                audit::record(
                    connection,
                    By { actor, now },
                    "search_account.consent",
                    id,
                    details,
                )
                .await?;
                Ok(true)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        if renewed {
            return Ok(id);
        }
        let row = self.row(account, now).await?;
        let mut connection = self.database.connection().await?;
        let is_made = connection
            .transaction::<_, Abort<LinkError>, _>(async |connection| {
                let present = present(connection, account.workspace).await?;
                if present
                    .iter()
                    .any(|(kind, label)| (kind, label) == (&row.kind, &row.label))
                {
                    return Ok(false);
                }
                insert(connection, &row, present.len(), By { actor, now }).await?;
                Ok(true)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        if is_made {
            return Ok(SearchAccountId(row.id));
        }
        // Somebody consented by the same account at this moment: it gets this consent.
        self.consent(account, actor, now).await
    }

    async fn list(&self, workspace: WorkspaceId) -> Result<Vec<AccountSummary>, StoreError> {
        let mut connection = self.database.connection().await?;
        let rows: Vec<SummaryRow> = search_accounts::table
            .filter(search_accounts::workspace_id.eq(workspace.0))
            .order((search_accounts::created_at, search_accounts::id))
            .select(SummaryRow::as_select())
            .load(&mut connection)
            .await
            .map_err(failure)?;
        let linked: Vec<(Option<Uuid>, Uuid)> = search_properties::table
            .filter(search_properties::workspace_id.eq(workspace.0))
            .order(search_properties::domain_id)
            .select((search_properties::account_id, search_properties::domain_id))
            .load(&mut connection)
            .await
            .map_err(failure)?;
        let mut domains: HashMap<Uuid, Vec<DomainId>> = HashMap::new();
        for (account, domain) in linked {
            if let Some(account) = account {
                domains.entry(account).or_default().push(DomainId(domain));
            }
        }
        let summary = |row: SummaryRow| {
            let id = SearchAccountId(row.id);
            let kind = row.kind.parse::<AccountKind>();
            // The others are listed all the same.
            let unread =
                |error: &UnknownName| tracing::error!(account = %id, %error, "an account can't be read");
            Some(AccountSummary {
                kind: kind.inspect_err(unread).ok()?,
                domains: domains.remove(&row.id).unwrap_or_default(),
                id,
                label: row.label,
                created_at: row.created_at,
                given_by: row.created_by.map(UserId),
            })
        };
        Ok(rows.into_iter().filter_map(summary).collect())
    }

    async fn find(&self, id: SearchAccountId) -> Result<Option<Account>, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: Option<AccountRow> = search_accounts::table
            .find(id.0)
            .select(AccountRow::as_select())
            .first(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        drop(connection);
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Account {
            id,
            workspace: WorkspaceId(row.workspace_id),
            credentials: self.seal.open(&self.database, id, &row.sealed).await?,
            label: row.label,
            given_by: row.created_by.map(UserId),
        }))
    }

    async fn remove(&self, id: SearchAccountId, actor: &Actor, now: OffsetDateTime) -> Result<(), LinkError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<LinkError>, _>(async |connection| {
                let workspace: Option<Uuid> = search_accounts::table
                    .find(id.0)
                    .for_update()
                    .select(search_accounts::workspace_id)
                    .first(connection)
                    .await
                    .optional()?;
                let workspace = workspace.ok_or(Abort::Port(LinkError::NotFound("account")))?;
                let used: i64 = search_properties::table
                    .filter(search_properties::account_id.eq(id.0))
                    .count()
                    .get_result(connection)
                    .await?;
                if used > 0 {
                    return Err(Abort::Port(LinkError::InUse));
                }
                diesel::delete(search_accounts::table.find(id.0))
                    .execute(connection)
                    .await?;
                let details = json!({ "workspace_id": workspace });
                audit::record(
                    connection,
                    By { actor, now },
                    "search_account.remove",
                    id,
                    details,
                )
                .await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn domain(&self, id: DomainId) -> Result<Option<(Hostname, WorkspaceId)>, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: Option<(String, Uuid)> = domains::table
            .find(id.0)
            .filter(domains::deleted_at.is_null())
            .select((domains::hostname, domains::workspace_id))
            .first(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        let Some((hostname, workspace)) = row else {
            return Ok(None);
        };
        Ok(Some((names::hostname(&hostname)?, WorkspaceId(workspace))))
    }

    async fn link(&self, link: &NewLink, actor: &Actor, now: OffsetDateTime) -> Result<(), LinkError> {
        let now = to_micros(now);
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<LinkError>, _>(async |connection| {
                let workspace: Option<Uuid> = domains::table
                    .find(link.domain.0)
                    .filter(domains::deleted_at.is_null())
                    .for_no_key_update()
                    .select(domains::workspace_id)
                    .first(connection)
                    .await
                    .optional()?;
                let workspace = workspace.ok_or(Abort::Port(LinkError::NotFound("domain")))?;
                let account: Option<(Uuid, Option<Uuid>)> = search_accounts::table
                    .find(link.account.0)
                    .for_key_share()
                    .select((search_accounts::workspace_id, search_accounts::created_by))
                    .first(connection)
                    .await
                    .optional()?;
                let (owner, giver) = account.ok_or(Abort::Port(LinkError::NotFound("account")))?;
                if owner != workspace {
                    return Err(Abort::Port(LinkError::Foreign));
                }
                if let Some(giver) = giver {
                    let is_member: bool = diesel::select(exists(members::table.find((workspace, giver))))
                        .get_result(connection)
                        .await?;
                    if !is_member {
                        return Err(Abort::Port(LinkError::GiverLeft));
                    }
                }
                let settings: Option<Json<SearchSettings>> = search_configs::table
                    .find(link.domain.0)
                    .select(search_configs::settings)
                    .first(connection)
                    .await
                    .optional()?;
                let settings = settings.map(|settings| settings.read("the settings of search"));
                let settings = settings.transpose().map_err(Abort::port)?.unwrap_or_default();
                let types: Vec<&str> = settings.search_types.iter().map(|kind| kind.as_str()).collect();
                // An import under way stores its day first, or finds that it is of no link any more.
                alone(connection, link.domain).await?;
                // The row of the link is locked before that of its rotation, as the end of an import does.
                let site_before: Option<String> = search_properties::table
                    .find(link.domain.0)
                    .for_update()
                    .select(search_properties::site_url)
                    .first(connection)
                    .await
                    .optional()?;
                if site_before.as_ref() != Some(&link.site_url) {
                    // Nothing is known yet of the new property.
                    forget_imports(connection, link.domain).await?;
                    diesel::delete(search_properties::table.find(link.domain.0))
                        .execute(connection)
                        .await?;
                }
                begin_source(connection, link.domain, &link.site_url).await?;
                indexing::linked(
                    connection,
                    link.domain,
                    WorkspaceId(workspace),
                    &link.site_url,
                    now,
                )
                .await?;
                let linked = (
                    search_properties::permission.eq(link.permission.as_str()),
                    search_properties::status.eq(PropertyStatus::Pending.as_str()),
                    search_properties::search_types.eq(types),
                    search_properties::linked_at.eq(now),
                    search_properties::linked_by.eq(link.linked_by.map(|user| user.0)),
                    search_properties::account_id.eq(link.account.0),
                    search_properties::next_sync_at.eq(now),
                    search_properties::newest_due_at.eq(now),
                    search_properties::leased_until.eq(None::<OffsetDateTime>),
                    search_properties::sync_failures.eq(0),
                );
                diesel::insert_into(search_properties::table)
                    .values((
                        search_properties::domain_id.eq(link.domain.0),
                        search_properties::workspace_id.eq(workspace),
                        search_properties::site_url.eq(&link.site_url),
                        linked.clone(),
                    ))
                    .on_conflict(search_properties::domain_id)
                    .do_update()
                    .set(linked)
                    .execute(connection)
                    .await?;
                due::announce(connection, &[LANE.to_owned()], "").await?;
                let details = json!({
                    "workspace_id": workspace, "account_id": link.account, "site_url": link.site_url,
                });
                audit::record(
                    connection,
                    By { actor, now },
                    "search_property.link",
                    link.domain,
                    details,
                )
                .await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn unlink(&self, domain: DomainId, actor: &Actor, now: OffsetDateTime) -> Result<(), LinkError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<LinkError>, _>(async |connection| {
                alone(connection, domain).await?;
                forget_imports(connection, domain).await?;
                let deleted: Option<(Uuid, String)> = diesel::delete(search_properties::table.find(domain.0))
                    .returning((search_properties::workspace_id, search_properties::site_url))
                    .get_result(connection)
                    .await
                    .optional()?;
                let (workspace, site_url) =
                    deleted.ok_or(Abort::Port(LinkError::NotFound("linked property")))?;
                let details = json!({ "workspace_id": workspace, "site_url": site_url });
                audit::record(
                    connection,
                    By { actor, now },
                    "search_property.unlink",
                    domain,
                    details,
                )
                .await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }
}
