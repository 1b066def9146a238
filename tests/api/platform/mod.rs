//! Operations of the module `platform`.

mod domain_health;
mod domains;
mod health;
mod me;
mod modules;
mod overview;
mod workspaces;
