//! Which pages visitors view one after the other.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_analytics::{
    dimension::LONGEST_VALUE,
    overview::{as_number, ratio},
    page_path::page_path,
    paths::{DEPTHS, JOURNEY_DAYS, Journeys, JourneysQuery, USUAL_DEPTH},
};
use pharos_domain::{
    module::Module,
    window::{DateRange, Horizon, ResolvedWindow},
};
use pharos_pictures::{
    figure::percent,
    flow::{Flow, Way},
};

use super::{Opened, count, path, seconds, ways, whole};
use crate::{
    console::Console,
    parts::{
        name::{brief, leading},
        notice::{self, faulty},
        table::{Column, Table, figure_cell},
    },
    period::day,
    query::in_query,
    refusal::Refusal,
    sentence::labelled,
};

/// The last part of the page's path.
pub(super) const PATH: &str = "journeys";
/// How many ways the table has.
const ROWS: usize = 20;

/// GET /console/domains/{domain_id}/analytics/journeys
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let opened = Opened::of(&console, &request, &id).await?;
    if opened.site.is_none() {
        return Ok(opened.unmeasured(PATH));
    }
    let query = request.query_string();
    let asked = Asked::of(query);
    let horizon = Horizon::of(Module::Analytics, console.parts.clock.now());
    let window = ResolvedWindow::fixed(JOURNEY_DAYS, &horizon).window;
    let question = JourneysQuery {
        window,
        filters: &opened.narrowed.filters(),
        depth: asked.depth,
        start: asked.start.as_deref(),
    };
    let paths = &console.parts.collection.paths;
    let reading = async { Ok::<_, Refusal>(paths.journeys(&opened.here.access, &question).await?) };
    let found = console
        .page_permits
        .read(opened.here.workspace(), reading)
        .await?;
    let visits = opened.narrowed.pairs();
    let content = html! {
        (ways(&opened.here, Some(PATH), &opened.days, &visits))
        (opened.narrowed.show(|visits| asked.address(&opened, visits)))
        (faulty(&asked.faults))
        (form(&opened, &asked))
        @if found.journeys.is_empty() {
            @if asked.start.is_some() && found.last_at.is_some() {
                (notice::empty("No visit viewed that page", &html! {
                    p { a href=(opened.address(PATH, &visits, &[])) { "Begin at the first page of visits" } }
                }))
            } @else {
                (opened.nothing(PATH, found.last_at))
            }
        } @else {
            (drawn(&found, &asked, window))
            (table(&opened, &asked, &found))
        }
    };
    Ok(opened.answer(
        PATH,
        opened.narrowed.faults.is_empty() && asked.faults.is_empty(),
        &content,
    ))
}

/// The question of an address.
struct Asked {
    depth: u8,
    /// The page at whose first view ways begin.
    start: Option<String>,
    faults: Vec<String>,
}

impl Asked {
    fn of(query: &str) -> Self {
        let given = |name| in_query(query, name).filter(|value| !value.is_empty());
        let mut faults = Vec::new();
        let depth = given("depth").map_or(USUAL_DEPTH, |depth| {
            let depth = depth.parse::<u8>().ok().filter(|depth| DEPTHS.contains(depth));
            depth.unwrap_or_else(|| {
                let why = format!("{} to {} pages", DEPTHS.start(), DEPTHS.end());
                faults.push(labelled("Of at most", &why));
                USUAL_DEPTH
            })
        });
        let start = given("start").filter(|start| {
            let is_kept = start.len() <= LONGEST_VALUE && !start.chars().any(char::is_control);
            let is_one = start.starts_with('/') && is_kept;
            if !is_one {
                faults.push(labelled(
                    "Ways from the page",
                    "the path of a page, such as /pricing",
                ));
            }
            is_one
        });
        Self {
            depth,
            start: start.as_deref().map(page_path),
            faults,
        }
    }

    /// The address of the page with this question, of these visits.
    fn address(&self, opened: &Opened, visits: &[(&str, &str)]) -> String {
        let depth = self.depth.to_string();
        let start = self.start.as_deref().map(|start| ("start", start));
        let depth = (self.depth != USUAL_DEPTH).then_some(("depth", depth.as_str()));
        let own: Vec<(&str, &str)> = start.into_iter().chain(depth).collect();
        opened.address(PATH, visits, &own)
    }
}

