//! The use of a link.

use diesel::{ExpressionMethods, OptionalExtension, QueryDsl};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_auth::{
    secret::SecretDigest,
    sign_in::{
        password::PasswordHash,
        store::{SessionOrigin, Way, Ways},
    },
};
use pharos_domain::{audit::Actor, ids::UserId, store::StoreError};
use pharos_persistence::{
    audit::{self, By},
    failure::Abort,
    pool::Database,
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use super::let_in::{hold, let_in};
use crate::schema::{pending_sign_ins, sessions, sign_in_links, user_passwords};

/// Sets the password of the link's user; all their sessions end, and they are let in. `None` where the link is not good
/// any more.
pub(super) async fn set_password(
    database: &Database,
    link: &SecretDigest,
    password: &PasswordHash,
    ways: &Ways,
    (origin, now): (&SessionOrigin, OffsetDateTime),
) -> Result<Option<Way>, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            let good = || {
                sign_in_links::table
                    .filter(sign_in_links::digest.eq(link.0.as_slice()))
                    .filter(sign_in_links::expires_at.gt(now))
            };
            let user: Option<Uuid> = good()
                .select(sign_in_links::user_id)
                .first(connection)
                .await
                .optional()?;
            let Some(user) = user.map(UserId) else {
                return Ok(None);
            };
            if !hold(connection, user).await? {
                return Ok(None);
            }
            let used = diesel::delete(good().filter(sign_in_links::user_id.eq(user.0)))
                .execute(connection)
                .await?;
            if used == 0 {
                return Ok(None);
            }
            diesel::insert_into(user_passwords::table)
                .values((
                    user_passwords::user_id.eq(user.0),
                    user_passwords::hash.eq(&password.0),
                    user_passwords::changed_at.eq(now),
                ))
                .on_conflict(user_passwords::user_id)
                .do_update()
                .set((
                    user_passwords::hash.eq(&password.0),
                    user_passwords::changed_at.eq(now),
                ))
                .execute(connection)
                .await?;
            diesel::delete(sessions::table.filter(sessions::user_id.eq(user.0)))
                .execute(connection)
                .await?;
            diesel::delete(pending_sign_ins::table.filter(pending_sign_ins::user_id.eq(user.0)))
                .execute(connection)
                .await?;
            let way = let_in(connection, user, ways, (origin, now)).await?;
            let actor = Actor::user(user).from(origin.source);
            let by = By { actor: &actor, now };
            audit::record(connection, by, "user.set-password", user, json!({})).await?;
            Ok(Some(way))
        })
        .await
        .map_err(Abort::answer)
}
