//! The end of a grant.

use diesel::{ExpressionMethods, QueryDsl, QueryResult};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{ClientId, CredentialId, UserId},
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::Abort,
    pool::Database,
};
use serde_json::json;

use crate::schema::oauth_grants;

/// Whose grant it has to be.
#[derive(Clone, Copy)]
pub(super) enum Whose {
    /// This app's.
    Client(ClientId),
    /// This user's.
    User(UserId),
}

/// Revokes a grant, and returns once no node goes by what it knew of it. `false` where there is none to revoke, of
/// which no node has to hear.
pub(super) async fn revoke(
    database: &Database,
    grant: CredentialId,
    whose: Whose,
    by: By<'_>,
) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    let has_ended = connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            Ok(end(connection, grant, whose, by).await?)
        })
        .await
        .map_err(Abort::answer)?;
    drop(connection);
    if has_ended {
        database.await_acknowledgement().await;
    }
    Ok(has_ended)
}

/// The same within a transaction, and without the wait.
pub(super) async fn end(
    connection: &mut AsyncPgConnection,
    grant: CredentialId,
    whose: Whose,
    by: By<'_>,
) -> QueryResult<bool> {
    let live = oauth_grants::table
        .filter(oauth_grants::id.eq(grant.0))
        .filter(oauth_grants::revoked_at.is_null());
    let now = oauth_grants::revoked_at.eq(by.now);
    let revoked = match whose {
        Whose::Client(client) => {
            let live = live.filter(oauth_grants::client_id.eq(client.0));
            diesel::update(live).set(now).execute(connection).await?
        }
        Whose::User(user) => {
            let live = live.filter(oauth_grants::user_id.eq(user.0));
            diesel::update(live).set(now).execute(connection).await?
        }
    };
    if revoked > 0 {
        audit::record(connection, by, "grant.revoke", grant, json!({})).await?;
    }
    Ok(revoked > 0)
}
