//! The change of a password by its user.

use diesel::{ExpressionMethods, QueryDsl};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_auth::{
    secret::SecretDigest,
    sign_in::{password::PasswordHash, store::Account},
};
use pharos_domain::store::StoreError;
use pharos_persistence::{
    audit::{self, By},
    failure::Abort,
    pool::Database,
};
use serde_json::json;

use super::let_in::hold;
use crate::schema::{pending_sign_ins, sessions, sign_in_links, user_passwords};

/// Puts another password in the place of the account's, and ends all sessions of its user but `kept`, sign-ins that wait, and
/// their link.
/// `false` where it was changed meanwhile, or the user was disabled.
pub(super) async fn change_password(
    database: &Database,
    account: &Account,
    password: &PasswordHash,
    kept: &SecretDigest,
    by: By<'_>,
) -> Result<bool, StoreError> {
    let user = account.user;
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            if !hold(connection, user).await? {
                return Ok(false);
            }
            let present = user_passwords::table
                .find(user.0)
                .filter(user_passwords::hash.eq(&account.password.0));
            let changed = diesel::update(present)
                .set((
                    user_passwords::hash.eq(&password.0),
                    user_passwords::changed_at.eq(by.now),
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
            diesel::delete(pending_sign_ins::table.filter(pending_sign_ins::user_id.eq(user.0)))
                .execute(connection)
                .await?;
            diesel::delete(sign_in_links::table.filter(sign_in_links::user_id.eq(user.0)))
                .execute(connection)
                .await?;
            audit::record(connection, by, "user.change-password", user, json!({})).await?;
            Ok(true)
        })
        .await
        .map_err(Abort::answer)
}
