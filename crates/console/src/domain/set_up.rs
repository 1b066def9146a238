//! How a domain gets what the page of a module shows, in its place while there is nothing.

use maud::{Markup, html};
use pharos_domain::module::Module;

use super::{add::CHANGERS, experiments, lab, search_console, tabs::SETTINGS, watched};
use crate::{enter::AtDomain, nav::domain_path, parts::notice};

/// How a domain gets what the module shows.
pub(super) fn set_up(here: &AtDomain, module: Module) -> Markup {
    let (title, first) = match module {
        Module::Analytics | Module::Rum => (
            "Nothing is collected here yet",
            html! {
                @if here.role() >= CHANGERS {
                    p { "Switch it on, and put the script tag on the pages of the site: both stand in the " a href={ (domain_path(here.id(), SETTINGS)) "#collection" } { "settings" } "." }
                } @else {
                    p { "An owner or admin of the workspace switches it on, and puts a script tag on the pages of the site." }
                }
                @if module == Module::Analytics {
                    p { a href=(domain_path(here.id(), experiments::PATH)) { "Experiments by metrics of search and of vitals" } " do without." }
                }
            },
        ),
        Module::Crux => (
            "No field data are followed yet",
            html! {
                p { "Whoever runs this Pharos gives it a key of the Chrome UX Report; then the site is followed." }
                (list_of(here, module))
            },
        ),
        Module::Synthetic => (
            "Nothing is tested in the lab yet",
            html! {
                p { "Give it the first page, here or by the API: " code { "POST /domains/" (here.id()) "/synthetic/urls" } }
                p { a href=(domain_path(here.id(), &lab::settings::below_domain())) { "Pages that are tested, and budgets" } }
            },
        ),
        Module::Gsc => (
            "No property of Search Console is linked",
            html! {
                @if here.role() >= CHANGERS {
                    p { "Connect a Google account that sees the site in Search Console, and choose the property." }
                    div.actions { a.button href=(search_console::path(here)) { "Connect Search Console" } }
                } @else {
                    p { "An owner or admin of the workspace connects one." }
                }
            },
        ),
        Module::Indexing => (
            "No page is inspected yet",
            html! {
                p {
                    "Google tells it of the pages of a property of Search Console, once one is linked: "
                    a href=(domain_path(here.id(), Module::Gsc.as_str())) { "Search" }
                    ". They come from sitemaps, from search and by hand."
                }
                (list_of(here, module))
            },
        ),
        _ => (
            "Nothing was read here yet",
            html! {
                p { "The files of the site are read within a minute." }
                (list_of(here, module))
            },
        ),
    };
    notice::empty(title, &first)
}

/// The way to the list that people keep of a module, if it has one.
pub(super) fn list_of(here: &AtDomain, module: Module) -> Markup {
    html! {
        @if let Some(list) = watched::List::of(module) { p { a href=(list.path(here)) { (list.title()) } } }
    }
}
