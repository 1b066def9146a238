//! Workspaces.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult, SelectableHelper,
    prelude::{Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_account::{
    admin::{
        AdminError, check_name,
        workspaces::{MOST_OWNED, WorkspaceAdmin, WorkspaceDetails},
    },
    subscription::{self, PlanChange},
};
use pharos_domain::{
    audit::Actor,
    identity::SubscriptionStatus,
    ids::{UserId, WorkspaceId},
    role::Role,
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    notices,
    pool::Database,
    schema::{members, plans, workspaces},
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{hold_user, missing};

/// Changes of workspaces in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgWorkspaceAdmin {
    database: Database,
}

impl PgWorkspaceAdmin {
    /// The workspaces of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = workspaces)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct WorkspaceRow {
    id: Uuid,
    name: String,
    plan_key: String,
    subscription_status: String,
    created_at: OffsetDateTime,
}

impl TryFrom<WorkspaceRow> for WorkspaceDetails {
    type Error = StoreError;

    fn try_from(row: WorkspaceRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: WorkspaceId(row.id),
            name: row.name,
            plan: row.plan_key,
            subscription_status: row.subscription_status.parse()?,
            created_at: row.created_at,
        })
    }
}

/// The plan, which stays while the transaction lasts.
async fn require_plan(connection: &mut AsyncPgConnection, plan: &str) -> Result<(), Abort<AdminError>> {
    let found: Option<String> = plans::table
        .find(plan)
        .for_key_share()
        .select(plans::key)
        .first(connection)
        .await
        .optional()?;
    missing(found, "plan").map(|_| ())
}

/// Locks a workspace. Charges, which hold its balance, may look whether it is there meanwhile.
async fn lock(
    connection: &mut AsyncPgConnection,
    id: WorkspaceId,
) -> Result<WorkspaceRow, Abort<AdminError>> {
    let row: Option<WorkspaceRow> = workspaces::table
        .find(id.0)
        .for_no_key_update()
        .select(WorkspaceRow::as_select())
        .first(connection)
        .await
        .optional()?;
    missing(row, "workspace")
}

/// Tells the people of a workspace that it is on another plan.
async fn tell_plan(
    connection: &mut AsyncPgConnection,
    workspace: &WorkspaceRow,
    previous: &str,
    now: OffsetDateTime,
) -> QueryResult<()> {
    let (name, credits): (String, i64) = plans::table
        .find(&workspace.plan_key)
        .select((plans::name, plans::credits_per_cycle))
        .first(connection)
        .await?;
    let change = PlanChange {
        key: &workspace.plan_key,
        name: &name,
        credits_per_cycle: credits,
        previous,
    };
    notices::tell(
        connection,
        &subscription::plan_notice(WorkspaceId(workspace.id), &change, now),
    )
    .await
}

/// Refuses a user at the console, who is held, where they own as many workspaces as they may. Whoever is at the command line makes
/// any number.
async fn admit(
    connection: &mut AsyncPgConnection,
    actor: &Actor,
    owner: UserId,
) -> Result<(), Abort<AdminError>> {
    if Actor::user_of(actor.as_str()).is_none() {
        return Ok(());
    }
    let owned: i64 = members::table
        .filter(members::user_id.eq(owner.0))
        .filter(members::role.eq(Role::Owner.as_str()))
        .count()
        .get_result(connection)
        .await?;
    if usize::try_from(owned).is_ok_and(|owned| owned < MOST_OWNED) {
        Ok(())
    } else {
        Err(Abort::Port(AdminError::Invalid(format!(
            "You own {MOST_OWNED} workspaces already. Whoever runs this Pharos can make more."
        ))))
    }
}

