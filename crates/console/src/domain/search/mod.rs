//! The parts of the pages of search and of Google's index that no widget of a report shows.

mod before;
pub(crate) mod detail;
mod found;
pub(crate) mod index;
pub(super) mod kind;
pub(crate) mod list;
pub(crate) mod opportunities;
mod tables;

use maud::{Markup, html};
use pharos_domain::{module::Module, window::DateRange};
use pharos_search::gsc::{figures::SearchType, property::Property};
use time::Date;

use self::kind::Kind;
use crate::{
    console::Console,
    domain::search_console::may_not_inspect,
    enter::AtDomain,
    nav::domain_path,
    parts::notice,
    period::{Days, and, day},
    refusal::Refusal,
};

/// The part above the figures of a module: the choice of a kind of search, the way to analyses, and a note on days that are not
/// complete.
pub(super) async fn above(
    console: &Console,
    here: &AtDomain,
    module: Module,
    days: &Days,
    kind: &Kind,
) -> Result<Markup, Refusal> {
    if !matches!(module, Module::Gsc | Module::Indexing) {
        return Ok(html! {});
    }
    let property = console.parts.search.properties.property(&here.access).await?;
    if module == Module::Indexing {
        return Ok(html! {
            p { a href=(domain_path(here.id(), index::PATH)) { "What else inspections found: canonical pages, rich results, gaps to sitemaps, crawls" } }
            @if let Some(property) = &property {
                @if let Some(told) = may_not_inspect(property.permission) { (notice::hint(&html! { p { (told) } })) }
            } @else {
                (notice::hint(&uninspected(here)))
            }
        });
    }
    let Some(property) = property else {
        return Ok(html! {});
    };
    let told = known_in_part(&property, days, kind.search_type);
    let path = domain_path(here.id(), Module::Gsc.as_str());
    let choice = kind.choice(&property, |kept| format!("{path}?{}{}", days.query(), and(kept)));
    let pictures = before::beside_before(console, here, property, days, kind.search_type).await?;
    Ok(html! {
        (choice)
        p { a href=(domain_path(here.id(), opportunities::PATH)) { "Opportunities: what to do, and what changed" } }
        @if let Some(told) = told { (notice::hint(&html! { p { (told) } })) }
        (pictures)
    })
}

/// Whether the property is there that a module asks Google about. The other modules ask about none.
pub(super) async fn is_linked(console: &Console, here: &AtDomain, module: Module) -> Result<bool, Refusal> {
    if !matches!(module, Module::Gsc | Module::Indexing) {
        return Ok(true);
    }
    let property = console.parts.search.properties.property(&here.access).await?;
    Ok(property.is_some())
}

/// The words of a site whose URLs were inspected, and are not any more.
fn uninspected(here: &AtDomain) -> Markup {
    html! {
        p {
            "No URL is inspected any more, since no property of Search Console is linked: "
            a href=(domain_path(here.id(), Module::Gsc.as_str())) { "Search" }
            ". The figures are of the inspections before."
        }
    }
}

/// The way from a table with the first queries or pages to all of them.
pub(super) fn all_of(here: &AtDomain, days: &Days, kind: &Kind, widget: &str) -> Markup {
    let (path, name) = match widget {
        "queries" => (list::QUERIES, "All queries"),
        "pages" => (list::PAGES, "All pages"),
        _ => return html! {},
    };
    html! {
        p { a href={ (domain_path(here.id(), path)) "?" (days.query()) (and(&kind.pairs())) } { (name) } }
    }
}

/// The words in the place of figures where no property is linked; `what` begins the sentence that says why.
fn unlinked(here: &AtDomain, what: &str) -> Markup {
    let way = html! {
        p { (what) " the figures of a property that is linked: " a href=(domain_path(here.id(), Module::Gsc.as_str())) { "Search" } "." }
    };
    notice::empty("No property of Search Console is linked", &way)
}

/// The note on days of which some were not imported, or could not be read yet.
fn known_in_part(property: &Property, days: &Days, kind: SearchType) -> Option<String> {
    let Some(from) = property.reach.oldest(kind) else {
        let is_wanted = property.search_types.contains(&kind);
        return (!is_wanted).then(|| {
            format!(
                "Nothing is imported of {}: the settings of the domain say which kinds of search are.",
                kind::name(kind)
            )
        });
    };
    let (window, compared) = (days.window(), days.compared.map(|compared| compared.window));
    let is_whole = |window: DateRange| property.reach.reaches(kind, window);
    if from > window.last() {
        return Some(format!(
            "None of these days is imported: figures begin with {}.",
            day(from)
        ));
    }
    if !is_whole(window) {
        let known = window
            .dates()
            .filter(|date| is_whole(DateRange::ending(*date, 1)));
        let sums = format!(
            "sums are of {} of these {} days alone.",
            known.count(),
            window.days()
        );
        return Some(if from > window.first() {
            format!("Figures begin with {}: {sums}", day(from))
        } else {
            format!("Some of these days could not be read from Google yet: {sums}")
        });
    }
    let before = compared.filter(|before| !is_whole(*before))?;
    Some(if from > before.first() {
        format!(
            "Figures begin with {}: not all of the days before are imported, so nothing is compared with them.",
            day(from)
        )
    } else {
        "Some of the days before could not be read from Google yet, so nothing is compared with them."
            .to_owned()
    })
}

/// The oldest day that was imported of the search for pages, with all after it.
fn imported_from(property: &Property) -> Option<Date> {
    property.reach.oldest(SearchType::Web)
}
