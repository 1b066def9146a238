//! Texts of strangers and of people, such as names: what can be seen of them.

/// Whether the text is one line that says what it shows: no control character, no line or paragraph separator, and nothing that
/// turns the direction of what follows it (UAX #9). Characters that join letters and emojis may stand in it.
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

/// Controls, what directs bidirectional text (UAX #9), and what takes no room (Unicode's default ignorable code
/// points), all spaces but the common one, and code points of private use.
#[must_use]
pub fn is_unseen(character: char) -> bool {
    character.is_control()
        || (character.is_whitespace() && character != ' ')
        || matches!(
            u32::from(character),
            0xAD | 0x34F
                | 0x61C
                | 0x115F..=0x1160
                | 0x17B4..=0x17B5
                | 0x180B..=0x180F
                | 0x200B..=0x200F
                | 0x2028..=0x202E
                | 0x2060..=0x206F
                | 0x2800
                | 0x3164
                | 0xE000..=0xF8FF
                | 0xFE00..=0xFE0F
                | 0xFEFF
                | 0xFFA0
                | 0xFFF0..=0xFFFF
                | 0x1BCA0..=0x1BCA3
                | 0x1D173..=0x1D17A
                | 0xE0000..
        )
}

/// The text in one line: what can't be seen becomes spaces.
#[must_use]
pub fn one_line(text: &str) -> String {
    let plain = |c: char| if is_unseen(c) { ' ' } else { c };
    let line: String = text.chars().map(plain).collect();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_no_line_break_and_nothing_that_turns_its_direction() {
        assert_eq!(one_line("a\r\nBcc: b\u{202e}c\t d"), "a Bcc: b c d");
    }

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
    fn what_shows_nothing_is_unseen() {
        for unseen in ['\0', '\u{a0}', '\u{ad}', '\u{3164}', '\u{e0041}', '\u{fe0f}'] {
            assert!(is_unseen(unseen), "{unseen:?}");
        }
        assert!(!"A \u{e4}\u{7db2}\u{1f5fc}".chars().any(is_unseen));
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
