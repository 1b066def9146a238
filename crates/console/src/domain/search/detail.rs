//! One query, or one page of the results: its days, the pages or queries that it is seen with, and where people searched. It is read
//! by the ports that the API's details ask, over the days of the address.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    window::{DateRange, change_pct},
};
use pharos_http::countries::country_name;
use pharos_pictures::figure::{number, percent};
use pharos_reporting::render::labels::word;
use pharos_search::gsc::{
    days::{History, PartFilter, grouped},
    figures::{Figures, SearchType, share_pct},
    place::Country,
    property::Property,
    values::{Detail, Dimension},
};
use time::Date;

use super::{
    before::Course,
    kind::{self, Kind},
    known_in_part, list,
    tables::{count, position, rate, section, text},
    unlinked,
};
use crate::{
    console::{Console, Search},
    domain::{frame, opened},
    enter::AtDomain,
    nav::domain_path,
    parts::{
        facts::{Figure, figures},
        name::{brief, leading},
        notice::{self, faulty},
        table::{Column, Table, figure_cell},
    },
    period::{Days, and},
    query::in_query,
    refusal::Refusal,
};

/// How many rows a table has. The API has more.
const MOST: u16 = 50;
/// How many countries are shown.
const MOST_COUNTRIES: usize = 10;
/// The longest query or URL that there is, in bytes, as at the API.
const LONGEST: usize = 2_000;

/// GET /console/domains/{domain_id}/gsc/queries/detail
pub(crate) async fn query(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    show(&request, &id, &console, Dimension::Query).await
}

/// GET /console/domains/{domain_id}/gsc/pages/detail
pub(crate) async fn page(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    show(&request, &id, &console, Dimension::Page).await
}

/// The last parts of the path of the page about a query or a page, and the parameter that names it.
const fn place(dimension: Dimension) -> (&'static str, &'static str) {
    match dimension {
        Dimension::Query => ("gsc/queries/detail", "query"),
        Dimension::Page => ("gsc/pages/detail", "url"),
    }
}

/// The address of the page about a query or a page, for the same days and kind of search.
pub(super) fn address(
    here: &AtDomain,
    dimension: Dimension,
    days: &Days,
    kind: &Kind,
    value: &str,
) -> String {
    let (path, parameter) = place(dimension);
    let mut pairs: Vec<(&str, &str)> = kind.pairs();
    pairs.push((parameter, value));
    format!("{}?{}{}", domain_path(here.id(), path), days.query(), and(&pairs))
}

async fn show(
    request: &HttpRequest,
    id: &str,
    console: &Console,
    dimension: Dimension,
) -> Result<HttpResponse, Refusal> {
    let asked = Asked {
        days: Days::of(Module::Gsc, request.query_string(), console.parts.clock.now()),
        kind: Kind::of(Module::Gsc, request.query_string()),
        value: in_query(request.query_string(), place(dimension).1).unwrap_or_default(),
        dimension,
    };
    let search = &console.parts.search;
    let (here, domain, content) = opened(
        console,
        request,
        (id, Module::Gsc),
        async |here| {
            if asked.value.is_empty() || asked.value.len() > LONGEST {
                return Err(Refusal::NoPage);
            }
            Ok(search.properties.property(&here.access).await?)
        },
        |here| unlinked(here, "This page shows"),
        async |here, property| {
            let found = asked.read(search, &here.access, property).await?;
            Ok(asked.content(here, &found))
        },
    )
    .await?;
    let title = brief(&asked.value);
    let (above, name) = match dimension {
        Dimension::Query => (list::QUERIES, "Queries"),
        Dimension::Page => (list::PAGES, "Pages in the results"),
    };
    Ok(frame(&here, &title, Module::Gsc.as_str())
        .below(domain_path(here.id(), ""), domain.title)
        .below(domain_path(here.id(), Module::Gsc.as_str()), "Search")
        .below(domain_path(here.id(), above), name)
        .status(asked.status())
        .with(&content))
}

/// The query or page that an address asks about.
struct Asked {
    dimension: Dimension,
    value: String,
    days: Days,
    kind: Kind,
}

/// The query or page as it is known.
struct Found {
    history: History,
    /// `None`: it never occurred.
    detail: Option<Detail>,
    /// Its days with rows, those of the days before too.
    by_day: BTreeMap<Date, Figures>,
    /// The days before, where all of them are imported.
    before: Option<DateRange>,
}

impl Asked {
    fn status(&self) -> StatusCode {
        if self.days.faults.is_empty() && self.kind.fault.is_none() {
            StatusCode::OK
        } else {
            StatusCode::BAD_REQUEST
        }
    }

