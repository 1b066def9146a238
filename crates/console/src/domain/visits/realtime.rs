//! Who is on the site now.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_analytics::realtime::{Realtime, RealtimeRow, WINDOW_MINUTES, since};
use pharos_pictures::{
    chart::{Chart, Ground, Series},
    figure::short,
};
use time::{Duration, OffsetDateTime};

use super::{Opened, count, explore, leading, narrowed::named, path, ways, whole};
use crate::{
    console::Console,
    page::moment,
    parts::{
        facts::{Figure, figures},
        table::{Column, Table},
    },
    refusal::Refusal,
};

/// The last part of the page's path.
pub(super) const PATH: &str = "realtime";

/// GET /console/domains/{domain_id}/analytics/realtime
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let opened = Opened::of(&console, &request, &id).await?;
    if opened.site.is_none() {
        return Ok(opened.unmeasured());
    }
    let now = console.parts.clock.now();
    let since = since(now);
    let visits = &console.parts.collection.visits;
    let found = visits.realtime(&opened.here.access, since).await?;
    let content = html! {
        (ways(&opened.here, Some(PATH), &opened.days, &opened.narrowed.pairs()))
        p {
            "The last " (WINDOW_MINUTES) " minutes, up to " (moment(now)) ". "
            a href=(path(&opened.here, PATH)) { "Look again" }
        }
        (figures(&[
            Figure { name: "Visitors", value: Some(count(found.visitors)), note: None },
            Figure { name: "Page views", value: Some(count(found.pageviews)), note: None },
        ]))
        section.card aria-labelledby="minutes-head" {
            h2 id="minutes-head" { "Minute by minute" }
            p.note { "Page views of each minute. On shaded ground the minute is not over." }
            (minutes(&found, since))
        }
        div.columns {
            (table(&opened, ("page", "Pages", "Page", "Views"), &found.pages))
            (table(&opened, ("source", "Sources", "Source", "Views"), &found.sources))
            (table(&opened, ("country", "Countries", "Country", "Views"), &found.countries))
            (table(&opened, ("event", "Events", "Event", "Times"), &found.events))
        }
    };
    Ok(opened.answer(true, &content))
}

/// Page views of each minute.
fn minutes(found: &Realtime, since: OffsetDateTime) -> Markup {
    let minutes = (0..WINDOW_MINUTES).map(|minute| {
        let minute = since.saturating_add(Duration::minutes(i64::from(minute)));
        let known = found.minutes.iter().find(|(at, _, _)| *at == minute);
        (minute, known.map_or(0, |(_, _, views)| *views))
    });
    let (labels, values): (Vec<String>, Vec<Option<f64>>) = minutes
        .map(|(minute, views)| {
            let label = format!("{:02}:{:02} UTC", minute.hour(), minute.minute());
            (label, Some(views as f64))
        })
        .unzip();
    let series = [Series {
        name: "Page views",
        values,
    }];
    Chart {
        id: "minutes",
        title: "Page views by minute",
        description: "A bar for each of the last minutes; the last one is not over.",
        places: "Minute",
        labels: &labels,
        series: &series,
        words: whole,
        short,
        threshold: None,
        ground: Ground {
            provisional: labels.len().checked_sub(1),
            ..Ground::default()
        },
    }
    .bars()
}

/// The rows of a list that have a name, each leading to its visits over days. Only of countries some may not be known.
fn table(
    opened: &Opened,
    (filter, caption, head, counted): (&str, &str, &str, &str),
    found: &[RealtimeRow],
) -> Markup {
    let rows = found.iter().filter_map(|row| {
        let name = match &row.key {
            Some(key) => {
                let address = opened.address(explore::PATH, &[(filter, key.as_str())], &[]);
                leading(&address, &named(filter, key))
            }
            None if filter == "country" => html! { span.none { "Not known" } },
            None => return None,
        };
        Some(vec![
            name,
            html! { (count(row.visitors)) },
            html! { (count(row.count)) },
        ])
    });
    let columns = [
        Column::text(head),
        Column::figure("Visitors"),
        Column::figure(counted),
    ];
    let table = Table {
        caption,
        columns: &columns,
        rows: rows.collect(),
    };
    html! {
        section aria-labelledby={ "now-" (filter) } {
            h2 id={ "now-" (filter) } { (caption) }
            (table.show(&html! { p.none { "None in these minutes." } }))
        }
    }
}
