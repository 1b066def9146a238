//! Operations of the module `crux`: field data of the Chrome UX Report.

mod figures;
pub(super) mod history;
pub(super) mod lcp_breakdown;
pub(super) mod lookup;
pub(super) mod navigation_types;
pub(super) mod overview;
mod parameters;
pub(super) mod record;
pub(super) mod urls;

use pharos_domain::{identity::DomainAccess, ids::CruxUrlId, problem::Suffix, settings::Faults};
use pharos_http::problem::{Problem, out_of_reach};
use pharos_vitals::crux::{
    store::{CruxStore, Followed},
    target::{self, TargetStatus},
};

/// The sentences that every description of a read has.
macro_rules! populations {
    () => {
        "Figures are of the 28 days up to the end of the period, of Chrome users who opted in. An origin and its pages are \
         separate populations: neither stands in for the other."
    };
}
use populations;

/// 404: nothing is collected.
fn not_configured() -> Problem {
    Problem::new(
        Suffix::CruxNotFound,
        "Nothing is collected of this domain. Field data needs a key of the Chrome UX Report API, which the operator of the \
         installation sets as crux_api_key; a new domain is asked for within a minute.",
    )
}

/// 404: the report never answered.
fn never_answered(status: TargetStatus) -> Problem {
    let detail = if status == TargetStatus::Error {
        "The Chrome UX Report could not be asked for this domain so far. It is asked again by itself; whoever runs the \
         installation finds the reason with `pharos doctor`."
    } else {
        "The Chrome UX Report was not asked for this domain yet. A new domain is asked for within a minute, as long as the \
         installation has a key of its API (crux_api_key)."
    };
    Problem::new(Suffix::CruxNotFound, detail)
}

/// 404: there is no such page.
fn no_such_url(id: CruxUrlId) -> Problem {
    out_of_reach(Suffix::CruxUrlNotFound, "tracked URL", id)
}

/// The origin of a domain.
async fn origin(store: &dyn CruxStore, access: &DomainAccess) -> Result<Followed, Problem> {
    store.origin(access).await?.ok_or_else(not_configured)
}

/// The origin of a domain, or the page of `url`, which has to be followed.
async fn origin_or_page(
    store: &dyn CruxStore,
    access: &DomainAccess,
    url: Option<&str>,
) -> Result<Followed, Problem> {
    let Some(text) = url else {
        return origin(store, access).await;
    };
    let page = match address(access, text) {
        Some(url) => store.page_of(access, &url).await?,
        None => None,
    };
    page.ok_or_else(not_followed)
}

/// The normal form of a page's URL; `None`: a text that is no URL of the domain names a page that nobody follows.
fn address(access: &DomainAccess, text: &str) -> Option<String> {
    target::page("url", text, &access.domain().hostname, &mut Faults::default())
}

/// 404: nobody follows the page.
fn not_followed() -> Problem {
    let detail = "The page is not followed. Follow it (`POST /domains/{domain_id}/crux/urls`), or look it up once \
                  (`POST /domains/{domain_id}/crux/lookup`).";
    Problem::new(Suffix::CruxUrlNotFound, detail)
}
