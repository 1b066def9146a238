//! A range of time, cut into a part that is rolled up and a part that is not.

use pharos_domain::time_range::TimeRange;
use time::OffsetDateTime;

use super::grain::Grain;

/// Roll-ups of one grain that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RollupRange {
    /// How long each of them is.
    pub grain: Grain,
    /// From the beginning of the first to the end of the last.
    pub range: TimeRange,
}

/// A range of time in parts that follow each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The parts that are read from roll-ups, in order.
    pub rolled: Vec<RollupRange>,
    /// The part that only the records tell; it follows the others.
    pub rest: Option<TimeRange>,
}

impl Cut {
    /// Cuts a range, whose ends are whole hours: up to `rolled_until` into the longest roll-ups that fit. `None`: nothing
    /// is rolled up.
    #[must_use]
    pub fn new(range: TimeRange, rolled_until: Option<OffsetDateTime>) -> Self {
        let rolled_until = rolled_until.unwrap_or(range.from).min(range.until);
        let mut rolled: Vec<RollupRange> = Vec::new();
        let mut at = range.from;
        while at < rolled_until {
            let fits = |grain: &Grain| grain.start_of(at) == at && grain.end_of(at) <= rolled_until;
            let grain = Grain::ALL.into_iter().rev().find(fits).unwrap_or(Grain::Hour);
            let end = grain.end_of(at);
            match rolled.last_mut() {
                Some(last) if last.grain == grain => last.range.until = end,
                _ => rolled.push(RollupRange {
                    grain,
                    range: TimeRange::new(at, end),
                }),
            }
            at = end;
        }
        Self {
            rolled,
            rest: some_time(at, range.until),
        }
    }

    /// Cuts what lies between the first and the last of `edges`, whole hours and ascending. The roll-ups are of one grain,
    /// and none of them reaches over an edge: days where all edges are midnights, else hours.
    #[must_use]
    pub fn at_edges(edges: &[OffsetDateTime], rolled_until: Option<OffsetDateTime>) -> Self {
        let (Some(&from), Some(&until)) = (edges.first(), edges.last()) else {
            return Self::default();
        };
        let are_days = edges.iter().all(|edge| Grain::Day.start_of(*edge) == *edge);
        let grain = if are_days { Grain::Day } else { Grain::Hour };
        let end = rolled_until.map_or(from, |end| end.min(until)).max(from);
        let rolled = some_time(from, end).map(|range| RollupRange { grain, range });
        Self {
            rolled: rolled.into_iter().collect(),
            rest: some_time(end, until),
        }
    }
}

fn some_time(from: OffsetDateTime, until: OffsetDateTime) -> Option<TimeRange> {
    Some(TimeRange::new(from, until)).filter(|range| !range.is_empty())
}

/// The same roll-ups, those that touch or overlap put together: nothing is read twice.
#[must_use]
pub fn joined(ranges: impl IntoIterator<Item = RollupRange>) -> Vec<RollupRange> {
    let mut ranges: Vec<RollupRange> = ranges.into_iter().collect();
    ranges.sort_unstable();
    ranges.dedup_by(|next, last| {
        let joins = next.grain == last.grain && next.range.from <= last.range.until;
        if joins {
            last.range = last.range.hull(next.range);
        }
        joins
    });
    ranges
}

#[cfg(test)]
mod tests;
