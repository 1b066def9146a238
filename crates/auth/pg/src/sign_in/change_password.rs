//! The change of a password by its user.

use diesel::{ExpressionMethods, OptionalExtension, QueryDsl};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_auth::{
    secret::SecretDigest,
    sign_in::{password::PasswordHash, store::Account},
};
use pharos_domain::{audit::Actor, store::StoreError};
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

/// Puts another password in the place of the account's, and ends all sessions of its user but `kept`, and their link.
/// `false` where it was changed meanwhile, or the user was disabled.
pub(super) async fn change_password(
    database: &Database,
    account: &Account,
    password: &PasswordHash,
    kept: &SecretDigest,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let user = account.user;
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            let enabled: Option<Uuid> = users::table
                .find(user.0)
                .filter(users::disabled_at.is_null())
                .for_share()
                .select(users::id)
                .first(connection)
                .await
                .optional()?;
            if enabled.is_none() {
                return Ok(false);
            }
            let present = user_passwords::table
                .find(user.0)
                .filter(user_passwords::hash.eq(&account.password.0));
            let changed = diesel::update(present)
                .set((
                    user_passwords::hash.eq(&password.0),
                    user_passwords::changed_at.eq(now),
                ))
                .execute(connection)
                .await?;
            if changed == 0 {
                return Ok(false);
            }
            diesel::delete(sessions::table.filter(sessions::user_id.eq(user.0)))
                .filter(sessions::digest.ne(kept.0.as_slice()))
                .execute(connection)
                .await?;
            diesel::delete(sign_in_links::table.filter(sign_in_links::user_id.eq(user.0)))
                .execute(connection)
                .await?;
            let actor = Actor::user(user);
            let by = By { actor: &actor, now };
            audit::record(connection, by, "user.change-password", user, json!({})).await?;
            Ok(true)
        })
        .await
        .map_err(Abort::answer)
}
