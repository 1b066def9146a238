//! Reading a sitemap from its first byte to its last, within bounds.

use std::{
    collections::HashSet,
    hash::{BuildHasher, RandomState},
    io::{self, BufRead, BufReader, Read},
};

use flate2::bufread::MultiGzDecoder;
use time::OffsetDateTime;

use super::{
    entry::{Entry, SitemapKind},
    issue::{Findings, SitemapIssue},
    location::{Home, address, shown},
    text, xml,
};

/// The most entries that a file may have.
pub const MOST_ENTRIES: u64 = 50_000;
/// The most bytes that a file may have, uncompressed.
pub const MOST_BYTES: u64 = 52_428_800;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The result of reading a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The kind of the file.
    pub kind: SitemapKind,
    /// How many entries it has; those beyond [`MOST_ENTRIES`] are counted and not handed on.
    pub entries: u64,
    /// How many bytes were read, uncompressed.
    pub uncompressed_bytes: u64,
    /// Whether it is compressed.
    pub is_gzip: bool,
    /// Whether it was read to its end. A page that an incomplete file lacks may still exist.
    pub is_complete: bool,
    /// The newest date of its pages.
    pub newest_lastmod: Option<OffsetDateTime>,
    /// The faults that were found in it.
    pub findings: Findings,
}

/// Reads a file, compressed by gzip or not, and hands each entry on. It takes memory for one entry at a time, and eight bytes
/// for each page, by which those that stand twice are known.
///
/// Nothing that the file holds makes it fail: what can't be read is among the findings, and what was read until then counts.
/// `now` is what dates are checked against.
pub fn read(input: impl Read, home: &Home, now: OffsetDateTime, sink: &mut dyn FnMut(Entry)) -> Summary {
    let mut input = BufReader::new(input);
    let is_gzip = input
        .fill_buf()
        .is_ok_and(|start| start.starts_with(&[0x1f, 0x8b]));
    let mut book = Book::new(home, now, sink);
    let mut bounded;
    let ended = if is_gzip {
        bounded = Bounded::new(Box::new(MultiGzDecoder::new(input)) as Box<dyn Read + '_>);
        document(&mut bounded, &mut book)
    } else {
        bounded = Bounded::new(Box::new(input) as Box<dyn Read + '_>);
        document(&mut bounded, &mut book)
    };
    let mut is_complete = ended.is_ok();
    if bounded.is_over {
        book.findings.add(SitemapIssue::TooLarge, "");
        is_complete = false;
    } else if let Err(what) = ended {
        let issue = if is_gzip && bounded.has_failed {
            SitemapIssue::CompressionError
        } else {
            SitemapIssue::InvalidXml
        };
        book.findings.add(issue, &what);
    }
    book.close(bounded.read, is_gzip, is_complete)
}

fn document(input: &mut Bounded<'_>, book: &mut Book<'_>) -> Result<(), String> {
    let mut input = BufReader::new(input);
    let mut is_start = true;
    let first = loop {
        let start = input.fill_buf().map_err(|error| error.to_string())?;
        if start.is_empty() {
            return Ok(());
        }
        let mark = if is_start && start.starts_with(BOM) {
            BOM.len()
        } else {
            0
        };
        let blank = start[mark..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let first = start.get(mark + blank).copied();
        input.consume(mark + blank);
        is_start = false;
        if let Some(first) = first {
            break first;
        }
    };
    if first == b'<' {
        xml::read(input, book)
    } else {
        text::read(input, book)
    }
}

/// Reads up to [`MOST_BYTES`], and knows whether there was more.
struct Bounded<'a> {
    inner: Box<dyn Read + 'a>,
    read: u64,
    is_over: bool,
    has_failed: bool,
}

impl<'a> Bounded<'a> {
    fn new(inner: Box<dyn Read + 'a>) -> Self {
        Self {
            inner,
            read: 0,
            is_over: false,
            has_failed: false,
        }
    }
}

impl Read for Bounded<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(MOST_BYTES - self.read).unwrap_or(usize::MAX);
        if left == 0 {
            // One byte more tells whether the file ends here.
            let mut beyond = [0];
            self.is_over = self.inner.read(&mut beyond)? > 0;
            return Ok(0);
        }
        let most = into.len().min(left);
        let read = self.inner.read(&mut into[..most]);
        self.has_failed |= read.is_err();
        let read = read?;
        self.read += read as u64;
        Ok(read)
    }
}

