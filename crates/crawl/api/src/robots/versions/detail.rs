//! GET /domains/{domain_id}/robots/versions/{version_id}

use pharos_crawl::robots::{
    change::{DiffLine, LineOp, diff},
    monitor::{
        site::{Expectation, StoredAccessChange, VersionDetail},
        store::RobotsStore,
    },
};
use pharos_domain::{
    identity::DomainAccess, ids::RobotsVersionId, module::Module, problem::Suffix, scope::Scope,
};
use pharos_http::{
    extract::{path::PathId, port::Port},
    operation::{ApiResult, Example},
    problem::{Problem, out_of_reach},
    spec::{Credits, OperationSpec},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    super::{MOST_LINES, issues::IssuePublic},
    RobotsVersionPublic,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getRobotsVersion",
    path: "/domains/{domain_id}/robots/versions/{version_id}",
    module: Module::Robots,
    summary: "One robots.txt that the site had, with the difference to the one before it",
    description: "`diff` holds every line of both, the first 20,000. `access_changes` names the crawlers that lost or \
                  gained the root of the site; `*` stands for those that no group names. The first version has neither.",
    scope: Some(Scope::ReadRobots),
    credits: Credits::Cheap,
    problems: &[Suffix::RobotsVersionNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn view(
    access: DomainAccess,
    PathId(id): PathId<RobotsVersionId>,
    store: Port<dyn RobotsStore>,
) -> ApiResult<RobotsVersionDetailPublic> {
    let found = store.version(&access, id.0).await?;
    let missing = || out_of_reach(Suffix::RobotsVersionNotFound, "version", id);
    let found = found.ok_or_else(missing)?;
    // Two large files take a while to compare, in which this thread would answer nobody.
    tokio::task::spawn_blocking(move || RobotsVersionDetailPublic::new(found))
        .await
        .map_err(|error| Problem::internal(error.to_string()))
}

/// A version with its text, and what changed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsVersionDetail)]
pub(crate) struct RobotsVersionDetailPublic {
    #[serde(flatten)]
    version: RobotsVersionPublic,
    /// The text; null where there was no file. Bytes that are not UTF-8 are shown as U+FFFD.
    #[schema(required)]
    content: Option<String>,
    /// The lines of this version and of the one before it.
    diff: Vec<RobotsDiffLinePublic>,
    /// Crawlers that lost or gained the root of the site.
    access_changes: Vec<RobotsAccessChangePublic>,
    /// Findings that were new.
    issues_added: Vec<IssuePublic>,
    /// Findings that were gone.
    issues_resolved: Vec<IssuePublic>,
}

/// A line of the difference.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsDiffLine)]
struct RobotsDiffLinePublic {
    /// Whether it was added, was removed or is the same.
    op: LineOp,
    /// Its number before; null where it is new.
    #[schema(required, minimum = 1)]
    line_before: Option<u32>,
    /// Its number after; null where it is gone.
    #[schema(required, minimum = 1)]
    line_after: Option<u32>,
    /// The line.
    text: String,
}

/// A crawler that lost or gained the root of the site.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsAccessChange)]
struct RobotsAccessChangePublic {
    /// Its product token; `*` for those that no group names.
    user_agent_token: String,
    /// Before.
    before: Expectation,
    /// After.
    after: Expectation,
}

impl RobotsVersionDetailPublic {
    fn new(detail: VersionDetail) -> Self {
        let VersionDetail {
            version,
            content,
            previous_content,
            access_changes,
            issues_added,
            issues_resolved,
        } = detail;
        let text =
            |content: Option<Vec<u8>>| content.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let (before, after) = (text(previous_content), text(content));
        let lines = diff(
            before.as_deref().unwrap_or_default(),
            after.as_deref().unwrap_or_default(),
        );
        Self {
            version: version.into(),
            content: after,
            diff: lines
                .into_iter()
                .take(MOST_LINES as usize)
                .map(RobotsDiffLinePublic::from)
                .collect(),
            access_changes: access_changes
                .into_iter()
                .map(RobotsAccessChangePublic::from)
                .collect(),
            issues_added: issues_added.into_iter().map(IssuePublic::from).collect(),
            issues_resolved: issues_resolved.into_iter().map(IssuePublic::from).collect(),
        }
    }
}

impl From<DiffLine> for RobotsDiffLinePublic {
    fn from(line: DiffLine) -> Self {
        let DiffLine {
            op,
            line_before,
            line_after,
            text,
        } = line;
        Self {
            op,
            line_before,
            line_after,
            text,
        }
    }
}

impl From<StoredAccessChange> for RobotsAccessChangePublic {
    fn from(change: StoredAccessChange) -> Self {
        let StoredAccessChange {
            user_agent_token,
            was_allowed,
            is_allowed,
        } = change;
        Self {
            user_agent_token,
            before: Expectation::of(was_allowed),
            after: Expectation::of(is_allowed),
        }
    }
}

impl Example for RobotsVersionDetailPublic {
    fn example() -> Self {
        let line = |op, line_before, line_after, text: &str| RobotsDiffLinePublic {
            op,
            line_before,
            line_after,
            text: text.to_owned(),
        };
        Self {
            version: RobotsVersionPublic::example(),
            content: Some("User-agent: GPTBot\nDisallow: /\n".to_owned()),
            diff: vec![
                line(LineOp::Equal, Some(1), Some(1), "User-agent: GPTBot"),
                line(LineOp::Removed, Some(2), None, "Disallow: /cart"),
                line(LineOp::Added, None, Some(2), "Disallow: /"),
            ],
            access_changes: vec![RobotsAccessChangePublic {
                user_agent_token: "GPTBot".to_owned(),
                before: Expectation::Allowed,
                after: Expectation::Disallowed,
            }],
            issues_added: vec![IssuePublic::example()],
            issues_resolved: Vec::new(),
        }
    }
}
