//! The differences between two inspections of a URL, and whether they are for the better.

use pharos_domain::{page_facts::IndexVerdict, wire_enum};

use super::{
    coverage::CoverageReason,
    inspection::Inspection,
    states::{FetchState, IndexingState, RobotsState},
};

wire_enum! {
    /// The field of an inspection that changed.
    Field as "IndexingField" {
        /// Whether it is in the index, in one word.
        Verdict = "verdict",
        /// Why.
        CoverageReason = "coverage_reason",
        /// Whether robots.txt lets Google fetch it.
        RobotsTxtState = "robots_txt_state",
        /// Whether it lets itself be indexed.
        IndexingState = "indexing_state",
        /// Whether Google could fetch it.
        PageFetchState = "page_fetch_state",
        /// The page that Google chose as canonical.
        GoogleCanonical = "google_canonical",
        /// The page that it declares as canonical.
        UserCanonical = "user_canonical",
    }
}

wire_enum! {
    /// Whether a change is for the better.
    Direction as "IndexingDirection" {
        /// Towards indexed, allowed, fetched, and a canonical page that matches.
        Improved = "improved",
        /// Away from it.
        Worsened = "worsened",
        /// Neither.
        Neutral = "neutral",
    }
}

/// The fields of an inspection that are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Whether it is in the index, in one word.
    pub verdict: IndexVerdict,
    /// Why.
    pub coverage_reason: Option<CoverageReason>,
    /// Whether robots.txt lets Google fetch it.
    pub robots_txt_state: RobotsState,
    /// Whether it lets itself be indexed.
    pub indexing_state: IndexingState,
    /// Whether Google could fetch it.
    pub page_fetch_state: FetchState,
    /// The page that Google chose as canonical.
    pub google_canonical: Option<String>,
    /// The page that it declares as canonical.
    pub user_canonical: Option<String>,
}

impl From<&Inspection> for Compared {
    fn from(inspection: &Inspection) -> Self {
        Self {
            verdict: inspection.verdict,
            coverage_reason: inspection.coverage_reason,
            robots_txt_state: inspection.robots_txt_state,
            indexing_state: inspection.indexing_state,
            page_fetch_state: inspection.page_fetch_state,
            google_canonical: inspection.google_canonical.clone(),
            user_canonical: inspection.user_canonical.clone(),
        }
    }
}

/// A change of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The field that changed.
    pub field: Field,
    /// Its former value; `None`: nothing.
    pub before: Option<String>,
    /// Its new value; `None`: nothing.
    pub after: Option<String>,
    /// Whether that is for the better.
    pub direction: Direction,
}

/// The changes between an inspection and the next.
#[must_use]
pub fn changes(before: &Compared, after: &Compared) -> Vec<Change> {
    let canonical = turn(matching(before), matching(after));
    let text = |value: &'static str| Some(value.to_owned());
    let reason = |compared: &Compared| compared.coverage_reason;
    let all = [
        (
            Field::Verdict,
            text(before.verdict.as_str()),
            text(after.verdict.as_str()),
            turn(indexed(before.verdict), indexed(after.verdict)),
        ),
        (
            Field::CoverageReason,
            reason(before).and_then(|reason| text(reason.as_str())),
            reason(after).and_then(|reason| text(reason.as_str())),
            turn(
                reason(before).map(CoverageReason::is_indexed),
                reason(after).map(CoverageReason::is_indexed),
            ),
        ),
        (
            Field::RobotsTxtState,
            text(before.robots_txt_state.as_str()),
            text(after.robots_txt_state.as_str()),
            turn(allowed(before.robots_txt_state), allowed(after.robots_txt_state)),
        ),
        (
            Field::IndexingState,
            text(before.indexing_state.as_str()),
            text(after.indexing_state.as_str()),
            turn(indexable(before.indexing_state), indexable(after.indexing_state)),
        ),
        (
            Field::PageFetchState,
            text(before.page_fetch_state.as_str()),
            text(after.page_fetch_state.as_str()),
            turn(fetched(before.page_fetch_state), fetched(after.page_fetch_state)),
        ),
        (
            Field::GoogleCanonical,
            before.google_canonical.clone(),
            after.google_canonical.clone(),
            canonical,
        ),
        (
            Field::UserCanonical,
            before.user_canonical.clone(),
            after.user_canonical.clone(),
            canonical,
        ),
    ];
    all.into_iter()
        .filter(|(_, before, after, _)| before != after)
        .map(|(field, before, after, direction)| Change {
            field,
            before,
            after,
            direction,
        })
        .collect()
}