async fn insert(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceRow,
    owner: UserId,
) -> Result<WorkspaceRow, Abort<AdminError>> {
    require_plan(connection, &workspace.plan_key).await?;
    let (id, now) = (workspace.id, workspace.created_at);
    let row = diesel::insert_into(workspaces::table)
        .values(workspace)
        .returning(WorkspaceRow::as_returning())
        .get_result(connection)
        .await?;
    diesel::insert_into(members::table)
        .values((
            members::workspace_id.eq(id),
            members::user_id.eq(owner.0),
            members::role.eq(Role::Owner.as_str()),
            members::created_at.eq(now),
        ))
        .execute(connection)
        .await?;
    Ok(row)
}

#[async_trait]
impl WorkspaceAdmin for PgWorkspaceAdmin {
    async fn create(
        &self,
        name: &str,
        owner: UserId,
        plan: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<WorkspaceDetails, AdminError> {
        let name = check_name("a workspace's name", name)?;
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                hold_user(connection, owner).await?;
                admit(connection, actor, owner).await?;
                let id = WorkspaceId::generate();
                let workspace = WorkspaceRow {
                    id: id.0,
                    name: name.clone(),
                    plan_key: plan.to_owned(),
                    subscription_status: SubscriptionStatus::Active.to_string(),
                    created_at: now,
                };
                let row = insert(connection, workspace, owner).await?;
                let details = json!({ "name": name, "owner": owner, "plan": plan });
                audit::record(connection, by, "workspace.create", id, details).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.try_into()?)
    }

    async fn rename(
        &self,
        id: WorkspaceId,
        name: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<WorkspaceDetails, AdminError> {
        let name = check_name("a workspace's name", name)?;
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                lock(connection, id).await?;
                let row: WorkspaceRow = diesel::update(workspaces::table.find(id.0))
                    .set(workspaces::name.eq(&name))
                    .returning(WorkspaceRow::as_returning())
                    .get_result(connection)
                    .await?;
                audit::record(connection, by, "workspace.rename", id, json!({ "name": name })).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.try_into()?)
    }

    async fn set_plan(
        &self,
        id: WorkspaceId,
        plan: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<WorkspaceDetails, AdminError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                require_plan(connection, plan).await?;
                let before = lock(connection, id).await?;
                let row: WorkspaceRow = diesel::update(workspaces::table.find(id.0))
                    .set(workspaces::plan_key.eq(plan))
                    .returning(WorkspaceRow::as_returning())
                    .get_result(connection)
                    .await?;
                if row.plan_key != before.plan_key {
                    tell_plan(connection, &row, &before.plan_key, now).await?;
                }
                audit::record(connection, by, "workspace.set-plan", id, json!({ "plan": plan })).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.try_into()?)
    }

    async fn set_subscription(
        &self,
        id: WorkspaceId,
        status: SubscriptionStatus,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<WorkspaceDetails, AdminError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                let before = lock(connection, id).await?;
                let row: WorkspaceRow = diesel::update(workspaces::table.find(id.0))
                    .set(workspaces::subscription_status.eq(status.as_str()))
                    .returning(WorkspaceRow::as_returning())
                    .get_result(connection)
                    .await?;
                if row.subscription_status != before.subscription_status {
                    let notice = subscription::status_notice(id, status, &before.subscription_status, now);
                    notices::tell(connection, &notice).await?;
                }
                let details = json!({ "subscription_status": status });
                audit::record(connection, by, "workspace.set-subscription", id, details).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.try_into()?)
    }

    async fn list(&self) -> Result<Vec<WorkspaceDetails>, StoreError> {
        let mut connection = self.database.connection().await?;
        let rows: Vec<WorkspaceRow> = workspaces::table
            .order((workspaces::created_at, workspaces::id))
            .select(WorkspaceRow::as_select())
            .load(&mut connection)
            .await
            .map_err(failure)?;
        let read = |row: WorkspaceRow| {
            let workspace = row.id;
            // The others are listed all the same.
            WorkspaceDetails::try_from(row)
                .inspect_err(|error| tracing::error!(%workspace, %error, "a workspace can't be read"))
                .ok()
        };
        Ok(rows.into_iter().filter_map(read).collect())
    }
}