/// The form keeps the days, which are those of the pages that this leads to.
fn form(opened: &Opened, asked: &Asked) -> Markup {
    let days = opened.days.query();
    html! {
        div.range {
            form method="get" action=(path(&opened.here, PATH)) {
                @for (name, value) in form_urlencoded::parse(days.as_bytes()) { input type="hidden" name=(name) value=(value); }
                @for (name, value) in opened.narrowed.pairs() { input type="hidden" name=(name) value=(value); }
                label for="start" { "Ways from the page" }
                input id="start" name="start" type="text" autocomplete="off" placeholder="the first of the visit"
                    value=(asked.start.as_deref().unwrap_or_default());
                label for="depth" { "of at most" }
                select id="depth" name="depth" {
                    @for depth in DEPTHS { option value=(depth) selected[depth == asked.depth] { (depth) " pages" } }
                }
                button.quiet type="submit" { "Show" }
            }
        }
    }
}

fn drawn(found: &Journeys, asked: &Asked, window: DateRange) -> Markup {
    let stops: Vec<Vec<String>> = found
        .journeys
        .iter()
        .map(|journey| journey.path.iter().map(|page| brief(page)).collect())
        .collect();
    let drawn: Vec<Way<'_>> = found
        .journeys
        .iter()
        .zip(&stops)
        .map(|(journey, stops)| Way {
            stops: stops.iter().map(String::as_str).collect(),
            weight: as_number(journey.sessions),
        })
        .collect();
    let shown_of: u64 = found.journeys.iter().map(|journey| journey.sessions).sum();
    let description = format!(
        "The first {} pages of {} visits: from each page a band leads to the pages that were viewed next.",
        asked.depth,
        count(shown_of)
    );
    html! {
        section.card aria-labelledby="journeys-head" {
            h2 id="journeys-head" { "From page to page" }
            p.note {
                (day(window.first())) " to " (day(window.last())) ". Who viewed no further page leaves one without a band."
                @if found.sessions > shown_of {
                    " The picture has the " (found.journeys.len()) " most frequent ways: " (count(shown_of)) " of " (count(found.sessions)) " visits."
                }
            }
            (Flow {
                id: "journeys",
                title: "From page to page",
                description: &description,
                ways: &drawn,
                others: "other pages",
                end: "no further page",
                counted: "Visits",
                words: whole,
            }.draw())
        }
    }
}

fn table(opened: &Opened, asked: &Asked, found: &Journeys) -> Markup {
    let visits = opened.narrowed.pairs();
    let from = |page: &str| {
        let asked = Asked {
            depth: asked.depth,
            start: Some(page.to_owned()),
            faults: Vec::new(),
        };
        asked.address(opened, &visits)
    };
    let rows = found.journeys.iter().take(ROWS).map(|journey| {
        let exits = ratio(journey.exits, journey.sessions).map(|exits| exits * 100.0);
        vec![
            html! {
                @for (at, page) in journey.path.iter().enumerate() {
                    @if at > 0 { " → " }
                    (leading(&from(page), &brief(page)))
                }
            },
            html! { (count(journey.sessions)) },
            html! { (percent(ratio(journey.sessions, found.sessions).unwrap_or(0.0) * 100.0)) },
            figure_cell(ratio(journey.duration_ms, journey.sessions), |ms| {
                seconds(ms / 1_000.0)
            }),
            figure_cell(exits, percent),
        ]
    });
    let columns = [
        Column::text("Way"),
        Column::figure("Visits"),
        Column::figure("Share"),
        Column::figure("Length").spare(),
        Column::figure("No further page").spare(),
    ];
    let table = Table {
        caption: "The most frequent ways",
        columns: &columns,
        rows: rows.collect(),
    };
    html! {
        h2 { (table.caption) }
        p.note { "A page leads to the ways from it on." }
        (table.show(&html! {}))
        @if found.total > ROWS as u64 { p.note { "The first " (ROWS) " of " (count(found.total)) " ways." } }
    }
}
