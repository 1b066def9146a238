//! The result of measuring a figure, and how it is printed.

use serde::Serialize;

use super::figure::Figure;
use crate::{
    machine,
    statistics::{middle_and_range, rounded},
};

/// A figure that was measured: how long an answer took on each side, in milliseconds, a median a round.
pub(super) struct Finding {
    pub(super) figure: &'static Figure,
    pub(super) base: Vec<f64>,
    pub(super) measured: Vec<f64>,
    /// The cores that others took meanwhile.
    pub(super) others: f64,
}

/// A figure as JSON.
#[derive(Serialize)]
pub(super) struct Line {
    bench: &'static str,
    figure: &'static str,
    value: f64,
    unit: &'static str,
    /// At most that; null: the figure is for information.
    target: Option<f64>,
    met: Option<bool>,
    others: f64,
}

impl Finding {
    /// The ratio of the medians, and the range of the rounds' ratios.
    fn ratio(&self) -> (f64, f64, f64) {
        let middle = |times: &[f64]| middle_and_range(&mut times.to_vec()).0;
        let mut ratios: Vec<f64> = self
            .measured
            .iter()
            .zip(&self.base)
            .map(|(one, base)| one / base)
            .collect();
        let (_, low, high) = middle_and_range(&mut ratios);
        (rounded(middle(&self.measured) / middle(&self.base)), low, high)
    }

    pub(super) fn line(&self) -> Line {
        let (value, ..) = self.ratio();
        let Figure {
            name, unit, target, ..
        } = *self.figure;
        Line {
            bench: "reads",
            figure: name,
            value,
            unit,
            target,
            met: target.map(|target| value <= target),
            others: rounded(self.others),
        }
    }

    pub(super) fn table(&self) -> String {
        let figure = self.figure;
        let mut text = format!("{}: {}\n", figure.name, figure.title);
        for (side, times) in [(&figure.base, &self.base), (&figure.measured, &self.measured)] {
            let (middle, low, high) = middle_and_range(&mut times.clone());
            text.push_str(&format!(
                "  {:<8}  {middle:>9.2} ms [{low:.2} – {high:.2}]\n",
                side.label
            ));
        }
        let (value, low, high) = self.ratio();
        let said = figure.target.map_or_else(
            || "for information".to_owned(),
            |target| {
                format!(
                    "at most {target:.2} {}",
                    if value <= target { "met" } else { "missed" }
                )
            },
        );
        text.push_str(&format!(
            "  {value:.2} {} [{low:.2} – {high:.2}]; {said}\n",
            figure.unit
        ));
        text.push_str(&format!(
            "  others took {:.2} of {} cores meanwhile\n",
            self.others,
            machine::cores()
        ));
        text
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::figure::FIGURES, *};

    fn found(figure: usize, base: &[f64], measured: &[f64]) -> Finding {
        Finding {
            figure: &FIGURES[figure],
            base: base.to_vec(),
            measured: measured.to_vec(),
            others: 0.1,
        }
    }

    #[test]
    fn lower_is_better() {
        let met = found(0, &[4.0, 5.0, 6.0], &[5.0, 6.0, 9.0]);
        let line = json!({
            "bench": "reads", "figure": "availability", "value": 1.2, "unit": "of 30 days", "target": 1.2, "met": true,
            "others": 0.1,
        });
        assert_eq!(serde_json::to_value(met.line()).unwrap(), line);
        let missed = found(0, &[4.0], &[4.9]);
        assert!(
            missed
                .table()
                .contains("1.23 of 30 days [1.23 – 1.23]; at most 1.20 missed"),
            "{}",
            missed.table()
        );
    }

    #[test]
    fn without_a_target_nothing_is_met() {
        let line = serde_json::to_value(found(3, &[4.0], &[400.0]).line()).unwrap();
        assert_eq!((&line["value"], &line["met"]), (&json!(100.0), &json!(null)));
    }
}
