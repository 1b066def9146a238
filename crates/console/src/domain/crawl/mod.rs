//! The parts of the pages of robots.txt and sitemaps that no widget of a report shows.

mod robots;
pub(crate) mod saved;
mod sitemap;
pub(crate) mod try_out;
pub(crate) mod version;

use maud::{Markup, html};
use pharos_crawl::robots::issue::IssueSeverity;
use pharos_domain::module::Module;

use crate::{
    console::Console,
    enter::AtDomain,
    parts::mark::{self, Tone},
    refusal::Refusal,
};

/// The parts of a module's page that no widget shows, by the query of its address.
pub(super) async fn sections(
    console: &Console,
    here: &AtDomain,
    module: Module,
    query: &str,
) -> Result<Markup, Refusal> {
    match module {
        Module::Robots => robots::sections(console, here, query).await,
        Module::Sitemap => sitemap::sections(console, here).await,
        _ => Ok(html! {}),
    }
}

fn severity(severity: IssueSeverity) -> Markup {
    match severity {
        IssueSeverity::Error => mark::state(Tone::Bad, "Error"),
        IssueSeverity::Warning => mark::state(Tone::Warn, "Warning"),
        IssueSeverity::Info => mark::state(Tone::Calm, "Info"),
    }
}
