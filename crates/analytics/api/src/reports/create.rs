//! POST /domains/{domain_id}/analytics/reports/{report_key}/runs

use pharos_analytics::{
    channel::Channel,
    filter::DeviceClass,
    filter_texts::FilterTexts,
    reports::{AnalyticsReports, ReportKey},
    store::SiteStore,
};
use pharos_domain::{
    clock::Clock,
    country::CountryCode,
    credits::Keyed,
    identity::DomainAccess,
    module::Module,
    problem::Suffix,
    role::Role,
    runs::{Run, RunKind},
    scope::Scope,
    wide_pull::{NewWidePull, WidePull, WidePullStore},
    window::{DateRange, Horizon, WindowQuery},
};
use pharos_http::{
    extract::{body::OptionalBody, path::PathId, port::Port},
    operation::{ApiResult, Example, stored_answer},
    problem::{Fault, Problem},
    spec::{Bucket, Credits, Idempotency, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::run::ReportRunPublic;
use crate::missing;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "createAnalyticsReportRun",
    method: Verb::Post,
    path: "/domains/{domain_id}/analytics/reports/{report_key}/runs",
    module: Module::Analytics,
    summary: "Run a report",
    description: "`GET …/analytics/reports` has the reports. The run is worked out in the background: poll `poll_path` until \
                  its status is final, then read its rows. Without a body: the last 30 days, all sessions.",
    scope: Some(Scope::RunAnalytics),
    min_role: Role::Member,
    bucket: Bucket::Run,
    credits: Credits::Dispatch,
    idempotency: Idempotency::Required,
    success: 202,
    problems: &[Suffix::AnalyticsNotFound, Suffix::ReportNotRegistered],
    ..OperationSpec::GET
};

pub(crate) async fn create(
    access: Keyed<DomainAccess>,
    PathId(key): PathId<String>,
    OptionalBody(body): OptionalBody<AnalyticsReportRunRequest>,
    sites: Port<dyn SiteStore>,
    store: Port<dyn WidePullStore<AnalyticsReports>>,
    clock: Port<dyn Clock>,
) -> ApiResult<ReportRunPublic> {
    sites.view(&access).await?.ok_or_else(missing)?;
    let report: ReportKey = key.parse().map_err(|_| unregistered())?;
    let now = clock.now();
    let horizon = Horizon::of(SPEC.module, now);
    let (window, filters) = body
        .judged(|request| Ok((request.window(&horizon)?, request.filters())))
        .map_err(Problem::invalid)?;
    let run = Run::requested(RunKind::AnalyticsReport, &access, now);
    let new = NewWidePull::requested(run, access.workspace().workspace().id, report, window, filters);
    let answer = |run: &WidePull<AnalyticsReports>| stored_answer(&SPEC, &ReportRunPublic::from(run.clone()));
    Ok(store.request(&access, &new, &answer).await?.into())
}

fn unregistered() -> Problem {
    let keys: Vec<&str> = ReportKey::ALL.iter().map(|key| key.as_str()).collect();
    let detail = format!("There is no such report. There are: {}.", keys.join(", "));
    Problem::new(Suffix::ReportNotRegistered, detail)
}

/// The days and the sessions that a report is about. Filters are those of the reads of analytics: a session fits all that
/// are given, and a value of an open list that never occurred fits nothing.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AnalyticsReportRunRequest {
    /// The first day, UTC; null or left out: 30 days that end with `end_date`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date)]
    start_date: Option<String>,
    /// The last day, which counts; null, left out, or later than today: today.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date)]
    end_date: Option<String>,
    /// The name of the source, such as `google`; null or left out: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// The medium, from tags alone, such as `cpc`; null or left out: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    medium: Option<String>,
    /// The campaign; null or left out: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    campaign: Option<String>,
    /// The channel, such as `organic_search`; null or left out: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, value_type = Option<Channel>)]
    channel: Option<String>,
    /// The country, ISO 3166-1 alpha-2; null or left out: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, value_type = Option<CountryCode>)]
    country: Option<String>,
    /// The device class, in which laptops are desktops; null or left out: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, value_type = Option<DeviceClass>)]
    device: Option<String>,
    /// The browser, such as `Chrome`; null or left out: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    browser: Option<String>,
    /// The operating system, such as `Windows`; null or left out: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    os: Option<String>,
    /// The path of a page that was viewed in the session; null or left out: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    /// The referrer's domain, without `www.`; null or left out: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    referrer: Option<String>,
    /// The name of an event that happened in the session; null or left out: any.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
}

impl AnalyticsReportRunRequest {
    fn window(&self, horizon: &Horizon) -> Result<DateRange, Vec<Fault>> {
        let query = WindowQuery {
            start_date: self.start_date.as_deref(),
            end_date: self.end_date.as_deref(),
            ..WindowQuery::default()
        };
        let resolved = query.resolve(horizon).map_err(|faults| -> Vec<Fault> {
            let faults = faults.into_iter();
            faults
                .map(|fault| Fault::pointer(format!("/{}", fault.parameter), fault.detail))
                .collect()
        })?;
        Ok(resolved.window)
    }

    fn filters(&self) -> FilterTexts {
        let Self {
            start_date: _,
            end_date: _,
            source,
            medium,
            campaign,
            channel,
            country,
            device,
            browser,
            os,
            page,
            referrer,
            event,
        } = self.clone();
        FilterTexts {
            source,
            medium,
            campaign,
            channel,
            country,
            device,
            browser,
            os,
            page,
            referrer,
            event,
        }
    }
}

impl Example for AnalyticsReportRunRequest {
    fn example() -> Self {
        Self {
            start_date: Some("2026-03-01".to_owned()),
            end_date: Some("2026-03-31".to_owned()),
            device: Some("mobile".to_owned()),
            ..Self::default()
        }
    }
}
