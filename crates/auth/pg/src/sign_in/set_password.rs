//! The use of a link.

use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, prelude::Insertable};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_auth::{secret::SecretDigest, sign_in::password::PasswordHash};
use pharos_domain::{audit::Actor, ids::UserId, store::StoreError};
use pharos_persistence::{
    audit::{self, By},
    failure::Abort,
    pool::Database,
    schema::users,
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::{sessions, sign_in_links, user_passwords};

#[derive(Insertable)]
#[diesel(table_name = sessions)]
struct NewSessionRow<'a> {
    digest: &'a [u8],
    user_id: Uuid,
    signed_in_at: OffsetDateTime,
    last_used_at: OffsetDateTime,
}

/// Sets the password of the link's user; all their sessions end, and this one begins. `false` where the link is not
/// good any more.
pub(super) async fn set_password(
    database: &Database,
    link: &SecretDigest,
    password: &PasswordHash,
    session: &SecretDigest,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            let good = sign_in_links::table
                .filter(sign_in_links::digest.eq(link.0.as_slice()))
                .filter(sign_in_links::expires_at.gt(now));
            let user: Option<Uuid> = diesel::delete(good)
                .returning(sign_in_links::user_id)
                .get_result(connection)
                .await
                .optional()?;
            let Some(user) = user else {
                return Ok(false);
            };
            let enabled: Option<Uuid> = users::table
                .find(user)
                .filter(users::disabled_at.is_null())
                .for_share()
                .select(users::id)
                .first(connection)
                .await
                .optional()?;
            if enabled.is_none() {
                return Ok(false);
            }
            diesel::insert_into(user_passwords::table)
                .values((
                    user_passwords::user_id.eq(user),
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
            diesel::delete(sessions::table.filter(sessions::user_id.eq(user)))
                .execute(connection)
                .await?;
            diesel::insert_into(sessions::table)
                .values(NewSessionRow {
                    digest: &session.0,
                    user_id: user,
                    signed_in_at: now,
                    last_used_at: now,
                })
                .execute(connection)
                .await?;
            let user = UserId(user);
            let actor = Actor::user(user);
            let by = By { actor: &actor, now };
            audit::record(connection, by, "user.set-password", user, json!({})).await?;
            Ok(true)
        })
        .await
        .map_err(Abort::answer)
}
