//! PUT /domains/{domain_id}/synthetic/budgets

use pharos_domain::{
    credits::Charged,
    identity::DomainAccess,
    ids::{SyntheticBudgetId, SyntheticUrlId},
    module::Module,
    page::Page,
    role::Role,
    scope::Scope,
    settings::{ChangeError, Faults, SettingFault},
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use pharos_synthetic::{
    budget::{Budget, BudgetDirection, BudgetMetric, check_page},
    store::LabStore,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::BudgetPublic;
use crate::schemas::LabProfileId;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "replaceSyntheticBudgets",
    method: Verb::Put,
    path: "/domains/{domain_id}/synthetic/budgets",
    module: Module::Synthetic,
    summary: "Replace the budgets",
    description: "The list takes the place of the one that is there; an empty one ends it. A budget that was there before keeps its \
                  id. How each stands is told at once, by the newest test that succeeded of each URL on each profile. Each test \
                  from now on is held to those of its URL and profile; `budget_results` of the run says how they stood. Tests \
                  measure loads alone, which have no `inp_ms`: a budget of it is taken, and stays `unknown`.",
    scope: Some(Scope::WriteSynthetic),
    min_role: Role::Member,
    credits: Credits::Cheap,
    ..OperationSpec::GET
};

pub(crate) async fn replace(
    access: Charged<DomainAccess>,
    body: Body<BudgetsRequest>,
    store: Port<dyn LabStore>,
) -> ApiResult<Page<BudgetPublic>> {
    let pages: Vec<SyntheticUrlId> = store.pages(&access).await?.iter().map(|page| page.id).collect();
    let budgets = body
        .judged(|wanted| wanted.budgets(&pages))
        .map_err(ChangeError::Faults)?;
    let kept = store.replace_budgets(&access, &budgets).await?;
    Ok(Page::single(kept.into_iter().map(BudgetPublic::from).collect()))
}

/// The budgets of a domain.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabBudgets)]
#[serde(deny_unknown_fields)]
pub(crate) struct BudgetsRequest {
    /// At most 200.
    #[schema(max_items = 200)]
    items: Vec<BudgetRequest>,
}

/// A bound that a figure of lab tests is to be held to. A member that is at fault is missing here, and the others are judged
/// all the same.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = NewLabBudget)]
#[serde(deny_unknown_fields)]
struct BudgetRequest {
    /// The tracked URL; null or left out: all of the domain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url_id: Option<SyntheticUrlId>,
    /// The profile; null or left out: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LabProfileId>)]
    profile_id: Option<String>,
    /// The figure. `inp_ms` is not measured in the lab: a budget of it stays `unknown`.
    #[schema(value_type = BudgetMetric, required)]
    metric: Option<BudgetMetric>,
    /// The bound, in the unit of the figure. The bound itself is kept.
    #[schema(value_type = f64, required, minimum = 0, maximum = 1_000_000_000_000_i64)]
    limit: Option<f64>,
    /// Which side to stay on; left out: `min` for a score, `max` for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    direction: Option<BudgetDirection>,
}

impl BudgetsRequest {
    fn budgets(&self, pages: &[SyntheticUrlId]) -> Result<Vec<Budget>, Vec<SettingFault>> {
        let mut faults = Faults::default();
        let mut budgets = Vec::new();
        faults.within("items", |faults| {
            for (at, item) in self.items.iter().enumerate() {
                match item.budget() {
                    Some(budget) => budgets.push((at, budget)),
                    None => faults.within(at, |faults| check_page(item.url_id, pages, faults)),
                }
            }
            Budget::check_all(&budgets, pages, faults);
        });
        faults.or(|| budgets.into_iter().map(|(_, budget)| budget).collect())
    }
}

impl BudgetRequest {
    /// `None`: the figure is missing. A bound that is missing is at fault here, too.
    fn budget(&self) -> Option<Budget> {
        let Self {
            url_id,
            profile_id,
            metric,
            limit,
            direction,
        } = self.clone();
        let metric = metric?;
        Some(Budget {
            id: SyntheticBudgetId::generate(),
            url_id,
            profile_id,
            metric,
            limit: limit.unwrap_or(f64::NAN),
            direction: direction.unwrap_or(metric.usual_direction()),
        })
    }
}

impl Example for BudgetsRequest {
    fn example() -> Self {
        Self {
            items: vec![BudgetRequest {
                url_id: None,
                profile_id: Some("mobile".to_owned()),
                metric: Some(BudgetMetric::LcpMs),
                limit: Some(2_500.0),
                direction: Some(BudgetDirection::Max),
            }],
        }
    }
}
