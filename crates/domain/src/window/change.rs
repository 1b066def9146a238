//! How much a figure changed.

use serde::Serialize;

/// A figure of the window beside that of the days it is compared with. A figure that was not measured is null.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
// The document calls it otherwise: generators stumble over a type and a member of one name.
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FigureChange))]
pub struct Change {
    /// The figure of the window; null where it was not measured.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub current: Option<f64>,
    /// The figure of the days that it is compared with; null where it was not measured.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub previous: Option<f64>,
    /// `current` less `previous`, in the unit of the figure, of a percentage in percentage points; null where either is
    /// null. Where lower is better, a negative change is an improvement.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub change: Option<f64>,
    /// The same in percent of `previous`; null where either is null, where `previous` is 0, and for figures that are
    /// percentages themselves.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub change_pct: Option<f64>,
}

impl Change {
    /// The change of a count, a duration or a sum.
    #[must_use]
    pub fn of(current: Option<f64>, previous: Option<f64>) -> Self {
        Self {
            current,
            previous,
            change: change(current, previous),
            change_pct: change_pct(current, previous),
        }
    }

    /// The change of a percentage, in percentage points. There is no percentage of a percentage.
    #[must_use]
    pub fn of_percentages(current: Option<f64>, previous: Option<f64>) -> Self {
        Self {
            change_pct: None,
            ..Self::of(current, previous)
        }
    }
}

/// `_change`, and for figures in percent `_change_pp`: the difference; `None` where either was not measured.
#[must_use]
pub fn change(current: Option<f64>, previous: Option<f64>) -> Option<f64> {
    Some(current? - previous?).filter(|difference| difference.is_finite())
}

/// `_change_pct`: the difference in percent of what it was; `None` where either was not measured, or it was 0.
#[must_use]
pub fn change_pct(current: Option<f64>, previous: Option<f64>) -> Option<f64> {
    // An increase is positive even where the figure before was below zero.
    let base = previous.filter(|previous| *previous != 0.0)?.abs();
    Some(change(current, previous)? / base * 100.0).filter(|percent| percent.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_to_compare_with_is_null() {
        for (current, previous, difference, percent) in [
            (Some(150.0), Some(100.0), Some(50.0), Some(50.0)),
            (Some(50.0), Some(200.0), Some(-150.0), Some(-75.0)),
            (Some(0.0), Some(8.0), Some(-8.0), Some(-100.0)),
            // From 0 there is a difference, but no percentage.
            (Some(5.0), Some(0.0), Some(5.0), None),
            (Some(0.0), Some(0.0), Some(0.0), None),
            (Some(5.0), None, None, None),
            (None, Some(5.0), None, None),
            (None, None, None, None),
            // Refunds can make revenue negative: less of them is an increase.
            (Some(-5.0), Some(-10.0), Some(5.0), Some(50.0)),
            // No figure of JSON.
            (Some(f64::MAX), Some(f64::MIN), None, None),
            (Some(1.0), Some(f64::MIN_POSITIVE), Some(1.0), None),
        ] {
            let leaf = Change::of(current, previous);
            assert_eq!((leaf.current, leaf.previous), (current, previous));
            assert_eq!(
                (leaf.change, leaf.change_pct),
                (difference, percent),
                "{current:?} {previous:?}"
            );
        }
    }

    #[test]
    fn a_percentage_changes_in_points() {
        let leaf = Change::of_percentages(Some(99.5), Some(98.0));
        assert_eq!((leaf.change, leaf.change_pct), (Some(1.5), None));
    }

    #[test]
    fn every_member_stands_in_the_leaf() {
        let leaf = serde_json::to_value(Change::of(Some(3.0), None)).unwrap();
        assert_eq!(
            leaf,
            serde_json::json!({ "current": 3.0, "previous": null, "change": null, "change_pct": null })
        );
    }
}
