//! A new second factor: its secret, and its confirmation.

use diesel::{
    BoolExpressionMethods, ExpressionMethods, QueryDsl, query_dsl::methods::FilterDsl, upsert::excluded,
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_auth::{secret::SecretDigest, sign_in::factor_store::Confirmation};
use pharos_domain::{ids::UserId, store::StoreError};
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    pool::Database,
};
use serde_json::json;
use time::OffsetDateTime;

use super::{super::let_in::hold, prove::put_codes};
use crate::schema::{pending_sign_ins, second_factors, sessions};

/// Puts a secret that a session is to confirm in the place of one that never was. `false` where one is on.
pub(super) async fn begin(
    database: &Database,
    user: UserId,
    session: &SecretDigest,
    sealed: &[u8],
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    let put = diesel::insert_into(second_factors::table)
        .values((
            second_factors::user_id.eq(user.0),
            second_factors::secret.eq(sealed),
            second_factors::made_at.eq(now),
            second_factors::last_step.eq(0),
            second_factors::begun_by.eq(session.0.as_slice()),
        ))
        .on_conflict(second_factors::user_id)
        .do_update()
        .set((
            second_factors::secret.eq(excluded(second_factors::secret)),
            second_factors::made_at.eq(excluded(second_factors::made_at)),
            second_factors::begun_by.eq(excluded(second_factors::begun_by)),
        ))
        .filter(second_factors::confirmed_at.is_null());
    let mut connection = database.connection().await?;
    let put = put.execute(&mut connection).await.map_err(failure)?;
    Ok(put > 0)
}

/// Switches the second factor on: its user gets recovery codes, and keeps one session.
pub(super) async fn confirm(
    database: &Database,
    confirmation: &Confirmation<'_>,
    by: By<'_>,
) -> Result<bool, StoreError> {
    let Confirmation {
        user,
        sealed,
        step,
        codes,
        kept,
    } = *confirmation;
    let Ok(step) = i64::try_from(step) else {
        return Ok(false);
    };
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            if !hold(connection, user).await? {
                return Ok(false);
            }
            let begun = QueryDsl::filter(
                second_factors::table.find(user.0),
                second_factors::confirmed_at
                    .is_null()
                    .and(second_factors::secret.eq(sealed))
                    .and(second_factors::begun_by.eq(kept.0.as_slice())),
            );
            let confirmed = diesel::update(begun)
                .set((
                    second_factors::confirmed_at.eq(by.now),
                    second_factors::last_step.eq(step),
                ))
                .execute(connection)
                .await?;
            if confirmed == 0 {
                return Ok(false);
            }
            put_codes(connection, user, codes).await?;
            let other = QueryDsl::filter(
                sessions::table,
                sessions::user_id
                    .eq(user.0)
                    .and(sessions::digest.ne(kept.0.as_slice())),
            );
            diesel::delete(other).execute(connection).await?;
            let waiting = QueryDsl::filter(pending_sign_ins::table, pending_sign_ins::user_id.eq(user.0));
            diesel::delete(waiting).execute(connection).await?;
            audit::record(connection, by, "user.second-factor-on", user, json!({})).await?;
            Ok(true)
        })
        .await
        .map_err(Abort::answer)
}
