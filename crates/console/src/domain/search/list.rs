//! All queries that people searched for, and all pages that they found: a part of the list at a time, sorted and narrowed as the
//! address says, by the ports that the API asks.

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    page::{OffsetRequest, SortOrder},
};
use pharos_pictures::figure::number;
use pharos_reporting::render::labels::word;
use pharos_search::gsc::{
    days::PartFilter,
    figures::{Device, Figures},
    place::Country,
    property::Property,
    values::{Dimension, RowsOf, ValueFigures, ValueId, ValueSort, Values, ValuesQuery},
};
use time::OffsetDateTime;

use super::{
    detail,
    kind::{self, Kind},
    known_in_part,
    tables::{count, places, position, rate},
    unlinked,
};
use crate::{
    console::{Console, Search},
    domain::{frame, opened},
    enter::AtDomain,
    nav::domain_path,
    parts::{
        name::{brief, leading},
        notice::{self, faulty},
        table::{Column, Pages, Table},
    },
    period::{Days, and, day},
    query::in_query,
    refusal::Refusal,
    sentence::labelled,
};

/// Where the pages lie below a domain.
pub(super) const QUERIES: &str = "gsc/queries";
pub(super) const PAGES: &str = "gsc/pages";
/// How many rows a page has.
const ON_A_PAGE: u32 = 50;
/// How long a text may be that rows have in them, in bytes: each link of the page carries it.
const LONGEST_SEARCH: usize = 200;
/// The order where nobody says which.
const USUAL: (ValueSort, SortOrder) = (ValueSort::Clicks, SortOrder::Descending);

/// GET /console/domains/{domain_id}/gsc/queries
pub(crate) async fn queries(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    show(&request, &id, &console, Dimension::Query).await
}

/// GET /console/domains/{domain_id}/gsc/pages
pub(crate) async fn pages(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    show(&request, &id, &console, Dimension::Page).await
}

async fn show(
    request: &HttpRequest,
    id: &str,
    console: &Console,
    dimension: Dimension,
) -> Result<HttpResponse, Refusal> {
    let asked = Asked::of(dimension, request.query_string(), console.parts.clock.now());
    let search = &console.parts.search;
    let (here, domain, content) = opened(
        console,
        request,
        (id, Module::Gsc),
        async |here| Ok(search.properties.property(&here.access).await?),
        |here| unlinked(here, "This page shows"),
        async |here, property| {
            let found = if dimension.is_of(asked.kind.search_type) {
                Some(asked.read(search, &here.access, &property).await?)
            } else {
                None
            };
            Ok(asked.content(here, &property, found.as_ref()))
        },
    )
    .await?;
    let title = match dimension {
        Dimension::Query => "Queries",
        Dimension::Page => "Pages in the results",
    };
    Ok(frame(&here, title, Module::Gsc.as_str())
        .below(domain_path(here.id(), ""), domain.title)
        .below(domain_path(here.id(), Module::Gsc.as_str()), "Search")
        .status(asked.status())
        .with(&content))
}

/// The part of a list that an address asks for.
struct Asked {
    dimension: Dimension,
    days: Days,
    kind: Kind,
    search: Option<String>,
    device: Option<Device>,
    country: Option<Country>,
    sort: ValueSort,
    order: SortOrder,
    /// From 1 on.
    page: u32,
    /// The faults of all but the days and the kind; the page goes without what is at fault.
    faults: Vec<String>,
}

/// The rows of a part, with what each came to on the days before.
struct Found {
    values: Values,
    /// `None`: the page compares with nothing, or not all of those days are imported.
    before: Option<HashMap<ValueId, Figures>>,
}

impl Asked {
    fn of(dimension: Dimension, query: &str, now: OffsetDateTime) -> Self {
        let given = |name| in_query(query, name).filter(|value| !value.is_empty());
        let mut faults = Vec::new();
        let mut fault = |label: &str, why: &str| faults.push(labelled(label, why));
        let search = given("search").filter(|search| {
            let fits = search.len() <= LONGEST_SEARCH && !search.contains('\0');
            if !fits {
                fault(
                    "Containing",
                    &format!("longer than {LONGEST_SEARCH} bytes, or with NUL in it"),
                );
            }
            fits
        });
        let device = given("device").and_then(|device| {
            let device: Result<Device, _> = device.parse();
            device.map_err(|why| fault("Device", &why.to_string())).ok()
        });
        let country = given("country").and_then(|country| {
            let country: Result<Country, _> = country.parse();
            country.map_err(|why| fault("Country", &why.to_string())).ok()
        });
        let sort = given("sort").and_then(|sort| {
            let sort: Result<ValueSort, _> = sort.parse();
            sort.map_err(|why| fault("Sorted by", &why.to_string())).ok()
        });
        let order = given("order").and_then(|order| {
            let order: Result<SortOrder, _> = order.parse();
            order.map_err(|why| fault("Order", &why.to_string())).ok()
        });
        let page = given("page").and_then(|page| page.parse::<u32>().ok());
        Self {
            dimension,
            days: Days::of(Module::Gsc, query, now),
            kind: Kind::of(Module::Gsc, query),
            search,
            device,
            country,
            sort: sort.unwrap_or(USUAL.0),
            order: order.unwrap_or(USUAL.1),
            page: page.unwrap_or(1).max(1),
            faults,
        }
    }

