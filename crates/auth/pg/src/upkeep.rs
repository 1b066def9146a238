//! Forgets what has lapsed of OAuth and of sign-ins.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult,
    dsl::{exists, not},
    sql_types::Timestamptz,
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::FutureExt;
use pharos_auth::{
    oauth::client::IDLE_FOR,
    sign_in::session::{self, LIFETIME, SET_UP_WITHIN},
};
use pharos_domain::{ids::UserId, store::StoreError};
use pharos_persistence::{
    failure::failure,
    group::{PgGroup, UpkeepStep},
    pool::Database,
    seal::SealedColumn,
    sql,
};
use time::{Duration, OffsetDateTime};

use crate::{
    ports::ports,
    schema::{
        oauth_clients, oauth_codes, oauth_decisions, oauth_grants, oauth_refresh_tokens, pending_sign_ins,
        second_factors, sessions, sign_in_links,
    },
};

/// How long a superseded refresh token is kept after it has expired, as long as its grant lives.
///
/// One that comes back ends its grant, since either it or its successors are in the hands of a thief (RFC 9700, section 4.14.2).
/// That must not end with the 90 days for which a refresh token is good: a thief who refreshes for longer than that, while the
/// app that was robbed is not used, would never be found out. The RFC names no time. A year is bounded and long enough: an app
/// that nobody has used for fifteen months is connected anew without anybody wondering. A grant that is refreshed each hour,
/// as long as an access token is good, has 11,000 tokens then, about 2 MB; each ten minutes, 65,000. There is no bound by
/// number, since a thief could reach one on purpose: the limit of the token endpoint keeps a flood down.
const SUPERSEDED_FOR: Duration = Duration::days(365);

/// Credentials and sign-ins, as the kit and the other groups know them.
pub const GROUP: PgGroup = PgGroup {
    ports,
    upkeep: &[
        UpkeepStep {
            name: "OAuth",
            run: |database, now| oauth(database, now).boxed(),
        },
        UpkeepStep {
            name: "sign-ins",
            run: |database, now| sign_ins(database, now).boxed(),
        },
    ],
    sealed_by_installation: &[SealedColumn {
        table: "second_factors",
        column: "secret",
    }],
    user_disabled: Some(|connection, user| sign_out(connection, user).boxed()),
    ..PgGroup::of(pharos_persistence::schema!("auth"))
};

async fn oauth(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    forget_oauth(&mut connection, now).await.map_err(failure)
}

async fn sign_ins(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    forget_sign_ins(&mut connection, now).await.map_err(failure)
}

/// Ends all sessions, sign-ins that wait, and links of a user.
async fn sign_out(connection: &mut AsyncPgConnection, user: UserId) -> QueryResult<()> {
    diesel::delete(sessions::table.filter(sessions::user_id.eq(user.0)))
        .execute(connection)
        .await?;
    diesel::delete(pending_sign_ins::table.filter(pending_sign_ins::user_id.eq(user.0)))
        .execute(connection)
        .await?;
    diesel::delete(sign_in_links::table.filter(sign_in_links::user_id.eq(user.0)))
        .execute(connection)
        .await
        .map(|_| ())
}

/// Forgets what nobody can come back with any more. A code is kept for a day, since one that comes back revokes its
/// grant.
async fn forget_oauth(connection: &mut AsyncPgConnection, now: OffsetDateTime) -> QueryResult<()> {
    diesel::delete(oauth_decisions::table.filter(oauth_decisions::lapses_at.le(now)))
        .execute(connection)
        .await?;
    diesel::delete(oauth_codes::table.filter(oauth_codes::expires_at.le(now - Duration::DAY)))
        .execute(connection)
        .await?;
    // A grant whose last refresh token has expired is over, and what that one superseded goes with it.
    sql!(text "DELETE FROM oauth_refresh_tokens AS t
        WHERE t.expires_at <= $1 AND NOT EXISTS (
            SELECT FROM oauth_refresh_tokens AS o WHERE o.grant_id = t.grant_id AND o.expires_at > $1
        )")
    .bind::<Timestamptz, _>(now)
    .execute(connection)
    .await?;
    let forgotten =
        oauth_refresh_tokens::table.filter(oauth_refresh_tokens::expires_at.le(now - SUPERSEDED_FOR));
    diesel::delete(forgotten).execute(connection).await?;
    // The last refresh token outlives every access token.
    let of_grant = oauth_refresh_tokens::table.filter(oauth_refresh_tokens::grant_id.eq(oauth_grants::id));
    diesel::delete(oauth_grants::table.filter(not(exists(of_grant))))
        .execute(connection)
        .await?;
    let in_hand = |client| oauth_codes::table.filter(oauth_codes::client_id.eq(client));
    diesel::delete(
        oauth_clients::table
            .filter(oauth_clients::created_at.le(now - IDLE_FOR))
            .filter(oauth_clients::granted_at.is_null())
            .filter(not(exists(in_hand(oauth_clients::id)))),
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Sessions that no longer hold, links that nobody used, sign-ins and second factors that nobody went on with.
async fn forget_sign_ins(connection: &mut AsyncPgConnection, now: OffsetDateTime) -> QueryResult<()> {
    let ended = sessions::table
        .filter(sessions::signed_in_at.le(now - LIFETIME))
        .or_filter(sessions::last_used_at.le(now - session::IDLE_FOR));
    diesel::delete(ended).execute(connection).await?;
    diesel::delete(pending_sign_ins::table.filter(pending_sign_ins::expires_at.le(now)))
        .execute(connection)
        .await?;
    let unconfirmed = second_factors::table
        .filter(second_factors::confirmed_at.is_null())
        .filter(second_factors::made_at.le(now - SET_UP_WITHIN));
    diesel::delete(unconfirmed).execute(connection).await?;
    diesel::delete(sign_in_links::table.filter(sign_in_links::expires_at.le(now)))
        .execute(connection)
        .await
        .map(|_| ())
}
