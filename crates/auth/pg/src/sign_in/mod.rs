//! Passwords, second factors, sessions and links.

mod change_password;
pub mod factors;
mod let_in;
mod link_makers;
mod own_sessions;
pub mod reach;
mod set_password;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, JoinOnDsl, OptionalExtension, QueryDsl, QueryResult,
    dsl::sql,
    sql_types::{Binary, Bool, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_auth::{
    secret::SecretDigest,
    sign_in::{
        forgotten::{ATTEMPTS, FORGOTTEN_PASSWORD, Forgotten},
        password::PasswordHash,
        store::{Account, ListedSession, Session, SessionOrigin, SignInStore, Way, Ways},
    },
};
use pharos_domain::{
    audit::Actor,
    identity::Source,
    ids::{JobId, UserId},
    jobs::NewJob,
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    jobs::enqueue,
    pool::Database,
    schema::{members, users},
    sql,
};
use serde_json::json;
use time::{Duration, OffsetDateTime};
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

/// Notes a new link in the trail of each workspace of its user: whoever has the link can act as them there. A user of none has
/// one row all the same.
async fn note_link(connection: &mut AsyncPgConnection, user: UserId, by: By<'_>) -> QueryResult<()> {
    let email: String = users::table
        .find(user.0)
        .select(users::email)
        .first(connection)
        .await?;
    let workspaces: Vec<Uuid> = members::table
        .filter(members::user_id.eq(user.0))
        .order(members::workspace_id)
        .select(members::workspace_id)
        .load(connection)
        .await?;
    if workspaces.is_empty() {
        return audit::record(connection, by, "user.link", user, json!({ "email": email })).await;
    }
    for workspace in workspaces {
        let details = json!({ "email": email, "workspace_id": workspace });
        audit::record(connection, by, "user.link", user, details).await?;
    }
    Ok(())
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
        ways: &Ways,
        account: &Account,
        origin: &SessionOrigin,
        now: OffsetDateTime,
    ) -> Result<Option<Way>, StoreError> {
        let_in::begin(&self.database, ways, account, (origin, now)).await
    }

    async fn session(&self, session: &SecretDigest) -> Result<Option<Session>, StoreError> {
        let reader = self.database.reader().await?;
        let found: Option<(Uuid, String, String, OffsetDateTime, OffsetDateTime, bool)> = sessions::table
            .inner_join(users::table.on(users::id.eq(sessions::user_id)))
            .filter(sessions::digest.eq(session.0.as_slice()))
            .filter(users::disabled_at.is_null())
            .select((
                users::id,
                users::email,
                users::name,
                sessions::signed_in_at,
                sessions::last_used_at,
                users::is_operator,
            ))
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        Ok(found.map(
            |(user, email, name, signed_in_at, last_used_at, is_operator)| Session {
                user: UserId(user),
                email,
                name,
                signed_in_at,
                last_used_at,
                is_operator,
            },
        ))
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
        source: Source,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        let actor = Actor::user(account.user).from(source);
        let by = By { actor: &actor, now };
        change_password::change_password(&self.database, account, password, kept, by).await
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
                    note_link(connection, user, By { actor, now }).await?;
                }
                Ok(issued > 0)
            })
            .await
            .map_err(Abort::answer)
    }

    async fn user(&self, email: &str) -> Result<Option<UserId>, StoreError> {
        let reader = self.database.reader().await?;
        let found: Option<Uuid> = users::table
            .filter(
                sql::<Bool>("lower(email) = lower(")
                    .bind::<Text, _>(email)
                    .sql(")"),
            )
            .filter(users::disabled_at.is_null())
            .select(users::id)
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        Ok(found.map(UserId))
    }

    async fn forgot(&self, forgotten: &Forgotten) -> Result<(), StoreError> {
        let Forgotten { email, source } = forgotten;
        let job = NewJob {
            id: JobId::generate(),
            kind: FORGOTTEN_PASSWORD,
            lane: None,
            workspace: None,
            payload: json!({ "email": email, "source": source }),
            pause: Duration::ZERO,
            max_attempts: ATTEMPTS,
        };
        let mut connection = self.database.connection().await?;
        enqueue(&mut connection, &[job]).await.map_err(failure)
    }

    async fn link_makers(&self, user: UserId, now: OffsetDateTime) -> Result<Vec<UserId>, StoreError> {
        link_makers::list(&self.database, user, now).await
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
        ways: &Ways,
        origin: &SessionOrigin,
        now: OffsetDateTime,
    ) -> Result<Option<Way>, StoreError> {
        set_password::set_password(&self.database, link, password, ways, (origin, now)).await
    }
}
