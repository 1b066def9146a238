//! Text of strangers, as it is shown: what can't be seen is made visible.

/// The text, each character that shows nothing or changes the order of others written as its code point, ⟦U+202E⟧.
pub(crate) fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unseen(character) {
            out.push_str(&format!("⟦U+{:04X}⟧", u32::from(character)));
        } else {
            out.push(character);
        }
    }
    out
}

/// Controls, what directs bidirectional text (UAX #9), and what takes no room (Unicode's default ignorable code
/// points), all spaces but the common one, and code points of private use.
fn is_unseen(character: char) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_seen_stays() {
        for text in ["Ada's app", "Überwachung 2", "監視", "تطبيق", "<b>&amp;", "🗼"] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn what_can_not_be_seen_is_written_out() {
        assert_eq!(shown("\u{202e}lave"), "⟦U+202E⟧lave");
        assert_eq!(
            shown("a\u{0}\n\u{200b}\u{2066}b"),
            "a⟦U+0000⟧⟦U+000A⟧⟦U+200B⟧⟦U+2066⟧b"
        );
        assert_eq!(shown("\u{feff}\u{e0041}\u{a0}"), "⟦U+FEFF⟧⟦U+E0041⟧⟦U+00A0⟧");
    }
}
