//! GET /domains/{domain_id}/synthetic/runs/{run_id}/audits

use pharos_domain::{
    identity::DomainAccess, ids::RunId, module::Module, page::Page, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use pharos_synthetic::{
    page::Category,
    result::{AuditOutcome, AuditRow, NumericUnit, ScoreDisplayMode},
    store::LabStore,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::found;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listSyntheticAudits",
    path: "/domains/{domain_id}/synthetic/runs/{run_id}/audits",
    module: Module::Synthetic,
    summary: "The audits of a lab test",
    description: "All of them, by their ids, which are Lighthouse's. One that counts for several categories is listed once, with \
                  the first of them; of those that are asked for by a `category` each has its group and weight there. Texts are in \
                  English and may change with its version: work nothing out from them. A test without a result has none.",
    scope: Some(Scope::ReadSynthetic),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::SyntheticRunNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct AuditsQuery {
    /// Only the audits that count for this category.
    #[param(inline)]
    category: Option<Category>,
    /// Only the audits that ended so.
    #[param(inline)]
    outcome: Option<AuditOutcome>,
}

pub(crate) async fn list(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    Query(query): Query<AuditsQuery>,
    store: Port<dyn LabStore>,
) -> ApiResult<Page<AuditPublic>> {
    let run = found(&*store, &access, id).await?;
    let audits = store.audits(&run).await?.into_iter();
    let asked = audits
        .filter(|audit| query.outcome.is_none_or(|outcome| audit.outcome == outcome))
        .filter_map(|audit| match query.category {
            None => Some(audit),
            Some(category) => audit.within(category.as_str()),
        });
    Ok(Page::single(asked.map(AuditPublic::from).collect()))
}

/// An audit. A value, a unit or a reason is null where Lighthouse gives none.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabAudit)]
pub(crate) struct AuditPublic {
    /// Lighthouse's id.
    audit_id: String,
    /// The name of the audit for people, as Lighthouse has it.
    title: String,
    /// Its subject; Markdown.
    description: String,
    /// The category that it counts for: the one that was asked for, else the first by name; null where that is none.
    #[schema(required)]
    category: Option<String>,
    /// Its group there; null where it has none.
    #[schema(required)]
    group: Option<String>,
    /// 0 to 1; null where nothing was judged.
    #[schema(required, minimum = 0, maximum = 1)]
    score: Option<f64>,
    /// How the score is meant.
    score_display_mode: ScoreDisplayMode,
    /// How it ended.
    outcome: AuditOutcome,
    /// Its weight in the score of the category.
    weight: f64,
    /// Its value for people.
    #[schema(required)]
    display_value: Option<String>,
    /// Its value.
    #[schema(required)]
    numeric_value: Option<f64>,
    /// The unit of that.
    #[schema(required)]
    numeric_unit: Option<NumericUnit>,
    /// Why it failed.
    #[schema(required)]
    explanation: Option<String>,
    /// Why it could not be judged.
    #[schema(required)]
    error_message: Option<String>,
    /// How many things it names; null where it names none by its nature.
    #[schema(required, minimum = 0)]
    items_count: Option<u32>,
}

impl From<AuditRow> for AuditPublic {
    fn from(audit: AuditRow) -> Self {
        let AuditRow {
            audit_id,
            title,
            description,
            category,
            group,
            score,
            score_display_mode,
            outcome,
            weight,
            elsewhere: _,
            display_value,
            numeric_value,
            numeric_unit,
            explanation,
            error_message,
            items_count,
        } = audit;
        Self {
            audit_id,
            title,
            description,
            category,
            group,
            score,
            score_display_mode,
            outcome,
            weight,
            display_value,
            numeric_value,
            numeric_unit,
            explanation,
            error_message,
            items_count,
        }
    }
}

impl Example for AuditPublic {
    fn example() -> Self {
        Self {
            audit_id: "largest-contentful-paint".to_owned(),
            title: "Largest Contentful Paint".to_owned(),
            description:
                "Largest Contentful Paint marks the time at which the largest text or image is painted."
                    .to_owned(),
            category: Some("performance".to_owned()),
            group: Some("metrics".to_owned()),
            score: Some(0.93),
            score_display_mode: ScoreDisplayMode::Numeric,
            outcome: AuditOutcome::Passed,
            weight: 25.0,
            display_value: Some("2.3 s".to_owned()),
            numeric_value: Some(2_310.0),
            numeric_unit: Some(NumericUnit::Millisecond),
            explanation: None,
            error_message: None,
            items_count: None,
        }
    }
}
