//! From values to coordinates, and ticks at round numbers.

/// A linear scale: `low` comes to `from`, `high` to `until`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    from: f64,
    until: f64,
}

impl Scale {
    /// A scale from these values to these coordinates.
    #[must_use]
    pub const fn new((low, high): (f64, f64), (from, until): (f64, f64)) -> Self {
        Self {
            low,
            high,
            from,
            until,
        }
    }

    /// The coordinate of a value. Values beyond the ends are put at the ends; where all values are one, it is the beginning.
    #[must_use]
    pub fn at(&self, value: f64) -> f64 {
        let length = self.high - self.low;
        let share = if length > 0.0 {
            ((value - self.low) / length).clamp(0.0, 1.0)
        } else {
            0.0
        };
        self.from + share * (self.until - self.from)
    }
}

/// Ticks at round numbers, and how far apart they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    /// Ascending; the first is not above the lowest value and the last not below the highest.
    pub values: Vec<f64>,
    /// From one to the next: 1, 2 or 5 times a power of ten.
    pub step: f64,
}

impl Ticks {
    /// Some `wanted` ticks that enclose these values (P. Heckbert, “Nice Numbers for Graph Labels”, Graphics Gems, 1990).
    /// Where there is nothing between `low` and `high`, they reach from 0 to the value, or to 1.
    #[must_use]
    pub fn around(low: f64, high: f64, wanted: u8) -> Self {
        Self::by_steps(low, high, wanted, 0.0)
    }

    /// The same of whole numbers, such as counts: there is nothing between two of them.
    #[must_use]
    pub fn whole(low: f64, high: f64, wanted: u8) -> Self {
        Self::by_steps(low, high, wanted, 1.0)
    }

    fn by_steps(low: f64, high: f64, wanted: u8, least: f64) -> Self {
        let (low, high) = match (low.is_finite() && high.is_finite(), low < high) {
            (false, _) => (0.0, 1.0),
            (true, true) => (low, high),
            (true, false) if low > 0.0 => (0.0, low),
            (true, false) if low < 0.0 => (low, 0.0),
            (true, false) => (0.0, 1.0),
        };
        let step = nice((high - low) / f64::from(wanted.max(2) - 1)).max(least);
        let first = (low / step).floor();
        let last = (high / step).ceil();
        let count = (last - first).max(1.0);
        let mut values = Vec::new();
        let mut at = 0.0;
        while at <= count {
            // From whole numbers of steps, so that no error adds up.
            values.push((first + at) * step);
            at += 1.0;
        }
        Self { values, step }
    }

    /// The lowest and the highest tick.
    #[must_use]
    pub fn ends(&self) -> (f64, f64) {
        let first = self.values.first().copied().unwrap_or(0.0);
        (first, self.values.last().copied().unwrap_or(1.0))
    }
}

/// 1, 2, 5 or 10 times the power of ten at or below `length`: the least that is not below it.
fn nice(length: f64) -> f64 {
    let power = 10_f64.powf(length.log10().floor());
    let share = length / power;
    let rounded = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|nice| share <= nice + 1e-9)
        .unwrap_or(10.0);
    rounded * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_at_round_numbers() {
        for (low, high, expected) in [
            (0.0, 100.0, vec![0.0, 50.0, 100.0]),
            (0.0, 97.0, vec![0.0, 50.0, 100.0]),
            (0.0, 430.0, vec![0.0, 200.0, 400.0, 600.0]),
            (0.0, 1e15, vec![0.0, 5e14, 1e15]),
            (-3.0, 7.0, vec![-5.0, 0.0, 5.0, 10.0]),
            (0.0, 0.003, vec![0.0, 0.001, 0.002, 0.003]),
        ] {
            let found = Ticks::around(low, high, 4).values;
            assert_eq!(found.len(), expected.len(), "{low} to {high}: {found:?}");
            for (found, expected) in found.iter().zip(&expected) {
                assert!(
                    (found - expected).abs() <= expected.abs() * 1e-12,
                    "{found} {expected}"
                );
            }
        }
    }

    #[test]
    fn whole_numbers_have_whole_ticks() {
        for (high, expected) in [
            (0.0, vec![0.0, 1.0]),
            (1.0, vec![0.0, 1.0]),
            (2.0, vec![0.0, 1.0, 2.0]),
            (430.0, vec![0.0, 200.0, 400.0, 600.0]),
        ] {
            assert_eq!(Ticks::whole(0.0, high, 4).values, expected);
        }
    }

    #[test]
    fn values_that_span_nothing_have_ticks_too() {
        assert_eq!(Ticks::around(0.0, 0.0, 4).ends(), (0.0, 1.0));
        assert_eq!(Ticks::around(5.0, 5.0, 4).ends(), (0.0, 6.0));
        assert_eq!(Ticks::around(-5.0, -5.0, 4).ends(), (-6.0, 0.0));
        assert_eq!(Ticks::around(f64::NAN, f64::INFINITY, 4).ends(), (0.0, 1.0));
    }

    #[test]
    fn a_value_comes_to_its_share_of_the_way() {
        let scale = Scale::new((-10.0, 30.0), (200.0, 0.0));
        assert_eq!(scale.at(-10.0), 200.0);
        assert_eq!(scale.at(0.0), 150.0);
        assert_eq!(scale.at(30.0), 0.0);
        assert_eq!(scale.at(1e15), 0.0);
        assert_eq!(Scale::new((1.0, 1.0), (5.0, 9.0)).at(1.0), 5.0);
    }
}
