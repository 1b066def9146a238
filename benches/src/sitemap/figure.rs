//! The figures, their targets, and how they are printed.

use serde::Serialize;

use crate::statistics::{middle_and_range, rounded};

/// Something that is measured.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) name: &'static str,
    title: &'static str,
    unit: &'static str,
    target: Target,
}

/// The target of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    AtLeast(f64),
    Below(f64),
    /// It is for information.
    None,
}

impl Target {
    const fn bound(self) -> Option<f64> {
        match self {
            Self::AtLeast(bound) | Self::Below(bound) => Some(bound),
            Self::None => None,
        }
    }

    fn is_met(self, value: f64) -> Option<bool> {
        match self {
            Self::AtLeast(bound) => Some(value >= bound),
            Self::Below(bound) => Some(value < bound),
            Self::None => None,
        }
    }
}

const fn told(name: &'static str, title: &'static str, unit: &'static str) -> Figure {
    Figure {
        name,
        title,
        unit,
        target: Target::None,
    }
}

pub(super) static READING: Figure = Figure {
    target: Target::AtLeast(10.0),
    ..told(
        "reading",
        "all files fetched and read: the time of ultimate-sitemap-parser by that of Pharos",
        "times",
    )
};
pub(super) static OURS: Figure = told("reading-pharos", "the time of Pharos", "s");
pub(super) static PEER: Figure = told("reading-peer", "the time of ultimate-sitemap-parser", "s");
pub(super) static PEER_MEMORY: Figure = told(
    "memory-peer",
    "the most that the process of ultimate-sitemap-parser held",
    "MB",
);
pub(super) static MEMORY: Figure = Figure {
    target: Target::Below(300.0),
    ..told(
        "memory",
        "the most that the process held which read, compared and stored three days",
        "MB",
    )
};
pub(super) static FIRST: Figure = told("first-check", "all pages are new", "s");
pub(super) static SECOND: Figure = told(
    "second-check",
    "compared with the day before: 1 % have another date, 0.1 % are others",
    "s",
);
pub(super) static THIRD: Figure = told(
    "third-check",
    "files that are what they were; what they missed is gone now",
    "s",
);

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
    /// Null: the figure is for information.
    target: Option<f64>,
    met: Option<bool>,
    others: f64,
}

impl Finding {
    pub(super) fn line(&self) -> Line {
        let (value, low, high) = self.summary();
        let Figure {
            name, unit, target, ..
        } = *self.figure;
        Line {
            bench: "sitemap",
            figure: name,
            value,
            low,
            high,
            unit,
            target: target.bound(),
            met: target.is_met(value),
            others: rounded(self.others),
        }
    }

    pub(super) fn table(&self) -> String {
        let (value, low, high) = self.summary();
        let Figure {
            name,
            title,
            unit,
            target,
        } = *self.figure;
        let said = match (target, target.is_met(value)) {
            (Target::AtLeast(bound), Some(true)) => format!("at least {bound} met"),
            (Target::AtLeast(bound), _) => format!("at least {bound} missed"),
            (Target::Below(bound), Some(true)) => format!("below {bound} met"),
            (Target::Below(bound), _) => format!("below {bound} missed"),
            (Target::None, _) => "for information".to_owned(),
        };
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

    use super::*;

    fn found(figure: &'static Figure, value: f64) -> Finding {
        Finding {
            figure,
            values: vec![value],
            others: 0.1,
        }
    }

    #[test]
    fn a_target_is_met_on_its_side() {
        let met = |figure, value| serde_json::to_value(found(figure, value).line()).unwrap()["met"].clone();
        assert_eq!(
            (met(&READING, 10.0), met(&READING, 9.9)),
            (json!(true), json!(false))
        );
        assert_eq!(
            (met(&MEMORY, 299.0), met(&MEMORY, 300.0)),
            (json!(true), json!(false))
        );
        assert_eq!(met(&FIRST, 1.0), json!(null));
        assert!(
            found(&MEMORY, 300.0)
                .table()
                .ends_with("300 MB [300 – 300]; below 300 missed\n")
        );
    }
}
