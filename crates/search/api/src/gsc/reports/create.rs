//! POST /domains/{domain_id}/gsc/reports/{report_key}/runs

use pharos_domain::{
    clock::Clock,
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
use pharos_search::gsc::{
    figures::SearchType,
    judging::{Budget, TooCostly},
    property::PropertyStore,
    reports::{
        Asked, COMPILING, FILTERS, Filter, FilterDimension, Operator, ReportKey, SearchReports, Source,
        Unrelated,
    },
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{run::ReportRunPublic, schemas::SearchReportExpression};
use crate::gsc::parts::linked;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "createGscReportRun",
    method: Verb::Post,
    path: "/domains/{domain_id}/gsc/reports/{report_key}/runs",
    module: Module::Gsc,
    summary: "Run a report",
    description: "`GET …/gsc/reports` has the reports. The run is worked out in the background: poll `poll_path` until its \
                  status is final, then read its rows. Without a body: all rows of the 30 days that end two days ago, of the \
                  search for pages.",
    scope: Some(Scope::RunGsc),
    min_role: Role::Member,
    bucket: Bucket::Run,
    credits: Credits::Dispatch,
    idempotency: Idempotency::Required,
    success: 202,
    problems: &[Suffix::GscPropertyNotLinked, Suffix::ReportNotRegistered],
    ..OperationSpec::GET
};

pub(crate) async fn create(
    access: Keyed<DomainAccess>,
    PathId(key): PathId<String>,
    OptionalBody(body): OptionalBody<SearchReportRunRequest>,
    properties: Port<dyn PropertyStore>,
    store: Port<dyn WidePullStore<SearchReports>>,
    clock: Port<dyn Clock>,
) -> ApiResult<ReportRunPublic> {
    linked(&access, &properties).await?;
    let report: ReportKey = key.parse().map_err(|_| unregistered())?;
    let now = clock.now();
    let horizon = Horizon::of(SPEC.module, now);
    let (window, asked) = body
        .judged_in_turn(async |request| request.parameters.clone().read(report, &horizon).await)
        .await
        .map_err(Problem::invalid)?;
    let run = Run::requested(RunKind::GscReport, &access, now);
    let new = NewWidePull::requested(run, access.workspace().workspace().id, report, window, asked);
    let answer = |run: &WidePull<SearchReports>| stored_answer(&SPEC, &ReportRunPublic::from(run.clone()));
    Ok(store.request(&access, &new, &answer).await?.into())
}

fn unregistered() -> Problem {
    let keys: Vec<&str> = ReportKey::ALL.iter().map(|key| key.as_str()).collect();
    let detail = format!("There is no such report. There are: {}.", keys.join(", "));
    Problem::new(Suffix::ReportNotRegistered, detail)
}

/// The days and the rows that a report is run on.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SearchReportRunRequest {
    /// The days and the rows that it is about.
    parameters: SearchReportParameters,
}

/// The days and the rows that a report is about.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SearchReportParameters {
    /// The first day; null or left out: 30 days that end with `end_date`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date)]
    start_date: Option<String>,
    /// The last day, which counts; null or left out: two days ago. One later than today is taken as today.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date)]
    end_date: Option<String>,
    /// The search type; null or left out: the search for pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    search_type: Option<SearchType>,
    /// The rows that count fit all of these.
    #[schema(max_items = 20)]
    filters: Vec<SearchReportFilterPublic>,
}

/// A filter.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SearchReportFilter)]
pub(crate) struct SearchReportFilterPublic {
    /// The dimension that it looks at. A report of looks of results has filters of these and of pages alone.
    #[schema(value_type = FilterDimension)]
    dimension: Option<FilterDimension>,
    /// How it fits. `equals` goes by case, but for countries, and takes those countries and devices alone that there are;
    /// `contains` does not; regular expressions do.
    #[schema(value_type = Operator)]
    operator: Option<Operator>,
    /// With what. A regular expression is one of RE2: without lookaround and without back-references. It is searched for, not
    /// matched as a whole.
    #[schema(value_type = SearchReportExpression)]
    expression: Option<String>,
}

/// The fault of an expression that is not looked at, since those before it took all the time that there is.
const TOO_MANY: &str =
    "a regular expression that is simpler, as those before it: together they take too long to compile";

const _: () = assert!(FILTERS == 20, "as the schema of the parameters has it");

impl SearchReportParameters {
    async fn read(self, report: ReportKey, horizon: &Horizon) -> Result<(DateRange, Asked), Vec<Fault>> {
        let query = WindowQuery {
            start_date: self.start_date.as_deref(),
            end_date: self.end_date.as_deref(),
            ..WindowQuery::default()
        };
        let window = query.resolve(horizon);
        // Members that are at fault are told already, and keep nobody from judging the others.
        let filters = self.filters.into_iter();
        let filters: Vec<Option<Filter>> = filters.map(SearchReportFilterPublic::whole).collect();
        let mut faults = faults_of(report, &filters).await;
        match window {
            Ok(resolved) if faults.is_empty() => Ok((
                resolved.window,
                Asked {
                    search_type: self.search_type.unwrap_or(SearchType::Web),
                    filters: filters.into_iter().flatten().collect(),
                },
            )),
            Ok(_) => Err(faults),
            Err(wrong) => {
                let of_window = wrong.into_iter();
                faults.extend(
                    of_window.map(|fault| {
                        Fault::pointer(format!("/parameters/{}", fault.parameter), fault.detail)
                    }),
                );
                Err(faults)
            }
        }
    }
}

/// The faults of filters, each beside its place. One that is at fault by itself is `None`.
async fn faults_of(report: ReportKey, filters: &[Option<Filter>]) -> Vec<Fault> {
    let pointer = |place: usize, member: &str| format!("/parameters/filters/{place}/{member}");
    let placed = || {
        let filters = filters.iter().enumerate();
        filters.filter_map(|(place, filter)| Some((place, filter.as_ref()?)))
    };
    let mut faults = Vec::new();
    let mut budget = Budget::new(COMPILING);
    for (place, filter) in placed() {
        let why = match filter.matcher_within(&mut budget).await {
            Ok(matcher) => matcher.err(),
            Err(TooCostly) => Some(TOO_MANY.to_owned()),
        };
        faults.extend(why.map(|why| Fault::pointer(pointer(place, "expression"), why)));
    }
    let dimensions: Vec<_> = placed()
        .map(|(place, filter)| (place, filter.dimension))
        .collect();
    let unrelated = Source::unrelated(report, &dimensions).into_iter();
    faults.extend(unrelated.map(|(place, Unrelated { dimension })| {
        let detail = format!("looks of results are told by page alone, not by {dimension}");
        Fault::pointer(pointer(place, "dimension"), detail)
    }));
    faults
}

impl SearchReportFilterPublic {
    /// The filter; `None` where a member is at fault.
    fn whole(self) -> Option<Filter> {
        let Self {
            dimension,
            operator,
            expression,
        } = self;
        Some(Filter {
            dimension: dimension?,
            operator: operator?,
            expression: expression?,
        })
    }
}

impl Example for SearchReportRunRequest {
    fn example() -> Self {
        Self {
            parameters: SearchReportParameters {
                start_date: Some("2026-03-01".to_owned()),
                end_date: Some("2026-03-29".to_owned()),
                search_type: Some(SearchType::Web),
                filters: vec![SearchReportFilterPublic {
                    dimension: Some(FilterDimension::Query),
                    operator: Some(Operator::IncludingRegex),
                    expression: Some("^(buy|order) ".to_owned()),
                }],
            },
        }
    }
}
