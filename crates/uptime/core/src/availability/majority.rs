//! The view of a site that its regions have together.

use std::ops::{Add, Sub};

use pharos_domain::time_range::TimeRange;
use time::{Duration, OffsetDateTime};

use super::{Availability, Kind, shown};
use crate::state::{SpanState, StateSpan};

/// The sums of spans between `edges`, the first to the last: one sum for each pair of neighbours.
/// Downtime within `blocked` intervals counts as blocked. Time that no region observed is in none.
/// Spans begin and end on the seconds that incidents show, so that downtime is what their durations come to.
pub(super) fn between<'a>(
    spans: impl IntoIterator<Item = &'a StateSpan>,
    blocked: &[TimeRange],
    edges: &[OffsetDateTime],
) -> Vec<Availability> {
    let mut sums = vec![Availability::default(); edges.len().saturating_sub(1)];
    let (Some(&from), Some(&until)) = (edges.first(), edges.last()) else {
        return sums;
    };
    let spans = spans
        .into_iter()
        .map(|span| (span.started_at, span.ended_at, Some(span.state)));
    let blocked = blocked.iter().map(|blocked| (blocked.from, blocked.until, None));
    let mut changes: Vec<(OffsetDateTime, Option<SpanState>, i32)> = spans
        .chain(blocked)
        .map(|(start, end, state)| (shown(start).max(from), shown(end).min(until), state))
        .filter(|(start, end, _)| start < end)
        .flat_map(|(start, end, state)| [(start, state, 1), (end, state, -1)])
        .collect();
    changes.sort_by_key(|(at, _, _)| *at);
    let mut counts = Counts::default();
    let (mut bucket, mut last) = (0, from);
    for (at, state, by) in changes {
        let kind = counts.kind();
        // The time between two changes may reach over several edges.
        while last < at {
            let end = at.min(edges[bucket + 1]);
            if let Some(kind) = kind {
                sums[bucket].add(kind, end - last);
            }
            last = end;
            if last == edges[bucket + 1] && bucket + 2 < edges.len() {
                bucket += 1;
            }
        }
        counts.change(state, by);
    }
    sums
}

/// The sums of spans over each of `ranges`, which may overlap, in their order. Each span is looked at once, however many ranges
/// there are: a range is what came up to its end, less what came up to its beginning.
pub(super) fn over<'a>(
    spans: impl IntoIterator<Item = &'a StateSpan>,
    blocked: &[TimeRange],
    ranges: &[TimeRange],
) -> Vec<Availability> {
    let mut edges: Vec<OffsetDateTime> = ranges
        .iter()
        .filter(|range| !range.is_empty())
        .flat_map(|range| [range.from, range.until])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let mut sum = Availability::default();
    let mut up_to = vec![sum];
    for piece in between(spans, blocked, &edges) {
        sum = sum.with(piece, Duration::add);
        up_to.push(sum);
    }
    let up_to = |moment| edges.binary_search(&moment).ok().and_then(|edge| up_to.get(edge));
    let whole = |range: &TimeRange| {
        // An empty range has no edges of its own.
        let (from, until) = (up_to(range.from)?, up_to(range.until)?);
        (!range.is_empty()).then(|| until.with(*from, Duration::sub))
    };
    ranges
        .iter()
        .map(|range| whole(range).unwrap_or_default())
        .collect()
}

/// How many regions are in each state at a moment.
#[derive(Default)]
struct Counts {
    up: i32,
    pending: i32,
    down: i32,
    maintenance: i32,
    blocked: i32,
    paused: i32,
    /// Blocked intervals that lie over the spans: one at most, of a domain.
    intervals: i32,
}

impl Counts {
    fn change(&mut self, state: Option<SpanState>, by: i32) {
        let count = match state {
            Some(SpanState::Up | SpanState::Suspect) => &mut self.up,
            Some(SpanState::Pending) => &mut self.pending,
            Some(SpanState::Down) => &mut self.down,
            Some(SpanState::Maintenance) => &mut self.maintenance,
            Some(SpanState::Blocked) => &mut self.blocked,
            Some(SpanState::Paused) => &mut self.paused,
            None => &mut self.intervals,
        };
        *count += by;
    }

