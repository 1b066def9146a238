//! Workspaces, domains, credits and quotas, and the changes that operators make.

pub mod admin;
pub mod credits;
pub mod domains;
pub mod quotas;
pub mod workspaces;
