//! Budgets: bounds that the figures of runs are held to.

use std::collections::HashSet;

use pharos_domain::{
    ids::{RunId, SyntheticBudgetId, SyntheticUrlId},
    settings::{Faults, SettingFault},
    wire_enum,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    figure::{Figures, LabUnit},
    profile::Profile,
};

/// The greatest bound.
pub const GREATEST_LIMIT: f64 = 1e12;
/// How many budgets a domain may have: as many as a list of the API may.
pub const MOST_BUDGETS: usize = 200;
/// The fault of a second budget of the same subject.
const DOUBLED: &str = "there is a budget of this metric, page and profile already";

wire_enum! {
    /// The runs that a budget holds for.
    BudgetScope as "LabBudgetScope" {
        /// Those of all pages.
        Domain = "domain",
        /// Those of one page.
        Url = "url",
    }
}

wire_enum! {
    /// The figure that a budget bounds.
    BudgetMetric as "LabBudgetMetric" {
        /// First Contentful Paint.
        FcpMs = "fcp_ms",
        /// Largest Contentful Paint.
        LcpMs = "lcp_ms",
        /// Total Blocking Time.
        TbtMs = "tbt_ms",
        /// Cumulative Layout Shift.
        Cls = "cls",
        /// Speed Index.
        SpeedIndexMs = "speed_index_ms",
        /// Time to Interactive.
        TtiMs = "tti_ms",
        /// The longest that a first input could have waited.
        MaxPotentialFidMs = "max_potential_fid_ms",
        /// How long the server took to answer.
        TtfbMs = "ttfb_ms",
        /// Interaction to Next Paint, which a load alone does not have: a budget of it stays `unknown`.
        InpMs = "inp_ms",
        /// The part of LCP until the first byte.
        LcpTtfbMs = "lcp_ttfb_ms",
        /// The part of LCP from there until its resource is asked for.
        LcpLoadDelayMs = "lcp_load_delay_ms",
        /// The part of LCP in which its resource loads.
        LcpLoadDurationMs = "lcp_load_duration_ms",
        /// The part of LCP from there until it is painted.
        LcpRenderDelayMs = "lcp_render_delay_ms",
        /// When the page had loaded, as observed.
        ObservedLoadMs = "observed_load_ms",
        /// When its document was parsed, as observed.
        ObservedDomContentLoadedMs = "observed_dom_content_loaded_ms",
        /// Bytes over the network.
        TotalBytes = "total_bytes",
        /// Those of scripts.
        ScriptBytes = "script_bytes",
        /// Those of images.
        ImageBytes = "image_bytes",
        /// Those of fonts.
        FontBytes = "font_bytes",
        /// Those of stylesheets.
        StylesheetBytes = "stylesheet_bytes",
        /// Those of others' servers.
        ThirdPartyBytes = "third_party_bytes",
        /// Requests.
        RequestCount = "request_count",
        /// Those to others' servers.
        ThirdPartyRequests = "third_party_requests",
        /// The score of performance, 0 to 100.
        PerformanceScore = "performance_score",
    }
}

wire_enum! {
    /// Which side of its bound a figure has to stay on.
    BudgetDirection as "LabBudgetDirection" {
        /// It may be as great as the bound, and no greater.
        Max = "max",
        /// It may be as small as the bound, and no smaller.
        Min = "min",
    }
}

wire_enum! {
    /// How a budget stands by the newest runs that succeeded of the pages and profiles that it holds for.
    BudgetResult as "LabBudgetState" {
        /// All of them that have the figure kept it.
        Passed = "passed",
        /// One at least exceeded it.
        Failed = "failed",
        /// There is no such run, or none has such a figure.
        Unknown = "unknown",
    }
}

wire_enum! {
    /// How the budgets of a page on a profile stand together.
    BudgetStatus as "LabBudgetStatus" {
        /// All that could be judged were kept.
        Within = "within",
        /// One at least was not.
        Exceeded = "exceeded",
        /// There was none to judge.
        None = "none",
    }
}

