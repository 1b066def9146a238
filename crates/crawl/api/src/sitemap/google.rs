//! GET /domains/{domain_id}/sitemap/google

use pharos_domain::{
    identity::DomainAccess, ids::SitemapFileId, module::Module, page::Page, scope::Scope,
    timestamp::Timestamp, wire_enum,
};
use pharos_http::{
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listSitemapGoogle",
    path: "/domains/{domain_id}/sitemap/google",
    module: Module::Sitemap,
    summary: "What Search Console reports of sitemaps that were submitted to Google",
    description: "Empty: Pharos does not ask Search Console for them yet. Sitemaps are submitted and withdrawn in \
                  Search Console itself: Pharos has no write access to it.",
    scope: Some(Scope::ReadSitemap),
    credits: Credits::Cheap,
    paging: Paging::Single,
    ..OperationSpec::GET
};

/// Google is not asked for sitemaps yet, so there is none to report of.
pub(super) async fn list(_access: DomainAccess) -> ApiResult<Page<GoogleSitemapPublic>> {
    Ok(Page::single(Vec::new()))
}

wire_enum! {
    /// The form of a sitemap, as Google names it.
    GoogleSitemapType {
        /// No sitemap.
        NotSitemap = "not_sitemap",
        /// A list of pages.
        UrlList = "url_list",
        /// A sitemap in XML.
        Sitemap = "sitemap",
        /// A feed in RSS.
        RssFeed = "rss_feed",
        /// A feed in Atom.
        AtomFeed = "atom_feed",
        /// A form that Google no longer reads.
        Other = "other",
    }
}

wire_enum! {
    /// What a sitemap holds, as Google names it.
    GoogleContentType {
        /// Pages.
        Web = "web",
        /// Images.
        Image = "image",
        /// Videos.
        Video = "video",
        /// News.
        News = "news",
        /// Pages for phones of old.
        Mobile = "mobile",
        /// Apps of Android.
        AndroidApp = "android_app",
        /// Apps of iOS.
        IosApp = "ios_app",
        /// Anything else.
        Other = "other",
    }
}

/// A sitemap that was submitted to Google.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GoogleSitemap)]
pub(super) struct GoogleSitemapPublic {
    /// Its URL.
    path: String,
    /// Its form; null where Google does not say.
    #[schema(required)]
    r#type: Option<GoogleSitemapType>,
    /// Whether it is an index.
    is_index: bool,
    /// Whether Google has not processed it yet.
    is_pending: bool,
    /// When it was last submitted; null where Google does not say.
    #[schema(required)]
    last_submitted_at: Option<Timestamp>,
    /// When Google last fetched it; null where it has not.
    #[schema(required)]
    last_downloaded_at: Option<Timestamp>,
    /// Errors that Google found.
    #[schema(minimum = 0)]
    errors: u64,
    /// Warnings of Google.
    #[schema(minimum = 0)]
    warnings: u64,
    /// How much of each kind it holds.
    contents: Vec<GoogleSitemapContentPublic>,
    /// The file that is watched here; null where none is.
    #[schema(required)]
    file_id: Option<SitemapFileId>,
}

/// How much of a kind a sitemap holds.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = GoogleSitemapContent)]
struct GoogleSitemapContentPublic {
    /// The kind.
    r#type: GoogleContentType,
    /// How many were submitted.
    #[schema(minimum = 0)]
    submitted: u64,
}

impl Example for GoogleSitemapPublic {
    fn example() -> Self {
        Self {
            path: "https://shop.example/sitemap.xml".to_owned(),
            r#type: Some(GoogleSitemapType::Sitemap),
            is_index: false,
            is_pending: false,
            last_submitted_at: Some(datetime!(2026-01-12 10:00 UTC).into()),
            last_downloaded_at: Some(datetime!(2026-03-30 04:11:09 UTC).into()),
            errors: 0,
            warnings: 1,
            contents: vec![GoogleSitemapContentPublic {
                r#type: GoogleContentType::Web,
                submitted: 2_000,
            }],
            file_id: Some(SitemapFileId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31"))),
        }
    }
}
