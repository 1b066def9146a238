//! A sitemap that is plain text: an address a line.

use std::io::{BufRead, Read};

use super::{
    entry::{Entry, SitemapKind, UrlEntry},
    issue::Findings,
    location::LONGEST_URL,
    read::Book,
};

pub(super) fn read(mut input: impl BufRead, book: &mut Book<'_>) -> Result<(), String> {
    let mut line = Vec::new();
    // Whether a line is one, though perhaps a wrong one.
    let mut has_address = false;
    loop {
        line.clear();
        // A line that goes on for ever takes no more memory than one that is too long.
        let mut bounded = input.by_ref().take(LONGEST_URL as u64 + 2);
        let read = bounded.read_until(b'\n', &mut line);
        if read.map_err(|error| error.to_string())? == 0 {
            if has_address {
                return Ok(());
            }
            // Such a file has no addresses, so findings about its lines would mislead.
            book.findings = Findings::default();
            return Err("it is neither XML nor a list of addresses".to_owned());
        }
        if line.last() != Some(&b'\n') {
            let rest = input.skip_until(b'\n');
            rest.map_err(|error| error.to_string())?;
        }
        let text = std::str::from_utf8(&line).map_err(|_| "a line is not UTF-8".to_owned())?;
        let written = text.trim();
        if written.is_empty() {
            continue;
        }
        has_address |= is_like_address(written);
        // A page that is no sitemap has lines too; one that begins with no address makes none.
        let Some(url) = book.location(written) else {
            continue;
        };
        book.kind = SitemapKind::Text;
        book.entry(Entry::Url(UrlEntry {
            url,
            lastmod: None,
            change_frequency: None,
            priority: None,
            images: 0,
            videos: 0,
            is_news: false,
            alternates: Vec::new(),
        }));
    }
}

/// Whether a line is meant as an address: it begins with a scheme, or is a path.
fn is_like_address(line: &str) -> bool {
    let has_scheme = line
        .split_once("://")
        .is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()));
    has_scheme || line.starts_with('/')
}
