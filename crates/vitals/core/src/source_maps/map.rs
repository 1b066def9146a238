//! One source map: reading it, and looking a place up in it.

use std::io;

use sourcemap::DecodedMap;

use super::outline::{MOST_OFFSET, MOST_ROOTS, MOST_TEXT, Outline};

/// How large a file is, at most, in bytes. Most of one is the sources themselves.
pub const MOST_FILE_BYTES: u64 = 32 * 1024 * 1024;
/// How large a map is without the sources, at most, in bytes.
pub const MOST_BYTES: usize = 8 * 1024 * 1024;

/// Why a file is no source map that can be kept.
#[derive(Debug, thiserror::Error)]
pub enum MapFault {
    /// It is not named after a script.
    #[error("it is not named after its script, as cart.js.map is")]
    Name,
    /// It is too large.
    #[error("it has {0} bytes, and {most} is the most that is read", most = MOST_FILE_BYTES)]
    TooLarge(u64),
    /// It is too large even without the sources.
    #[error("it has more than {most} bytes without the sources, the most that is kept", most = MOST_BYTES)]
    TooMuch,
    /// It has a text that is too long.
    #[error("{0} has more than {most} bytes, the most that is read", most = MOST_TEXT)]
    Long(&'static str),
    /// The root of its sources is repeated too often.
    #[error("its sourceRoot, which stands before each source, comes to more than {most} bytes so", most = MOST_ROOTS)]
    Roots,
    /// One of its sections is nowhere in a script.
    #[error("a section of it begins after line or column {most}, and no script is that long", most = MOST_OFFSET)]
    Offset,
    /// Its sections have sections.
    #[error("a section of it has sections itself")]
    Nested,
    /// It is none.
    #[error("it is no source map: {0}")]
    Unread(#[source] sourcemap::Error),
    /// It names no place in any source.
    #[error("it is empty: no place of the script is in it")]
    Empty,
    /// It is of another script.
    #[error("it says that it is of {said}, and its name that it is of {name}")]
    AnotherScript {
        /// The script that it names.
        said: String,
        /// The script that its file is named after.
        name: String,
    },
}

/// A source map.
#[derive(Debug)]
pub struct SourceMap(sourcemap::SourceMap);

/// A place in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The source, as the map names it.
    pub source: &'a str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The name that stands there, such as that of a function that is called; `None`: the map has none.
    pub name: Option<&'a str>,
}

impl SourceMap {
    /// The map that a file holds. One in sections is put together.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(file: &[u8]) -> Result<Self, MapFault> {
        let length = u64::try_from(file.len()).unwrap_or(u64::MAX);
        if length > MOST_FILE_BYTES {
            return Err(MapFault::TooLarge(length));
        }
        let outline = Outline::read(file).map_err(|error| MapFault::Unread(error.into()))?;
        outline.check()?;
        let map = match sourcemap::decode_slice(file).map_err(MapFault::Unread)? {
            DecodedMap::Regular(map) => map,
            DecodedMap::Index(sections) => sections.flatten().map_err(MapFault::Unread)?,
            DecodedMap::Hermes(_) => {
                return Err(MapFault::Unread(sourcemap::Error::IncompatibleSourceMap));
            }
        };
        if map.get_source_count() == 0 || map.get_token_count() == 0 {
            return Err(MapFault::Empty);
        }
        Ok(Self(map))
    }

    /// The name of the script, without its path; `None`: it does not say.
    #[must_use]
    pub fn script(&self) -> Option<&str> {
        let name = self.0.get_file()?.rsplit('/').next()?;
        (!name.is_empty()).then_some(name)
    }

    /// How many sources the script was made of.
    #[must_use]
    pub fn sources(&self) -> u32 {
        self.0.get_source_count()
    }

