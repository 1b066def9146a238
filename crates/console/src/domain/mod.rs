//! The pages of a domain.

pub(crate) mod add;
pub(crate) mod alerts;
mod bands;
mod beside;
mod blame;
pub(crate) mod crawl;
pub(crate) mod deleted;
pub(crate) mod errors;
pub(crate) mod experiments;
mod first_steps;
pub(crate) mod incident;
pub(crate) mod incidents;
mod index_urls;
pub(crate) mod lab;
pub(crate) mod module;
pub(crate) mod monitoring;
pub(crate) mod now;
pub(crate) mod pictures;
pub(crate) mod rules;
pub(crate) mod search;
pub(crate) mod search_console;
pub(crate) mod settings;
mod tabs;
mod trust;
pub(crate) mod visits;
pub(crate) mod watched;

use actix_web::HttpRequest;
use maud::Markup;
use pharos_account::domains::Domain;
use pharos_domain::{module::Module, role::Role};

use crate::{
    console::Console, enter::AtDomain, nav::workspace_path, page::Page, refusal::Refusal, shown::shown,
};

/// A domain as its pages name it.
pub(crate) struct Named {
    pub(crate) title: String,
    hostname: String,
    pub(crate) is_verified: bool,
    /// The modules that are switched on.
    active: Vec<Module>,
}

impl Named {
    fn of(domain: &Domain) -> Self {
        let hostname = domain.hostname.as_str().to_owned();
        let title = domain
            .display_name
            .as_deref()
            .map_or_else(|| hostname.clone(), shown);
        Self {
            title,
            hostname,
            is_verified: domain.verified,
            active: domain.active_modules.clone().unwrap_or_default(),
        }
    }
}

/// The domain, unless it was deleted meanwhile.
pub(crate) async fn named(console: &Console, here: &AtDomain) -> Result<Named, Refusal> {
    let domain = console.parts.sites.view(&here.access).await?;
    domain.as_ref().map(Named::of).ok_or(Refusal::NoPage)
}

/// Opens a page about figures of a module, for somebody who may see it, and gives its content. `source` looks for what the figures
/// come from: with it they are read within a permit and drawn, and without it the page says how to set it up.
pub(crate) async fn opened<S>(
    console: &Console,
    request: &HttpRequest,
    (id, module): (&str, Module),
    source: impl AsyncFnOnce(&AtDomain) -> Result<Option<S>, Refusal>,
    set_up: impl FnOnce(&AtDomain) -> Markup,
    drawn: impl AsyncFnOnce(&AtDomain, S) -> Result<Markup, Refusal>,
) -> Result<(AtDomain, Named, Markup), Refusal> {
    let here = console.at_domain(request, id, Role::Viewer).await?;
    here.needs(module)?;
    let domain = named(console, &here).await?;
    let content = match source(&here).await? {
        None => set_up(&here),
        Some(source) => {
            let drawing = drawn(&here, source);
            console.page_permits.read(here.workspace(), drawing).await?
        }
    };
    Ok((here, domain, content))
}

/// The frame of a domain's page, at one of its tabs.
pub(crate) fn frame<'a>(here: &'a AtDomain, title: &'a str, tab: &str) -> Page<'a> {
    Page::new(title, Some(here.user.owner()))
        .at(here.place())
        .below(workspace_path(here.workspace(), ""), shown(here.workspace_name()))
        .tabs(tabs::tabs(here, tab))
        .wide()
}
