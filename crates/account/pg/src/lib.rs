#![doc = include_str!("../README.md")]

pub mod admin;
pub mod credits;
pub mod domains;
mod erase;
mod ports;
pub mod quotas;
pub mod refusals;
mod schema;
pub mod workspaces;

use futures_util::FutureExt;
use pharos_persistence::group::{PgGroup, UpkeepStep};

/// Workspaces and domains, as the kit and the other groups know them.
pub const GROUP: PgGroup = PgGroup {
    ports: ports::ports,
    upkeep: &[
        UpkeepStep {
            name: "domains that were deleted",
            run: |database, now| erase::erase_deleted(database, now).boxed(),
        },
        UpkeepStep {
            name: "refused requests",
            run: |database, now| refusals::forget(database, now).boxed(),
        },
    ],
    ..PgGroup::of(pharos_persistence::schema!("account"))
};
