//! Paths of pages as they are stored.

use percent_encoding::{AsciiSet, utf8_percent_encode};
use pharos_domain::collect::{kept_path, tag::Tag};
use url::{Url, form_urlencoded};

/// The space. Whatever is not ASCII is encoded anyway.
const ENCODED: &AsciiSet = &AsciiSet::EMPTY.add(b' ');

/// Path and query of a page as those of its views are stored: as [`whole_path`] has them, as far as they are kept.
#[must_use]
pub fn page_path(given: &str) -> String {
    kept_path(&whole_path(given)).to_owned()
}

/// Path and query of a page: without scheme, host and fragment, and percent-encoded as browsers do it. A text that names no page
/// stays as it is.
#[must_use]
pub fn whole_path(given: &str) -> String {
    let without_fragment = given.split('#').next().unwrap_or_default();
    let rest = ["https://", "http://"].iter().find_map(|scheme| {
        let head = without_fragment.get(..scheme.len())?;
        head.eq_ignore_ascii_case(scheme)
            .then(|| &without_fragment[scheme.len()..])
    });
    let path = match rest {
        Some(rest) => rest.find(['/', '?']).map_or("", |at| &rest[at..]),
        None if given.starts_with('/') => without_fragment,
        None => return given.to_owned(),
    };
    if path.chars().any(char::is_control) {
        return given.to_owned();
    }
    // Whatever the host is, its pages are written alike.
    let url = Url::parse(&format!("http://page.invalid{path}"));
    url.map_or_else(
        |_| given.to_owned(),
        |url| match url.query() {
            Some(query) if !query.is_empty() => format!("{}?{query}", url.path()),
            _ => url.path().to_owned(),
        },
    )
}

/// A path and query without its tags, such as `utm_source`, and click ids: the paths of views are stored without them.
#[must_use]
pub fn without_tags(path: &str) -> String {
    let Some((page, query)) = path.split_once('?') else {
        return path.to_owned();
    };
    let is_tag = |pair: &str| {
        let named = form_urlencoded::parse(pair.as_bytes()).next();
        named.is_some_and(|(name, _)| Tag::of(&name).is_some())
    };
    let kept: Vec<&str> = query
        .split('&')
        .filter(|pair| !pair.is_empty() && !is_tag(pair))
        .collect();
    if kept.is_empty() {
        page.to_owned()
    } else {
        format!("{page}?{}", kept.join("&"))
    }
}

/// A part of a path as it stands in those that are stored: spaces and whatever is not ASCII are percent-encoded.
#[must_use]
pub fn part_of_path(given: &str) -> String {
    utf8_percent_encode(given, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use pharos_domain::collect::LONGEST_PATH;

    use super::*;

    #[test]
    fn a_page_is_named_by_its_path_and_query() {
        for (given, expected) in [
            ("/a?b=c#d", "/a?b=c"),
            ("https://shop.example/a?b", "/a?b"),
            ("HTTP://shop.example", "/"),
            ("http://shop.example?b", "/?b"),
            ("/a?", "/a"),
            ("//a", "//a"),
            ("https://", "/"),
            ("https://not a host/a", "/a"),
            ("shop.example/a", "shop.example/a"),
            ("/a\nb", "/a\nb"),
            ("(other)", "(other)"),
            ("", ""),
        ] {
            assert_eq!(page_path(given), expected, "{given}");
        }
    }

    #[test]
    fn characters_are_encoded_as_browsers_encode_them_and_once() {
        for (given, expected) in [
            ("/café", "/caf%C3%A9"),
            ("https://shop.example/café?q=ü", "/caf%C3%A9?q=%C3%BC"),
            ("/red shoes", "/red%20shoes"),
            ("/100%25", "/100%25"),
            ("/a/../b", "/b"),
        ] {
            let path = page_path(given);
            assert_eq!(path, expected, "{given}");
            assert_eq!(page_path(&path), path);
        }
    }

    #[test]
    fn tags_and_click_ids_are_no_part_of_a_page() {
        for (given, expected) in [
            ("/a", "/a"),
            ("/a?b=1&c", "/a?b=1&c"),
            ("/a?utm_source=x", "/a"),
            ("/a?b=1&UTM_Medium=y&gclid=z&ref=w&c=2", "/a?b=1&c=2"),
            ("/a?b=utm_source", "/a?b=utm_source"),
        ] {
            assert_eq!(without_tags(given), expected, "{given}");
        }
    }

    #[test]
    fn a_path_is_cut_where_those_of_views_are_and_once() {
        let long = format!("/{}", "a".repeat(LONGEST_PATH));
        let kept = page_path(&long);
        assert_eq!(kept, long[..LONGEST_PATH]);
        assert_eq!(page_path(&kept), kept);
        assert_eq!(page_path(&format!("https://shop.example{long}")), kept);
        assert_eq!(whole_path(&long), long);
        let encoded = page_path(&format!("/{}", "ü".repeat(LONGEST_PATH)));
        assert_eq!(encoded.len(), LONGEST_PATH);
        assert_eq!(page_path(&encoded), encoded);
    }

    #[test]
    fn a_part_of_a_path_is_found_in_it() {
        for part in ["fé", "d s", "/café/red", "caf%C3%A9", "?size=ü", "#"] {
            let is_in = page_path("/café/red shoes?size=ü").contains(&part_of_path(part));
            assert_eq!(is_in, part != "#", "{part}");
        }
    }
}
