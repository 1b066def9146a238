//! A sitemap, an index or a feed in XML.
//!
//! Nothing is expanded but the five entities of XML and references to characters, so there is no entity to bomb with; a
//! document type is refused.

use std::io::BufRead;

use quick_xml::{
    NsReader,
    events::{BytesStart, Event},
    name::{Namespace, ResolveResult},
};

use super::{
    entry::{
        Alternate, ChangeFrequency, ChildEntry, Entry, MOST_ALTERNATES, MOST_ALTERNATES_BYTES, SitemapKind,
        UrlEntry, is_language,
    },
    issue::SitemapIssue,
    lastmod,
    location::LONGEST_URL,
    read::Book,
};

const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const ATOM: &str = "http://www.w3.org/2005/Atom";

/// The deepest element that means something: an entry's, with the root and the channel of a feed above it.
const DEEPEST: usize = 64;

/// How many letters a character of an address is written with, at most: `&quot;`.
const LONGEST_ESCAPE: usize = 6;

/// Reads a document. The error says what is wrong with it.
pub(super) fn read(input: impl BufRead, book: &mut Book<'_>) -> Result<(), String> {
    let mut reader = NsReader::from_reader(input);
    let mut buffer = Vec::new();
    let mut walk = Walk::default();
    loop {
        buffer.clear();
        let (space, event) = reader
            .read_resolved_event_into(&mut buffer)
            .map_err(|error| error.to_string())?;
        match event {
            Event::Start(start) => walk.open(&space, &start, book)?,
            Event::Empty(start) => {
                walk.open(&space, &start, book)?;
                walk.close(book);
            }
            Event::End(_) => walk.close(book),
            Event::Text(text) => walk.text(&text),
            Event::CData(text) => walk.text(&text),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(character)) => walk.text(character.encode_utf8(&mut [0; 4])),
                Ok(None) => walk.text(entity(&reference).ok_or("an entity that XML does not have")?),
                Err(error) => return Err(error.to_string()),
            },
            Event::DocType(_) => return Err("a document type, which sitemaps have no need of".to_owned()),
            Event::Eof if walk.path.is_empty() && walk.has_root => return Ok(()),
            Event::Eof => return Err("it ends in the middle".to_owned()),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
        }
    }
}

fn entity(name: &str) -> Option<&'static str> {
    Some(match name {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        _ => return None,
    })
}

/// The meaning of an element, by its name and the element around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Root,
    Entry,
    Loc,
    Lastmod,
    ChangeFrequency,
    Priority,
    /// Anything else: what is in it means nothing.
    Other,
}

#[derive(Debug, Default)]
struct Walk {
    path: Vec<Element>,
    has_root: bool,
    text: String,
    draft: Draft,
}

/// An entry of which the end has not been read.
#[derive(Debug, Default)]
struct Draft {
    loc: Option<String>,
    lastmod: Option<String>,
    change_frequency: Option<String>,
    priority: Option<String>,
    images: u32,
    videos: u32,
    is_news: bool,
    alternates: Vec<Alternate>,
    /// How many bytes they have.
    alternates_bytes: usize,
}

impl Walk {
    fn open(
        &mut self,
        space: &ResolveResult<'_>,
        start: &BytesStart<'_>,
        book: &mut Book<'_>,
    ) -> Result<(), String> {
        if self.path.len() == DEEPEST {
            return Err("elements within elements, too deep".to_owned());
        }
        self.text.clear();
        let name = start.local_name();
        let name: &str = name.as_ref();
        let is_in =
            |wanted: &str| matches!(space, ResolveResult::Bound(Namespace(bound)) if *bound == wanted);
        let element = match self.path.last() {
            None => {
                if self.has_root {
                    return Err("a second root".to_owned());
                }
                self.has_root = true;
                book.kind = match name {
                    "urlset" => SitemapKind::UrlSet,
                    "sitemapindex" => SitemapKind::Index,
                    "rss" => SitemapKind::Rss,
                    "feed" => SitemapKind::Atom,
                    _ => {
                        return Err(format!(
                            "its root is {name:.40}, not urlset, sitemapindex, rss or feed"
                        ));
                    }
                };
                let is_right = match book.kind {
                    SitemapKind::UrlSet | SitemapKind::Index => is_in(SITEMAP),
                    SitemapKind::Atom => is_in(ATOM),
                    _ => true,
                };
                if !is_right {
                    book.findings.add(SitemapIssue::WrongNamespace, name);
                }
                Element::Root
            }
            Some(Element::Root) => match (book.kind, name) {
                (SitemapKind::UrlSet, "url")
                | (SitemapKind::Index, "sitemap")
                | (SitemapKind::Atom, "entry") => self.begin(),
                // Between an RSS file and its items lies the channel.
                (SitemapKind::Rss, "channel") => Element::Root,
                (SitemapKind::Rss, "item") => self.begin(),
                _ => Element::Other,
            },
            Some(Element::Entry) => self.within(name, start, book)?,
            Some(_) => Element::Other,
        };
        self.path.push(element);
        Ok(())
    }

