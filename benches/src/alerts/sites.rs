//! The sites: each by its number one that is well, down, slow, or not watched at all.

use pharos_domain::ids::DomainId;

/// A site.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) number: usize,
    pub(super) domain: DomainId,
}

impl Site {
    /// Whether it has a monitor.
    pub(super) const fn is_watched(self) -> bool {
        self.number % 50 != 13
    }

    /// Whether it is down, and has been before anything is measured.
    pub(super) const fn is_down(self) -> bool {
        self.number % 50 == 7
    }

    /// Whether its answers take three times as long since a day as they did before.
    pub(super) const fn is_slow(self) -> bool {
        self.number % 10 == 9
    }

    /// Whether its certificate and its registration changed, twice each.
    pub(super) const fn has_events(self) -> bool {
        self.number % 20 == 3
    }
}
