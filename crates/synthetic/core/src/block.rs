//! The part of the lab in the health of a domain. The overview has no block of it.

use std::sync::Arc;

use async_trait::async_trait;
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    module_block::{
        BlockWindows, HealthReason, ModuleHealth, ModuleReporter, OverviewReport, ReasonCode, ReasonSeverity,
        ReasonUnit,
    },
    ports::{MissingPort, Ports},
    store::StoreError,
};

use crate::{
    budget::{KeptBudget, exceeded},
    figure::median,
    store::{LabStore, Standing},
};

/// How many failures in a row are a reason.
const FAILURES: u32 = 2;

/// How the score comes about, for the API's document.
pub const SCORE: &str = "The score of synthetic is the median score of performance of the newest lab tests of the tracked URLs \
                         on their profiles. It is compared with no score of another major version of Lighthouse.";

/// Reports on the lab tests of domains.
pub struct LabReporter {
    store: Arc<dyn LabStore>,
}

impl std::fmt::Debug for LabReporter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabReporter").finish_non_exhaustive()
    }
}

impl LabReporter {
    /// A reporter on what these ports know.
    ///
    /// # Errors
    /// The port is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

#[async_trait]
impl ModuleReporter for LabReporter {
    fn module(&self) -> Module {
        Module::Synthetic
    }

    async fn overview(&self, domain: &DomainAccess, _: &BlockWindows) -> Result<OverviewReport, StoreError> {
        Ok(if self.store.is_configured(domain).await? {
            OverviewReport::Empty
        } else {
            OverviewReport::NotConfigured
        })
    }

    async fn health(
        &self,
        domain: &DomainAccess,
        windows: &BlockWindows,
    ) -> Result<Option<ModuleHealth>, StoreError> {
        if !self.store.is_configured(domain).await? {
            return Ok(None);
        }
        let now = self.store.standings(domain, windows.now).await?;
        let before = self.store.standings(domain, windows.previous.end()).await?;
        let budgets = self.store.budgets(domain).await?;
        Ok(Some(ModuleHealth::scored(
            score(&now),
            score(&before).filter(|_| are_comparable(&now, &before)),
            reasons(&now, &budgets),
            windows.now,
        )))
    }
}

/// The median score of performance of those that have one.
fn score(standings: &[Standing]) -> Option<f64> {
    let scores = standings
        .iter()
        .filter_map(|standing| standing.figures.get("performance_score").copied());
    median(scores.collect())
}

/// Whether no page is measured by another major version of Lighthouse now on one of its profiles, which may weigh scores otherwise.
fn are_comparable(now: &[Standing], before: &[Standing]) -> bool {
    now.iter().all(|now| {
        let is_same = |before: &&Standing| before.url_id == now.url_id && before.profile_id == now.profile_id;
        let before = before.iter().find(is_same);
        let majors = now
            .engine_major
            .as_ref()
            .zip(before.and_then(|before| before.engine_major.as_ref()));
        majors.is_none_or(|(now, before)| now == before)
    })
}

fn reasons(standings: &[Standing], budgets: &[KeptBudget]) -> Vec<HealthReason> {
    let failing = standings
        .iter()
        .filter(|standing| standing.failures >= FAILURES)
        .count();
    [
        (ReasonCode::BudgetsExceeded, exceeded(budgets)),
        (
            ReasonCode::LabTestsFailed,
            u32::try_from(failing).unwrap_or(u32::MAX),
        ),
    ]
    .into_iter()
    .filter(|(_, count)| *count > 0)
    .map(|(code, count)| HealthReason {
        code,
        severity: ReasonSeverity::Warning,
        value: f64::from(count),
        threshold: 0.0,
        unit: ReasonUnit::Count,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use pharos_domain::ids::{SyntheticBudgetId, SyntheticUrlId};

    use super::*;
    use crate::{
        budget::{Budget, BudgetDirection, BudgetMetric, BudgetResult, BudgetStatus},
        figure::Figures,
    };

    fn standing(score: Option<f64>, budgets: BudgetStatus, failures: u32) -> Standing {
        Standing {
            url_id: SyntheticUrlId::generate(),
            url: String::new(),
            label: None,
            profile_id: "mobile".to_owned(),
            last: None,
            figures: score
                .map(|score| ("performance_score".to_owned(), score))
                .into_iter()
                .collect::<Figures>(),
            engine_major: None,
            scores_before: Vec::new(),
            budgets,
            next_run_at: None,
            failures,
        }
    }

    #[test]
    fn scores_of_two_major_versions_are_not_compared() {
        let of = |page: &Standing, major: Option<&str>| Standing {
            engine_major: major.map(str::to_owned),
            ..page.clone()
        };
        let (shoes, hats) = (
            standing(Some(90.0), BudgetStatus::None, 0),
            standing(Some(80.0), BudgetStatus::None, 0),
        );
        let before = [of(&shoes, Some("13")), of(&hats, Some("13"))];
        assert!(are_comparable(&before, &before));
        assert!(!are_comparable(
            &[of(&shoes, Some("13")), of(&hats, Some("14"))],
            &before
        ));
        // A test without a result has no score, and a page that is new has no past.
        assert!(are_comparable(
            &[of(&shoes, None), of(&hats, Some("13"))],
            &before
        ));
        assert!(are_comparable(&[of(&hats, Some("14"))], &[]));
        let desktop = Standing {
            profile_id: "desktop".to_owned(),
            ..of(&hats, Some("14"))
        };
        assert!(are_comparable(&[desktop], &before), "another profile");
    }

    /// By hand: of 45, 70 and 90 the one in the middle is 70; the one that failed has no score.
    #[test]
    fn the_score_is_the_median_of_those_that_have_one() {
        let standings = [
            standing(Some(90.0), BudgetStatus::Within, 0),
            standing(Some(45.0), BudgetStatus::Exceeded, 0),
            standing(Some(70.0), BudgetStatus::None, 1),
            standing(None, BudgetStatus::None, 2),
        ];
        assert_eq!(score(&standings), Some(70.0));
        assert_eq!(score(&standings[..2]), Some(67.5));
        assert_eq!(score(&[]), None);
        let budget = |last_result| KeptBudget {
            budget: Budget {
                id: SyntheticBudgetId::generate(),
                url_id: None,
                profile_id: None,
                metric: BudgetMetric::LcpMs,
                limit: 2_500.0,
                direction: BudgetDirection::Max,
            },
            last_value: None,
            last_result,
            last_run_id: None,
        };
        let budgets = [BudgetResult::Failed, BudgetResult::Passed, BudgetResult::Failed].map(budget);
        let told: Vec<_> = reasons(&standings, &budgets)
            .iter()
            .map(|reason| (reason.code, reason.value))
            .collect();
        assert_eq!(
            told,
            [
                (ReasonCode::BudgetsExceeded, 2.0),
                (ReasonCode::LabTestsFailed, 1.0)
            ]
        );
    }
}
