//! Whole numbers of parameters, and what is wrong with one.

use std::ops::RangeInclusive;

/// Reads a whole number within bounds from digits alone.
///
/// # Errors
/// The fault, in the words that the bounds of a schema are told in.
pub fn whole_number(text: &str, bounds: RangeInclusive<u64>) -> Result<u64, String> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("not a whole number".to_owned());
    }
    // One that is too large for the type is the largest.
    let number = digits.parse().unwrap_or(u64::MAX);
    if is_negative || number < *bounds.start() {
        return Err(format!("less than {}", bounds.start()));
    }
    if number > *bounds.end() {
        return Err(format!("more than {}", bounds.end()));
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::whole_number;

    #[test]
    fn a_number_has_digits_alone_and_lies_within_bounds() {
        let read = |text| whole_number(text, 1..=30);
        assert_eq!((read("1"), read("030"), read("30")), (Ok(1), Ok(30), Ok(30)));
        for (text, why) in [
            ("0", "less than 1"),
            ("-1", "less than 1"),
            ("-99999999999999999999999", "less than 1"),
            ("31", "more than 30"),
            ("99999999999999999999999", "more than 30"),
            ("", "not a whole number"),
            ("-", "not a whole number"),
            ("+1", "not a whole number"),
            (" 1", "not a whole number"),
            ("1.0", "not a whole number"),
            ("ten", "not a whole number"),
        ] {
            assert_eq!(read(text), Err(why.to_owned()), "{text}");
        }
        assert_eq!(
            whole_number("99999999999999999999999", 0..=u64::MAX),
            Ok(u64::MAX)
        );
    }
}
