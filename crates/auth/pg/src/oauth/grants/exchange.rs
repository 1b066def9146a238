//! A code becomes a grant.

use std::sync::atomic::AtomicBool;

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper,
    prelude::{Insertable, Queryable, Selectable},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_auth::oauth::{
    store::{CodeExchange, IssueError, Issued, Mint},
    token::Tokens,
};
use pharos_domain::ids::{ClientId, CredentialId, UserId};
use pharos_persistence::{failure::Abort, names, pool::Database, pooled::PooledConnection, schema::users};
use time::OffsetDateTime;
use uuid::Uuid;

use super::issue::{self, Outcome};
use crate::schema::{oauth_clients, oauth_codes, oauth_grants};

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

pub(super) async fn exchange(
    database: &Database,
    exchange: &CodeExchange<'_>,
    mint: Mint<'_>,
    now: OffsetDateTime,
) -> Result<Tokens, IssueError> {
    let is_written = &AtomicBool::new(false);
    let attempt = |mut connection: PooledConnection| -> issue::Attempt<'_> {
        Box::pin(async move {
            connection
                .transaction::<_, Abort<IssueError>, _>(async |connection| {
                    let outcome = take(connection, exchange, mint, now).await?;
                    Ok(outcome.written(is_written))
                })
                .await
                .map_err(Abort::answer)
        })
    };
    issue::issue(database, is_written, attempt).await
}

async fn take(
    connection: &mut AsyncPgConnection,
    exchange: &CodeExchange<'_>,
    mint: Mint<'_>,
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
    let issued = Issued {
        grant: exchange.grant,
        user: UserId(code.user_id),
        // The grant keeps those that only a later version knows.
        scopes: names::known(&code.scopes),
    };
    match code.grant_id.map(CredentialId) {
        None => {}
        // An earlier attempt of this exchange was committed, but its commit was not answered.
        Some(grant) if grant == exchange.grant => return issue::mint(mint, &issued),
        Some(grant) => return issue::reused(connection, "code", grant, exchange.client, now).await,
    }
    let fault = if code.expires_at <= now {
        Some(IssueError::Expired)
    } else if exchange.redirect_uri.is_some_and(|uri| uri != code.redirect_uri) {
        Some(IssueError::OtherRedirectUri)
    } else if code.code_challenge != exchange.code_challenge {
        Some(IssueError::WrongVerifier)
    } else if exchange.resource != Some(&code.resource) {
        Some(IssueError::OtherResource)
    } else if !is_enabled(connection, code.user_id).await? {
        Some(IssueError::Revoked)
    } else {
        None
    };
    if let Some(fault) = fault {
        return Err(Abort::Port(fault));
    }
    let tokens = issue::mint(mint, &issued)?;
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
    let (token, until) = (exchange.refresh_token, exchange.refresh_until);
    issue::store_refresh_token(connection, token, exchange.grant, now, until).await?;
    diesel::update(oauth_codes::table.find(digest))
        .set(oauth_codes::grant_id.eq(exchange.grant.0))
        .execute(connection)
        .await?;
    let never_granted = oauth_clients::table
        .find(code.client_id)
        .filter(oauth_clients::granted_at.is_null());
    diesel::update(never_granted)
        .set(oauth_clients::granted_at.eq(now))
        .execute(connection)
        .await?;
    Ok(tokens)
}

async fn is_enabled(connection: &mut AsyncPgConnection, user: Uuid) -> diesel::QueryResult<bool> {
    let disabled_at: Option<OffsetDateTime> = users::table
        .find(user)
        .select(users::disabled_at)
        .first(connection)
        .await?;
    Ok(disabled_at.is_none())
}
