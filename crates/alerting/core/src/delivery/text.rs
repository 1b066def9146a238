//! Texts of people and sites, as receivers take them.

/// The text in one line: control characters, and what would change the direction of writing, become spaces.
pub(super) fn one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() || is_invisible(c) { ' ' } else { c };
    let line: String = text.chars().map(plain).collect();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text cut to so many characters, with an ellipsis where something is missing.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut kept: String = text.chars().take(most.saturating_sub(1)).collect();
    kept.push('\u{2026}');
    kept
}

/// Escapes the markup of Markdown dialects, so that the text is shown as it is.
pub(super) fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '\\' | '*' | '_' | '~' | '`' | '|' | '>' | '<' | '[' | ']' | '(' | ')' | '#' | '@'
        ) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_no_line_break_and_nothing_that_turns_its_direction() {
        assert_eq!(one_line("a\r\nBcc: b\u{202e}c\t d"), "a Bcc: b c d");
    }

    #[test]
    fn a_cut_text_ends_with_an_ellipsis_at_a_character() {
        assert_eq!(cut("äöüß", 4), "äöüß");
        assert_eq!(cut("äöüßx", 4), "äöü…");
    }

    #[test]
    fn markup_stays_text() {
        assert_eq!(
            escape_markdown("[x](y) *@everyone*"),
            "\\[x\\]\\(y\\) \\*\\@everyone\\*"
        );
    }
}
