//! The payloads of handlers, and their examples.

use pharos_domain::{
    page::{OffsetPage, OffsetRequest, Page, Plain, TotalName, Windowed},
    window::Meta,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::spec::DEFAULT_PAGE_SIZE;

/// A payload of a successful answer.
pub trait Answer: Serialize + ToSchema + Example + 'static {}
impl<T: Serialize + ToSchema + Example + 'static> Answer for T {}

/// A value that shows what a payload looks like. The document carries it, and it fits the payload's schema
/// because it is of the payload's type.
pub trait Example {
    /// A value as a caller might get or send it.
    fn example() -> Self;

    /// The value of `cursor` or `offset` that asks for the next page; `None` on the last one, and of what is no page. It
    /// stands here because every payload has this trait, and pages of all kinds must answer it.
    fn next_page(&self) -> Option<String> {
        None
    }
}

impl<T: Example, X: Example> Example for Page<T, X> {
    fn example() -> Self {
        Page::single(vec![T::example()]).with(X::example())
    }

    fn next_page(&self) -> Option<String> {
        self.next_cursor.clone()
    }
}

impl<T: Example, N: TotalName, X: Example> Example for OffsetPage<T, N, X> {
    fn example() -> Self {
        let first = OffsetRequest {
            limit: DEFAULT_PAGE_SIZE,
            offset: 0,
        };
        OffsetPage::new(vec![T::example()], 1, first).with(X::example())
    }

    fn next_page(&self) -> Option<String> {
        self.next_offset().map(|offset| offset.to_string())
    }
}

impl Example for Plain {
    fn example() -> Self {
        Self {}
    }
}

impl Example for Windowed {
    fn example() -> Self {
        Self {
            meta: Meta::example(),
        }
    }
}
