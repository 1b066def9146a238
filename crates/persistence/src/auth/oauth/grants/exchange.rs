//! A code becomes a grant.

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    prelude::{Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_auth::oauth::store::{CodeExchange, IssueError, Issued};
use pharos_domain::{
    audit::Actor,
    ids::{ClientId, CredentialId, UserId},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::revoke::{self, Whose};
use crate::{
    audit::By,
    failure::Abort,
    names,
    pool::Database,
    schema::{oauth_codes, oauth_grants, oauth_refresh_tokens, users},
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = oauth_codes)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct CodeRow {
    client_id: Uuid,
    user_id: Uuid,
    redirect_uri: String,
    resource: String,
    scopes: Vec<String>,
    workspace_ids: Vec<Uuid>,
    code_challenge: String,
    expires_at: OffsetDateTime,
    grant_id: Option<Uuid>,
}

#[derive(Insertable)]
#[diesel(table_name = oauth_grants)]
struct NewGrantRow<'a> {
    id: Uuid,
    client_id: Uuid,
    user_id: Uuid,
    resource: &'a str,
    scopes: &'a [String],
    workspace_ids: &'a [Uuid],
    created_at: OffsetDateTime,
}

/// What came of a code within the transaction.
enum Outcome {
    Issued(Issued),
    /// It was used before, and became this grant.
    Used(CredentialId),
}

pub(super) async fn exchange(
    database: &Database,
    exchange: &CodeExchange<'_>,
    now: OffsetDateTime,
) -> Result<Issued, IssueError> {
    let mut connection = database.connection().await?;
    let outcome = connection
        .transaction::<_, Abort<IssueError>, _>(async |connection| take(connection, exchange, now).await)
        .await
        .map_err(Abort::answer)?;
    drop(connection);
    match outcome {
        Outcome::Issued(issued) => Ok(issued),
        Outcome::Used(grant) => {
            let actor = Actor::client(exchange.client);
            let by = By { actor: &actor, now };
            revoke::revoke(database, grant, Whose::Client(exchange.client), by).await?;
            Err(IssueError::Used)
        }
    }
}

async fn take(
    connection: &mut AsyncPgConnection,
    exchange: &CodeExchange<'_>,
    now: OffsetDateTime,
) -> Result<Outcome, Abort<IssueError>> {
    let digest = exchange.code.0.as_slice();
    let code: Option<CodeRow> = oauth_codes::table
        .find(digest)
        .for_update()
        .select(CodeRow::as_select())
        .first(connection)
        .await
        .optional()?;
    // Another client's code is none of its business.
    let code = code
        .filter(|code| ClientId(code.client_id) == exchange.client)
        .ok_or(Abort::Port(IssueError::Unknown))?;
    if let Some(grant) = code.grant_id {
        return Ok(Outcome::Used(CredentialId(grant)));
    }
    let fault = if code.expires_at <= now {
        Some(IssueError::Expired)
    } else if code.redirect_uri != exchange.redirect_uri {
        Some(IssueError::OtherRedirectUri)
    } else if code.code_challenge != exchange.code_challenge {
        Some(IssueError::WrongVerifier)
    } else if code.resource != exchange.resource {
        Some(IssueError::OtherResource)
    } else if !is_enabled(connection, code.user_id).await? {
        Some(IssueError::Revoked)
    } else {
        None
    };
    if let Some(fault) = fault {
        return Err(Abort::Port(fault));
    }
    diesel::insert_into(oauth_grants::table)
        .values(NewGrantRow {
            id: exchange.grant.0,
            client_id: code.client_id,
            user_id: code.user_id,
            resource: &code.resource,
            scopes: &code.scopes,
            workspace_ids: &code.workspace_ids,
            created_at: now,
        })
        .execute(connection)
        .await?;
    diesel::insert_into(oauth_refresh_tokens::table)
        .values((
            oauth_refresh_tokens::digest.eq(exchange.refresh_token.0.as_slice()),
            oauth_refresh_tokens::grant_id.eq(exchange.grant.0),
            oauth_refresh_tokens::issued_at.eq(now),
            oauth_refresh_tokens::expires_at.eq(exchange.refresh_until),
        ))
        .execute(connection)
        .await?;
    diesel::update(oauth_codes::table.find(digest))
        .set(oauth_codes::grant_id.eq(exchange.grant.0))
        .execute(connection)
        .await?;
    Ok(Outcome::Issued(Issued {
        grant: exchange.grant,
        user: UserId(code.user_id),
        scopes: names::all(&code.scopes).map_err(|error| Abort::Port(error.into()))?,
    }))
}

async fn is_enabled(connection: &mut AsyncPgConnection, user: Uuid) -> diesel::QueryResult<bool> {
    let disabled_at: Option<OffsetDateTime> = users::table
        .find(user)
        .select(users::disabled_at)
        .first(connection)
        .await?;
    Ok(disabled_at.is_none())
}
