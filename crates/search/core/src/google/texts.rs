//! Texts of answers that are none.

/// The length of an escape such as `\ud83d`.
const ESCAPE: usize = 6;

/// JSON in which all texts are some: each half of a pair of surrogates that stands alone is U+FFFD, and so is what is no UTF-8.
/// Queries, URLs and the names of rich results are anybody's, and one that was cut within an emoji spoils no other.
pub(super) fn mended(mut json: Vec<u8>) -> Vec<u8> {
    let mut at = 0;
    while let Some(before) = backslash(&json, at) {
        at += before;
        at += match unit(&json[at..]) {
            // The next character may be another backslash.
            None => 2,
            Some(0xD800..=0xDBFF) if matches!(unit(&json[at + ESCAPE..]), Some(0xDC00..=0xDFFF)) => {
                2 * ESCAPE
            }
            Some(0xD800..=0xDFFF) => {
                json[at + 2..at + ESCAPE].copy_from_slice(b"fffd");
                ESCAPE
            }
            Some(_) => ESCAPE,
        };
    }
    match String::from_utf8(json) {
        Ok(json) => json.into_bytes(),
        Err(error) => String::from_utf8_lossy(error.as_bytes())
            .into_owned()
            .into_bytes(),
    }
}

/// How many bytes there are from a place, which may lie behind the end, to the next backslash.
fn backslash(json: &[u8], from: usize) -> Option<usize> {
    json.get(from..)?.iter().position(|byte| *byte == b'\\')
}

/// The unit of UTF-16 that an escape stands for; `None`: the text does not begin with one.
fn unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        String::from_utf8(mended(text.as_bytes().to_vec())).unwrap()
    }

    #[test]
    fn halves_of_pairs_are_replaced() {
        for (text, want) in [
            (r#"["red \ud83d"]"#, r#"["red \ufffd"]"#),
            (r#"["\uDE00 red"]"#, r#"["\ufffd red"]"#),
            (r#"["\ud83d\ud83d\ude00"]"#, r#"["\ufffd\ud83d\ude00"]"#),
            (r#"["\ude00\ud83d"]"#, r#"["\ufffd\ufffd"]"#),
            (r#"["\ud83d\n"]"#, r#"["\ufffd\n"]"#),
            (r#"["\ud83d\u0041"]"#, r#"["\ufffd\u0041"]"#),
            (r#"["\\\ud83d"]"#, r#"["\\\ufffd"]"#),
        ] {
            assert_eq!(of(text), want, "{text}");
        }
    }

    #[test]
    fn all_else_stays_as_it_is() {
        for text in [
            "",
            r#"["red \ud83d\uDE00 shoes"]"#,
            // The text of an escape, and none.
            r#"["\\ud83d"]"#,
            r#"["\u00e4\"\/\\"]"#,
            "[\"schöne Schuhe 😀\"]",
            // No JSON.
            "\\",
            "[\"\\u",
            "[\"\\ud8",
            "[\"\\uzzzz",
        ] {
            assert_eq!(of(text), text);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(
            mended(b"[\"red \xff\"]".to_vec()),
            "[\"red \u{fffd}\"]".as_bytes()
        );
    }
}