/// Records what readers find.
pub(super) struct Book<'a> {
    pub(super) kind: SitemapKind,
    pub(super) findings: Findings,
    home: &'a Home,
    now: OffsetDateTime,
    sink: &'a mut dyn FnMut(Entry),
    entries: u64,
    newest: Option<OffsetDateTime>,
    oldest: Option<OffsetDateTime>,
    dated: u64,
    /// The hashes of addresses. By a secret of this reading, so that nobody can make two of them meet.
    seen: HashSet<u64>,
    hasher: RandomState,
}

impl<'a> Book<'a> {
    fn new(home: &'a Home, now: OffsetDateTime, sink: &'a mut dyn FnMut(Entry)) -> Self {
        Self {
            kind: SitemapKind::Unknown,
            findings: Findings::default(),
            home,
            now,
            sink,
            entries: 0,
            newest: None,
            oldest: None,
            dated: 0,
            seen: HashSet::new(),
            hasher: RandomState::new(),
        }
    }

    /// Reads the address of an entry; `None` where nothing comes of it.
    pub(super) fn location(&mut self, written: &str) -> Option<String> {
        match self.home.read(written) {
            Ok(location) => {
                for issue in location.issues {
                    self.findings.add(issue, &shown(written));
                }
                Some(location.url)
            }
            Err(issue) => {
                self.findings.add(issue, &shown(written));
                None
            }
        }
    }

    /// Reads the address of a page in another language, in the spelling of pages, so that the two are found to be one.
    pub(super) fn alternate(&mut self, written: &str) -> Option<String> {
        match address(written) {
            Ok(url) => Some(url.into()),
            Err(issue) => {
                self.findings.add(issue, &shown(written));
                None
            }
        }
    }

    /// Records the date of an entry.
    pub(super) fn date(&mut self, written: &str, read: Option<OffsetDateTime>) -> Option<OffsetDateTime> {
        let Some(date) = read else {
            self.findings.add(SitemapIssue::InvalidLastmod, written);
            return None;
        };
        if date > self.now {
            self.findings.add(SitemapIssue::LastmodInFuture, written);
        }
        self.dated += 1;
        self.newest = self.newest.max(Some(date));
        self.oldest = Some(self.oldest.map_or(date, |oldest| oldest.min(date)));
        Some(date)
    }

    /// Hands an entry on, unless there are too many.
    pub(super) fn entry(&mut self, entry: Entry) {
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            return;
        }
        let url = match &entry {
            Entry::Url(page) => &page.url,
            Entry::Child(child) => &child.url,
        };
        if !self.seen.insert(self.hasher.hash_one(url)) {
            self.findings.add(SitemapIssue::DuplicateUrl, url);
        }
        (self.sink)(entry);
    }

    fn close(mut self, uncompressed_bytes: u64, is_gzip: bool, is_complete: bool) -> Summary {
        if self.entries > MOST_ENTRIES {
            self.findings
                .add(SitemapIssue::TooManyUrls, &format!("{} entries", self.entries));
        }
        if self.entries == 0 && is_complete {
            self.findings.add(SitemapIssue::Empty, "");
        }
        if self.dated > 1 && self.dated == self.entries && self.oldest == self.newest {
            self.findings.add(SitemapIssue::AllLastmodIdentical, "");
        }
        Summary {
            kind: self.kind,
            entries: self.entries,
            uncompressed_bytes,
            is_gzip,
            is_complete,
            newest_lastmod: self.newest,
            findings: self.findings,
        }
    }
}
