//! Stacks, frame by frame, as Chromium, Firefox and Safari write them.
//!
//! | browser | a frame |
//! | --- | --- |
//! | Chromium (V8) | `at f (address:line:column)`, `at address:line:column`, before both `async` and `new`; `at eval (eval at f (address:1:2), <anonymous>:3:4)` |
//! | Firefox (SpiderMonkey) | `f@address:line:column`, before `f` for instance `async*` or `promise callback*`; `f@address line 3 > eval:1:2` |
//! | Safari (JavaScriptCore) | `f@address:line:column`, `global code@…`, `f@[native code]`, and `address:line:column` alone |

use serde::{Deserialize, Serialize};

use crate::{providers::is_third_party, redact::redacted_path};

/// How many frames of a stack are read.
const MOST_FRAMES: usize = 50;

/// A frame of a stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumErrorFrame))]
pub struct Frame {
    /// The function; null for code of no function.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub function: Option<String>,
    /// The script, redacted and without the query; null for the browser's own code.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub filename: Option<String>,
    /// The line, from 1; null where it was not told.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 1))]
    pub line: Option<u32>,
    /// The column, from 1; null where it was not told.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 1))]
    pub column: Option<u32>,
    /// Whether it is of the site itself: not of the browser, of an extension, of a library or of another site.
    pub in_app: bool,
}

/// The frames of a stack that happened on a page of `host`, the innermost first. Lines that are no frames are passed over.
#[must_use]
pub fn frames(stack: &str, host: &str) -> Vec<Frame> {
    let frames = stack.lines().filter_map(|line| frame(line.trim(), host));
    frames.take(MOST_FRAMES).collect()
}

fn frame(line: &str, host: &str) -> Option<Frame> {
    let (function, place) = match line.strip_prefix("at ") {
        Some(rest) => chromium(rest),
        None => others(line)?,
    };
    let in_app = place
        .filename
        .as_deref()
        .is_some_and(|filename| is_in_app(filename, host));
    Some(Frame {
        function: function.filter(|name| !name.is_empty()).map(ToOwned::to_owned),
        filename: place.filename,
        line: place.line,
        column: place.column,
        in_app,
    })
}

fn chromium(rest: &str) -> (Option<&str>, Place) {
    let rest = rest.strip_prefix("async ").unwrap_or(rest);
    if let Some((name, inner)) = rest.split_once(" (")
        && let Some(inner) = inner.strip_suffix(')')
    {
        // Code of eval is placed where eval was called, at the innermost address that is known.
        let place = match inner.strip_prefix("eval at ") {
            Some(eval) => {
                let innermost = eval.rsplit_once('(').map_or(eval, |(_, place)| place);
                innermost.split(')').next().unwrap_or_default()
            }
            None => inner,
        };
        return (Some(name), Place::of(place));
    }
    match Place::of(rest) {
        place if place.filename.is_some() => (None, place),
        place => (Some(rest), place),
    }
}

/// A frame of Firefox or Safari.
fn others(line: &str) -> Option<(Option<&str>, Place)> {
    let (name, place) = if is_address(line) {
        ("", line)
    } else {
        line.split_once('@')?
    };
    let found = Place::of(place);
    if found.filename.is_none() && place != "[native code]" {
        return None;
    }
    let name = name.rsplit_once('*').map_or(name, |(_, name)| name);
    Some((Some(name), found))
}

/// Where a frame is.
#[derive(Debug, Default)]
struct Place {
    filename: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

impl Place {
    fn of(text: &str) -> Self {
        if !is_address(text) {
            return Self::default();
        }
        // `address line 3 > eval:1:2`: the address is where eval was called.
        if let Some((address, eval)) = text.split_once(" line ") {
            let line = eval.split(' ').next().and_then(|line| line.parse().ok());
            return Self {
                filename: Some(bare(address)),
                line,
                column: None,
            };
        }
        let (rest, last) = number(text);
        let (address, before) = number(rest);
        let (line, column) = match (before, last) {
            (Some(line), column) => (Some(line), column),
            (None, line) => (line, None),
        };
        Self {
            filename: Some(bare(address)),
            line,
            column,
        }
    }
}

/// The text without the number behind its last colon, and the number.
fn number(text: &str) -> (&str, Option<u32>) {
    match text.rsplit_once(':') {
        Some((rest, end)) if let Ok(number) = end.parse() => (rest, Some(number)),
        _ => (text, None),
    }
}

/// Whether a text begins with a scheme, such as `https://`, `webpack-internal:///` and `chrome-extension://`.
fn is_address(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    }) || text.starts_with("blob:")
}

fn bare(address: &str) -> String {
    redacted_path(address.split(['?', '#']).next().unwrap_or_default())
}

fn is_in_app(filename: &str, host: &str) -> bool {
    let address = filename.strip_prefix("blob:").unwrap_or(filename);
    let is_ours = match address.split_once("://") {
        Some(("http" | "https", _)) => !is_third_party(address, host),
        Some((scheme, _)) => scheme.starts_with("webpack"),
        None => false,
    };
    is_ours && !filename.contains("/node_modules/")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stacks as browsers wrote them, each with a line of what it comes to for every frame.
    const CORPUS: &str = include_str!("../../data/stacks.txt");

    fn written(frame: &Frame) -> String {
        let text = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        [
            text(frame.function.clone()),
            text(frame.filename.clone()),
            text(frame.line.map(|line| line.to_string())),
            text(frame.column.map(|column| column.to_string())),
            if frame.in_app { "ours" } else { "theirs" }.to_owned(),
        ]
        .join(" | ")
    }

    #[test]
    fn frames_of_stacks_of_all_browsers_are_read() {
        let mut stacks = 0;
        for case in CORPUS.split("\n=== ").skip(1) {
            let (name, rest) = case.split_once('\n').unwrap();
            let (stack, wanted) = rest.split_once("\n---\n").unwrap();
            let found: Vec<String> = frames(stack, "shop.example").iter().map(written).collect();
            assert_eq!(found, wanted.trim_end().lines().collect::<Vec<_>>(), "{name}");
            stacks += 1;
        }
        assert_eq!(stacks, 16);
    }

    #[test]
    fn what_is_no_frame_is_passed_over_and_a_stack_is_bounded() {
        for nothing in [
            "",
            "TypeError: x@y is no function",
            "mail @ shop",
            "@",
            "undefined",
            "\u{0}@:",
        ] {
            assert_eq!(frames(nothing, "shop.example"), Vec::new(), "{nothing}");
        }
        let long = "    at f (https://shop.example/a.js:1:2)\n".repeat(20_000);
        assert_eq!(frames(&long, "shop.example").len(), MOST_FRAMES);
    }

    proptest::proptest! {
        #[test]
        fn no_stack_makes_it_fail(stack in "(at |@|:|/|[(]|[)]|[a-z]{0,4}|é|[0-9]{0,12}|https://| line | > eval|\n){0,60}") {
            let _ = frames(&stack, "shop.example");
        }
    }
}
