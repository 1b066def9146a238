//! Results of Lighthouse (LHR), read: tolerant of what is new, bounded in what is kept.
//!
//! Texts of Lighthouse depend on its language, so nothing is computed from them.

pub(crate) mod depth;
mod lists;
mod opportunities;
mod raw;
mod summary;

use bytes::Bytes;
use url::Url;

use self::raw::Raw;
use crate::{
    images::{Images, of_url},
    result::{Lists, Summary},
};

/// How many requests of a page are kept.
const MOST_REQUESTS: usize = 2_000;
/// How many audits.
const MOST_AUDITS: usize = 500;
/// How many frames of a filmstrip.
const MOST_FRAMES: usize = 20;
/// How long a text may be, in bytes.
const LONGEST_TEXT: usize = 2_000;

/// A result that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// The result, but for its lists.
    pub summary: Summary,
    /// Its lists, without pictures.
    pub lists: Lists,
    /// The pictures that were taken while it loaded.
    pub images: Images,
    /// All that Lighthouse wrote, compressed by gzip; `None`: it is not kept.
    pub report: Option<Bytes>,
}

/// The text is no result of Lighthouse.
#[derive(Debug, thiserror::Error)]
#[error("the result of Lighthouse can't be read: {0}")]
pub struct Unreadable(#[from] serde_json::Error);

/// Reads a result.
///
/// # Errors
/// It is something else.
pub fn read(text: &[u8]) -> Result<Load, Unreadable> {
    // serde takes a list, too, for a struct whose members may all be missing.
    if text.trim_ascii_start().first() != Some(&b'{') {
        return Err(Unreadable(serde::de::Error::custom("it is no object")));
    }
    let raw: Raw = serde_json::from_slice(text)?;
    let resources = lists::resources(&raw);
    let summary = summary::of(&raw);
    let lists = Lists {
        audits: lists::audits(&raw),
        opportunities: opportunities::of(&raw),
        third_parties: lists::third_parties(&raw, &resources),
        resources,
        ..Lists::default()
    };
    Ok(Load {
        summary,
        lists,
        images: images(&raw),
        report: None,
    })
}

fn images(raw: &Raw) -> Images {
    let frames = raw.items("screenshot-thumbnails").iter().take(MOST_FRAMES);
    let frames = frames.filter_map(|item| {
        let timing = raw::whole(item.get("timing")?)?;
        Some((timing, of_url(item.get("data")?.as_str()?, None)?))
    });
    let last = raw
        .details("final-screenshot")
        .and_then(|details| details.get("data")?.as_str())
        .and_then(|url| of_url(url, None));
    let full = raw.full_page_screenshot.as_ref().and_then(|full| {
        let raw::Screenshot { data, width, height } = full.screenshot.as_ref()?;
        let pixels = |size: f64| raw::whole_of(size).and_then(|size| u32::try_from(size).ok());
        of_url(data, Some((pixels(*width)?, pixels(*height)?)))
    });
    Images {
        frames: frames.collect(),
        last,
        full,
    }
}

/// The beginning of a text that is kept.
fn text(text: &str) -> String {
    text[..text.floor_char_boundary(LONGEST_TEXT)].to_owned()
}

/// A URL as it is shown: without query and fragment, which may hold secrets.
fn without_query(url: &str) -> String {
    match Url::parse(url) {
        Ok(mut parsed) => {
            parsed.set_query(None);
            parsed.set_fragment(None);
            // Only a URL that has a place for them has them.
            let _ = parsed.set_username("");
            let _ = parsed.set_password(None);
            text(parsed.as_str())
        }
        Err(_) => text(url),
    }
}

/// The name and the password that a URL has before its host, and the slashes before them.
fn credentials(url: &str) -> Option<String> {
    let parsed = Url::parse(url).ok()?;
    match (parsed.username(), parsed.password()) {
        ("", None) => None,
        (name, None) => Some(format!("//{name}@")),
        (name, Some(password)) => Some(format!("//{name}:{password}@")),
    }
}

/// A name of Lighthouse in the form of ours: small letters, with underscores between words.
fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    let mut before = '_';
    for letter in name.chars() {
        if letter == '-' || letter == ' ' {
            snake.push('_');
        } else {
            if letter.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
                snake.push('_');
            }
            snake.push(letter.to_ascii_lowercase());
        }
        before = letter;
    }
    snake
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_in_small_letters() {
        for (upstream, ours) in [
            ("notApplicable", "not_applicable"),
            ("parseHTML", "parse_html"),
            ("best-practices", "best_practices"),
            ("VeryHigh", "very_high"),
            ("NO_FCP", "no_fcp"),
            ("XHR", "xhr"),
        ] {
            assert_eq!(snake_case(upstream), ours);
        }
    }

    #[test]
    fn a_url_is_shown_without_what_may_be_secret() {
        assert_eq!(
            without_query("https://u:p@shop.example/a?token=1#x"),
            "https://shop.example/a"
        );
        assert_eq!(without_query("Unattributable"), "Unattributable");
    }

    /// A page may lead to a URL with a password.
    #[test]
    fn a_password_of_a_url_is_told_nowhere() {
        let result = br#"{"mainDocumentUrl":"https://u:p@shop.example/a","finalDisplayedUrl":"https://u@shop.example/b?c=1",
            "runWarnings":["Your URL was redirected to https://u:p@shop.example/a. Try that."],
            "runtimeError":{"code":"NO_FCP","message":"https://u@shop.example/b"}}"#;
        let summary = read(result).unwrap().summary;
        assert_eq!(
            summary.main_document_url.as_deref(),
            Some("https://shop.example/a")
        );
        assert_eq!(summary.final_url.as_deref(), Some("https://shop.example/b?c=1"));
        assert_eq!(
            summary.run_warnings,
            ["Your URL was redirected to https://shop.example/a. Try that."]
        );
        assert_eq!(summary.runtime_error.unwrap().message, "https://shop.example/b");
        let long = format!(
            r#"{{"mainDocumentUrl":"https://u:{password}@shop.example/","runWarnings":["https://u:{password}@shop.example/"]}}"#,
            password = "p".repeat(3_000)
        );
        let summary = read(long.as_bytes()).unwrap().summary;
        let shown = "https://shop.example/";
        assert_eq!(summary.main_document_url.as_deref(), Some(shown));
        assert_eq!(summary.run_warnings, [shown]);
    }

    /// Scripts that import each other one by one are as deep a tree as there are scripts.
    #[test]
    fn a_page_with_a_long_chain_of_requests_has_a_result() {
        let open: String = (0..500)
            .map(|at| format!(r#"{{"{at}":{{"url":"https://shop.example/{at}.js","children":"#))
            .collect();
        let chains = format!("{open}{{}}{}", "}}".repeat(500));
        let result = format!(
            r#"{{"audits":{{"network-dependency-tree-insight":{{"score":0,"scoreDisplayMode":"numeric","details":
                {{"type":"list","items":[{{"type":"list-section","value":{{"type":"network-tree","chains":{chains}}}}}]}}}}}}}}"#
        );
        let found = read(result.as_bytes()).unwrap().lists.opportunities;
        let urls: Vec<&str> = found[0]
            .items
            .iter()
            .filter_map(|item| item.url.as_deref())
            .collect();
        assert!(
            urls.starts_with(&["https://shop.example/0.js", "https://shop.example/1.js"]),
            "{urls:?}"
        );
    }

    #[test]
    fn what_is_no_result_is_refused_and_an_empty_one_has_nothing() {
        assert!(read(b"").is_err() && read(b"[]").is_err());
        let empty = read(b"{}").unwrap();
        assert_eq!(empty.summary.figures.len(), 0);
        assert_eq!(empty.lists, Lists::default());
    }
}
