//! A sitemap that is plain text: an address a line.

use std::io::{BufRead, Read};

use super::{
    entry::{Entry, SitemapKind, UrlEntry},
    location::LONGEST_URL,
    read::Book,
};

pub(super) fn read(mut input: impl BufRead, book: &mut Book<'_>) -> Result<(), String> {
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line that goes on for ever takes no more memory than one that is too long.
        let mut bounded = input.by_ref().take(LONGEST_URL as u64 + 2);
        let read = bounded.read_until(b'\n', &mut line);
        if read.map_err(|error| error.to_string())? == 0 {
            return Ok(());
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
