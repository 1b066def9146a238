//! The incidents that were seen, against the script.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::script::{Manner, Site};

/// An incident as the database showed it; times in milliseconds since the counted time began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// The number of its site.
    pub(super) site: usize,
    pub(super) started_at: i64,
    /// When it could first be read.
    pub(super) shown_at: i64,
    /// When its end could first be read.
    pub(super) ended_at: Option<i64>,
}

/// How soon the scripted outages were shown, and ended.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Detection {
    /// From the beginning of an outage to its incident, in milliseconds.
    pub(super) shown_after: Vec<i64>,
    /// From its end to that of its incident.
    pub(super) ended_after: Vec<i64>,
    /// Outages without an incident, and ends that were not noticed.
    pub(super) undetected: Vec<String>,
    /// Incidents, and ends of incidents, that are not in the script.
    pub(super) wrong: Vec<String>,
}

/// Holds the incidents against the script, as it was until `until`. A check every so many seconds has noticed an end after
/// half as long again.
pub(super) fn detection(sites: &[Site], seen: &BTreeMap<Uuid, Seen>, until: i64, interval: u32) -> Detection {
    let longest = i64::from(interval) * 1_500;
    let mut of_site: BTreeMap<usize, Vec<&Seen>> = BTreeMap::new();
    for seen in seen.values() {
        of_site.entry(seen.site).or_default().push(seen);
    }
    let mut found = Detection::default();
    for (number, site) in sites.iter().enumerate() {
        let seen = of_site.remove(&number).unwrap_or_default();
        match (site.manner, site.outage(), seen.as_slice()) {
            (Manner::Silent, _, [seen]) if seen.ended_at.is_none() => {}
            (Manner::Silent, _, []) => found
                .undetected
                .push(format!("site {number} never answers, and has no incident")),
            (_, Some(outage), []) => found
                .undetected
                .push(format!("site {number} fails {outage:?} ms, and has no incident")),
            (Manner::Prompt, Some(outage), [seen])
                if outage.contains(&seen.shown_at.min(seen.started_at + MARGIN))
                    && seen.ended_at.is_none_or(|at| at + MARGIN >= outage.end) =>
            {
                found.shown_after.push(seen.shown_at - outage.start);
                match seen.ended_at {
                    Some(at) => found.ended_after.push(at - outage.end),
                    None if outage.end + longest > until => {}
                    None => found.undetected.push(format!(
                        "site {number} answers from {} ms on again, and has an incident",
                        outage.end
                    )),
                }
            }
            (_, None, []) => {}
            (_, outage, seen) => found
                .wrong
                .push(format!("site {number} fails {outage:?} ms, and has {seen:?}")),
        }
    }
    found
}

/// By how much a check may begin before the site answers it.
const MARGIN: i64 = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn site(manner: Manner, failing: Option<std::ops::Range<i64>>) -> Site {
        Site { manner, failing }
    }

    fn found(site: Site, seen: &[Seen]) -> Detection {
        let seen = seen
            .iter()
            .enumerate()
            .map(|(at, seen)| (Uuid::from_u128(at as u128), seen.clone()));
        detection(&[site], &seen.collect(), 400_000, 60)
    }

    fn incident(started_at: i64, ended_at: Option<i64>) -> Seen {
        Seen {
            site: 0,
            started_at,
            shown_at: started_at + 60_500,
            ended_at,
        }
    }

    fn sums(found: &Detection) -> (usize, usize) {
        (found.undetected.len(), found.wrong.len())
    }

    #[test]
    fn an_outage_has_one_incident_from_its_beginning_to_its_end() {
        let failing = || site(Manner::Prompt, Some(10_000..140_000));
        let good = found(failing(), &[incident(30_000, Some(150_300))]);
        assert_eq!((good.shown_after, good.ended_after), (vec![80_500], vec![10_300]));
        let began_before_the_answer = incident(9_998, Some(150_000));
        assert_eq!(sums(&found(failing(), &[began_before_the_answer])), (0, 0));
        assert_eq!(sums(&found(failing(), &[])), (1, 0));
        assert_eq!(sums(&found(failing(), &[incident(30_000, None)])), (1, 0));
        assert_eq!(
            sums(&found(failing(), &[incident(30_000, Some(100_000))])),
            (0, 1)
        );
        assert_eq!(
            sums(&found(failing(), &[incident(-80_000, Some(150_000))])),
            (0, 1)
        );
        let two = [incident(30_000, Some(150_000)), incident(300_000, None)];
        assert_eq!(sums(&found(failing(), &two)), (0, 1));
    }

    #[test]
    fn what_fails_briefly_or_not_at_all_has_no_incident() {
        for failing in [None, Some(10_000..30_000)] {
            let site = site(Manner::Prompt, failing);
            assert_eq!(sums(&found(site.clone(), &[])), (0, 0));
            assert_eq!(sums(&found(site, &[incident(30_000, None)])), (0, 1));
        }
    }

    #[test]
    fn a_site_that_never_answers_has_an_incident_that_never_ends() {
        let silent = || site(Manner::Silent, None);
        assert_eq!(sums(&found(silent(), &[incident(-60_000, None)])), (0, 0));
        assert_eq!(sums(&found(silent(), &[])), (1, 0));
        assert_eq!(sums(&found(silent(), &[incident(-60_000, Some(0))])), (0, 1));
    }
}
