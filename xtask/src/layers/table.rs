//! The checked-in table: who may name whom, and what must not be reached.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// `xtask/layers.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    /// A workspace crate, and the workspace crates that it may depend on: by their names, or as a part of all groups, such as
    /// `crates/*/pg`.
    pub(super) crates: BTreeMap<String, BTreeSet<String>>,
    #[serde(default)]
    pub(super) reserved: Vec<Reserved>,
    #[serde(default)]
    pub(super) unreachable: Vec<Unreachable>,
}

/// External crates that only some crates may name. `to` has crates, or a part of all groups, such as `crates/*/pg`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reserved {
    pub(super) crates: Vec<Pattern>,
    pub(super) to: BTreeSet<String>,
    pub(super) because: String,
}

/// External crates that some crates, or a part of all groups, must not reach.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Unreachable {
    pub(super) from: BTreeSet<String>,
    pub(super) features: Features,
    pub(super) crates: Vec<Pattern>,
    pub(super) because: String,
}

/// The features that a crate is looked at with.
#[derive(Clone, Copy, Deserialize, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Features {
    All,
    None,
}

impl Features {
    /// The flag of cargo that selects them.
    pub(super) fn flag(self) -> &'static str {
        match self {
            Self::All => "--all-features",
            Self::None => "--no-default-features",
        }
    }
}

/// A crate's name, or the start of one before a `*`.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Pattern(String);

impl Pattern {
    pub(super) fn matches(&self, name: &str) -> bool {
        match self.0.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == self.0,
        }
    }
}
