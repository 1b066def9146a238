//! A module's page of a domain: what its sections of reports show, over the days of the address.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{
    module::Module,
    report_widget::{ReportWindow, WidgetKind, WidgetStatus, at_path},
    role::Role,
};
use pharos_reporting::{
    data::{SectionData, WidgetData},
    format::ReportLocale,
    render::{html::widget, marks},
};
use serde_json::Value;

use super::{
    bands::bands,
    beside::beside,
    blame::blame,
    crawl, errors, experiments, frame, lab, named, now,
    rules::offer::offer,
    search::{
        self,
        index::{carry_forward, is_course},
        kind::Kind,
    },
    search_console,
    set_up::{list_of, set_up},
    tabs::MODULES,
    visits,
};
use crate::{
    console::Console,
    enter::AtDomain,
    nav::domain_path,
    parts::notice::{self, faulty},
    period::Days,
    permits::WITHIN,
    refusal::Refusal,
};

/// GET /console/domains/{domain_id}/{module}
pub(crate) async fn show(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (id, module) = path.into_inner();
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    let page = MODULES.iter().find(|(page, _)| page.as_str() == module);
    let (module, label) = *page.ok_or(Refusal::NoPage)?;
    let now = console.parts.clock.now();
    let days = Days::of(module, request.query_string(), now);
    let kind = Kind::of(module, request.query_string());
    let domain = named(&console, &here).await?;
    let are_days_right = days.faults.is_empty() || !goes_by_days(module);
    let status = if are_days_right && kind.fault.is_none() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    let content = if here.has(module) {
        let window = ReportWindow {
            days: days.window(),
            period: days.asked.period,
            compares: compares(module, &days),
            now,
        };
        let catalogue = &console.parts.widgets;
        let mut chosen = catalogue.of_module(module);
        kind.choose(&mut chosen);
        let _permit = console.page_permits.turn(here.workspace()).await?;
        let mut sections = catalogue
            .read(&here.access, &window, &chosen, ReportLocale::En, WITHIN)
            .await;
        if module == Module::Indexing {
            carry_forward(&console, &here, &mut sections, days.window()).await?;
        }
        let more = match module {
            Module::Crux => beside(&console, &here, now).await?,
            Module::Rum => blame(&console, &here, days.window()).await?,
            _ => crawl::sections(&console, &here, module, request.query_string()).await?,
        };
        let above = search::above(&console, &here, module, &days, &kind).await?;
        let about = (module, &days, &kind);
        let content = content(&console, &here, about, &sections, (&above, &more));
        if module == Module::Gsc {
            connected(&console, &here, content).await?
        } else {
            content
        }
    } else {
        notice::not_in_plan(label)
    };
    let page = frame(&here, &domain.title, module.as_str()).status(status);
    let page = if search::is_linked(&console, &here, module).await? {
        now::offered(page, &here, module)
    } else {
        page
    };
    Ok(page.with(&content))
}

/// The figures of search with the connection that they come by: before them if somebody has to do something about it.
async fn connected(console: &Console, here: &AtDomain, figures: Markup) -> Result<Markup, Refusal> {
    Ok(match search_console::card(console, here).await? {
        Some(card) if card.is_urgent => html! { (card.markup) (figures) },
        Some(card) => html! { (figures) (card.markup) },
        None => figures,
    })
}

/// `above` and `more`: what stands before the widgets of the module, and after them.
fn content(
    console: &Console,
    here: &AtDomain,
    (module, days, kind): (Module, &Days, &Kind),
    sections: &[SectionData],
    (above, more): (&Markup, &Markup),
) -> Markup {
    let has = |status| {
        let mut widgets = sections.iter().flat_map(|section| &section.widgets);
        widgets.any(|widget| widget.answer.status == status)
    };
    let is_set_up =
        has(WidgetStatus::Ok) || has(WidgetStatus::NoData) || has(WidgetStatus::ModuleUnavailable);
    if !is_set_up {
        return set_up(here, module);
    }
    let is_alone = sections.len() < 2;
    let unseen = unseen(here, module, sections);
    html! {
        (faulty(kind.fault.as_slice()))
        (choice(here, module, days, kind))
        (above)
        @if module == Module::Analytics {
            (visits::from_report(here, days))
            p { a href=(domain_path(here.id(), experiments::PATH)) { "Experiments: whether pages did better after a change" } }
        }
        @if module == Module::Rum {
            p { a href=(domain_path(here.id(), errors::PATH)) { "Errors of scripts, each with its stack" } }
            @if unseen.is_none() { (bands(sections)) }
        }
        @if module == Module::Synthetic {
            p { a href=(domain_path(here.id(), &lab::first_path())) { "Figures over time, and all tests with their pictures" } }
            p { a href=(domain_path(here.id(), &lab::settings::below_domain())) { "Pages that are tested, and budgets" } }
        }
        (list_of(here, module))
        @if module == Module::Crux && !has(WidgetStatus::ModuleUnavailable) { (of_report(sections)) }
        @if let Some(unseen) = &unseen { (unseen) }
        @for section in sections.iter().filter(|_| unseen.is_none()) {
            @if !is_alone { h2 { (section.title) } }
            @let marks = marks::happened(section);
            @for (at, data) in section.widgets.iter().enumerate() {
                @let id = format!("{}-{at}", section.name);
                @let content = html! {
                    (widget(ReportLocale::En, compares(module, days), &id, data, &marks))
                    @if marks::lists_releases(section.name, data.widget) && marks.is_empty() { (no_releases(here)) }
                    @if is_course(section.name, data.widget.name, data.widget.kind) && data.answer.status == WidgetStatus::Ok {
                        p.note { "A day without an inspection stands as the day before." }
                    }
                    @if module == Module::Gsc { (search::all_of(here, days, kind, data.widget.name)) }
                };
                (card(&id, is_alone, data, &content, &watch(console, here, module, data)))
            }
        }
        (more)
    }
}

