//! GET /domains/{domain_id}/sitemap/files/{file_id}

use pharos_crawl::{
    robots::monitor::fetch::FetchFailure,
    sitemap::monitor::{
        site::{FileCheck, FileDetail},
        store::SitemapStore,
    },
};
use pharos_domain::{
    identity::DomainAccess, ids::SitemapFileId, module::Module, problem::Suffix, scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec},
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

use super::SitemapFilePublic;
use crate::sitemap::no_such_file;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getSitemapFile",
    path: "/domains/{domain_id}/sitemap/files/{file_id}",
    module: Module::Sitemap,
    summary: "One sitemap file with its last fetches",
    description: "`checks` holds the last 30 fetches. Fetches are kept for 12 months.",
    scope: Some(Scope::ReadSitemap),
    credits: Credits::Cheap,
    problems: &[Suffix::SitemapFileNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<SitemapFileId>,
    store: Port<dyn SitemapStore>,
) -> ApiResult<SitemapFileDetailPublic> {
    let found = store.file(&access, id.0).await?;
    let FileDetail {
        file,
        checks,
        children,
    } = found.ok_or_else(|| no_such_file(id))?;
    Ok(SitemapFileDetailPublic {
        file: file.into(),
        checks: checks.into_iter().map(SitemapCheckPublic::from).collect(),
        children: children.into_iter().map(SitemapFileId).collect(),
    })
}

/// A sitemap file with its last fetches.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SitemapFileDetail)]
pub(crate) struct SitemapFileDetailPublic {
    #[serde(flatten)]
    file: SitemapFilePublic,
    /// The last fetches, the newest first.
    #[schema(max_items = 30)]
    checks: Vec<SitemapCheckPublic>,
    /// The files that it names and that are watched.
    children: Vec<SitemapFileId>,
}

/// A fetch of a sitemap file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SitemapFileCheck)]
struct SitemapCheckPublic {
    /// When it began.
    checked_at: Timestamp,
    /// The status; null without an answer.
    #[schema(required, minimum = 100, maximum = 599)]
    status_code: Option<u16>,
    /// How many entries the file has; null where it was not read.
    #[schema(required, minimum = 0)]
    urls_count: Option<u64>,
    /// Pages that it found added; null where the file was not read.
    #[schema(required, minimum = 0)]
    urls_added: Option<u64>,
    /// Pages that it found removed; null where the file was not read.
    #[schema(required, minimum = 0)]
    urls_removed: Option<u64>,
    /// How long it took in milliseconds, redirects included; null without an answer.
    #[schema(required)]
    response_ms: Option<f64>,
    /// Why nobody answered; null where somebody did. `refused`: Pharos did not ask, since it may not go to the address; a server
    /// that refuses the connection is `connect`.
    #[schema(required)]
    error_class: Option<FetchFailure>,
}

impl From<FileCheck> for SitemapCheckPublic {
    fn from(check: FileCheck) -> Self {
        let FileCheck {
            checked_at,
            status_code,
            entries,
            added,
            removed,
            response_ms,
            error_class,
        } = check;
        Self {
            checked_at: checked_at.into(),
            status_code,
            urls_count: entries,
            urls_added: added,
            urls_removed: removed,
            response_ms,
            error_class,
        }
    }
}

impl Example for SitemapFileDetailPublic {
    fn example() -> Self {
        Self {
            file: SitemapFilePublic::example(),
            checks: vec![SitemapCheckPublic {
                checked_at: datetime!(2026-03-31 09:14:30 UTC).into(),
                status_code: Some(200),
                urls_count: Some(2_000),
                urls_added: Some(14),
                urls_removed: Some(0),
                response_ms: Some(84.2),
                error_class: None,
            }],
            children: Vec::new(),
        }
    }
}
