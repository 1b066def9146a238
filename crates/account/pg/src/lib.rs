#![doc = include_str!("../README.md")]

pub mod admin;
pub mod credits;
pub mod domains;
mod ports;
pub mod quotas;
mod schema;
pub mod workspaces;

use pharos_persistence::group::PgGroup;

/// Workspaces and domains, as the kit and the other groups know them.
pub const GROUP: PgGroup = PgGroup {
    ports: ports::ports,
    ..PgGroup::of(pharos_persistence::schema!("account"))
};
