//! Clicks and impressions of each day beside those of the days before.

use maud::{Markup, html};
use pharos_domain::window::DateRange;
use pharos_pictures::{
    chart::{Chart, Ground, Series},
    figure::{number, short},
};
use pharos_search::gsc::{
    days::History,
    figures::{Figures, SearchType},
    property::Property,
};
use time::Date;

use crate::{
    console::Console,
    enter::AtDomain,
    period::{Days, day, short_day},
    refusal::Refusal,
};

/// Both pictures; nothing where the page compares with nothing. The first day stands beside the first of the days before, and so
/// on.
pub(super) async fn beside_before(
    console: &Console,
    here: &AtDomain,
    property: Property,
    days: &Days,
) -> Result<Markup, Refusal> {
    let Some(compared) = days.compared.filter(|compared| compared.is_kept) else {
        return Ok(html! {});
    };
    let (window, before) = (days.window(), compared.window);
    let reads = &console.parts.search.days;
    let stored = reads
        .days(&here.access, SearchType::ALL, &[window, before])
        .await?;
    let history = History::new(property, stored);
    Ok(html! {
        section.card aria-labelledby="before-head" {
            h2 id="before-head" { "Beside the days before" }
            p.note {
                "Each day beside one of the days from " (day(before.first())) " to " (day(before.last())) ", the first beside the first. \
                 On shaded ground figures may still change."
            }
            (picture("clicks-before", "Clicks", |figures| figures.clicks, &history, (window, before)))
            (picture("impressions-before", "Impressions", |figures| figures.impressions, &history, (window, before)))
        }
    })
}

/// A figure on the days of a window, and on those before it.
fn picture(
    id: &str,
    name: &str,
    of: fn(&Figures) -> u64,
    history: &History,
    (window, before): (DateRange, DateRange),
) -> Markup {
    let value = |date: Date| Some(of(&history.day(SearchType::Web, date)?) as f64);
    let values = |days: DateRange| days.dates().map(value).collect::<Vec<Option<f64>>>();
    let dates: Vec<Date> = window.dates().collect();
    let labels: Vec<String> = dates.iter().map(|date| short_day(*date)).collect();
    let mut earlier = values(before);
    earlier.resize(dates.len(), None);
    let earlier_name = format!("{name} of the days before");
    let series = [
        Series {
            name,
            values: values(window),
        },
        Series {
            name: &earlier_name,
            values: earlier,
        },
    ];
    let provisional = dates.iter().position(|date| !history.property().is_final(*date));
    let title = format!("{name} by day, and on the days before");
    Chart {
        id,
        title: &title,
        description: "A line for these days, and one for those before.",
        places: "Day",
        labels: &labels,
        series: &series,
        words: |value| number(value, 0),
        short,
        threshold: None,
        ground: Ground {
            provisional,
            ..Ground::default()
        },
    }
    .lines()
}
