//! Passwords, sessions and links.

mod change_password;
mod own_sessions;
pub mod reach;
mod set_password;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl,
    dsl::sql,
    sql_types::{Binary, Bool, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_auth::{
    secret::SecretDigest,
    sign_in::{
        password::PasswordHash,
        store::{Account, ListedSession, Session, SignInStore},
    },
};
use pharos_domain::{audit::Actor, ids::UserId, store::StoreError};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    pool::Database,
    schema::users,
    sql,
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::{sessions, sign_in_links, user_passwords};

/// Passwords, sessions and links in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSignInStore {
    database: Database,
}

impl PgSignInStore {
    /// Those of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl SignInStore for PgSignInStore {
    async fn account(&self, email: &str) -> Result<Option<Account>, StoreError> {
        let reader = self.database.reader().await?;
        let found: Option<(Uuid, String)> = users::table
            .inner_join(user_passwords::table.on(user_passwords::user_id.eq(users::id)))
            .filter(
                sql::<Bool>("lower(email) = lower(")
                    .bind::<Text, _>(email)
                    .sql(")"),
            )
            .filter(users::disabled_at.is_null())
            .select((users::id, user_passwords::hash))
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        Ok(found.map(|(user, hash)| Account {
            user: UserId(user),
            password: PasswordHash(hash),
        }))
    }

    async fn begin(
        &self,
        session: &SecretDigest,
        account: &Account,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        let query = sql!("begin.sql")
            .bind::<Binary, _>(session.0.as_slice())
            .bind::<SqlUuid, _>(account.user.0)
            .bind::<Text, _>(&account.password.0)
            .bind::<Timestamptz, _>(now);
        let mut connection = self.database.connection().await?;
        let begun = query.execute(&mut connection).await.map_err(failure)?;
        Ok(begun > 0)
    }

    async fn session(&self, session: &SecretDigest) -> Result<Option<Session>, StoreError> {
        let reader = self.database.reader().await?;
        let found: Option<(Uuid, String, String, OffsetDateTime, OffsetDateTime)> = sessions::table
            .inner_join(users::table.on(users::id.eq(sessions::user_id)))
            .filter(sessions::digest.eq(session.0.as_slice()))
            .filter(users::disabled_at.is_null())
            .select((
                users::id,
                users::email,
                users::name,
                sessions::signed_in_at,
                sessions::last_used_at,
            ))
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        Ok(
            found.map(|(user, email, name, signed_in_at, last_used_at)| Session {
                user: UserId(user),
                email,
                name,
                signed_in_at,
                last_used_at,
            }),
        )
    }

    async fn touch(&self, session: &SecretDigest, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        diesel::update(sessions::table.find(session.0.as_slice()))
            .filter(sessions::last_used_at.lt(now))
            .set(sessions::last_used_at.eq(now))
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn end(&self, session: &SecretDigest) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        diesel::delete(sessions::table.find(session.0.as_slice()))
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn sessions(&self, user: UserId, now: OffsetDateTime) -> Result<Vec<ListedSession>, StoreError> {
        own_sessions::list(&self.database, user, now).await
    }

    async fn end_of_user(&self, session: &SecretDigest, user: UserId) -> Result<bool, StoreError> {
        own_sessions::end(&self.database, session, user).await
    }

    async fn change_password(
        &self,
        account: &Account,
        password: &PasswordHash,
        kept: &SecretDigest,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        change_password::change_password(&self.database, account, password, kept, now).await
    }

    async fn issue_link(
        &self,
        link: &SecretDigest,
        user: UserId,
        expires_at: OffsetDateTime,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let query = sql!("issue_link.sql")
                    .bind::<Binary, _>(link.0.as_slice())
                    .bind::<SqlUuid, _>(user.0)
                    .bind::<Timestamptz, _>(expires_at);
                let issued = query.execute(connection).await?;
                if issued > 0 {
                    audit::record(connection, By { actor, now }, "user.link", user, json!({})).await?;
                }
                Ok(issued > 0)
            })
            .await
            .map_err(Abort::answer)
    }

    async fn link(&self, link: &SecretDigest, now: OffsetDateTime) -> Result<Option<String>, StoreError> {
        let reader = self.database.reader().await?;
        sign_in_links::table
            .inner_join(users::table.on(users::id.eq(sign_in_links::user_id)))
            .filter(sign_in_links::digest.eq(link.0.as_slice()))
            .filter(sign_in_links::expires_at.gt(now))
            .filter(users::disabled_at.is_null())
            .select(users::email)
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)
    }

    async fn set_password(
        &self,
        link: &SecretDigest,
        password: &PasswordHash,
        session: &SecretDigest,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        set_password::set_password(&self.database, link, password, session, now).await
    }
}
