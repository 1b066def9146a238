//! Changes to a second factor that is on: other recovery codes, and its end.

use diesel::{ExpressionMethods, QueryDsl, QueryResult};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_auth::{secret::SecretDigest, sign_in::factor_store::Proof};
use pharos_domain::{ids::UserId, store::StoreError};
use pharos_persistence::{
    audit::{self, By},
    failure::Abort,
    pool::Database,
};
use serde_json::json;

use super::{
    super::let_in::hold,
    prove::{prove, put_codes},
};
use crate::schema::{pending_sign_ins, recovery_codes, second_factors};

/// Puts other recovery codes in the place of all that there are. `false` where the proof does not count.
pub(super) async fn replace_codes(
    database: &Database,
    user: UserId,
    proof: &Proof,
    codes: &[SecretDigest],
    by: By<'_>,
) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            if !hold(connection, user).await? || !prove(connection, user, proof, by).await? {
                return Ok(false);
            }
            put_codes(connection, user, codes).await?;
            audit::record(connection, by, "user.recovery-codes", user, json!({})).await?;
            Ok(true)
        })
        .await
        .map_err(Abort::answer)
}

/// Switches the second factor off. `false` where the proof does not count.
pub(super) async fn turn_off(
    database: &Database,
    user: UserId,
    proof: &Proof,
    by: By<'_>,
) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            if !hold(connection, user).await? || !prove(connection, user, proof, by).await? {
                return Ok(false);
            }
            forget(connection, user).await?;
            audit::record(connection, by, "user.second-factor-off", user, json!({})).await?;
            Ok(true)
        })
        .await
        .map_err(Abort::answer)
}

/// Switches it off for somebody who has lost it, enabled or not. `false` where they have none.
pub(super) async fn reset(database: &Database, user: UserId, by: By<'_>) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            hold(connection, user).await?;
            let had = forget(connection, user).await?;
            if had {
                audit::record(connection, by, "user.reset-second-factor", user, json!({})).await?;
            }
            Ok(had)
        })
        .await
        .map_err(Abort::answer)
}

/// Forgets the second factor, its recovery codes, and the sign-ins that wait for one of them.
async fn forget(connection: &mut AsyncPgConnection, user: UserId) -> QueryResult<bool> {
    diesel::delete(recovery_codes::table.filter(recovery_codes::user_id.eq(user.0)))
        .execute(connection)
        .await?;
    diesel::delete(pending_sign_ins::table.filter(pending_sign_ins::user_id.eq(user.0)))
        .execute(connection)
        .await?;
    let forgotten = diesel::delete(second_factors::table.find(user.0))
        .execute(connection)
        .await?;
    Ok(forgotten > 0)
}
