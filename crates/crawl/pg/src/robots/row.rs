//! The rows of versions and checks.

use diesel::prelude::{Insertable, Queryable, Selectable};
use pharos_crawl::robots::{
    change::Impact,
    issue::{Issue, IssueCode},
    monitor::{
        complete::NewVersion,
        fetch::FetchFailure,
        site::{CheckOutcome, RobotsCheck, RobotsVersion, SeenIssue, StoredAccessChange},
    },
    outcome::RobotsState,
};
use pharos_domain::{
    ids::{DomainId, RunId},
    store::StoreError,
};
use pharos_persistence::{json::Json, names};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::{robots_checks, robots_versions};

/// A name that this version does not know.
pub(crate) fn known<T>(found: Option<T>, kind: &str, name: &str) -> Result<T, StoreError> {
    found.ok_or_else(|| StoreError::Corrupt(format!("{name:?} is not a {kind}")))
}

/// The name of a robots.txt's findings in the error when they can't be read.
pub(super) const ISSUES: &str = "the findings of a robots.txt";

fn is_known(code: &str) -> bool {
    IssueCode::named(code).is_some()
}

/// The findings that this version knows.
pub(super) fn issues(stored: Json<Vec<Value>>) -> Result<Vec<Issue>, StoreError> {
    stored.read_known(ISSUES, "code", is_known)
}

/// The same of a site.
pub(super) fn seen_issues(stored: Json<Vec<Value>>) -> Result<Vec<SeenIssue>, StoreError> {
    stored.read_known(ISSUES, "code", is_known)
}

/// A version, as lists show it.
#[derive(Debug, Insertable, Queryable, Selectable)]
#[diesel(table_name = robots_versions)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(super) struct VersionRow {
    pub(super) id: Uuid,
    pub(super) detected_at: OffsetDateTime,
    replaced_at: Option<OffsetDateTime>,
    state: String,
    status_code: i32,
    sha256: String,
    size_bytes: i32,
    rules_added: i32,
    rules_removed: i32,
    groups_changed: i32,
    sitemaps_changed: i32,
    impact: String,
    change_summary: String,
}

/// A version whole.
#[derive(Insertable)]
#[diesel(table_name = robots_versions)]
pub(super) struct NewVersionRow {
    domain_id: Uuid,
    #[diesel(embed)]
    version: VersionRow,
    content: Option<Vec<u8>>,
    access_changes: Json<Vec<StoredAccessChange>>,
    issues: Json<Vec<Issue>>,
    issues_added: Json<Vec<Issue>>,
    issues_resolved: Json<Vec<Issue>>,
}

fn stored(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

impl From<RobotsVersion> for VersionRow {
    fn from(version: RobotsVersion) -> Self {
        let RobotsVersion {
            id,
            detected_at,
            replaced_at,
            sha256,
            size_bytes,
            status_code,
            state,
            rules_added,
            rules_removed,
            groups_changed,
            sitemaps_changed,
            impact,
            change_summary,
        } = version;
        Self {
            id,
            detected_at,
            replaced_at,
            state: state.name().to_owned(),
            status_code: status_code.into(),
            sha256,
            size_bytes: stored(size_bytes),
            rules_added: stored(rules_added),
            rules_removed: stored(rules_removed),
            groups_changed: stored(groups_changed),
            sitemaps_changed: stored(sitemaps_changed),
            impact: impact.name().to_owned(),
            change_summary,
        }
    }
}

impl TryFrom<VersionRow> for RobotsVersion {
    type Error = StoreError;

    fn try_from(row: VersionRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id,
            detected_at: row.detected_at,
            replaced_at: row.replaced_at,
            sha256: row.sha256,
            size_bytes: names::count(row.size_bytes)?,
            status_code: names::count(row.status_code)?,
            state: known(
                RobotsState::named(&row.state),
                "state of a robots.txt",
                &row.state,
            )?,
            rules_added: names::count(row.rules_added)?,
            rules_removed: names::count(row.rules_removed)?,
            groups_changed: names::count(row.groups_changed)?,
            sitemaps_changed: names::count(row.sitemaps_changed)?,
            impact: known(Impact::named(&row.impact), "impact", &row.impact)?,
            change_summary: row.change_summary,
        })
    }
}

impl NewVersionRow {
    pub(super) fn new(domain: DomainId, new: NewVersion) -> Self {
        let NewVersion {
            version,
            content,
            issues,
            access_changes,
            issues_added,
            issues_resolved,
        } = new;
        Self {
            domain_id: domain.0,
            version: version.into(),
            content,
            access_changes: Json::of(access_changes),
            issues: Json::of(issues),
            issues_added: Json::of(issues_added),
            issues_resolved: Json::of(issues_resolved),
        }
    }
}

/// A check.
#[derive(Debug, Insertable, Queryable, Selectable)]
#[diesel(table_name = robots_checks)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(super) struct CheckRow {
    run_id: Option<Uuid>,
    checked_at: OffsetDateTime,
    outcome: String,
    status_code: Option<i32>,
    response_ms: Option<f64>,
    size_bytes: Option<i32>,
    error_class: Option<String>,
    version_id: Option<Uuid>,
}

impl From<RobotsCheck> for CheckRow {
    fn from(check: RobotsCheck) -> Self {
        let RobotsCheck {
            run_id,
            checked_at,
            outcome,
            status_code,
            response_ms,
            size_bytes,
            error_class,
            version_id,
        } = check;
        Self {
            run_id: run_id.map(|run| run.0),
            checked_at,
            outcome: outcome.name().to_owned(),
            status_code: status_code.map(i32::from),
            response_ms,
            size_bytes: size_bytes.map(stored),
            error_class: error_class.map(|class| class.name().to_owned()),
            version_id,
        }
    }
}

impl TryFrom<CheckRow> for RobotsCheck {
    type Error = StoreError;

    fn try_from(row: CheckRow) -> Result<Self, StoreError> {
        Ok(Self {
            run_id: row.run_id.map(RunId),
            checked_at: row.checked_at,
            outcome: known(
                CheckOutcome::named(&row.outcome),
                "outcome of a check",
                &row.outcome,
            )?,
            status_code: row.status_code.map(names::count).transpose()?,
            response_ms: row.response_ms,
            size_bytes: row.size_bytes.map(names::count).transpose()?,
            // One that only a later version knows is as good as none: that the check failed is told by its outcome.
            error_class: row.error_class.as_deref().and_then(FetchFailure::named),
            version_id: row.version_id,
        })
    }
}
