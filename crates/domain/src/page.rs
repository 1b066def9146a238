//! The page envelope of lists, and cursors.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use time::{OffsetDateTime, PrimitiveDateTime};
use uuid::Uuid;

/// A page of a list.
#[derive(Clone, Debug, Serialize)]
pub struct Page<T> {
    /// The page.
    pub items: Vec<T>,
    /// Opaque. Pass it back verbatim as `cursor` for the next page; null on the last.
    pub next_cursor: Option<String>,
    /// Whether there is a next page.
    pub has_more: bool,
}

/// Which page a caller asks for.
#[derive(Clone, Debug)]
pub struct PageRequest {
    /// At most this many items.
    pub limit: usize,
    /// The items after this position; `None` for the first page.
    pub after: Option<CursorKey>,
    /// The list that the page is cut from.
    pub list: ListKey,
}

impl<T> Page<T> {
    /// The only page of a list.
    #[must_use]
    pub fn single(items: Vec<T>) -> Self {
        Self {
            items,
            next_cursor: None,
            has_more: false,
        }
    }

    /// The page cut from `items`, of which there is one more than asked for where a next page exists.
    /// `key` is the sort key of an item.
    #[must_use]
    pub fn cut(mut items: Vec<T>, page: &PageRequest, key: impl FnOnce(&T) -> CursorKey) -> Self {
        let has_more = items.len() > page.limit;
        items.truncate(page.limit);
        let next_cursor = if has_more {
            items.last().map(|last| key(last).seal(&page.list))
        } else {
            None
        };
        Self {
            items,
            next_cursor,
            has_more,
        }
    }

    /// The page with each item turned into another.
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(turn).collect(),
            next_cursor: self.next_cursor,
            has_more: self.has_more,
        }
    }
}

/// Written by hand, so that a page of `DomainSummary` is called `DomainSummaryPage`.
#[cfg(feature = "openapi")]
impl<T: utoipa::ToSchema> utoipa::PartialSchema for Page<T> {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Ref, SchemaType, Type};
        ObjectBuilder::new()
            .property(
                "items",
                ArrayBuilder::new()
                    .items(Ref::from_schema_name(T::name()))
                    .description(Some("The page.")),
            )
            .required("items")
            .property(
                "next_cursor",
                ObjectBuilder::new()
                    .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
                    .description(Some(
                        "Opaque. Pass it back verbatim as `cursor` for the next page; null on the last.",
                    )),
            )
            .required("next_cursor")
            .property(
                "has_more",
                ObjectBuilder::new()
                    .schema_type(Type::Boolean)
                    .description(Some("Whether there is a next page. Keep paging while true.")),
            )
            .required("has_more")
            .into()
    }
}

#[cfg(feature = "openapi")]
impl<T: utoipa::ToSchema> utoipa::ToSchema for Page<T> {
    fn name() -> std::borrow::Cow<'static, str> {
        format!("{}Page", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(schemas);
    }
}

/// Which list a cursor belongs to: an operation over one scope of data. A cursor of another list is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListKey {
    operation: &'static str,
    scope: Uuid,
    within: Option<Uuid>,
}

impl ListKey {
    /// `operation` is the operation's id, `scope` the domain, workspace or credential that the list is of.
    #[must_use]
    pub const fn new(operation: &'static str, scope: Uuid) -> Self {
        Self {
            operation,
            scope,
            within: None,
        }
    }

    /// The list narrowed to what a parameter names.
    #[must_use]
    pub const fn within(mut self, narrowed: Option<Uuid>) -> Self {
        self.within = narrowed;
        self
    }

    /// A tag of 32 bits (FNV-1a). It tells lists apart; it is no protection, since a cursor only ever
    /// names a position in a list that the caller may read anyway.
    fn tag(&self) -> [u8; 4] {
        let narrowed = self.within.map(Uuid::into_bytes).into_iter().flatten();
        let bytes = self
            .operation
            .bytes()
            .chain(self.scope.into_bytes())
            .chain(narrowed);
        let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        hash.to_be_bytes()
    }
}

