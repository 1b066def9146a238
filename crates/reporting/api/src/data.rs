//! POST /domains/{domain_id}/reports/data/{template_id}

use std::{collections::HashSet, time::Duration};

use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    ids::ReportTemplateId,
    module::Module,
    problem::Suffix,
    report_widget::{SectionName, WidgetKind, WidgetStatus},
    scope::Scope,
    settings::SettingFault,
    window::{Meta, Period},
};
use pharos_http::{
    extract::{body::OptionalBody, path::PathId, port::Port},
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Bucket, Credits, OperationSpec, Verb},
};
use pharos_reporting::{
    catalogue::Catalogue,
    config::SectionsConfig,
    data::{SectionData, WidgetData, data_through},
    store::TemplateStore,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::uuid;

use crate::{
    templates::missing,
    window::{asked, faults, usual},
};

/// How long the data of all sections may take.
const WITHIN: Duration = Duration::from_secs(20);

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "queryReportData",
    method: Verb::Post,
    path: "/domains/{domain_id}/reports/data/{template_id}",
    module: Module::Reports,
    summary: "The data of a report, without making one",
    description: "The data of all sections and widgets of the template that are on, in the shapes of their modules: a figure is the one \
                  that the module's own operation answers for these days. A module that fails, or does not answer in time, never \
                  fails the call: its widgets have `module_unavailable` and an `error_code`. Nothing is changed, so a read scope is \
                  enough.",
    scope: Some(Scope::ReadReports),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    problems: &[Suffix::ReportTemplateNotFound],
    ..OperationSpec::GET
};

pub(super) async fn query(
    access: DomainAccess,
    PathId(id): PathId<ReportTemplateId>,
    OptionalBody(body): OptionalBody<ReportDataRequest>,
    templates: Port<dyn TemplateStore>,
    catalogue: Port<Catalogue>,
    clock: Port<dyn Clock>,
) -> ApiResult<ReportDataPublic> {
    let template = templates.find(&access, id).await?.ok_or_else(|| missing(id))?;
    let now = clock.now();
    let judge = |request: &ReportDataRequest| {
        let mut found = request.faults();
        let window = asked(
            request.period,
            request.start_date.as_deref(),
            request.end_date.as_deref(),
            request.compare_previous,
        );
        match window.resolve(usual(&template.settings), now) {
            Ok(resolved) if found.is_empty() => Ok((resolved, request.sections.clone())),
            Ok(_) => Err(faults(found)),
            Err(wrong) => {
                found.extend(wrong);
                Err(faults(found))
            }
        }
    };
    let ((window, resolved), subset) = body.judged(judge).map_err(Problem::invalid)?;
    let mut config: SectionsConfig = template.settings.sections.clone();
    if let Some(subset) = subset {
        config
            .sections
            .retain(|choice| subset.iter().any(|name| name.as_str() == choice.section));
    }
    let sections = catalogue
        .read(&access, &window, &config, template.settings.locale, WITHIN)
        .await;
    let compared = window.comparison(&resolved);
    Ok(ReportDataPublic {
        template_id: id,
        meta: resolved.meta(compared.as_ref(), data_through(&sections)),
        sections: sections.into_iter().map(ReportSectionPublic::from).collect(),
    })
}

/// The days and sections of the data. Members that are null or left out are as the template says.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ReportDataRequest {
    /// A named period. It can't be combined with dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<Period>,
    /// The first day, UTC; left out beside `end_date`: data are of the 30 days that end there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date)]
    start_date: Option<String>,
    /// The last day, which counts; left out, or later than today: today. Data are of 400 days at most, of the last ten years.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date)]
    end_date: Option<String>,
    /// Whether the days before are shown beside.
    #[serde(skip_serializing_if = "Option::is_none")]
    compare_previous: Option<bool>,
    /// Only these sections of the template, each once; null or left out: all that are on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 1, max_items = 14)]
    sections: Option<Vec<SectionName>>,
}

impl ReportDataRequest {
    fn faults(&self) -> Vec<SettingFault> {
        let mut seen = HashSet::new();
        let sections = self.sections.iter().flatten().enumerate();
        let twice = sections.filter(|(_, name)| !seen.insert(**name));
        twice
            .map(|(at, _)| SettingFault::new(format!("/sections/{at}"), "given more than once"))
            .collect()
    }
}

impl Example for ReportDataRequest {
    fn example() -> Self {
        Self {
            period: Some(Period::LastMonth),
            sections: Some(vec![SectionName::Uptime]),
            ..Self::default()
        }
    }
}

/// The data of a report.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportData)]
pub(super) struct ReportDataPublic {
    /// The id of the template that the report is made by.
    template_id: ReportTemplateId,
    /// The window. Modules have data up to different moments, and for as long as each keeps them: the data of a widget has a
    /// `meta` of its own. `data_through` is the earliest that one of them tells; null where none tells any.
    meta: Meta,
    /// The sections that are on, in the order of the template.
    sections: Vec<ReportSectionPublic>,
}

/// A section with the data of its widgets.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportSectionData)]
pub(super) struct ReportSectionPublic {
    /// The name of the section in the catalogue.
    section: SectionName,
    /// Its widgets that are on, in the order of the template.
    widgets: Vec<ReportWidgetPublic>,
}

/// A widget with its data.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportWidgetData)]
pub(super) struct ReportWidgetPublic {
    /// The widget, as the template names it.
    widget: String,
    /// How it is shown.
    kind: WidgetKind,
    /// Whether there are data.
    status: WidgetStatus,
    /// The `data_fields` of the widget, in the shape of its module's answers; null but for `ok`.
    #[schema(required, value_type = Option<Object>, additional_properties = true)]
    data: Option<Value>,
    /// Why the module is unavailable, as the suffix of a problem: `plan-restriction` where the plan does not have it, else why
    /// it failed. Null for other statuses, and where this installation does not have the widget.
    #[schema(required, example = "datastore-error")]
    error_code: Option<&'static str>,
}

impl From<SectionData> for ReportSectionPublic {
    fn from(section: SectionData) -> Self {
        Self {
            section: section.name,
            widgets: section
                .widgets
                .into_iter()
                .map(ReportWidgetPublic::from)
                .collect(),
        }
    }
}

impl From<WidgetData> for ReportWidgetPublic {
    fn from(data: WidgetData) -> Self {
        Self {
            widget: data.name,
            kind: data.widget.kind,
            status: data.answer.status,
            data: data.answer.data,
            error_code: data.answer.error.map(Suffix::as_str),
        }
    }
}

impl Example for ReportDataPublic {
    fn example() -> Self {
        Self {
            template_id: ReportTemplateId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e30")),
            meta: Meta::example(),
            sections: vec![ReportSectionPublic {
                section: SectionName::Uptime,
                widgets: vec![ReportWidgetPublic {
                    widget: "kpi_row".to_owned(),
                    kind: WidgetKind::Kpi,
                    status: WidgetStatus::Ok,
                    data: Some(json!({ "uptime_pct": 99.98, "incident_count": 1, "downtime_seconds": 180 })),
                    error_code: None,
                }],
            }],
        }
    }
}
