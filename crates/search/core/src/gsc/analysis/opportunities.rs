//! Queries for which a site stands close to where much is clicked.

use pharos_domain::wire_enum;

use super::super::{curve::CtrCurve, figures::Figures};
use super::{CandidateQuery, MOST_ITEMS, ctr_gaps::Gap, positions::Band};

/// From so many positions worse than before on a query decays.
const DECAY: f64 = 1.0;
/// From so many standard deviations below what is expected on a rate is low.
const LOW: f64 = -1.96;
/// A page of whose impressions less than this share is of the query was not written for it.
const THIN: f64 = 0.05;
/// The distances to the target up to which the effort is low, and medium.
const NEAR: f64 = 2.0;
const FAR: f64 = 5.0;

wire_enum! {
    /// How much it takes, by how far the target is.
    Effort as "SearchOpportunityEffort" {
        /// At most two positions.
        Low = "low",
        /// At most five.
        Medium = "medium",
        /// More.
        High = "high",
    }
}

wire_enum! {
    /// Why a query is an opportunity: the first of these that holds.
    Reason as "SearchOpportunityReason" {
        /// It stood at least one position better in the 28 days before.
        Decaying = "decaying",
        /// It is clicked less than is usual where it stands, more than chance explains.
        LowCtr = "low_ctr",
        /// The page that is shown for it is shown for other things: less than 5 % of its impressions are of this query.
        ThinCoverage = "thin_coverage",
        /// It stands within reach.
        StrikingDistance = "striking_distance",
    }
}

/// A query for which more would be clicked if the site stood better.
#[derive(Clone, Debug, PartialEq)]
pub struct Opportunity {
    /// The query that the page is shown for.
    pub query: String,
    /// The page that is shown for it most; `None`: the upstream does not tell.
    pub page: Option<String>,
    /// Its figures, counted by property.
    pub figures: Figures,
    /// Where it stands.
    pub band: Band,
    /// Where it could.
    pub target: u8,
    /// The rate that is expected there, 0 to 1.
    pub expected_ctr: f64,
    /// The clicks that it would have besides.
    pub potential_clicks: f64,
    /// How much it takes.
    pub effort: Effort,
    /// Why.
    pub reason: Reason,
}

/// Where a query could stand: at 3 from beyond it up to 10, at 10 from there up to 20. Others are at the top or too far away.
#[must_use]
pub fn target(position: f64) -> Option<u8> {
    match Band::of(position) {
        Band::To10 => Some(3),
        Band::To20 => Some(10),
        Band::Top3 | Band::To50 | Band::Beyond50 => None,
    }
}

impl Opportunity {
    /// The opportunity of a query; `None`: there is none.
    #[must_use]
    pub fn of(candidate: CandidateQuery, curve: &CtrCurve) -> Option<Self> {
        let position = candidate.figures.position()?;
        let target = target(position)?;
        let expected_ctr = curve.expected(target.into());
        let potential_clicks =
            candidate.figures.impressions as f64 * expected_ctr - candidate.figures.clicks as f64;
        if potential_clicks <= 0.0 {
            return None;
        }
        Some(Self {
            band: Band::of(position),
            target,
            expected_ctr,
            potential_clicks,
            effort: effort(position - f64::from(target)),
            reason: reason(&candidate, position, curve),
            query: candidate.query,
            page: candidate.page.map(|page| page.url),
            figures: candidate.figures,
        })
    }
}

fn effort(distance: f64) -> Effort {
    if distance <= NEAR {
        Effort::Low
    } else if distance <= FAR {
        Effort::Medium
    } else {
        Effort::High
    }
}

fn reason(candidate: &CandidateQuery, position: f64, curve: &CtrCurve) -> Reason {
    let before = candidate.previous.and_then(|previous| previous.position());
    if before.is_some_and(|before| position - before >= DECAY) {
        return Reason::Decaying;
    }
    let z_score = Gap::of(&candidate.figures, curve).and_then(|gap| gap.z_score);
    if z_score.is_some_and(|z_score| z_score <= LOW) {
        return Reason::LowCtr;
    }
    let share = candidate.page.as_ref().and_then(|page| page.query_share);
    if share.is_some_and(|share| share < THIN) {
        return Reason::ThinCoverage;
    }
    Reason::StrikingDistance
}

