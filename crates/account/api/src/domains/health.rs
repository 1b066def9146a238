//! GET /domains/{domain_id}/health

use pharos_account::reporters::{ModuleReport, ModuleReporters, unavailable};
use pharos_domain::{
    day::Day,
    figure::hundredths,
    identity::DomainAccess,
    ids::DomainId,
    module::Module,
    module_block::{HealthReason, HealthStatus, ModuleHealth},
    scope::Scope,
    timestamp::Timestamp,
    window::Meta,
    wire_enum,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    kept::{Cacheable, Keep},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Window},
};
use serde::{Deserialize, Serialize, Serializer};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};
use uuid::uuid;

use super::window::{DAYS, OverviewWindow};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getDomainHealth",
    path: "/domains/{domain_id}/health",
    summary: "A score for each module of a domain",
    description: "Scores of 0 to 100 over the last 28 days, today included, beside those of the 28 days before. \
                  Modules whose score is null do not count. A status is ok from a score of 90, warning from 50, critical \
                  below, or what the gravest of the reasons says where that is worse. A module that fails, or does not \
                  answer within 2 seconds, is named in `unavailable_modules`; such an answer is not cached.",
    scope: Some(Scope::ReadOverview),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3600,
    window: Window::Fixed,
    ..OperationSpec::GET
};

