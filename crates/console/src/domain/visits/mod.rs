//! The pages of visits: figures that are narrowed by a click, funnels, journeys, who comes back, and who is on the site now. They
//! ask the ports that the API asks.

pub(crate) mod explore;
pub(crate) mod funnel;
pub(crate) mod journeys;
mod narrowed;
pub(crate) mod realtime;
pub(crate) mod retention;
mod tables;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode};
use maud::{Markup, html};
use pharos_analytics::settings::AnalyticsSite;
use pharos_domain::{module::Module, role::Role, window::DateRange};
use pharos_pictures::figure::number;
use time::{Duration, OffsetDateTime};

use self::narrowed::Narrowed;
use super::{add::CHANGERS, frame, module::set_up, named, tabs::SETTINGS};
use crate::{
    console::Console,
    enter::AtDomain,
    nav::domain_path,
    page::moment,
    parts::notice,
    period::{Days, and},
    refusal::Refusal,
    shown::shown,
    words::length,
};

/// The pages, in the order of the links to them: the last part of each path, and its name for people.
const PAGES: [(&str, &str); 5] = [
    (explore::PATH, "Explore"),
    (funnel::PATH, "Funnel"),
    (journeys::PATH, "Journeys"),
    (retention::PATH, "Retention"),
    (realtime::PATH, "Now"),
];

/// The longest addresses that names of tables lead to, which carry all filters: a page has some hundred of them.
const LONGEST_LINK: usize = 750;
/// How many characters of a name are shown of its beginning, and of its end where it has more than both. Whoever calls the site
/// makes them as long as they like.
const BEGINNING: usize = 70;
const END: usize = 30;

/// The path of a page.
fn path(here: &AtDomain, page: &str) -> String {
    domain_path(here.id(), &format!("{}/{page}", Module::Analytics))
}

/// The ways to the pages, for the same days and visits; `None`: from the module's own page.
fn ways(here: &AtDomain, current: Option<&str>, days: &Days, visits: &[(&str, &str)]) -> Markup {
    let (days, visits) = (days.query(), and(visits));
    html! {
        nav.range aria-label="Visits" {
            a href={ (domain_path(here.id(), Module::Analytics.as_str())) "?" (days) }
                aria-current=[current.is_none().then_some("true")] { "Report" }
            @for (page, name) in PAGES {
                a href={ (path(here, page)) "?" (days) (visits) }
                    aria-current=[(current == Some(page)).then_some("true")] { (name) }
            }
        }
    }
}

/// The ways from the module's own page to these.
pub(super) fn from_report(here: &AtDomain, days: &Days) -> Markup {
    ways(here, None, days, &[])
}

/// The data that every page of visits needs.
struct Opened {
    here: AtDomain,
    title: String,
    /// `None`: visits of the site are not measured.
    site: Option<AnalyticsSite>,
    days: Days,
    narrowed: Narrowed,
}

impl Opened {
    /// Opens one of the pages for somebody who may see it.
    async fn of(console: &Console, request: &HttpRequest, id: &str) -> Result<Self, Refusal> {
        let here = console.at_domain(request, id, Role::Viewer).await?;
        here.needs(Module::Analytics)?;
        let domain = named(console, &here).await?;
        let site = console.parts.collection.analytics.view(&here.access).await?;
        let query = request.query_string();
        Ok(Self {
            days: Days::of(Module::Analytics, query, console.parts.clock.now()),
            narrowed: Narrowed::of(query),
            title: domain.title,
            site,
            here,
        })
    }

    /// The days that the page compares with. Nothing is known of those that are no longer kept.
    fn kept_before(&self) -> Option<DateRange> {
        let compared = self.days.compared.filter(|compared| compared.is_kept);
        compared.map(|compared| compared.window)
    }

    /// Whether the address asks for days that there are, and for visits that there can be.
    fn is_in_order(&self) -> bool {
        self.days.faults.is_empty() && self.narrowed.faults.is_empty()
    }

    /// The answer; whether all that the page goes by in its address is in order.
    fn answer(&self, is_in_order: bool, content: &Markup) -> HttpResponse {
        let status = if is_in_order {
            StatusCode::OK
        } else {
            StatusCode::BAD_REQUEST
        };
        frame(&self.here, &self.title, Module::Analytics.as_str())
            .status(status)
            .with(content)
    }

    /// The answer where nothing is measured: how to begin.
    fn unmeasured(&self) -> HttpResponse {
        self.answer(true, &set_up(&self.here, Module::Analytics))
    }