    /// The map as it is kept: without the sources themselves, which nobody is shown.
    ///
    /// # Errors
    /// It is too large even so.
    pub fn without_sources(mut self) -> Result<Vec<u8>, MapFault> {
        for source in 0..self.0.get_source_count() {
            self.0.set_source_contents(source, None);
        }
        let mut kept = Kept::default();
        match self.0.to_writer(&mut kept) {
            Ok(()) => Ok(kept.map),
            Err(_) if kept.is_full => Err(MapFault::TooMuch),
            Err(error) => Err(MapFault::Unread(error)),
        }
    }

    /// Where a place of the script comes from, by its line and column from 1; `None`: the map does not know that place, as one of
    /// another script does not.
    #[must_use]
    pub fn origin(&self, line: u32, column: u32) -> Option<Origin<'_>> {
        let (line, column) = (line.checked_sub(1)?, column.checked_sub(1)?);
        let token = self.0.lookup_token(line, column)?;
        // The nearest place before may lie on a line before, and says nothing of this one.
        if token.get_dst_line() != line {
            return None;
        }
        Some(Origin {
            source: token.get_source()?,
            line: token.get_src_line().checked_add(1)?,
            column: token.get_src_col().checked_add(1)?,
            name: token.get_name().filter(|name| !name.is_empty()),
        })
    }
}

/// Takes as much as is kept of a map, and fails where there is more.
#[derive(Default)]
struct Kept {
    map: Vec<u8>,
    is_full: bool,
}

