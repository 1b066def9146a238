//! Summaries of many measurements.

/// Median, lowest and highest.
pub(crate) fn middle_and_range(values: &mut [f64]) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    let (Some(low), Some(high)) = (values.first(), values.last()) else {
        return (f64::NAN, f64::NAN, f64::NAN);
    };
    let half = values.len() / 2;
    let middle = if values.len() % 2 == 1 {
        values[half]
    } else {
        f64::midpoint(values[half - 1], values[half])
    };
    (middle, *low, *high)
}

/// To two digits, as the targets are.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_lies_between_the_two_in_the_middle() {
        assert_eq!(middle_and_range(&mut [4.0, 1.0, 2.0, 10.0]), (3.0, 1.0, 10.0));
    }
}