    /// The monitor is down while more than half of the regions that observe it are: all of them, with one or two.
    fn kind(&self) -> Option<Kind> {
        let judged = self.up + self.pending + self.down;
        let neither = self.maintenance + self.blocked + self.paused;
        let is_down = self.down * 2 > judged && (judged > 2 || self.down == judged);
        if judged > 0 && neither <= judged {
            Some(match (is_down, self.intervals > 0) {
                (true, false) => Kind::Down,
                (true, true) => Kind::Blocked,
                // One that is not sure has a vote against an outage, and says nothing for the site.
                (false, _) if self.up == 0 => Kind::Pending,
                (false, _) => Kind::Up,
            })
        } else if neither == 0 {
            None
        } else if self.maintenance >= self.blocked.max(self.paused) {
            Some(Kind::Maintenance)
        } else if self.blocked >= self.paused {
            Some(Kind::Blocked)
        } else {
            Some(Kind::Paused)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use time::macros::datetime;

    use super::*;

    const START: OffsetDateTime = datetime!(2026-03-31 00:00 UTC);

    fn span(region: &str, state: SpanState, from: i64, until: i64) -> StateSpan {
        let at = |minute| START + Duration::minutes(minute);
        StateSpan {
            region: region.to_owned(),
            state,
            started_at: at(from),
            ended_at: at(until),
        }
    }

    fn until(spans: &[StateSpan], until: OffsetDateTime) -> Availability {
        between(spans, &[], &[START, until])[0]
    }

    fn minutes(spans: &[StateSpan]) -> (i64, i64) {
        let sum = until(spans, START + Duration::minutes(100));
        (sum.up.whole_minutes(), sum.down.whole_minutes())
    }

    use SpanState::{Blocked, Down, Maintenance, Suspect, Up};

    /// Computed by hand: 0-40 up, 40-50 down, 50-60 suspect (up), 60-70 maintenance (neither), 70-80 not
    /// observed, 80-90 blocked (neither), 90-100 up. Up 60, down 10: 85.714285… %.
    #[test]
    fn each_kind_of_time_counts_as_it_should() {
        let spans = [
            span("eu", Up, 0, 40),
            span("eu", Down, 40, 50),
            span("eu", Suspect, 50, 60),
            span("eu", Maintenance, 60, 70),
            span("eu", Blocked, 80, 90),
            span("eu", Up, 90, 130),
        ];
        assert_eq!(minutes(&spans), (60, 10));
        let sum = until(&spans, START + Duration::minutes(100));
        assert!((sum.uptime_pct().unwrap() - 600.0 / 7.0).abs() < 1e-9);
    }

    /// Computed by hand: of two regions both must be down (20-30); of three, two (10-30).
    #[test]
    fn more_than_half_of_the_regions_must_be_down() {
        let two = [
            span("eu", Up, 0, 10),
            span("eu", Down, 10, 30),
            span("us", Up, 0, 20),
            span("us", Down, 20, 40),
        ];
        // 0-20 up, 20-30 both down, 30-40 one region left, and it is down.
        assert_eq!(minutes(&two), (20, 20));
        let three = [
            span("eu", Down, 10, 30),
            span("us", Down, 0, 30),
            span("asia", Up, 0, 30),
            span("eu", Up, 0, 10),
        ];
        assert_eq!(minutes(&three), (10, 20));
    }

    #[test]
    fn what_nobody_observed_has_no_percentage() {
        assert_eq!(until(&[], START + Duration::DAY).uptime_pct(), None);
        let outside = [span("eu", Up, -100, -50)];
        assert_eq!(until(&outside, START + Duration::DAY).uptime_pct(), None);
    }

    /// Computed by hand: down from 0 to 40, of which 10 to 30 are blocked; edges at 0, 20 and 50.
    #[test]
    fn what_looks_down_within_a_blocked_interval_is_blocked() {
        let at = |minute| START + Duration::minutes(minute);
        let blocked = [TimeRange::new(at(10), at(30))];
        let sums = between(&[span("eu", Down, 0, 40)], &blocked, &[at(0), at(20), at(50)]);
        let found: Vec<_> = sums
            .iter()
            .map(|sum| (sum.down.whole_minutes(), sum.blocked.whole_minutes()))
            .collect();
        assert_eq!(found, [(10, 10), (10, 10)]);
    }

    /// 40,000 spans, and the windows of 500 rules over them: each span is looked at once.
    #[test]
    fn spans_are_walked_once_however_many_ranges_there_are() {
        let spans: Vec<StateSpan> = (0..40_000)
            .map(|minute| span("eu", if minute % 2 == 0 { Up } else { Down }, minute, minute + 1))
            .collect();
        let ranges: Vec<TimeRange> = (0..500)
            .map(|hour| START + Duration::hours(hour))
            .map(|from| TimeRange::new(from, from + Duration::days(7)))
            .collect();
        let mut visits = 0;
        let sums = over(spans.iter().inspect(|_| visits += 1), &[], &ranges);
        assert_eq!(visits, spans.len());
        // 666 hours and 40 minutes of spans, all whole days of which are half up.
        let days = Duration::days(7) / 2;
        assert_eq!((sums[0].up, sums[0].down), (days, days));
        assert_eq!((sums[498].up, sums[498].down), (days, days));
        assert_eq!(sums[499].known(), Duration::days(7) - Duration::minutes(20));
    }

    proptest! {
        /// Each is what it is alone, wherever it lies: inside another, across its edge, empty, or the wrong way round.
        #[test]
        fn ranges_that_overlap_are_summed_as_each_alone(
            found in vec((0_usize..3, 0_usize..6, 0_i64..200, 0_i64..60), 0..20),
            refused in vec((0_i64..200, 0_i64..40), 0..3),
            asked in vec((-20_i64..220, -10_i64..120), 0..12),
        ) {
            let states = [Up, Down, Suspect, Maintenance, Blocked, SpanState::Paused];
            let spans: Vec<StateSpan> = found
                .into_iter()
                .map(|(region, state, from, length)| span(["eu", "us", "asia"][region], states[state], from, from + length))
                .collect();
            let range = |(from, length)| {
                let at = |minute| START + Duration::minutes(minute) + Duration::microseconds(17);
                TimeRange::new(at(from), at(from + length))
            };
            let blocked: Vec<TimeRange> = refused.into_iter().map(range).collect();
            let ranges: Vec<TimeRange> = asked.into_iter().map(range).collect();
            let alone: Vec<Availability> = ranges
                .iter()
                .map(|range| between(&spans, &blocked, &[range.from, range.until])[0])
                .collect();
            prop_assert_eq!(over(&spans, &blocked, &ranges), alone);
        }
    }
}
