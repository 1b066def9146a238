//! Operations of the module sitemap.

mod changes;
mod check;
mod files;
mod google;
mod issues;
mod overview;
mod timeseries;
mod urls;
pub(crate) mod widgets;

use pharos_crawl::{
    robots::monitor::site::IssueCounts,
    sitemap::monitor::{site::SitemapSite, store::SitemapStore},
};
use pharos_domain::{identity::DomainAccess, ids::SitemapFileId, problem::Suffix};
use pharos_http::{
    operation::Operation,
    problem::{Problem, out_of_reach},
};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

/// The operations of sitemaps.
pub(crate) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&overview::SPEC, overview::view),
        Operation::new(&files::list::SPEC, files::list::list),
        Operation::new(&files::create::SPEC, files::create::create),
        Operation::new(&files::detail::SPEC, files::detail::view),
        Operation::new(&files::delete::SPEC, files::delete::delete),
        Operation::new(&urls::SPEC, urls::list),
        Operation::new(&changes::SPEC, changes::list),
        Operation::new(&issues::SPEC, issues::list),
        Operation::new(&timeseries::SPEC, timeseries::view),
        Operation::new(&google::SPEC, google::list),
        Operation::new(&check::SPEC, check::run),
    ]
}

/// The state and totals of the domain's sitemaps.
async fn site(
    access: &DomainAccess,
    store: &dyn SitemapStore,
    now: OffsetDateTime,
) -> Result<SitemapSite, Problem> {
    store.site(access, now).await?.ok_or_else(|| {
        Problem::new(
            Suffix::SitemapNotFound,
            "The sitemaps of this domain have not been checked yet. POST …/sitemap/check checks them now.",
        )
    })
}

fn no_such_file(id: SitemapFileId) -> Problem {
    out_of_reach(Suffix::SitemapFileNotFound, "sitemap file", id)
}

/// Findings by how much they matter. A finding is of one kind and one file, however often it was found there.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SitemapIssueCounts)]
struct IssueCountsPublic {
    /// Something is not read as it is written, or leads nowhere.
    #[schema(minimum = 0)]
    error: u32,
    /// Something is probably not meant so.
    #[schema(minimum = 0)]
    warning: u32,
    /// Something is worth knowing.
    #[schema(minimum = 0)]
    info: u32,
}

impl From<IssueCounts> for IssueCountsPublic {
    fn from(counts: IssueCounts) -> Self {
        let IssueCounts { error, warning, info } = counts;
        Self { error, warning, info }
    }
}