    fn status(&self) -> StatusCode {
        if self.days.faults.is_empty() && self.kind.fault.is_none() && self.faults.is_empty() {
            StatusCode::OK
        } else {
            StatusCode::BAD_REQUEST
        }
    }

    async fn read(
        &self,
        search: &Search,
        domain: &DomainAccess,
        property: &Property,
    ) -> Result<Found, Refusal> {
        let part = PartFilter {
            country: self.country,
            device: self.device,
            ..PartFilter::default()
        };
        let query = ValuesQuery {
            search_type: self.kind.search_type,
            dimension: self.dimension,
            window: self.days.window(),
            part: &part,
            search: self.search.as_deref(),
            branded: None,
            sort: self.sort,
            order: self.order,
            page: OffsetRequest {
                limit: ON_A_PAGE,
                offset: i64::from(self.page - 1) * i64::from(ON_A_PAGE),
            },
        };
        let values = search.values.list(domain, &query).await?;
        let compared = self.days.compared.filter(|compared| {
            compared.is_kept && property.reach.reaches(self.kind.search_type, compared.window)
        });
        let before = match compared {
            None => None,
            Some(compared) => {
                let ids: Vec<ValueId> = values.items.iter().map(|item| item.id).collect();
                let rows = RowsOf {
                    window: compared.window,
                    ..query.rows()
                };
                Some(search.values.figures(domain, &rows, &ids).await?)
            }
        };
        Ok(Found { values, before })
    }

    /// The parameters that say which rows are listed.
    fn narrowed(&self) -> Vec<(&str, &str)> {
        let mut pairs: Vec<(&str, &str)> = self.kind.pairs();
        pairs.extend(self.filters());
        pairs
    }

