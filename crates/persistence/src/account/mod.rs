//! Workspaces and domains, and the changes that operators make.

pub mod admin;
pub mod domains;
pub mod workspaces;
