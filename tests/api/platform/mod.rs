//! Operations of the module `platform`.

mod domains;
mod health;
mod me;
mod workspaces;