    /// Those of them that each kind of search has.
    fn filters(&self) -> Vec<(&str, &str)> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        pairs.extend(self.search.as_deref().map(|search| ("search", search)));
        pairs.extend(self.device.map(|device| ("device", device.as_str())));
        pairs.extend(self.country.as_ref().map(|country| ("country", country.as_str())));
        pairs
    }

    /// The address of the list in an order, from one of its pages on.
    fn address(&self, path: &str, (sort, order): (ValueSort, SortOrder), page: u32) -> String {
        let page = page.to_string();
        let mut pairs = self.narrowed();
        if (sort, order) != USUAL {
            pairs.extend([("sort", sort.as_str()), ("order", order.as_str())]);
        }
        if page != "1" {
            pairs.push(("page", page.as_str()));
        }
        format!("{path}?{}{}", self.days.query(), and(&pairs))
    }

    /// A column that sorts the list by it: the best first, and the other way round where it is sorted so already.
    fn sorting<'a>(&self, path: &str, column: Column<'a>, sort: ValueSort) -> Column<'a> {
        let best = match sort {
            ValueSort::Position | ValueSort::Value => SortOrder::Ascending,
            ValueSort::Clicks | ValueSort::Impressions | ValueSort::Ctr => SortOrder::Descending,
        };
        let is_current = self.sort == sort;
        let order = match (is_current, self.order) {
            (false, _) => best,
            (true, SortOrder::Ascending) => SortOrder::Descending,
            (true, SortOrder::Descending) => SortOrder::Ascending,
        };
        let sorted = match self.order {
            SortOrder::Ascending => "ascending",
            SortOrder::Descending => "descending",
        };
        let address = self.address(path, (sort, order), 1);
        column.sort(address, is_current.then_some(sorted))
    }

    fn content(&self, here: &AtDomain, property: &Property, found: Option<&Found>) -> Markup {
        let path = domain_path(
            here.id(),
            match self.dimension {
                Dimension::Query => QUERIES,
                Dimension::Page => PAGES,
            },
        );
        let mut kept = self.narrowed();
        kept.extend([("sort", self.sort.as_str()), ("order", self.order.as_str())]);
        let filters = and(&self.filters());
        html! {
            (faulty(self.kind.fault.as_slice()))
            (faulty(&self.faults))
            (self.days.choice_keeping(&path, &kept))
            (self.kind.choice(property, |kind| format!("{path}?{}{}{filters}", self.days.query(), and(kind))))
            @if let Some(told) = known_in_part(property, &self.days, self.kind.search_type) { (notice::hint(&html! { p { (told) } })) }
            (self.form(&path))
            @match found {
                None => (notice::empty(
                    &format!("{} has no queries", kind::name(self.kind.search_type)),
                    &html! { p { "It shows pages to people who searched for nothing." } },
                )),
                Some(found) => (self.rows(here, &path, found)),
            }
        }
    }

    /// The form that narrows the list.
    fn form(&self, path: &str) -> Markup {
        let days = self.days.query();
        let days = form_urlencoded::parse(days.as_bytes());
        html! {
            div.range {
                form method="get" action=(path) role="search" aria-label="Narrow the list" {
                    @for (name, value) in days { input type="hidden" name=(name) value=(value); }
                    @for (name, value) in self.kind.pairs() { input type="hidden" name=(name) value=(value); }
                    input type="hidden" name="sort" value=(self.sort);
                    input type="hidden" name="order" value=(self.order);
                    label for="search" { "Containing" }
                    input id="search" name="search" type="search" value=(self.search.as_deref().unwrap_or_default())
                        maxlength=(LONGEST_SEARCH) autocomplete="off";
                    label for="device" { "on" }
                    select id="device" name="device" {
                        option value="" selected[self.device.is_none()] { "any device" }
                        @for device in Device::ALL.iter().copied() {
                            option value=(device) selected[self.device == Some(device)] { (word(device.as_str())) }
                        }
                    }
                    label for="country" { "in the country" }
                    input id="country" name="country" value=(self.country.as_ref().map(Country::as_str).unwrap_or_default())
                        size="4" maxlength="2" placeholder="DE" autocomplete="off";
                    button.quiet type="submit" { "Narrow" }
                }
            }
        }
    }

    fn rows(&self, here: &AtDomain, path: &str, found: &Found) -> Markup {
        let is_ranked = self.kind.search_type.is_ranked();
        let is_compared = found.before.is_some();
        let (name, noun, caption) = match self.dimension {
            Dimension::Query => ("Query", "queries", "Queries"),
            Dimension::Page => ("Page", "pages", "Pages"),
        };
        let change = || is_compared.then(|| Column::figure("Change"));
        let mut columns = vec![
            self.sorting(path, Column::text(name), ValueSort::Value),
            self.sorting(path, Column::figure("Clicks"), ValueSort::Clicks),
        ];
        columns.extend(change());
        columns.push(self.sorting(path, Column::figure("Impressions"), ValueSort::Impressions));
        columns.extend(change());
        columns.push(self.sorting(path, Column::figure("Click-through rate"), ValueSort::Ctr));
        if is_ranked {
            columns.push(self.sorting(path, Column::figure("Position"), ValueSort::Position));
            columns.extend(is_compared.then(|| Column::figure("Places")));
        }
        let items = &found.values.items;
        let rows = items
            .iter()
            .map(|item| self.row(here, item, found.before.as_ref()));
        let table = Table {
            caption,
            columns: &columns,
            rows: rows.collect(),
        };
        let total = found.values.total;
        let before = u64::from(self.page - 1) * u64::from(ON_A_PAGE);
        let end = before + items.len() as u64;
        let part = format!("{} to {} of {} {noun}", told(before + 1), told(end), told(total));
        let pages = Pages {
            shown: &part,
            before: (self.page > 1).then(|| self.address(path, (self.sort, self.order), self.page - 1)),
            after: (end < total).then(|| self.address(path, (self.sort, self.order), self.page + 1)),
        };
        let nothing = notice::empty(
            &format!("No {noun} here"),
            &html! {
                @if self.page > 1 {
                    p { a href=(self.address(path, (self.sort, self.order), 1)) { "The first page of the list" } }
                } @else {
                    p { "Nothing that fits is known of these days. Google hides what is rare." }
                }
            },
        );
        let totals = &found.values.totals;
        html! {
            @if !items.is_empty() {
                p.note {
                    "All that fit have " (count(totals.clicks)) " clicks and " (count(totals.impressions)) " impressions, "
                    (day(self.days.window().first())) " to " (day(self.days.window().last())) ". A name leads to its days and places."
                }
            }
            (table.show(&nothing))
            @if !items.is_empty() && (self.page > 1 || end < total) { (pages.show()) }
        }
    }

    fn row(
        &self,
        here: &AtDomain,
        item: &ValueFigures,
        before: Option<&HashMap<ValueId, Figures>>,
    ) -> Vec<Markup> {
        let address = detail::address(here, self.dimension, &self.days, &self.kind, &item.value);
        let now = &item.figures;
        let before = before.map(|before| before.get(&item.id).copied().unwrap_or_default());
        let mut row = vec![leading(&address, &brief(&item.value)), count(now.clicks)];
        row.extend(before.map(|before| change(now.clicks, before.clicks)));
        row.push(count(now.impressions));
        row.extend(before.map(|before| change(now.impressions, before.impressions)));
        row.push(rate(now.ctr()));
        if self.kind.search_type.is_ranked() {
            row.push(position(now.position()));
            row.extend(before.map(|before| {
                let moved = now.position().zip(before.position());
                places(moved.map(|(now, before)| now - before))
            }));
        }
        row
    }
}

fn told(count: u64) -> String {
    number(count as f64, 0)
}

/// By how much there is more or less of something, with its sign.
fn change(now: u64, before: u64) -> Markup {
    let by = now as f64 - before as f64;
    html! { @if by > 0.0 { "+" } (number(by, 0)) }
}
