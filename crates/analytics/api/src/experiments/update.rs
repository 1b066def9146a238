//! PUT /domains/{domain_id}/analytics/experiments/{experiment_id}

use pharos_analytics::{
    experiments::{
        ExperimentChange, ExperimentMethod, ExperimentMetric, ExperimentSettings, ExperimentStatus,
        ExperimentStore,
    },
    store::SiteStore,
};
use pharos_domain::{
    clock::Clock,
    credits::Charged,
    identity::DomainAccess,
    module::Module,
    patch::Patch,
    problem::Suffix,
    role::Role,
    scope::Scope,
    settings::{Faults, SettingFault},
};
use pharos_http::{
    extract::{body::Body, path::PathId, port::Port},
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use time::Date;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    day,
    experiment::ExperimentPublic,
    no_experiment,
    schemas::{ControlUrls, ExperimentHypothesis, ExperimentName, VariantUrls},
    unmeasured,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "updateExperiment",
    method: Verb::Put,
    path: "/domains/{domain_id}/analytics/experiments/{experiment_id}",
    module: Module::Analytics,
    summary: "Change an experiment",
    description: "A partial update: a member that is left out stays as it is, null empties a member that may be null. Pages, days, \
                  metric and method change only while it is a draft. A draft may be put to `running`; any to `completed` or \
                  `archived`, but nothing that is archived to completed; nothing goes back to draft, and `ready` comes by itself.",
    scope: Some(Scope::WriteAnalytics),
    min_role: Role::Admin,
    credits: Credits::Cheap,
    problems: &[Suffix::AnalyticsNotFound, Suffix::ExperimentNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn update(
    access: Charged<DomainAccess>,
    PathId(id): PathId<Uuid>,
    body: Body<ExperimentUpdateRequest>,
    sites: Port<dyn SiteStore>,
    experiments: Port<dyn ExperimentStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<ExperimentPublic> {
    let is_of_visits = |change: &ExperimentUpdateRequest| {
        let metric = change.primary_metric;
        Ok::<_, Vec<SettingFault>>(metric.is_some_and(ExperimentMetric::is_of_visits))
    };
    if body.judged(is_of_visits).unwrap_or_default() {
        sites.view(&access).await?.ok_or_else(unmeasured)?;
    }
    let now = clock.now();
    let today = now.date();
    let site = &access.domain().hostname;
    let apply = |present: Option<&ExperimentSettings>| {
        body.judged(|change| {
            let present = present.ok_or_else(Vec::new)?;
            change.clone().change()?.apply(present, site, today)
        })
    };
    let changed = experiments.update(&access, id, &apply, now).await?;
    let changed: Result<_, Problem> = changed.ok_or_else(|| no_experiment(id));
    Ok(ExperimentPublic::new(changed?, today))
}

/// A change of an experiment. A member that is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ExperimentUpdateRequest {
    /// A name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<ExperimentName>)]
    name: Option<String>,
    /// Your expectation; null: nothing.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<ExperimentHypothesis>)]
    hypothesis: Patch<String>,
    /// How far it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    status: Option<ExperimentStatus>,
    /// How before and after are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    method: Option<ExperimentMethod>,
    /// By which metric.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    primary_metric: Option<ExperimentMetric>,
    /// Pages that did not change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<ControlUrls>)]
    control_urls: Option<Vec<String>>,
    /// Pages that did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<VariantUrls>)]
    variant_urls: Option<Vec<String>>,
    /// The first day before the change, UTC; null: 55 days before `pre_end_date`.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<String>, format = Date)]
    pre_start_date: Patch<String>,
    /// The last day before the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>, format = Date)]
    pre_end_date: Option<String>,
    /// The first day after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<String>, format = Date)]
    post_start_date: Option<String>,
    /// The last day after it; null: as far as there is data.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<String>, format = Date)]
    post_end_date: Patch<String>,
}

impl ExperimentUpdateRequest {
    /// The change, or which days are none.
    fn change(self) -> Result<ExperimentChange, Vec<SettingFault>> {
        let Self {
            name,
            hypothesis,
            status,
            method,
            primary_metric,
            control_urls,
            variant_urls,
            pre_start_date,
            pre_end_date,
            post_start_date,
            post_end_date,
        } = self;
        let mut faults = Faults::default();
        let mut read = |member: &str, text: &str| day(member, text, &mut faults);
        let change = ExperimentChange {
            name,
            hypothesis,
            status,
            method,
            metric: primary_metric,
            control_urls,
            variant_urls,
            pre_start: patched(pre_start_date, |text| read("pre_start_date", text)),
            pre_end: pre_end_date.map(|text| read("pre_end_date", &text)),
            post_start: post_start_date.map(|text| read("post_start_date", &text)),
            post_end: patched(post_end_date, |text| read("post_end_date", text)),
        };
        faults.or(|| change)
    }
}

fn patched(patch: Patch<String>, read: impl FnOnce(&str) -> Date) -> Patch<Date> {
    match patch {
        Patch::Keep => Patch::Keep,
        Patch::Clear => Patch::Clear,
        Patch::Set(text) => Patch::Set(read(&text)),
    }
}

impl Example for ExperimentUpdateRequest {
    fn example() -> Self {
        Self {
            name: Some("Much shorter titles".to_owned()),
            hypothesis: Patch::Clear,
            ..Self::default()
        }
    }
}