impl BudgetMetric {
    /// Its name for people, wherever they read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FcpMs => "First Contentful Paint",
            Self::LcpMs => "Largest Contentful Paint",
            Self::TbtMs => "Total Blocking Time",
            Self::Cls => "Cumulative Layout Shift",
            Self::SpeedIndexMs => "Speed Index",
            Self::TtiMs => "Time to Interactive",
            Self::MaxPotentialFidMs => "Max Potential First Input Delay",
            Self::TtfbMs => "Time to First Byte",
            Self::InpMs => "Interaction to Next Paint",
            Self::LcpTtfbMs => "LCP: time to first byte",
            Self::LcpLoadDelayMs => "LCP: load delay",
            Self::LcpLoadDurationMs => "LCP: load duration",
            Self::LcpRenderDelayMs => "LCP: render delay",
            Self::ObservedLoadMs => "Load, as observed",
            Self::ObservedDomContentLoadedMs => "DOM content loaded, as observed",
            Self::TotalBytes => "Bytes",
            Self::ScriptBytes => "Script bytes",
            Self::ImageBytes => "Image bytes",
            Self::FontBytes => "Font bytes",
            Self::StylesheetBytes => "Stylesheet bytes",
            Self::ThirdPartyBytes => "Third-party bytes",
            Self::RequestCount => "Requests",
            Self::ThirdPartyRequests => "Third-party requests",
            Self::PerformanceScore => "Performance",
        }
    }

    /// The unit of its bounds and values.
    #[must_use]
    pub fn unit(self) -> LabUnit {
        LabUnit::of(self.as_str())
    }

    /// Whether tests measure it: a load alone has no interaction.
    #[must_use]
    pub const fn is_measured(self) -> bool {
        !matches!(self, Self::InpMs)
    }

    /// The side to stay on where a budget names none.
    #[must_use]
    pub const fn usual_direction(self) -> BudgetDirection {
        match self {
            Self::PerformanceScore => BudgetDirection::Min,
            _ => BudgetDirection::Max,
        }
    }
}

/// A budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// The id by which it is named; a budget that is changed has another one.
    pub id: SyntheticBudgetId,
    /// The page whose runs it holds for; `None`: all pages.
    pub url_id: Option<SyntheticUrlId>,
    /// The profile whose runs it holds for; `None`: all profiles.
    pub profile_id: Option<String>,
    /// The figure of a test that it bounds.
    pub metric: BudgetMetric,
    /// The bound, in the unit of the figure.
    pub limit: f64,
    /// The side to stay on.
    pub direction: BudgetDirection,
}

/// A budget with how it stands: by the newest run that exceeds it, else by the newest that it holds for.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptBudget {
    /// The budget as it was set.
    pub budget: Budget,
    /// The figure at that run.
    pub last_value: Option<f64>,
    /// How it stands.
    pub last_result: BudgetResult,
    /// That run.
    pub last_run_id: Option<RunId>,
}

/// How many budgets are exceeded.
#[must_use]
pub fn exceeded(budgets: &[KeptBudget]) -> u32 {
    let failed = budgets
        .iter()
        .filter(|kept| kept.last_result == BudgetResult::Failed);
    u32::try_from(failed.count()).unwrap_or(u32::MAX)
}

impl BudgetResult {
    /// How a budget of a metric stands, in the words that people read everywhere; `has_test`: there is a test that it holds for.
    #[must_use]
    pub const fn words(self, metric: BudgetMetric, has_test: bool) -> &'static str {
        match self {
            Self::Passed => "Kept",
            Self::Failed => "Exceeded",
            Self::Unknown if !metric.is_measured() => "Not measured in the lab",
            Self::Unknown if has_test => "Not measured",
            Self::Unknown => "No test yet",
        }
    }

    /// The result of a judgement; `None` where it can't be said.
    #[must_use]
    pub const fn of(passed: Option<bool>) -> Self {
        match passed {
            Some(true) => Self::Passed,
            Some(false) => Self::Failed,
            None => Self::Unknown,
        }
    }
}

