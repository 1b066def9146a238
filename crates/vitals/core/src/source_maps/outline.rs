//! The outline of a source map, which is checked against bounds before anything is decoded: a decoded map can be thousands of
//! times larger than its file.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};

use super::map::{MOST_BYTES, MapFault};

/// How long a source, a name and the root of sources are, at most, in bytes.
pub(super) const MOST_TEXT: usize = 2_000;
/// How much the root of sources comes to, at most, in bytes, once it stands before each source.
pub(super) const MOST_ROOTS: usize = 16 * 1024 * 1024;
/// How far into the script a section begins, at most, in lines and in columns.
pub(super) const MOST_OFFSET: u32 = 1_000_000;

/// The members of a map that tell how large it becomes.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outline {
    #[serde(default)]
    source_root: Option<Length>,
    #[serde(default)]
    sources: Option<Texts>,
    #[serde(default)]
    names: Option<Texts>,
    #[serde(default)]
    mappings: Option<Length>,
    #[serde(default)]
    range_mappings: Option<Length>,
    #[serde(default)]
    sections: Option<Vec<Section>>,
}

#[derive(Debug, Deserialize)]
struct Section {
    offset: Offset,
    #[serde(default)]
    map: Option<Box<Outline>>,
}

#[derive(Debug, Deserialize)]
struct Offset {
    line: u32,
    column: u32,
}

impl Outline {
    /// The outline of the map that a file holds.
    ///
    /// # Errors
    /// It is no map.
    pub(super) fn read(file: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(without_guard(file))
    }

    /// Refuses what becomes too large once it is decoded.
    ///
    /// # Errors
    /// The part that is too large.
    pub(super) fn check(&self) -> Result<(), MapFault> {
        let mut size = Size::default();
        self.measure(&mut size)?;
        for section in self.sections.iter().flatten() {
            if section.offset.line.max(section.offset.column) > MOST_OFFSET {
                return Err(MapFault::Offset);
            }
            let Some(map) = &section.map else { continue };
            if map.sections.is_some() {
                return Err(MapFault::Nested);
            }
            map.measure(&mut size)?;
        }
        if size.roots > MOST_ROOTS {
            Err(MapFault::Roots)
        } else if size.kept > MOST_BYTES {
            Err(MapFault::TooMuch)
        } else {
            Ok(())
        }
    }

    /// Adds what this map alone comes to, without its sections.
    fn measure(&self, size: &mut Size) -> Result<(), MapFault> {
        let Self {
            source_root,
            sources,
            names,
            mappings,
            range_mappings,
            sections: _,
        } = self;
        let length = |text: &Option<Length>| text.as_ref().map_or(0, |text| text.0);
        let root = length(source_root);
        let (sources, names) = (
            sources.as_ref().unwrap_or(&Texts::NONE),
            names.as_ref().unwrap_or(&Texts::NONE),
        );
        for (what, longest) in [
            ("the root of its sources", root),
            ("a source", sources.longest),
            ("a name", names.longest),
        ] {
            if longest > MOST_TEXT {
                return Err(MapFault::Long(what));
            }
        }
        size.roots = size.roots.saturating_add(root.saturating_mul(sources.count));
        for more in [
            sources.written,
            names.written,
            length(mappings),
            length(range_mappings),
        ] {
            size.kept = size.kept.saturating_add(more);
        }
        Ok(())
    }
}

/// The size of a map with its sections, in bytes.
#[derive(Default)]
struct Size {
    /// The roots, one before each source.
    roots: usize,
    /// The part of it that is kept.
    kept: usize,
}

/// How long a text is, in bytes. Maps have numbers among their names, too.
#[derive(Debug)]
struct Length(usize);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct AText;

        impl Visitor<'_> for AText {
            type Value = Length;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_str<E>(self, text: &str) -> Result<Length, E> {
                Ok(Length(text.len()))
            }

            fn visit_u64<E>(self, _: u64) -> Result<Length, E> {
                Ok(Length(0))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Length, E> {
                Ok(Length(0))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Length, E> {
                Ok(Length(0))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Length, E> {
                Ok(Length(0))
            }

            fn visit_unit<E>(self) -> Result<Length, E> {
                Ok(Length(0))
            }
        }

        from.deserialize_any(AText)
    }
}

/// Some texts, of which nothing is held but this.
#[derive(Debug)]
struct Texts {
    count: usize,
    longest: usize,
    /// How long they are together, with their quotes and commas.
    written: usize,
}

impl Texts {
    const NONE: Self = Self {
        count: 0,
        longest: 0,
        written: 0,
    };
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct List;

        impl<'de> Visitor<'de> for List {
            type Value = Texts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of texts")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Texts, A::Error> {
                let mut texts = Texts::NONE;
                while let Some(Length(length)) = list.next_element()? {
                    texts.count += 1;
                    texts.longest = texts.longest.max(length);
                    texts.written += length + r#""","#.len();
                }
                Ok(texts)
            }
        }

        from.deserialize_seq(List)
    }
}

/// The file without the line before its map that keeps browsers from running it, such as `)]}'`.
fn without_guard(file: &[u8]) -> &[u8] {
    if !matches!(file.first(), Some(b')' | b']' | b'}' | b'\'')) {
        return file;
    }
    let end = file.iter().position(|byte| *byte == b'\n');
    end.and_then(|end| file.get(end..)).unwrap_or_default()
}
