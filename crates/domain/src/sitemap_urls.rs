//! The URLs that a domain's sitemaps list, which one group knows and others ask.

use async_trait::async_trait;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::{ids::DomainId, store::StoreError};

/// A URL of a sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitemapUrl {
    /// The URL, in normal form.
    pub url: String,
    /// The file that lists it; where several do, one of them.
    pub file_id: Uuid,
    /// When the page last changed, as the file says it.
    pub lastmod: Option<OffsetDateTime>,
}

/// The URLs that the sitemaps of domains list.
#[async_trait]
pub trait SitemapUrls: Send + Sync {
    /// Some of them, each once, in an order of the store's own: the first `limit` behind `after`, the last one of the page before,
    /// or behind none. `None`: no sitemap of the domain was ever read.
    async fn page(
        &self,
        domain: DomainId,
        after: Option<&str>,
        limit: u32,
    ) -> Result<Option<Vec<SitemapUrl>>, StoreError>;
}