    /// The address of a page for the same days, and the visits that these pairs say; `own` are parameters of the page alone.
    fn address(&self, page: &str, visits: &[(&str, &str)], own: &[(&str, &str)]) -> String {
        let days = self.days.query();
        format!("{}?{days}{}{}", path(&self.here, page), and(visits), and(own))
    }

    /// The part above the figures of a page that is about days: the ways on, the choice of days, which visits are shown.
    fn head(&self, page: &str, own: &[(&str, &str)]) -> Markup {
        let kept = [self.narrowed.pairs().as_slice(), own].concat();
        let path = path(&self.here, page);
        let choice = if page == explore::PATH {
            self.days.choice_keeping(&path, &kept)
        } else {
            self.days.choice_alone(&path, &kept)
        };
        html! {
            (ways(&self.here, Some(page), &self.days, &self.narrowed.pairs()))
            (choice)
            (self.narrowed.show(|visits| self.address(page, visits, own)))
        }
    }

    /// The words in place of figures where there are none.
    fn nothing(&self, page: &str, last_at: Option<OffsetDateTime>) -> Markup {
        let is_narrowed = !self.narrowed.pairs().is_empty();
        match last_at {
            None => unseen(&self.here),
            Some(_) if is_narrowed => notice::empty(
                "No visit of these days fits",
                &html! { p { a href=(self.address(page, &[], &[])) { "Show all visits" } } },
            ),
            Some(last_at) => notice::empty(
                "No visit in these days",
                &html! { p { "The last sign of one came on " (moment(last_at)) ": days with it show it." } },
            ),
        }
    }
}

/// The words in place of figures of a site of which no visit was ever seen.
pub(super) fn unseen(here: &AtDomain) -> Markup {
    notice::empty("No visit was seen yet", &first_shows(here))
}

/// When the first visit shows, and what the site needs for that.
pub(super) fn first_shows(here: &AtDomain) -> Markup {
    html! {
        p { "The first shows here within a minute of the script tag being on the pages of the site." }
        @if here.role() >= CHANGERS {
            p { "It stands in the " a href={ (domain_path(here.id(), SETTINGS)) "#collection" } { "settings" } "." }
        }
    }
}

/// The faults of an address that are a page's own.
pub(super) fn faulty(faults: &[String]) -> Markup {
    html! {
        @if !faults.is_empty() {
            div.fault role="alert" { ul { @for fault in faults { li { (fault) } } } }
        }
    }
}

/// A name of the site's, or of whoever calls it, as it is shown: a long one without its middle.
pub(super) fn brief(name: &str) -> String {
    let letters = name.chars().count();
    if letters <= BEGINNING + END {
        return shown(name);
    }
    let beginning: String = name.chars().take(BEGINNING).collect();
    let end: String = name.chars().skip(letters - END).collect();
    format!("{}…{}", shown(&beginning), shown(&end))
}

/// A name that leads to an address, unless that is too long.
pub(super) fn leading(address: &str, name: &str) -> Markup {
    html! {
        @if address.len() > LONGEST_LINK {
            bdi { (name) }
        } @else {
            a href=(address) { bdi { (name) } }
        }
    }
}

/// A count in words.
fn count(count: u64) -> String {
    number(count as f64, 0)
}

/// A count that a picture has.
fn whole(value: f64) -> String {
    number(value, 0)
}

/// A length of time in words.
fn seconds(seconds: f64) -> String {
    length(Duration::saturating_seconds_f64(seconds.round()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_shown_without_its_middle_and_leads_nowhere_if_its_address_is_too_long() {
        let fits = "/".repeat(BEGINNING + END);
        assert_eq!(brief(&fits), fits);
        let long = format!("/a/{}/ü", "x".repeat(2_000));
        let told = brief(&long);
        assert_eq!(told.chars().count(), BEGINNING + 1 + END);
        assert!(told.starts_with("/a/x") && told.ends_with("x/ü"), "{told}");
        assert!(told.contains("x…x"), "{told}");
        assert!(brief(&format!("{long}\u{202e}")).ends_with("⟦U+202E⟧"));

        let short = leading("/console?page=/a", "/a<").into_string();
        assert_eq!(short, "<a href=\"/console?page=/a\"><bdi>/a&lt;</bdi></a>");
        assert_eq!(leading(&long, "/a").into_string(), "<bdi>/a</bdi>");
    }
}
