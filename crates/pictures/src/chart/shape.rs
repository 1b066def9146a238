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
        let mut path = String::new();
        for run in runs(values).iter().filter(|run| run.len() > 1) {
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

    /// The values beside which none was measured, each as a point: a stroke of no length has round ends, however the shapes are
    /// stretched.
    pub(super) fn points(&self, values: &[Option<f64>], scale: &Scale) -> String {
        let mut path = String::new();
        for run in runs(values) {
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

    pub(super) fn area(&self, bottom: &[Option<f64>], top: &[Option<f64>], scale: &Scale) -> String {
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
        let drawn = chart(&labels, &series).spread().into_string();
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
            drawn.contains(r#"<path class="line ink-2" d="M250 18L750 196">"#),
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
            drawn.contains(r#"<path class="line ink-1" d="M625 18L875 151.5">"#)
                && drawn.contains(r#"<path class="line ink-1 point" d="M125 196h0">"#),
            "{drawn}"
        );
        assert!(drawn.contains("Day 2\nTime: not measured"));
        assert!(drawn.contains("<td class=\"figure\">not measured</td>"));
    }
}
