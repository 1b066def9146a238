//! GET /domains/{domain_id}/sitemap/urls

use pharos_crawl::sitemap::{
    entry::{Alternate, ChangeFrequency},
    monitor::{
        pages::{PageFilter, Presence, SitemapPage},
        store::SitemapStore,
    },
};
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    ids::SitemapFileId,
    module::Module,
    page::{Page, PageRequest},
    page_facts::{IndexVerdict, PageIndexing},
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};
use uuid::uuid;

use super::site;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listSitemapUrls",
    path: "/domains/{domain_id}/sitemap/urls",
    module: Module::Sitemap,
    summary: "The pages of a site's sitemaps, the newest first",
    description: "A row a page: of those that several files name, what the first of them says. A page is removed once two good \
                  fetches in a row of every file that named it have not found it; removed ones are kept for 12 months. \
                  With each scheduled check 100 pages are asked, one a second and none that robots.txt keeps Pharos from: \
                  `status_code`, `redirects_to` and `is_canonical` are null until it is a page's turn, and 30 days after. \
                  There are fewer than `limit` where addresses are so long that they have more than 4 MiB together.",
    scope: Some(Scope::ReadSitemap),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    problems: &[Suffix::SitemapNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct UrlsQuery {
    /// Only pages of this file.
    #[param(value_type = Option<String>, format = Uuid)]
    file_id: Option<SitemapFileId>,
    /// Only pages that are there, or that were removed; left out: both.
    #[param(inline)]
    status: Option<Presence>,
    /// A part of the address, in whatever case.
    #[param(min_length = 1, max_length = 200)]
    search: Option<String>,
}

pub(super) async fn list(
    access: DomainAccess,
    Query(query): Query<UrlsQuery>,
    page: PageRequest,
    store: Port<dyn SitemapStore>,
    indexing: Port<dyn PageIndexing>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<SitemapUrlPublic>> {
    let filter = PageFilter {
        file: query.file_id.map(|file| file.0),
        presence: query.status,
        search: query.search,
    };
    let found = store.pages(&access, &filter, &page).await?;
    if found.items.is_empty() {
        site(&access, &*store, clock.now()).await?;
    }
    let urls: Vec<&str> = found.items.iter().map(|page| page.url.as_str()).collect();
    let verdicts = indexing.verdicts(&access, &urls).await?;
    Ok(found.map(|page| {
        let verdict = verdicts.get(&page.url).copied();
        SitemapUrlPublic::new(page, verdict)
    }))
}

/// A page of sitemaps.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SitemapUrl)]
pub(super) struct SitemapUrlPublic {
    /// Its address, in its normal form.
    url: String,
    /// The file that names it; of several, the first.
    file_id: SitemapFileId,
    /// When it last changed, as the file says; null where it does not say.
    #[schema(required)]
    lastmod: Option<Timestamp>,
    /// How often it changes, as the file says; null where it does not say.
    #[schema(required)]
    changefreq: Option<ChangeFrequency>,
    /// Its weight beside other pages of the site, as the file says; null where it does not say.
    #[schema(required, minimum = 0, maximum = 1)]
    priority: Option<f64>,
    /// Images that are named with it.
    #[schema(minimum = 0)]
    images_count: u32,
    /// Videos that are named with it.
    #[schema(minimum = 0)]
    videos_count: u32,
    /// Whether it is news.
    is_news: bool,
    /// The page in other languages: the first 200, as far as they have 32 KiB together.
    #[schema(max_items = 200)]
    alternates: Vec<Alternate>,
    /// When a file first named it.
    first_seen_at: Timestamp,
    /// When a good fetch last found it.
    last_seen_at: Timestamp,
    /// When a good fetch did not find it for the second time in a row; null while it is there.
    #[schema(required)]
    removed_at: Option<Timestamp>,
    /// The status with which the page answered when it was last asked; null where it was not.
    #[schema(required, minimum = 100, maximum = 599)]
    status_code: Option<u16>,
    /// Where it redirected to; null where it did not, or was not asked.
    #[schema(required)]
    redirects_to: Option<String>,
    /// Whether it names itself as the page to be indexed; null where it names none, or was not asked.
    #[schema(required)]
    is_canonical: Option<bool>,
    /// The verdict of its newest inspection in Google's index; null where there was none.
    #[schema(required)]
    index_verdict: Option<IndexVerdict>,
    /// Whether robots.txt keeps Googlebot from it; null where that is not known.
    #[schema(required)]
    blocked_by_robots: Option<bool>,
    /// How many files name it now.
    #[schema(minimum = 0)]
    in_files: u32,
}

impl SitemapUrlPublic {
    fn new(page: SitemapPage, index_verdict: Option<IndexVerdict>) -> Self {
        let SitemapPage {
            key: _,
            url,
            file_id,
            lastmod,
            change_frequency,
            priority,
            images,
            videos,
            is_news,
            alternates,
            first_seen_at,
            last_seen_at,
            removed_at,
            is_blocked,
            in_files,
            answered,
        } = page;
        let is_canonical = answered.as_ref().and_then(|answered| answered.is_canonical);
        Self {
            url,
            file_id: SitemapFileId(file_id),
            lastmod: lastmod.map(Timestamp::from),
            changefreq: change_frequency,
            priority,
            images_count: images,
            videos_count: videos,
            is_news,
            alternates,
            first_seen_at: first_seen_at.into(),
            last_seen_at: last_seen_at.into(),
            removed_at: removed_at.map(Timestamp::from),
            status_code: answered.as_ref().map(|answered| answered.status_code),
            redirects_to: answered.and_then(|answered| answered.redirects_to),
            is_canonical,
            index_verdict,
            blocked_by_robots: is_blocked,
            in_files,
        }
    }
}

impl Example for SitemapUrlPublic {
    fn example() -> Self {
        Self {
            url: "https://shop.example/shoes".to_owned(),
            file_id: SitemapFileId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31")),
            lastmod: Some(datetime!(2026-03-28 00:00 UTC).into()),
            changefreq: Some(ChangeFrequency::Weekly),
            priority: Some(0.8),
            images_count: 3,
            videos_count: 0,
            is_news: false,
            alternates: vec![Alternate {
                hreflang: "de".to_owned(),
                href: "https://shop.example/de/schuhe".to_owned(),
            }],
            first_seen_at: datetime!(2026-02-02 09:14:30 UTC).into(),
            last_seen_at: datetime!(2026-03-31 09:14:30 UTC).into(),
            removed_at: None,
            status_code: Some(200),
            redirects_to: None,
            is_canonical: Some(true),
            index_verdict: Some(IndexVerdict::Pass),
            blocked_by_robots: Some(false),
            in_files: 1,
        }
    }
}
