//! The findings of `pharos doctor`.

use serde::Serialize;

/// Something that `pharos doctor` found out about an installation.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// The subject.
    pub what: &'static str,
    /// Whether all is as it should be.
    pub well: bool,
    /// The state, and what to do where it is a fault.
    pub detail: String,
}

impl Finding {
    /// All is well with a subject.
    pub(crate) fn well(what: &'static str, detail: impl Into<String>) -> Self {
        Self {
            what,
            well: true,
            detail: detail.into(),
        }
    }

    /// A fault.
    pub(crate) fn wrong(what: &'static str, detail: &dyn std::fmt::Display) -> Self {
        Self {
            what,
            well: false,
            detail: detail.to_string(),
        }
    }
}
