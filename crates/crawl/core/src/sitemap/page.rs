//! The signals by which a page controls its indexing: `noindex`, and the page that is to be indexed in its place.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};
use url::Url;

/// The signals by which a page controls its indexing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Indexing {
    /// Whether it asks Google not to index it.
    pub is_noindex: bool,
    /// The page that it names as the one to be indexed; `None`: it names none.
    pub canonical: Option<Url>,
}

/// Whether an `X-Robots-Tag` header speaks of Google and asks not to index.
///
/// Its value is a list of words, with the name of a crawler before them or none: `googlebot: noindex, nofollow`.
#[must_use]
pub fn header_says_noindex(value: &str) -> bool {
    let words = match value.split_once(':') {
        // Words with a colon of their own, such as unavailable_after, are not names.
        Some((name, words)) if !name.contains(',') && !name.trim().contains('_') => {
            if !is_meant(name) {
                return false;
            }
            words
        }
        _ => value,
    };
    says_noindex(words)
}

fn is_meant(name: &str) -> bool {
    let name = name.trim();
    name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case("googlebot")
}

fn says_noindex(words: &str) -> bool {
    words
        .split(',')
        .map(str::trim)
        .any(|word| word.eq_ignore_ascii_case("noindex") || word.eq_ignore_ascii_case("none"))
}

/// The target of a `Link` header with the relation `canonical` (RFC 8288).
#[must_use]
pub fn header_names_canonical(value: &str, page: &Url) -> Option<Url> {
    let of_link = |link: &str| {
        let (target, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_canonical = parameters.split(';').any(|parameter| {
            let Some((name, value)) = parameter.split_once('=') else {
                return false;
            };
            name.trim().eq_ignore_ascii_case("rel") && has_canonical(value.trim().trim_matches('"'))
        });
        is_canonical.then(|| page.join(target).ok()).flatten()
    };
    value.split(',').find_map(of_link)
}

fn has_canonical(relations: &str) -> bool {
    relations
        .split_ascii_whitespace()
        .any(|relation| relation.eq_ignore_ascii_case("canonical"))
}

/// Reads the head of a page in HTML, as far as it was fetched. Whatever the bytes are, something comes of it.
#[must_use]
pub fn read(page: &Url, html: &[u8]) -> Indexing {
    let html = String::from_utf8_lossy(html);
    let mut emitter: DefaultEmitter = DefaultEmitter::default();
    // The text of scripts is no markup.
    emitter.naively_switch_states(true);
    let mut found = Indexing::default();
    for Ok(token) in Tokenizer::new_with_emitter(&*html, emitter) {
        match token {
            Token::StartTag(tag) if is_named(&tag, "body") => break,
            Token::StartTag(tag) if is_named(&tag, "meta") => {
                let is_robots = attribute(&tag, "name").is_some_and(|name| is_meant(&name));
                let content = attribute(&tag, "content").unwrap_or_default();
                found.is_noindex |= is_robots && says_noindex(&content);
            }
            Token::StartTag(tag) if is_named(&tag, "link") && found.canonical.is_none() => {
                let relation = attribute(&tag, "rel").unwrap_or_default();
                let target = attribute(&tag, "href").filter(|_| has_canonical(&relation));
                found.canonical = target.and_then(|target| page.join(target.trim()).ok());
            }
            Token::EndTag(tag) if tag.name.as_slice() == b"head" => break,
            _ => {}
        }
    }
    found
}

fn is_named(tag: &StartTag<()>, name: &str) -> bool {
    tag.name.as_slice() == name.as_bytes()
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    let value = tag.attributes.get(name.as_bytes())?;
    Some(String::from_utf8_lossy(value).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Url {
        "https://shop.example/shoes?a=1".parse().unwrap()
    }

    #[test]
    fn the_head_of_a_page_is_read() {
        let html = b"<!doctype html><html><head><META Name=Robots content='nofollow, NOINDEX'>\
            <link rel='alternate canonical' href='/shoes'><link rel=canonical href=/other></head>";
        let found = read(&page(), html);
        assert!(found.is_noindex);
        assert_eq!(
            found.canonical.map(String::from).as_deref(),
            Some("https://shop.example/shoes")
        );
    }

    #[test]
    fn only_what_is_markup_of_the_head_counts() {
        for html in [
            "<head><script>'<meta name=robots content=noindex>'</script></head>",
            "<head><!-- <meta name=robots content=noindex> --></head>",
            "<head></head><body><meta name=robots content=noindex>",
            "<body><meta name=robots content=noindex>",
            "<head><meta name=description content=noindex>",
            "<head><meta name=bingbot content=noindex>",
            "<head><meta name=robots content=noindexing>",
            "\0<<<>>",
        ] {
            assert_eq!(read(&page(), html.as_bytes()), Indexing::default(), "{html}");
        }
        assert!(read(&page(), b"<meta name=googlebot content=none>").is_noindex);
    }

    #[test]
    fn headers_say_it_too() {
        for value in ["noindex", "nofollow, noindex", "googlebot: noindex", "NONE"] {
            assert!(header_says_noindex(value), "{value}");
        }
        for value in [
            "bingbot: noindex",
            "nofollow",
            "unavailable_after: 25 Jun 2026 15:00:00 PST",
            "",
        ] {
            assert!(!header_says_noindex(value), "{value}");
        }
        let of = |value: &str| header_names_canonical(value, &page()).map(String::from);
        assert_eq!(
            of("</style.css>; rel=preload, </shoes>; rel=\"canonical\"").as_deref(),
            Some("https://shop.example/shoes")
        );
        assert_eq!(of("</shoes>; rel=next"), None);
        assert_eq!(of("shoes; rel=canonical"), None);
    }
}
