//! Three significant digits.

/// A value rounded to three significant digits, and no finer than to a whole: 182,437 is 182,000, 7.4 is 7. Halves go away
/// from zero.
#[must_use]
pub fn three_digits(value: f64) -> f64 {
    let mut unit = 1.0;
    while value / unit >= 1e3 {
        unit *= 10.0;
    }
    (value / unit).round() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_three_significant_digits() {
        for (exact, rounded) in [
            (0.0, 0.0),
            (12.6, 13.0),
            (999.4, 999.0),
            (7_025.0, 7_030.0),
            (45_670.0, 45_700.0),
            (182_437.0, 182_000.0),
            (999_500.0, 1_000_000.0),
            (12_345_678.0, 12_300_000.0),
        ] {
            assert_eq!(three_digits(exact), rounded, "{exact}");
        }
    }
}
