//! POST /domains/{domain_id}/reports/{template_id}/generate

use pharos_domain::{
    clock::Clock,
    credits::{Keyed, SettleError},
    identity::DomainAccess,
    ids::ReportTemplateId,
    module::Module,
    problem::Suffix,
    role::Role,
    runs::{Run, RunKind},
    scope::Scope,
    settings::{Faults, SettingFault},
    window::Period,
};
use pharos_http::{
    extract::{body::OptionalBody, path::PathId, port::Port},
    operation::{ApiResult, Example, stored_answer},
    problem::Problem,
    spec::{Bucket, Credits, Idempotency, OperationSpec, Verb},
};
use pharos_reporting::{
    catalogue::Catalogue,
    config::{NOTHING, SectionsConfig},
    format::{ReportFormat, ReportTrigger},
    run::{ReportRun, requested},
    store::{ReportRunStore, TemplateStore},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    runs::run::ReportRunPublic,
    templates::missing,
    window::{asked, faults, usual},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "generateReport",
    method: Verb::Post,
    path: "/domains/{domain_id}/reports/{template_id}/generate",
    module: Module::Reports,
    summary: "Make a report",
    description: "It is made in the background: poll `poll_path` until its status is final, then read the result. Its items are its \
                  sections and, as the last, the file. Without a body it is about the template's period, in the template's \
                  format. A section whose module fails says so in the report. The result is kept for 12 months.",
    scope: Some(Scope::RunReports),
    min_role: Role::Member,
    bucket: Bucket::Run,
    credits: Credits::Dispatch,
    idempotency: Idempotency::Required,
    success: 202,
    problems: &[Suffix::ReportTemplateNotFound],
    ..OperationSpec::GET
};

pub(super) async fn generate(
    access: Keyed<DomainAccess>,
    PathId(id): PathId<ReportTemplateId>,
    OptionalBody(body): OptionalBody<ReportGenerateRequest>,
    templates: Port<dyn TemplateStore>,
    runs: Port<dyn ReportRunStore>,
    catalogue: Port<Catalogue>,
    clock: Port<dyn Clock>,
) -> ApiResult<ReportRunPublic> {
    let template = templates.find(&access, id).await?.ok_or_else(|| missing(id))?;
    let now = clock.now();
    let judge = |request: &ReportGenerateRequest| {
        let mut told = Faults::default();
        match &request.sections_config {
            Some(sections) => told.within("sections_config", |told| sections.check(&catalogue, told)),
            // Templates of earlier versions may have nothing on.
            None if template.settings.sections.is_empty() => told.add("sections_config", NOTHING),
            None => {}
        }
        let mut found: Vec<SettingFault> = told.or(|| ()).err().unwrap_or_default();
        let window = asked(
            request.period,
            request.start_date.as_deref(),
            request.end_date.as_deref(),
            request.compare_previous,
        );
        match window.resolve(usual(&template.settings), now) {
            Ok((window, _)) if found.is_empty() => {
                let format = request.format.unwrap_or(template.settings.format);
                Ok((window, format, request.sections_config.clone()))
            }
            Ok(_) => Err(faults(found)),
            Err(wrong) => {
                found.extend(wrong);
                Err(faults(found))
            }
        }
    };
    let (window, format, sections) = body.judged(judge).map_err(Problem::invalid)?;
    let run = Run::requested(RunKind::Report, &access, now);
    let workspace = access.workspace().workspace().id;
    let new = requested(
        run,
        workspace,
        &template,
        ReportTrigger::Api,
        &window,
        format,
        sections,
    );
    let answer = |run: &ReportRun| stored_answer(&SPEC, &ReportRunPublic::from(run.clone()));
    let error = match runs.request(&access, &new, &answer).await {
        Ok(run) => return Ok(run.into()),
        Err(error) => error,
    };
    // A template that was deleted since it was read makes the store fail: no run is of one that is not there.
    if matches!(error, SettleError::Store(_)) && templates.find(&access, id).await?.is_none() {
        return Err(missing(id));
    }
    Err(error.into())
}

/// Which report to make. Members that are null or left out are as the template says.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ReportGenerateRequest {
    /// A named period. It can't be combined with dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<Period>,
    /// The first day, UTC; left out beside `end_date`: the report is about the 30 days that end there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date)]
    start_date: Option<String>,
    /// The last day, which counts; left out, or later than today: today. A report is about 400 days at most, of the last ten
    /// years.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date)]
    end_date: Option<String>,
    /// Whether the days before are shown beside.
    #[serde(skip_serializing_if = "Option::is_none")]
    compare_previous: Option<bool>,
    /// The form.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<ReportFormat>,
    /// Sections and widgets for this report alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    sections_config: Option<SectionsConfig>,
}

impl Example for ReportGenerateRequest {
    fn example() -> Self {
        Self {
            start_date: Some("2026-03-01".to_owned()),
            end_date: Some("2026-03-31".to_owned()),
            format: Some(ReportFormat::Csv),
            ..Self::default()
        }
    }
}
