//! The phases of a run, one after the other.

/// A part of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// Caches fill. It is not counted.
    WarmUp,
    /// Nothing happens: the base of the others.
    Quiet,
    /// One node after the other is killed, and started again.
    Kills,
    /// One node after the other gives way to its successor.
    Upgrade,
    /// The database does everything at half its speed.
    Slow,
    /// The database holds locks, and stands still, for seconds at a time.
    Standstill,
    /// Nothing happens again, for long enough that memory which grows is seen to.
    Settled,
}

impl Phase {
    pub(super) const ALL: [Self; 7] = [
        Self::WarmUp,
        Self::Quiet,
        Self::Kills,
        Self::Upgrade,
        Self::Slow,
        Self::Standstill,
        Self::Settled,
    ];

    /// Those whose times have a target: nobody answers sooner than a database that stands still.
    pub(super) const TIMED: [Self; 5] = [Self::Quiet, Self::Kills, Self::Upgrade, Self::Slow, Self::Settled];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::WarmUp => "warm-up",
            Self::Quiet => "quiet",
            Self::Kills => "kills",
            Self::Upgrade => "upgrade",
            Self::Slow => "slow-database",
            Self::Standstill => "standstill",
            Self::Settled => "settled",
        }
    }

    /// Its share of the run.
    pub(super) const fn share(self) -> f64 {
        match self {
            Self::WarmUp => 0.05,
            Self::Quiet => 0.2,
            Self::Kills => 0.15,
            Self::Upgrade | Self::Slow | Self::Standstill => 0.1,
            Self::Settled => 0.3,
        }
    }

    /// The phase of this number; the last one beyond.
    pub(super) fn of(number: usize) -> Self {
        Self::ALL.get(number).copied().unwrap_or(Self::Settled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phases_are_the_whole_run_in_their_order() {
        let shares: f64 = Phase::ALL.iter().map(|phase| phase.share()).sum();
        assert!((shares - 1.0).abs() < 1e-9, "{shares}");
        for (at, phase) in Phase::ALL.into_iter().enumerate() {
            assert_eq!((Phase::of(at), phase as usize), (phase, at));
            let is_timed = !matches!(phase, Phase::WarmUp | Phase::Standstill);
            assert_eq!(Phase::TIMED.contains(&phase), is_timed);
        }
    }
}
