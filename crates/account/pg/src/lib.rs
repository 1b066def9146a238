#![doc = include_str!("../README.md")]

pub mod admin;
pub mod credits;
pub mod domains;
pub mod quotas;
mod schema;
pub mod workspaces;

use pharos_persistence::group::PgGroup;

/// Workspaces and domains, as the kit and the other groups know them.
pub const GROUP: PgGroup = PgGroup::named("account");
