//! The opportunities of a domain in search: what to do, what changed, and who searched for what.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_domain::{
    module::Module,
    window::{Horizon, ResolvedWindow},
};
use pharos_search::gsc::property::Property;

use super::{found::Found, imported_from, tables, unlinked};
use crate::{
    console::Console,
    domain::{frame, opened},
    enter::AtDomain,
    nav::domain_path,
    parts::notice,
    period::day,
    refusal::Refusal,
};

/// Where the page lies below a domain.
pub(super) const PATH: &str = "gsc/opportunities";
/// How many days the analyses are about, as in the API.
const DAYS: u16 = 28;

/// GET /console/domains/{domain_id}/gsc/opportunities
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let search = &console.parts.search;
    let asked = ResolvedWindow::fixed(DAYS, &Horizon::of(Module::Gsc, console.parts.clock.now()));
    let (here, domain, content) = opened(
        &console,
        &request,
        (&id, Module::Gsc),
        async |here| Ok(search.properties.property(&here.access).await?),
        |here| unlinked(here, "Opportunities are found in"),
        async |here, property| {
            let found = Found::read(search, &here.access, &property, &asked).await?;
            Ok(content(here, &property, &found))
        },
    )
    .await?;
    Ok(frame(&here, &domain.title, Module::Gsc.as_str())
        .part("Opportunities")
        .with(&content))
}

fn content(here: &AtDomain, property: &Property, found: &Found) -> Markup {
    html! {
        p { a href=(domain_path(here.id(), Module::Gsc.as_str())) { "Search: figures by day, query and page" } }
        p.note {
            "Of the search for pages, " (day(found.window.first())) " to " (day(found.window.last())) ", against as many days before. \
             Each table has the first rows; the API has more."
        }
        @if !found.is_known {
            (notice::hint(&html! { p { (not_imported(property)) } }))
        }
        (tables::opportunities(found))
        (tables::gaps(found))
        (tables::movers(property, found))
        (tables::new(property, found))
        (tables::lost(found))
        (tables::cannibalized(found))
        (tables::decaying(property, found))
        (tables::brand(here, found))
        (tables::directories(found))
    }
}

/// Why nothing is known of the days.
fn not_imported(property: &Property) -> String {
    match imported_from(property) {
        None => {
            "Nothing was imported yet: the first figures come within some minutes of the link.".to_owned()
        }
        Some(from) => format!(
            "Nothing is known of these days. Imported are days from {} on{}.",
            day(from),
            property
                .data_through
                .map(|through| format!(", final up to {}", day(through)))
                .unwrap_or_default()
        ),
    }
}
