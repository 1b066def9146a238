//! The header `Strict-Transport-Security`.

use http::{HeaderMap, header::STRICT_TRANSPORT_SECURITY};
use serde::{Deserialize, Serialize};

/// The directives of a `Strict-Transport-Security` header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hsts {
    /// For how many seconds browsers are to come by https alone; 0 takes it back.
    pub max_age_seconds: u64,
    /// Whether that holds for all names below.
    pub include_subdomains: bool,
    /// Whether the site asks to stand on the lists that browsers come with; no part of the RFC.
    pub preload: bool,
}

impl Hsts {
    /// The header of an answer, as a browser takes it (RFC 6797, 6.1 and 8.1): the first one alone counts, and one that
    /// does not keep to the grammar, repeats a directive or has no `max-age` counts as absent.
    #[must_use]
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        Self::parse(headers.get(STRICT_TRANSPORT_SECURITY)?.to_str().ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut seen = Vec::new();
        let (mut max_age, mut include_subdomains, mut preload) = (None, false, false);
        let mut rest = text;
        loop {
            rest = rest.trim_start_matches(SPACE);
            if !rest.starts_with(';') && !rest.is_empty() {
                let (directive, after) = Directive::read(rest)?;
                let name = directive.name.to_ascii_lowercase();
                match (name.as_str(), directive.value) {
                    ("max-age", Some(value)) => max_age = Some(seconds(&value)?),
                    ("includesubdomains", None) => include_subdomains = true,
                    ("preload", None) => preload = true,
                    ("max-age" | "includesubdomains", _) => return None,
                    _ => {}
                }
                if seen.contains(&name) {
                    return None;
                }
                seen.push(name);
                rest = after.trim_start_matches(SPACE);
            }
            match rest.strip_prefix(';') {
                Some(after) => rest = after,
                None if rest.is_empty() => break,
                None => return None,
            }
        }
        Some(Self {
            max_age_seconds: max_age?,
            include_subdomains,
            preload,
        })
    }
}

const SPACE: [char; 2] = [' ', '\t'];

struct Directive<'a> {
    name: &'a str,
    value: Option<String>,
}

impl<'a> Directive<'a> {
    /// The directive at the start of a text, and what comes after it.
    fn read(text: &'a str) -> Option<(Self, &'a str)> {
        let (name, rest) = token(text)?;
        let Some(rest) = rest.trim_start_matches(SPACE).strip_prefix('=') else {
            return Some((Self { name, value: None }, rest));
        };
        let rest = rest.trim_start_matches(SPACE);
        let (value, rest) = match rest.strip_prefix('"') {
            Some(quoted) => unquoted(quoted)?,
            None => token(rest).map(|(value, rest)| (value.to_owned(), rest))?,
        };
        let value = Some(value);
        Some((Self { name, value }, rest))
    }
}

/// A token of RFC 9110, 5.6.2.
fn token(text: &str) -> Option<(&str, &str)> {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let end = text.bytes().position(|byte| !part(byte)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The rest of a quoted string of RFC 9110, 5.6.4, whose first quote has been read.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(chars.next()?.1),
            other => value.push(other),
        }
    }
    None
}

/// Reads `1*DIGIT`. A number that is too large to hold becomes the largest one.
fn seconds(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    const MOST: u64 = i64::MAX.unsigned_abs();
    Some(text.parse().unwrap_or(MOST).min(MOST))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn hsts(max_age_seconds: u64, include_subdomains: bool, preload: bool) -> Option<Hsts> {
        Some(Hsts {
            max_age_seconds,
            include_subdomains,
            preload,
        })
    }

    /// The first four are the examples of RFC 6797, 6.2.
    #[test]
    fn a_header_is_read_as_the_rfc_has_it() {
        for (text, want) in [
            ("max-age=31536000", hsts(31_536_000, false, false)),
            (
                "max-age=15768000 ; includeSubDomains",
                hsts(15_768_000, true, false),
            ),
            ("max-age=\"31536000\"", hsts(31_536_000, false, false)),
            ("max-age=0", hsts(0, false, false)),
            (
                "max-age=63072000; includeSubDomains; preload",
                hsts(63_072_000, true, true),
            ),
            ("MAX-AGE=1;INCLUDESUBDOMAINS;Preload", hsts(1, true, true)),
            ("includeSubDomains;;max-age = 7 ;", hsts(7, true, false)),
            ("max-age=7; report-uri=\"a;b\\\"c\"; x", hsts(7, false, false)),
            ("max-age=7; preload=1", hsts(7, false, false)),
            (
                "max-age=99999999999999999999",
                hsts(9_223_372_036_854_775_807, false, false),
            ),
        ] {
            assert_eq!(Hsts::parse(text), want, "{text}");
        }
    }

    #[test]
    fn a_header_that_breaks_the_grammar_counts_as_absent() {
        for text in [
            "",
            ";",
            "includeSubDomains",
            "max-age",
            "max-age=",
            "max-age=-1",
            "max-age=1.5",
            "max-age=7 days",
            "max-age=\"7",
            "max-age=7, includeSubDomains",
            "max-age=7; max-age=8",
            "max-age=7; x; X=1",
            "max-age=7; includeSubDomains=true",
            "max-age=7; =x",
        ] {
            assert_eq!(Hsts::parse(text), None, "{text}");
        }
    }

    #[test]
    fn only_the_first_header_counts() {
        let mut headers = HeaderMap::new();
        assert_eq!(Hsts::of(&headers), None);
        for value in ["max-age=1", "max-age=2; includeSubDomains"] {
            headers.append(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(value));
        }
        assert_eq!(Hsts::of(&headers), hsts(1, false, false));
    }
}
