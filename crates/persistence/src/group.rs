//! What a group's tables ask of the kit, and of the groups whose rows theirs hang on.

use diesel::QueryResult;
use diesel_async::AsyncPgConnection;
use futures_util::future::BoxFuture;
use pharos_domain::{
    ids::{DomainId, UserId},
    module::Module,
    store::StoreError,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{failure::Abort, pool::Database};

/// A group's part of the database. One is a constant of the group's crate; the server has the list of all.
#[derive(Clone, Copy, Debug)]
pub struct PgGroup {
    /// What the group is called.
    pub name: &'static str,
    /// What is to be done for its tables once an hour.
    pub upkeep: &'static [UpkeepStep],
    /// What becomes of its rows with a domain.
    pub domain: Option<DomainHooks>,
    /// What becomes of its rows when a user is disabled, within the transaction that does so.
    pub user_disabled: Option<UserHook>,
}

impl PgGroup {
    /// A group that asks for nothing.
    #[must_use]
    pub const fn named(name: &'static str) -> Self {
        Self {
            name,
            upkeep: &[],
            domain: None,
            user_disabled: None,
        }
    }
}

/// What is to be done once an hour, by whichever node.
#[derive(Clone, Copy, Debug)]
pub struct UpkeepStep {
    /// What it is called in the log.
    pub name: &'static str,
    /// Does it.
    pub run: for<'a> fn(&'a Database, OffsetDateTime) -> BoxFuture<'a, Result<(), StoreError>>,
}

/// What becomes of a group's rows with a domain, within the transaction that changes it.
#[derive(Clone, Copy, Debug)]
pub struct DomainHooks {
    /// The domain is deleted: nothing is done for it any more.
    pub deleted: DomainHook,
    /// It is restored.
    pub restored: DomainHook,
    /// Which of these domains have a module of the group switched on.
    pub active: ActiveModules,
}

/// Something that happens to a domain at a moment.
pub type DomainHook = for<'a> fn(
    &'a mut AsyncPgConnection,
    DomainId,
    OffsetDateTime,
) -> BoxFuture<'a, Result<(), Abort<StoreError>>>;

/// Tells which of some domains have which modules of a group switched on.
pub type ActiveModules =
    for<'a> fn(&'a AsyncPgConnection, &'a [Uuid]) -> BoxFuture<'a, QueryResult<Vec<(Uuid, Module)>>>;

/// Something that happens to a user.
pub type UserHook = for<'a> fn(&'a mut AsyncPgConnection, UserId) -> BoxFuture<'a, QueryResult<()>>;
