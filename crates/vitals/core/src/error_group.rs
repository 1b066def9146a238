//! Which errors are of one kind.

use pharos_domain::collect::view::ScriptError;

use crate::{
    errors::frames,
    providers::is_third_party,
    redact::{redacted, redacted_path},
};

/// The longest text that names a group, in bytes.
const LONGEST_KEY: usize = 700;

/// An error without what names a person, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupedError {
    /// Errors of one key are of one kind: the normalised message and the top frame.
    pub key: String,
    /// The message, without what names a person.
    pub message: String,
    /// Its class.
    pub name: Option<String>,
    /// The script.
    pub filename: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// The column in that.
    pub column: Option<u32>,
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
        let message = redacted(&without_queries(&error.message));
        let stack = error
            .stack
            .as_deref()
            .map(|stack| redacted(&without_queries(stack)));
        // A rejection and an error that the page handled are told without a place: theirs is that of the first frame that has one.
        let (filename, line, column) = match error.filename.as_deref().filter(|told| !told.is_empty()) {
            Some(told) => (Some(redacted_path(told)), error.line, error.column),
            None => stack
                .as_deref()
                .and_then(|stack| {
                    frames(stack, host)
                        .into_iter()
                        .find(|frame| frame.filename.is_some())
                })
                .map_or((None, error.line, error.column), |frame| {
                    (frame.filename, frame.line, frame.column)
                }),
        };
        let frame = stack
            .as_deref()
            .and_then(top_frame)
            .or_else(|| filename.clone())
            .unwrap_or_default();
        let name = error.name.as_deref().map(redacted);
        let frame = normalised(&frame);
        let said = [
            error.source.as_str(),
            if error.is_handled { "handled" } else { "unhandled" },
            &name.clone().unwrap_or_default(),
            // Before the message, which may be longer than a key.
            &frame[..frame.floor_char_boundary(LONGEST_KEY / 2)],
            &normalised(&message),
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
            causes: error
                .causes
                .iter()
                .map(|cause| redacted(&without_queries(cause)))
                .collect(),
            message,
            name,
            filename,
            line,
            column,
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

/// The text, such as a stack, in which no address has a query or a fragment. Line and column stay.
fn without_queries(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(scheme) = rest.find("://") {
        let (before, address) = rest.split_at(scheme);
        kept.push_str(before);
        let (address, after) = address.split_at(end_of_address(address));
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

/// Where the address ends with which a text begins. Parentheses, commas and apostrophes may stand in an address, also in its query:
/// one ends it where nothing of an address follows.
fn end_of_address(text: &str) -> usize {
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let is_end = match c {
            ')' | ',' | '\'' => characters
                .peek()
                .is_none_or(|(_, next)| next.is_whitespace() || matches!(*next, ')' | ',' | '\'')),
            c => c.is_whitespace() || matches!(c, '"' | '<' | '>'),
        };
        if is_end {
            return at;
        }
    }
    text.len()
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

/// The first frame of a stack as Chromium writes it, `at f (url:1:2)`: an error is of one kind in all browsers that name its function
/// alike.
fn top_frame(stack: &str) -> Option<String> {
    let lines = || stack.lines().map(str::trim);
    // Chromium's begins with the message, of which a line may look like a frame of the others, whose stacks have no message.
    if let Some(line) = lines().find(|line| line.starts_with("at ")) {
        return Some(line.to_owned());
    }
    lines().find_map(|line| {
        let frame = frames(line, "").pop()?;
        let mut place = frame.filename?;
        for number in [frame.line, frame.column].into_iter().flatten() {
            place.push(':');
            place.push_str(&number.to_string());
        }
        let function = frame.function.filter(|name| !is_of_no_function(name));
        Some(match function {
            Some(name) => format!("at {name} ({place})"),
            None => format!("at {place}"),
        })
    })
}

/// Whether a name stands for code that has none, and that Chromium therefore does not name: Firefox tells the function around it
/// (`f/<`), Safari of which kind it is (`global code`).
fn is_of_no_function(name: &str) -> bool {
    name.ends_with('<') || name.ends_with(" code")
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
                "at pay (https://a.example/b.js:1:2)",
            ),
            (
                "async*pay@https://a.example/b.js:1:2",
                "at pay (https://a.example/b.js:1:2)",
            ),
            ("@https://a.example/b.js:1:2", "at https://a.example/b.js:1:2"),
            (
                "pay/<@https://a.example/b.js:1:2",
                "at https://a.example/b.js:1:2",
            ),
            (
                "global code@https://a.example/b.js:9:1",
                "at https://a.example/b.js:9:1",
            ),
            (
                "map@[native code]\nhttps://a.example/b.js:5:6\nc@https://a.example/b.js:3:4",
                "at https://a.example/b.js:5:6",
            ),
        ] {
            assert_eq!(top_frame(stack).as_deref(), Some(frame));
        }
        assert_eq!(top_frame("nothing"), None);
    }

    #[test]
    fn no_line_of_a_message_passes_for_a_frame() {
        let of = |function: &str| {
            let stack = format!(
                "Error: no answer of\nhttps://api.example/orders\n    at {function} (https://shop.example/a.js:1:2)"
            );
            key("no answer of", &stack)
        };
        assert_ne!(of("pay"), of("buy"));
    }

    #[test]
    fn an_error_is_of_one_kind_in_all_browsers() {
        for stacks in [
            [
                "TypeError: no price\n    at total (https://shop.example/cart.js:14:27)\n    at https://shop.example/",
                "total@https://shop.example/cart.js:14:11\n@https://shop.example/:9:1",
                "total@https://shop.example/cart.js:14:20\nglobal code@https://shop.example/:9:1",
            ],
            [
                "TypeError: no price\n    at https://shop.example/cart.js:31:9\n    at Array.forEach (<anonymous>)",
                "lines/<@https://shop.example/cart.js:31:3\nlines@https://shop.example/cart.js:30:9",
                "https://shop.example/cart.js:31:12\nforEach@[native code]",
            ],
        ] {
            let [chromium, firefox, safari] = stacks.map(|stack| key("no price", stack));
            assert_eq!(chromium, firefox);
            assert_eq!(chromium, safari);
        }
    }

    #[test]
    fn errors_of_one_long_message_are_told_apart_by_their_frame() {
        let long = "a word ".repeat(150);
        let of = |function: &str| {
            key(
                &long,
                &format!("Error\n    at {function} (https://shop.example/a.js:1:2)"),
            )
        };
        assert_ne!(of("pay"), of("buy"));
    }

    #[test]
    fn an_error_without_a_place_has_that_of_its_first_frame() {
        let rejected = ScriptError {
            filename: None,
            line: None,
            ..error(
                "x",
                Some(
                    "Error: x\n    at Array.map (<anonymous>)\n    at f (https://cdn.other.example/b.js:3:4)",
                ),
            )
        };
        let grouped = GroupedError::of(&rejected, "shop.example");
        assert_eq!(
            grouped.filename.as_deref(),
            Some("https://cdn.other.example/b.js")
        );
        assert_eq!((grouped.line, grouped.column), (Some(3), Some(4)));
        assert!(grouped.is_third_party);
        assert!(!GroupedError::of(&rejected, "other.example").is_third_party);
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
            (
                "at f (https://a.example/b.js?ids=1,ada:1:2), x",
                "at f (https://a.example/b.js:1:2), x",
            ),
            (
                "at f (https://a.example/b(1).js?q=g(ada):10:2)",
                "at f (https://a.example/b(1).js:10:2)",
            ),
            ("is it? #1", "is it? #1"),
        ] {
            assert_eq!(without_queries(stack), kept);
        }
    }

    #[test]
    fn a_message_has_no_queries_and_neither_have_its_causes() {
        let told = ScriptError {
            causes: vec!["no answer of https://api.example/p?user=ada, none at all".to_owned()],
            ..error(
                "Can't load 'https://shop.example/a.js?user=ada#top'. Reload \"https://shop.example/?ada\"",
                None,
            )
        };
        let grouped = GroupedError::of(&told, "shop.example");
        assert_eq!(
            grouped.message,
            "Can't load 'https://shop.example/a.js Reload \"https://shop.example/\""
        );
        assert_eq!(
            grouped.causes,
            ["no answer of https://api.example/p, none at all"]
        );
    }

    #[test]
    fn scripts_of_others_are_told_apart() {
        assert!(GroupedError::of(&error("x", None), "shop.example").is_third_party);
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
