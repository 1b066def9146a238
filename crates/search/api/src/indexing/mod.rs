//! Operations of the module `indexing`: whether pages are in Google's index.

mod canonicals;
mod changes;
mod crawl_stats;
mod figures;
mod overview;
mod rich_results;
mod runs;
mod schemas;
mod sitemap_gaps;
mod timeseries;
mod url;
mod urls;
pub(crate) mod widgets;

use pharos_domain::{
    identity::DomainAccess,
    ids::{IndexingUrlId, RunId},
    problem::Suffix,
};
use pharos_http::{
    operation::Operation,
    problem::{Problem, out_of_reach},
};
use pharos_search::indexing::store::urls::{IndexingUrls, Site};

/// The operations.
pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::new(&overview::SPEC, overview::view),
        Operation::new(&timeseries::SPEC, timeseries::view),
        Operation::new(&changes::SPEC, changes::list),
        Operation::new(&crawl_stats::SPEC, crawl_stats::view),
        Operation::new(&urls::list::SPEC, urls::list::list),
        Operation::new(&urls::create::SPEC, urls::create::create),
        Operation::new(&urls::view::SPEC, urls::view::view),
        Operation::new(&urls::delete::SPEC, urls::delete::delete),
        Operation::new(&canonicals::SPEC, canonicals::list),
        Operation::new(&rich_results::SPEC, rich_results::list),
        Operation::new(&sitemap_gaps::SPEC, sitemap_gaps::list),
        Operation::new(&runs::create::SPEC, runs::create::create),
        Operation::new(&runs::list::SPEC, runs::list::list),
        Operation::new(&runs::view::SPEC, runs::view::view),
        Operation::new(&runs::results::SPEC, runs::results::list),
    ]
}

/// A sentence in the description of every read.
macro_rules! indexed_version {
    () => {
        "Google tells of the version in its index, as of `inspected_at`, and not of the live page: a change shows once it has \
         fetched the page again."
    };
}
use indexed_version;

/// A sentence in the descriptions of counts.
macro_rules! monitored_alone {
    () => {
        "URLs that are not monitored any more, or that inspector runs alone have named, are not counted."
    };
}
use monitored_alone;

/// The inspection of a domain. 404 where there is none.
async fn site(urls: &dyn IndexingUrls, access: &DomainAccess) -> Result<Site, Problem> {
    urls.site(access).await?.ok_or_else(|| {
        Problem::new(
            Suffix::IndexingNotFound,
            "No URL of this domain is inspected. Link it to a property of Search Console: an admin of the workspace does that in \
             the console, or the operator with `pharos admin search link`.",
        )
    })
}

/// The property that a domain is linked to. 404 where it is not.
async fn linked(urls: &dyn IndexingUrls, access: &DomainAccess) -> Result<String, Problem> {
    let site = urls.site(access).await?;
    site.and_then(|site| site.site_url).ok_or_else(|| {
        Problem::new(
            Suffix::GscPropertyNotLinked,
            "The domain is not linked to a property of Search Console, which inspects URLs. An admin of the workspace links it in \
             the console, or the operator with `pharos admin search link`.",
        )
    })
}

/// 404: there is no such URL.
fn no_such_url(id: IndexingUrlId) -> Problem {
    out_of_reach(Suffix::IndexingUrlNotFound, "monitored URL", id)
}

/// 404: there is no such run.
fn no_such_run(id: RunId) -> Problem {
    out_of_reach(Suffix::InspectorRunNotFound, "inspector run", id)
}
