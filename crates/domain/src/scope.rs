//! What a credential was given.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use crate::wire_enum;

wire_enum! {
    /// A scope, `<class>:<name>`. A `read:` scope is not implied by its `write:`.
    Scope {
        /// Read alert rules and history.
        ReadAlerts = "read:alerts",
        /// Read web analytics.
        ReadAnalytics = "read:analytics",
        /// Read field performance.
        ReadCrux = "read:crux",
        /// Read workspaces and domains.
        ReadDomains = "read:domains",
        /// Read search performance.
        ReadGsc = "read:gsc",
        /// Read URL inspection.
        ReadIndexing = "read:indexing",
        /// Read notifications.
        ReadNotifications = "read:notifications",
        /// Read the overview and health of domains.
        ReadOverview = "read:overview",
        /// Read reports.
        ReadReports = "read:reports",
        /// Read robots.txt monitoring.
        ReadRobots = "read:robots",
        /// Read real-user monitoring.
        ReadRum = "read:rum",
        /// Read sitemaps.
        ReadSitemap = "read:sitemap",
        /// Read lab tests.
        ReadSynthetic = "read:synthetic",
        /// Read uptime, TLS and registration.
        ReadUptime = "read:uptime",
        /// Configure alert rules and history.
        WriteAlerts = "write:alerts",
        /// Configure web analytics.
        WriteAnalytics = "write:analytics",
        /// Configure field performance.
        WriteCrux = "write:crux",
        /// Configure search performance.
        WriteGsc = "write:gsc",
        /// Configure URL inspection.
        WriteIndexing = "write:indexing",
        /// Configure notifications.
        WriteNotifications = "write:notifications",
        /// Configure reports.
        WriteReports = "write:reports",
        /// Configure robots.txt monitoring.
        WriteRobots = "write:robots",
        /// Configure real-user monitoring.
        WriteRum = "write:rum",
        /// Configure sitemaps.
        WriteSitemap = "write:sitemap",
        /// Configure lab tests.
        WriteSynthetic = "write:synthetic",
        /// Configure uptime, TLS and registration.
        WriteUptime = "write:uptime",
        /// Run web analytics.
        RunAnalytics = "run:analytics",
        /// Run field performance.
        RunCrux = "run:crux",
        /// Run search performance.
        RunGsc = "run:gsc",
        /// Run URL inspection.
        RunIndexing = "run:indexing",
        /// Run reports.
        RunReports = "run:reports",
        /// Run robots.txt monitoring.
        RunRobots = "run:robots",
        /// Run sitemaps.
        RunSitemap = "run:sitemap",
        /// Run lab tests.
        RunSynthetic = "run:synthetic",
        /// Run uptime, TLS and registration.
        RunUptime = "run:uptime",
    }
}

/// What kind of work a scope is for. It decides which operations change something.
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
