//! The errors of stores, and names that no enum knows.

use thiserror::Error;

/// Why a store did not do what it was asked. Mistakes that a caller could have avoided are not among these: each port
/// has its own answer for them.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The store could not be reached, or did not answer in time. Trying again may help.
    #[error("the store can't be reached: {0}")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store was at work on it for longer than a read may take, and ended it. Asking for less may help.
    #[error("the read took too long: {0}")]
    TooLong(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store refused or failed the statement. Trying again won't help.
    #[error("the store failed: {0}")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A stored value that no longer means anything to this version.
    #[error("a stored value is not understood: {0}")]
    Corrupt(String),
}

impl From<UnknownName> for StoreError {
    fn from(name: UnknownName) -> Self {
        Self::Corrupt(format!("{}: {name}", name.kind))
    }
}

/// A name that the enum does not have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{given:?} is none of {}", known.join(", "))]
pub struct UnknownName {
    kind: &'static str,
    given: String,
    known: &'static [&'static str],
}

impl UnknownName {
    /// `kind` is the enum's name, `known` what it has.
    #[must_use]
    pub fn new(kind: &'static str, given: &str, known: &'static [&'static str]) -> Self {
        Self {
            kind,
            given: given.chars().take(64).collect(),
            known,
        }
    }
}
