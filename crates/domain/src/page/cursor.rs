//! Cursors: a position in a list, sealed for that list.

use std::fmt::Debug;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use time::{OffsetDateTime, PrimitiveDateTime};
use uuid::Uuid;

/// The first byte of a cursor: which form the rest has.
const VERSION: u8 = 2;
/// The longest cursor that is read, in characters.
const LONGEST: usize = 8_192;

/// Which list a cursor belongs to: an operation over one scope of data, with its filters and its order. A cursor of
/// another list is refused.
///
/// It is a tag of 64 bits (FNV-1a). It tells lists apart; it is no protection, since a cursor only ever names a position
/// in a list that the caller may read anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListKey(u64);

impl ListKey {
    /// `operation` is the operation's id, `scope` the domain, workspace or credential that the list is of.
    #[must_use]
    pub fn new(operation: &str, scope: Uuid) -> Self {
        Self(0xcbf2_9ce4_8422_2325)
            .and(operation.as_bytes())
            .and(scope.as_bytes())
    }

    /// The list by a parameter: a filter, or an order. Those of a request are in the order of their names.
    #[must_use]
    pub fn by(self, name: &str, value: &str) -> Self {
        self.and(name.as_bytes()).and(value.as_bytes())
    }

    /// Each part ends, so that no two lists have the same parts in a row.
    fn and(self, part: &[u8]) -> Self {
        let length = part.len().to_be_bytes();
        let bytes = part.iter().chain(&length);
        Self(bytes.fold(self.0, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }
}

/// A position in a list: the last item of a page, by what the list is ordered by and by what breaks ties. A list of
/// checks is in the order of their time, then their id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<K = OffsetDateTime, I = Uuid> {
    /// The item's value in the list's order.
    pub key: K,
    /// Breaks ties: unique among items of the same key.
    pub id: I,
}

impl Position {
    /// Where a list begins whose newest item is the first.
    pub const START: Self = Self {
        key: PrimitiveDateTime::MAX.assume_utc(),
        id: Uuid::max(),
    };
}

impl<K: CursorPart, I: CursorPart> Position<K, I> {
    /// The opaque cursor: base64url of version, list, key and id.
    #[must_use]
    pub fn seal(&self, list: &ListKey) -> String {
        let mut bytes = vec![VERSION];
        bytes.extend(list.0.to_be_bytes());
        self.key.write(&mut bytes);
        self.id.write(&mut bytes);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a cursor that [`Position::seal`] made for this list.
    #[must_use]
    pub fn open(cursor: &str, list: &ListKey) -> Option<Self> {
        if cursor.len() > LONGEST {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let mut rest = bytes.as_slice();
        if take::<1>(&mut rest)? != [VERSION] || take(&mut rest)? != list.0.to_be_bytes() {
            return None;
        }
        let position = Self {
            key: K::read(&mut rest)?,
            id: I::read(&mut rest)?,
        };
        rest.is_empty().then_some(position)
    }
}

/// A value that lists are ordered by. Each kind begins with a byte of its own: the cursor of a list that was ordered
/// by something else before an upgrade is refused.
pub trait CursorPart: Clone + Debug + Send + Sync + 'static {
    /// Appends the value.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Takes the value from the front; `None` where there is none, or none that could be stored.
    fn read(bytes: &mut &[u8]) -> Option<Self>;
}

/// To the microsecond.
impl CursorPart for OffsetDateTime {
    fn write(&self, bytes: &mut Vec<u8>) {
        let micros = i64::try_from(self.unix_timestamp_nanos() / 1_000).unwrap_or(i64::MAX);
        bytes.push(b't');
        bytes.extend(micros.to_be_bytes());
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let micros = i64::from_be_bytes(marked(bytes, b't')?);
        let at = Self::from_unix_timestamp_nanos(i128::from(micros) * 1_000).ok()?;
        // No other year can be written, nor kept by PostgreSQL.
        (0..=9_999).contains(&at.year()).then_some(at)
    }
}

impl CursorPart for i64 {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(b'i');
        bytes.extend(self.to_be_bytes());
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        marked(bytes, b'i').map(Self::from_be_bytes)
    }
}

impl CursorPart for f64 {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(b'f');
        bytes.extend(self.to_be_bytes());
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        marked(bytes, b'f')
            .map(Self::from_be_bytes)
            .filter(|number| number.is_finite())
    }
}

impl CursorPart for Uuid {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(b'u');
        bytes.extend(self.as_bytes());
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        marked(bytes, b'u').map(Self::from_bytes)
    }
}

/// At most some 6,000 bytes: a longer text makes a cursor that is not read again. Groups bound whatever they order by
/// well below that.
impl CursorPart for String {
    fn write(&self, bytes: &mut Vec<u8>) {
        let length = u16::try_from(self.len()).unwrap_or(u16::MAX);
        bytes.push(b's');
        bytes.extend(length.to_be_bytes());
        bytes.extend(self.bytes());
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let length = u16::from_be_bytes(marked(bytes, b's')?);
        let (text, rest) = bytes.split_at_checked(length.into())?;
        *bytes = rest;
        let text = std::str::from_utf8(text).ok()?;
        // PostgreSQL keeps no NUL.
        (!text.contains('\0')).then(|| text.to_owned())
    }
}

/// A key that may be null. Nulls come last, whatever the order.
impl<K: CursorPart> CursorPart for Option<K> {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self.is_some()));
        if let Some(key) = self {
            key.write(bytes);
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        match take(bytes)? {
            [0] => Some(None),
            [1] => K::read(bytes).map(Some),
            _ => None,
        }
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (front, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*front)
}

fn marked<const N: usize>(bytes: &mut &[u8], kind: u8) -> Option<[u8; N]> {
    (take(bytes)? == [kind]).then(|| take(bytes))?
}

#[cfg(test)]
mod tests;
