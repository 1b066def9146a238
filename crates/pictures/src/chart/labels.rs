//! The names in a chart: those of its places, and of breaks.

use maud::{Markup, html};

use super::TOP;
use crate::picture::{across, trimmed};

/// How far below the top the first row of names of breaks stands, and the next below that: between the topmost ticks.
const NAME_ROW: f64 = 14.0;
/// How many rows of such names there are.
const NAME_ROWS: usize = 2;
/// How many pixels wide a letter of them is, about.
const LETTER_WIDE: f64 = 6.25;
/// How much of the width it takes: that of a picture of 500 pixels.
const LETTER: f64 = LETTER_WIDE / 500.0;
/// How far apart names stand at least, as a share of the width: a date on a printed page takes 0.11 of it.
const APART: f64 = 0.12;
/// How far from an edge: the name there begins at it, or ends.
const OFF_EDGE: f64 = 0.17;

/// How high the names of breaks stand: each in the first row in which none before it is in its way. `None` where there is no such
/// row: its line is drawn alone.
pub(super) fn heights(breaks: &[(usize, String)], wide: f64) -> Vec<Option<f64>> {
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

/// The ground of a tick or of a break's name, about as wide as the text: on it the text can be read where it lies on a course. It
/// is for paper: a halo of the letters draws them twice, and a PDF then has the text twice.
pub(super) fn behind(share: f64, name: &str, height: f64) -> Markup {
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
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    /// That of a name beside a line: to the side where there is more room.
    pub(super) fn beside(share: f64) -> Self {
        if share > 0.5 { Self::End } else { Self::Start }
    }

    pub(super) fn share(self) -> f64 {
        match self {
            Self::Start => 0.0,
            Self::Middle => 0.5,
            Self::End => 1.0,
        }
    }

    /// How far a text stands off a line at its place, in pixels.
    pub(super) fn off_line(self) -> i8 {
        match self {
            Self::Start => 4,
            Self::Middle => 0,
            Self::End => -4,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// The places whose names are shown: the first, the last, and as many as there is room for between them, of which narrow screens
/// keep one.
pub(super) fn marked(count: usize) -> Vec<(usize, Anchor, bool)> {
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
    use crate::chart::{
        Chart, Ground, Series,
        tests::{chart, labels, series},
    };

    /// A chart with these breaks.
    fn on<'a>(breaks: &'a [(usize, String)], chart: &Chart<'a>) -> Chart<'a> {
        Chart {
            ground: Ground {
                breaks,
                ..Ground::default()
            },
            ..*chart
        }
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
        let drawn = on(&breaks, &chart(&labels, &series)).spread().into_string();
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
        let drawn = on(&breaks, &chart(&labels, &series)).lines().into_string();
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
