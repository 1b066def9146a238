//! Numbers as people read them.

/// With so many decimals, and a comma after each three digits: `1,234.5`.
#[must_use]
pub fn number(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut out = String::with_capacity(text.len() + whole.len() / 3 + 1);
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if value < 0.0 && !is_zero {
        out.push('−');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out.push_str(rest);
    out
}

/// In as few characters as an axis has room for: `950`, `1.2k`, `3M`, `1P`.
#[must_use]
pub fn short(value: f64) -> String {
    const UNITS: [(f64, &str); 5] = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let size = value.abs();
    let (divisor, unit) = UNITS
        .into_iter()
        .find(|(least, _)| size >= *least)
        .unwrap_or((1.0, ""));
    let scaled = value / divisor;
    let decimals = if scaled.fract().abs() < 1e-9 {
        0
    } else if scaled.abs() >= 1.0 {
        1
    } else {
        3
    };
    let text = number(scaled, decimals);
    let trimmed = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("{trimmed}{unit}")
}

/// Milliseconds: `182 ms`, and seconds from 10,000 on.
#[must_use]
pub fn millis(value: f64) -> String {
    if value.abs() >= 10_000.0 {
        format!("{} s", number(value / 1e3, 1))
    } else if value.abs() >= 10.0 || value == 0.0 {
        format!("{} ms", number(value, 0))
    } else {
        format!("{} ms", number(value, 1))
    }
}

/// A share in percent, by the rule of reports: one decimal, two below 1, and three near the whole, where they tell; a decimal that
/// says nothing is left out. A share below the whole never reads as 100: near it, it is cut, not rounded.
#[must_use]
pub fn percent(value: f64) -> String {
    let text = match value {
        _ if value >= 100.0 || value <= 0.0 => number(value, 0),
        _ if value >= 99.0 => number((value * 1e3).floor() / 1e3, 3),
        _ if value < 1.0 => number(value, 2),
        _ => number(value, 1),
    };
    let text = match text.split_once('.') {
        Some(_) => text.trim_end_matches('0').trim_end_matches('.'),
        None => &text,
    };
    format!("{text}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(number(0.0, 0), "0");
        assert_eq!(number(999.0, 0), "999");
        assert_eq!(number(1_234.56, 1), "1,234.6");
        assert_eq!(number(-1_000_000.0, 0), "−1,000,000");
        assert_eq!(number(-0.001, 1), "0.0");
        assert_eq!(number(1e15, 0), "1,000,000,000,000,000");
    }

    #[test]
    fn short_numbers_fit_an_axis() {
        for (value, expected) in [
            (0.0, "0"),
            (950.0, "950"),
            (1_200.0, "1.2k"),
            (3e6, "3M"),
            (1e15, "1P"),
            (-2_500.0, "−2.5k"),
            (0.25, "0.25"),
        ] {
            assert_eq!(short(value), expected);
        }
    }

    #[test]
    fn less_than_all_never_reads_as_all() {
        assert_eq!(percent(100.0), "100%");
        assert_eq!(percent(99.999_9), "99.999%");
        assert_eq!(percent(99.95), "99.95%");
        assert_eq!(percent(0.0), "0%");
    }

    #[test]
    fn shares_have_as_many_decimals_as_tell_something() {
        for (share, told) in [
            (51.0, "51%"),
            (77.481, "77.5%"),
            (99.23, "99.23%"),
            (98.96, "99%"),
            (0.019_6, "0.02%"),
            (10.0, "10%"),
        ] {
            assert_eq!(percent(share), told);
        }
    }
}
