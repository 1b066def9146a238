//! Ways through a row of steps, as bands from each stop to the next.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::picture::{Caption, across, beside, trimmed};

const HEIGHT: f64 = 340.0;
const TOP: f64 = 20.0;
/// The room between the stops of a step, which is that of a line of text.
const GAP: f64 = 16.0;
/// How wide the stretched shapes are in their own units.
const WIDTH: f64 = 1_000.0;
/// How much of the width of a step its stops take; the rest is that of the bands.
const STOP: f64 = 0.06;
/// How many stops of a step have a place of their own.
const MOST: usize = 6;

/// Those who took one way.
#[derive(Clone, Debug)]
pub struct Way<'a> {
    /// The stops, in order.
    pub stops: Vec<&'a str>,
    /// How many they are.
    pub weight: f64,
}

/// Ways through steps. Who goes no further leaves a stop without a band.
#[derive(Clone, Debug)]
pub struct Flow<'a> {
    /// The only one of the page, plain letters and digits.
    pub id: &'a str,
    /// The title.
    pub title: &'a str,
    /// The same in a sentence, for those who don't see it.
    pub description: &'a str,
    /// The ways.
    pub ways: &'a [Way<'a>],
    /// The name of all stops of a step beyond the greatest six.
    pub others: &'a str,
    /// The words for going no further.
    pub end: &'a str,
    /// The name of what is counted: the head of the table's last column.
    pub counted: &'a str,
    /// Counts in words.
    pub words: fn(f64) -> String,
}

/// A stop as it is drawn.
struct Stop<'a> {
    name: &'a str,
    weight: f64,
    top: f64,
}

/// The stops of a step, and the place of each name that has one of its own.
struct Step<'a> {
    stops: Vec<Stop<'a>>,
    places: BTreeMap<&'a str, usize>,
}

impl<'a> Step<'a> {
    fn of(weights: &BTreeMap<&'a str, f64>, others: &'a str) -> Self {
        let mut all: Vec<(&str, f64)> = weights.iter().map(|(name, weight)| (*name, *weight)).collect();
        // The greatest first; those alike stay in the order of their names.
        all.sort_by(|one, other| other.1.total_cmp(&one.1));
        let rest: f64 = all.iter().skip(MOST).map(|(_, weight)| weight).sum();
        let has_rest = all.len() > MOST;
        all.truncate(MOST);
        let places = all
            .iter()
            .enumerate()
            .map(|(place, (name, _))| (*name, place))
            .collect();
        let rest = has_rest.then_some((others, rest));
        let stops = all.into_iter().chain(rest).map(|(name, weight)| Stop {
            name,
            weight,
            top: TOP,
        });
        Self {
            stops: stops.collect(),
            places,
        }
    }

    fn place(&self, name: &str) -> usize {
        self.places.get(name).copied().unwrap_or(MOST)
    }
}

/// A band: from a stop of a step to one of the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Band {
    step: usize,
    from: usize,
    to: usize,
}

