//! Which errors are of one kind.

use pharos_domain::collect::view::ScriptError;

use crate::redact::{redacted, redacted_path};

/// The longest text that names a group, in bytes.
const LONGEST_KEY: usize = 700;

/// An error without what names a person, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupedError {
    /// Errors of one key are of one kind: the normalised message and the top frame.
    pub key: String,
    /// Its message.
    pub message: String,
    /// Its class.
    pub name: Option<String>,
    /// The script.
    pub filename: Option<String>,
    /// Its stack.
    pub stack: Option<String>,
    /// The errors that caused it, the nearest first.
    pub causes: Vec<String>,
    /// Whether the script is of another site.
    pub is_third_party: bool,
    /// Whether the browser told nothing, since the script is of another origin.
    pub is_opaque: bool,
}

impl GroupedError {
    /// The error of a page on `host`.
    #[must_use]
    pub fn of(error: &ScriptError, host: &str) -> Self {
        let message = redacted(&error.message);
        let filename = error.filename.as_deref().map(redacted_path);
        let stack = error
            .stack
            .as_deref()
            .map(|stack| redacted(&without_queries(stack)));
        let frame = stack
            .as_deref()
            .and_then(top_frame)
            .or(filename.as_deref())
            .unwrap_or_default();
        let name = error.name.as_deref().map(redacted);
        let said = [
            error.source.as_str(),
            if error.is_handled { "handled" } else { "unhandled" },
            &name.clone().unwrap_or_default(),
            &normalised(&message),
            &normalised(frame),
        ]
        .join("\n");
        let is_opaque =
            error.stack.is_none() && message.trim_end_matches('.').eq_ignore_ascii_case("script error");
        Self {
            key: said[..said.floor_char_boundary(LONGEST_KEY)].to_owned(),
            is_third_party: filename
                .as_deref()
                .is_some_and(|filename| is_third_party(filename, host)),
            is_opaque,
            causes: error.causes.iter().map(|cause| redacted(cause)).collect(),
            message,
            name,
            filename,
            stack,
        }
    }
}

/// The text in which every number, also a hexadecimal one of a build, is `0`: what differs from one error to the next of its
/// kind.
#[must_use]
pub fn normalised(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        if run == 0 {
            said.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, after) = rest.split_at(run);
        let is_build = word.len() >= 6 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_build && word.bytes().any(|byte| byte.is_ascii_digit()) {
            said.push('0');
        } else {
            let mut was_digit = false;
            for c in word.chars() {
                if !c.is_ascii_digit() {
                    said.push(c);
                } else if !was_digit {
                    said.push('0');
                }
                was_digit = c.is_ascii_digit();
            }
        }
        rest = after;
    }
    said
}

