//! The shapes of a chart, stretched to its width.

use super::{Chart, WIDTH};
use crate::{picture::trimmed, scale::Scale};

impl Chart<'_> {
    /// The middle of a place, in the units of the stretched shapes.
    fn x(&self, place: usize) -> f64 {
        (place as f64 + 0.5) * WIDTH / self.count()
    }

    /// How far a place of its own reaches to each side: it is as wide as a third of its room.
    fn reach(&self) -> f64 {
        WIDTH / self.count() / 6.0
    }

    pub(super) fn line(&self, values: &[Option<f64>], scale: &Scale) -> String {
        let mut path = Path::default();
        for run in runs(values, values).iter().filter(|run| run.len() > 1) {
            path.through(
                run.iter()
                    .map(|(place, value)| (self.x(*place), scale.at(*value))),
            );
        }
        path.data
    }

    /// The values beside which none was measured, each as a point: a stroke of no length has round ends, however the shapes are
    /// stretched.
    pub(super) fn points(&self, values: &[Option<f64>], scale: &Scale) -> String {
        let mut path = String::new();
        for run in runs(values, values) {
            if let [(place, value)] = run[..] {
                path.push_str(&format!(
                    "M{} {}h0",
                    trimmed(self.x(place)),
                    trimmed(scale.at(value))
                ));
            }
        }
        path
    }

    /// The area between two courses. Where a picture can't show all places, those are shown at which the values of `by` are the
    /// lowest and the highest.
    pub(super) fn area(
        &self,
        bottom: &[Option<f64>],
        top: &[Option<f64>],
        by: &[Option<f64>],
        scale: &Scale,
    ) -> String {
        let mut path = Path::default();
        for run in runs(top, by) {
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
            path.through(points.into_iter());
            path.data.push('Z');
        }
        path.data
    }

    /// A bar from one course to the other at each place.
    pub(super) fn columns(&self, bottom: &[Option<f64>], top: &[Option<f64>], scale: &Scale) -> String {
        let wide = WIDTH / self.count();
        let mut path = String::new();
        for (place, (bottom, top)) in bottom.iter().zip(top).enumerate() {
            let Some((bottom, top)) = bottom.zip(*top).filter(|(bottom, top)| bottom != top) else {
                continue;
            };
            let (from, to) = (tenths(scale.at(bottom)), tenths(scale.at(top)));
            path.push_str(&format!(
                "M{} {}v{}h{}v{}Z",
                trimmed(tenths((place as f64 + 0.12) * wide)),
                trimmed(from),
                trimmed(to - from),
                trimmed(tenths(wide * 0.76)),
                trimmed(from - to)
            ));
        }
        path
    }
}

/// The data of a path in few characters: each point is told by how far it lies from the one before, in tenths.
#[derive(Default)]
struct Path {
    data: String,
}

impl Path {
    fn through(&mut self, points: impl Iterator<Item = (f64, f64)>) {
        let mut before: Option<(f64, f64)> = None;
        for (x, y) in points {
            let (x, y) = (tenths(x), tenths(y));
            let (command, across, down) = match before {
                Some((last_x, last_y)) => ('l', trimmed(x - last_x), trimmed(y - last_y)),
                None => ('M', trimmed(x), trimmed(y)),
            };
            self.data.push(command);
            self.data.push_str(&across);
            if !down.starts_with('-') {
                self.data.push(' ');
            }
            self.data.push_str(&down);
            before = Some((x, y));
        }
    }
}

fn tenths(coordinate: f64) -> f64 {
    (coordinate * 10.0).round() / 10.0
}

/// As many points as a picture can show.
const MOST_POINTS: usize = 400;

/// The places that follow each other without a gap, each with its value. Where they are more than a picture can show, those of each
/// chunk are shown by two: where the values of `by` are the lowest and the highest, so that no peak is lost.
fn runs(values: &[Option<f64>], by: &[Option<f64>]) -> Vec<Vec<(usize, f64)>> {
    let length = match values.len() {
        ..=MOST_POINTS => 1,
        many => many.div_ceil(MOST_POINTS / 2),
    };
    let mut runs: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut is_open = false;
    for (at, chunk) in values.chunks(length).enumerate() {
        let shown = ends(at * length, chunk, by);
        let is_measured = !shown.is_empty();
        match runs.last_mut() {
            Some(run) if is_open => run.extend(shown),
            _ if is_measured => runs.push(shown),
            _ => {}
        }
        is_open = is_measured;
    }
    runs
}

