//! An effect and its charge, in one transaction.

use std::time::Duration;

use diesel_async::{AsyncConnection, AsyncPgConnection, TransactionManager};
use pharos_domain::{
    credits::{Account, Answering, LogEntry, Note, RequestKey, SettleError, Settlement, Slip, StoredAnswer},
    ledger::Verdict,
    store::StoreError,
};

use super::{batch, doubt, effect::Effect, replays};
use crate::{
    audit::{self, By},
    failure::{Abort, failure},
    pool::Database,
};

type Manager = <AsyncPgConnection as AsyncConnection>::TransactionManager;

/// How long a request waits for another with the same key.
const PATIENCE: Duration = Duration::from_secs(10);

/// Does what a slip pays for. Effect, charge and, where the request has a key, the answer that `answering` makes of the
/// effect are committed together, or none of them is. The charge comes last, so that the balance is locked for no longer
/// than a commit takes; an effect must not touch balances.
///
/// `Ok` is the effect as it was committed. The slip is settled with it.
pub async fn charged<T, E, F>(
    database: &Database,
    slip: &Slip,
    answering: Option<&Answering<'_, T>>,
    effect: F,
) -> Result<T, E>
where
    for<'r> F: Effect<'r, T, E>,
    T: Send,
    E: From<SettleError> + Send,
{
    charge(database, slip, answering, PATIENCE, effect).await
}

/// An effect that is ready to be committed, with its charge.
struct Done<T> {
    value: T,
    remaining: u64,
    answer: Option<StoredAnswer>,
}

async fn charge<T, E, F>(
    database: &Database,
    slip: &Slip,
    answering: Option<&Answering<'_, T>>,
    patience: Duration,
    effect: F,
) -> Result<T, E>
where
    for<'r> F: Effect<'r, T, E>,
    T: Send,
    E: From<SettleError> + Send,
{
    let (entry, key) = match slip.account() {
        Account::Charge { entry, key } => (entry, key.as_ref()),
        Account::Note(note) => return noted(database, note, effect).await,
    };
    let keyed = match (key, answering) {
        (None, _) => None,
        (Some(key), Some(answering)) => Some((key, answering)),
        // Without an answer to give again, the key could not keep its promise.
        (Some(_), None) => return Err(unsettled(StoreError::Failed("a key without an answer".into()))),
    };
    let mut connection = database.connection().await.map_err(unsettled)?;
    let database_failed = |error| -> E { unsettled(failure(error)) };
    Manager::begin_transaction(&mut *connection)
        .await
        .map_err(database_failed)?;
    let done = match work(&mut connection, slip, entry, keyed, patience, effect).await {
        Ok(done) => done,
        Err(abort) => {
            // Nothing was committed. Where even this fails, the pool drops the connection, and PostgreSQL rolls back.
            let _ = Manager::rollback_transaction(&mut *connection).await;
            return Err(match abort {
                Abort::Database(error) => database_failed(error),
                Abort::Port(answer) => answer,
            });
        }
    };
    if let Err(error) = Manager::commit_transaction(&mut *connection).await {
        connection.discard();
        if !doubt::is_committed(database, entry).await {
            return Err(database_failed(error));
        }
    }
    let Done {
        value,
        remaining,
        answer,
    } = done;
    slip.settle(Settlement::Charged { remaining, answer });
    Ok(value)
}

/// Does what is noted in the audit trail. Effect and note are committed together, or neither is.
async fn noted<T, E, F>(database: &Database, note: &Note, effect: F) -> Result<T, E>
where
    for<'r> F: Effect<'r, T, E>,
    T: Send,
    E: From<SettleError> + Send,
{
    let mut connection = database.connection().await.map_err(unsettled)?;
    let done = connection
        .transaction::<_, Abort<E>, _>(async |connection| {
            let value = effect(connection).await?;
            let by = By {
                actor: &note.actor,
                now: note.at,
            };
            audit::record(connection, by, note.action, &note.subject, note.details.clone()).await?;
            Ok(value)
        })
        .await;
    done.map_err(|abort| match abort {
        Abort::Database(error) => unsettled(failure(error)),
        Abort::Port(answer) => answer,
    })
}

/// All that the transaction does.
async fn work<T, E, F>(
    connection: &mut AsyncPgConnection,
    slip: &Slip,
    entry: &LogEntry,
    keyed: Option<(&RequestKey, &Answering<'_, T>)>,
    patience: Duration,
    effect: F,
) -> Result<Done<T>, Abort<E>>
where
    for<'r> F: Effect<'r, T, E>,
    T: Send,
    E: From<SettleError> + Send,
{
    let Some((key, answering)) = keyed else {
        let value = effect(connection).await?;
        return Ok(Done {
            value,
            remaining: settle(connection, entry).await?,
            answer: None,
        });
    };
    claim(connection, slip, entry, key, patience).await?;
    let value = effect(connection).await?;
    let answer = answering(&value);
    replays::put(connection, entry, key, &answer).await?;
    Ok(Done {
        value,
        remaining: settle(connection, entry).await?,
        answer: Some(answer),
    })
}

/// Waits until the key is free, and stops where it was answered by then.
async fn claim<E: From<SettleError>>(
    connection: &mut AsyncPgConnection,
    slip: &Slip,
    entry: &LogEntry,
    key: &RequestKey,
    patience: Duration,
) -> Result<(), Abort<E>> {
    let stop = |why: SettleError| Abort::Port(why.into());
    if !replays::claim(connection, entry.credential_id, key, patience).await? {
        return Err(stop(SettleError::InProgress));
    }
    let before = replays::find(connection, entry.credential_id, key, entry.occurred_at).await?;
    let Some(record) = before else { return Ok(()) };
    Err(stop(match record.answer(key) {
        Ok(Some(answer)) => {
            slip.settle(Settlement::Replayed(answer));
            SettleError::Replayed
        }
        Ok(None) => SettleError::KeyReused,
        Err(corrupt) => corrupt.into(),
    }))
}

async fn settle<E: From<SettleError>>(
    connection: &mut AsyncPgConnection,
    entry: &LogEntry,
) -> Result<u64, Abort<E>> {
    let verdicts = batch::settle(connection, std::slice::from_ref(entry), false).await?;
    match verdicts.into_iter().next() {
        Some(Verdict::Settled { remaining }) => Ok(remaining),
        Some(Verdict::Refused(exhaustion)) => Err(Abort::Port(SettleError::Exhausted(exhaustion).into())),
        Some(Verdict::Unsettled) | None => Err(Abort::Port(unsettled(StoreError::Corrupt(
            "a charge without a verdict".to_owned(),
        )))),
    }
}

fn unsettled<E: From<SettleError>>(error: StoreError) -> E {
    SettleError::Store(error).into()
}

/// `charged` for tests: the effect is a statement that gives a number, and the test says how long duplicates wait.
///
/// # Errors
/// Why nothing was done.
#[cfg(feature = "testing")]
pub async fn charged_statement(
    database: &Database,
    slip: &Slip,
    answering: Option<&Answering<'_, i64>>,
    patience: Duration,
    effect: &str,
) -> Result<i64, SettleError> {
    charge(database, slip, answering, patience, async |connection| {
        let statement = diesel::dsl::sql::<diesel::sql_types::BigInt>(effect);
        let number = diesel_async::RunQueryDsl::get_result(statement, connection).await?;
        Ok(number)
    })
    .await
}