/// The stack in which no address has a query or a fragment. Line and column stay.
fn without_queries(stack: &str) -> String {
    let mut kept = String::with_capacity(stack.len());
    let mut rest = stack;
    while let Some(scheme) = rest.find("://") {
        let (before, address) = rest.split_at(scheme);
        kept.push_str(before);
        let end = address
            .find(|c: char| c.is_whitespace() || matches!(c, ')' | ','))
            .unwrap_or(address.len());
        let (address, after) = address.split_at(end);
        let bare = address
            .find(['?', '#'])
            .map_or(address, |query| &address[..query]);
        kept.push_str(bare);
        kept.push_str(&address[bare.len().max(without_place(address).len())..]);
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// The address without line and column.
fn without_place(address: &str) -> &str {
    let without = |text| match str::rsplit_once(text, ':') {
        Some((rest, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest
        }
        _ => text,
    };
    without(without(address))
}

/// The first frame of a stack: a line of Chromium (`at f (url:1:2)`), or of Firefox and Safari (`f@url:1:2`).
#[must_use]
pub fn top_frame(stack: &str) -> Option<&str> {
    stack.lines().map(str::trim).find(|line| {
        let is_chromium = line.starts_with("at ");
        let is_other = line.contains('@')
            && line
                .rsplit(':')
                .next()
                .is_some_and(|end| end.parse::<u32>().is_ok());
        is_chromium || is_other
    })
}

/// Whether an address is of another site than a host's: neither of them lies below the other.
#[must_use]
pub fn is_third_party(address: &str, host: &str) -> bool {
    let Some(other) = address
        .split("://")
        .nth(1)
        .and_then(|rest| rest.split(['/', ':']).next())
    else {
        return false;
    };
    let below =
        |one: &str, of: &str| one == of || one.strip_suffix(of).is_some_and(|rest| rest.ends_with('.'));
    let host = host.strip_prefix("www.").unwrap_or(host);
    !(below(other, host) || below(host, other))
}

#[cfg(test)]
mod tests {
    use pharos_domain::collect::view::ErrorSource;

    use super::*;

    fn error(message: &str, stack: Option<&str>) -> ScriptError {
        ScriptError {
            message: message.to_owned(),
            name: Some("TypeError".to_owned()),
            source: ErrorSource::Source,
            is_handled: false,
            filename: Some("https://cdn.other.example/app.js".to_owned()),
            line: Some(1),
            column: None,
            stack: stack.map(ToOwned::to_owned),
            causes: Vec::new(),
        }
    }

    fn key(message: &str, stack: &str) -> String {
        GroupedError::of(&error(message, Some(stack)), "shop.example").key
    }

    #[test]
    fn errors_that_differ_by_numbers_alone_are_of_one_kind() {
        let chromium = |line: u32, build: &str| {
            format!(
                "TypeError: x\n    at pay (https://shop.example/main.{build}.js:{line}:7)\n    at https://shop.example/"
            )
        };
        let one = key("order 17 failed", &chromium(3, "4f3a9b2c"));
        assert_eq!(one, key("order 42 failed", &chromium(99, "0b1c2d3e")));
        assert_ne!(one, key("order 42 was lost", &chromium(3, "4f3a9b2c")));
        assert_ne!(
            one,
            key(
                "order 17 failed",
                "TypeError: x\n    at buy (https://shop.example/main.4f3a9b2c.js:3:7)"
            )
        );
    }

    #[test]
    fn the_top_frame_is_found_in_the_stacks_of_all_browsers() {
        for (stack, frame) in [
            (
                "TypeError: x is undefined\n    at pay (https://a.example/b.js:1:2)\n    at c",
                "at pay (https://a.example/b.js:1:2)",
            ),
            (
                "Error\n    at async Promise.all (index 0)",
                "at async Promise.all (index 0)",
            ),
            (
                "pay@https://a.example/b.js:1:2\nc@https://a.example/b.js:3:4\n",
                "pay@https://a.example/b.js:1:2",
            ),
            ("@https://a.example/b.js:1:2", "@https://a.example/b.js:1:2"),
            (
                "global code@https://a.example/b.js:9:1",
                "global code@https://a.example/b.js:9:1",
            ),
        ] {
            assert_eq!(top_frame(stack), Some(frame));
        }
        assert_eq!(top_frame("nothing"), None);
    }

    #[test]
    fn nothing_that_names_a_person_is_left() {
        let hostile = GroupedError::of(
            &error(
                "no mail for ada@shop.example",
                Some(
                    "Error: ada@shop.example\n    at f (https://shop.example/u/9f86d081884c7d659a2feaa0c55ad015.js:1:2)",
                ),
            ),
            "shop.example",
        );
        let all = format!("{hostile:?}");
        assert!(!all.contains("ada@") && !all.contains("9f86d0818"), "{all}");
    }

    #[test]
    fn a_stack_has_no_queries() {
        for (stack, kept) in [
            (
                "    at f (https://a.example/b.js?user=ada:1:23)\n    at https://a.example/#top:4:5",
                "    at f (https://a.example/b.js:1:23)\n    at https://a.example/:4:5",
            ),
            (
                "f@https://a.example/b.js?x=1:2:3\n",
                "f@https://a.example/b.js:2:3\n",
            ),
            ("f@https://a.example/b.js?v=12", "f@https://a.example/b.js"),
            (
                "at e (eval at f (https://a.example/b.js?q:1:2), <anonymous>:3:4)",
                "at e (eval at f (https://a.example/b.js:1:2), <anonymous>:3:4)",
            ),
            ("is it? #1", "is it? #1"),
        ] {
            assert_eq!(without_queries(stack), kept);
        }
    }

    #[test]
    fn scripts_of_others_are_told_apart() {
        assert!(GroupedError::of(&error("x", None), "shop.example").is_third_party);
        for own in ["https://shop.example/a.js", "https://cdn.shop.example/a.js"] {
            assert!(!is_third_party(own, "www.shop.example"));
        }
        assert!(is_third_party("https://eshop.example/a.js", "shop.example"));
        assert!(GroupedError::of(&error("Script error.", None), "shop.example").is_opaque);
        assert!(
            !GroupedError::of(
                &error("Script error.", Some("x@https://a.example/:1:1")),
                "a.example"
            )
            .is_opaque
        );
    }
}
