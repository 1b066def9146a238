//! How many visitors come back.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_analytics::{
    overview::ratio,
    paths::{Cohort, MOST_DAYS_BY_DAY, RetentionGranularity, USER_PROPERTY, USUAL_GRANULARITY},
};
use pharos_pictures::{
    figure::number,
    triangle::{self, Triangle},
};

use super::{Opened, count};
use crate::{
    console::Console,
    parts::notice::{self, faulty},
    period::short_day,
    query::in_query,
    refusal::Refusal,
    sentence::labelled,
};

/// The last part of the page's path.
pub(super) const PATH: &str = "retention";
/// How many cohorts the picture has: the newest, each with every period since.
const ROWS: usize = 14;

/// GET /console/domains/{domain_id}/analytics/retention
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let opened = Opened::of(&console, &request, &id).await?;
    if opened.site.is_none() {
        return Ok(opened.unmeasured(PATH));
    }
    let window = opened.days.window();
    let mut faults = Vec::new();
    let granularity = granularity(request.query_string(), window.days(), &mut faults);
    let own = [("granularity", granularity.as_str())];
    let own: &[(&str, &str)] = if granularity == USUAL_GRANULARITY {
        &[]
    } else {
        own.as_slice()
    };
    let (paths, filters) = (&console.parts.collection.paths, opened.narrowed.filters());
    let reading = async {
        let found = paths.returns(&opened.here.access, window, &filters, granularity);
        Ok::<_, Refusal>(found.await?)
    };
    let found = console
        .page_permits
        .read(opened.here.workspace(), reading)
        .await?;
    let content = html! {
        (opened.head(PATH, own))
        (faulty(&faults))
        (choice(&opened, granularity))
        @match found.cohorts(window, granularity) {
            Some(cohorts) => (drawn(&cohorts, granularity)),
            None if found.last_at.is_none() => (opened.nothing(PATH, None)),
            None => (unidentified()),
        }
    };
    Ok(opened.answer(PATH, opened.is_in_order() && faults.is_empty(), &content))
}

/// The length of periods that a query names, for so many days.
fn granularity(query: &str, days: u32, faults: &mut Vec<String>) -> RetentionGranularity {
    let Some(given) = in_query(query, "granularity").filter(|given| !given.is_empty()) else {
        return USUAL_GRANULARITY;
    };
    match given.parse() {
        Ok(RetentionGranularity::Day) if days > MOST_DAYS_BY_DAY => {
            let why = format!("by the day there are at most {MOST_DAYS_BY_DAY} days");
            faults.push(labelled("Periods", &why));
            USUAL_GRANULARITY
        }
        Ok(granularity) => granularity,
        Err(_) => {
            faults.push(labelled("Periods", "day, week or month"));
            USUAL_GRANULARITY
        }
    }
}

fn choice(opened: &Opened, current: RetentionGranularity) -> Markup {
    let visits = opened.narrowed.pairs();
    html! {
        nav.range aria-label="Periods" {
            @for granularity in RetentionGranularity::ALL.iter().copied() {
                a href=(opened.address(PATH, &visits, &[("granularity", granularity.as_str())]))
                    aria-current=[(granularity == current).then_some("true")] { "By " (granularity) }
            }
        }
    }
}

/// Why nobody is known to come back, and what the site can do.
fn unidentified() -> Markup {
    notice::empty(
        "The site identifies nobody in these visits",
        &html! {
            p { "Visitors have another identity every day, so Pharos knows only of those who come back whom the site itself names." }
            p { "It does so by a property " code { (USER_PROPERTY) } " of its events: " code { "pharos('event', 'signin', { " (USER_PROPERTY) ": 'a-name-of-yours' })" } }
        },
    )
}

fn drawn(cohorts: &[Cohort], granularity: RetentionGranularity) -> Markup {
    let newest = cohorts
        .get(cohorts.len().saturating_sub(ROWS)..)
        .unwrap_or_default();
    let since: Vec<triangle::Cohort> = newest
        .iter()
        .map(|cohort| triangle::Cohort {
            name: short_day(cohort.start),
            size: count(cohort.visitors),
            shares: cohort
                .returning
                .iter()
                .map(|returning| ratio(*returning, cohort.visitors).map(|share| share * 100.0))
                .collect(),
        })
        .collect();
    let named: u64 = newest.iter().map(|cohort| cohort.visitors).sum();
    let description = format!(
        "A row for those who were first seen in each {granularity}, with the share of them that came back in each {granularity} after \
         it: {} people in {} rows.",
        count(named),
        newest.len()
    );
    html! {
        section.card aria-labelledby="retention-head" {
            h2 id="retention-head" { "Who comes back" }
            p.note {
                "Those whom the site names, by the " (granularity) " in which they were first seen: " (granularity) " 0. \
                 The darker a cell, the more of them came back."
                @if newest.len() < cohorts.len() { " Shown are the newest " (ROWS) " of " (cohorts.len()) " rows; the API has them all." }
            }
            (Triangle {
                id: "retention",
                title: "Who comes back",
                description: &description,
                head: ("First seen from", "People"),
                period: granularity.as_str(),
                cohorts: &since,
                words: |share| format!("{}%", number(share, 0)),
            }.draw())
        }
    }
}
