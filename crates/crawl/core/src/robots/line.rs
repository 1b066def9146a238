//! The lines of a robots.txt: where they end, how long they may be, and what is key and value.

use std::borrow::Cow;

/// How much of a file is read: 500 KiB, the least that RFC 9309 (section 2.5) asks of a crawler, and what Google reads.
pub const READ_BYTES: usize = 500 * 1024;

/// How much of a line is read. Google's parser cuts at eight times the longest URL that Internet Explorer took.
pub const LINE_BYTES: usize = 2_083 * 8;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// A line of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its number; the first is 1.
    pub number: u32,
    /// Its bytes without the line end, cut at [`LINE_BYTES`].
    pub bytes: &'a [u8],
    /// Whether it was longer than [`LINE_BYTES`].
    pub is_cut: bool,
}

/// A file without the mark of its byte order, and whether it had one. A mark that lost its end is one too, as it is to
/// Google's parser.
#[must_use]
pub fn without_bom(bytes: &[u8]) -> (&[u8], bool) {
    let of_mark = bytes
        .iter()
        .zip(BOM)
        .take_while(|(byte, mark)| byte == mark)
        .count();
    (&bytes[of_mark..], of_mark > 0)
}

/// The lines of the text. Lines end with LF, CR or CRLF.
pub fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(text);
    let mut number = 0;
    std::iter::from_fn(move || {
        let text = rest?;
        let (line, after) = match memchr::memchr2(b'\n', b'\r', text) {
            Some(at) => {
                let is_crlf = text[at..].starts_with(b"\r\n");
                (&text[..at], Some(&text[at + 1 + usize::from(is_crlf)..]))
            }
            None => (text, None),
        };
        rest = after;
        number += 1;
        Some(Line {
            number,
            bytes: &line[..line.len().min(LINE_BYTES)],
            is_cut: line.len() > LINE_BYTES,
        })
    })
}

/// Key and value of a line, trimmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair<'a> {
    /// The text before the colon.
    pub key: Cow<'a, str>,
    /// The text after it.
    pub value: &'a [u8],
    /// Whether white space stood where the colon belongs.
    pub lacks_colon: bool,
}

/// The content of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said<'a> {
    /// Nothing: the line is empty or a comment.
    Nothing,
    /// A key and its value.
    Pair(Pair<'a>),
    /// Something without a colon that is no pair of words either.
    Words(&'a [u8]),
}

impl<'a> Line<'a> {
    /// Reads the line, without its comment.
    ///
    /// Google's parser takes white space for the colon where there are exactly two words, and so does this.
    #[must_use]
    pub fn said(&self) -> Said<'a> {
        let end = memchr::memchr(b'#', self.bytes).unwrap_or(self.bytes.len());
        let text = self.bytes[..end].trim_ascii();
        if text.is_empty() {
            return Said::Nothing;
        }
        let pair = |key: &'a [u8], value: &'a [u8], lacks_colon| {
            Said::Pair(Pair {
                key: String::from_utf8_lossy(key.trim_ascii()),
                value: value.trim_ascii(),
                lacks_colon,
            })
        };
        if let Some(at) = memchr::memchr(b':', text) {
            return pair(&text[..at], &text[at + 1..], false);
        }
        let Some(at) = memchr::memchr2(b' ', b'\t', text) else {
            return Said::Words(text);
        };
        let value = text[at..].trim_ascii();
        if memchr::memchr2(b' ', b'\t', value).is_some() {
            return Said::Words(text);
        }
        pair(&text[..at], value, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(text: &[u8]) -> Vec<(u32, &[u8])> {
        lines(text).map(|line| (line.number, line.bytes)).collect()
    }

    #[test]
    fn lines_end_with_lf_cr_or_crlf() {
        let expected: Vec<(u32, &[u8])> = vec![(1, b"a"), (2, b"b"), (3, b"c"), (4, b""), (5, b"d")];
        assert_eq!(numbered(b"a\nb\rc\r\n\r\nd"), expected);
        assert_eq!(numbered(b""), [(1, &b""[..])]);
    }

    #[test]
    fn a_line_is_cut() {
        let long = vec![b'x'; LINE_BYTES + 1];
        let line = lines(&long).next().map(|line| (line.bytes.len(), line.is_cut));
        assert_eq!(line, Some((LINE_BYTES, true)));
        let line = lines(&long[1..])
            .next()
            .map(|line| (line.bytes.len(), line.is_cut));
        assert_eq!(line, Some((LINE_BYTES, false)));
    }

    #[test]
    fn a_colon_may_be_missing_between_two_words() {
        let said = |text: &'static str| {
            let line = lines(text.as_bytes()).next();
            match line.map(|line| line.said()) {
                Some(Said::Pair(pair)) => Some((
                    pair.key.into_owned(),
                    String::from_utf8_lossy(pair.value).into_owned(),
                    pair.lacks_colon,
                )),
                _ => None,
            }
        };
        let pair = |key: &str, value: &str, lacks| Some((key.to_owned(), value.to_owned(), lacks));
        assert_eq!(said(" Disallow : /a b # why"), pair("Disallow", "/a b", false));
        assert_eq!(said("user-agent\tFooBot"), pair("user-agent", "FooBot", true));
        assert_eq!(said("disallow /a /b"), None);
        assert_eq!(said("nonsense"), None);
        assert_eq!(said(" # only a comment"), None);
        assert_eq!(
            said("Sitemap: https://x.example/a"),
            pair("Sitemap", "https://x.example/a", false)
        );
    }
}
