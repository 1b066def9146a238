//! Figures as people read them.

/// Beyond so many decimals a number is written with an exponent.
const MOST_DECIMALS: usize = 9;

/// A count: 1,000,000.
#[must_use]
pub fn count(count: i64) -> String {
    grouped(&count.to_string())
}

/// A number with up to two decimals, and none that says nothing. Close to zero it has as many as it takes to tell it from zero.
#[must_use]
pub fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let shown = (2..=MOST_DECIMALS).find_map(|decimals| {
        let rounded = format!("{value:.decimals$}");
        let rounded = rounded.trim_end_matches('0').trim_end_matches('.');
        (rounded.trim_start_matches('-') != "0").then(|| grouped(rounded))
    });
    shown.unwrap_or_else(|| format!("{value:.1e}"))
}

/// With two decimals, as answers have a figure that is worked out.
#[must_use]
pub fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Sets the thousands of a number apart.
fn grouped(number: &str) -> String {
    let (sign, number) = number
        .strip_prefix('-')
        .map_or(("", number), |number| ("-", number));
    let (whole, decimals) = number
        .find('.')
        .map_or((number, ""), |point| number.split_at(point));
    let groups = whole.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    format!("{sign}{}{decimals}", groups.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let table = [
            (0, "0"),
            (999, "999"),
            (-999, "-999"),
            (1_000, "1,000"),
            (-1_000_000, "-1,000,000"),
        ];
        for (at, says) in table {
            assert_eq!(count(at), says);
        }
    }

    #[test]
    fn numbers_have_no_decimals_that_say_nothing() {
        let table = [
            (0.0, "0"),
            (-0.0, "0"),
            (14.0, "14"),
            (99.9, "99.9"),
            (-0.126, "-0.13"),
            (0.001, "0.001"),
            (-0.0049, "-0.005"),
            (1e-12, "1.0e-12"),
            (2_345.678, "2,345.68"),
            (-512_000.0, "-512,000"),
            (1e15, "1,000,000,000,000,000"),
        ];
        for (value, shown) in table {
            assert_eq!(number(value), shown);
        }
    }
}
