//! Refreshes of which this node could not say whether they were committed, and nobody got the tokens: they are taken back.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use diesel::{ExpressionMethods, OptionalExtension, QueryDsl};
use diesel_async::{AsyncConnection, RunQueryDsl};
use futures_util::future::BoxFuture;
use pharos_auth::secret::SecretDigest;
use pharos_domain::{log_pace::LogPace, store::StoreError};
use pharos_persistence::{failure::Abort, pool::Database};
use time::OffsetDateTime;
use tokio::time::sleep;

use super::issue::PAUSE;
use crate::schema::oauth_refresh_tokens;

/// A refresh token that may be superseded, and the one that nobody got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Doubt {
    token: SecretDigest,
    next: SecretDigest,
}

/// The refreshes in doubt. Cheap to clone.
///
/// They are in the memory of this node alone, since the database is away when they arise. Another node may still take the
/// token for one that is used a second time, in the moment in which both have the database again; and so does every node
/// once this one has ended before that. The answer asks for no second attempt for this reason.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubts(Arc<Mutex<Vec<Doubt>>>);

impl Doubts {
    /// Whether a refresh by this token is still to be taken back.
    pub(super) fn contains(&self, token: SecretDigest) -> bool {
        self.lock().iter().any(|doubt| doubt.token == token)
    }

    /// Takes a refresh back, as soon as the database says what became of it. Nobody waits for that, so it is tried for as
    /// long as the node runs.
    pub(super) fn take_back(&self, database: &Database, token: SecretDigest, next: SecretDigest) {
        let (doubts, database, doubt) = (self.clone(), database.clone(), Doubt { token, next });
        self.lock().push(doubt);
        tokio::spawn(async move {
            while let Err(error) = undo(&database, doubt).await {
                static PACE: LogPace = LogPace::new();
                if let Some(held_back) = PACE.turn() {
                    tracing::warn!(%error, held_back, "a refresh in doubt can't be taken back yet");
                }
                sleep(PAUSE).await;
            }
            doubts.lock().retain(|kept| *kept != doubt);
            tracing::info!("a refresh that was in doubt is taken back");
        });
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Doubt>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Leaves things as they were before the refresh, whether it was committed or not.
fn undo(database: &Database, doubt: Doubt) -> BoxFuture<'_, Result<(), StoreError>> {
    Box::pin(async move {
        let mut connection = database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let (token, next) = (doubt.token.0.as_slice(), doubt.next.0.as_slice());
                // A transaction that may still be committed holds this row until it has ended.
                let held: Option<Vec<u8>> = oauth_refresh_tokens::table
                    .find(token)
                    .for_update()
                    .select(oauth_refresh_tokens::digest)
                    .first(connection)
                    .await
                    .optional()?;
                if held.is_none() {
                    return Ok(());
                }
                let taken_back = diesel::delete(oauth_refresh_tokens::table.find(next))
                    .execute(connection)
                    .await?;
                if taken_back > 0 {
                    diesel::update(oauth_refresh_tokens::table.find(token))
                        .set(oauth_refresh_tokens::superseded_at.eq(None::<OffsetDateTime>))
                        .execute(connection)
                        .await?;
                }
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    })
}