/// From what is known to be good or bad to what is. Where either is not known, neither.
fn turn(before: Option<bool>, after: Option<bool>) -> Direction {
    match (before, after) {
        (Some(false), Some(true)) => Direction::Improved,
        (Some(true), Some(false)) => Direction::Worsened,
        _ => Direction::Neutral,
    }
}

fn indexed(verdict: IndexVerdict) -> Option<bool> {
    (verdict != IndexVerdict::Unknown).then_some(verdict == IndexVerdict::Pass)
}

fn allowed(state: RobotsState) -> Option<bool> {
    (state != RobotsState::Unknown).then_some(state == RobotsState::Allowed)
}

fn indexable(state: IndexingState) -> Option<bool> {
    (state != IndexingState::Unknown).then_some(state == IndexingState::IndexingAllowed)
}

fn fetched(state: FetchState) -> Option<bool> {
    (state != FetchState::Unknown).then_some(state == FetchState::Successful)
}

fn matching(compared: &Compared) -> Option<bool> {
    super::canonical::matches(
        compared.user_canonical.as_deref(),
        compared.google_canonical.as_deref(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indexed_page() -> Compared {
        Compared {
            verdict: IndexVerdict::Pass,
            coverage_reason: Some(CoverageReason::SubmittedAndIndexed),
            robots_txt_state: RobotsState::Allowed,
            indexing_state: IndexingState::IndexingAllowed,
            page_fetch_state: FetchState::Successful,
            google_canonical: Some("https://shop.example/a".to_owned()),
            user_canonical: Some("https://shop.example/a".to_owned()),
        }
    }

    fn told(before: &Compared, after: &Compared) -> Vec<(Field, Direction)> {
        let changes = changes(before, after);
        changes
            .iter()
            .map(|change| (change.field, change.direction))
            .collect()
    }

    #[test]
    fn a_page_that_stays_has_no_changes() {
        assert_eq!(told(&indexed_page(), &indexed_page()), []);
    }

    #[test]
    fn a_page_that_leaves_the_index_worsens_and_one_that_comes_back_improves() {
        let out = Compared {
            verdict: IndexVerdict::Neutral,
            coverage_reason: Some(CoverageReason::ExcludedNoindex),
            indexing_state: IndexingState::BlockedByMetaTag,
            google_canonical: None,
            ..indexed_page()
        };
        assert_eq!(
            told(&indexed_page(), &out),
            [
                (Field::Verdict, Direction::Worsened),
                (Field::CoverageReason, Direction::Worsened),
                (Field::IndexingState, Direction::Worsened),
                // There is none any more, so none differs.
                (Field::GoogleCanonical, Direction::Neutral),
            ]
        );
        assert_eq!(
            told(&out, &indexed_page())[0],
            (Field::Verdict, Direction::Improved)
        );
    }

    #[test]
    fn a_canonical_is_judged_by_whether_both_match() {
        let other = Compared {
            google_canonical: Some("https://shop.example/b".to_owned()),
            ..indexed_page()
        };
        assert_eq!(
            told(&indexed_page(), &other),
            [(Field::GoogleCanonical, Direction::Worsened)]
        );
        let followed = Compared {
            user_canonical: other.google_canonical.clone(),
            ..other.clone()
        };
        assert_eq!(
            told(&other, &followed),
            [(Field::UserCanonical, Direction::Improved)]
        );
    }

    #[test]
    fn from_bad_to_bad_and_from_what_is_not_known_is_neither() {
        let failing = |page_fetch_state| Compared {
            page_fetch_state,
            ..indexed_page()
        };
        assert_eq!(
            told(&failing(FetchState::NotFound), &failing(FetchState::ServerError)),
            [(Field::PageFetchState, Direction::Neutral)]
        );
        assert_eq!(
            told(&failing(FetchState::Unknown), &failing(FetchState::ServerError)),
            [(Field::PageFetchState, Direction::Neutral)]
        );
        let first = Compared {
            coverage_reason: None,
            ..indexed_page()
        };
        let change = &changes(&first, &indexed_page())[0];
        assert_eq!(
            (change.before.clone(), change.direction),
            (None, Direction::Neutral)
        );
    }
}
