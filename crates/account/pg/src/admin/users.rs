//! Users.

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    dsl::sql,
    prelude::{Insertable, Queryable, Selectable},
    sql_types::{Bool, Text},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_account::admin::{
    AdminError, check_name,
    users::{User, UserAdmin, check_email},
};
use pharos_domain::{audit::Actor, ids::UserId, store::StoreError};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    pool::Database,
    schema::users,
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{missing, taken};

/// Users in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgUserAdmin {
    database: Database,
}

impl PgUserAdmin {
    /// The users of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = users)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct UserRow {
    id: Uuid,
    email: String,
    name: String,
    disabled_at: Option<OffsetDateTime>,
    created_at: OffsetDateTime,
    is_operator: bool,
}

impl From<UserRow> for User {
    fn from(row: UserRow) -> Self {
        Self {
            id: UserId(row.id),
            email: row.email,
            name: row.name,
            disabled_at: row.disabled_at,
            created_at: row.created_at,
            is_operator: row.is_operator,
        }
    }
}

#[async_trait]
impl UserAdmin for PgUserAdmin {
    async fn create(
        &self,
        email: &str,
        name: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<User, AdminError> {
        let (email, name) = (check_email(email)?, check_name("a user's name", name)?);
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                let id = UserId::generate();
                let inserted = diesel::insert_into(users::table)
                    .values(UserRow {
                        id: id.0,
                        email: email.clone(),
                        name: name.clone(),
                        disabled_at: None,
                        created_at: now,
                        is_operator: false,
                    })
                    .returning(UserRow::as_returning())
                    .get_result(connection)
                    .await;
                let row: UserRow = taken(inserted, "user")?;
                audit::record(
                    connection,
                    by,
                    "user.create",
                    id,
                    json!({ "email": email, "name": name }),
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

    async fn set_disabled(
        &self,
        id: UserId,
        disabled: bool,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<User, AdminError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                let row: Option<UserRow> = users::table
                    .find(id.0)
                    .for_no_key_update()
                    .select(UserRow::as_select())
                    .first(connection)
                    .await
                    .optional()?;
                let before = missing(row, "user")?;
                // Somebody who is disabled already stays so from the first time on.
                let since = disabled.then(|| before.disabled_at.unwrap_or(now));
                let row: UserRow = diesel::update(users::table.find(id.0))
                    .set(users::disabled_at.eq(since))
                    .returning(UserRow::as_returning())
                    .get_result(connection)
                    .await?;
                if disabled {
                    let hooks = self
                        .database
                        .groups()
                        .iter()
                        .filter_map(|group| group.user_disabled);
                    for disabled in hooks {
                        disabled(connection, id).await?;
                    }
                }
                let action = if disabled { "user.disable" } else { "user.enable" };
                audit::record(connection, by, action, id, json!({ "email": row.email })).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        drop(connection);
        self.database.await_acknowledgement().await;
        Ok(row.into())
    }

    async fn set_operator(
        &self,
        id: UserId,
        is_operator: bool,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<User, AdminError> {
        let by = By { actor, now };
        let mut connection = self.database.connection().await?;
        let row = connection
            .transaction::<_, Abort<AdminError>, _>(async |connection| {
                let row: Option<UserRow> = diesel::update(users::table.find(id.0))
                    .set(users::is_operator.eq(is_operator))
                    .returning(UserRow::as_returning())
                    .get_result(connection)
                    .await
                    .optional()?;
                let row = missing(row, "user")?;
                let details = json!({ "email": row.email, "is_operator": is_operator });
                audit::record(connection, by, "user.set-operator", id, details).await?;
                Ok(row)
            })
            .await
            .map_err(Abort::answer)?;
        Ok(row.into())
    }

    async fn find(&self, email: &str) -> Result<Option<User>, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: Option<UserRow> = users::table
            .filter(
                sql::<Bool>("lower(email) = lower(")
                    .bind::<Text, _>(email.trim())
                    .sql(")"),
            )
            .select(UserRow::as_select())
            .first(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        Ok(row.map(User::from))
    }

    async fn by_ids(&self, ids: &[UserId]) -> Result<Vec<User>, StoreError> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let mut connection = self.database.connection().await?;
        let rows: Vec<UserRow> = users::table
            .filter(users::id.eq_any(ids))
            .select(UserRow::as_select())
            .load(&mut connection)
            .await
            .map_err(failure)?;
        Ok(rows.into_iter().map(User::from).collect())
    }

    async fn list(&self) -> Result<Vec<User>, StoreError> {
        let mut connection = self.database.connection().await?;
        let rows: Vec<UserRow> = users::table
            .order((users::created_at, users::id))
            .select(UserRow::as_select())
            .load(&mut connection)
            .await
            .map_err(failure)?;
        Ok(rows.into_iter().map(User::from).collect())
    }
}