    /// One read after the other: each is a long one, for which a page has one connection.
    async fn read(
        &self,
        search: &Search,
        domain: &DomainAccess,
        property: Property,
    ) -> Result<Found, Refusal> {
        let (kind, window) = (self.kind.search_type, self.days.window());
        let detail = if self.dimension.is_of(kind) {
            let values = &search.values;
            values
                .detail(domain, kind, self.dimension, &self.value, window, MOST)
                .await?
        } else {
            None
        };
        let compared = self.days.compared.filter(|compared| compared.is_kept);
        let before = compared.map(|compared| compared.window);
        let before = before.filter(|before| property.reach.reaches(kind, *before));
        let windows: Vec<DateRange> = std::iter::once(window).chain(before).collect();
        let mut by_day = BTreeMap::new();
        if detail.is_some() {
            let value = Some(self.value.clone());
            let part = match self.dimension {
                Dimension::Query => PartFilter {
                    query: value,
                    ..PartFilter::default()
                },
                Dimension::Page => PartFilter {
                    page: value,
                    ..PartFilter::default()
                },
            };
            for days in &windows {
                let found = search.days.series(domain, kind, *days, &part).await?;
                by_day.extend(found.unwrap_or_default());
            }
        }
        let stored = search.days.days(domain, &[kind], &windows).await?;
        Ok(Found {
            history: History::new(property, stored),
            detail,
            by_day,
            before,
        })
    }

    fn content(&self, here: &AtDomain, found: &Found) -> Markup {
        let (path, parameter) = place(self.dimension);
        let path = domain_path(here.id(), path);
        let mut kept: Vec<(&str, &str)> = self.kind.pairs();
        kept.push((parameter, self.value.as_str()));
        let own = and(&[(parameter, self.value.as_str())]);
        let property = found.history.property();
        let kind = self.kind.search_type;
        html! {
            (faulty(self.kind.fault.as_slice()))
            (self.days.choice_keeping(&path, &kept))
            (self.kind.choice(property, |kind| format!("{path}?{}{}{own}", self.days.query(), and(kind))))
            @if let Some(told) = known_in_part(property, &self.days, kind) { (notice::hint(&html! { p { (told) } })) }
            @match &found.detail {
                None if self.dimension.is_of(kind) => (notice::empty(
                    "It was never seen in the results",
                    &html! { p { "Google names it on no day that is imported, and hides what is rare." } },
                )),
                None => (notice::empty(
                    &format!("{} has no queries", kind::name(kind)),
                    &html! { p { "It shows pages to people who searched for nothing." } },
                )),
                Some(detail) => (self.known(here, found, detail)),
            }
        }
    }

    fn known(&self, here: &AtDomain, found: &Found, detail: &Detail) -> Markup {
        let (kind, window) = (self.kind.search_type, self.days.window());
        let of_day = |date: Date| found.history.part(kind, date, &found.by_day);
        let sum = |days: DateRange| {
            let known: Vec<Figures> = days.dates().filter_map(of_day).collect();
            (!known.is_empty()).then(|| known.into_iter().sum::<Figures>())
        };
        let (now, before) = (sum(window), found.before.and_then(sum));
        let course = |id, name, of: fn(&Figures) -> u64| {
            let course = Course {
                id,
                name,
                window,
                before: found.before,
            };
            course.draw(
                |date| found.history.property().is_final(date),
                |date| of_day(date).as_ref().map(of),
            )
        };
        html! {
            (headline(kind, now, found.before.map(|_| before)))
            section.card aria-labelledby="days-head" {
                h2 id="days-head" { "Over time" }
                p.note { "On shaded ground figures may still change." }
                (course("clicks", "Clicks", |figures| figures.clicks))
                (course("impressions", "Impressions", |figures| figures.impressions))
            }
            (self.partners(here, detail, now))
            (devices(detail))
            (countries(detail))
            @if self.dimension == Dimension::Page { (appearances(detail)) }
        }
    }

