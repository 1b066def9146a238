//! A group's part of the database, as its `pg` crate declares it: tables, ports, upkeep and hooks.

use diesel::QueryResult;
use diesel_async::AsyncPgConnection;
use futures_util::future::BoxFuture;
use pharos_domain::{
    ids::{DomainId, UserId},
    module::Module,
    ports::Ports,
    store::StoreError,
};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    failure::Abort, jobs::backlog::Backlog, migrate::groups::Schema, pool::Database, seal::SealedColumn,
};

/// A group's part of the database. One is a constant of the group's crate; the server has the list of all.
#[derive(Clone, Copy, Debug)]
pub struct PgGroup {
    /// Its tables and functions.
    pub schema: Schema,
    /// Adds the ports that it implements on the database.
    pub ports: fn(Ports, &Database) -> Ports,
    /// The upkeep of its tables, once an hour.
    pub upkeep: &'static [UpkeepStep],
    /// Its things that are due again and again.
    pub due: &'static [DueKind],
    /// The quotas that others grant it for a day.
    pub day_quotas: &'static [DayQuota],
    /// Its columns of sealed secrets, whose keys are rotated.
    pub sealed: &'static [SealedColumn],
    /// Its columns of secrets that the installation's own key seals, which the database does not have.
    pub sealed_by_installation: &'static [SealedColumn],
    /// Rolls up the time series of its domains, once an hour.
    pub roll_up: Option<RollUp>,
    /// Counts the domains that are behind in that.
    pub behind_in_roll_ups: Option<BehindInRollUps>,
    /// Its hooks for changes of a domain.
    pub domain: Option<DomainHooks>,
    /// Gives back what a domain took of its workspace's plan, in the transaction in which its data begin to be erased. The rows
    /// themselves are erased by whoever erases those of all groups.
    pub domain_erasing: Option<DomainHook>,
    /// Changes its rows when a user is disabled, within the transaction that does so.
    pub user_disabled: Option<UserHook>,
}

impl PgGroup {
    /// A group of tables that implements no port and asks for nothing more.
    #[must_use]
    pub const fn of(schema: Schema) -> Self {
        Self {
            schema,
            ports: |ports, _| ports,
            upkeep: &[],
            due: &[],
            day_quotas: &[],
            sealed: &[],
            sealed_by_installation: &[],
            roll_up: None,
            behind_in_roll_ups: None,
            domain: None,
            domain_erasing: None,
            user_disabled: None,
        }
    }
}

/// A step of upkeep, done once an hour by whichever node.
#[derive(Clone, Copy, Debug)]
pub struct UpkeepStep {
    /// Its name in the log.
    pub name: &'static str,
    /// Does it.
    pub run: for<'a> fn(&'a Database, OffsetDateTime) -> BoxFuture<'a, Result<(), StoreError>>,
}

/// A kind of things that are due again and again, for whoever watches how many wait.
#[derive(Clone, Copy, Debug)]
pub struct DueKind {
    /// Its name in metrics and in the log: that of its work.
    pub name: &'static str,
    /// Counts those that could be claimed.
    pub backlog: for<'a> fn(&'a Database) -> BoxFuture<'a, Result<Backlog, StoreError>>,
}

/// A quota that an upstream grants for a day, for whoever watches how much of it is used.
#[derive(Clone, Copy, Debug)]
pub struct DayQuota {
    /// Its name in metrics.
    pub name: &'static str,
    /// The used part of it on the upstream's day at that moment: 1 is all. Where there are several, the largest part.
    pub used: for<'a> fn(&'a Database, OffsetDateTime) -> BoxFuture<'a, Result<f64, StoreError>>,
}

/// Rolls up, until the token is cancelled, what is not rolled up yet. Reads do without what fails, so the function logs
/// that itself; the next hour tries again.
pub type RollUp = for<'a> fn(&'a Database, OffsetDateTime, &'a CancellationToken) -> BoxFuture<'a, ()>;

/// How many domains have a day, closed by that moment, that is not rolled up yet. One that nothing was measured of by then is
/// not behind.
pub type BehindInRollUps =
    for<'a> fn(&'a Database, OffsetDateTime) -> BoxFuture<'a, Result<usize, StoreError>>;

/// A group's hooks for changes of a domain, within the transaction that changes it.
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
