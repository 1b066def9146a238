//! Budgets.

pub(crate) mod list;
pub(crate) mod replace;

use pharos_domain::ids::{RunId, SyntheticBudgetId, SyntheticUrlId};
use pharos_http::operation::Example;
use pharos_synthetic::budget::{
    Budget, BudgetDirection, BudgetMetric, BudgetResult, BudgetScope, KeptBudget,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::uuid;

/// A bound that a figure of lab tests is held to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabBudget)]
pub(crate) struct BudgetPublic {
    /// The id of the budget. A budget that is changed has another one.
    id: SyntheticBudgetId,
    /// The pages that it is about.
    scope: BudgetScope,
    /// The tracked URL; null: all of the domain.
    #[schema(required)]
    url_id: Option<SyntheticUrlId>,
    /// The profile; null: all.
    #[schema(required)]
    profile_id: Option<String>,
    /// The figure of a test that the budget bounds.
    metric: BudgetMetric,
    /// The bound, in the unit of the figure. The bound itself is kept.
    #[schema(minimum = 0)]
    limit: f64,
    /// Which side to stay on.
    direction: BudgetDirection,
    /// The figure at the newest test that exceeds it, else at the newest that it holds for, of the newest that succeeded of each
    /// URL on each profile; null where there is none, or the test has no such figure, as none has `inp_ms`.
    #[schema(required)]
    last_value: Option<f64>,
    /// How it stands by them: `failed` where one of them exceeds it.
    last_result: BudgetResult,
    /// That test; null where there was none.
    #[schema(required)]
    last_run_id: Option<RunId>,
}

impl From<KeptBudget> for BudgetPublic {
    fn from(kept: KeptBudget) -> Self {
        let scope = kept.budget.scope();
        let KeptBudget {
            budget:
                Budget {
                    id,
                    url_id,
                    profile_id,
                    metric,
                    limit,
                    direction,
                },
            last_value,
            last_result,
            last_run_id,
        } = kept;
        Self {
            id,
            scope,
            url_id,
            profile_id,
            metric,
            limit,
            direction,
            last_value,
            last_result,
            last_run_id,
        }
    }
}

impl Example for BudgetPublic {
    fn example() -> Self {
        KeptBudget {
            budget: Budget {
                id: SyntheticBudgetId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e51")),
                url_id: None,
                profile_id: Some("mobile".to_owned()),
                metric: BudgetMetric::LcpMs,
                limit: 2_500.0,
                direction: BudgetDirection::Max,
            },
            last_value: Some(2_310.0),
            last_result: BudgetResult::Passed,
            last_run_id: Some(RunId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e41"))),
        }
        .into()
    }
}
