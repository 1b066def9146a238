//! GET /domains/{domain_id}/synthetic/runs/{run_id}/opportunities

use pharos_domain::{
    identity::DomainAccess, ids::RunId, module::Module, page::Page, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use pharos_synthetic::{
    result::{MetricSavings, Opportunity, OpportunityItem, OpportunityKind},
    store::LabStore,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::found;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listSyntheticOpportunities",
    path: "/domains/{domain_id}/synthetic/runs/{run_id}/opportunities",
    module: Module::Synthetic,
    summary: "The changes that would make the page of a lab test faster, the most promising first",
    description: "Insights and diagnostics that did not pass, with what Lighthouse estimates that they would save. Ids are its own, \
                  and there may be new ones.",
    scope: Some(Scope::ReadSynthetic),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::SyntheticRunNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    store: Port<dyn LabStore>,
) -> ApiResult<Page<OpportunityPublic>> {
    let run = found(&*store, &access, id).await?;
    let opportunities = store.opportunities(&run).await?;
    Ok(Page::single(
        opportunities.into_iter().map(OpportunityPublic::from).collect(),
    ))
}

/// Something that would make a page faster.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabOpportunity)]
pub(crate) struct OpportunityPublic {
    /// Lighthouse's id.
    insight_id: String,
    /// The name of the opportunity for people, as Lighthouse has it.
    title: String,
    /// Where it comes from.
    kind: OpportunityKind,
    /// By how much metrics would be better.
    metric_savings: MetricSavingsPublic,
    /// By how many milliseconds the page would be faster; of an insight, those of the metric that gains most. Null where it is not
    /// told.
    #[schema(required)]
    savings_ms: Option<f64>,
    /// How many bytes it would be smaller; null where it is not told.
    #[schema(required, minimum = 0)]
    savings_bytes: Option<u64>,
    /// How much guidance there is: 3 is the most. Null where Lighthouse gives none.
    #[schema(required, minimum = 1, maximum = 3)]
    guidance_level: Option<u8>,
    /// The resources or elements that it is about, 20 at most.
    items: Vec<OpportunityItemPublic>,
}

/// By how much metrics would be better; null where it is not told.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabMetricSavings)]
pub(crate) struct MetricSavingsPublic {
    /// First Contentful Paint, in milliseconds.
    #[schema(required)]
    fcp_ms: Option<f64>,
    /// Largest Contentful Paint, in milliseconds.
    #[schema(required)]
    lcp_ms: Option<f64>,
    /// Total Blocking Time, in milliseconds.
    #[schema(required)]
    tbt_ms: Option<f64>,
    /// Cumulative Layout Shift.
    #[schema(required)]
    cls: Option<f64>,
    /// Interaction to Next Paint, in milliseconds.
    #[schema(required)]
    inp_ms: Option<f64>,
}

/// A thing that an opportunity is about; a member is null where Lighthouse gives none.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabOpportunityItem)]
pub(crate) struct OpportunityItemPublic {
    /// The resource, without its query; null where it is about none.
    #[schema(required)]
    url: Option<String>,
    /// The element; null where it is about none.
    #[schema(required)]
    selector: Option<String>,
    /// Its bytes.
    #[schema(required, minimum = 0)]
    total_bytes: Option<u64>,
    /// Those that could be saved.
    #[schema(required, minimum = 0)]
    wasted_bytes: Option<u64>,
    /// The milliseconds that could be saved.
    #[schema(required)]
    wasted_ms: Option<f64>,
    /// Its name.
    #[schema(required)]
    label: Option<String>,
}

impl From<Opportunity> for OpportunityPublic {
    fn from(opportunity: Opportunity) -> Self {
        let Opportunity {
            insight_id,
            title,
            kind,
            metric_savings:
                MetricSavings {
                    fcp_ms,
                    lcp_ms,
                    tbt_ms,
                    cls,
                    inp_ms,
                },
            savings_ms,
            savings_bytes,
            guidance_level,
            items,
        } = opportunity;
        Self {
            insight_id,
            title,
            kind,
            metric_savings: MetricSavingsPublic {
                fcp_ms,
                lcp_ms,
                tbt_ms,
                cls,
                inp_ms,
            },
            savings_ms,
            savings_bytes,
            guidance_level,
            items: items.into_iter().map(OpportunityItemPublic::from).collect(),
        }
    }
}

impl From<OpportunityItem> for OpportunityItemPublic {
    fn from(item: OpportunityItem) -> Self {
        let OpportunityItem {
            url,
            selector,
            total_bytes,
            wasted_bytes,
            wasted_ms,
            label,
        } = item;
        Self {
            url,
            selector,
            total_bytes,
            wasted_bytes,
            wasted_ms,
            label,
        }
    }
}

impl Example for OpportunityPublic {
    fn example() -> Self {
        Opportunity {
            insight_id: "render-blocking-insight".to_owned(),
            title: "Render-blocking requests".to_owned(),
            kind: OpportunityKind::Insight,
            metric_savings: MetricSavings {
                fcp_ms: Some(750.0),
                lcp_ms: Some(0.0),
                ..MetricSavings::default()
            },
            savings_ms: Some(750.0),
            savings_bytes: None,
            guidance_level: Some(3),
            items: vec![OpportunityItem {
                url: Some("https://shop.example/style.css".to_owned()),
                total_bytes: Some(108_997),
                wasted_ms: Some(774.0),
                ..OpportunityItem::default()
            }],
        }
        .into()
    }
}
