//! A site's past as it is known, up to now.

use pharos_domain::time_range::TimeRange;
use time::{Duration, OffsetDateTime};

use super::{
    Availability,
    majority::{between, over},
    outages::{Outages, outages_between},
    summary::Summary,
};
use crate::{
    history::Figures,
    incident::Severity,
    knowledge::{IncidentSpan, MonitorKnowledge},
    state::{SpanState, StateSpan, held},
};

/// The past of a site, as its spans and incidents tell it.
#[derive(Clone, Debug)]
pub struct Past<'a> {
    known: &'a MonitorKnowledge,
    spans: Vec<StateSpan>,
    blocked: Vec<TimeRange>,
    now: OffsetDateTime,
}

impl<'a> Past<'a> {
    /// The past until `now`, as far back as `known` reaches.
    #[must_use]
    pub fn new(known: &'a MonitorKnowledge, now: OffsetDateTime) -> Self {
        Self {
            known,
            spans: spans_until_now(known, now),
            blocked: blocked_intervals(&known.incidents, now),
            now,
        }
    }

    /// How all regions together saw what has passed of a range.
    #[must_use]
    pub fn availability(&self, range: TimeRange) -> Availability {
        self.over(&self.spans, self.passed(range))
    }

    /// How all regions together saw what has passed of each of `ranges`, in their order. They may overlap; the past is gone
    /// through once.
    #[must_use]
    pub fn availabilities(&self, ranges: &[TimeRange]) -> Vec<Availability> {
        let passed: Vec<TimeRange> = ranges.iter().map(|range| self.passed(*range)).collect();
        over(&self.spans, &self.blocked, &passed)
    }

    /// How one region saw what has passed of a range.
    #[must_use]
    pub fn availability_from(&self, region: &str, range: TimeRange) -> Availability {
        let own = self.spans.iter().filter(|span| span.region == region);
        self.over(own, self.passed(range))
    }

    /// The summary of a range, with the figures of its checks.
    #[must_use]
    pub fn summary(&self, range: TimeRange, figures: Figures) -> Summary {
        let time = self.over(&self.spans, range);
        // Before the monitor was there, and after now, nothing was missed.
        let monitored = TimeRange::new(range.from.max(self.known.monitor.created_at), range.until);
        let missed = self.passed(monitored).length() - time.known();
        Summary {
            time,
            unobserved: missed.max(Duration::ZERO),
            outages: Outages::within(&self.known.incidents, range, self.now),
            figures,
        }
    }

    /// From each of `edges`, ascending, to the next: how the time was spent, and how many outages reach into it.
    pub fn between(&self, edges: &[OffsetDateTime]) -> impl Iterator<Item = (Availability, u32)> {
        let times = between(&self.spans, &self.blocked, edges);
        times
            .into_iter()
            .zip(outages_between(&self.known.incidents, edges))
    }

    fn over<'s>(&self, spans: impl IntoIterator<Item = &'s StateSpan>, range: TimeRange) -> Availability {
        let mut sums = between(spans, &self.blocked, &[range.from, range.until]);
        sums.pop().unwrap_or_default()
    }

    fn passed(&self, range: TimeRange) -> TimeRange {
        TimeRange::new(range.from, range.until.min(self.now))
    }
}

/// The spans of a monitor up to now: those stored, and the one that each region's last check still holds.
fn spans_until_now(known: &MonitorKnowledge, now: OffsetDateTime) -> Vec<StateSpan> {
    let settings = &known.monitor.settings;
    let running = known.regions.iter().flat_map(|region| {
        let state = region.state.as_ref();
        state.map_or_else(Vec::new, |state| held(state, &region.region, now, settings))
    });
    let paused = known.regions.iter().filter_map(|region| {
        let started_at = region.state.as_ref()?.paused_at.filter(|at| *at < now)?;
        Some(StateSpan {
            region: region.region.clone(),
            state: SpanState::Paused,
            started_at,
            ended_at: now,
        })
    });
    known.spans.iter().cloned().chain(running).chain(paused).collect()
}

/// When the site refused the prober alone: the incidents of severity degraded. One that goes on ends now.
fn blocked_intervals(incidents: &[IncidentSpan], now: OffsetDateTime) -> Vec<TimeRange> {
    incidents
        .iter()
        .filter(|incident| incident.severity == Severity::Degraded)
        .map(|incident| TimeRange::new(incident.started_at, incident.resolved_at.unwrap_or(now)))
        .collect()
}

#[cfg(test)]
mod tests {
    use pharos_domain::ids::IncidentId;
    use time::macros::datetime;

    use super::*;
    use crate::{
        check::Outcome,
        fixture::{NOW, knowledge},
    };

    const START: OffsetDateTime = datetime!(2026-03-31 00:00 UTC);
    const DAY: TimeRange = TimeRange::new(START, datetime!(2026-04-01 00:00 UTC));

    fn span(
        region: &str,
        state: SpanState,
        started_at: OffsetDateTime,
        ended_at: OffsetDateTime,
    ) -> StateSpan {
        StateSpan {
            region: region.to_owned(),
            state,
            started_at,
            ended_at,
        }
    }

