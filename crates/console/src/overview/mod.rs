//! The overview of a workspace: its domains in one table, what needs attention first.

mod order;
mod row;

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_account::domains::Modules;
use pharos_alerting::alert::Firing;
use pharos_domain::{ids::DomainId, module::Module, role::Role};
use pharos_pictures::figure::number;
use pharos_uptime::sites;
use time::OffsetDateTime;

use self::{
    order::{Listed, Order},
    row::row,
};
use crate::{
    console::Console,
    domain::add::{self, CHANGERS},
    enter::InWorkspace,
    nav::workspace_path,
    page::Page,
    parts::{
        facts::{Figure, figures},
        form::Faults,
        notice,
        table::{Column, Pages, Table},
    },
    period::Days,
    query::in_query,
    refusal::Refusal,
    shown::shown,
};

/// How many domains a page has.
const ON_A_PAGE: usize = 50;
/// A page about more days than a month reads much.
const DAYS_WITHOUT_PERMIT: u32 = 31;

/// The parameters of the address.
struct Asked {
    days: Days,
    search: String,
    order: Order,
    page: usize,
}

impl Asked {
    fn of(query: &str, now: OffsetDateTime) -> Self {
        let given = |name| in_query(query, name).unwrap_or_default();
        Self {
            days: Days::of(Module::Uptime, query, now),
            search: given("q").trim().chars().take(100).collect(),
            order: Order::parse(&given("sort")),
            page: given("page").parse().ok().filter(|page| *page > 0).unwrap_or(1),
        }
    }

    /// The address of the same with another order or page.
    fn address(&self, path: &str, order: Order, page: usize) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("sort", order.as_str());
        if !self.search.is_empty() {
            query.append_pair("q", &self.search);
        }
        if page > 1 {
            query.append_pair("page", &page.to_string());
        }
        format!("{path}?{}&{}", query.finish(), self.days.query())
    }

    /// The choice of days, which keeps the order and the search.
    fn choice(&self, path: &str) -> Markup {
        let mut kept = vec![("sort", self.order.as_str())];
        if !self.search.is_empty() {
            kept.push(("q", &self.search));
        }
        self.days.choice_alone(path, &kept)
    }
}

/// GET /console/w/{workspace_id}
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, Role::Viewer).await?;
    let now = console.parts.clock.now();
    let asked = Asked::of(request.query_string(), now);
    let many = &*console.parts.monitors.many;
    let _permit = if asked.days.window().days() > DAYS_WITHOUT_PERMIT {
        Some(console.page_permits.turn(here.id()).await?)
    } else {
        None
    };
    let _of_sites = console.site_permits.turn(here.id()).await?;
    let (domains, sites, firing) = tokio::try_join!(
        console
            .parts
            .sites
            .list(std::slice::from_ref(&here.access), Modules::LeftOut),
        sites::sites(many, &here.access, asked.days.window(), now),
        console.parts.alerts.firing(&here.access)
    )?;
    let mut firing: HashMap<DomainId, Firing> = firing
        .into_iter()
        .map(|firing| (firing.domain_id, firing))
        .collect();
    let total = domains.len();
    let mut listed: Vec<Listed> = domains
        .into_iter()
        .map(|domain| Listed {
            site: sites.get(&domain.id).cloned(),
            firing: firing.remove(&domain.id),
            domain,
        })
        .collect();
    let figures = summary(&listed);
    listed.retain(|one| one.matches(&asked.search));
    asked.order.sort(&mut listed);
    let found = listed.len();
    let last = found.div_ceil(ON_A_PAGE).max(1);
    let asked = Asked {
        page: asked.page.min(last),
        ..asked
    };
    let begin = (asked.page - 1) * ON_A_PAGE;
    let on_page = &listed[begin.min(found)..(begin + ON_A_PAGE).min(found)];
    let ids: Vec<DomainId> = on_page.iter().map(|one| one.domain.id).collect();
    let courses = console.courses.of(many, &ids, now).await?;
    let path = workspace_path(here.id(), "");
    let table = Table {
        caption: "Domains",
        columns: &columns(&asked, &path),
        rows: on_page
            .iter()
            .map(|one| row(one, courses.get(&one.domain.id).map(Vec::as_slice)))
            .collect(),
    };
    let content = html! {
        @if total == 0 {
            (nothing_yet(&here))
        } @else {
            (asked.choice(&path))
            (figures)
            @if total > 10 { (search(&asked, &path)) }
            (table.show(&notice::empty("No domain matches", &html! { p { a href=(path) { "Show all " (number(total as f64, 0)) } } })))
            @if found > 0 {
                (Pages {
                    shown: &format!("{} to {} of {}", number((begin + 1) as f64, 0), number((begin + on_page.len()) as f64, 0), number(found as f64, 0)),
                    before: (asked.page > 1).then(|| asked.address(&path, asked.order, asked.page - 1)),
                    after: (asked.page < last).then(|| asked.address(&path, asked.order, asked.page + 1)),
                }.show())
            }
        }
        @if here.role() >= CHANGERS {
            p.note { a href=(workspace_path(here.id(), "domains/deleted")) { "Deleted domains" } }
        }
    };
    let name = shown(here.name());
    let page = Page::new("Overview", Some(here.user.owner()))
        .at(here.place(""))
        .lead(html! { bdi { (name) } })
        .wide();
    let page = if here.role() >= CHANGERS && total > 0 {
        page.actions(html! { a.button href=(workspace_path(here.id(), "domains/new")) { "Add a domain" } })
    } else {
        page
    };
    let status = if asked.days.faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    Ok(page.status(status).with(&content))
}

