//! The proofs that somebody holds the second factor: a code of it, or a recovery code.

use diesel::{ExpressionMethods, QueryDsl, QueryResult};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_auth::{secret::SecretDigest, sign_in::factor_store::Proof};
use pharos_domain::ids::UserId;
use pharos_persistence::audit::{self, By};
use serde_json::json;

use crate::schema::{recovery_codes, second_factors};

/// Whether the proof counts. It does once: this transaction uses it up.
pub(super) async fn prove(
    connection: &mut AsyncPgConnection,
    user: UserId,
    proof: &Proof,
    by: By<'_>,
) -> QueryResult<bool> {
    let used = match proof {
        Proof::Code { step } => {
            let Ok(step) = i64::try_from(*step) else {
                return Ok(false);
            };
            let before = second_factors::table
                .find(user.0)
                .filter(second_factors::confirmed_at.is_not_null())
                .filter(second_factors::last_step.lt(step));
            diesel::update(before)
                .set(second_factors::last_step.eq(step))
                .execute(connection)
                .await?
        }
        Proof::Recovery(digest) => {
            let code = recovery_codes::table
                .find(digest.0.as_slice())
                .filter(recovery_codes::user_id.eq(user.0));
            let used = diesel::delete(code).execute(connection).await?;
            if used > 0 {
                audit::record(connection, by, "user.use-recovery-code", user, json!({})).await?;
            }
            used
        }
    };
    Ok(used > 0)
}

/// Puts these recovery codes in the place of all that there are.
pub(super) async fn put_codes(
    connection: &mut AsyncPgConnection,
    user: UserId,
    codes: &[SecretDigest],
) -> QueryResult<()> {
    diesel::delete(recovery_codes::table.filter(recovery_codes::user_id.eq(user.0)))
        .execute(connection)
        .await?;
    let rows: Vec<_> = codes
        .iter()
        .map(|code| {
            (
                recovery_codes::digest.eq(code.0.as_slice()),
                recovery_codes::user_id.eq(user.0),
            )
        })
        .collect();
    diesel::insert_into(recovery_codes::table)
        .values(rows)
        .execute(connection)
        .await
        .map(|_| ())
}