    fn incident(
        severity: Severity,
        started_at: OffsetDateTime,
        resolved_at: Option<OffsetDateTime>,
    ) -> IncidentSpan {
        IncidentSpan {
            id: IncidentId::generate(),
            severity,
            started_at,
            resolved_at,
        }
    }

    /// 09:16:00.9 to 09:17:15.1 is shown as 09:16:00 to 09:17:15: 75 seconds, though 74.2 passed.
    #[test]
    fn downtime_is_what_the_durations_of_incidents_come_to() {
        let (failed, passed) = (
            datetime!(2026-03-31 09:16:00.9 UTC),
            datetime!(2026-03-31 09:17:15.1 UTC),
        );
        let mut known = knowledge(&[]);
        known.spans = vec![
            span("eu", SpanState::Up, START, failed),
            span("eu", SpanState::Down, failed, passed),
            span("eu", SpanState::Up, passed, DAY.until),
        ];
        known.incidents = vec![incident(Severity::Outage, failed, Some(passed))];
        let summary = Past::new(&known, DAY.until).summary(DAY, Figures::default());
        assert_eq!(summary.time.down, Duration::seconds(75));
        assert_eq!(summary.outages.longest_seconds, Some(75));
        assert_eq!(summary.time.known(), Duration::DAY);
    }

    /// The monitor is a day old, and it is 09:15. Nobody observed from 08:00 to 09:00.
    #[test]
    fn unobserved_is_what_has_passed_since_the_monitor_was_there() {
        let mut known = knowledge(&[]);
        known.monitor.created_at = START + Duration::HOUR;
        known.spans = vec![
            span(
                "eu",
                SpanState::Up,
                START + Duration::HOUR,
                START + Duration::hours(8),
            ),
            span("eu", SpanState::Down, START + Duration::hours(9), NOW),
        ];
        let past = Past::new(&known, NOW);
        let summary = past.summary(DAY, Figures::default());
        assert_eq!(summary.unobserved, Duration::HOUR);
        assert_eq!(past.availability(DAY), summary.time);
        let before = TimeRange::new(START - Duration::DAY, START);
        let summary = past.summary(before, Figures::default());
        assert_eq!((summary.unobserved, summary.uptime_pct()), (Duration::ZERO, None));
    }

    /// Two of three regions may not go to the site: it is what the third one sees, and nothing where there is none.
    #[test]
    fn a_region_that_is_refused_by_the_address_policy_observes_nothing() {
        let mut known = knowledge(&[("asia", 30), ("eu", 30), ("us", 30)]);
        for region in &mut known.regions[..2] {
            let state = region.state.as_mut().unwrap();
            (state.last_outcome, state.last_status_code) = (Outcome::Blocked, None);
            state.current = SpanState::Blocked;
        }
        let seen = Duration::seconds(30);
        assert_eq!(Past::new(&known, NOW).availability(DAY).up, seen);
        let state = known.regions[2].state.as_mut().unwrap();
        (state.is_down, state.current) = (true, SpanState::Down);
        assert_eq!(Past::new(&known, NOW).availability(DAY).down, seen);
        known.regions.truncate(2);
        let past = Past::new(&known, NOW);
        let monitored = TimeRange::new(NOW - seen, NOW);
        let summary = past.summary(monitored, Figures::default());
        assert_eq!(
            (summary.time, summary.unobserved),
            (Availability::default(), seen)
        );
    }

    /// Both regions see it down for the hour, of which the last half is blocked until now.
    #[test]
    fn a_region_sees_its_own_and_what_is_blocked_for_all() {
        let hour = START + Duration::hours(9);
        let half = NOW - Duration::minutes(5);
        let mut known = knowledge(&[]);
        known.spans = vec![
            span("eu", SpanState::Down, hour, NOW),
            span("us", SpanState::Up, hour, NOW),
        ];
        known.incidents = vec![incident(Severity::Degraded, half, None)];
        let past = Past::new(&known, NOW);
        let own = past.availability_from("eu", DAY);
        assert_eq!((own.down, own.blocked), (half - hour, NOW - half));
        assert_eq!(past.availability_from("us", DAY).uptime_pct(), Some(100.0));
        assert_eq!(past.availability_from("mars", DAY), Availability::default());
        assert_eq!(past.availability(DAY).up, NOW - hour, "one of two is no majority");
    }

    #[test]
    fn what_the_last_check_found_holds_until_now() {
        let known = knowledge(&[("eu", 30)]);
        let past = Past::new(&known, NOW);
        assert_eq!(past.availability(DAY).up, Duration::seconds(30));
        let edges = [NOW - Duration::minutes(1), NOW - Duration::seconds(10), NOW];
        let found: Vec<_> = past
            .between(&edges)
            .map(|(time, outages)| (time.up, outages))
            .collect();
        assert_eq!(found, [(Duration::seconds(20), 0), (Duration::seconds(10), 0)]);
    }
}
