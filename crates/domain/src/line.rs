//! Texts of people that are shown in one line, such as names.

/// Whether the text is one line that says what it shows: no control character, no line or paragraph separator, and nothing that
/// turns the direction of what follows it (UAX #9). What joins letters and emojis may stand in it.
#[must_use]
pub fn is_one_line(text: &str) -> bool {
    !text.chars().any(|c| {
        c.is_control()
            || matches!(
                c,
                '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            )
    })
}

#[cfg(test)]
mod tests {
    use super::is_one_line;

    #[test]
    fn names_of_all_scripts_are_lines() {
        for name in [
            "",
            "On call",
            "\u{7db2}\u{7ad9}",
            "\u{646}\u{645}\u{6cc}\u{200c}\u{634}",
            "\u{1f468}\u{200d}\u{1f4bb}",
        ] {
            assert!(is_one_line(name), "{name:?}");
        }
    }

    #[test]
    fn what_breaks_a_line_or_turns_it_is_none() {
        for hidden in [
            "\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{202e}", "\u{2067}", "\u{200f}", "\u{61c}",
        ] {
            assert!(!is_one_line(&format!("On{hidden}call")), "{hidden:?}");
        }
    }
}
