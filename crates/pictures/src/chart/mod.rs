//! Lines, stacked areas and stacked bars over a row of places, such as the hours of a day.

mod labels;
mod shape;

use std::ops::Range;

use maud::{Markup, html};

use self::labels::{Anchor, behind, heights, marked};
use crate::{
    picture::{Caption, across, beside_with, told, trimmed},
    scale::{Scale, Ticks},
};

const HEIGHT: f64 = 220.0;
const TOP: f64 = 18.0;
const BOTTOM: f64 = 24.0;
/// How wide the stretched shapes are in their own units.
const WIDTH: f64 = 1_000.0;
/// Each of so many places has a tooltip of its own, which browsers show without a script. Those of more places would weigh more than
/// all else: a script reads them from the table.
const MOST_TOOLTIPS: usize = 31;
/// Each of so many places has a row of the table: the days of a quarter.
const MOST_PLACES: usize = 92;
/// How many rows the table of more places has at most, each of several in a row.
const MOST_ROWS: usize = 62;

/// Values at the places of a chart, one each.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// The name of the values.
    pub name: &'a str,
    /// `None` where nothing was measured.
    pub values: Vec<Option<f64>>,
}

/// A value a place.
type Course = Vec<Option<f64>>;

/// The ground that shapes stand on: plain, unless it says more.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ground<'a> {
    /// From this place on values may still change, and the ground is shaded.
    pub provisional: Option<usize>,
    /// The places at whose beginning stands a line with a name: something happened there.
    pub breaks: &'a [(usize, String)],
}

/// A chart. Its series have the inks 1 to 5 in their order.
#[derive(Clone, Debug)]
pub struct Chart<'a> {
    /// The only one of the page, plain letters and digits.
    pub id: &'a str,
    /// The title, in a few words.
    pub title: &'a str,
    /// The same in a sentence, for those who don't see it.
    pub description: &'a str,
    /// The kind of the places, such as `Day`: the head of the table's first column.
    pub places: &'a str,
    /// The name of each place, in order.
    pub labels: &'a [String],
    /// At most five.
    pub series: &'a [Series<'a>],
    /// Values in words.
    pub words: fn(f64) -> String,
    /// Values at the axis, in few characters.
    pub short: fn(f64) -> String,
    /// A value that something is checked against, with its name.
    pub threshold: Option<(f64, &'a str)>,
    /// The ground that its shapes stand on.
    pub ground: Ground<'a>,
}

