//! Lines, stacked areas and stacked bars over a row of places, such as the hours of a day.

use maud::{Markup, html};

use crate::{
    picture::{Caption, across, beside, told, trimmed},
    scale::{Scale, Ticks},
};

const HEIGHT: f64 = 220.0;
const TOP: f64 = 18.0;
const BOTTOM: f64 = 24.0;
/// How wide the stretched shapes are in their own units.
const WIDTH: f64 = 1_000.0;
/// How far below the top the first row of names of breaks stands, and the next below that: between the topmost ticks.
const NAME_ROW: f64 = 14.0;
/// How many rows of such names there are.
const NAME_ROWS: usize = 2;
/// How many pixels wide a letter of them is, about.
const LETTER_WIDE: f64 = 6.25;
/// How much of the width it takes: that of a picture of 500 pixels.
const LETTER: f64 = LETTER_WIDE / 500.0;

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
    /// The title.
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
    /// A value that something is held against, with its name.
    pub threshold: Option<(f64, &'a str)>,
}

impl Chart<'_> {
    /// A line a series.
    #[must_use]
    pub fn lines(&self) -> Markup {
        self.lines_on(Ground::default())
    }

    /// The same on a ground that says more.
    #[must_use]
    pub fn lines_on(&self, ground: Ground<'_>) -> Markup {
        let values = self.series.iter().flat_map(|series| &series.values).flatten();
        let scale = self.scale(values.copied());
        let shapes = html! {
            @for (at, series) in self.series.iter().enumerate() {
                path.line.{ "ink-" (at % 5 + 1) } d=(self.line(&series.values, &scale.1)) {}
            }
        };
        self.draw(&scale, &shapes, true, ground)
    }

    /// The first series as a line, amid the room from the second, which is the least, to the third, the greatest. At the beginning of
    /// some places stands a line with a name: from there on values are come by otherwise.
    #[must_use]
    pub fn spread(&self, breaks: &[(usize, String)]) -> Markup {
        let values = self.series.iter().flat_map(|series| &series.values).flatten();
        let scale = self.scale(values.copied());
        let shapes = html! {
            @if let [middle, least, greatest] = self.series {
                path.fill.wash.ink-1 d=(self.area(&least.values, &greatest.values, &scale.1)) {}
                path.line.ink-1 d=(self.line(&middle.values, &scale.1)) {}
            }
        };
        let ground = Ground {
            provisional: None,
            breaks,
        };
        self.draw(&scale, &shapes, false, ground)
    }

    /// The series on top of each other. Where one was not measured, there is a gap in all.
    #[must_use]
    pub fn areas(&self) -> Markup {
        self.areas_on(Ground::default())
    }

    /// The same on a ground that says more.
    #[must_use]
    pub fn areas_on(&self, ground: Ground<'_>) -> Markup {
        let tops = self.stacked();
        let scale = self.scale(tops.iter().flat_map(|(_, top)| top).flatten().copied());
        let shapes = html! {
            // The last first, so that each lies below those before it.
            @for (at, (bottom, top)) in tops.iter().enumerate() {
                path.fill.{ "ink-" (at % 5 + 1) } d=(self.area(bottom, top, &scale.1)) {}
            }
        };
        self.draw(&scale, &shapes, true, ground)
    }

    /// The same as bars.
    #[must_use]
    pub fn bars(&self) -> Markup {
        let tops = self.stacked();
        let scale = self.scale(tops.iter().flat_map(|(_, top)| top).flatten().copied());
        let wide = WIDTH / self.count();
        let shapes = html! {
            @for (at, (bottom, top)) in tops.iter().enumerate() {
                @for (place, (bottom, top)) in bottom.iter().zip(top).enumerate() {
                    @if let Some((bottom, top)) = bottom.zip(*top).filter(|(bottom, top)| bottom != top) {
                        @let (one, other) = (scale.1.at(bottom), scale.1.at(top));
                        rect.fill.{ "ink-" (at % 5 + 1) } x=(trimmed(place as f64 * wide + wide * 0.12)) y=(trimmed(one.min(other)))
                            width=(trimmed(wide * 0.76)) height=(trimmed((one - other).abs())) {}
                    }
                }
            }
        };
        self.draw(&scale, &shapes, true, Ground::default())
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
        let (low, high) = values
            .chain(threshold)
            .fold((0.0_f64, 0.0_f64), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        let ticks = Ticks::around(low, high, 4);
        let scale = Scale::new(ticks.ends(), (HEIGHT - BOTTOM, TOP));
        (ticks, scale)
    }

    /// The middle of a place, in the units of the stretched shapes.
    fn x(&self, place: usize) -> f64 {
        (place as f64 + 0.5) * WIDTH / self.count()
    }

    /// How far a place of its own reaches to each side: it is as wide as a third of its room.
    fn reach(&self) -> f64 {
        WIDTH / self.count() / 6.0
    }

    fn line(&self, values: &[Option<f64>], scale: &Scale) -> String {
        let mut path = String::new();
        for run in runs(values) {
            if let [(place, value)] = run[..] {
                // A dot of the line's width would be overlooked.
                let third = self.reach();
                path.push_str(&format!(
                    "M{} {}h{}",
                    trimmed(self.x(place) - third),
                    trimmed(scale.at(value)),
                    trimmed(2.0 * third)
                ));
                continue;
            }
            for (at, (place, value)) in run.iter().enumerate() {
                let command = if at == 0 { 'M' } else { 'L' };
                path.push(command);
                path.push_str(&format!(
                    "{} {}",
                    trimmed(self.x(*place)),
                    trimmed(scale.at(*value))
                ));
            }
        }
        path
    }

    fn area(&self, bottom: &[Option<f64>], top: &[Option<f64>], scale: &Scale) -> String {
        let mut path = String::new();
        for run in runs(top) {
            let third = self.reach();
            let widened = |place: usize| {
                if run.len() == 1 {
                    vec![self.x(place) - third, self.x(place) + third]
                } else {
                    vec![self.x(place)]
                }
            };
            let mut points = Vec::new();
            for (place, value) in &run {
                points.extend(widened(*place).into_iter().map(|x| (x, scale.at(*value))));
            }
            for (place, _) in run.iter().rev() {
                let value = bottom.get(*place).copied().flatten().unwrap_or(0.0);
                points.extend(widened(*place).into_iter().rev().map(|x| (x, scale.at(value))));
            }
            for (at, (x, y)) in points.iter().enumerate() {
                path.push(if at == 0 { 'M' } else { 'L' });
                path.push_str(&format!("{} {}", trimmed(*x), trimmed(*y)));
            }
            path.push('Z');
        }
        path
    }

    fn draw(
        &self,
        (ticks, scale): &(Ticks, Scale),
        shapes: &Markup,
        tells_apart: bool,
        ground: Ground<'_>,
    ) -> Markup {
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
                @if tells_apart && self.series.len() > 1 { (self.legend()) }
                (beside(self.title, &self.head(), &self.rows()))
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

    fn legend(&self) -> Markup {
        html! {
            ul.legend {
                @for (at, series) in self.series.iter().enumerate() {
                    li {
                        svg.picture viewBox="0 0 10 10" aria-hidden="true" { rect.fill.{ "ink-" (at % 5 + 1) } width="10" height="10" rx="2" {} }
                        (series.name)
                    }
                }
            }
        }
    }

    fn head(&self) -> Vec<&str> {
        let names = self.series.iter().map(|series| series.name);
        std::iter::once(self.places).chain(names).collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |(place, label): (usize, &String)| {
            let values = self.series.iter().map(|series| {
                let value = series.values.get(place).copied().flatten();
                told(value, self.words)
            });
            std::iter::once(label.clone()).chain(values).collect()
        };
        self.labels.iter().enumerate().map(row).collect()
    }
}

/// The places that follow each other without a gap, each with its value.
fn runs(values: &[Option<f64>]) -> Vec<Vec<(usize, f64)>> {
    let mut runs: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut is_open = false;
    for (place, value) in values.iter().enumerate() {
        let Some(value) = value.filter(|value| value.is_finite()) else {
            is_open = false;
            continue;
        };
        match runs.last_mut() {
            Some(run) if is_open => run.push((place, value)),
            _ => runs.push(vec![(place, value)]),
        }
        is_open = true;
    }
    runs
}

/// How high the names of breaks stand: each in the first row in which none before it is in its way. `None` where there is no such
/// row: its line is drawn alone.
fn heights(breaks: &[(usize, String)], wide: f64) -> Vec<Option<f64>> {
    let mut rows: [Vec<(f64, f64)>; NAME_ROWS] = Default::default();
    let height = |(place, name): &(usize, String)| {
        let share = *place as f64 * wide;
        let length = name.chars().count() as f64 * LETTER;
        let (from, to) = match Anchor::beside(share) {
            Anchor::End => (share - length, share),
            Anchor::Start | Anchor::Middle => (share, share + length),
        };
        let is_free = |taken: &Vec<(f64, f64)>| taken.iter().all(|(begin, end)| to <= *begin || *end <= from);
        let row = rows.iter().position(is_free)?;
        rows[row].push((from, to));
        Some(TOP + NAME_ROW * (row + 1) as f64)
    };
    breaks.iter().map(height).collect()
}

/// The ground of a break's name, about as wide as the name: on it the name can be read where it lies on a course. It is for paper: a
/// halo of the letters draws the name twice, and a PDF then has its text twice.
fn behind(share: f64, name: &str, height: f64) -> Markup {
    let anchor = Anchor::beside(share);
    let length = name.chars().count() as f64 * LETTER_WIDE + f64::from(anchor.off_line().abs());
    let is_before = anchor == Anchor::End;
    html! {
        rect.behind x=(across(share)) y=(height - 10.0) width=(trimmed(length)) height="13"
            transform=[is_before.then(|| format!("translate({})", trimmed(-length)))] {}
    }
}

/// How a label lies at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    /// That of a name beside a line: to the side where there is more room.
    fn beside(share: f64) -> Self {
        if share > 0.5 { Self::End } else { Self::Start }
    }

    fn share(self) -> f64 {
        match self {
            Self::Start => 0.0,
            Self::Middle => 0.5,
            Self::End => 1.0,
        }
    }

    /// How far a text stands off a line at its place, in pixels.
    fn off_line(self) -> i8 {
        match self {
            Self::Start => 4,
            Self::Middle => 0,
            Self::End => -4,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// How far apart names stand at least, as a share of the width: a date on a printed page takes 0.11 of it.
const APART: f64 = 0.12;
/// How far from an edge: the name there begins at it, or ends.
const OFF_EDGE: f64 = 0.17;

/// The places whose names are shown: the first, the last, and as many as there is room for between them, of which narrow screens
/// keep one.
fn marked(count: usize) -> Vec<(usize, Anchor, bool)> {
    match count {
        0 => Vec::new(),
        1 => vec![(0, Anchor::Middle, false)],
        _ => {
            let last = count - 1;
            let choices = [5, 3, 1].map(|many| between(many, last));
            let fitting = choices.into_iter().find(|places| fit(places, count));
            let places = fitting.unwrap_or_default();
            let middle = places.len() / 2;
            let mut marked = vec![(0, Anchor::Start, false)];
            marked.extend(
                places
                    .into_iter()
                    .enumerate()
                    .map(|(at, place)| (place, Anchor::Middle, at != middle)),
            );
            marked.push((last, Anchor::End, false));
            marked
        }
    }
}

/// So many places, evenly between the first and the last.
fn between(many: usize, last: usize) -> Vec<usize> {
    (1..=many).map(|at| at * last / (many + 1)).collect()
}

/// Whether the names of places stand clear of each other and of those at the edges.
fn fit(places: &[usize], count: usize) -> bool {
    let share = |place: &usize| (*place as f64 + 0.5) / count as f64;
    places.first() != Some(&0)
        && places
            .iter()
            .all(|place| (OFF_EDGE..=1.0 - OFF_EDGE).contains(&share(place)))
        && places
            .windows(2)
            .all(|pair| share(&pair[1]) - share(&pair[0]) >= APART)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{number, short};

    fn chart<'a>(labels: &'a [String], series: &'a [Series<'a>]) -> Chart<'a> {
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
        }
    }

    fn labels(count: usize) -> Vec<String> {
        (1..=count).map(|day| format!("Day {day}")).collect()
    }

    fn series<'a>(values: &[Option<f64>]) -> Series<'a> {
        Series {
            name: "Time",
            values: values.to_vec(),
        }
    }

    /// Worked out by hand: 0 to 100 on 196 to 18 px, four places of 250 units with their middles at 125, 375, 625, 875.
    #[test]
    fn values_come_to_their_coordinates() {
        let labels = labels(4);
        let series = [series(&[Some(0.0), Some(50.0), Some(100.0), Some(25.0)])];
        let drawn = chart(&labels, &series).lines().into_string();
        assert!(
            drawn.contains(r#"d="M125 196L375 107L625 18L875 151.5""#),
            "{drawn}"
        );
    }

    /// By hand: 80 and 100 of 100 lie on 53.6 and 18 px, places at 250 and 750 units.
    #[test]
    fn a_line_lies_amid_its_spread() {
        let labels = labels(2);
        let of = |name, values: [f64; 2]| Series {
            name,
            values: values.map(Some).to_vec(),
        };
        let series = [
            of("Median", [90.0, 90.0]),
            of("Least", [80.0, 80.0]),
            of("Greatest", [100.0, 100.0]),
        ];
        let drawn = chart(&labels, &series).spread(&[]).into_string();
        assert!(
            drawn.contains(r#"d="M250 18L750 18L750 53.6L250 53.6Z""#),
            "{drawn}"
        );
        assert!(drawn.contains(r#"d="M250 35.8L750 35.8""#), "{drawn}");
        assert!(
            drawn.contains("Least: 80") && !drawn.contains("legend"),
            "{drawn}"
        );
    }

    /// By hand: the second of four places begins at a quarter, the fourth at three.
    #[test]
    fn a_break_is_a_line_with_its_name() {
        let labels = labels(4);
        let series = ["Median", "Least", "Greatest"].map(|name| Series {
            name,
            values: vec![Some(1.0); 4],
        });
        let breaks = [(1, "Lighthouse 13".to_owned()), (3, "<b>".to_owned())];
        let drawn = chart(&labels, &series).spread(&breaks).into_string();
        assert!(
            drawn.contains(r#"<line class="turn" x1="25%" x2="25%" y1="18" y2="196">"#),
            "{drawn}"
        );
        assert!(
            drawn.contains(r#"x="25%" y="32" dx="4" text-anchor="start">Lighthouse 13<"#)
                && drawn.contains(r#"x="75%" y="32" dx="-4" text-anchor="end">&lt;b&gt;<"#),
            "{drawn}"
        );
        for ground in [
            r#"<rect class="behind" x="25%" y="22" width="85.25" height="13"></rect>"#,
            r#"<rect class="behind" x="75%" y="22" width="22.75" height="13" transform="translate(-22.75)"></rect>"#,
        ] {
            let (before, after) = drawn.split_once(ground).unwrap();
            assert!(
                before.contains("class=\"line") && after.contains("class=\"name\""),
                "{drawn}"
            );
        }
    }

    /// By hand: the third of four places begins in the middle.
    #[test]
    fn the_ground_of_places_that_may_still_change_is_shaded() {
        let labels = labels(4);
        let series = [series(&[Some(1.0), Some(2.0), Some(3.0), Some(4.0)])];
        let chart = chart(&labels, &series);
        let from = |place| Ground {
            provisional: Some(place),
            ..Ground::default()
        };
        for drawn in [chart.lines_on(from(2)), chart.areas_on(from(2))] {
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
        for whole in [chart.lines(), chart.lines_on(from(4))] {
            assert!(!whole.into_string().contains("provisional"));
        }
    }

    /// By hand: ten places of a tenth each, and names of 8 letters, each a tenth of the width. The fourth name would stand on
    /// two others.
    #[test]
    fn names_of_breaks_stand_in_the_way_of_no_other() {
        let labels = labels(10);
        let series = [series(&[Some(1.0); 10])];
        let breaks = [
            (1, "release1"),
            (2, "release2"),
            (2, "release3"),
            (2, "release4"),
            (9, "release5"),
        ]
        .map(|(place, name)| (place, name.to_owned()));
        assert_eq!(
            heights(&breaks, 0.1),
            [Some(32.0), Some(32.0), Some(46.0), None, Some(32.0)]
        );
        let ground = Ground {
            breaks: &breaks,
            ..Ground::default()
        };
        let drawn = chart(&labels, &series).lines_on(ground).into_string();
        assert_eq!(drawn.matches("class=\"turn\"").count(), 5, "{drawn}");
        assert!(
            drawn.contains(r#"x="20%" y="46" dx="4" text-anchor="start">release3<"#)
                && drawn.contains(r#"x="90%" y="32" dx="-4" text-anchor="end">release5<"#)
                && !drawn.contains(">release4<"),
            "{drawn}"
        );
        assert!(!chart(&labels, &series).lines().into_string().contains("turn"));
    }

    #[test]
    fn what_was_not_measured_is_a_gap() {
        let labels = labels(4);
        let series = [series(&[Some(0.0), None, Some(100.0), Some(25.0)])];
        let drawn = chart(&labels, &series).lines().into_string();
        assert!(
            drawn.contains(r#"d="M83.33 196h83.33M625 18L875 151.5""#),
            "{drawn}"
        );
        assert!(drawn.contains("Day 2\nTime: not measured"));
        assert!(drawn.contains("<td class=\"figure\">not measured</td>"));
    }

    /// 30 lies on 20: from 20 to 50 of 50, with ticks to 60.
    #[test]
    fn series_lie_on_each_other() {
        let labels = labels(1);
        let both = [series(&[Some(20.0)]), series(&[Some(30.0)])];
        let drawn = chart(&labels, &both).bars().into_string();
        let scale = Scale::new((0.0, 60.0), (196.0, 18.0));
        let (low, high) = (scale.at(20.0), scale.at(50.0));
        assert!(
            drawn.contains(&format!(
                r#"y="{}" width="760" height="{}""#,
                trimmed(high),
                trimmed(low - high)
            )),
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
        assert!(drawn.contains("−40") && !drawn.contains("height=\"-"), "{drawn}");
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

    #[test]
    fn the_first_and_the_last_place_are_named() {
        assert_eq!(marked(2), [(0, Anchor::Start, false), (1, Anchor::End, false)]);
        let of_many: Vec<usize> = marked(365).into_iter().map(|(place, ..)| place).collect();
        assert_eq!(of_many, [0, 91, 182, 273, 364]);
    }

    #[test]
    fn names_stand_clear_of_each_other() {
        let places = |count| -> Vec<usize> { marked(count).into_iter().map(|(place, ..)| place).collect() };
        assert_eq!(places(3), [0, 1, 2]);
        assert_eq!(places(7), [0, 1, 2, 3, 4, 5, 6]);
        // The second of ten would stand on the first.
        assert_eq!(places(10), [0, 2, 4, 6, 9]);
        for count in 2..=400 {
            let shown = places(count);
            assert!(fit(&shown[1..shown.len() - 1], count), "{count}: {shown:?}");
        }
        let kept = marked(31).into_iter().filter(|(.., is_minor)| !is_minor).count();
        assert_eq!(kept, 3, "the first, the middle and the last");
    }
}
