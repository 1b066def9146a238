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
    kind: SearchType,
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
    let course = |id, name, of: fn(&Figures) -> u64| {
        let course = Course {
            id,
            name,
            window,
            before: Some(before),
        };
        course.draw(
            |date| history.property().is_final(date),
            |date| history.day(kind, date).as_ref().map(of),
        )
    };
    Ok(html! {
        section.card aria-labelledby="before-head" {
            h2 id="before-head" { "Beside the days before" }
            p.note {
                "Each day beside one of the days from " (day(before.first())) " to " (day(before.last())) ", the first beside the first. \
                 On shaded ground figures may still change."
            }
            (course("clicks-before", "Clicks", |figures| figures.clicks))
            (course("impressions-before", "Impressions", |figures| figures.impressions))
        }
    })
}

/// A figure by day, beside that of the days before where there are some to compare with.
pub(super) struct Course<'a> {
    /// The only one of the page.
    pub(super) id: &'a str,
    pub(super) name: &'a str,
    pub(super) window: DateRange,
    pub(super) before: Option<DateRange>,
}

impl Course<'_> {
    /// The picture; whether figures of a day can't change any more, and the figure of a day.
    pub(super) fn draw(&self, is_final: impl Fn(Date) -> bool, of: impl Fn(Date) -> Option<u64>) -> Markup {
        let value = |date: Date| Some(of(date)? as f64);
        let dates: Vec<Date> = self.window.dates().collect();
        let labels: Vec<String> = dates.iter().map(|date| short_day(*date)).collect();
        let earlier_name = format!("{} of the days before", self.name);
        let mut series = vec![Series {
            name: self.name,
            values: dates.iter().copied().map(value).collect(),
        }];
        if let Some(before) = self.before {
            let mut values: Vec<Option<f64>> = before.dates().map(value).collect();
            values.resize(dates.len(), None);
            series.push(Series {
                name: &earlier_name,
                values,
            });
        }
        let provisional = dates.iter().position(|date| !is_final(*date));
        let (title, description) = match self.before {
            Some(_) => (
                format!("{} by day, and on the days before", self.name),
                "A line for these days, and one for those before.",
            ),
            None => (format!("{} by day", self.name), "A line over these days."),
        };
        Chart {
            id: self.id,
            title: &title,
            description,
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
}