/// The opportunities among some queries, the most clicks to be had first. Those whose page is left out of analyses are not.
#[must_use]
pub fn ranked(
    candidates: Vec<CandidateQuery>,
    curve: &CtrCurve,
    is_excluded: impl Fn(&str) -> bool,
) -> Vec<Opportunity> {
    let is_left_out = |candidate: &CandidateQuery| {
        let page = candidate.page.as_ref();
        page.is_some_and(|page| is_excluded(&page.url))
    };
    let found = candidates
        .into_iter()
        .filter(|candidate| !is_left_out(candidate))
        .filter_map(|candidate| Opportunity::of(candidate, curve));
    let mut found: Vec<_> = found.collect();
    found.sort_by(|one, other| other.potential_clicks.total_cmp(&one.potential_clicks));
    found.truncate(MOST_ITEMS);
    found
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::curve::{POSITIONS, Sample},
            ShownPage,
        },
        *,
    };

    /// 20 % at 3, 5 % at 10; 4 to 9 lie on the line between, and 11 to 20 are as 10.
    fn curve() -> CtrCurve {
        let mut samples = [Sample::default(); POSITIONS];
        samples[2] = Sample {
            clicks: 2_000,
            impressions: 10_000,
        };
        samples[9] = Sample {
            clicks: 500,
            impressions: 10_000,
        };
        CtrCurve::of(samples)
    }

    fn candidate(clicks: u64, impressions: u64, position: f64) -> CandidateQuery {
        CandidateQuery {
            query: "red shoes".to_owned(),
            figures: figures(clicks, impressions, position),
            previous: None,
            page: Some(ShownPage {
                url: "https://shop.example/shoes".to_owned(),
                query_share: Some(0.4),
            }),
        }
    }

    fn figures(clicks: u64, impressions: u64, position: f64) -> Figures {
        Figures {
            clicks,
            impressions,
            position_sum: position * impressions as f64,
        }
    }

    /// 1,000 impressions at 5.0 with 150 clicks: 200 are expected at 3, so 50 more.
    #[test]
    fn the_potential_is_what_the_target_would_bring() {
        let found = Opportunity::of(candidate(150, 1_000, 5.0), &curve()).unwrap();
        assert_eq!((found.target, found.band), (3, Band::To10));
        assert!((found.potential_clicks - 50.0).abs() < 1e-9);
        assert_eq!(
            (found.effort, found.reason),
            (Effort::Low, Reason::StrikingDistance)
        );
        for (position, expected) in [
            (3.0, None),
            (3.1, Some(3)),
            (10.0, Some(3)),
            (10.1, Some(10)),
            (20.0, Some(10)),
            (20.1, None),
        ] {
            assert_eq!(target(position), expected, "{position}");
        }
        // More than the target would bring is no opportunity.
        assert_eq!(Opportunity::of(candidate(200, 1_000, 5.0), &curve()), None);
        let efforts: Vec<_> = [5.0, 5.1, 8.0, 8.1]
            .map(|position| {
                Opportunity::of(candidate(0, 10, position), &curve())
                    .unwrap()
                    .effort
            })
            .into();
        assert_eq!(
            efforts,
            [Effort::Low, Effort::Medium, Effort::Medium, Effort::High]
        );
    }

    /// At 5.0 the curve expects 20 − 2 · 15 / 7 = 15.71 %: 157.1 of 1,000, with a spread of 11.5. 130 are 2.4 spreads fewer.
    #[test]
    fn the_first_reason_that_holds_is_told() {
        let reason = |candidate| Opportunity::of(candidate, &curve()).unwrap().reason;
        let decaying = CandidateQuery {
            previous: Some(figures(100, 500, 4.0)),
            ..candidate(130, 1_000, 5.0)
        };
        assert_eq!(reason(decaying.clone()), Reason::Decaying);
        let steady = CandidateQuery {
            previous: Some(figures(100, 500, 4.1)),
            ..decaying
        };
        assert_eq!(reason(steady), Reason::LowCtr);
        let thin = |share| CandidateQuery {
            page: Some(ShownPage {
                url: "https://shop.example/".to_owned(),
                query_share: share,
            }),
            ..candidate(150, 1_000, 5.0)
        };
        assert_eq!(reason(thin(Some(0.049))), Reason::ThinCoverage);
        assert_eq!(reason(thin(Some(0.05))), Reason::StrikingDistance);
        assert_eq!(reason(thin(None)), Reason::StrikingDistance);
    }

    #[test]
    fn the_most_clicks_to_be_had_come_first() {
        let named = |query: &str, impressions| CandidateQuery {
            query: query.to_owned(),
            ..candidate(0, impressions, 5.0)
        };
        let candidates = || vec![named("small", 10), named("large", 1_000)];
        let found = ranked(candidates(), &curve(), |_| false);
        assert_eq!(
            found.iter().map(|one| one.query.as_str()).collect::<Vec<_>>(),
            ["large", "small"]
        );
        assert!(ranked(candidates(), &curve(), |page| page.ends_with("/shoes")).is_empty());
    }
}
