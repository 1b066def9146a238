//! The changes that an operator makes: workspaces, users, members, plans, domains, switches.
//!
//! Each noun has a port. Every change writes its audit row in the same transaction, and returns once every
//! node has dropped what it knew before.

pub mod audit;
pub mod domains;
pub mod members;
pub mod plans;
pub mod users;
pub mod workspaces;

use pharos_domain::{line::is_one_line, store::StoreError};
use thiserror::Error;

/// Why a change was not made.
#[derive(Debug, Error)]
pub enum AdminError {
    /// A name, address or key that can't be taken as it is.
    #[error("{0}")]
    Invalid(String),
    /// The object of the change does not exist.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// It exists already.
    #[error("there is a {0} of that name already")]
    Exists(&'static str),
    /// It would leave a workspace without an owner.
    #[error("the workspace would be left without an owner; make somebody else owner first")]
    LastOwner,
    /// The deletion is too long ago to be taken back.
    #[error("it was deleted more than 30 days ago; its data are being erased")]
    TooLate,
    /// The workspace has as many domains as any may.
    #[error(
        "the workspace has {most} domains, those included that were deleted in the last 30 days; it can't have more",
        most = domains::MOST_OF_A_WORKSPACE
    )]
    TooManyDomains,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A name that people read: one line of 1 to 100 characters that hides nothing.
///
/// # Errors
/// [`AdminError::Invalid`].
pub fn check_name(what: &str, name: &str) -> Result<String, AdminError> {
    let name = name.trim();
    if (1..=100).contains(&name.chars().count()) && is_one_line(name) {
        Ok(name.to_owned())
    } else {
        Err(AdminError::Invalid(format!(
            "{what} has 1 to 100 characters in one line, none of them hidden"
        )))
    }
}
