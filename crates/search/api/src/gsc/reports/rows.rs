//! GET /domains/{domain_id}/gsc/reports/runs/{run_id}/rows

use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    ids::RunId,
    module::Module,
    page::{OffsetPage, OffsetRequest},
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
    wide_pull::WidePullStore,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    kept::Cacheable,
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Paging},
    wide_pull::{ReportColumnPublic, ReportRowPublic, TotalRows, columns, row_count, until_expiry},
};
use pharos_search::gsc::reports::{ReportKey, SearchReports};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

use super::no_run;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listGscReportRows",
    path: "/domains/{domain_id}/gsc/reports/runs/{run_id}/rows",
    module: Module::Gsc,
    summary: "The rows of a run of a report",
    description: "Every row has a member for each of `columns`. A run that is not done has no rows yet: 409, as one that failed \
                  or was canceled. After `expires_at` they are gone: 410.",
    scope: Some(Scope::ReadGsc),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    paging: Paging::Offset {
        max: 50_000,
        default: 1_000,
    },
    problems: &[
        Suffix::ReportRunNotFound,
        Suffix::Conflict,
        Suffix::ReportResultExpired,
    ],
    ..OperationSpec::GET
};

type RowsPage = OffsetPage<ReportRowPublic<ReportKey>, TotalRows, RowsRoot>;

pub(crate) async fn list(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    page: OffsetRequest,
    store: Port<dyn WidePullStore<SearchReports>>,
    clock: Port<dyn Clock>,
) -> ApiResult<Cacheable<RowsPage>> {
    let now = clock.now();
    let found = store.find(&access, id, now).await?;
    let found = found.ok_or_else(|| no_run(id))?;
    let (total, expires_at) = row_count(&found)?;
    let rows = store.rows(&access, id, page).await?;
    let report = found.report.report();
    let items = rows.into_iter().map(|cells| ReportRowPublic::new(report, cells));
    let root = RowsRoot {
        run_id: id,
        report_key: found.report,
        columns: columns(report),
        truncated: found.is_truncated,
        expires_at,
    };
    let rows = OffsetPage::new(items.collect(), total, page).with(root);
    Ok(until_expiry(rows, &SPEC, expires_at, now))
}

/// The further fields of the list's envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchReportRowsRoot)]
pub(crate) struct RowsRoot {
    /// The id of the run whose rows these are.
    run_id: RunId,
    /// The report.
    report_key: ReportKey,
    /// The members of rows, in order: dimensions before metrics.
    columns: Vec<ReportColumnPublic>,
    /// Whether there were more rows than a report keeps.
    truncated: bool,
    /// From when on the rows are no longer kept.
    expires_at: Timestamp,
}

impl Example for RowsRoot {
    fn example() -> Self {
        Self {
            run_id: RunId(uuid!("0190f3c2-cf93-7186-b2a7-8e6e60bf3d66")),
            report_key: ReportKey::QueryPageMatrix,
            columns: columns(ReportKey::QueryPageMatrix.report()),
            truncated: false,
            expires_at: datetime!(2026-04-07 09:20:00 UTC).into(),
        }
    }
}
