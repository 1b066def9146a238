//! The changes that operators make, a file a noun. Every change writes its audit row in its own transaction, and
//! returns once every node has dropped what it knew before.

pub mod audit;
pub mod domains;
pub mod members;
pub mod plans;
pub mod users;
pub mod workspaces;

use diesel::{
    QueryResult,
    result::{DatabaseErrorKind, Error},
};
use diesel_async::AsyncPgConnection;
use pharos_account::admin::AdminError;
use pharos_domain::ids::{UserId, WorkspaceId};
use pharos_persistence::{failure::Abort, hold};

/// The answer where a unique index says that there is a `what` of that name already.
fn taken<T>(result: QueryResult<T>, what: &'static str) -> Result<T, Abort<AdminError>> {
    result.map_err(|error| match error {
        Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _) => Abort::Port(AdminError::Exists(what)),
        other => Abort::Database(other),
    })
}

/// The answer where there is no such `what`.
fn missing<T>(found: Option<T>, what: &'static str) -> Result<T, Abort<AdminError>> {
    found.ok_or(Abort::Port(AdminError::NotFound(what)))
}

/// Holds a workspace until the transaction ends: nobody else changes its members or adds domains to it meanwhile.
async fn hold_workspace(
    connection: &mut AsyncPgConnection,
    id: WorkspaceId,
) -> Result<(), Abort<AdminError>> {
    let is_there = hold::workspace(connection, id).await?;
    missing(is_there.then_some(()), "workspace")
}

/// Holds a user until the transaction ends: nobody else makes them owner of one more workspace meanwhile.
async fn hold_user(connection: &mut AsyncPgConnection, id: UserId) -> Result<(), Abort<AdminError>> {
    let is_there = hold::user(connection, id).await?;
    missing(is_there.then_some(()), "user")
}
