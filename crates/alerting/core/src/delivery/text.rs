//! Texts of people and sites, as receivers take them.

use pharos_domain::line::one_line;

/// The text in lines, each as [`one_line`] has it, with no more than one empty line between two others.
pub(super) fn lines(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(one_line).collect();
    lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
    lines.join("\n").trim_matches('\n').to_owned()
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

/// Escapes the markup of Markdown dialects, so that the text is shown as it is. No character becomes more than two.
pub(super) fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut before = Before::Nothing;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_markup = match c {
            '\\' | '*' | '_' | '~' | '`' | '|' | '>' | '<' | '[' | ']' | '(' | ')' | '#' | '@' => true,
            // The name of an emoji, or a link: in a link no escape is read, and what is escaped would be shown twice.
            ':' => rest.peek().is_some_and(|next| !next.is_whitespace()),
            '-' | '+' => before == Before::Nothing,
            '.' => before == Before::Number,
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(c);
        before = match (before, c) {
            (_, '\n') => Before::Nothing,
            (Before::Nothing, ' ') => Before::Nothing,
            (Before::Nothing | Before::Number, '0'..='9') => Before::Number,
            _ => Before::Text,
        };
    }
    escaped
}

/// The place of a character in its line: at the beginning, bullets and numbers make lists.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Number,
    Text,
}

/// Writes `&`, `<` and `>` as entities, and cuts the text so that all of it, entities included, has so many characters at
/// most.
pub(super) fn escape_entities(text: &str, most: usize) -> String {
    let entity = |c: char| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        c => c.to_string(),
    };
    // The entities are ASCII, and any other character is one.
    let length = |written: &str| written.chars().count();
    let total: usize = text.chars().map(|c| length(&entity(c))).sum();
    if total <= most {
        return text.chars().map(entity).collect();
    }
    let mut left = most.saturating_sub(1);
    let kept = text.chars().map(entity).take_while(|written| {
        let fits = length(written) <= left;
        left = left.saturating_sub(length(written));
        fits
    });
    kept.chain(["\u{2026}".to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_lines_and_hide_nothing() {
        let text = "\r\n a\tb \r\n\n \u{202e}\n\nc\u{0}\rd\u{61c}\n";
        assert_eq!(lines(text), "a b\n\nc d");
        assert_eq!(lines(" \n\t\n"), "");
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
        // Lists, links and names of emojis; but not what is none of them.
        assert_eq!(escape_markdown("- a - b\n 1. c 1. d"), "\\- a - b\n 1\\. c 1. d");
        assert_eq!(
            escape_markdown("shop.example: https://a_b :fire:"),
            "shop.example: https\\://a\\_b \\:fire:"
        );
    }

    #[test]
    fn entities_count_as_they_are_written() {
        assert_eq!(escape_entities("<a> & b", 17), "&lt;a&gt; &amp; b");
        assert_eq!(escape_entities("<a> & b", 16), "&lt;a&gt; &amp;\u{2026}");
        assert_eq!(escape_entities("<a> & b", 14), "&lt;a&gt; \u{2026}");
    }
}
