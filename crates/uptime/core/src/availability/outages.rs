//! The outages of a range of time, and how long they lasted.

use pharos_domain::time_range::TimeRange;
use time::{Duration, OffsetDateTime};

use super::lasted;
use crate::{incident::Severity, knowledge::IncidentSpan};

/// The outages of a range of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outages {
    /// How many reach into it.
    pub count: u32,
    /// How long the longest of them lasted, all of it.
    pub longest_seconds: Option<i64>,
    /// How long those that are over lasted, on average.
    pub mttr_seconds: Option<f64>,
    /// How long it was from the end of one to the beginning of the next, on average. `None` with fewer than two.
    pub mtbf_seconds: Option<f64>,
}

impl Outages {
    /// Sums up the outages among `incidents` that reach into the range. One that goes on ends now.
    #[must_use]
    pub fn within(incidents: &[IncidentSpan], range: TimeRange, now: OffsetDateTime) -> Self {
        let mut outages: Vec<&IncidentSpan> = incidents
            .iter()
            .filter(|incident| incident.severity == Severity::Outage && incident.started_at < range.until)
            .filter(|incident| {
                incident
                    .resolved_at
                    .is_none_or(|resolved_at| range.from < resolved_at)
            })
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

/// How many outages reach into each of the ranges that follow each other between `edges`, ascending. One that goes on
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

#[cfg(test)]
mod tests {
    use pharos_domain::ids::IncidentId;
    use proptest::{collection::vec, option, prelude::*};
    use time::macros::datetime;

    use super::*;

    const START: OffsetDateTime = datetime!(2026-03-31 00:00 UTC);

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
        let day = TimeRange::new(START, START + Duration::DAY);
        let found = Outages::within(&incidents, day, START + Duration::DAY);
        assert_eq!(found.longest_seconds, Some(120));
        assert_eq!(
            (found.mttr_seconds, found.mtbf_seconds),
            (Some(90.0), Some(120.0))
        );
    }

    proptest! {
        /// Piece by piece it is what [`Outages::within`] counts.
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
                .map(|piece| Outages::within(&incidents, TimeRange::new(piece[0], piece[1]), at(200)).count)
                .collect();
            prop_assert_eq!(outages_between(&incidents, &edges), one_by_one);
        }
    }
}
