//! Availability: for how long a site was up, down, or neither.

use pharos_domain::timestamp::Timestamp;
use time::{Duration, OffsetDateTime};

use crate::{
    incident::Severity,
    state::{Span, SpanState, held},
    store::{IncidentSpan, MonitorKnowledge},
};

/// A stretch of time.
pub type Stretch = (OffsetDateTime, OffsetDateTime);

/// How a stretch of time was spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Up, degraded and unconfirmed failures included.
    Up,
    /// Down.
    Down,
    /// In maintenance.
    Maintenance,
    /// Refused to the prober alone.
    Blocked,
    /// Not monitored by choice.
    Paused,
    /// Failing without being sure, and not seen up before.
    Pending,
}

/// How a window of time was spent. What is left of the window was not observed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Availability {
    /// Up, degraded and unconfirmed failures included.
    pub up: Duration,
    /// Down.
    pub down: Duration,
    /// In maintenance.
    pub maintenance: Duration,
    /// Refused to the prober alone.
    pub blocked: Duration,
    /// Not monitored by choice.
    pub paused: Duration,
    /// Failing without being sure, and not seen up before.
    pub pending: Duration,
}

impl Availability {
    /// 100 × up ÷ (up + down); `None` where the whole window is neither.
    #[must_use]
    pub fn uptime_pct(self) -> Option<f64> {
        let judged = self.up + self.down;
        judged
            .is_positive()
            // A share is never above 1, so this is never above 100.
            .then(|| 100.0 * (self.up.as_seconds_f64() / judged.as_seconds_f64()))
    }

    /// All time of which something is known.
    #[must_use]
    pub fn known(self) -> Duration {
        self.up + self.down + self.maintenance + self.blocked + self.paused + self.pending
    }

    fn add(&mut self, kind: Kind, length: Duration) {
        let part = match kind {
            Kind::Up => &mut self.up,
            Kind::Down => &mut self.down,
            Kind::Maintenance => &mut self.maintenance,
            Kind::Blocked => &mut self.blocked,
            Kind::Paused => &mut self.paused,
            Kind::Pending => &mut self.pending,
        };
        *part += length;
    }
}

/// The spans of a monitor up to now: those stored, and the one that each region's last check still holds.
#[must_use]
pub fn spans_until_now(known: &MonitorKnowledge, now: OffsetDateTime) -> Vec<Span> {
    let settings = &known.monitor.settings;
    let running = known.regions.iter().flat_map(|region| {
        let state = region.state.as_ref();
        state.map_or_else(Vec::new, |state| held(state, &region.region, now, settings))
    });
    let paused = known.regions.iter().filter_map(|region| {
        let started_at = region.state.as_ref()?.paused_at.filter(|at| *at < now)?;
        Some(Span {
            region: region.region.clone(),
            state: SpanState::Paused,
            started_at,
            ended_at: now,
        })
    });
    known.spans.iter().cloned().chain(running).chain(paused).collect()
}

/// When the site refused the prober alone: the incidents of severity degraded. One that goes on ends now.
#[must_use]
pub fn walls(incidents: &[IncidentSpan], now: OffsetDateTime) -> Vec<Stretch> {
    incidents
        .iter()
        .filter(|incident| incident.severity == Severity::Degraded)
        .map(|incident| (incident.started_at, incident.resolved_at.unwrap_or(now)))
        .collect()
}

/// The outages of a stretch of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Incidents {
    /// How many reach into it.
    pub count: u32,
    /// How long the longest of them lasted, all of it.
    pub longest_seconds: Option<i64>,
    /// How long those that are over lasted, on average.
    pub mttr_seconds: Option<f64>,
    /// How long it was from the end of one to the beginning of the next, on average. `None` with fewer than two.
    pub mtbf_seconds: Option<f64>,
}

impl Incidents {
    /// What the outages among `incidents` come to that reach into the stretch. One that goes on ends now.
    #[must_use]
    pub fn within(incidents: &[IncidentSpan], (from, until): Stretch, now: OffsetDateTime) -> Self {
        let mut outages: Vec<&IncidentSpan> = incidents
            .iter()
            .filter(|incident| incident.severity == Severity::Outage && incident.started_at < until)
            .filter(|incident| incident.resolved_at.is_none_or(|resolved_at| from < resolved_at))
            .collect();
        outages.sort_by_key(|incident| incident.started_at);
        let length =
            |incident: &&IncidentSpan| lasted(incident.started_at, incident.resolved_at.unwrap_or(now));
        let over: Vec<f64> = outages
            .iter()
            .filter(|incident| incident.resolved_at.is_some())
            .map(|incident| length(incident).as_seconds_f64())
            .collect();
        let gaps: Vec<f64> = outages
            .iter()
            .zip(outages.iter().skip(1))
            .filter_map(|(one, next)| Some(lasted(one.resolved_at?, next.started_at).as_seconds_f64()))
            .collect();
        Self {
            count: u32::try_from(outages.len()).unwrap_or(u32::MAX),
            longest_seconds: outages.iter().map(length).max().map(Duration::whole_seconds),
            mttr_seconds: mean(&over),
            mtbf_seconds: mean(&gaps),
        }
    }
}

