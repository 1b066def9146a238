//! PUT /domains/{domain_id}/reports/templates/{template_id}

use pharos_domain::{
    clock::Clock,
    credits::Charged,
    identity::DomainAccess,
    ids::ReportTemplateId,
    module::Module,
    patch::{Patch, set},
    problem::Suffix,
    role::Role,
    scope::Scope,
    window::Period,
};
use pharos_egress::address_policy::AddressPolicy;
use pharos_http::{
    extract::{body::Body, path::PathId, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use pharos_reporting::{
    catalogue::Catalogue,
    config::SectionsConfig,
    format::{ReportFormat, ReportLocale},
    schedule::Schedule,
    store::TemplateStore,
    template::{Branding, TemplateSettings},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    missing, refused,
    schemas::{ReportTemplateDescription, ReportTemplateName},
    template::{ReportTemplatePublic, ScheduleRequest},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "updateReportTemplate",
    method: Verb::Put,
    path: "/domains/{domain_id}/reports/templates/{template_id}",
    module: Module::Reports,
    summary: "Change a report template",
    description: "A partial update: a member that is left out stays as it is, null empties a member that may be null. \
                  `sections_config`, `branding` and `schedule` are replaced whole. A report that is being made is made \
                  from the template as it was.",
    scope: Some(Scope::WriteReports),
    min_role: Role::Member,
    credits: Credits::Cheap,
    problems: &[Suffix::ReportTemplateNotFound, Suffix::ReportTemplateNameConflict],
    ..OperationSpec::GET
};

pub(crate) async fn update(
    access: Charged<DomainAccess>,
    PathId(id): PathId<ReportTemplateId>,
    body: Body<ReportTemplateUpdate>,
    templates: Port<dyn TemplateStore>,
    catalogue: Port<Catalogue>,
    policy: Port<AddressPolicy>,
    clock: Port<dyn Clock>,
) -> ApiResult<ReportTemplatePublic> {
    let apply = |present: Option<&TemplateSettings>| {
        body.judged(|change| {
            let present = present.ok_or_else(Vec::new)?;
            change.clone().apply(present.clone()).checked(&catalogue, &policy)
        })
    };
    let changed = templates
        .update(&access, id, &apply, clock.now())
        .await
        .map_err(refused)?;
    Ok(changed.ok_or_else(|| missing(id))?.into())
}

/// A change of a template. A member that is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ReportTemplateUpdate {
    /// Its name, the only one of its domain, whatever the case.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<ReportTemplateName>)]
    name: Option<String>,
    /// The purpose of the template; null for nothing.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<ReportTemplateDescription>)]
    description: Patch<String>,
    /// Its sections and widgets.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    sections_config: Option<SectionsConfig>,
    /// How numbers and dates are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    locale: Option<ReportLocale>,
    /// The form of its reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    format: Option<ReportFormat>,
    /// The days of a report that is asked for without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    default_period: Option<Period>,
    /// Whether the days before are shown beside.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    compare_previous: Option<bool>,
    /// How its reports look.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    branding: Option<Branding>,
    /// When a report is made by itself; null: never.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<ScheduleRequest>)]
    schedule: Patch<ScheduleRequest>,
}

impl ReportTemplateUpdate {
    fn apply(self, mut settings: TemplateSettings) -> TemplateSettings {
        let Self {
            name,
            description,
            sections_config,
            locale,
            format,
            default_period,
            compare_previous,
            branding,
            schedule,
        } = self;
        set(name, &mut settings.name);
        description.apply(&mut settings.description);
        set(sections_config, &mut settings.sections);
        set(locale, &mut settings.locale);
        set(format, &mut settings.format);
        set(default_period, &mut settings.default_period);
        set(compare_previous, &mut settings.compare_previous);
        set(branding, &mut settings.branding);
        match schedule {
            Patch::Keep => {}
            Patch::Clear => settings.schedule = None,
            Patch::Set(schedule) => settings.schedule = Some(Schedule::from(schedule)),
        }
        settings
    }
}

impl Example for ReportTemplateUpdate {
    fn example() -> Self {
        Self {
            format: Some(ReportFormat::Html),
            schedule: Patch::Clear,
            ..Self::default()
        }
    }
}