wire_enum! {
    /// Whether an answer was computed for this request.
    Freshness {
        /// It may be, or was, taken from the cache: up to one hour old.
        Cached = "cached",
        /// It is to be, or was, computed now.
        Live = "live",
    }
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct HealthQuery {
    /// `live` for an answer that is computed now, at the same price; it takes the place of the cached one. `cached`,
    /// as without the parameter, for one that may be up to one hour old.
    #[param(inline)]
    #[serde(serialize_with = "nothing")]
    freshness: Option<Freshness>,
}

/// Freshness is no part of the key that answers are cached under: the cache reads it by itself.
fn nothing<S: Serializer>(_: &Option<Freshness>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_unit()
}

pub(crate) async fn view(
    access: DomainAccess,
    FixedWindow(window): FixedWindow<DAYS>,
    _query: Query<HealthQuery>,
    reporters: Port<ModuleReporters>,
) -> ApiResult<Cacheable<DomainHealthPublic>> {
    let window = OverviewWindow::new(window);
    let reports = reporters
        .collect(&access, |reporter| reporter.health(&access, &window.windows))
        .await;
    let answer = DomainHealthPublic::new(access.id(), &window, reports);
    let keep = if answer.unavailable_modules.is_empty() {
        Keep::Instead(DomainHealthPublic {
            freshness: Freshness::Cached,
            ..answer.clone()
        })
    } else {
        Keep::Nothing
    };
    Ok(Cacheable { answer, keep })
}

/// A score for each module of a domain.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DomainHealth)]
pub(crate) struct DomainHealthPublic {
    /// The id of the domain that it is about.
    domain_id: DomainId,
    /// The mean of the modules' scores that are not null; null where all are.
    #[schema(required, minimum = 0, maximum = 100)]
    score: Option<f64>,
    /// One row for each module that can be active on a domain.
    modules: Vec<ModuleHealthPublic>,
    /// The modules that failed or were late.
    unavailable_modules: Vec<Module>,
    /// The first day of the window before.
    compare_range_start: Day,
    /// The last day of the window before, inclusive.
    compare_range_end: Day,
    /// Where the answer came from: `live` where it was computed for this request.
    freshness: Freshness,
    /// The window in force, which the figures are of.
    meta: Meta,
}

/// How a module of a domain is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ModuleHealth)]
pub(crate) struct ModuleHealthPublic {
    /// The module.
    module: Module,
    /// 0 to 100; null where nothing was measured, and always for gsc and analytics.
    #[schema(required, minimum = 0, maximum = 100)]
    score: Option<f64>,
    /// The score of the window before; null where nothing was measured in it, or the module has no score.
    #[schema(required, minimum = 0, maximum = 100)]
    score_previous: Option<f64>,
    /// `score` less `score_previous`; null where either is.
    #[schema(required)]
    score_change: Option<f64>,
    /// How the module is doing, in a word.
    status: HealthStatus,
    /// When it was computed; null where it was not.
    #[schema(required)]
    computed_at: Option<Timestamp>,
    /// Why it is not better.
    reasons: Vec<HealthReason>,
}

impl DomainHealthPublic {
    pub(super) fn new(
        domain_id: DomainId,
        window: &OverviewWindow,
        reports: Vec<(Module, ModuleReport<Option<ModuleHealth>>)>,
    ) -> Self {
        let (compare_range_start, compare_range_end) = window.compare_range();
        let unavailable_modules = unavailable(&reports);
        let row = |(module, report)| match report {
            ModuleReport::Ready(Some(health)) => ModuleHealthPublic::new(module, health),
            ModuleReport::Ready(None) | ModuleReport::Absent => {
                ModuleHealthPublic::without_score(module, HealthStatus::NotConfigured)
            }
            ModuleReport::Failed => ModuleHealthPublic::without_score(module, HealthStatus::Failed),
        };
        let modules: Vec<ModuleHealthPublic> = reports.into_iter().map(row).collect();
        Self {
            domain_id,
            score: mean(modules.iter().filter_map(|module| module.score)),
            modules,
            unavailable_modules,
            compare_range_start,
            compare_range_end,
            freshness: Freshness::Live,
            meta: window.meta,
        }
    }
}

impl ModuleHealthPublic {
    fn new(module: Module, health: ModuleHealth) -> Self {
        let ModuleHealth {
            score,
            score_previous,
            status,
            computed_at,
            reasons,
        } = health;
        Self {
            module,
            score: score.map(hundredths),
            score_previous: score_previous.map(hundredths),
            score_change: score
                .zip(score_previous)
                .map(|(now, before)| hundredths(hundredths(now) - hundredths(before))),
            status,
            computed_at: Some(computed_at.into()),
            reasons,
        }
    }

    fn without_score(module: Module, status: HealthStatus) -> Self {
        Self {
            module,
            score: None,
            score_previous: None,
            score_change: None,
            status,
            computed_at: None,
            reasons: Vec::new(),
        }
    }
}

/// `None` where there are no scores.
fn mean(scores: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = scores.fold((0.0, 0.0), |(sum, count), score| (sum + score, count + 1.0));
    (count > 0.0).then(|| hundredths(sum / count))
}

impl Example for DomainHealthPublic {
    fn example() -> Self {
        let now = datetime!(2026-03-31 09:15:00 UTC);
        let window = OverviewWindow::at(now);
        let reports = Module::MONITORING.iter().map(|module| {
            let health = ModuleHealth::scored(Some(99.5), Some(100.0), Vec::new(), now);
            let report = match module {
                Module::Uptime => ModuleReport::Ready(Some(health)),
                _ => ModuleReport::Ready(None),
            };
            (*module, report)
        });
        Self::new(
            DomainId(uuid!("0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33")),
            &window,
            reports.collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In binary 48.1 less 56.16 is −8.059999999999995, and the sum of 48.1, 79.64 and 68.73 is 196.47000000000003.
    #[test]
    fn scores_have_two_decimals() {
        let now = datetime!(2026-03-31 09:15:00 UTC);
        let health = ModuleHealth::scored(Some(48.1), Some(56.16), Vec::new(), now);
        assert_eq!(
            ModuleHealthPublic::new(Module::Rum, health).score_change,
            Some(-8.06)
        );
        assert_eq!(mean([48.1, 79.64, 68.73].into_iter()), Some(65.49));
        assert_eq!(mean(std::iter::empty()), None);
        let health = ModuleHealth::scored(Some(200.0 / 3.0), None, Vec::new(), now);
        assert_eq!(ModuleHealthPublic::new(Module::Rum, health).score, Some(66.67));
    }
}