    /// The pages of a query, or the queries of a page.
    fn partners(&self, here: &AtDomain, detail: &Detail, now: Option<Figures>) -> Markup {
        let other = self.dimension.other();
        if !other.is_of(self.kind.search_type) {
            return html! {};
        }
        // A query's pages are counted by page, so they share what they come to together; a page has clicks of hidden queries too.
        let all = match self.dimension {
            Dimension::Query => detail.partner_clicks,
            Dimension::Page => now.map_or(0, |now| now.clicks),
        };
        let rows = detail.partners.iter().map(|(value, figures)| {
            let address = address(here, other, &self.days, &self.kind, value);
            vec![
                leading(&address, &brief(value)),
                count(figures.clicks),
                share(share_pct(figures.clicks, all)),
                count(figures.impressions),
                rate(figures.ctr()),
                position(figures.position()),
            ]
        });
        let (caption, name, what) = match other {
            Dimension::Page => (
                "Pages",
                "Page",
                "The pages that were shown for it, the most clicks first.",
            ),
            Dimension::Query => (
                "Queries",
                "Query",
                "The queries that it was shown for, the most clicks first. Google hides rare ones, so shares do not add up to 100%.",
            ),
        };
        let table = Table {
            caption,
            columns: &[
                Column::text(name),
                Column::figure("Clicks"),
                Column::figure("Share"),
                Column::figure("Impressions"),
                Column::figure("Click-through rate").spare(),
                Column::figure("Position"),
            ],
            rows: rows.collect(),
        };
        section("partners", what, &table, "Google names none in these days.")
    }
}

/// The figures of all days; `before`: what the page compares them with, if anything.
fn headline(kind: SearchType, now: Option<Figures>, before: Option<Option<Figures>>) -> Markup {
    let whole = |value: u64| number(value as f64, 0);
    let rate = |share: f64| percent(share * 100.0);
    let told = |before: Option<String>| {
        html! {
            "before: "
            @match before { Some(told) => span.figure { (told) }, None => "not known" }
        }
    };
    let counted = |name, of: fn(&Figures) -> u64| {
        let value = now.as_ref().map(of);
        Figure {
            name,
            value: value.map(whole),
            note: before.map(|before| {
                let before = before.as_ref().map(of);
                let as_number = |count: Option<u64>| count.map(|count| count as f64);
                let moved = change_pct(as_number(value), as_number(before));
                html! {
                    @if let Some(moved) = moved { span.figure { @if moved > 0.0 { "+" } (number(moved, 1)) "%" } ", " }
                    (told(before.map(whole)))
                }
            }),
        }
    };
    let mut all = vec![
        counted("Clicks", |figures| figures.clicks),
        counted("Impressions", |figures| figures.impressions),
        Figure {
            name: "Click-through rate",
            value: now.and_then(|now| now.ctr()).map(rate),
            note: before.map(|before| {
                let before = before.and_then(|before| before.ctr());
                told(before.map(rate))
            }),
        },
    ];
    if kind.is_ranked() {
        let place = |value: f64| number(value, 1);
        all.push(Figure {
            name: "Mean position",
            value: now.and_then(|now| now.position()).map(place),
            note: before.map(|before| {
                let before = before.and_then(|before| before.position());
                told(before.map(place))
            }),
        });
    }
    figures(&all)
}

fn share(share: Option<f64>) -> Markup {
    figure_cell(share, percent)
}

/// Figures by what they have in common.
fn parts(id: &str, what: &str, head: (&str, &str), rows: Vec<(String, Figures)>) -> Markup {
    let (caption, name) = head;
    let rows = rows.into_iter().map(|(part, figures)| {
        vec![
            text(&part),
            count(figures.clicks),
            count(figures.impressions),
            rate(figures.ctr()),
            position(figures.position()),
        ]
    });
    let table = Table {
        caption,
        columns: &[
            Column::text(name),
            Column::figure("Clicks"),
            Column::figure("Impressions"),
            Column::figure("Click-through rate").spare(),
            Column::figure("Position"),
        ],
        rows: rows.collect(),
    };
    section(id, what, &table, "Nothing is known of these days.")
}

fn devices(detail: &Detail) -> Markup {
    let devices = grouped(&detail.places, |place| place.device).into_iter();
    let named = devices.map(|(device, figures)| {
        let name = device.map_or("Not known".to_owned(), |device| word(device.as_str()));
        (name, figures)
    });
    let what = "The devices on which people searched.";
    parts("devices", what, ("Devices", "Device"), named.collect())
}

fn countries(detail: &Detail) -> Markup {
    let countries = grouped(&detail.places, |place| place.country).into_iter();
    let named = countries.take(MOST_COUNTRIES).map(|(country, figures)| {
        let name = country_name(country.as_ref().map(Country::as_str));
        (name, figures)
    });
    let what = "The ten countries with the most clicks.";
    parts("countries", what, ("Countries", "Country"), named.collect())
}

fn appearances(detail: &Detail) -> Markup {
    let looks = detail.appearances.iter();
    let named = looks.map(|(look, figures)| (word(look), *figures));
    let what = "How its result looked. One that looked plain is in none of them.";
    parts("looks", what, ("Looks of the result", "Look"), named.collect())
}
