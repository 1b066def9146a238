//! The state of a monitor now, and its availability over spans of time.

use pharos_domain::wire_enum;
use time::{Duration, OffsetDateTime};

use crate::{
    check::Outcome,
    monitor::settings::MonitorSettings,
    state::{RegionState, Span, SpanState},
    store::{MonitorKnowledge, RegionKnowledge},
};

wire_enum! {
    /// The state of a monitor.
    State as "MonitorState" {
        /// The site answers as expected.
        Up = "up",
        /// It does not, and that is confirmed.
        Down = "down",
        /// It answers as expected, but slowly.
        Degraded = "degraded",
        /// The monitor is not enabled.
        Paused = "paused",
        /// A maintenance window is open.
        Maintenance = "maintenance",
        /// The first check is still to come.
        Pending = "pending",
        /// The site refuses the prober, not its visitors.
        Blocked = "blocked",
        /// The last checks lie too far back to say.
        Unknown = "unknown",
    }
}

/// Whether more than half of the regions that know something are down: all of them, with one or two.
#[must_use]
pub fn is_down<'a>(regions: impl Iterator<Item = &'a RegionState>) -> bool {
    let (down, all) = regions.fold((0, 0), |(down, all), region| {
        (down + u32::from(region.is_down), all + 1)
    });
    all > 0 && down * 2 > all && (all > 2 || down == all)
}

/// Another region got an answer, or a visitor did, this long ago at most: then a 403 is a wall against the prober.
const EVIDENCE: Duration = Duration::minutes(10);

fn is_blocked(regions: &[&RegionState], settings: &MonitorSettings, now: OffsetDateTime) -> bool {
    let walled = regions
        .iter()
        .filter(|region| region.consecutive_forbidden >= settings.confirmation_checks);
    walled.count() == regions.len()
        && !regions.is_empty()
        && regions
            .iter()
            .any(|region| region.last_success_at.is_some_and(|at| now - at <= EVIDENCE))
        && regions.len() > 1
}

/// The state of a monitor and since when it is in it.
#[must_use]
pub fn state(known: &MonitorKnowledge, now: OffsetDateTime) -> (State, Option<OffsetDateTime>) {
    let settings = &known.monitor.settings;
    if !settings.enabled {
        return (State::Paused, Some(known.monitor.updated_at));
    }
    let begun = settings
        .maintenance_windows
        .iter()
        .filter_map(|window| window.covering(now))
        .min();
    if begun.is_some() {
        return (State::Maintenance, begun);
    }
    let seen: Vec<&RegionState> = known
        .regions
        .iter()
        .filter_map(|region| region.state.as_ref())
        .collect();
    let Some(newest) = seen.iter().map(|state| state.last_check_at).max() else {
        return (State::Pending, Some(known.monitor.created_at));
    };
    let stale = |state: &RegionState| now - state.last_check_at > settings.interval() * 2;
    let fresh: Vec<&RegionState> = seen.into_iter().filter(|state| !stale(state)).collect();
    if fresh.is_empty() {
        return (State::Unknown, Some(newest + settings.interval() * 2));
    }
    let since = fresh.iter().map(|region| region.since).max();
    if is_blocked(&fresh, settings, now) {
        (State::Blocked, since)
    } else if is_down(fresh.iter().copied()) {
        (State::Down, since)
    } else if fresh
        .iter()
        .any(|region| region.last_outcome == Outcome::Degraded)
    {
        (State::Degraded, since)
    } else {
        (State::Up, since)
    }
}

/// The state of one region.
#[must_use]
pub fn region_state(region: &RegionKnowledge, settings: &MonitorSettings, now: OffsetDateTime) -> State {
    match &region.state {
        _ if !settings.enabled => State::Paused,
        None => State::Pending,
        Some(state) if now - state.last_check_at > settings.interval() * 2 => State::Unknown,
        Some(state) if state.is_down => State::Down,
        Some(state) => match state.last_outcome {
            Outcome::Degraded => State::Degraded,
            Outcome::Maintenance => State::Maintenance,
            Outcome::Blocked => State::Blocked,
            Outcome::Up | Outcome::Down => State::Up,
        },
    }
}

/// How a window of time was spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Availability {
    /// Up, degraded and unconfirmed failures included.
    pub up: Duration,
    /// Down.
    pub down: Duration,
}

impl Availability {
    /// 100 × up ÷ (up + down); `None` where the whole window is neither.
    #[must_use]
    pub fn uptime_pct(self) -> Option<f64> {
        let observed = self.up + self.down;
        observed
            .is_positive()
            .then(|| 100.0 * self.up.as_seconds_f64() / observed.as_seconds_f64())
    }
}

/// The spans of a monitor up to now: those stored, and the one that each region's last check still holds.
#[must_use]
pub fn spans_until_now(known: &MonitorKnowledge, now: OffsetDateTime) -> Vec<Span> {
    let interval = known.monitor.settings.interval();
    let running = known
        .regions
        .iter()
        .filter(|_| known.monitor.settings.enabled)
        .filter_map(|region| {
            let state = region.state.as_ref()?;
            Some(Span {
                region: region.region.clone(),
                state: state.current,
                started_at: state.last_check_at,
                ended_at: now.min(state.last_check_at + interval * 2),
            })
        });
    known.spans.iter().cloned().chain(running).collect()
}

/// Sums the spans of all regions over `from..until`. At each moment the monitor is down while more than half of
/// the regions that observe it are, maintenance and blocked time counts as neither, and time that no region
/// observes counts as nothing.
#[must_use]
pub fn availability(spans: &[Span], from: OffsetDateTime, until: OffsetDateTime) -> Availability {
    let clipped = spans
        .iter()
        .map(|span| (span.started_at.max(from), span.ended_at.min(until), span.state));
    let mut edges: Vec<(OffsetDateTime, SpanState, i32)> = clipped
        .filter(|(start, end, _)| start < end)
        .flat_map(|(start, end, state)| [(start, state, 1), (end, state, -1)])
        .collect();
    edges.sort_by_key(|(at, _, _)| *at);
    let mut sum = Availability::default();
    let (mut up, mut down, mut neither) = (0, 0, 0);
    let mut last = from;
    for (at, state, change) in edges {
        let length = at - last;
        let judged = up + down;
        if judged > 0 && down * 2 > judged && (judged > 2 || down == judged) {
            sum.down += length;
        } else if judged > 0 && neither <= judged {
            sum.up += length;
        }
        last = at;
        match state {
            SpanState::Up | SpanState::Suspect => up += change,
            SpanState::Down => down += change,
            SpanState::Maintenance | SpanState::Blocked => neither += change,
        }
    }
    sum
}

#[cfg(test)]
mod tests {
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
        let sum = availability(spans, START, START + Duration::minutes(100));
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
        let sum = availability(&spans, START, START + Duration::minutes(100));
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

    #[test]
    fn what_nobody_observed_has_no_percentage() {
        assert_eq!(availability(&[], START, START + Duration::DAY).uptime_pct(), None);
        let outside = [span("eu", Up, -100, -50)];
        assert_eq!(
            availability(&outside, START, START + Duration::DAY).uptime_pct(),
            None
        );
    }
}
