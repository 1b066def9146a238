//! Amounts of money in hundredths.

use serde_json::Value;

/// The largest amount, in hundredths: ten million million.
const MOST_CENTS: i64 = 1_000_000_000_000_000;

/// An amount as a JSON number, or as a text of one such as `"19.90"`, in hundredths: half a hundredth is rounded up.
///
/// It is computed from the decimal digits. The product of a float and 100 is off by one now and then: 1.005 · 100 is
/// 100.49999999999999.
///
/// # Errors
/// No amount of 0 or more, or one that is too large.
pub(crate) fn cents(value: &Value) -> Result<i64, &'static str> {
    const FAULT: &str = "an amount of 0 to 10000000000000, such as 19.9";
    let text = match value {
        // The shortest digits that stand for the float: those that were sent, up to the fifteenth.
        Value::Number(number) => number.as_f64().map(|float| float.to_string()),
        Value::String(text) => Some(text.trim().to_owned()),
        _ => None,
    };
    text.as_deref().and_then(of_decimal).ok_or(FAULT)
}

fn of_decimal(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 14 || !is_digits(whole) || !is_digits(fraction) {
        // A negative zero is a zero.
        return (text.trim_start_matches('-').parse() == Ok(0.0)).then_some(0);
    }
    let digit = |at: usize| {
        fraction
            .as_bytes()
            .get(at)
            .map_or(0, |byte| i64::from(byte - b'0'))
    };
    let cents = whole.parse::<i64>().ok()? * 100 + digit(0) * 10 + digit(1) + i64::from(digit(2) >= 5);
    (cents <= MOST_CENTS).then_some(cents)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// By hand.
    #[test]
    fn amounts_are_exact_to_the_hundredth() {
        for (given, want) in [
            (json!(19.9), 1_990),
            (json!(19.99), 1_999),
            (json!(1.005), 101),
            (json!(0.1), 10),
            (json!(0), 0),
            (json!(-0.0), 0),
            (json!(0.004), 0),
            (json!(0.000_000_1), 0),
            (json!(1e3), 100_000),
            (json!(4_503_599.63), 450_359_963),
            (json!("19.90"), 1_990),
            (json!(10_000_000_000_000_i64), 1_000_000_000_000_000),
        ] {
            assert_eq!(cents(&given), Ok(want), "{given}");
        }
        for bad in [
            json!(-1),
            json!(-0.01),
            json!(1e15),
            json!(1e300),
            json!("1,50"),
            json!("NaN"),
            json!("inf"),
            json!("1e3"),
            json!(""),
            json!("."),
            json!(true),
            json!([1]),
        ] {
            assert!(cents(&bad).is_err(), "{bad}");
        }
    }
}
