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

/// How many days stand at one place of a course, with the head of their column and the words of its title: as few as fit, or the last.
const PACES: [(usize, &str, &str); 4] = [
    (1, "Day", "day"),
    (7, "Days", "seven days"),
    (30, "From", "thirty days"),
    (90, "From", "ninety days"),
];
/// How many places a course has if it can, since a window may have years.
const MOST_PLACES: usize = 92;

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
        let dates: Vec<Date> = self.window.dates().collect();
        let fits = |pace: &&(usize, &str, &str)| dates.len().div_ceil(pace.0) <= MOST_PLACES;
        let [.., longest] = &PACES;
        let (pace, places, each) = *PACES.iter().find(fits).unwrap_or(longest);
        let sum = |days: &[Date]| {
            let known: Vec<u64> = days.iter().filter_map(|date| of(*date)).collect();
            (!known.is_empty()).then(|| known.iter().sum::<u64>() as f64)
        };
        let labels: Vec<String> = dates.chunks(pace).map(|days| label(pace, days)).collect();
        let earlier_name = format!("{} of the days before", self.name);
        let mut series = vec![Series {
            name: self.name,
            values: dates.chunks(pace).map(sum).collect(),
        }];
        if let Some(before) = self.before {
            let before: Vec<Date> = before.dates().collect();
            let mut values: Vec<Option<f64>> = before.chunks(pace).map(sum).collect();
            values.resize(labels.len(), None);
            series.push(Series {
                name: &earlier_name,
                values,
            });
        }
        let provisional = dates
            .chunks(pace)
            .position(|days| days.iter().any(|date| !is_final(*date)));
        let (title, description) = match self.before {
            Some(_) => (
                format!("{} by {each}, and on the days before", self.name),
                "A line for these days, and one for those before.",
            ),
            None => (format!("{} by {each}", self.name), "A line over these days."),
        };
        Chart {
            id: self.id,
            title: &title,
            description,
            places,
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

/// The name of the days at a place; the last ones of a window may be fewer than the others.
fn label(pace: usize, days: &[Date]) -> String {
    match (days.first(), days.last()) {
        (Some(first), Some(last)) if pace == 7 && first != last => {
            format!("{}–{}", short_day(*first), short_day(*last))
        }
        (Some(first), _) if pace > 7 => format!("{} {}", short_day(*first), first.year()),
        (Some(first), _) => short_day(*first),
        (None, _) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn a_course_over_years_has_as_many_places_as_a_quarter_at_most() {
        let drawn = |days: u32| {
            let window = DateRange::ending(date!(2026 - 03 - 29), days);
            let course = Course {
                id: "clicks",
                name: "Clicks",
                window,
                before: Some(window.preceding()),
            };
            course.draw(|_| true, |_| Some(1)).into_string()
        };
        for (days, places, told) in [
            (28, 28, "29 Mar\nClicks: 1\nClicks of the days before: 1"),
            (200, 29, "26 Mar–29 Mar\nClicks: 4\nClicks of the days before: 4"),
            (
                3_650,
                41,
                "<td class=\"figure\">90</td><td class=\"figure\">90</td>",
            ),
        ] {
            let drawn = drawn(days);
            assert_eq!(drawn.matches("<th scope=\"row\">").count(), places, "{days}");
            assert!(drawn.contains(told), "{told} is not in {drawn}");
        }
    }
}
