//! How many sessions take steps one after the other.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_analytics::{
    dimension::LONGEST_VALUE,
    funnel::{Funnel, FunnelQuery, FunnelStep, STEPS},
};
use pharos_pictures::{
    bar_list::{Bar, bar_list},
    figure::percent,
};

use super::{Opened, brief, count, faulty, path, seconds, whole};
use crate::{
    console::Console,
    parts::{
        facts::{Figure, figures},
        notice,
        table::{Column, Table, figure_cell},
    },
    refusal::Refusal,
};

/// The last part of the page's path.
pub(super) const PATH: &str = "funnel";

/// The name of a step in the address, which is repeated, as in the API.
const STEP: &str = "step";

/// GET /console/domains/{domain_id}/analytics/funnel
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let opened = Opened::of(&console, &request, &id).await?;
    if opened.site.is_none() {
        return Ok(opened.unmeasured());
    }
    let typed = typed(request.query_string());
    let (steps, faults) = steps(&typed);
    // Steps with faults stay in the form alone.
    let kept: &[String] = if faults.is_empty() { &typed } else { &[] };
    let own: Vec<(&str, &str)> = kept.iter().map(|step| (STEP, step.as_str())).collect();
    let found = if typed.is_empty() || !faults.is_empty() {
        None
    } else {
        let query = FunnelQuery {
            window: opened.days.window(),
            filters: &opened.narrowed.filters(),
            steps: &steps,
        };
        let paths = &console.parts.collection.paths;
        let reading = async { Ok::<_, Refusal>(paths.funnel(&opened.here.access, &query).await?) };
        Some(
            console
                .page_permits
                .read(opened.here.workspace(), reading)
                .await?,
        )
    };
    let content = html! {
        (opened.head(PATH, &own))
        (faulty(&faults))
        @match &found {
            Some(found) if found.last_at.is_none() => (opened.nothing(PATH, None)),
            Some(found) => (drawn(found, &steps)),
            None if typed.is_empty() => (begin()),
            None => {}
        }
        (form(&opened, &typed))
    };
    Ok(opened.answer(opened.is_in_order() && faults.is_empty(), &content))
}

/// The steps of a query as they were typed, without those that were left empty.
fn typed(query: &str) -> Vec<String> {
    form_urlencoded::parse(query.as_bytes())
        .filter(|(name, value)| name == STEP && !value.is_empty())
        .map(|(_, value)| value.into_owned())
        .collect()
}

/// The steps, and what is wrong with them.
fn steps(typed: &[String]) -> (Vec<FunnelStep>, Vec<String>) {
    let (mut steps, mut faults) = (Vec::new(), Vec::new());
    for (at, text) in typed.iter().enumerate() {
        if text.len() > LONGEST_VALUE {
            faults.push(format!(
                "Step {} is longer than any page or event that is kept.",
                at + 1
            ));
            continue;
        }
        match text.parse::<FunnelStep>() {
            Ok(step) if !text.chars().any(char::is_control) => steps.push(step),
            _ => faults.push(format!(
                "Step {} is not page: and a path, such as page:/pricing, or event: and a name, such as event:signup.",
                at + 1
            )),
        }
    }
    if !typed.is_empty() && !STEPS.contains(&typed.len()) {
        faults.push(format!(
            "A funnel has {} to {} steps.",
            STEPS.start(),
            STEPS.end()
        ));
    }
    (steps, faults)
}

fn begin() -> Markup {
    notice::empty(
        "Which steps lead to what you want?",
        &html! {
            p { "Name two steps or more: a page, such as " code { "page:/pricing" } ", or an event, such as " code { "event:signup" } "." }
            p { "They are met in this order inside one visit; others may lie between." }
        },
    )
}

/// A field for each step, and for some more.
fn form(opened: &Opened, typed: &[String]) -> Markup {
    let fields = (typed.len() + 1).clamp(3, *STEPS.end());
    let days = opened.days.query();
    html! {
        h2 { "Steps" }
        form.card method="get" action=(path(&opened.here, PATH)) {
            @for (name, value) in form_urlencoded::parse(days.as_bytes()) { input type="hidden" name=(name) value=(value); }
            @for (name, value) in opened.narrowed.pairs() { input type="hidden" name=(name) value=(value); }
            @for at in 0..fields {
                @let id = format!("{STEP}-{}", at + 1);
                div.field {
                    label for=(id) { "Step " (at + 1) }
                    input id=(id) name=(STEP) type="text" autocomplete="off" value=(typed.get(at).map_or("", String::as_str))
                        placeholder=(if at == 0 { "page:/" } else { "event:signup" });
                }
            }
            p.note { "A step that is left empty is left out. There may be " (STEPS.end()) "." }
            div.actions { button type="submit" { "Show the funnel" } }
        }
    }
}

fn drawn(found: &Funnel, steps: &[FunnelStep]) -> Markup {
    let named: Vec<String> = steps
        .iter()
        .enumerate()
        .map(|(at, step)| format!("{}. {}", at + 1, brief(&String::from(step.clone()))))
        .collect();
    let bars: Vec<Bar<'_>> = named
        .iter()
        .zip(&found.steps)
        .map(|(name, reached)| Bar {
            name,
            value: Some(reached.sessions as f64),
        })
        .collect();
    let last = steps.len().saturating_sub(1);
    let overall = found.share_pct(0, last);
    let rows = named
        .iter()
        .zip(&found.steps)
        .enumerate()
        .map(|(at, (name, reached))| {
            let from_previous = at.checked_sub(1).and_then(|before| found.share_pct(before, at));
            vec![
                html! { bdi { (name) } },
                html! { (count(reached.sessions)) },
                html! { (count(reached.visitors)) },
                figure_cell(from_previous, percent),
                figure_cell(found.share_pct(0, at), percent),
                figure_cell(reached.median_ms, |ms| seconds(ms / 1_000.0)),
            ]
        });
    let columns = [
        Column::text("Step"),
        Column::figure("Sessions"),
        Column::figure("Visitors").spare(),
        Column::figure("Of the step before"),
        Column::figure("Of the first"),
        Column::figure("Median since the step before").spare(),
    ];
    let table = Table {
        caption: "The steps",
        columns: &columns,
        rows: rows.collect(),
    };
    html! {
        (figures(&[Figure {
            name: "Took all steps",
            value: overall.map(percent),
            note: overall.is_none().then(|| html! { "No session of these days met the first step." }),
        }]))
        section.card aria-labelledby="funnel-head" {
            h2 id="funnel-head" { "Sessions at each step" }
            (bar_list("funnel", "Sessions at each step", &bars, whole))
        }
        (table.show(&html! {}))
    }
}
