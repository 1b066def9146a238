//! GET /domains/{domain_id}/gsc/reports

use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    page::Page,
    problem::Suffix,
    scope::Scope,
    wide_pull::{ParameterKind, RESULT_KEPT},
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
    wide_pull::{ReportParameterPublic, names},
};
use pharos_search::gsc::{
    figures::SearchType,
    property::PropertyStore,
    reports::{MOST_ROWS, ReportKey},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::gsc::parts::linked;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listGscReports",
    path: "/domains/{domain_id}/gsc/reports",
    module: Module::Gsc,
    summary: "The reports that can be run",
    description: "A report is all rows of a question, worked out in the background. `POST …/reports/{report_key}/runs` starts \
                  one, and its rows are kept for `retention_hours`.",
    scope: Some(Scope::ReadGsc),
    paging: Paging::Single,
    problems: &[Suffix::GscPropertyNotLinked],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    properties: Port<dyn PropertyStore>,
) -> ApiResult<Page<SearchReportPublic>> {
    linked(&access, &properties).await?;
    Ok(Page::single(
        ReportKey::ALL.iter().copied().map(Into::into).collect(),
    ))
}

/// A report that can be run.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchReport)]
pub(crate) struct SearchReportPublic {
    /// By which it is asked for.
    report_key: ReportKey,
    /// Its name, for people.
    name: &'static str,
    /// The contents of its rows, and their order.
    description: &'static str,
    /// The names of the columns that tell rows apart.
    dimensions: Vec<&'static str>,
    /// The names of the columns that hold the figures of a row.
    metrics: Vec<&'static str>,
    /// The members of `parameters` in the body of a run.
    parameters: Vec<ReportParameterPublic>,
    /// How many rows a run keeps at most: the first of its order.
    #[schema(minimum = 1)]
    max_rows: u32,
    /// The price of a run, in credits.
    #[schema(minimum = 0)]
    cost: u32,
    /// How long the rows of a run are kept.
    #[schema(minimum = 1)]
    retention_hours: i64,
}

/// The days are 30 that end two days ago where none are given, as windows are.
fn parameters() -> Vec<ReportParameterPublic> {
    let types = SearchType::ALL.iter().map(|kind| kind.as_str()).collect();
    let search_type = ReportParameterPublic::optional("search_type", ParameterKind::String).one_of(types);
    vec![
        ReportParameterPublic::optional("start_date", ParameterKind::Date),
        ReportParameterPublic::optional("end_date", ParameterKind::Date),
        ReportParameterPublic {
            default: Some(SearchType::Web.as_str()),
            ..search_type
        },
        ReportParameterPublic::optional("filters", ParameterKind::Array),
    ]
}

impl From<ReportKey> for SearchReportPublic {
    fn from(key: ReportKey) -> Self {
        let report = key.report();
        Self {
            report_key: key,
            name: report.name,
            description: report.description,
            dimensions: names(report.dimensions),
            metrics: names(report.metrics),
            parameters: parameters(),
            max_rows: MOST_ROWS,
            cost: Credits::Dispatch.price(),
            retention_hours: RESULT_KEPT.whole_hours(),
        }
    }
}

impl Example for SearchReportPublic {
    fn example() -> Self {
        ReportKey::QueryPageMatrix.into()
    }
}