impl BudgetStatus {
    /// The status of some judgements together.
    #[must_use]
    pub fn of(passed: &[Option<bool>]) -> Self {
        if passed.contains(&Some(false)) {
            Self::Exceeded
        } else if passed.contains(&Some(true)) {
            Self::Within
        } else {
            Self::None
        }
    }
}

/// How a budget stood at a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BudgetOutcome {
    /// The id of the budget, which may be gone since.
    pub budget_id: Uuid,
    /// The figure that the budget bounds.
    pub metric: BudgetMetric,
    /// The bound as it was then, in the unit of the figure.
    pub limit: f64,
    /// The value; `None`: it was not measured.
    pub actual: Option<f64>,
    /// By how much it lies on the wrong side; `None` where it does not.
    pub over_by: Option<f64>,
    /// Whether it was kept; `None`: that can't be said.
    pub passed: Option<bool>,
}

impl Budget {
    /// The pages that it is about.
    #[must_use]
    pub const fn scope(&self) -> BudgetScope {
        match self.url_id {
            None => BudgetScope::Domain,
            Some(_) => BudgetScope::Url,
        }
    }

    /// Whether it holds for the runs of a page on a profile.
    #[must_use]
    pub fn holds_for(&self, url_id: Option<SyntheticUrlId>, profile_id: &str) -> bool {
        (self.url_id.is_none() || self.url_id == url_id)
            && self
                .profile_id
                .as_deref()
                .is_none_or(|profile| profile == profile_id)
    }

    /// How it stands with these figures.
    #[must_use]
    pub fn judge(&self, figures: &Figures) -> BudgetOutcome {
        let actual = figures.get(self.metric.as_str()).copied();
        let over = actual.map(|actual| match self.direction {
            BudgetDirection::Max => actual - self.limit,
            BudgetDirection::Min => self.limit - actual,
        });
        BudgetOutcome {
            budget_id: self.id.0,
            metric: self.metric,
            limit: self.limit,
            actual,
            over_by: over.filter(|over| *over > 0.0),
            passed: over.map(|over| over <= 0.0),
        }
    }

    /// Checks the budgets of a list, each with its place there, whose pages are those of the domain.
    pub fn check_all(budgets: &[(usize, Self)], pages: &[SyntheticUrlId], faults: &mut Faults) {
        let mut seen = HashSet::new();
        for (at, budget) in budgets {
            faults.within(at, |faults| {
                budget.check(pages, faults);
                if !seen.insert(budget.subject()) {
                    faults.add("metric", DOUBLED);
                }
            });
        }
    }

    /// The list with this budget in the place of the one of that id, or at its end.
    ///
    /// # Errors
    /// Everything that is wrong with the budget; or `id`, where the other is there no more.
    pub fn among(
        self,
        present: &[Self],
        in_place_of: Option<SyntheticBudgetId>,
        pages: &[SyntheticUrlId],
    ) -> Result<Vec<Self>, Vec<SettingFault>> {
        let mut list = present.to_vec();
        let place = match in_place_of {
            None => None,
            Some(id) => Some(place_of(&list, id)?),
        };
        let mut faults = Faults::default();
        self.check(pages, &mut faults);
        let mut others = list.iter().filter(|other| Some(other.id) != in_place_of);
        if others.any(|other| other.subject() == self.subject()) {
            faults.add("metric", DOUBLED);
        }
        if place.is_none() && list.len() >= MOST_BUDGETS {
            faults.add(
                "metric",
                format!("the domain has {MOST_BUDGETS} budgets, as many as it may"),
            );
        }
        faults.or(|| {
            match place {
                Some(place) => list[place] = self,
                None => list.push(self),
            }
            list
        })
    }

    /// The list without the budget of that id.
    ///
    /// # Errors
    /// `id`: it is there no more.
    pub fn without(present: &[Self], id: SyntheticBudgetId) -> Result<Vec<Self>, Vec<SettingFault>> {
        let mut list = present.to_vec();
        let place = place_of(&list, id)?;
        list.remove(place);
        Ok(list)
    }

