//! Errors of the database, as the ports have them.

use diesel::result::{DatabaseErrorKind, Error};
use pharos_domain::store::StoreError;
use tokio_postgres::error::SqlState;

/// Messages with which PostgreSQL ends a session or a statement for reasons of its own. Diesel keeps the words and
/// drops the code, so the words have to do; sessions ask for English ones where they may.
const OUTAGES: [&str; 19] = [
    "terminating connection",
    "the database system is",
    "canceling statement due to",
    "sorry, too many clients already",
    "remaining connection slots are reserved",
    "too many connections for",
    "deadlock detected",
    "could not obtain lock",
    "connection closed",
    "channel closed", // Diesel says so when the connection was lost meanwhile.
    "error communicating with the server",
    "connection to server was lost",
    "cannot execute", // …in a read-only transaction, while a standby takes over.
    // The disk or the memory is full (53100, 53200), or fails (58030): no row is to blame.
    "could not extend file",
    "could not write",
    "could not read",
    "could not fsync",
    "out of memory",
    "out of shared memory",
];

/// Whether trying again may help.
fn is_outage(error: &Error) -> bool {
    match error {
        Error::DatabaseError(
            DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::SerializationFailure
            | DatabaseErrorKind::ReadOnlyTransaction,
            _,
        )
        | Error::BrokenTransactionManager => true,
        Error::DatabaseError(
            DatabaseErrorKind::UnableToSendCommand | DatabaseErrorKind::Unknown,
            information,
        ) => {
            let message = information.message();
            OUTAGES.iter().any(|outage| message.starts_with(outage))
        }
        Error::RollbackErrorOnCommit { commit_error, .. } => is_outage(commit_error),
        _ => false,
    }
}

/// Whether PostgreSQL gave the statement up to end a deadlock: tried again, it may succeed.
pub(crate) fn is_deadlock(error: &Error) -> bool {
    matches!(
        error,
        Error::DatabaseError(DatabaseErrorKind::Unknown, information)
            if information.message().starts_with("deadlock detected")
    )
}

/// Whether the statement was given up for the locks of others: tried again once they are done, it may succeed.
pub(crate) fn is_lock_conflict(error: &Error) -> bool {
    is_deadlock(error)
        || matches!(
            error,
            Error::DatabaseError(DatabaseErrorKind::Unknown, information)
                if information.message().starts_with("canceling statement due to lock timeout")
        )
}

/// The same, of an error that only its words are left of.
pub(crate) fn tells_of_lock_conflict(words: &str) -> bool {
    ["deadlock detected", "canceling statement due to lock timeout"]
        .iter()
        .any(|conflict| words.contains(conflict))
}

/// Whether the statement took longer than statements may.
pub fn is_timeout(error: &Error) -> bool {
    matches!(
        error,
        Error::DatabaseError(_, information)
            if information.message().starts_with("canceling statement due to statement timeout")
    )
}

/// Whether the schema lacks what a statement asks for, or keeps it from the account: no row is to blame.
pub(crate) fn is_of_the_schema(error: &Error) -> bool {
    matches!(
        error,
        Error::DatabaseError(DatabaseErrorKind::Unknown, information)
            if information.message().ends_with("does not exist")
                || information.message().starts_with("permission denied")
    )
}

/// A read of much that failed: PostgreSQL may have ended it after the longest time that a statement may take.
pub fn read_failure(error: Error) -> StoreError {
    if is_timeout(&error) {
        StoreError::TooLong(Box::new(error))
    } else {
        failure(error)
    }
}

/// A statement that failed.
pub fn failure(error: Error) -> StoreError {
    if is_outage(&error) {
        StoreError::Unavailable(Box::new(error))
    } else {
        StoreError::Failed(Box::new(error))
    }
}

/// A failure of a connection outside the pool, which still has its code.
pub(crate) fn connection_failure(error: tokio_postgres::Error) -> StoreError {
    if is_refusal(&error) {
        StoreError::Failed(Box::new(error))
    } else {
        StoreError::Unavailable(Box::new(error))
    }
}

/// Whether the server turned a connection away for good: a wrong password, no such database.
fn is_refusal(error: &tokio_postgres::Error) -> bool {
    error.code().is_some_and(|code| {
        code.code().starts_with("28")
            || *code == SqlState::INVALID_CATALOG_NAME
            || *code == SqlState::INSUFFICIENT_PRIVILEGE
    })
}

/// Why a transaction is rolled back: the database, or what the port has to say.
#[derive(Debug)]
pub enum Abort<E> {
    /// The database failed.
    Database(Error),
    /// The port's own answer.
    Port(E),
}

impl<E> From<Error> for Abort<E> {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl Abort<StoreError> {
    /// The same within the transaction of a port that has more to say.
    pub fn widen<E: From<StoreError>>(self) -> Abort<E> {
        match self {
            Self::Database(error) => Abort::Database(error),
            Self::Port(error) => Abort::port(error),
        }
    }
}

impl<E: From<StoreError>> Abort<E> {
    /// A failure of the store, as the port's error.
    pub fn port(error: StoreError) -> Self {
        Self::Port(error.into())
    }

    /// The answer of the port.
    pub fn answer(self) -> E {
        match self {
            Self::Database(error) => failure(error).into(),
            Self::Port(answer) => answer,
        }
    }
}