impl Chart<'_> {
    /// A line a series.
    #[must_use]
    pub fn lines(&self) -> Markup {
        let values = self.series.iter().flat_map(|series| &series.values).flatten();
        let scale = self.scale(values.copied());
        let shapes = html! {
            @for (at, series) in self.series.iter().enumerate() {
                (self.course(at, &series.values, &scale.1))
            }
        };
        self.draw(&scale, &shapes, &names(self.series.iter()))
    }

    /// The first series as a line, amid the room from the second, which is the least, to the third, the greatest. Those after them
    /// are lines of their own.
    #[must_use]
    pub fn spread(&self) -> Markup {
        let values = self.series.iter().flat_map(|series| &series.values).flatten();
        let scale = self.scale(values.copied());
        let shapes = html! {
            @if let [middle, least, greatest, others @ ..] = self.series {
                path.fill.wash.ink-1 d=(self.area(&least.values, &greatest.values, &greatest.values, &scale.1)) {}
                (self.course(0, &middle.values, &scale.1))
                @for (at, series) in others.iter().enumerate() { (self.course(at + 1, &series.values, &scale.1)) }
            }
        };
        let lines = self.series.iter().take(1).chain(self.series.iter().skip(3));
        self.draw(&scale, &shapes, &names(lines))
    }

    /// A line with the ink of its place, and the places of which neither neighbour was measured as points.
    fn course(&self, at: usize, values: &[Option<f64>], scale: &Scale) -> Markup {
        let points = self.points(values, scale);
        let ink = at % 5 + 1;
        html! {
            path.line.{ "ink-" (ink) } d=(self.line(values, scale)) {}
            @if !points.is_empty() { path.line.{ "ink-" (ink) }.point d=(points) {} }
        }
    }

    /// The series on top of each other. Where one was not measured, there is a gap in all.
    #[must_use]
    pub fn areas(&self) -> Markup {
        let tops = self.stacked();
        let scale = self.scale(tops.iter().flat_map(|(_, top)| top).flatten().copied());
        let whole = tops.last().map(|(_, top)| top.as_slice()).unwrap_or_default();
        let shapes = html! {
            // The last first, so that each lies below those before it.
            @for (at, (bottom, top)) in tops.iter().enumerate() {
                path.fill.{ "ink-" (at % 5 + 1) } d=(self.area(bottom, top, whole, &scale.1)) {}
            }
        };
        self.draw(&scale, &shapes, &names(self.series.iter()))
    }

    /// The same as bars.
    #[must_use]
    pub fn bars(&self) -> Markup {
        let tops = self.stacked();
        let scale = self.scale(tops.iter().flat_map(|(_, top)| top).flatten().copied());
        let shapes = html! {
            @for (at, (bottom, top)) in tops.iter().enumerate() {
                path.fill.{ "ink-" (at % 5 + 1) } d=(self.columns(bottom, top, &scale.1)) {}
            }
        };
        self.draw(&scale, &shapes, &names(self.series.iter()))
    }

    fn count(&self) -> f64 {
        self.labels.len().max(1) as f64
    }

    /// Where each series begins and ends when they are put on top of each other.
    fn stacked(&self) -> Vec<(Course, Course)> {
        let mut below: Vec<Option<f64>> = vec![Some(0.0); self.labels.len()];
        let mut stacked = Vec::new();
        for series in self.series {
            let top: Vec<Option<f64>> = below
                .iter()
                .enumerate()
                .map(|(place, below)| Some((*below)? + series.values.get(place).copied().flatten()?))
                .collect();
            stacked.push((below, top.clone()));
            below = top;
        }
        stacked
    }

    fn scale(&self, values: impl Iterator<Item = f64>) -> (Ticks, Scale) {
        let threshold = self.threshold.map(|(value, _)| value);
        let (mut low, mut high, mut is_whole) = (0.0_f64, 0.0_f64, true);
        for value in values.chain(threshold) {
            (low, high) = (low.min(value), high.max(value));
            is_whole &= value.fract() == 0.0;
        }
        let ticks = if is_whole {
            Ticks::whole(low, high, 4)
        } else {
            Ticks::around(low, high, 4)
        };
        let scale = Scale::new(ticks.ends(), (HEIGHT - BOTTOM, TOP));
        (ticks, scale)
    }

    fn draw(&self, (ticks, scale): &(Ticks, Scale), shapes: &Markup, inks: &[&str]) -> Markup {
        let ground = self.ground;
        let caption = Caption {
            id: self.id,
            title: self.title,
            description: self.description,
        };
        let wide = 1.0 / self.count();
        let is_empty = self
            .series
            .iter()
            .all(|series| series.values.iter().all(Option::is_none));
        let is_provisional = |place: usize| ground.provisional.is_some_and(|from| place >= from);
        let length = self.row_length();
        let heights = heights(ground.breaks, wide);
        let inside = html! {
            @if let Some(from) = ground.provisional.filter(|from| *from < self.labels.len()) {
                @let share = from as f64 * wide;
                rect.provisional x=(across(share)) y=(TOP) width=(across(1.0 - share)) height=(HEIGHT - TOP - BOTTOM) {}
            }
            @for tick in &ticks.values {
                @let y = trimmed(scale.at(*tick));
                line.{ @if *tick == 0.0 { "axis" } @else { "grid" } } x1="0" x2="100%" y1=(y) y2=(y) {}
            }
            svg x="0" y="0" width="100%" height=(HEIGHT) viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" {
                (shapes)
            }
            @for ((place, name), height) in ground.breaks.iter().zip(&heights) {
                @if let Some(height) = height { (behind(*place as f64 * wide, name, *height)) }
            }
            @for tick in &ticks.values {
                (behind(0.0, &(self.short)(*tick), scale.at(*tick) - 4.0))
            }
            @for tick in &ticks.values {
                text.tick x="0" y=(trimmed(scale.at(*tick) - 4.0)) { ((self.short)(*tick)) }
            }
            @if let Some((value, name)) = self.threshold {
                @let y = scale.at(value);
                line.threshold x1="0" x2="100%" y1=(trimmed(y)) y2=(trimmed(y)) {}
                text x="100%" y=(trimmed(y - 4.0)) text-anchor="end" { (name) }
            }
            @for ((place, name), height) in ground.breaks.iter().zip(&heights) {
                @let share = *place as f64 * wide;
                line.turn x1=(across(share)) x2=(across(share)) y1=(TOP) y2=(HEIGHT - BOTTOM) {}
                @if let Some(height) = height {
                    @let anchor = Anchor::beside(share);
                    text.name x=(across(share)) y=(height) dx=(anchor.off_line()) text-anchor=(anchor.word()) { (name) }
                }
            }
            @for (place, anchor, is_minor) in marked(self.labels.len()) {
                text.minor[is_minor] x=(across((place as f64 + anchor.share()) * wide)) y=(HEIGHT - 6.0) text-anchor=(anchor.word()) {
                    (self.labels[place])
                }
            }
            @if is_empty {
                text x="50%" y=(HEIGHT / 2.0) text-anchor="middle" { "Nothing was measured" }
            } @else if self.labels.len() > MOST_TOOLTIPS {
                rect.hit.whole x="0" y=(TOP) width="100%" height=(HEIGHT - TOP - BOTTOM) data-rows=(self.count() / length as f64) {}
            } @else {
                @for (place, label) in self.labels.iter().enumerate() {
                    rect.hit x=(across(place as f64 * wide)) y=(TOP) width=(across(wide)) height=(HEIGHT - TOP - BOTTOM) {
                        title { (self.told(place, label)) @if is_provisional(place) { "\nprovisional" } }
                    }
                }
            }
        };
        html! {
            div.picture-box {
                (caption.svg(HEIGHT, &inside))
                @if inks.len() > 1 { (legend(inks)) }
                (beside_with(self.title, note(length).as_deref(), &self.head(), &self.rows()))
            }
        }
    }

    fn told(&self, place: usize, label: &str) -> String {
        let mut lines = vec![label.to_owned()];
        for series in self.series {
            let value = told(series.values.get(place).copied().flatten(), self.words);
            lines.push(format!("{}: {value}", series.name));
        }
        lines.join("\n")
    }

    fn head(&self) -> Vec<&str> {
        let names = self.series.iter().map(|series| series.name);
        std::iter::once(self.places).chain(names).collect()
    }

    /// How many places have a row of the table together.
    fn row_length(&self) -> usize {
        match self.labels.len() {
            ..=MOST_PLACES => 1,
            many => many.div_ceil(MOST_ROWS),
        }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let (count, length) = (self.labels.len(), self.row_length());
        let row = |begin: usize| {
            let places = begin..(begin + length).min(count);
            let values = self.series.iter().map(|series| self.among(series, &places));
            std::iter::once(self.name(&places)).chain(values).collect()
        };
        (0..count).step_by(length).map(row).collect()
    }

    /// The name of the places of a row, which says whether the values of some may still change.
    fn name(&self, places: &Range<usize>) -> String {
        let name = match self.labels.get(places.clone()).unwrap_or_default() {
            [] => String::new(),
            [only] => only.clone(),
            [first, .., last] => format!("{first} – {last}"),
        };
        // Where each place has a tooltip, that says it.
        let is_told_here = self.labels.len() > MOST_TOOLTIPS;
        match self.ground.provisional {
            Some(from) if is_told_here && places.end > from => format!("{name}, provisional"),
            _ => name,
        }
    }

    /// The lowest and the highest value of a series at these places.
    fn among(&self, series: &Series<'_>, places: &Range<usize>) -> String {
        let values = series.values.iter().skip(places.start).take(places.len());
        let measured = values.flatten().copied();
        let lowest = told(measured.clone().reduce(f64::min), self.words);
        let highest = told(measured.reduce(f64::max), self.words);
        if lowest == highest {
            lowest
        } else {
            format!("{lowest} – {highest}")
        }
    }
}