    fn begin(&mut self) -> Element {
        self.draft = Draft::default();
        Element::Entry
    }

    fn within(&mut self, name: &str, start: &BytesStart<'_>, book: &mut Book<'_>) -> Result<Element, String> {
        let attribute = |wanted: &str| -> Result<Option<String>, String> {
            let found = start
                .try_get_attribute(wanted)
                .map_err(|error| error.to_string())?;
            found
                // A value that is longer than the longest address with escapes can't be an address.
                .filter(|found| found.value.len() <= LONGEST_URL * LONGEST_ESCAPE)
                .map(|found| {
                    let value = found.normalized_value(quick_xml::XmlVersion::Implicit1_0);
                    value
                        .map(|value| value.trim().to_owned())
                        .map_err(|error| error.to_string())
                })
                .transpose()
        };
        Ok(match (book.kind, name) {
            (SitemapKind::UrlSet | SitemapKind::Index, "loc") => Element::Loc,
            (SitemapKind::UrlSet | SitemapKind::Index, "lastmod") => Element::Lastmod,
            (SitemapKind::UrlSet, "changefreq") => Element::ChangeFrequency,
            (SitemapKind::UrlSet, "priority") => Element::Priority,
            (SitemapKind::UrlSet, "image") => {
                self.draft.images = self.draft.images.saturating_add(1);
                Element::Other
            }
            (SitemapKind::UrlSet, "video") => {
                self.draft.videos = self.draft.videos.saturating_add(1);
                Element::Other
            }
            (SitemapKind::UrlSet, "news") => {
                self.draft.is_news = true;
                Element::Other
            }
            (SitemapKind::UrlSet, "link") => {
                if let (Some(hreflang), Some(href)) = (attribute("hreflang")?, attribute("href")?) {
                    self.draft.name(hreflang, &href, book);
                }
                Element::Other
            }
            // The channel's kin of Atom has a prefix.
            (SitemapKind::Rss, "link") if start.name().prefix().is_none() => Element::Loc,
            (SitemapKind::Rss, "pubDate") | (SitemapKind::Atom, "updated") => Element::Lastmod,
            (SitemapKind::Atom, "link") => {
                if attribute("rel")?.is_none_or(|rel| rel == "alternate") && self.draft.loc.is_none() {
                    self.draft.loc = attribute("href")?;
                }
                Element::Other
            }
            _ => Element::Other,
        })
    }

    fn text(&mut self, text: &str) {
        // More than an address can be long means nothing, and is not kept.
        if self.text.len() <= LONGEST_URL
            && !matches!(self.path.last(), Some(Element::Other | Element::Root) | None)
        {
            self.text.push_str(text);
        }
    }

    fn close(&mut self, book: &mut Book<'_>) {
        let Some(element) = self.path.pop() else {
            return;
        };
        let text = || Some(self.text.trim().to_owned());
        match element {
            Element::Loc => self.draft.loc = text(),
            Element::Lastmod => self.draft.lastmod = text(),
            Element::ChangeFrequency => self.draft.change_frequency = text(),
            Element::Priority => self.draft.priority = text(),
            Element::Entry => std::mem::take(&mut self.draft).finish(book),
            Element::Root | Element::Other => {}
        }
        self.text.clear();
    }
}

impl Draft {
    /// Records the page in another language, as far as there is room.
    fn name(&mut self, hreflang: String, href: &str, book: &mut Book<'_>) {
        if !is_language(&hreflang) || self.alternates.len() == MOST_ALTERNATES {
            return;
        }
        let Some(href) = book.alternate(href) else { return };
        let bytes = self.alternates_bytes + hreflang.len() + href.len();
        if bytes <= MOST_ALTERNATES_BYTES {
            self.alternates_bytes = bytes;
            self.alternates.push(Alternate { hreflang, href });
        }
    }

    fn finish(self, book: &mut Book<'_>) {
        let Some(url) = book.location(self.loc.as_deref().unwrap_or_default()) else {
            return;
        };
        let is_rss = book.kind == SitemapKind::Rss;
        let lastmod = self.lastmod.and_then(|written| {
            let read = if is_rss {
                lastmod::parse_rss(&written)
            } else {
                lastmod::parse(&written)
            };
            book.date(&written, read)
        });
        if book.kind == SitemapKind::Index {
            book.entry(Entry::Child(ChildEntry { url, lastmod }));
            return;
        }
        let priority = self.priority.and_then(|written| {
            // A decimal number alone: what has a sign or an exponent may be a zero that is none, or a negative one.
            let is_decimal = written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let read = written
                .parse::<f64>()
                .ok()
                .filter(|priority| is_decimal && (0.0..=1.0).contains(priority));
            if read.is_none() {
                book.findings.add(SitemapIssue::InvalidPriority, &written);
            }
            read
        });
        book.entry(Entry::Url(UrlEntry {
            url,
            lastmod,
            change_frequency: self.change_frequency.as_deref().and_then(ChangeFrequency::named),
            priority,
            images: self.images,
            videos: self.videos,
            is_news: self.is_news,
            alternates: self.alternates,
        }));
    }
}
