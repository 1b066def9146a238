//! GET /domains/{domain_id}/reports/runs/{run_id}/result

use pharos_artefacts::links::{GOOD_FOR, Links};
use pharos_domain::{
    clock::Clock, identity::DomainAccess, ids::RunId, module::Module, problem::Suffix, scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::{ApiResult, Example},
    problem::Problem,
    run::with_result,
    spec::{Credits, OperationSpec},
};
use pharos_reporting::{
    format::ReportFormat,
    results::{self, Results},
    store::ReportRunStore,
};
use serde::Serialize;
use serde_json::Value;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

use super::no_run;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getReportRunResult",
    path: "/domains/{domain_id}/reports/runs/{run_id}/result",
    module: Module::Reports,
    summary: "The report that was made",
    description: "`download_url` needs no credential and holds for 15 minutes; each call makes a new one. A report in JSON is in the \
                  answer, too. Results are kept for 12 months; then this is 410, and the run is still shown. A year later the run is \
                  forgotten, and both are 404.",
    scope: Some(Scope::ReadReports),
    credits: Credits::Cheap,
    problems: &[
        Suffix::ReportRunNotFound,
        Suffix::ReportNotFound,
        Suffix::ReportResultExpired,
        Suffix::StorageUnavailable,
    ],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<RunId>,
    runs: Port<dyn ReportRunStore>,
    results: Port<Results>,
    links: Port<Links>,
    clock: Port<dyn Clock>,
) -> ApiResult<ReportResultPublic> {
    let now = clock.now();
    let mut found = runs.find(&access, id, now).await?.ok_or_else(|| no_run(id))?;
    found.run = with_result(found.run)?;
    let status = found.run.status;
    let none = || {
        let detail = format!("The run {id} has no result: it is {status}.");
        Problem::new(Suffix::ReportNotFound, detail)
    };
    let kept_until = found.run.expires_at.ok_or_else(none)?;
    let result = found.result.clone().ok_or_else(none)?;
    let key = results::key(&found).map_err(|error| Problem::internal(error.to_string()))?;
    let inline = match found.format {
        ReportFormat::Json => {
            let bytes = results
                .get(&found)
                .await
                .map_err(|error| away(&error.to_string()))?;
            let bytes = bytes.ok_or_else(|| away("a result that should be there is not"))?;
            Some(serde_json::from_slice(&bytes).map_err(|error| Problem::internal(error.to_string()))?)
        }
        _ => None,
    };
    let (download_url, url_expires_at) = links.link_until(&key, kept_until.min(now + GOOD_FOR));
    Ok(ReportResultPublic {
        run_id: id,
        format: found.format,
        download_url,
        content_type: found.format.content_type(),
        size_bytes: result.size_bytes,
        sha256: result.sha256,
        url_expires_at: url_expires_at.into(),
        expires_at: kept_until.into(),
        inline,
    })
}

/// 502: the place of results can't be read.
pub(crate) fn away(cause: &str) -> Problem {
    Problem {
        cause: Some(cause.to_owned()),
        ..Problem::new(
            Suffix::StorageUnavailable,
            "The result can't be read at the moment. Try again later.",
        )
    }
}

/// A report that was made.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportResult)]
pub(crate) struct ReportResultPublic {
    /// The id of the run that made the file.
    run_id: RunId,
    /// The format of the file.
    format: ReportFormat,
    /// Where it is read, without a credential, until `url_expires_at`.
    download_url: String,
    /// Its media type.
    #[schema(value_type = String)]
    content_type: &'static str,
    /// How large it is.
    #[schema(minimum = 0)]
    size_bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    #[schema(min_length = 64, max_length = 64)]
    sha256: String,
    /// Until when the link holds.
    url_expires_at: Timestamp,
    /// Until when the result is kept.
    expires_at: Timestamp,
    /// The report itself, in JSON: what `POST …/reports/data/{template_id}` answered when it was made. Null for a
    /// report in another form than JSON.
    #[schema(required, value_type = Option<Object>, additional_properties = true)]
    inline: Option<Value>,
}

impl Example for ReportResultPublic {
    fn example() -> Self {
        Self {
            run_id: RunId(uuid!("0190f3c2-cf93-7186-b2a7-8e6e60bf3d66")),
            format: ReportFormat::Pdf,
            download_url: "https://pharos.example/artefacts/reports/0190f3c2-cf93-7186-b2a7-8e6e60bf3d66/\
                           shop.example-monthly-report-2026-03-30.pdf?until=1774949400&signature=3rN0h0Y2"
                .to_owned(),
            content_type: ReportFormat::Pdf.content_type(),
            size_bytes: 184_320,
            sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned(),
            url_expires_at: datetime!(2026-03-31 09:30:00 UTC).into(),
            expires_at: datetime!(2027-03-31 09:15:00 UTC).into(),
            inline: None,
        }
    }
}