fn columns<'a>(asked: &Asked, path: &str) -> Vec<Column<'a>> {
    let sorted = |order: Order| (asked.order == order).then_some(order.direction());
    let by = |order: Order| asked.address(path, order, 1);
    vec![
        Column::text("Domain").sort(by(Order::Name), sorted(Order::Name)),
        Column::text("State").sort(by(Order::Attention), sorted(Order::Attention)),
        Column::text("Needs attention").spare(),
        Column::figure("Availability").sort(by(Order::Availability), sorted(Order::Availability)),
        Column::text("Response, 24 hours").spare(),
        Column::figure("Last")
            .sort(by(Order::Response), sorted(Order::Response))
            .spare(),
    ]
}

fn summary(listed: &[Listed]) -> Markup {
    let count = |is: fn(&Listed) -> bool| Some(number(listed.iter().filter(|one| is(one)).count() as f64, 0));
    figures(&[
        Figure {
            name: "Domains",
            value: Some(number(listed.len() as f64, 0)),
            note: None,
        },
        Figure {
            name: "Down",
            value: count(Listed::is_down),
            note: None,
        },
        Figure {
            name: "Need attention",
            value: count(Listed::needs_attention),
            note: None,
        },
        Figure {
            name: "Not monitored",
            value: count(|one| one.site.is_none()),
            note: None,
        },
    ])
}

fn search(asked: &Asked, path: &str) -> Markup {
    let days = asked.days.query();
    html! {
        div.range {
            form method="get" action=(path) role="search" {
                label for="q" { "Find" }
                input id="q" name="q" type="search" value=(asked.search) maxlength="100" autocomplete="off";
                input type="hidden" name="sort" value=(asked.order.as_str());
                @for (name, value) in form_urlencoded::parse(days.as_bytes()) {
                    input type="hidden" name=(name) value=(value);
                }
                button.quiet type="submit" { "Find" }
            }
        }
    }
}

fn nothing_yet(here: &InWorkspace) -> Markup {
    html! {
        (notice::empty(
            "No domain yet",
            &html! {
                @if here.role() >= CHANGERS {
                    p { "A domain is a site that Pharos watches. Add the first one: what to do next stands on its page." }
                } @else {
                    p { "An owner or admin of this workspace adds the first." }
                }
            },
        ))
        @if here.role() >= CHANGERS { (add::form(here, "", "", &Faults::default())) }
    }
}
