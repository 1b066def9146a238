//! Rules that codes and refresh tokens share: each is good for one use, and one that comes back ends its grant.

use std::{
    pin::Pin,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use diesel::ExpressionMethods;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_auth::{
    oauth::{
        store::{IssueError, Issued, Mint},
        token::Tokens,
    },
    secret::SecretDigest,
};
use pharos_domain::{
    audit::Actor,
    ids::{ClientId, CredentialId},
    store::StoreError,
};
use pharos_persistence::{
    audit::{self, By},
    failure::Abort,
    pool::Database,
    pooled::PooledConnection,
};
use serde_json::json;
use time::OffsetDateTime;
use tokio::time::{Instant, sleep};

use super::revoke::{self, Whose};
use crate::schema::oauth_refresh_tokens;

/// How long an attempt is repeated whose commit was not answered.
const IN_DOUBT_FOR: Duration = Duration::from_secs(10);
/// The time between two attempts.
pub(super) const PAUSE: Duration = Duration::from_millis(100);

/// The outcome of using a code or a refresh token.
pub(super) enum Outcome {
    Issued(Tokens),
    /// It was used before. `true`: that ended its grant, which had not ended yet.
    Reused(bool),
}

impl Outcome {
    /// The same. Where tokens were issued it is told that nothing is left to do but the commit.
    pub(super) fn written(self, is_written: &AtomicBool) -> Self {
        if matches!(self, Self::Issued(_)) {
            is_written.store(true, Ordering::Relaxed);
        }
        self
    }
}

pub(super) type Attempt<'a> = Pin<Box<dyn Future<Output = Result<Outcome, IssueError>> + Send + 'a>>;

/// Makes an attempt, and repeats it while it is in doubt whether it was committed. A client that got an error meanwhile
/// would try again with a code or token that is used, which ends the grant. An attempt that was committed recognizes
/// itself and succeeds. Attempts tell by `is_written`, as [`Outcome::written`] does, that nothing was left to do but the
/// commit: from then on an answer that asks the client to try again would be wrong.
pub(super) async fn issue<'a>(
    database: &Database,
    is_written: &AtomicBool,
    attempt: impl Fn(PooledConnection) -> Attempt<'a> + Send,
) -> Result<Tokens, IssueError> {
    let mut outcome = attempt(database.connection().await?).await;
    let until = Instant::now() + IN_DOUBT_FOR;
    while let Err(IssueError::Store(StoreError::Unavailable(error))) = &outcome
        && Instant::now() < until
    {
        tracing::warn!(%error, "whether tokens were issued is in doubt; looking into it");
        sleep(PAUSE).await;
        outcome = match database.connection().await {
            Ok(connection) => attempt(connection).await,
            Err(error) => Err(error.into()),
        };
    }
    match outcome {
        Ok(Outcome::Issued(tokens)) => Ok(tokens),
        Ok(Outcome::Reused(has_ended)) => {
            if has_ended {
                database.await_acknowledgement().await;
            }
            Err(IssueError::Used)
        }
        // Whatever the store says of a later attempt, an earlier one may have been committed.
        Err(IssueError::Store(error)) if is_written.load(Ordering::Relaxed) => {
            tracing::error!(%error, "whether tokens were issued is not known; none are sent");
            Err(IssueError::InDoubt)
        }
        Err(error) => Err(error),
    }
}

/// Makes the tokens of what is issued.
pub(super) fn mint(mint: Mint<'_>, issued: &Issued) -> Result<Outcome, Abort<IssueError>> {
    mint(issued)
        .map(Outcome::Issued)
        .map_err(|refusal| Abort::Port(refusal.into()))
}

/// Ends the grant of `what`, which this client used before.
pub(super) async fn reused(
    connection: &mut AsyncPgConnection,
    what: &str,
    grant: CredentialId,
    client: ClientId,
    now: OffsetDateTime,
) -> Result<Outcome, Abort<IssueError>> {
    let actor = Actor::client(client);
    let by = By { actor: &actor, now };
    let has_ended = revoke::end(connection, grant, Whose::Client(client), by).await?;
    if has_ended {
        tracing::warn!(%grant, %client, "a {what} came back that was used before: its grant is revoked");
        audit::record(connection, by, "grant.reuse", grant, json!({ "of": what })).await?;
    }
    Ok(Outcome::Reused(has_ended))
}

/// Stores a refresh token of a grant.
pub(super) async fn store_refresh_token(
    connection: &mut AsyncPgConnection,
    token: SecretDigest,
    grant: CredentialId,
    now: OffsetDateTime,
    until: OffsetDateTime,
) -> diesel::QueryResult<()> {
    diesel::insert_into(oauth_refresh_tokens::table)
        .values((
            oauth_refresh_tokens::digest.eq(token.0.as_slice()),
            oauth_refresh_tokens::grant_id.eq(grant.0),
            oauth_refresh_tokens::issued_at.eq(now),
            oauth_refresh_tokens::expires_at.eq(until),
        ))
        .execute(connection)
        .await
        .map(|_| ())
}
