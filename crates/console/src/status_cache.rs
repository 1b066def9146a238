//! Status pages as they were made a moment ago: a site that is down has many visitors at its status page.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use actix_web::web::Bytes;
use time::{Duration, OffsetDateTime};

/// How long a page is shown as it was made.
pub(crate) const KEPT: Duration = Duration::seconds(30);
/// How many pages are kept. Only pages that there are get in.
const MOST: usize = 1_000;

/// Pages by their paths.
#[derive(Debug, Default)]
pub(crate) struct PageCache(Mutex<HashMap<String, (OffsetDateTime, Bytes)>>);

impl PageCache {
    /// The page at a path, if it was made within [`KEPT`].
    pub(crate) fn get(&self, path: &str, now: OffsetDateTime) -> Option<Bytes> {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (made_at, page) = pages.get(path)?;
        is_fresh(*made_at, now).then(|| page.clone())
    }

    /// Keeps a page. Where there is no room, those that are over go, and all where none is.
    pub(crate) fn put(&self, path: &str, page: Bytes, now: OffsetDateTime) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() >= MOST {
            pages.retain(|_, (made_at, _)| is_fresh(*made_at, now));
            if pages.len() >= MOST {
                pages.clear();
            }
        }
        pages.insert(path.to_owned(), (now, page));
    }
}

/// A clock that was set back makes a page stale, too.
fn is_fresh(made_at: OffsetDateTime, now: OffsetDateTime) -> bool {
    (Duration::ZERO..KEPT).contains(&(now - made_at))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn pages_are_kept_for_a_moment_and_not_without_bound() {
        let now = datetime!(2026-03-31 09:15 UTC);
        let cache = PageCache::default();
        cache.put("/status/a", Bytes::from_static(b"a"), now);
        assert!(cache.get("/status/a", now + KEPT - Duration::SECOND).is_some());
        assert!(cache.get("/status/a", now + KEPT).is_none());
        assert!(cache.get("/status/a", now - Duration::SECOND).is_none());
        for page in 0..=MOST {
            cache.put(&format!("/status/{page}"), Bytes::new(), now);
        }
        assert!(cache.0.lock().unwrap().len() <= MOST);
    }
}
