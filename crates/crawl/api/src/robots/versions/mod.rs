//! The versions of a robots.txt.

pub(crate) mod detail;
pub(crate) mod list;

use pharos_crawl::robots::{change::Impact, monitor::site::RobotsVersion, outcome::RobotsState};
use pharos_domain::{ids::RobotsVersionId, timestamp::Timestamp};
use pharos_http::payload::Example;
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

/// A version of a robots.txt, with what changed beside the one before it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsVersion)]
pub(crate) struct RobotsVersionPublic {
    /// The id of the version, for paths of the API.
    version_id: RobotsVersionId,
    /// When a fetch found it.
    detected_at: Timestamp,
    /// When another was found; null while it is current.
    #[schema(required)]
    replaced_at: Option<Timestamp>,
    /// SHA-256 of the bytes that crawlers read, hex; that of nothing where there is no file.
    sha256: String,
    /// How many bytes that are.
    #[schema(minimum = 0)]
    size_bytes: u32,
    /// The status with which it came.
    #[schema(minimum = 100, maximum = 599)]
    status_code: u16,
    /// Rules that are new. A line counts once, whatever the crawlers of its group. 0 for the first version.
    #[schema(minimum = 0)]
    rules_added: u32,
    /// Rules that are gone.
    #[schema(minimum = 0)]
    rules_removed: u32,
    /// Groups that came, went, have other rules or speak to other crawlers. A group is known by its first crawler.
    #[schema(minimum = 0)]
    groups_changed: u32,
    /// Sitemaps that came or went.
    #[schema(minimum = 0)]
    sitemaps_changed: u32,
    /// `high`: a large search engine, or all crawlers that no group names, lost or gained the root of the site; `none`: each
    /// crawler has the rules that it had, in whatever order.
    impact: Impact,
    /// The change in a line.
    change_summary: String,
}

impl From<RobotsVersion> for RobotsVersionPublic {
    fn from(version: RobotsVersion) -> Self {
        let RobotsVersion {
            id,
            detected_at,
            replaced_at,
            sha256,
            size_bytes,
            status_code,
            state: _,
            rules_added,
            rules_removed,
            groups_changed,
            sitemaps_changed,
            impact,
            change_summary,
        } = version;
        Self {
            version_id: RobotsVersionId(id),
            detected_at: detected_at.into(),
            replaced_at: replaced_at.map(Timestamp::from),
            sha256,
            size_bytes,
            status_code,
            rules_added,
            rules_removed,
            groups_changed,
            sitemaps_changed,
            impact,
            change_summary,
        }
    }
}

impl Example for RobotsVersionPublic {
    fn example() -> Self {
        Self::from(RobotsVersion {
            id: uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e11"),
            detected_at: datetime!(2026-03-02 11:14:30 UTC),
            replaced_at: None,
            sha256: "1f2e".repeat(16),
            size_bytes: 212,
            status_code: 200,
            state: RobotsState::Ok,
            rules_added: 2,
            rules_removed: 1,
            groups_changed: 1,
            sitemaps_changed: 0,
            impact: Impact::Low,
            change_summary: "2 rules added, 1 rule removed; GPTBot may no longer fetch the site".to_owned(),
        })
    }
}
