//! The way in of who has given their password: a session, or a sign-in that waits for the second factor.

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryResult,
    dsl::{exists, select},
    prelude::Insertable,
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use ipnet::IpNet;
use pharos_auth::{
    secret::SecretDigest,
    sign_in::{
        session::PENDING_FOR,
        store::{Account, SessionOrigin, Way, Ways},
    },
};
use pharos_domain::{ids::UserId, store::StoreError};
use pharos_persistence::{failure::Abort, pool::Database, schema::users};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::{pending_sign_ins, second_factors, sessions, user_passwords};

#[derive(Insertable)]
#[diesel(table_name = sessions)]
struct NewSessionRow<'a> {
    digest: &'a [u8],
    user_id: Uuid,
    signed_in_at: OffsetDateTime,
    last_used_at: OffsetDateTime,
    source: Option<IpNet>,
    browser: Option<&'a str>,
}

#[derive(Insertable)]
#[diesel(table_name = pending_sign_ins)]
struct NewPendingRow<'a> {
    digest: &'a [u8],
    user_id: Uuid,
    expires_at: OffsetDateTime,
}

/// Lets an account in by its password. `None` where that was changed, or the user disabled, since the account was read.
pub(super) async fn begin(
    database: &Database,
    ways: &Ways,
    account: &Account,
    (origin, now): (&SessionOrigin, OffsetDateTime),
) -> Result<Option<Way>, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            let user = account.user;
            if !is_enabled(connection, user).await? {
                return Ok(None);
            }
            let known: Option<Uuid> = user_passwords::table
                .find(user.0)
                .filter(user_passwords::hash.eq(&account.password.0))
                .for_share()
                .select(user_passwords::user_id)
                .first(connection)
                .await
                .optional()?;
            match known {
                Some(_) => Ok(Some(let_in(connection, user, ways, (origin, now)).await?)),
                None => Ok(None),
            }
        })
        .await
        .map_err(Abort::answer)
}

/// Whether the user is enabled, and stays so; nor is a second factor switched on or off, until the transaction ends.
pub(super) async fn is_enabled(connection: &mut AsyncPgConnection, user: UserId) -> QueryResult<bool> {
    let enabled: Option<Uuid> = users::table
        .find(user.0)
        .filter(users::disabled_at.is_null())
        .for_share()
        .select(users::id)
        .first(connection)
        .await
        .optional()?;
    Ok(enabled.is_some())
}

/// Holds the user, so that nobody else changes how they sign in until the transaction ends. `false` where they are disabled.
/// Whoever changes several of their rows takes this lock before any of those, as whoever disables the user does: none waits for
/// another in a circle.
pub(super) async fn hold(connection: &mut AsyncPgConnection, user: UserId) -> QueryResult<bool> {
    let held: Option<Uuid> = users::table
        .find(user.0)
        .filter(users::disabled_at.is_null())
        .for_no_key_update()
        .select(users::id)
        .first(connection)
        .await
        .optional()?;
    Ok(held.is_some())
}

/// Lets a user in whose password was right. [`is_enabled`] or [`hold`] holds them still.
pub(super) async fn let_in(
    connection: &mut AsyncPgConnection,
    user: UserId,
    ways: &Ways,
    (origin, now): (&SessionOrigin, OffsetDateTime),
) -> QueryResult<Way> {
    let on = second_factors::table
        .find(user.0)
        .filter(second_factors::confirmed_at.is_not_null());
    if !select(exists(on)).get_result(connection).await? {
        begin_session(connection, user, &ways.session, (origin, now)).await?;
        return Ok(Way::Session);
    }
    diesel::insert_into(pending_sign_ins::table)
        .values(NewPendingRow {
            digest: &ways.pending.0,
            user_id: user.0,
            expires_at: now + PENDING_FOR,
        })
        .execute(connection)
        .await?;
    Ok(Way::Pending)
}

/// Begins a session.
pub(super) async fn begin_session(
    connection: &mut AsyncPgConnection,
    user: UserId,
    session: &SecretDigest,
    (origin, now): (&SessionOrigin, OffsetDateTime),
) -> QueryResult<()> {
    diesel::insert_into(sessions::table)
        .values(NewSessionRow {
            digest: &session.0,
            user_id: user.0,
            signed_in_at: now,
            last_used_at: now,
            source: origin.source.0.map(IpNet::from),
            browser: origin.browser.as_deref(),
        })
        .execute(connection)
        .await
        .map(|_| ())
}
