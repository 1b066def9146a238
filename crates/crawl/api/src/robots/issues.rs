//! GET /domains/{domain_id}/robots/issues

use pharos_crawl::robots::{
    issue::{Issue, IssueCode, IssueSeverity},
    monitor::{site::SeenIssue, store::RobotsStore},
};
use pharos_domain::{
    identity::DomainAccess, module::Module, page::Page, problem::Suffix, scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};

use super::site;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listRobotsIssues",
    path: "/domains/{domain_id}/robots/issues",
    module: Module::Robots,
    summary: "The faults of the robots.txt, line by line",
    description: "Findings of the last good version: of the file as a whole first, then in the order of its lines, 1,000 \
                  at most. `getRobotsOverview` counts all of them.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    cache_seconds: 300,
    paging: Paging::Single,
    problems: &[Suffix::RobotsNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct IssuesQuery {
    /// Only findings that matter so much.
    #[param(inline)]
    severity: Option<IssueSeverity>,
}

pub(super) async fn list(
    access: DomainAccess,
    Query(query): Query<IssuesQuery>,
    store: Port<dyn RobotsStore>,
) -> ApiResult<Page<SeenIssuePublic>> {
    let site = site(&access, &*store).await?;
    let wanted = |seen: &SeenIssue| {
        query
            .severity
            .is_none_or(|severity| seen.issue.code.severity() == severity)
    };
    let found = site.issues.into_iter().filter(wanted);
    Ok(Page::single(found.map(SeenIssuePublic::from).collect()))
}

/// A finding, and since when it is there.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeenRobotsIssue)]
pub(super) struct SeenIssuePublic {
    #[serde(flatten)]
    issue: IssuePublic,
    /// When a fetch found it first.
    first_seen_at: Timestamp,
}

/// A finding.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsIssue)]
pub(super) struct IssuePublic {
    /// The kind of the finding.
    code: IssueCode,
    /// How much it matters.
    severity: IssueSeverity,
    /// The line; null where it is about the file.
    #[schema(required, minimum = 1)]
    line: Option<u32>,
    /// The text in question, at most its first 200 characters; null where it is about the file.
    #[schema(required)]
    excerpt: Option<String>,
    /// The fault, and how to mend it.
    message: String,
}

impl From<Issue> for IssuePublic {
    fn from(issue: Issue) -> Self {
        let Issue {
            code,
            line,
            excerpt,
            message,
        } = issue;
        Self {
            code,
            severity: code.severity(),
            line,
            excerpt,
            message,
        }
    }
}

impl From<SeenIssue> for SeenIssuePublic {
    fn from(seen: SeenIssue) -> Self {
        let SeenIssue { issue, first_seen_at } = seen;
        Self {
            issue: issue.into(),
            first_seen_at: first_seen_at.into(),
        }
    }
}

impl Example for IssuePublic {
    fn example() -> Self {
        Self {
            code: IssueCode::PathNotAbsolute,
            severity: IssueSeverity::Warning,
            line: Some(4),
            excerpt: Some("Disallow: cart".to_owned()),
            message: "The path begins with neither / nor *, so it matches nothing.".to_owned(),
        }
    }
}

impl Example for SeenIssuePublic {
    fn example() -> Self {
        Self {
            issue: IssuePublic::example(),
            first_seen_at: datetime!(2026-03-02 11:14:30 UTC).into(),
        }
    }
}
