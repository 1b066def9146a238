//! Whoever changes the search data of a domain takes turns with others, until their transactions end: an import that somebody asked
//! for may meet the scheduled one, and either a change of the link.

use std::{
    fmt,
    time::{Duration, Instant},
};

use diesel::{
    QueryResult, QueryableByName,
    sql_types::{Bool, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, sql};
use tokio::time::sleep;

/// How long an import waits for its turn. After that, it is tried again like one that the store failed.
const PATIENCE: Duration = Duration::from_secs(120);
/// The pause before it looks again.
const PAUSE: Duration = Duration::from_millis(200);

/// The reason of a transaction that is another's turn.
#[derive(Debug)]
struct Busy;

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another import of the domain is being stored")
    }
}

impl std::error::Error for Busy {}

#[derive(QueryableByName)]
struct TakenRow {
    #[diesel(sql_type = Bool)]
    is_taken: bool,
}

/// Waits for the turn of a change that somebody asked for.
pub(super) async fn alone(connection: &mut AsyncPgConnection, domain: DomainId) -> QueryResult<()> {
    let query = sql!(text "SELECT pg_advisory_xact_lock(hashtext('search_import'), hashtext($1::text))")
        .bind::<SqlUuid, _>(domain.0);
    query.execute(connection).await.map(|_| ())
}

/// Takes the turn of an import, or fails at once for [`in_turn`] to try again.
pub(super) async fn take(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> Result<(), Abort<StoreError>> {
    let query = sql!(text "SELECT pg_try_advisory_xact_lock(hashtext('search_import'), hashtext($1::text)) AS is_taken")
        .bind::<SqlUuid, _>(domain.0);
    let TakenRow { is_taken } = query.get_result(connection).await?;
    if is_taken {
        Ok(())
    } else {
        Err(Abort::Port(StoreError::Unavailable(Box::new(Busy))))
    }
}

/// Tries a transaction that [`take`]s the turn of a domain until it is its own. Whoever waits holds no connection: many imports of
/// one domain would keep all of them from the others.
pub(super) async fn in_turn<Done, Trying>(attempt: impl Fn() -> Trying) -> Result<Done, StoreError>
where
    Trying: Future<Output = Result<Done, StoreError>>,
{
    let until = Instant::now() + PATIENCE;
    loop {
        match attempt().await {
            Err(StoreError::Unavailable(why)) if why.is::<Busy>() && Instant::now() < until => {}
            done => return done,
        }
        sleep(PAUSE).await;
    }
}
