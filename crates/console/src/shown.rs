//! Text of strangers, as it is shown: what can't be seen is made visible.

use pharos_domain::line::is_unseen;

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
