//! Sign-ins that wait for the second factor.

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName,
    sql_types::{Binary, SmallInt, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_auth::{
    secret::SecretDigest,
    sign_in::{factor_store::Proof, session::PENDING_ATTEMPTS, store::SessionOrigin},
};
use pharos_domain::{ids::UserId, store::StoreError};
use pharos_persistence::{
    audit::By,
    failure::{Abort, failure},
    pool::Database,
    sql,
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    super::let_in::{begin_session, hold},
    prove::prove,
};
use crate::schema::pending_sign_ins;

#[derive(QueryableByName)]
struct PendingRow {
    #[diesel(sql_type = SqlUuid)]
    user_id: Uuid,
}

/// Counts an attempt at a sign-in that waits, and says whose it is. `None` where it does not wait any more.
pub(super) async fn attempt(
    database: &Database,
    pending: &SecretDigest,
    now: OffsetDateTime,
) -> Result<Option<UserId>, StoreError> {
    let query = sql!("attempt.sql")
        .bind::<Binary, _>(pending.0.as_slice())
        .bind::<Timestamptz, _>(now)
        .bind::<SmallInt, _>(PENDING_ATTEMPTS);
    let mut connection = database.connection().await?;
    let found: Option<PendingRow> = query
        .get_result(&mut connection)
        .await
        .optional()
        .map_err(failure)?;
    Ok(found.map(|row| UserId(row.user_id)))
}

/// Begins the session of a sign-in that waits. `false` where the proof does not count, or it does not wait any more.
pub(super) async fn enter(
    database: &Database,
    pending: &SecretDigest,
    proof: &Proof,
    (session, origin): (&SecretDigest, &SessionOrigin),
    by: By<'_>,
) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            // Whoever enters by it, or ends it, holds the user: it is read once more when they are held.
            let waiting = pending_sign_ins::table
                .find(pending.0.as_slice())
                .filter(pending_sign_ins::expires_at.gt(by.now));
            let user: Option<Uuid> = waiting
                .select(pending_sign_ins::user_id)
                .first(connection)
                .await
                .optional()?;
            let Some(user) = user.map(UserId) else {
                return Ok(false);
            };
            if !hold(connection, user).await? {
                return Ok(false);
            }
            let still: Option<Uuid> = waiting
                .select(pending_sign_ins::user_id)
                .first(connection)
                .await
                .optional()?;
            if still.is_none() || !prove(connection, user, proof, by).await? {
                return Ok(false);
            }
            diesel::delete(waiting).execute(connection).await?;
            begin_session(connection, user, session, (origin, by.now)).await?;
            Ok(true)
        })
        .await
        .map_err(Abort::answer)
}
