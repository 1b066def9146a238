//! Rows that others belong to, held until a transaction ends. Whoever counts what belongs to one before they add to it holds it, so
//! that two at once do not both take the last place; so does whoever creates settings that there is one row of. Rows that refer to it
//! may come meanwhile.

use diesel::{OptionalExtension, QueryDsl, QueryResult};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::ids::{DomainId, UserId, WorkspaceId};
use uuid::Uuid;

use crate::schema::{domains, users, workspaces};

/// Holds a workspace, and says whether there is one.
///
/// # Errors
/// The database could not do it.
pub async fn workspace(connection: &mut AsyncPgConnection, id: WorkspaceId) -> QueryResult<bool> {
    let held: Option<Uuid> = workspaces::table
        .find(id.0)
        .for_no_key_update()
        .select(workspaces::id)
        .first(connection)
        .await
        .optional()?;
    Ok(held.is_some())
}

/// Holds a user, and says whether there is one.
///
/// # Errors
/// The database could not do it.
pub async fn user(connection: &mut AsyncPgConnection, id: UserId) -> QueryResult<bool> {
    let held: Option<Uuid> = users::table
        .find(id.0)
        .for_no_key_update()
        .select(users::id)
        .first(connection)
        .await
        .optional()?;
    Ok(held.is_some())
}

/// Holds a domain, a deleted one too.
///
/// # Errors
/// The database could not do it, or the row is gone: until its data are deleted, a domain has one.
pub async fn domain(connection: &mut AsyncPgConnection, id: DomainId) -> QueryResult<()> {
    let _held: Uuid = domains::table
        .find(id.0)
        .for_no_key_update()
        .select(domains::id)
        .first(connection)
        .await?;
    Ok(())
}
