//! Regular expressions of callers, in the syntax of RE2.

use regex::{Error, Regex, RegexBuilder};

use super::syntax::affordable;

/// How large one may be once it is compiled, in bytes.
const COMPILED: usize = 2 << 20;
/// The names of character classes that stand in brackets of their own, as in `[[:alpha:]]`.
const NAMED_CLASSES: [&str; 14] = [
    "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "word", "xdigit",
];

/// Compiles a regular expression that takes time in proportion to the text, as RE2 does: one without look-around and without
/// back-references. It takes some milliseconds, so it is done in a turn of [`Budget::spent`](super::judging::Budget::spent).
///
/// # Errors
/// The fault in words, for whoever wrote it.
pub fn compiled(pattern: &str, ignores_case: bool) -> Result<Regex, String> {
    if let Some(fault) = unlike_re2(pattern) {
        return Err(fault.to_owned());
    }
    affordable(pattern, ignores_case)?;
    kept(pattern, ignores_case)
}

/// Compiles one that was taken when it was stored, by whatever rules there were.
///
/// # Errors
/// The fault in words.
pub(super) fn kept(pattern: &str, ignores_case: bool) -> Result<Regex, String> {
    let built = RegexBuilder::new(pattern)
        .case_insensitive(ignores_case)
        .octal(true)
        .size_limit(COMPILED)
        .dfa_size_limit(COMPILED)
        .build();
    built.map_err(|error| match error {
        Error::CompiledTooBig(_) => {
            "not small enough: compiled, the regular expression is larger than 2 MiB".to_owned()
        }
        // The message draws the expression with a mark below it; its last line says why.
        error => {
            let text = error.to_string();
            let why = text.lines().last().unwrap_or_default();
            let why = why.strip_prefix("error: ").unwrap_or(why);
            format!("not a regular expression of RE2 ({why})")
        }
    })
}

/// The fault of an expression that the `regex` crate would take for another than RE2 does, or refuse for a reason that RE2 has not.
fn unlike_re2(pattern: &str) -> Option<&'static str> {
    let mut rest = pattern;
    let mut is_in_class = false;
    while let Some(character) = take(&mut rest) {
        match character {
            '\\' => match take(&mut rest)? {
                '1'..='7' if rest.starts_with(|digit: char| matches!(digit, '0'..='7')) => {}
                '1'..='9' => return Some("not a regular expression of RE2 (it has no back-references)"),
                'b' | 'p' | 'P' | 'u' | 'U' | 'x' if rest.starts_with('{') => {
                    rest = rest.split_once('}').map_or("", |(_, after)| after);
                }
                _ => {}
            },
            '[' if is_in_class => match after_named_class(rest) {
                Some(after) => rest = after,
                None => {
                    return Some(
                        "not taken: a [ within a character class is a character to RE2, and has to be written \\[ here",
                    );
                }
            },
            '[' => {
                is_in_class = true;
                rest = rest.strip_prefix('^').unwrap_or(rest);
                // As the first one of a class it is a character.
                rest = rest.strip_prefix(']').unwrap_or(rest);
            }
            ']' => is_in_class = false,
            '{' if !is_in_class && !begins_count(rest) => {
                return Some(
                    "not taken: a { that begins no repetition is a character to RE2, and has to be written \\{ here",
                );
            }
            _ => {}
        }
    }
    None
}

fn take(rest: &mut &str) -> Option<char> {
    let mut characters = rest.chars();
    let first = characters.next();
    *rest = characters.as_str();
    first
}

/// The text after a named class, of which `rest` begins after the bracket; `None`: it is none.
fn after_named_class(rest: &str) -> Option<&str> {
    let (name, after) = rest.strip_prefix(':')?.split_once(":]")?;
    let name = name.strip_prefix('^').unwrap_or(name);
    NAMED_CLASSES.contains(&name).then_some(after)
}

/// Whether what follows a brace makes it a repetition: `{2}`, `{2,}` or `{2,3}`.
fn begins_count(rest: &str) -> bool {
    let Some((counts, _)) = rest.split_once('}') else {
        return false;
    };
    let (least, most) = counts.split_once(',').unwrap_or((counts, ""));
    let is_count = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    !least.is_empty() && is_count(least) && is_count(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_say_what_is_wrong_and_not_what_would_be_right() {
        for (pattern, why) in [
            ("red(", "not a regular expression of RE2 (unclosed group)"),
            ("[a", "not a regular expression of RE2 (unclosed character class)"),
            (
                r"(a)\1",
                "not a regular expression of RE2 (it has no back-references)",
            ),
            (
                "(?:(?:(?:x{1000}){1000}){1000})",
                "not small enough: compiled, the regular expression is larger than 2 MiB",
            ),
        ] {
            assert_eq!(compiled(pattern, false).unwrap_err(), why, "{pattern}");
        }
    }

    #[test]
    fn a_bracket_in_a_class_is_never_read_otherwise_than_by_re2() {
        for pattern in ["[a[bc]]", "[[]", "[^[]", "[]a[]", "[[:foo:]]", "[[:<:]]"] {
            let why = compiled(pattern, false).unwrap_err();
            assert!(why.contains(r"has to be written \[ here"), "{pattern}: {why}");
            let escaped = pattern.replacen('[', "", 1).replace('[', r"\[");
            assert!(compiled(&format!("[{escaped}"), false).is_ok(), "{pattern}");
        }
        for (pattern, value) in [
            ("^[[:alpha:]][[:^digit:]x]$", "ab"),
            (r"^[a\[]$", "["),
            (r"^\[a[b]$", "[ab"),
            ("^[]a]+$", "]a"),
            ("^[^]a]$", "b"),
            (r"^[\]a]{2}$", "]a"),
        ] {
            assert!(compiled(pattern, false).unwrap().is_match(value), "{pattern}");
        }
    }

    #[test]
    fn a_brace_that_begins_no_repetition_is_to_be_escaped() {
        for pattern in ["a{", "{", "a{,5}", "a{b}", "a{1,2,3}", "a{ 2 }"] {
            let why = compiled(pattern, false).unwrap_err();
            assert!(why.contains(r"has to be written \{ here"), "{pattern}: {why}");
            assert!(compiled(&pattern.replace('{', r"\{"), false).is_ok(), "{pattern}");
        }
        for (pattern, value) in [
            ("^a{2}b{2,}c{1,3}$", "aabbc"),
            (r"^\x{61}\p{Greek}$", "aα"),
            ("^[{]$", "{"),
        ] {
            assert!(compiled(pattern, false).unwrap().is_match(value), "{pattern}");
        }
    }

    #[test]
    fn digits_after_a_backslash_are_octal_as_in_re2() {
        for (pattern, value) in [
            (r"^\101$", "A"),
            (r"^\012$", "\n"),
            (r"^[\101]$", "A"),
            (r"^\0$", "\0"),
        ] {
            assert!(compiled(pattern, false).unwrap().is_match(value), "{pattern}");
        }
        for pattern in [r"(a)\1", r"(a)\18", r"\9", r"\\\1"] {
            let why = compiled(pattern, false).unwrap_err();
            assert!(why.contains("no back-references"), "{pattern}: {why}");
        }
        assert!(compiled(r"\\1", false).unwrap().is_match(r"\1"));
    }

    /// One that was stored before a bracket in a class was refused still says how the brand is called.
    #[test]
    fn what_was_taken_before_is_kept() {
        assert!(kept("^[a-z&&[^b]]$", true).unwrap().is_match("A"));
    }
}