    /// Its page, profile and metric: no two budgets have the same.
    fn subject(&self) -> (Option<SyntheticUrlId>, Option<&str>, BudgetMetric) {
        (self.url_id, self.profile_id.as_deref(), self.metric)
    }

    fn check(&self, pages: &[SyntheticUrlId], faults: &mut Faults) {
        if !self.limit.is_finite() || !(0.0..=GREATEST_LIMIT).contains(&self.limit) {
            faults.add("limit", "a number of 0 to 1,000,000,000,000");
        } else if self.metric == BudgetMetric::PerformanceScore && self.limit > 100.0 {
            faults.add("limit", "a score is 0 to 100");
        }
        check_page(self.url_id, pages, faults);
        if self
            .profile_id
            .as_deref()
            .is_some_and(|id| Profile::named(id).is_none())
        {
            faults.add(
                "profile_id",
                format!("not a profile; there are {}", Profile::names()),
            );
        }
    }
}

/// Where the budget of that id lies. One that was changed has another since.
fn place_of(list: &[Budget], id: SyntheticBudgetId) -> Result<usize, Vec<SettingFault>> {
    let place = list.iter().position(|budget| budget.id == id);
    place.ok_or_else(|| {
        vec![SettingFault::new(
            "/id",
            "The budget was changed or deleted meanwhile; look at it again.",
        )]
    })
}

