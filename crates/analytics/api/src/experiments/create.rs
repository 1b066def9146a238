//! POST /domains/{domain_id}/analytics/experiments

use pharos_analytics::{
    experiments::{
        Design, ExperimentDraft, ExperimentMethod, ExperimentMetric, ExperimentSettings, ExperimentStore,
    },
    store::SiteStore,
};
use pharos_domain::{
    clock::Clock,
    credits::Charged,
    hostname::Hostname,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    role::Role,
    scope::Scope,
    settings::{ChangeError, Faults, SettingFault},
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    day,
    experiment::ExperimentPublic,
    schemas::{ControlUrls, ExperimentHypothesis, ExperimentName, VariantUrls},
    unmeasured,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "createExperiment",
    method: Verb::Post,
    path: "/domains/{domain_id}/analytics/experiments",
    module: Module::Analytics,
    summary: "Make an experiment",
    description: "It is a draft, all of which can be changed, until it is evaluated or put to `running`. `did` and `bsts` need \
                  control pages. Addresses are those of the domain and of hosts below it, and are kept as path and query. Tags such \
                  as `utm_source` and click ids are cut off them, as they are off the pages of visits and vitals. With a metric of \
                  search they stay, since a search may list a page by an address that has some. \
                  Vitals (`lcp_ms`, `inp_ms`, `cls`) are the 75th percentile of the day's views in real-user monitoring. Metrics of search (`gsc_*`) are of web search as the \
                  module `gsc` imports it, by page and day, counted by page: days are those of Pacific time, and count once they \
                  are final; a day without impressions has 0 clicks, and neither CTR nor position. Where the domain is linked to \
                  no property, an evaluation by them is inconclusive. Metrics of search and vitals need no web analytics on the \
                  domain. A domain may have 500 experiments.",
    scope: Some(Scope::WriteAnalytics),
    min_role: Role::Admin,
    credits: Credits::Cheap,
    success: 201,
    problems: &[Suffix::AnalyticsNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn create(
    access: Charged<DomainAccess>,
    body: Body<ExperimentCreateRequest>,
    sites: Port<dyn SiteStore>,
    experiments: Port<dyn ExperimentStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<ExperimentPublic> {
    let settings = body
        .judged(|wanted| wanted.clone().settings(&access.domain().hostname))
        .map_err(ChangeError::Faults)?;
    if settings.design.metric.is_of_visits() {
        sites.view(&access).await?.ok_or_else(unmeasured)?;
    }
    let now = clock.now();
    let made = experiments.create(&access, &settings, now).await?;
    Ok(ExperimentPublic::new(made, now.date()))
}

/// An experiment to make.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExperimentCreateRequest {
    /// A name.
    #[schema(value_type = ExperimentName)]
    name: String,
    /// Your expectation; null or left out: nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ExperimentHypothesis>)]
    hypothesis: Option<String>,
    /// How before and after are compared.
    method: ExperimentMethod,
    /// By which metric.
    primary_metric: ExperimentMetric,
    /// Pages that did not change; may be left out with `mann_whitney`.
    #[serde(default)]
    #[schema(value_type = ControlUrls, required = false)]
    control_urls: Vec<String>,
    /// Pages that did, one at least.
    #[schema(value_type = VariantUrls)]
    variant_urls: Vec<String>,
    /// The first day before the change, UTC; null or left out: 55 days before `pre_end_date`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pre_start_date: Option<String>,
    /// The last day before the change, which counts.
    #[schema(format = Date)]
    pre_end_date: String,
    /// The first day after it. Days between are left out.
    #[schema(format = Date)]
    post_start_date: String,
    /// The last day after it, which counts; null or left out: as far as there is data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    post_end_date: Option<String>,
}

impl ExperimentCreateRequest {
    /// The settings of the experiment, or all that is at fault: of days first whether they are any.
    fn settings(self, site: &Hostname) -> Result<ExperimentSettings, Vec<SettingFault>> {
        let Self {
            name,
            hypothesis,
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
        let design = Design {
            method,
            metric: primary_metric,
            control_urls,
            variant_urls,
            pre_start: pre_start_date.map(|text| read("pre_start_date", &text)),
            pre_end: read("pre_end_date", &pre_end_date),
            post_start: read("post_start_date", &post_start_date),
            post_end: post_end_date.map(|text| read("post_end_date", &text)),
        };
        faults.or(|| ())?;
        let draft = ExperimentDraft {
            name,
            hypothesis,
            design,
        };
        draft.settings(site)
    }
}

impl Example for ExperimentCreateRequest {
    fn example() -> Self {
        Self {
            name: "Shorter titles".to_owned(),
            hypothesis: Some("Shorter titles bring more visitors.".to_owned()),
            method: ExperimentMethod::Did,
            primary_metric: ExperimentMetric::Visitors,
            control_urls: vec!["/products/kettle".to_owned()],
            variant_urls: vec!["https://shop.example/products/teapot".to_owned()],
            pre_start_date: None,
            pre_end_date: "2026-03-01".to_owned(),
            post_start_date: "2026-03-03".to_owned(),
            post_end_date: None,
        }
    }
}
