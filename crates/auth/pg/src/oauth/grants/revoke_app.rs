//! The end of all that an app has of a user.

use diesel::{ExpressionMethods, QueryDsl};
use diesel_async::{AsyncConnection, RunQueryDsl};
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
use uuid::Uuid;

use crate::schema::{oauth_codes, oauth_grants};

/// Revokes the grants of an app and ends its codes, and returns once no node goes by what it knew of the grants. `false`
/// where there was no grant to revoke.
pub(super) async fn revoke(
    database: &Database,
    client: ClientId,
    user: UserId,
    by: By<'_>,
) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    let revoked = connection
        .transaction::<_, Abort<StoreError>, _>(async |connection| {
            // The codes first: this waits for one that is being exchanged, and the grant that it becomes is found below.
            let unused = oauth_codes::table
                .filter(oauth_codes::client_id.eq(client.0))
                .filter(oauth_codes::user_id.eq(user.0))
                .filter(oauth_codes::grant_id.is_null());
            diesel::delete(unused).execute(connection).await?;
            let live = oauth_grants::table
                .filter(oauth_grants::client_id.eq(client.0))
                .filter(oauth_grants::user_id.eq(user.0))
                .filter(oauth_grants::revoked_at.is_null());
            let revoked: Vec<Uuid> = diesel::update(live)
                .set(oauth_grants::revoked_at.eq(by.now))
                .returning(oauth_grants::id)
                .get_results(connection)
                .await?;
            for grant in &revoked {
                audit::record(connection, by, "grant.revoke", CredentialId(*grant), json!({})).await?;
            }
            Ok(revoked)
        })
        .await
        .map_err(Abort::answer)?;
    drop(connection);
    if revoked.is_empty() {
        return Ok(false);
    }
    database.await_acknowledgement().await;
    Ok(true)
}
