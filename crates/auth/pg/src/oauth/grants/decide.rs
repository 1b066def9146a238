//! A user decides on an app's request.

use diesel::{ExpressionMethods, JoinOnDsl, QueryDsl, prelude::Insertable};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_auth::oauth::{
    handle,
    store::{Approval, DecideError},
};
use pharos_domain::audit::Actor;
use pharos_persistence::{
    audit::{self, By},
    failure::{Abort, failure},
    pool::Database,
    schema::{members, users},
};
use serde_json::json;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::{oauth_codes, oauth_decisions};

#[derive(Insertable)]
#[diesel(table_name = oauth_codes)]
struct NewCodeRow<'a> {
    digest: &'a [u8],
    client_id: Uuid,
    user_id: Uuid,
    redirect_uri: &'a str,
    resource: &'a str,
    scopes: Vec<&'static str>,
    workspace_ids: Vec<Uuid>,
    code_challenge: &'a str,
    expires_at: OffsetDateTime,
}

/// Records that the request was decided, unless it was before.
pub(super) async fn once(
    connection: &mut AsyncPgConnection,
    request: Uuid,
    lapses_at: OffsetDateTime,
) -> Result<(), DecideError> {
    let inserted = diesel::insert_into(oauth_decisions::table)
        .values((
            oauth_decisions::request_id.eq(request),
            oauth_decisions::lapses_at.eq(lapses_at),
        ))
        .on_conflict_do_nothing()
        .execute(connection)
        .await
        .map_err(failure)?;
    if inserted == 0 {
        Err(DecideError::Decided)
    } else {
        Ok(())
    }
}

pub(super) async fn approve(
    database: &Database,
    approval: &Approval,
    now: OffsetDateTime,
) -> Result<(), DecideError> {
    let mut connection = database.connection().await?;
    connection
        .transaction::<_, Abort<DecideError>, _>(async |connection| {
            // At most as long as a handle lives from now.
            once(connection, approval.request, now + handle::LIFETIME)
                .await
                .map_err(Abort::Port)?;
            let workspaces: Vec<Uuid> = approval.workspaces.iter().map(|workspace| workspace.0).collect();
            let found: i64 = members::table
                .inner_join(users::table.on(users::id.eq(members::user_id)))
                .filter(members::user_id.eq(approval.user.0))
                .filter(members::workspace_id.eq_any(&workspaces))
                .filter(users::disabled_at.is_null())
                .count()
                .get_result(connection)
                .await?;
            if usize::try_from(found).ok() != Some(workspaces.len()) {
                return Err(Abort::Port(DecideError::NotMember));
            }
            diesel::insert_into(oauth_codes::table)
                .values(NewCodeRow {
                    digest: &approval.code.0,
                    client_id: approval.client.0,
                    user_id: approval.user.0,
                    redirect_uri: &approval.redirect_uri,
                    resource: &approval.resource,
                    scopes: approval.scopes.iter().map(|scope| scope.as_str()).collect(),
                    workspace_ids: workspaces,
                    code_challenge: &approval.code_challenge,
                    expires_at: approval.expires_at,
                })
                .execute(connection)
                .await?;
            let actor = Actor::user(approval.user);
            let by = By { actor: &actor, now };
            let details = json!({
                "scopes": approval.scopes,
                "workspaces": approval.workspaces,
                "resource": approval.resource,
            });
            audit::record(connection, by, "client.approve", approval.client, details).await?;
            Ok(())
        })
        .await
        .map_err(Abort::answer)
}
