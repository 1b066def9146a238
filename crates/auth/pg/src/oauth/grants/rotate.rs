//! A refresh token makes room for the next.

use std::sync::atomic::AtomicBool;

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName,
    dsl::exists,
    select,
    sql_types::{Array, Binary, Bool, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_auth::oauth::{
    store::{IssueError, Issued, Mint, Rotation},
    token::Tokens,
};
use pharos_domain::{
    ids::{ClientId, CredentialId, UserId},
    store::StoreError,
};
use pharos_persistence::{failure::Abort, names, pool::Database, pooled::PooledConnection, sql};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    doubts::Doubts,
    issue::{self, Outcome},
};
use crate::schema::oauth_refresh_tokens;

#[derive(QueryableByName)]
struct RefreshTokenRow {
    #[diesel(sql_type = SqlUuid)]
    grant_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    client_id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    user_id: Uuid,
    #[diesel(sql_type = Text)]
    resource: String,
    #[diesel(sql_type = Array<Text>)]
    scopes: Vec<String>,
    #[diesel(sql_type = Timestamptz)]
    expires_at: OffsetDateTime,
    #[diesel(sql_type = Bool)]
    is_superseded: bool,
    #[diesel(sql_type = Bool)]
    is_revoked: bool,
}

pub(super) async fn rotate(
    database: &Database,
    doubts: &Doubts,
    rotation: &Rotation<'_>,
    mint: Mint<'_>,
    now: OffsetDateTime,
) -> Result<Tokens, IssueError> {
    let is_written = &AtomicBool::new(false);
    let attempt = |mut connection: PooledConnection| -> issue::Attempt<'_> {
        Box::pin(async move {
            connection
                .transaction::<_, Abort<IssueError>, _>(async |connection| {
                    let outcome = take(connection, doubts, rotation, mint, now).await?;
                    Ok(outcome.written(is_written))
                })
                .await
                .map_err(Abort::answer)
        })
    };
    let issued = issue::issue(database, is_written, attempt).await;
    if let Err(IssueError::InDoubt) = &issued {
        doubts.take_back(database, rotation.token, rotation.next);
    }
    issued
}

async fn take(
    connection: &mut AsyncPgConnection,
    doubts: &Doubts,
    rotation: &Rotation<'_>,
    mint: Mint<'_>,
    now: OffsetDateTime,
) -> Result<Outcome, Abort<IssueError>> {
    // The row's lock lets one of several requests at once find the token unused.
    let query = sql!("lock_refresh_token.sql").bind::<Binary, _>(rotation.token.0.as_slice());
    let token: Option<RefreshTokenRow> = query.get_result(connection).await.optional()?;
    // Another client's token is none of its business.
    let token = token
        .filter(|token| ClientId(token.client_id) == rotation.client)
        .ok_or(Abort::Port(IssueError::Unknown))?;
    let issued = Issued {
        grant: CredentialId(token.grant_id),
        user: UserId(token.user_id),
        // The grant keeps those that only a later version knows.
        scopes: names::known(&token.scopes),
    };
    if token.is_superseded {
        let next = oauth_refresh_tokens::table.find(rotation.next.0.as_slice());
        // An earlier attempt of this rotation was committed, but its commit was not answered.
        if select(exists(next)).get_result(connection).await? {
            return issue::mint(mint, &issued);
        }
        // Nobody got the next one. Once that is taken back, this one is good again.
        if doubts.contains(rotation.token) {
            let error = StoreError::Unavailable("a refresh by this token is still in doubt".into());
            return Err(Abort::port(error));
        }
        return issue::reused(connection, "refresh token", issued.grant, rotation.client, now).await;
    }
    let fault = if token.is_revoked {
        Some(IssueError::Revoked)
    } else if token.expires_at <= now {
        Some(IssueError::Expired)
    } else if rotation.resource != Some(&token.resource) {
        Some(IssueError::OtherResource)
    } else {
        None
    };
    if let Some(fault) = fault {
        return Err(Abort::Port(fault));
    }
    let tokens = issue::mint(mint, &issued)?;
    diesel::update(oauth_refresh_tokens::table.find(rotation.token.0.as_slice()))
        .set(oauth_refresh_tokens::superseded_at.eq(now))
        .execute(connection)
        .await?;
    issue::store_refresh_token(connection, rotation.next, issued.grant, now, rotation.next_until).await?;
    Ok(tokens)
}
