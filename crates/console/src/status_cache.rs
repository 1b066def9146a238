//! Status pages as they were made a moment ago: a site that is down has many visitors at its status page.

use actix_web::web::Bytes;
use moka::future::Cache;
use pharos_uptime::status_page::Slug;
use time::{Duration, OffsetDateTime};

use crate::refusal::Refusal;

/// How long a page is shown as it was made, at most.
pub(crate) const KEPT: Duration = Duration::seconds(30);
/// How much the pages may take together, in bytes.
const MOST_BYTES: u64 = 64 << 20;
/// The bytes that an entry takes besides its page, about.
const OVERHEAD: usize = 320;

/// How a status page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum View {
    /// For people.
    Page,
    /// Its incidents, for people.
    Incidents,
    /// For programs that read feeds.
    Feed,
}

/// A page within one of the spans of [`KEPT`] that the clock is cut into. It is found by its name, since its address can
/// be written in many ways.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    slug: Slug,
    view: View,
    span: i64,
}

/// Pages by their names. Only pages that there are get in.
#[derive(Debug)]
pub(crate) struct PageCache(Cache<Key, Bytes>);

impl Default for PageCache {
    fn default() -> Self {
        // No page is asked for after its span. The longer time is for clocks that do not run like this machine's.
        Self(
            Cache::builder()
                .max_capacity(MOST_BYTES)
                .weigher(|_: &Key, page: &Bytes| u32::try_from(page.len() + OVERHEAD).unwrap_or(u32::MAX))
                .time_to_live(KEPT.saturating_mul(2).unsigned_abs())
                .build(),
        )
    }
}

impl PageCache {
    /// The page as it was made in this span of time. One visitor has it made, and whoever comes meanwhile waits for that.
    pub(crate) async fn get(
        &self,
        slug: &Slug,
        view: View,
        now: OffsetDateTime,
        making: impl Future<Output = Result<Bytes, Refusal>>,
    ) -> Result<Bytes, Refusal> {
        let key = Key {
            slug: slug.clone(),
            view,
            span: now.unix_timestamp().div_euclid(KEPT.whole_seconds()),
        };
        let made = self.0.try_get_with(key, making).await;
        made.map_err(|refusal| Refusal::clone(&refusal))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use time::macros::datetime;

    use super::*;

    #[tokio::test]
    async fn a_page_is_made_once_for_all_who_come_within_its_span() {
        let now = datetime!(2026-03-31 09:15 UTC);
        let cache = PageCache::default();
        let slug: Slug = "how-we-do".parse().unwrap();
        let made = AtomicUsize::new(0);
        let page = async |view, now| {
            let making = async {
                made.fetch_add(1, Ordering::Relaxed);
                tokio::task::yield_now().await;
                Ok(Bytes::from_static(b"page"))
            };
            cache.get(&slug, view, now, making).await.unwrap()
        };
        tokio::join!(page(View::Page, now), page(View::Page, now));
        page(View::Page, now + KEPT - Duration::SECOND).await;
        assert_eq!(made.load(Ordering::Relaxed), 1);
        page(View::Feed, now).await;
        assert_eq!(made.load(Ordering::Relaxed), 2);
        page(View::Page, now + KEPT).await;
        assert_eq!(made.load(Ordering::Relaxed), 3);
    }

    #[tokio::test]
    async fn pages_are_bound_by_what_they_take_and_refusals_are_not_kept() {
        let now = datetime!(2026-03-31 09:15 UTC);
        let cache = PageCache::default();
        for number in 0..100 {
            let slug: Slug = format!("page-{number}").parse().unwrap();
            let making = async { Ok(Bytes::from(vec![b'x'; 1 << 20])) };
            cache.get(&slug, View::Page, now, making).await.unwrap();
        }
        cache.0.run_pending_tasks().await;
        assert!(cache.0.weighted_size() <= MOST_BYTES);
        let cache = PageCache::default();
        let slug: Slug = "none".parse().unwrap();
        let refused = cache.get(&slug, View::Page, now, async { Err(Refusal::NoPage) });
        assert!(matches!(refused.await, Err(Refusal::NoPage)));
        let made = cache.get(&slug, View::Page, now, async { Ok(Bytes::new()) });
        assert!(made.await.is_ok());
    }
}