/// How long it is from one moment to another as answers show them, in whole seconds.
#[must_use]
pub fn lasted(from: OffsetDateTime, until: OffsetDateTime) -> Duration {
    shown(until) - shown(from)
}

/// A moment as answers show it, in whole seconds.
fn shown(moment: OffsetDateTime) -> OffsetDateTime {
    Timestamp::from(moment).moment()
}

/// How many outages reach into each of the stretches that follow each other between `edges`, ascending. One that goes on
/// reaches into all that is still to come.
#[must_use]
pub fn outages_between(incidents: &[IncidentSpan], edges: &[OffsetDateTime]) -> Vec<u32> {
    let Some((_, ends)) = edges.split_first() else {
        return Vec::new();
    };
    let begins = &edges[..ends.len()];
    let mut counts = vec![0_u32; ends.len()];
    for outage in incidents
        .iter()
        .filter(|incident| incident.severity == Severity::Outage)
    {
        let first = ends.partition_point(|end| *end <= outage.started_at);
        let last = match outage.resolved_at {
            Some(resolved_at) => begins.partition_point(|begin| *begin < resolved_at),
            None => begins.len(),
        };
        for count in counts.iter_mut().take(last).skip(first) {
            *count += 1;
        }
    }
    counts
}

fn mean(all: &[f64]) -> Option<f64> {
    let count = u32::try_from(all.len()).ok().filter(|count| *count > 0)?;
    Some(all.iter().sum::<f64>() / f64::from(count))
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
    walls: i32,
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
            None => &mut self.walls,
        };
        *count += by;
    }

    /// The monitor is down while more than half of the regions that observe it are: all of them, with one or two.
    fn kind(&self) -> Option<Kind> {
        let judged = self.up + self.pending + self.down;
        let neither = self.maintenance + self.blocked + self.paused;
        let is_down = self.down * 2 > judged && (judged > 2 || self.down == judged);
        if judged > 0 && neither <= judged {
            Some(match (is_down, self.walls > 0) {
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

/// What the spans of all regions come to between `edges`, the first to the last: one sum for each pair of neighbours.
/// Within `walls` (incidents of severity degraded) what looks down is blocked. Time that no region observed is in none.
/// Spans begin and end on the seconds that incidents show, so that downtime is what their durations come to.
#[must_use]
pub fn between(spans: &[Span], walls: &[Stretch], edges: &[OffsetDateTime]) -> Vec<Availability> {
    let mut sums = vec![Availability::default(); edges.len().saturating_sub(1)];
    let (Some(&from), Some(&until)) = (edges.first(), edges.last()) else {
        return sums;
    };
    let spans = spans
        .iter()
        .map(|span| (span.started_at, span.ended_at, Some(span.state)));
    let walls = walls.iter().map(|(start, end)| (*start, *end, None));
    let mut changes: Vec<(OffsetDateTime, Option<SpanState>, i32)> = spans
        .chain(walls)
        .map(|(start, end, state)| (shown(start).max(from), shown(end).min(until), state))
        .filter(|(start, end, _)| start < end)
        .flat_map(|(start, end, state)| [(start, state, 1), (end, state, -1)])
        .collect();
    changes.sort_by_key(|(at, _, _)| *at);
    let mut counts = Counts::default();
    let (mut bucket, mut last) = (0, from);
    for (at, state, by) in changes {
        let kind = counts.kind();
        // The stretch may reach over several edges.
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

/// What the spans of all regions come to over `from..until`.
#[must_use]
pub fn availability(
    spans: &[Span],
    walls: &[Stretch],
    from: OffsetDateTime,
    until: OffsetDateTime,
) -> Availability {
    between(spans, walls, &[from, until])
        .into_iter()
        .next()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use pharos_domain::ids::IncidentId;
    use proptest::{collection::vec, option, prelude::*};
    use time::macros::datetime;

    use super::*;

    const START: OffsetDateTime = datetime!(2026-03-31 00:00 UTC);

    fn span(region: &str, state: SpanState, from: i64, until: i64) -> Span {
        let at = |minute| START + Duration::minutes(minute);
        Span {
            region: region.to_owned(),
            state,
            started_at: at(from),
            ended_at: at(until),
        }
    }

    fn minutes(spans: &[Span]) -> (i64, i64) {
        let sum = availability(spans, &[], START, START + Duration::minutes(100));
        (sum.up.whole_minutes(), sum.down.whole_minutes())
    }

    use SpanState::{Blocked, Down, Maintenance, Suspect, Up};

    /// Worked out by hand: 0-40 up, 40-50 down, 50-60 suspect (up), 60-70 maintenance (neither), 70-80 not
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
        let sum = availability(&spans, &[], START, START + Duration::minutes(100));
        assert!((sum.uptime_pct().unwrap() - 600.0 / 7.0).abs() < 1e-9);
    }

    /// Worked out by hand: of two regions both must be down (20-30); of three, two (10-30).
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

    /// 28 days less a microsecond, and other lengths that no double holds exactly.
    #[test]
    fn a_site_that_was_never_down_has_exactly_100_percent() {
        for microseconds in (1..1_000_000).step_by(9_973) {
            let up = Duration::days(28) - Duration::microseconds(microseconds);
            let sum = Availability {
                up,
                ..Availability::default()
            };
            assert_eq!(sum.uptime_pct(), Some(100.0));
        }
    }

    /// 09:16:00.9 to 09:18:00.1 is shown as 09:16:00 to 09:18:00.
    #[test]
    fn outages_last_from_the_stamp_that_is_shown_to_the_other() {
        let outage = |started_at, resolved_at| IncidentSpan {
            id: IncidentId::generate(),
            severity: Severity::Outage,
            started_at,
            resolved_at: Some(resolved_at),
        };
        let incidents = [
            outage(
                datetime!(2026-03-31 09:16:00.9 UTC),
                datetime!(2026-03-31 09:18:00.1 UTC),
            ),
            outage(
                datetime!(2026-03-31 09:20:00.9 UTC),
                datetime!(2026-03-31 09:21:00.1 UTC),
            ),
        ];
        let day = (START, START + Duration::DAY);
        let found = Incidents::within(&incidents, day, START + Duration::DAY);
        assert_eq!(found.longest_seconds, Some(120));
        assert_eq!(
            (found.mttr_seconds, found.mtbf_seconds),
            (Some(90.0), Some(120.0))
        );
    }

    /// 09:16:00.9 to 09:17:15.1 is shown as 09:16:00 to 09:17:15: 75 seconds, though 74.2 passed.
    #[test]
    fn downtime_is_what_the_durations_of_incidents_come_to() {
        let (failed, passed) = (
            datetime!(2026-03-31 09:16:00.9 UTC),
            datetime!(2026-03-31 09:17:15.1 UTC),
        );
        let span = |state, started_at, ended_at| Span {
            region: "eu".to_owned(),
            state,
            started_at,
            ended_at,
        };
        let spans = [
            span(Up, START, failed),
            span(Down, failed, passed),
            span(Up, passed, START + Duration::DAY),
        ];
        let outage = IncidentSpan {
            id: IncidentId::generate(),
            severity: Severity::Outage,
            started_at: failed,
            resolved_at: Some(passed),
        };
        let (from, until) = (START, START + Duration::DAY);
        let time = availability(&spans, &[], from, until);
        let outages = Incidents::within(&[outage], (from, until), until);
        assert_eq!(time.down, Duration::seconds(75));
        assert_eq!(outages.longest_seconds, Some(75));
        assert_eq!(time.known(), Duration::DAY);
    }

    #[test]
    fn what_nobody_observed_has_no_percentage() {
        assert_eq!(
            availability(&[], &[], START, START + Duration::DAY).uptime_pct(),
            None
        );
        let outside = [span("eu", Up, -100, -50)];
        assert_eq!(
            availability(&outside, &[], START, START + Duration::DAY).uptime_pct(),
            None
        );
    }

    proptest! {
        /// Piece by piece it is what [`Incidents::within`] counts.
        #[test]
        fn outages_are_counted_in_every_piece_that_they_reach_into(
            found in vec((0_i64..100, option::of(0_i64..50), any::<bool>()), 0..8), lengths in vec(1_i64..40, 0..6),
        ) {
            let at = |minute| START + Duration::minutes(minute);
            let incidents: Vec<IncidentSpan> = found
                .into_iter()
                .map(|(start, lasted, is_outage)| IncidentSpan {
                    id: IncidentId::generate(),
                    severity: if is_outage { Severity::Outage } else { Severity::Degraded },
                    started_at: at(start),
                    resolved_at: lasted.map(|lasted| at(start + lasted)),
                })
                .collect();
            let mut edges = vec![at(0)];
            for length in lengths {
                edges.push(edges[edges.len() - 1] + Duration::minutes(length));
            }
            let one_by_one: Vec<u32> = edges
                .windows(2)
                .map(|piece| Incidents::within(&incidents, (piece[0], piece[1]), at(200)).count)
                .collect();
            prop_assert_eq!(outages_between(&incidents, &edges), one_by_one);
        }
    }
}
