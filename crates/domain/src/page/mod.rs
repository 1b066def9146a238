//! Pages of lists: which one a caller asks for, and the envelope that it is answered in.

mod cursor;
#[cfg(feature = "openapi")]
mod schema;

use std::marker::PhantomData;

use serde::{Serialize, Serializer, ser::SerializeMap};
use time::OffsetDateTime;
use uuid::Uuid;

pub use self::cursor::{CursorPart, ListKey, Position};
use crate::{window::Meta, wire_enum};

/// A page of a list. `X` are the further members of its root.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page<T, X = Plain> {
    /// The items of this page, in the list's order.
    pub items: Vec<T>,
    /// Opaque. Pass it back verbatim as `cursor` for the next page; null on the last.
    pub next_cursor: Option<String>,
    /// Whether there is a next page.
    pub has_more: bool,
    /// Members of the list's own, beside those that every page has.
    #[serde(flatten)]
    pub extra: X,
}

/// A page of a list that is paged by offset, with how many items there are in all, to the last one. `N` is what that
/// number is called, `X` are the further members of its root.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound(serialize = "T: Serialize, N: TotalName, X: Serialize"))]
pub struct OffsetPage<T, N, X = Plain> {
    /// The items of this page, in the list's order.
    pub items: Vec<T>,
    /// How many items there are.
    #[serde(flatten)]
    pub total: Total<N>,
    /// How many items a page has at most.
    pub limit: u32,
    /// How many items were skipped.
    pub offset: i64,
    /// Members of the list's own, beside those that every page has.
    #[serde(flatten)]
    pub extra: X,
}

/// The name of the member that holds a list's total.
pub trait TotalName: 'static {
    /// The member's name, such as `total_queries`.
    const NAME: &'static str;
    /// Why it is null at times, as words behind "null"; `None`: it never is.
    const NULL: Option<&'static str> = None;
}

/// How many items a list has, to the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Total<N> {
    /// All items of the list, those of other pages included; `None`: that can't be known.
    pub count: Option<u64>,
    name: PhantomData<fn() -> N>,
}

impl<N: TotalName> Serialize for Total<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(N::NAME, &self.count)?;
        map.end()
    }
}

/// No further members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Plain {}

/// The window of a list whose root says nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Windowed {
    /// The window in force, which the figures are of.
    pub meta: Meta,
}

wire_enum! {
    /// The order of a list.
    SortOrder {
        /// The least first.
        Ascending = "asc",
        /// The greatest first.
        Descending = "desc",
    }
}

/// Which page a caller asks for of a list that is paged by cursor: one whose items are in the order of `K`, and where that
/// is the same, of `I`.
#[derive(Clone, Debug)]
pub struct PageRequest<K = OffsetDateTime, I = Uuid> {
    /// At most this many items.
    pub limit: usize,
    /// The items after this position; `None` for the first page.
    pub after: Option<Position<K, I>>,
    /// The list that the page is cut from.
    pub list: ListKey,
}

impl<K, I> PageRequest<K, I> {
    /// The first page of a list.
    #[must_use]
    pub const fn first(list: ListKey, limit: usize) -> Self {
        Self {
            limit,
            after: None,
            list,
        }
    }

    /// How many rows to read: one more says whether there is another page.
    #[must_use]
    pub fn rows(&self) -> i64 {
        i64::try_from(self.limit).map_or(i64::MAX, |limit| limit.saturating_add(1))
    }
}

/// Which page a caller asks for of a list that is paged by offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetRequest {
    /// At most this many items.
    pub limit: u32,
    /// How many items to skip. PostgreSQL can count them.
    pub offset: i64,
}

impl<T> Page<T> {
    /// The only page of a list.
    #[must_use]
    pub fn single(items: Vec<T>) -> Self {
        Self {
            items,
            next_cursor: None,
            has_more: false,
            extra: Plain {},
        }
    }

    /// The page cut from `items`, of which there is one more than asked for where a next page exists.
    /// `position` is where an item stands in the list.
    #[must_use]
    pub fn cut<K: CursorPart, I: CursorPart>(
        items: Vec<T>,
        page: &PageRequest<K, I>,
        position: impl FnOnce(&T) -> Position<K, I>,
    ) -> Self {
        Self::cut_within(items, page, usize::MAX, |_| 0, position)
    }

    /// The same, with no more items than have `most` bytes together, and one at least: the list goes on behind them.
    #[must_use]
    pub fn cut_within<K: CursorPart, I: CursorPart>(
        mut items: Vec<T>,
        page: &PageRequest<K, I>,
        most: usize,
        bytes: impl Fn(&T) -> usize,
        position: impl FnOnce(&T) -> Position<K, I>,
    ) -> Self {
        let mut sum: usize = 0;
        let room = items.iter().enumerate().take_while(|(at, item)| {
            sum = sum.saturating_add(bytes(item));
            *at == 0 || sum <= most
        });
        let fits = room.count().min(page.limit);
        let has_more = items.len() > fits;
        items.truncate(fits);
        let last = items.last().filter(|_| has_more);
        let next_cursor = last.map(|last| position(last).seal(&page.list));
        Self {
            items,
            next_cursor,
            has_more,
            extra: Plain {},
        }
    }
}

impl<T, X> Page<T, X> {
    /// The page with other items, which stand at the same place of the list.
    pub fn with_items<U>(self, items: Vec<U>) -> Page<U, X> {
        Page {
            items,
            next_cursor: self.next_cursor,
            has_more: self.has_more,
            extra: self.extra,
        }
    }

    /// The page with each item turned into another.
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Page<U, X> {
        Page {
            items: self.items.into_iter().map(turn).collect(),
            next_cursor: self.next_cursor,
            has_more: self.has_more,
            extra: self.extra,
        }
    }

    /// The page with these members beside its own.
    pub fn with<Y>(self, extra: Y) -> Page<T, Y> {
        Page {
            items: self.items,
            next_cursor: self.next_cursor,
            has_more: self.has_more,
            extra,
        }
    }
}

impl<T, N> OffsetPage<T, N> {
    /// The page that was asked for, of a list of so many items; `None`: how many can't be known.
    #[must_use]
    pub fn new(items: Vec<T>, total: impl Into<Option<u64>>, page: OffsetRequest) -> Self {
        Self {
            items,
            total: Total {
                count: total.into(),
                name: PhantomData,
            },
            limit: page.limit,
            offset: page.offset,
            extra: Plain {},
        }
    }

    /// The page with these members beside its own.
    pub fn with<X>(self, extra: X) -> OffsetPage<T, N, X> {
        OffsetPage {
            items: self.items,
            total: self.total,
            limit: self.limit,
            offset: self.offset,
            extra,
        }
    }
}

impl<T, N, X> OffsetPage<T, N, X> {
    /// How many items the next page skips; `None` where this is the last one. Where nobody knows how many items there are,
    /// a full page has a next one.
    #[must_use]
    pub fn next_offset(&self) -> Option<i64> {
        let next = self.offset.checked_add(i64::from(self.limit))?;
        let is_there = match self.total.count {
            Some(count) => u64::try_from(next).is_ok_and(|next| next < count),
            None => u32::try_from(self.items.len()).is_ok_and(|items| items == self.limit),
        };
        is_there.then_some(next)
    }
}

#[cfg(test)]
mod tests;
