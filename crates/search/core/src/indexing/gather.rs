//! Gathering URLs: the pages of the search, those that are visited, and what sitemaps list, in this order, so that there is room
//! for those first that matter most.

use pharos_domain::store::StoreError;
use time::{Duration, OffsetDateTime};
use url::Url;

use super::{
    rotation::Rotation,
    store::schedule::DueSite,
    target::{self, Source},
};

/// How often URLs are gathered.
const GATHERED: Duration = Duration::DAY;
/// How many URLs of sitemaps are gathered at most: as many as a domain may have.
const MOST_GATHERED: u32 = target::MOST_URLS;
/// How many are asked for at once.
const GATHERED_AT_ONCE: u32 = 5_000;
/// How many visited pages are gathered at most.
const MOST_VISITED: u32 = 1_000;
/// How long a new link waits for the pages of the search before anything else is gathered.
const HEAD_START: Duration = Duration::HOUR;

impl Rotation {
    /// Gathers URLs once a day, those first that matter most. Where there are none yet, as before anything was imported, the next
    /// round tries again. `false`: a property that was linked a moment ago waits for its first import.
    pub(super) async fn gather(&self, site: &DueSite, now: OffsetDateTime) -> Result<bool, StoreError> {
        if site
            .gathered_at
            .is_some_and(|gathered_at| now - gathered_at < GATHERED)
        {
            return Ok(true);
        }
        let has_pages = self.store.gather_pages(site, now).await?;
        if !has_pages && (Duration::ZERO..HEAD_START).contains(&(now - site.linked_at)) {
            return Ok(false);
        }
        self.learn_permission(site).await?;
        let is_visited = self.gather_visited(site, now).await?;
        let is_listed = self.gather_listed(site, now).await?;
        if has_pages || is_visited || is_listed {
            self.store.gathered(site, now).await?;
            self.store.let_go(site, now).await?;
        }
        Ok(true)
    }

    /// Notes what the account may do with the property by now. Where the upstream does not say, what was known stays.
    async fn learn_permission(&self, site: &DueSite) -> Result<(), StoreError> {
        match self.inspector.permission(site.domain, &site.site_url).await {
            Ok(Some(permission)) => self.store.permitted(site, permission).await,
            Ok(None) => Ok(()),
            Err(error) => {
                tracing::debug!(domain = %site.domain, %error, "the permission of an account is not told");
                Ok(())
            }
        }
    }

    /// Gathers the pages that are visited most. `false`: none is.
    async fn gather_visited(&self, site: &DueSite, now: OffsetDateTime) -> Result<bool, StoreError> {
        let paths = self.visits.most_viewed(site.domain, now, MOST_VISITED).await?;
        let Some(address) = self.address(site).await? else {
            return Ok(false);
        };
        let urls = paths.iter().filter_map(|path| {
            let mut url = address.clone();
            url.set_path(path);
            url.set_query(None);
            target::normal(url.as_str(), &site.site_url)
        });
        let urls: Vec<String> = urls.collect();
        self.store.gather(site, Source::Analytics, &urls, now).await?;
        Ok(!urls.is_empty())
    }

    /// The address that paths are of: the property's own, and of one of a whole domain that of the site.
    async fn address(&self, site: &DueSite) -> Result<Option<Url>, StoreError> {
        let prefix = Url::parse(&site.site_url).ok().filter(Url::has_host);
        if prefix.is_some() {
            return Ok(prefix);
        }
        let addresses = self.addresses.of(&[site.domain]).await?;
        let address = addresses.get(&site.domain);
        Ok(address.and_then(|address| Url::parse(address).ok()))
    }

    /// Gathers what sitemaps list. `false`: they list nothing.
    async fn gather_listed(&self, site: &DueSite, now: OffsetDateTime) -> Result<bool, StoreError> {
        let mut after: Option<String> = None;
        let mut gathered: u32 = 0;
        while gathered < MOST_GATHERED {
            let page = self
                .sitemaps
                .page(site.domain, after.as_deref(), GATHERED_AT_ONCE)
                .await?;
            let Some(page) = page.filter(|page| !page.is_empty()) else {
                break;
            };
            gathered = gathered.saturating_add(GATHERED_AT_ONCE);
            after = page.last().map(|last| last.url.clone());
            let urls = page
                .iter()
                .filter_map(|listed| target::normal(&listed.url, &site.site_url));
            let urls: Vec<String> = urls.collect();
            self.store.gather(site, Source::Sitemap, &urls, now).await?;
        }
        Ok(gathered > 0)
    }
}
