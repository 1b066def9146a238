//! GET /domains/reports/default-config

use std::sync::Arc;

use pharos_domain::{module::Module, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Caller, Example},
    spec::OperationSpec,
};
use pharos_reporting::{
    catalogue::Catalogue,
    config::{SectionChoice, SectionsConfig, WidgetChoice},
};
use serde::Serialize;
use serde_json::Map;
use utoipa::ToSchema;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getReportDefaultConfig",
    path: "/domains/reports/default-config",
    module: Module::Reports,
    summary: "A ready-made sections_config",
    description: "Every section is on, and of its widgets the usual ones. It can be used as it is, or edited, when a template is \
                  made.",
    scope: Some(Scope::ReadReports),
    ..OperationSpec::GET
};

pub(super) async fn view(_: Caller, catalogue: Port<Catalogue>) -> ApiResult<DefaultConfigPublic> {
    let catalogue: Arc<Catalogue> = Arc::clone(&catalogue.0);
    Ok(DefaultConfigPublic(catalogue.ready_made()))
}

/// A sections_config with every section enabled and the usual widgets on.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DefaultConfigPublic)]
pub(super) struct DefaultConfigPublic(SectionsConfig);

impl Example for DefaultConfigPublic {
    fn example() -> Self {
        Self(example())
    }
}

/// The sections of examples.
pub(super) fn example() -> SectionsConfig {
    let widget = |widget: &str| WidgetChoice {
        widget: widget.to_owned(),
        enabled: true,
        title: None,
        config: Map::new(),
    };
    let section = |section: &str, widgets: &[&str]| SectionChoice {
        section: section.to_owned(),
        enabled: true,
        title: None,
        widgets: widgets.iter().map(|name| widget(name)).collect(),
    };
    SectionsConfig {
        version: SectionsConfig::VERSION,
        sections: vec![
            section("overview", &["summary", "kpi_row"]),
            section("uptime", &["kpi_row", "timeseries", "incident_list"]),
        ],
    }
}