/// Whether the figures of a module's page are those of the days of its address. Those of the others are of now.
fn goes_by_days(module: Module) -> bool {
    !matches!(module, Module::Crux | Module::Synthetic | Module::Robots)
}

/// Whether figures stand beside those of days before. Field data always do: their periods are those of the report.
fn compares(module: Module, days: &Days) -> bool {
    module == Module::Crux || days.compared.is_some()
}

/// The choice of days, as far as it has an effect on the page of a module.
fn choice(here: &AtDomain, module: Module, days: &Days, kind: &Kind) -> Markup {
    let path = domain_path(here.id(), module.as_str());
    match module {
        _ if !goes_by_days(module) => html! {},
        Module::Analytics | Module::Rum | Module::Gsc => days.choice_keeping(&path, &kind.pairs()),
        _ => days.choice_alone(&path, &kind.pairs()),
    }
}

/// The words in place of the widgets of a module of whose pages nothing came, which would each say that alone: how to begin.
fn unseen(here: &AtDomain, module: Module, sections: &[SectionData]) -> Option<Markup> {
    let headline = sections.first()?.widgets.first()?;
    match (module, headline.answer.status) {
        (Module::Analytics, WidgetStatus::NoData) => Some(visits::unseen(here)),
        (Module::Rum, WidgetStatus::NoData) => Some(notice::empty(
            "No view was measured in these days",
            &visits::first_shows(here),
        )),
        _ => None,
    }
}

/// The days that figures of the Chrome UX Report are of, or why there are none.
fn of_report(sections: &[SectionData]) -> Markup {
    let mut widgets = sections.iter().flat_map(|section| &section.widgets);
    let has_period = widgets.any(|data| {
        let whole = data.answer.data.as_ref();
        whole.is_some_and(|whole| at_path(whole, "collection_period_end").is_some_and(Value::is_string))
    });
    html! {
        @if has_period {
            p.note { "Figures are of 28 days, and changes against the 28 days before them: the periods of the report, whatever the days of other pages." }
        } @else {
            (notice::hint(&html! {
                p {
                    "There are no figures of this site from the Chrome UX Report so far. It leaves out sites with few visitors who use Chrome. \
                     A new site is asked for within a minute; where that fails, it is asked for again, and whoever runs this Pharos finds the \
                     reason with " code { "pharos doctor" } "."
                }
            }))
        }
    }
}

/// The way to rules on what a picture or headline figures show.
fn watch(console: &Console, here: &AtDomain, module: Module, data: &WidgetData) -> Markup {
    let is_shown = data.answer.status == WidgetStatus::Ok;
    if !is_shown || !matches!(data.widget.kind, WidgetKind::Chart | WidgetKind::Kpi) {
        return html! {};
    }
    let paths = data.widget.fields.iter().map(|field| field.path);
    let names: Vec<&str> = paths.filter_map(|path| path.rsplit('.').next()).collect();
    offer(console, here, module, |metric| names.contains(&metric))
}

/// A widget that has something to show, or says why not; `watch` leads to rules on it. Its title is below that of its section, unless
/// this stands alone and has none.
fn card(id: &str, is_alone: bool, data: &WidgetData, content: &Markup, watch: &Markup) -> Markup {
    let is_shown = data.answer.status == WidgetStatus::Ok;
    html! {
        section.widget.card[!is_shown || data.widget.kind == WidgetKind::Chart || data.widget.kind == WidgetKind::Text]
            aria-labelledby={ (id) "-head" } {
            @if is_alone {
                h2 id={ (id) "-head" } { (data.title) }
            } @else {
                h3 id={ (id) "-head" } { (data.title) }
            }
            p.note { (data.widget.description) }
            (content)
            (watch)
        }
    }
}

/// How releases get known.
fn no_releases(here: &AtDomain) -> Markup {
    html! {
        p.note {
            "Whoever runs this Pharos tells of them: " code { "pharos admin release add " (here.id()) " 2026.11.3" }
            ". A release of which source maps are added is known by itself."
        }
    }
}
