//! The result of measuring a figure, and how it is printed.

use serde::Serialize;

use super::figure::Figure;
use crate::statistics::{middle_and_range, rounded};

/// A figure that was measured, once a round.
pub(super) struct Finding {
    pub(super) figure: &'static Figure,
    pub(super) values: Vec<f64>,
    /// The cores that others took meanwhile.
    pub(super) others: f64,
}

/// A figure as JSON.
#[derive(Serialize)]
pub(super) struct Line {
    bench: &'static str,
    figure: &'static str,
    value: f64,
    low: f64,
    high: f64,
    unit: &'static str,
    /// Below that; null: the figure is for information.
    target: Option<f64>,
    met: Option<bool>,
    others: f64,
}

impl Finding {
    pub(super) fn line(&self) -> Line {
        let (value, low, high) = self.summary();
        let Figure {
            name, unit, below, ..
        } = *self.figure;
        Line {
            bench: "alerts",
            figure: name,
            value,
            low,
            high,
            unit,
            target: below,
            met: below.map(|below| value < below),
            others: rounded(self.others),
        }
    }

    pub(super) fn table(&self) -> String {
        let (value, low, high) = self.summary();
        let Figure {
            name,
            title,
            unit,
            below,
        } = *self.figure;
        let said = below.map_or_else(
            || "for information".to_owned(),
            |below| format!("below {below} {}", if value < below { "met" } else { "missed" }),
        );
        format!("{name}: {title}\n  {value} {unit} [{low} – {high}]; {said}\n")
    }

    fn summary(&self) -> (f64, f64, f64) {
        let (middle, low, high) = middle_and_range(&mut self.values.clone());
        (rounded(middle), rounded(low), rounded(high))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{
        super::figure::{MEMORY, STATEMENTS},
        *,
    };

    #[test]
    fn a_target_is_met_below_it() {
        let found = |value| Finding {
            figure: &STATEMENTS,
            values: vec![value, 150.0, 250.0],
            others: 0.1,
        };
        let line = json!({
            "bench": "alerts", "figure": "statements", "value": 199.0, "low": 150.0, "high": 250.0, "unit": "statements",
            "target": 200.0, "met": true, "others": 0.1,
        });
        assert_eq!(serde_json::to_value(found(199.0).line()).unwrap(), line);
        assert!(
            found(200.0)
                .table()
                .ends_with("200 statements [150 – 250]; below 200 missed\n")
        );
    }

    #[test]
    fn without_a_target_nothing_is_met() {
        let found = Finding {
            figure: &MEMORY,
            values: vec![4.0],
            others: 0.0,
        };
        let line = serde_json::to_value(found.line()).unwrap();
        assert_eq!((&line["target"], &line["met"]), (&json!(null), &json!(null)));
    }
}