/// Checks that the page of a budget is one of the domain's.
pub fn check_page(url_id: Option<SyntheticUrlId>, pages: &[SyntheticUrlId], faults: &mut Faults) {
    if url_id.is_some_and(|page| !pages.contains(&page)) {
        faults.add("url_id", "not a tracked URL of this domain");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(metric: BudgetMetric, limit: f64, direction: BudgetDirection) -> Budget {
        Budget {
            id: SyntheticBudgetId::generate(),
            url_id: None,
            profile_id: None,
            metric,
            limit,
            direction,
        }
    }

    fn judged(budget: &Budget, value: Option<f64>) -> (Option<bool>, Option<f64>) {
        let figures = value.map(|value| (budget.metric.as_str().to_owned(), value));
        let outcome = budget.judge(&figures.into_iter().collect());
        (outcome.passed, outcome.over_by)
    }

    #[test]
    fn the_bound_itself_is_kept() {
        let most = budget(BudgetMetric::LcpMs, 2_500.0, BudgetDirection::Max);
        assert_eq!(judged(&most, Some(2_500.0)), (Some(true), None));
        assert_eq!(judged(&most, Some(2_750.5)), (Some(false), Some(250.5)));
        assert_eq!(judged(&most, None), (None, None));
        let least = budget(BudgetMetric::PerformanceScore, 90.0, BudgetDirection::Min);
        assert_eq!(judged(&least, Some(90.0)), (Some(true), None));
        assert_eq!(judged(&least, Some(44.0)), (Some(false), Some(46.0)));
        let none = budget(BudgetMetric::ThirdPartyRequests, 0.0, BudgetDirection::Max);
        assert_eq!(judged(&none, Some(0.0)), (Some(true), None));
    }

    #[test]
    fn why_a_budget_is_not_judged_is_told() {
        let (lcp, inp) = (BudgetMetric::LcpMs, BudgetMetric::InpMs);
        for (result, metric, has_test, words) in [
            (BudgetResult::Passed, lcp, true, "Kept"),
            (BudgetResult::Failed, lcp, true, "Exceeded"),
            (BudgetResult::Unknown, lcp, false, "No test yet"),
            (BudgetResult::Unknown, lcp, true, "Not measured"),
            (BudgetResult::Unknown, inp, false, "Not measured in the lab"),
        ] {
            assert_eq!(result.words(metric, has_test), words);
        }
    }

    #[test]
    fn one_judgement_against_it_is_enough() {
        for (passed, status) in [
            (&[Some(true), None, Some(false)][..], BudgetStatus::Exceeded),
            (&[None, Some(true)], BudgetStatus::Within),
            (&[None], BudgetStatus::None),
            (&[], BudgetStatus::None),
        ] {
            assert_eq!(BudgetStatus::of(passed), status, "{passed:?}");
        }
        let kept = |passed| KeptBudget {
            budget: budget(BudgetMetric::Cls, 0.1, BudgetDirection::Max),
            last_value: None,
            last_result: BudgetResult::of(passed),
            last_run_id: None,
        };
        assert_eq!(exceeded(&[kept(Some(false)), kept(Some(true)), kept(None)]), 1);
    }

    #[test]
    fn all_faults_are_told_at_once() {
        let mut budgets = vec![
            budget(BudgetMetric::LcpMs, -1.0, BudgetDirection::Max),
            budget(BudgetMetric::LcpMs, f64::NAN, BudgetDirection::Min),
            budget(BudgetMetric::PerformanceScore, 101.0, BudgetDirection::Min),
        ];
        budgets[2].url_id = Some(SyntheticUrlId::generate());
        budgets[2].profile_id = Some("tablet".to_owned());
        let budgets: Vec<_> = budgets.into_iter().enumerate().collect();
        let mut faults = Faults::default();
        faults.within("items", |faults| Budget::check_all(&budgets, &[], faults));
        let pointers: Vec<_> = faults
            .or(|| ())
            .unwrap_err()
            .into_iter()
            .map(|fault| fault.pointer)
            .collect();
        assert_eq!(
            pointers,
            [
                "/items/0/limit",
                "/items/1/limit",
                "/items/1/metric",
                "/items/2/limit",
                "/items/2/url_id",
                "/items/2/profile_id",
            ]
        );
    }

    #[test]
    fn a_budget_takes_the_place_of_the_one_that_was_seen() {
        let lcp = budget(BudgetMetric::LcpMs, 2_500.0, BudgetDirection::Max);
        let cls = budget(BudgetMetric::Cls, 0.1, BudgetDirection::Max);
        let present = [lcp.clone(), cls.clone()];
        let stricter = budget(BudgetMetric::LcpMs, 2_000.0, BudgetDirection::Max);
        let fields = |refused: Result<Vec<Budget>, Vec<SettingFault>>| -> Vec<String> {
            let faults = refused.unwrap_err().into_iter();
            faults.map(|fault| fault.pointer).collect()
        };
        assert_eq!(
            stricter.clone().among(&present, Some(lcp.id), &[]),
            Ok(vec![stricter.clone(), cls.clone()])
        );
        assert_eq!(fields(stricter.clone().among(&present, None, &[])), ["/metric"]);
        assert_eq!(
            fields(stricter.clone().among(&present, Some(cls.id), &[])),
            ["/metric"],
            "in another's place it is the second"
        );
        assert_eq!(
            fields(stricter.clone().among(&present, Some(stricter.id), &[])),
            ["/id"]
        );
        let bytes = budget(BudgetMetric::TotalBytes, -1.0, BudgetDirection::Max);
        assert_eq!(fields(bytes.among(&present, None, &[])), ["/limit"]);
        let full = vec![cls.clone(); MOST_BUDGETS];
        assert_eq!(fields(stricter.clone().among(&full, None, &[])), ["/metric"]);
        assert_eq!(Budget::without(&present, lcp.id), Ok(vec![cls]));
        assert_eq!(fields(Budget::without(&present, stricter.id)), ["/id"]);
    }

    #[test]
    fn a_budget_holds_for_its_page_and_profile() {
        let page = SyntheticUrlId::generate();
        let mut one = budget(BudgetMetric::Cls, 0.1, BudgetDirection::Max);
        assert!(one.holds_for(None, "mobile") && one.holds_for(Some(page), "desktop"));
        one.url_id = Some(page);
        one.profile_id = Some("mobile".to_owned());
        assert!(one.holds_for(Some(page), "mobile"));
        assert!(!one.holds_for(Some(page), "desktop") && !one.holds_for(None, "mobile"));
    }
}
