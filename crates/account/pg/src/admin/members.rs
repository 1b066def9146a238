//! Members.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, SelectableHelper,
    prelude::{Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_account::admin::{
    AdminError,
    members::{self as rules, Member, MemberAdmin},
};
use pharos_domain::{
    audit::Actor,
    ids::{UserId, WorkspaceId},
    patch::Patch,
    role::Role,
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    pool::Database,
    schema::{members, users},
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{hold_workspace, missing};

/// Members in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgMemberAdmin {
    database: Database,
}

impl PgMemberAdmin {
    /// The members of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = members)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct MemberRow {
    workspace_id: Uuid,
    user_id: Uuid,
    role: String,
    credit_cap: Option<i64>,
    created_at: OffsetDateTime,
}

impl MemberRow {
    fn member(self, email: String) -> Result<Member, StoreError> {
        Ok(Member {
            workspace_id: WorkspaceId(self.workspace_id),
            user_id: UserId(self.user_id),
            email,
            role: self.role.parse()?,
            credit_cap: self.credit_cap,
            created_at: self.created_at,
        })
    }
}

/// Refuses what a user at the console may not do by the roles that there are where the members are locked: since their page was
/// made, they or the other may have got another role. Whoever is at the command line may do all.
async fn admit(
    connection: &mut AsyncPgConnection,
    actor: &Actor,
    (workspace, user): (WorkspaceId, UserId),
    after: Option<Role>,
) -> Result<(), Abort<AdminError>> {
    let Some(maker) = Actor::user_of(actor.as_str()) else {
        return Ok(());
    };
    // Everybody may leave.
    if maker == user && after.is_none() {
        return Ok(());
    }
    let roles: Vec<(Uuid, String)> = members::table
        .filter(members::workspace_id.eq(workspace.0))
        .filter(members::user_id.eq_any([maker.0, user.0]))
        .select((members::user_id, members::role))
        .load(connection)
        .await?;
    let role_of = |id: UserId| -> Result<Option<Role>, StoreError> {
        match roles.iter().find(|(user, _)| *user == id.0) {
            Some((_, role)) => Ok(Some(role.parse()?)),
            None => Ok(None),
        }
    };
    let by = role_of(maker).map_err(Abort::<AdminError>::port)?;
    let before = role_of(user).map_err(Abort::<AdminError>::port)?;
    if by.is_some_and(|by| rules::may_change(by, before, after)) {
        Ok(())
    } else {
        Err(Abort::Port(AdminError::Invalid(
            "roles were changed meanwhile, and yours does not allow this any more; load the page again"
                .to_owned(),
        )))
    }
}

/// Refuses if `user` is the only owner who can sign in: one who is disabled looks after nothing.
async fn keep_an_owner(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    user: UserId,
) -> Result<(), Abort<AdminError>> {
    let owners: Vec<(Uuid, Option<OffsetDateTime>)> = members::table
        .inner_join(users::table.on(diesel::ExpressionMethods::eq(users::id, members::user_id)))
        .filter(members::workspace_id.eq(workspace.0))
        .filter(members::role.eq(Role::Owner.as_str()))
        .select((members::user_id, users::disabled_at))
        .load(connection)
        .await?;
    let is_one = owners.iter().any(|(owner, _)| *owner == user.0);
    let is_another =
        |(owner, disabled_at): &(Uuid, Option<OffsetDateTime>)| *owner != user.0 && disabled_at.is_none();
    if is_one && !owners.iter().any(is_another) {
        Err(Abort::Port(AdminError::LastOwner))
    } else {
        Ok(())
    }
}

/// Adds a member or changes one, where the members are locked. The outer `None` leaves the cap as it is, the inner empties it.
async fn put(
    connection: &mut AsyncPgConnection,
    by: By<'_>,
    (workspace, user): (WorkspaceId, UserId),
    role: Role,
    credit_cap: Option<Option<i64>>,
) -> Result<(MemberRow, String), Abort<AdminError>> {
    let email: Option<String> = users::table
        .find(user.0)
        .for_key_share()
        .select(users::email)
        .first(connection)
        .await
        .optional()?;
    let email = missing(email, "user")?;
    if role != Role::Owner {
        keep_an_owner(connection, workspace, user).await?;
    }
    let row: MemberRow = diesel::insert_into(members::table)
        .values(MemberRow {
            workspace_id: workspace.0,
            user_id: user.0,
            role: role.to_string(),
            credit_cap: credit_cap.flatten(),
            created_at: by.now,
        })
        .on_conflict((members::workspace_id, members::user_id))
        .do_update()
        .set((
            members::role.eq(role.as_str()),
            credit_cap.map(|cap| members::credit_cap.eq(cap)),
        ))
        .returning(MemberRow::as_returning())
        .get_result(connection)
        .await?;
    let details = json!({ "user_id": user, "email": email, "role": role, "credit_cap": row.credit_cap });
    audit::record(connection, by, "member.put", workspace, details).await?;
    Ok((row, email))
}

/// The role of a member, where the members are locked.
async fn role_of(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    user: UserId,
) -> Result<String, Abort<AdminError>> {
    let role: Option<String> = members::table
        .find((workspace.0, user.0))
        .select(members::role)
        .first(connection)
        .await
        .optional()?;
    missing(role, "member")
}

#[async_trait]
impl MemberAdmin for PgMemberAdmin {
    async fn put(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        role: Role,
        credit_cap: Patch<i64>,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Member, AdminError> {
        rules::check_cap(&credit_cap)?;
        let credit_cap: Option<Option<i64>> = match credit_cap {
            Patch::Keep => None,
            Patch::Clear => Some(None),
            Patch::Set(credits) => Some(Some(credits)),
        };
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let (row, email) = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                hold_workspace(connection, workspace).await?;
                admit(connection, actor, (workspace, user), Some(role)).await?;
                put(connection, by, (workspace, user), role, credit_cap).await
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.member(email)?)
    }

    async fn hand_over(
        &self,
        workspace: WorkspaceId,
        owner: UserId,
        next: UserId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), AdminError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                hold_workspace(connection, workspace).await?;
                role_of(connection, workspace, next).await?;
                if role_of(connection, workspace, owner).await? != Role::Owner.as_str() {
                    return Err(Abort::Port(AdminError::NotFound("owner")));
                }
                put(connection, by, (workspace, next), Role::Owner, None).await?;
                put(connection, by, (workspace, owner), Role::Admin, None).await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(())
    }

    async fn remove(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), AdminError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                hold_workspace(connection, workspace).await?;
                admit(connection, actor, (workspace, user), None).await?;
                keep_an_owner(connection, workspace, user).await?;
                let removed: Option<String> = diesel::delete(members::table.find((workspace.0, user.0)))
                    .returning(members::role)
                    .get_result(connection)
                    .await
                    .optional()?;
                let role = missing(removed, "member")?;
                let email: Option<String> = users::table
                    .find(user.0)
                    .select(users::email)
                    .first(connection)
                    .await
                    .optional()?;
                let details = json!({ "user_id": user, "email": email, "role": role });
                audit::record(connection, by, "member.remove", workspace, details).await?;
                Ok(())
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(())
    }

    async fn list(&self, workspace: WorkspaceId) -> Result<Vec<Member>, StoreError> {
        let mut connection = self.database.connection().await?;
        let rows: Vec<(MemberRow, String)> = members::table
            .inner_join(users::table.on(diesel::ExpressionMethods::eq(users::id, members::user_id)))
            .filter(members::workspace_id.eq(workspace.0))
            .order((members::created_at, members::user_id))
            .select((MemberRow::as_select(), users::email))
            .load(&mut connection)
            .await
            .map_err(failure)?;
        let member = |(row, email): (MemberRow, String)| {
            let user = row.user_id;
            // The others are listed all the same.
            row.member(email)
                .inspect_err(|error| tracing::error!(%workspace, %user, %error, "a member can't be read"))
                .ok()
        };
        Ok(rows.into_iter().filter_map(member).collect())
    }
}
