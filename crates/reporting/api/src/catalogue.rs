//! GET /domains/reports/sections-catalog

use pharos_domain::{
    module::Module,
    page::Page,
    report_widget::{ConfigField, ConfigFieldType, SectionName, WidgetKind},
    scope::Scope,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Caller, Example},
    spec::{OperationSpec, Paging},
};
use pharos_reporting::catalogue::{Catalogue, CatalogueSection, CatalogueWidget};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listReportSections",
    path: "/domains/reports/sections-catalog",
    module: Module::Reports,
    summary: "The sections and widgets that reports may have",
    description: "The same for every domain and plan. A section whose `requires_module` the plan does not have can be chosen; its \
                  widgets answer `module_unavailable`.",
    scope: Some(Scope::ReadReports),
    paging: Paging::Single,
    ..OperationSpec::GET
};

pub(super) async fn list(_: Caller, catalogue: Port<Catalogue>) -> ApiResult<Page<CatalogSectionPublic>> {
    let sections = catalogue.sections().iter();
    Ok(Page::single(sections.map(CatalogSectionPublic::from).collect()))
}

/// A section of reports.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CatalogSectionPublic)]
pub(super) struct CatalogSectionPublic {
    /// The name by which templates take the section.
    section: SectionName,
    /// Its name for people.
    label: &'static str,
    /// One sentence: what it is about.
    description: &'static str,
    /// The module without which it has no data; null: none.
    #[schema(required)]
    requires_module: Option<Module>,
    /// Whether the ready-made configuration has it on.
    default_enabled: bool,
    /// The widgets that the section may have.
    widgets: Vec<CatalogWidgetPublic>,
}

/// A widget of a section.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CatalogWidgetPublic)]
pub(super) struct CatalogWidgetPublic {
    /// Its name, once in its section.
    widget: &'static str,
    /// Its name for people.
    label: &'static str,
    /// One sentence: what it shows.
    description: &'static str,
    /// How it is shown.
    kind: WidgetKind,
    /// Whether the ready-made configuration has it on.
    default_enabled: bool,
    /// The choices that it offers.
    config_schema: Vec<ConfigFieldPublic>,
    /// The members of its data, or the columns of the rows in it; deeper ones with dots between the names.
    data_fields: Vec<&'static str>,
}

/// Something that can be chosen of a widget.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportConfigField)]
pub(super) struct ConfigFieldPublic {
    /// The member of the widget's `config`.
    field: &'static str,
    /// Its name for people.
    label: &'static str,
    /// The type of the option's values.
    r#type: ConfigFieldType,
    /// Whether it must be given.
    required: bool,
    /// Its value where it is left out; null: none.
    #[schema(required, value_type = Value)]
    default: Value,
    /// The options of an enum; null for other types.
    #[schema(required)]
    options: Option<Vec<&'static str>>,
    /// The least number, or the least length in characters; null: none.
    #[schema(required)]
    min: Option<u32>,
    /// The largest number, or the greatest length in characters; null: none.
    #[schema(required)]
    max: Option<u32>,
}

impl From<&CatalogueSection> for CatalogSectionPublic {
    fn from(section: &CatalogueSection) -> Self {
        Self {
            section: section.name,
            label: section.label,
            description: section.description,
            requires_module: section.requires_module,
            default_enabled: true,
            widgets: section.widgets.iter().map(CatalogWidgetPublic::from).collect(),
        }
    }
}

impl From<&CatalogueWidget> for CatalogWidgetPublic {
    fn from(known: &CatalogueWidget) -> Self {
        let widget = known.widget;
        Self {
            widget: widget.name,
            label: widget.label,
            description: widget.description,
            kind: widget.kind,
            default_enabled: widget.default_enabled,
            config_schema: widget.config.iter().map(ConfigFieldPublic::from).collect(),
            data_fields: widget.fields.iter().map(|field| field.path).collect(),
        }
    }
}

impl From<&ConfigField> for ConfigFieldPublic {
    fn from(field: &ConfigField) -> Self {
        Self {
            field: field.field,
            label: field.label,
            r#type: field.kind,
            required: field.required,
            default: field.default_value(),
            options: (!field.options.is_empty()).then(|| field.options.to_vec()),
            min: field.min,
            max: field.max,
        }
    }
}

impl Example for CatalogSectionPublic {
    fn example() -> Self {
        Self {
            section: SectionName::Uptime,
            label: "Uptime",
            description: "Whether the site was up, how fast it answered, and what ends soon.",
            requires_module: Some(Module::Uptime),
            default_enabled: true,
            widgets: vec![CatalogWidgetPublic {
                widget: "incident_list",
                label: "Incidents",
                description: "The incidents that reach into the window, the newest first.",
                kind: WidgetKind::Table,
                default_enabled: true,
                config_schema: vec![ConfigFieldPublic::from(&pharos_domain::report_widget::LIMIT)],
                data_fields: vec!["started_at", "resolved_at", "class"],
            }],
        }
    }
}