impl<'a> Flow<'a> {
    /// The picture.
    #[must_use]
    pub fn draw(&self) -> Markup {
        let (steps, scale) = self.steps();
        let bands = self.bands(&steps);
        let wide = 1.0 / steps.len().max(1) as f64;
        let caption = Caption {
            id: self.id,
            title: self.title,
            description: self.description,
        };
        let inside = html! {
            svg x="0" y="0" width="100%" height=(HEIGHT) viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" {
                @for (outline, told) in self.outlines(&steps, &bands, scale) {
                    path.fill.wash.ink-1 d=(outline) { title { (told) } }
                }
            }
            @for (at, step) in steps.iter().enumerate() {
                @let x = at as f64 * wide;
                text x=(across(x)) y="12" { (at + 1) "." }
                @for stop in &step.stops {
                    rect.fill.ink-1 x=(across(x)) y=(trimmed(stop.top)) width=(across(wide * STOP))
                        height=(trimmed((stop.weight * scale).max(1.0))) rx="1" {
                        title { (at + 1) ". " (stop.name) "\n" ((self.words)(stop.weight)) }
                    }
                    // Long names end where the next step begins.
                    svg x=(across(x + wide * STOP)) y=(trimmed(stop.top)) width=(across(wide * (0.98 - STOP))) height=(GAP) {
                        text.name x="4" y="11" { ((self.words)(stop.weight)) " " (stop.name) }
                    }
                }
            }
            @if steps.is_empty() {
                text x="50%" y=(HEIGHT / 2.0) text-anchor="middle" { "Nothing was measured" }
            }
        };
        html! {
            div.picture-box {
                // Steps need room for the names of their stops: on narrow screens the picture is moved to and fro.
                div.flow.deep[steps.len() > 3] role="region" tabindex="0" aria-label={ "Picture: " (self.title) } {
                    (caption.svg(HEIGHT, &inside))
                }
                (beside(self.title, &["From", "To", self.counted], &self.rows(&steps, &bands)))
            }
        }
    }

    /// The steps with their stops in place, and how many pixels high one of those who are counted is.
    fn steps(&self) -> (Vec<Step<'a>>, f64) {
        let length = self.ways.iter().map(|way| way.stops.len()).max().unwrap_or(0);
        let mut weights: Vec<BTreeMap<&'a str, f64>> = vec![BTreeMap::new(); length];
        for way in self.ways {
            for (stop, weights) in way.stops.iter().zip(&mut weights) {
                *weights.entry(*stop).or_default() += way.weight;
            }
        }
        let mut steps: Vec<Step<'a>> = weights
            .iter()
            .map(|weights| Step::of(weights, self.others))
            .collect();
        let most = steps.iter().map(|step| step.stops.len()).max().unwrap_or(0);
        let total: f64 = self.ways.iter().map(|way| way.weight).sum();
        let scale = if total > 0.0 {
            (HEIGHT - TOP - GAP * most as f64) / total
        } else {
            0.0
        };
        for step in &mut steps {
            let mut top = TOP;
            for stop in &mut step.stops {
                stop.top = top;
                top += stop.weight * scale + GAP;
            }
        }
        (steps, scale)
    }

    /// How many go from each stop to each of the next step.
    fn bands(&self, steps: &[Step<'a>]) -> BTreeMap<Band, f64> {
        let mut bands = BTreeMap::new();
        for way in self.ways {
            let pairs = way.stops.iter().zip(way.stops.iter().skip(1));
            for ((at, (from, to)), (step, next)) in
                pairs.enumerate().zip(steps.iter().zip(steps.iter().skip(1)))
            {
                let band = Band {
                    step: at,
                    from: step.place(from),
                    to: next.place(to),
                };
                *bands.entry(band).or_insert(0.0) += way.weight;
            }
        }
        bands
    }

    /// The outline of each band, and what is told of it.
    fn outlines(&self, steps: &[Step<'a>], bands: &BTreeMap<Band, f64>, scale: f64) -> Vec<(String, String)> {
        let wide = WIDTH / steps.len().max(1) as f64;
        // How much of each stop the bands before take, on the way out of it and into it.
        let mut taken: BTreeMap<(bool, usize, usize), f64> = BTreeMap::new();
        let mut begin = |side: (bool, usize, usize), top: f64, height: f64| {
            let taken = taken.entry(side).or_default();
            let begin = top + *taken;
            *taken += height;
            begin
        };
        let drawn = bands.iter().filter_map(|(band, weight)| {
            let from = steps.get(band.step)?.stops.get(band.from)?;
            let to = steps.get(band.step + 1)?.stops.get(band.to)?;
            let height = weight * scale;
            let one = begin((false, band.step, band.from), from.top, height);
            let other = begin((true, band.step + 1, band.to), to.top, height);
            let left = (band.step as f64 + STOP) * wide;
            let right = (band.step + 1) as f64 * wide;
            let [x, middle, until] = [left, left.midpoint(right), right].map(trimmed);
            let [one_end, other_end] = [one + height, other + height].map(trimmed);
            let [one, other] = [one, other].map(trimmed);
            let outline = format!(
                "M{x} {one}C{middle} {one} {middle} {other} {until} {other}V{other_end}C{middle} {other_end} {middle} {one_end} {x} {one_end}Z"
            );
            let told = format!("{} → {}\n{}", from.name, to.name, (self.words)(*weight));
            Some((outline, told))
        });
        drawn.collect()
    }

    /// The bands as rows, and after those of a stop how many went no further.
    fn rows(&self, steps: &[Step<'a>], bands: &BTreeMap<Band, f64>) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for (at, (step, next)) in steps.iter().zip(steps.iter().skip(1)).enumerate() {
            for (place, stop) in step.stops.iter().enumerate() {
                let from = format!("{}. {}", at + 1, stop.name);
                let mut gone = 0.0;
                for (to, next) in next.stops.iter().enumerate() {
                    let band = Band {
                        step: at,
                        from: place,
                        to,
                    };
                    let Some(weight) = bands.get(&band) else {
                        continue;
                    };
                    gone += weight;
                    let to = format!("{}. {}", at + 2, next.name);
                    rows.push(vec![from.clone(), to, (self.words)(*weight)]);
                }
                if stop.weight > gone {
                    rows.push(vec![from, self.end.to_owned(), (self.words)(stop.weight - gone)]);
                }
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::short;

    fn drawn(ways: &[Way<'_>]) -> String {
        let flow = Flow {
            id: "ways",
            title: "Ways",
            description: "Which ways.",
            ways,
            others: "others",
            end: "no further",
            counted: "Sessions",
            words: short,
        };
        flow.draw().into_string()
    }

    fn way<'a>(stops: &[&'a str], weight: f64) -> Way<'a> {
        Way {
            stops: stops.to_vec(),
            weight,
        }
    }

    /// By hand: 340 − 20 − 2 × 16 = 288 pixels for 5, so 57.6 for one. 3 of the 4 at `/` go on to `/a<`.
    #[test]
    fn bands_are_as_thick_as_their_share() {
        let ways = [
            way(&["/", "/a<"], 3.0),
            way(&["/"], 1.0),
            way(&["/c", "/a<"], 1.0),
        ];
        let drawn = drawn(&ways);
        for outline in [
            "M30 20C265 20 265 20 500 20V192.8C265 192.8 265 192.8 30 192.8Z",
            "M30 266.4C265 266.4 265 192.8 500 192.8V250.4C265 250.4 265 324 30 324Z",
        ] {
            assert!(drawn.contains(outline), "{outline} is not in {drawn}");
        }
        assert!(
            drawn.contains(r#"x="0%" y="20" width="3%" height="230.4""#),
            "{drawn}"
        );
        for row in [
            r#"<th scope="row">1. /</th><td class="figure">2. /a&lt;</td><td class="figure">3</td>"#,
            r#"<th scope="row">1. /</th><td class="figure">no further</td><td class="figure">1</td>"#,
        ] {
            assert!(drawn.contains(row), "{row} is not in {drawn}");
        }
        assert_eq!(drawn.matches("no further").count(), 1);
    }

    #[test]
    fn a_picture_of_many_steps_is_wider_and_can_be_moved_by_keys() {
        let region = |class: &str| {
            format!("<div class=\"{class}\" role=\"region\" tabindex=\"0\" aria-label=\"Picture: Ways\">")
        };
        let few = drawn(&[way(&["/", "/a", "/b"], 1.0)]);
        assert!(few.contains(&region("flow")), "{few}");
        let many = drawn(&[way(&["/", "/a", "/b", "/c"], 1.0)]);
        assert!(many.contains(&region("flow deep")), "{many}");
    }

    #[test]
    fn small_stops_of_a_step_are_one() {
        let names: Vec<String> = (1..=9).map(|at| format!("/{at}")).collect();
        let ways: Vec<Way<'_>> = (1_u8..=9)
            .zip(&names)
            .map(|(at, name)| way(&[name.as_str(), "/end"], 10.0 - f64::from(at)))
            .collect();
        let drawn = drawn(&ways);
        // 3, 2 and 1 of 45 are the seventh, eighth and ninth.
        assert!(
            drawn.contains(
                r#"<th scope="row">1. others</th><td class="figure">2. /end</td><td class="figure">6</td>"#
            ),
            "{drawn}"
        );
        assert!(!drawn.contains("/7"), "{drawn}");
    }

    #[test]
    fn no_ways_can_be_drawn() {
        let drawn = drawn(&[]);
        assert!(
            drawn.contains("Nothing was measured") && !drawn.contains("NaN"),
            "{drawn}"
        );
        assert!(!drawn_of_nobody().contains("NaN"));
    }

    fn drawn_of_nobody() -> String {
        drawn(&[way(&["/"], 0.0)])
    }
}
