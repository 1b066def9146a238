//! POST /domains/{domain_id}/reports/templates

use pharos_domain::{
    clock::Clock, credits::Charged, identity::DomainAccess, module::Module, problem::Suffix, role::Role,
    scope::Scope, settings::ChangeError, window::Period,
};
use pharos_egress::address_policy::AddressPolicy;
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use pharos_reporting::{
    catalogue::Catalogue,
    config::SectionsConfig,
    format::{ReportFormat, ReportLocale},
    schedule::Schedule,
    store::TemplateStore,
    template::{Branding, TemplateSettings, usual_period},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    refused,
    schemas::{ReportTemplateDescription, ReportTemplateName},
    template::{ReportTemplatePublic, ScheduleRequest},
};
use crate::default_config;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "createReportTemplate",
    method: Verb::Post,
    path: "/domains/{domain_id}/reports/templates",
    module: Module::Reports,
    summary: "Make a report template",
    description: "Without `sections_config` it has the ready-made one. Sections and widgets are those of the catalogue; one that it \
                  does not have is refused, as is a widget twice in a section. A domain may have 100 templates; each counts \
                  in the quota `report_templates`.",
    scope: Some(Scope::WriteReports),
    min_role: Role::Member,
    credits: Credits::Cheap,
    success: 201,
    problems: &[Suffix::ReportTemplateNameConflict, Suffix::QuotaExhausted],
    ..OperationSpec::GET
};

pub(crate) async fn create(
    access: Charged<DomainAccess>,
    body: Body<ReportTemplateCreate>,
    templates: Port<dyn TemplateStore>,
    catalogue: Port<Catalogue>,
    policy: Port<AddressPolicy>,
    clock: Port<dyn Clock>,
) -> ApiResult<ReportTemplatePublic> {
    let settings = body
        .judged(|wanted| wanted.clone().settings(&catalogue).checked(&catalogue, &policy))
        .map_err(ChangeError::Faults)?;
    let made = templates.create(&access, &settings, clock.now()).await;
    Ok(made.map_err(refused)?.into())
}

/// A template to make. Members that are left out have their defaults.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportTemplateCreate {
    /// Its name, the only one of its domain, whatever the case.
    #[schema(value_type = ReportTemplateName)]
    name: String,
    /// The purpose of the template; null or left out for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<ReportTemplateDescription>)]
    description: Option<String>,
    /// Its sections and widgets; null or left out: the ready-made ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sections_config: Option<SectionsConfig>,
    /// How numbers and dates are written; null or left out: `en`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    locale: Option<ReportLocale>,
    /// The form of its reports; null or left out: `pdf`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<ReportFormat>,
    /// The days of a report that is asked for without any; null or left out: `last_month` beside a monthly schedule, `last_week`
    /// beside a weekly one, else `last_30_days`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default_period: Option<Period>,
    /// Whether the days before are shown beside; null or left out: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    compare_previous: Option<bool>,
    /// How its reports look; null or left out: as Pharos does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    branding: Option<Branding>,
    /// When a report is made by itself; null or left out: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schedule: Option<ScheduleRequest>,
}

impl ReportTemplateCreate {
    fn settings(self, catalogue: &Catalogue) -> TemplateSettings {
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
        let usual = TemplateSettings::ready_made(name, catalogue);
        let schedule = schedule.map(Schedule::from);
        TemplateSettings {
            name: usual.name,
            description,
            sections: sections_config.unwrap_or(usual.sections),
            locale: locale.unwrap_or(usual.locale),
            format: format.unwrap_or(usual.format),
            default_period: default_period.unwrap_or_else(|| usual_period(schedule.as_ref())),
            compare_previous: compare_previous.unwrap_or(usual.compare_previous),
            branding: branding.unwrap_or(usual.branding),
            schedule,
        }
    }
}

impl Example for ReportTemplateCreate {
    fn example() -> Self {
        Self {
            name: "Monthly report".to_owned(),
            description: Some("For the shop's owner".to_owned()),
            sections_config: Some(default_config::example()),
            locale: None,
            format: Some(ReportFormat::Pdf),
            default_period: Some(Period::LastMonth),
            compare_previous: None,
            branding: Some(Branding {
                logo_url: None,
                accent_color: Some("#0a7f5c".to_owned()),
            }),
            schedule: Some(ScheduleRequest::example()),
        }
    }
}
