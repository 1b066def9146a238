//! A site as each region sees it.

use std::collections::BTreeSet;

use pharos_domain::time_range::TimeRange;
use time::OffsetDateTime;

use crate::{
    availability::past::Past,
    check::Outcome,
    history::{Figures, RegionPlace, aggregate::RegionAggregates},
    knowledge::{MonitorKnowledge, RegionKnowledge},
};

/// A site as one region sees it, over a range of time.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionReport {
    /// Where the region is, as its nodes say.
    pub place: RegionPlace,
    /// Whether it checks the site now.
    pub is_active: bool,
    /// Availability as it saw it, in percent; `None` where it observed nothing.
    pub uptime_pct: Option<f64>,
    /// The figures of its checks.
    pub figures: Figures,
    /// The outages that it saw.
    pub incident_count: u32,
    /// Its last check, and what that came to; `None` where it is not to check any more, or has not yet.
    pub last: Option<(OffsetDateTime, Outcome)>,
}

/// All that is needed to report on a site region by region.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The site as it is known now.
    pub known: &'a MonitorKnowledge,
    /// The sums of its checks.
    pub aggregates: &'a RegionAggregates,
    /// The outages that regions saw.
    pub outages: &'a [(String, u32)],
    /// Where checks can run from.
    pub places: &'a [RegionPlace],
}

/// The regions that check the site now, and those that did within the range; by key.
#[must_use]
pub fn reports(found: Found<'_>, range: TimeRange, now: OffsetDateTime) -> Vec<RegionReport> {
    let current = found.known.regions.iter().map(|region| region.region.as_str());
    let checked = found.aggregates.by_region().map(|(region, _)| region);
    let keys: BTreeSet<&str> = current.chain(checked).collect();
    let past = Past::new(found.known, now);
    keys.into_iter()
        .map(|key| report(key, found, &past, range, now))
        .collect()
}

fn report(
    key: &str,
    found: Found<'_>,
    past: &Past<'_>,
    range: TimeRange,
    now: OffsetDateTime,
) -> RegionReport {
    let is_own = |region: &&RegionKnowledge| region.region == key;
    let current = found.known.regions.iter().find(is_own);
    let last = current.and_then(|region| region.state.as_ref());
    let place = found.places.iter().find(|place| place.key == key);
    let mut aggregates = found.aggregates.by_region();
    let own = aggregates.find(|(region, _)| *region == key);
    let outages = found.outages.iter().find(|(region, _)| region == key);
    RegionReport {
        place: place.cloned().unwrap_or_else(|| RegionPlace::unnamed(key)),
        is_active: current.is_some_and(|region| region.is_active(&found.known.monitor.settings, now)),
        uptime_pct: past.availability_from(key, range).uptime_pct(),
        figures: own.map_or_else(Figures::default, |(_, aggregate)| aggregate.figures()),
        incident_count: outages.map_or(0, |(_, count)| *count),
        last: last.map(|state| (state.last_check_at, state.last_outcome)),
    }
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;
    use crate::{
        fixture::{NOW, knowledge},
        history::{
            CheckCounts,
            aggregate::{CheckAggregate, Depth},
        },
    };

    /// `eu` checks now; `us` did, and is not to check any more; `asia` is to check, and has not yet.
    #[test]
    fn regions_are_those_that_check_now_or_did_within_the_range() {
        let mut known = knowledge(&[("eu", 30), ("asia", 0)]);
        known.regions[1].state = None;
        let mut aggregates = RegionAggregates::default();
        for (region, total) in [("us", 7), ("eu", 9)] {
            let counts = CheckCounts {
                total,
                ..CheckCounts::default()
            };
            let aggregate = CheckAggregate {
                counts,
                ..CheckAggregate::default()
            };
            aggregates.add(region, &aggregate, Depth::Response);
        }
        let found = Found {
            known: &known,
            aggregates: &aggregates,
            outages: &[("us".to_owned(), 2)],
            places: &[RegionPlace {
                name: Some("Frankfurt".to_owned()),
                ..RegionPlace::unnamed("eu")
            }],
        };
        let reports = reports(found, TimeRange::new(NOW - Duration::DAY, NOW), NOW);
        let told: Vec<_> = reports
            .iter()
            .map(|report| {
                let total = report.figures.counts.total;
                (
                    report.place.key.as_str(),
                    report.is_active,
                    total,
                    report.incident_count,
                )
            })
            .collect();
        assert_eq!(
            told,
            [("asia", false, 0, 0), ("eu", true, 9, 0), ("us", false, 7, 2)]
        );
        let [asia, eu, us] = &reports[..] else {
            panic!("three regions");
        };
        assert_eq!((eu.uptime_pct, us.uptime_pct), (Some(100.0), None));
        assert_eq!(eu.place.name.as_deref(), Some("Frankfurt"));
        assert_eq!(eu.last, Some((NOW - Duration::seconds(30), Outcome::Up)));
        assert_eq!((asia.last, us.last), (None, None));
    }
}
