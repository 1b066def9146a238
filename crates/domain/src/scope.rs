//! Scopes: what a credential is allowed to do.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use crate::{documented_wire_enum, wire_enum};

documented_wire_enum! {
    /// A scope, `<class>:<name>`. A `read:` scope is not implied by its `write:`.
    Scope {
        /// Read alert rules, and what they fired.
        ReadAlerts = "read:alerts",
        /// Read web analytics.
        ReadAnalytics = "read:analytics",
        /// Read how fast pages are for Chrome's users (CrUX).
        ReadCrux = "read:crux",
        /// Read workspaces and their domains.
        ReadDomains = "read:domains",
        /// Read how pages do in Google Search (Search Console).
        ReadGsc = "read:gsc",
        /// Read whether pages are in Google's index.
        ReadIndexing = "read:indexing",
        /// Read notifications.
        ReadNotifications = "read:notifications",
        /// Read the overview and the health of domains.
        ReadOverview = "read:overview",
        /// Read reports.
        ReadReports = "read:reports",
        /// Read robots.txt files and their changes.
        ReadRobots = "read:robots",
        /// Read how visitors experience pages (real-user monitoring).
        ReadRum = "read:rum",
        /// Read sitemaps and their changes.
        ReadSitemap = "read:sitemap",
        /// Read lab tests of pages.
        ReadSynthetic = "read:synthetic",
        /// Read uptime, certificates and domain registrations.
        ReadUptime = "read:uptime",
        /// Change alert rules.
        WriteAlerts = "write:alerts",
        /// Change the settings of web analytics.
        WriteAnalytics = "write:analytics",
        /// Change which pages are followed in CrUX.
        WriteCrux = "write:crux",
        /// Change the settings of Search Console data.
        WriteGsc = "write:gsc",
        /// Change which pages are inspected for Google's index.
        WriteIndexing = "write:indexing",
        /// Change notifications.
        WriteNotifications = "write:notifications",
        /// Change reports.
        WriteReports = "write:reports",
        /// Change the monitoring of robots.txt files.
        WriteRobots = "write:robots",
        /// Change the settings of real-user monitoring.
        WriteRum = "write:rum",
        /// Change the monitoring of sitemaps.
        WriteSitemap = "write:sitemap",
        /// Change which pages are tested in the lab.
        WriteSynthetic = "write:synthetic",
        /// Change what uptime monitoring checks, and how.
        WriteUptime = "write:uptime",
        /// Start wide pulls of web analytics.
        RunAnalytics = "run:analytics",
        /// Look pages up in CrUX.
        RunCrux = "run:crux",
        /// Pull data from Search Console.
        RunGsc = "run:gsc",
        /// Inspect pages in Google's index; uses the plan's quota.
        RunIndexing = "run:indexing",
        /// Generate reports.
        RunReports = "run:reports",
        /// Check robots.txt files now.
        RunRobots = "run:robots",
        /// Check sitemaps now.
        RunSitemap = "run:sitemap",
        /// Start lab tests of pages; uses the plan's quota.
        RunSynthetic = "run:synthetic",
        /// Check sites now.
        RunUptime = "run:uptime",
    }
}

/// The kind of work that a scope is for. It decides which operations change something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeClass {
    /// Reads.
    Read,
    /// Changes configuration.
    Write,
    /// Starts work.
    Run,
}

impl Scope {
    /// The part before the colon.
    #[must_use]
    pub fn class(self) -> ScopeClass {
        match self.as_str().as_bytes() {
            [b'r', b'e', ..] => ScopeClass::Read,
            [b'w', ..] => ScopeClass::Write,
            _ => ScopeClass::Run,
        }
    }

    const fn bit(self) -> u64 {
        1 << self as u64
    }
}

wire_enum! {
    /// The tiers that a key is created with; each is all scopes of its class.
    Tier {
        /// All `read:` scopes.
        Read = "read",
        /// All `write:` scopes.
        Configure = "configure",
        /// All `run:` scopes.
        Run = "run",
    }
}

impl Tier {
    /// The scopes of this tier.
    #[must_use]
    pub fn scopes(self) -> ScopeSet {
        let class = match self {
            Self::Read => ScopeClass::Read,
            Self::Configure => ScopeClass::Write,
            Self::Run => ScopeClass::Run,
        };
        Scope::ALL
            .iter()
            .copied()
            .filter(|scope| scope.class() == class)
            .collect()
    }
}

/// A set of scopes; iterates and serialises in the order of [`Scope::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct ScopeSet(u64);

impl ScopeSet {
    /// Whether `scope` is in the set.
    #[must_use]
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Adds `scope`.
    pub fn insert(&mut self, scope: Scope) {
        self.0 |= scope.bit();
    }

    /// Whether no scope is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The scopes of the set.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL
            .iter()
            .copied()
            .filter(move |scope| self.contains(*scope))
    }

    /// The scopes of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<Scope> for ScopeSet {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        let mut set = Self::default();
        for scope in scopes {
            set.insert(scope);
        }
        set
    }
}

impl fmt::Debug for ScopeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for ScopeSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for ScopeSet {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Scope>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_says_what_it_allows_in_a_sentence_of_its_own() {
        for scope in Scope::ALL {
            let meaning = scope.meaning();
            assert!(meaning.ends_with('.') && meaning.len() > 10, "{scope}: {meaning}");
            assert!(!meaning.starts_with(' '), "{scope}: {meaning}");
            let same = Scope::ALL.iter().filter(|other| other.meaning() == meaning);
            assert_eq!(same.count(), 1, "{scope}: {meaning}");
        }
    }

    #[test]
    fn the_tiers_part_all_scopes_between_them() {
        let all = Tier::ALL
            .iter()
            .fold(ScopeSet::default(), |set, tier| set.union(tier.scopes()));
        assert_eq!(all.iter().count(), Scope::ALL.len());
        assert_eq!(Tier::Read.scopes().iter().count(), 14);
        assert_eq!(Tier::Configure.scopes().iter().count(), 12);
        assert_eq!(Tier::Run.scopes().iter().count(), 9);
    }
}