/// Where a row of the table has several places: how it tells them.
fn note(length: usize) -> Option<String> {
    (length > 1).then(|| {
        format!(
            "Each row spans {length} places of the picture, from their lowest to their highest value. A picture of at most \
             {MOST_PLACES} places has a row for each."
        )
    })
}

/// The names of series, in the order of their inks.
fn names<'a>(series: impl Iterator<Item = &'a Series<'a>>) -> Vec<&'a str> {
    series.map(|series| series.name).collect()
}

fn legend(names: &[&str]) -> Markup {
    html! {
        ul.legend {
            @for (at, name) in names.iter().enumerate() {
                li {
                    svg.picture viewBox="0 0 10 10" aria-hidden="true" { rect.fill.{ "ink-" (at % 5 + 1) } width="10" height="10" rx="2" {} }
                    (name)
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{number, short};

    pub(super) fn chart<'a>(labels: &'a [String], series: &'a [Series<'a>]) -> Chart<'a> {
        Chart {
            id: "times",
            title: "Times",
            description: "How long it took.",
            places: "Day",
            labels,
            series,
            words: |value| number(value, 0),
            short,
            threshold: None,
            ground: Ground::default(),
        }
    }

    pub(super) fn labels(count: usize) -> Vec<String> {
        (1..=count).map(|day| format!("Day {day}")).collect()
    }

    pub(super) fn series<'a>(values: &[Option<f64>]) -> Series<'a> {
        Series {
            name: "Time",
            values: values.to_vec(),
        }
    }

    /// By hand: the third of four places begins in the middle.
    #[test]
    fn the_ground_of_places_that_may_still_change_is_shaded() {
        let labels = labels(4);
        let series = [series(&[Some(1.0), Some(2.0), Some(3.0), Some(4.0)])];
        let plain = chart(&labels, &series);
        let from = |place| Chart {
            ground: Ground {
                provisional: Some(place),
                ..Ground::default()
            },
            ..plain
        };
        for drawn in [from(2).lines(), from(2).areas()] {
            let drawn = drawn.into_string();
            assert!(
                drawn.contains(r#"<rect class="provisional" x="50%" y="18" width="50%""#),
                "{drawn}"
            );
            assert!(
                drawn.contains("Day 2\nTime: 2</title>")
                    && drawn.contains("Day 3\nTime: 3\nprovisional</title>"),
                "{drawn}"
            );
        }
        for whole in [plain.lines(), from(4).lines()] {
            assert!(!whole.into_string().contains("provisional"));
        }
    }

    /// By hand: of 400 places, 62 rows are of 7, and 58 of them are enough; the last one is of a single place.
    #[test]
    fn many_places_have_a_row_for_several_and_no_tooltips_of_their_own() {
        let labels = labels(400);
        let course: Vec<Option<f64>> = (0..400_u16).map(|place| Some(f64::from(place))).collect();
        let series = [series(&course)];
        let many = Chart {
            ground: Ground {
                provisional: Some(398),
                ..Ground::default()
            },
            ..chart(&labels, &series)
        };
        let drawn = many.lines().into_string();
        assert_eq!(drawn.matches("<th scope=\"row\">").count(), 58, "{drawn}");
        for part in [
            "<th scope=\"row\">Day 1 – Day 7</th><td class=\"figure\">0 – 6</td>",
            "<th scope=\"row\">Day 393 – Day 399, provisional</th><td class=\"figure\">392 – 398</td>",
            "<th scope=\"row\">Day 400, provisional</th><td class=\"figure\">399</td>",
            "<p class=\"note\">Each row spans 7 places of the picture",
            "class=\"hit whole\" x=\"0\" y=\"18\" width=\"100%\" height=\"178\" data-rows=\"57.142857142857146\"",
        ] {
            assert!(drawn.contains(part), "{part} is not in {drawn}");
        }
        assert!(!drawn.contains("Day 1\nTime: 0"), "{drawn}");
    }

    #[test]
    fn a_quarter_has_a_row_a_day_and_a_month_tooltips_without_a_script() {
        for (days, tooltips, rows) in [(31, 31, 31), (32, 0, 32), (92, 0, 92), (93, 0, 47)] {
            let labels = labels(days);
            let series = [series(&vec![Some(1.0); days])];
            let drawn = chart(&labels, &series).bars().into_string();
            assert_eq!(drawn.matches("\nTime: 1</title>").count(), tooltips, "{days}");
            assert_eq!(drawn.matches("<th scope=\"row\">").count(), rows, "{days}");
        }
    }

    /// The days of ten years, of which each differs from the next as much as values do.
    #[test]
    fn a_chart_is_small_whatever_its_places() {
        for places in [92, 93, 400, 3_653] {
            let labels: Vec<String> = (0..places).map(|place| format!("{place} Nov 2026")).collect();
            let values = |factor: usize| -> Vec<Option<f64>> {
                let value = |place: usize| u32::try_from(place * factor * 7_919 % 99_991).ok().map(f64::from);
                (0..places).map(value).collect()
            };
            let series = [3, 5, 7, 11, 13].map(|factor| Series {
                name: "Visitors",
                values: values(factor),
            });
            let chart = chart(&labels, &series);
            let mut pictures = vec![(chart.lines(), 48), (chart.spread(), 48), (chart.areas(), 64)];
            // A bar is a place: pictures of bars have few.
            if places <= MOST_PLACES {
                pictures.push((chart.bars(), 48));
            }
            for (drawn, most) in pictures {
                let weight = drawn.into_string().len();
                assert!(weight < most * 1_024, "{places} places: {weight}");
            }
        }
    }

    /// 30 lies on 20: from 20 to 50 with ticks to 60, which are 178 pixels above 196.
    #[test]
    fn series_lie_on_each_other() {
        let labels = labels(1);
        let both = [series(&[Some(20.0)]), series(&[Some(30.0)])];
        let drawn = chart(&labels, &both).bars().into_string();
        assert!(
            drawn.contains(r#"<path class="fill ink-2" d="M120 136.7v-89h760v89Z">"#),
            "{drawn}"
        );
    }

    #[test]
    fn a_gap_in_one_is_a_gap_in_all_that_lie_on_it() {
        let labels = labels(2);
        let both = [series(&[None, Some(1.0)]), series(&[Some(1.0), Some(1.0)])];
        let stacked = chart(&labels, &both).stacked();
        assert_eq!(stacked[1].1, [None, Some(2.0)]);
    }

    #[test]
    fn nothing_one_point_and_huge_values_can_be_drawn() {
        let empty = chart(&[], &[]).areas().into_string();
        assert!(empty.contains("Nothing was measured") && !empty.contains("NaN"));
        let one = labels(1);
        let huge = [series(&[Some(1e15)])];
        let drawn = chart(&one, &huge).areas().into_string();
        assert!(
            drawn.contains(">1P<") && drawn.contains("1,000,000,000,000,000"),
            "{drawn}"
        );
        let below = [series(&[Some(-40.0)])];
        let drawn = chart(&one, &below).bars().into_string();
        assert!(
            drawn.contains("−40") && drawn.contains("v178h760v-178Z"),
            "{drawn}"
        );
    }

    #[test]
    fn labels_of_strangers_stay_text() {
        let hostile = vec!["</title><script>alert(1)</script>".to_owned()];
        let series = [Series {
            name: "\"><img onerror=x>",
            values: vec![Some(1.0)],
        }];
        let drawn = chart(&hostile, &series).lines().into_string();
        assert!(!drawn.contains("<script") && !drawn.contains("<img"), "{drawn}");
        assert!(drawn.contains("&lt;script&gt;"));
    }
}