impl io::Write for Kept {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        self.is_full |= more.len() > MOST_BYTES - self.map.len();
        if self.is_full {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.map.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::slice;

    use super::*;

    /// The map of `var x=1;if(x==2)alert(x)` in one line. Its places, computed by hand from the digits of its mappings,
    /// columns from 0: 0 → 0:0, 3 → 0:4 (x), 6 → 0:8, 8 → 1:0, 12 → 1:4 (x), 15 → 1:9, 17 → 1:12, 18 → 2:2 (alert), 24 → 2:8.
    pub(in crate::source_maps) const MAP: &str = r#"{"version":3,"file":"app.js","sources":["../src/app.ts"],"sourcesContent":["secret words"],"names":["x","alert"],"mappings":"AAAA,GAAIA,GAAI,EACR,IAAIA,GAAK,EAAG,CACVC,MAAM"}"#;

    fn map() -> SourceMap {
        SourceMap::read(MAP.as_bytes()).unwrap()
    }

    #[test]
    fn places_are_those_that_were_worked_out_by_hand() {
        let place = |line, column, name| {
            Some(Origin {
                source: "../src/app.ts",
                line,
                column,
                name,
            })
        };
        let map = map();
        assert_eq!(map.origin(1, 1), place(1, 1, None));
        assert_eq!(map.origin(1, 4), place(1, 5, Some("x")));
        assert_eq!(map.origin(1, 13), place(2, 5, Some("x")));
        assert_eq!(map.origin(1, 19), place(3, 3, Some("alert")));
        assert_eq!(map.origin(1, 21), place(3, 3, Some("alert")), "within it");
        assert_eq!(map.origin(2, 1), None, "the script has one line");
        assert_eq!(
            (map.origin(0, 4), map.origin(1, 0)),
            (None, None),
            "there is no such place"
        );
    }

    #[test]
    fn the_sources_themselves_are_not_kept() {
        let kept = map().without_sources().unwrap();
        assert!(!String::from_utf8(kept.clone()).unwrap().contains("secret words"));
        let again = SourceMap::read(&kept).unwrap();
        assert_eq!(again.origin(1, 19), map().origin(1, 19));
    }

    #[test]
    fn sections_are_put_together() {
        let sections =
            format!(r#"{{"version":3,"sections":[{{"offset":{{"line":2,"column":0}},"map":{MAP}}}]}}"#);
        let map = SourceMap::read(sections.as_bytes()).unwrap();
        assert_eq!(map.origin(3, 19).map(|origin| origin.line), Some(3));
        assert_eq!(map.origin(1, 19), None);
    }

    #[test]
    fn what_is_no_map_is_refused() {
        for (text, words) in [
            ("", "no source map"),
            ("<html>", "no source map"),
            ("{\"version\":3}", "empty"),
            (
                r#"{"version":3,"sources":["a"],"names":[],"mappings":""}"#,
                "empty",
            ),
            (
                r#"{"version":3,"sources":["a"],"names":[],"mappings":"AAAA,ACAA"}"#,
                "no source map",
            ),
            (
                r#"{"version":3,"sources":["a"],"names":[],"mappings":"!"}"#,
                "no source map",
            ),
        ] {
            let refused = SourceMap::read(text.as_bytes()).unwrap_err().to_string();
            assert!(refused.contains(words), "{text}: {refused}");
        }
        let long = vec![b' '; usize::try_from(MOST_FILE_BYTES).unwrap() + 1];
        assert!(matches!(SourceMap::read(&long), Err(MapFault::TooLarge(_))));
    }

    #[test]
    fn what_becomes_too_large_is_refused_before_it_is_decoded() {
        let of = |root: &str, sources: &[String], name: &str, mappings: &str| {
            serde_json::json!({
                "version": 3, "sourceRoot": root, "sources": sources, "names": [name, 7], "mappings": mappings,
            })
        };
        let in_section = |map: &serde_json::Value, line: u32, column: u32| {
            serde_json::json!({
                "version": 3, "sections": [{ "offset": { "line": line, "column": column }, "map": map }],
            })
        };
        let one = ["a".to_owned()];
        let fine = of("/src", &one, "b", "AAAA");
        assert!(SourceMap::read(fine.to_string().as_bytes()).is_ok());
        assert!(SourceMap::read(format!(")]}}'\n{fine}").as_bytes()).is_ok());
        let long = "x".repeat(MOST_TEXT + 1);
        let roots = of(&"x".repeat(MOST_TEXT), &vec!["a".to_owned(); 9_000], "b", "AAAA");
        for (map, words) in [
            (
                of(&long, &one, "b", "AAAA"),
                "the root of its sources has more than 2000 bytes",
            ),
            (
                of("", slice::from_ref(&long), "b", "AAAA"),
                "a source has more than",
            ),
            (of("", &one, &long, "AAAA"), "a name has more than"),
            (
                of("", &one, "b", &"A,".repeat(MOST_BYTES / 2)),
                "without the sources",
            ),
            (in_section(&roots, 0, 0), "its sourceRoot"),
            (roots, "its sourceRoot"),
            (
                in_section(&fine, 4_000_000_000, 0),
                "begins after line or column 1000000",
            ),
            (
                in_section(&fine, 0, 4_000_000_000),
                "begins after line or column 1000000",
            ),
            (in_section(&in_section(&fine, 0, 0), 0, 0), "sections itself"),
        ] {
            let refused = SourceMap::read(map.to_string().as_bytes())
                .unwrap_err()
                .to_string();
            assert!(refused.contains(words), "{words}: {refused}");
        }
    }

    #[test]
    fn no_more_is_written_than_is_kept() {
        use std::io::Write;
        let mut kept = Kept::default();
        kept.write_all(&vec![0; MOST_BYTES]).unwrap();
        assert!(!kept.is_full);
        assert!(kept.write_all(b"1").is_err());
        assert!(kept.is_full);
    }

    proptest::proptest! {
        #[test]
        fn no_mappings_make_it_fail(mappings in "[A-Za-z0-9+/,;]{0,60}", line in 0_u32..9, column in 0_u32..99) {
            let text = format!(r#"{{"version":3,"sources":["a","b"],"names":["c"],"mappings":"{mappings}"}}"#);
            if let Ok(map) = SourceMap::read(text.as_bytes()) {
                let _ = map.origin(line, column);
            }
        }
    }
}