/// A position in a list that is ordered by time, then id, newest first: the last item of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CursorKey {
    /// The item's time, to the microsecond.
    pub at: OffsetDateTime,
    /// The item's id, which breaks ties.
    pub id: Uuid,
}

const VERSION: u8 = 1;
const LENGTH: usize = 1 + 4 + 8 + 16;

impl CursorKey {
    /// Before everything: where a list begins.
    pub const START: Self = Self {
        at: PrimitiveDateTime::MAX.assume_utc(),
        id: Uuid::max(),
    };

    /// The opaque cursor: base64url of version, list tag, microseconds and id.
    #[must_use]
    pub fn seal(&self, list: &ListKey) -> String {
        let micros = i64::try_from(self.at.unix_timestamp_nanos() / 1_000).unwrap_or(i64::MAX);
        let mut bytes = Vec::with_capacity(LENGTH);
        bytes.push(VERSION);
        bytes.extend(list.tag());
        bytes.extend(micros.to_be_bytes());
        bytes.extend(self.id.into_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a cursor that [`CursorKey::seal`] made for this list.
    #[must_use]
    pub fn open(cursor: &str, list: &ListKey) -> Option<Self> {
        let bytes: [u8; LENGTH] = URL_SAFE_NO_PAD.decode(cursor).ok()?.try_into().ok()?;
        let (head, rest) = bytes.split_first_chunk::<5>()?;
        let (micros, id) = rest.split_first_chunk::<8>()?;
        if head[0] != VERSION || head[1..] != list.tag() {
            return None;
        }
        let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(i64::from_be_bytes(*micros)) * 1_000)
            .ok()?;
        // No other year can be written, nor kept by PostgreSQL.
        if !(0..=9_999).contains(&at.year()) {
            return None;
        }
        Some(Self {
            at,
            id: Uuid::from_slice(id).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_cursor_opens_only_on_the_list_that_it_was_made_for() {
        let list = ListKey::new("listUptimeChecks", Uuid::from_u128(7));
        let key = CursorKey {
            at: datetime!(2026-03-31 09:15:00.123456 UTC),
            id: Uuid::from_u128(42),
        };
        let cursor = key.seal(&list);
        assert_eq!(CursorKey::open(&cursor, &list), Some(key));
        assert_eq!(
            CursorKey::open(&cursor, &ListKey::new("listUptimeChecks", Uuid::from_u128(8))),
            None
        );
        assert_eq!(
            CursorKey::open(&cursor, &ListKey::new("listUptimeIncidents", Uuid::from_u128(7))),
            None
        );
        for bad in ["", "x", "====", &cursor[1..], &format!("{cursor}A")] {
            assert_eq!(CursorKey::open(bad, &list), None, "{bad}");
        }
    }

    #[test]
    fn a_cursor_of_a_year_that_cannot_be_written_is_refused() {
        let list = ListKey::new("listUptimeChecks", Uuid::from_u128(7));
        let open = |at| {
            let key = CursorKey { at, id: Uuid::nil() };
            CursorKey::open(&key.seal(&list), &list)
        };
        assert_eq!(open(datetime!(-0001-12-31 23:59:59 UTC)), None);
        assert_eq!(open(datetime!(-9999-01-01 00:00 UTC)), None);
        assert!(open(datetime!(0000-01-01 00:00 UTC)).is_some());
        assert!(open(datetime!(9999-12-31 23:59:59 UTC)).is_some());
    }

    #[test]
    fn a_page_says_whether_more_follows() {
        let list = ListKey::new("listUptimeChecks", Uuid::nil());
        let page = PageRequest {
            limit: 2,
            after: None,
            list,
        };
        let key = |_: &i32| CursorKey {
            at: OffsetDateTime::UNIX_EPOCH,
            id: Uuid::nil(),
        };
        let full = Page::cut(vec![1, 2, 3], &page, key);
        assert_eq!(
            (full.items.len(), full.has_more, full.next_cursor.is_some()),
            (2, true, true)
        );
        let last = Page::cut(vec![1, 2], &page, key);
        assert_eq!(
            (last.items.len(), last.has_more, last.next_cursor),
            (2, false, None)
        );
    }
}