/// The places of a chunk at which the values of `by` are the lowest and the highest, in their order; none where nothing was
/// measured.
fn ends(begin: usize, chunk: &[Option<f64>], by: &[Option<f64>]) -> Vec<(usize, f64)> {
    let measured: Vec<(usize, f64)> = chunk
        .iter()
        .enumerate()
        .filter_map(|(at, value)| Some((begin + at, (*value).filter(|value| value.is_finite())?)))
        .collect();
    let compared = |(place, value): (usize, f64)| by.get(place).copied().flatten().unwrap_or(value);
    let order = |one: &&(usize, f64), other: &&(usize, f64)| compared(**one).total_cmp(&compared(**other));
    let lowest = measured.iter().min_by(order);
    let highest = measured.iter().max_by(order);
    let mut ends: Vec<(usize, f64)> = lowest.into_iter().chain(highest).copied().collect();
    ends.sort_by_key(|(place, _)| *place);
    ends.dedup_by_key(|(place, _)| *place);
    ends
}

#[cfg(test)]
mod tests {
    use crate::chart::{
        Series,
        tests::{chart, labels, series},
    };

    /// Computed by hand: 0 to 100 on 196 to 18 px, four places of 250 units with their middles at 125, 375, 625, 875.
    #[test]
    fn values_come_to_their_coordinates() {
        let labels = labels(4);
        let series = [series(&[Some(0.0), Some(50.0), Some(100.0), Some(25.0)])];
        let drawn = chart(&labels, &series).lines().into_string();
        assert!(
            drawn.contains(r#"d="M125 196l250-89l250-89l250 133.5""#),
            "{drawn}"
        );
    }

    /// By hand: 1,000 places are 200 chunks of 5, each with its lowest and highest. Place 502 is the highest of all, at the top and
    /// at 502.5 units; all others are 0, of which the first and the last of a chunk are shown.
    #[test]
    fn a_course_with_more_places_than_can_be_shown_keeps_its_peak_and_its_gaps() {
        let labels = labels(1_000);
        let mut values = vec![Some(0.0); 1_000];
        values[502] = Some(100.0);
        values[700..710].fill(None);
        let series = [series(&values)];
        let drawn = chart(&labels, &series).lines().into_string();
        let (_, path) = drawn.split_once("class=\"line ink-1\" d=\"").unwrap();
        let path = path.split('"').next().unwrap();
        assert!(path.starts_with("M0.5 196l4 0l1 0l4 0"), "{path}");
        assert!(path.contains("l2-178l3 178l4 0"), "{path}");
        assert!(path.contains("l4 0M710.5 196l4 0"), "{path}");
        assert_eq!(path.matches('M').count(), 2, "{path}");
        assert_eq!(path.matches('l').count(), 2 * 198 - 2, "{path}");
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
        let drawn = chart(&labels, &series).spread().into_string();
        assert!(drawn.contains(r#"d="M250 18l500 0l0 35.6l-500 0Z""#), "{drawn}");
        assert!(drawn.contains(r#"d="M250 35.8l500 0""#), "{drawn}");
        assert!(
            drawn.contains("Least: 80") && !drawn.contains("legend"),
            "{drawn}"
        );
    }

    #[test]
    fn what_was_observed_is_a_line_beside_a_spread_and_both_are_named() {
        let labels = labels(2);
        let of = |name, values: [f64; 2]| Series {
            name,
            values: values.map(Some).to_vec(),
        };
        let series = [
            of("Expected", [90.0, 90.0]),
            of("Least", [80.0, 80.0]),
            of("Greatest", [100.0, 100.0]),
            of("Observed", [100.0, 0.0]),
        ];
        let drawn = chart(&labels, &series).spread().into_string();
        assert!(
            drawn.contains(r#"<path class="line ink-2" d="M250 18l500 178">"#),
            "{drawn}"
        );
        let (_, legend) = drawn.split_once("class=\"legend\"").unwrap();
        let legend = legend.split("</ul>").next().unwrap();
        assert!(
            legend.contains("Expected") && legend.contains("Observed") && !legend.contains("Least"),
            "{legend}"
        );
    }

    #[test]
    fn what_was_not_measured_is_a_gap() {
        let labels = labels(4);
        let series = [series(&[Some(0.0), None, Some(100.0), Some(25.0)])];
        let drawn = chart(&labels, &series).lines().into_string();
        assert!(
            drawn.contains(r#"<path class="line ink-1" d="M625 18l250 133.5">"#)
                && drawn.contains(r#"<path class="line ink-1 point" d="M125 196h0">"#),
            "{drawn}"
        );
        assert!(drawn.contains("Day 2\nTime: not measured"));
        assert!(drawn.contains("<td class=\"figure\">not measured</td>"));
    }
}
