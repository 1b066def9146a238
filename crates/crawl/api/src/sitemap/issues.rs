//! GET /domains/{domain_id}/sitemap/issues

use pharos_crawl::{
    robots::issue::IssueSeverity,
    sitemap::{
        issue::SitemapIssue,
        monitor::{
            site::{FileIssue, IssueFilter},
            store::SitemapStore,
        },
    },
};
use pharos_domain::{
    clock::Clock, identity::DomainAccess, ids::SitemapFileId, module::Module, page::Page, problem::Suffix,
    scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};
use uuid::uuid;

use super::site;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listSitemapIssues",
    path: "/domains/{domain_id}/sitemap/issues",
    module: Module::Sitemap,
    summary: "The faults of the sitemaps, the gravest first",
    description: "A row a file and kind, with the first ten places, 1,000 rows at most. While a file can't be fetched, what was \
                  wrong with it when it was last read is told besides.",
    scope: Some(Scope::ReadSitemap),
    credits: Credits::Cheap,
    paging: Paging::Single,
    problems: &[Suffix::SitemapNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct SitemapIssuesQuery {
    /// Only findings that matter so much.
    #[param(inline)]
    severity: Option<IssueSeverity>,
    /// Only findings of this kind.
    #[param(inline)]
    code: Option<SitemapIssue>,
}

pub(super) async fn list(
    access: DomainAccess,
    Query(query): Query<SitemapIssuesQuery>,
    store: Port<dyn SitemapStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<SitemapIssuePublic>> {
    let SitemapIssuesQuery { severity, code } = query;
    let found = store.issues(&access, IssueFilter { severity, code }).await?;
    if found.is_empty() {
        site(&access, &*store, clock.now()).await?;
    }
    Ok(Page::single(
        found.into_iter().map(SitemapIssuePublic::from).collect(),
    ))
}

/// A finding about a sitemap file.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SitemapIssue)]
pub(super) struct SitemapIssuePublic {
    /// The kind of fault.
    code: SitemapIssue,
    /// How much it matters.
    severity: IssueSeverity,
    /// The file; null where it is about no one file.
    #[schema(required)]
    file_id: Option<SitemapFileId>,
    /// How often it was found there.
    #[schema(minimum = 1)]
    count: u64,
    /// The first places: addresses, values, or what the reader says of them.
    #[schema(max_items = 10)]
    examples: Vec<String>,
    /// When a fetch found it first.
    first_seen_at: Timestamp,
}

impl From<FileIssue> for SitemapIssuePublic {
    fn from(issue: FileIssue) -> Self {
        let FileIssue {
            code,
            file_id,
            count,
            examples,
            first_seen_at,
        } = issue;
        Self {
            code,
            severity: code.severity(),
            file_id: Some(SitemapFileId(file_id)),
            count,
            examples,
            first_seen_at: first_seen_at.into(),
        }
    }
}

impl Example for SitemapIssuePublic {
    fn example() -> Self {
        Self {
            code: SitemapIssue::BlockedByRobots,
            severity: IssueSeverity::Error,
            file_id: Some(SitemapFileId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31"))),
            count: 1,
            examples: vec!["https://shop.example/cart".to_owned()],
            first_seen_at: datetime!(2026-03-02 11:14:30 UTC).into(),
        }
    }
}
