//! GET /workspaces/{workspace_id}/quotas

use pharos_account::quotas::{Quota, QuotaStore};
use pharos_domain::{
    clock::Clock,
    identity::WorkspaceAccess,
    module::Module,
    page::Page,
    problem::Suffix,
    quota::{QuotaPeriod, QuotaResource},
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    problem::Problem,
    spec::OperationSpec,
};
use serde::Serialize;
use time::macros::date;
use utoipa::ToSchema;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listWorkspaceQuotas",
    path: "/workspaces/{workspace_id}/quotas",
    module: Module::Credits,
    summary: "The limits of a workspace's plan that credits do not replace",
    description: "Each resource once, in one page. An operation that takes from a quota costs its credits all the \
                  same; where the quota is spent it answers 402 with the same figures.",
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: WorkspaceAccess,
    store: Port<dyn QuotaStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<WorkspaceQuotaPublic>> {
    let quotas = store.list(&access, clock.now()).await?;
    if quotas.is_empty() {
        return Err(Problem::new(Suffix::WorkspaceNotFound, "The workspace is gone."));
    }
    Ok(Page::single(
        quotas.into_iter().map(WorkspaceQuotaPublic::from).collect(),
    ))
}

/// A limit of a workspace's plan that credits do not replace.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WorkspaceQuota)]
pub(crate) struct WorkspaceQuotaPublic {
    /// The resource that it counts.
    resource: QuotaResource,
    /// How much is used: in its present period; of a stock, how much there is now.
    #[schema(minimum = 0)]
    used: u64,
    /// How much there is; null: without a limit.
    #[schema(required, minimum = 0)]
    limit: Option<u64>,
    /// How much is left; null: without a limit. 0 where a change of plan left less than was used.
    #[schema(required, minimum = 0)]
    remaining: Option<u64>,
    /// The day that it begins anew, UTC; null for a stock, which shrinks when something is deleted.
    #[schema(required, format = Date)]
    resets_on: Option<String>,
    /// How long it lasts: a UTC day, a calendar month (UTC; it has nothing to do with the credits' cycle), or `none`
    /// for a stock.
    period: QuotaPeriod,
}

impl From<Quota> for WorkspaceQuotaPublic {
    fn from(quota: Quota) -> Self {
        let remaining = quota.remaining();
        let Quota {
            resource,
            used,
            limit,
            resets_on,
        } = quota;
        Self {
            resource,
            used,
            limit,
            remaining,
            resets_on: resets_on.map(|day| day.to_string()),
            period: resource.period(),
        }
    }
}

impl Example for WorkspaceQuotaPublic {
    fn example() -> Self {
        Self::from(Quota {
            resource: QuotaResource::InspectorUrls,
            used: 120,
            limit: Some(2_000),
            resets_on: Some(date!(2026 - 04 - 01)),
        })
    }
}
