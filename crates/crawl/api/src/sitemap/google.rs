//! GET /domains/{domain_id}/sitemap/google

use std::collections::HashMap;

use pharos_crawl::sitemap::monitor::store::SitemapStore;
use pharos_domain::{
    identity::DomainAccess,
    ids::SitemapFileId,
    module::Module,
    page::Page,
    page_facts::{SubmittedSitemap, SubmittedSitemaps},
    scope::Scope,
    timestamp::Timestamp,
    wire_enum,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use serde::Serialize;
use time::macros::datetime;
use url::Url;
use utoipa::ToSchema;
use uuid::{Uuid, uuid};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listSitemapGoogle",
    path: "/domains/{domain_id}/sitemap/google",
    module: Module::Sitemap,
    summary: "The reports of Search Console on sitemaps that were submitted to Google",
    description: "Those of the property that the domain is linked to, as they were when Search Console was asked last; none where it \
                  is linked to none. Sitemaps are submitted and withdrawn in Search Console itself: Pharos has no write access \
                  to it.",
    scope: Some(Scope::ReadSitemap),
    credits: Credits::Cheap,
    paging: Paging::Single,
    ..OperationSpec::GET
};

pub(super) async fn list(
    access: DomainAccess,
    submitted: Port<dyn SubmittedSitemaps>,
    store: Port<dyn SitemapStore>,
) -> ApiResult<Page<GoogleSitemapPublic>> {
    let submitted = submitted.list(&access).await?;
    let files = store.files(&access, None).await?;
    let files: HashMap<String, Uuid> = files.into_iter().map(|file| (file.url, file.id)).collect();
    let items = submitted.into_iter().map(|sitemap| {
        let file = files.get(&normal(&sitemap.path)).copied();
        GoogleSitemapPublic::new(sitemap, file)
    });
    Ok(Page::single(items.collect()))
}

/// A URL as files are known by it.
fn normal(path: &str) -> String {
    Url::parse(path).map_or_else(|_| path.to_owned(), String::from)
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
        /// Any other form, such as one that Google no longer reads.
        Other = "other",
    }
}

impl GoogleSitemapType {
    /// The form that Search Console names by this word.
    fn named(word: &str) -> Self {
        let mut known = Self::ALL.iter().copied();
        known
            .find(|known| means(word, known.as_str()))
            .unwrap_or(Self::Other)
    }
}

wire_enum! {
    /// The kind of content that a sitemap holds, as Google names it.
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

impl GoogleContentType {
    /// The kind that Search Console names by this word.
    fn named(word: &str) -> Self {
        let mut known = Self::ALL.iter().copied();
        known
            .find(|known| means(word, known.as_str()))
            .unwrap_or(Self::Other)
    }
}

/// Whether a word of Search Console's is this one of ours: it writes `rssFeed`, its discovery document `RSS_FEED`.
fn means(word: &str, ours: &str) -> bool {
    let letters = |word: &str| word.replace('_', "").to_ascii_lowercase();
    letters(word) == letters(ours)
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
    /// The kind of pages or media that the figures are of.
    r#type: GoogleContentType,
    /// How many were submitted.
    #[schema(minimum = 0)]
    submitted: u64,
}

impl GoogleSitemapPublic {
    fn new(sitemap: SubmittedSitemap, file: Option<Uuid>) -> Self {
        let SubmittedSitemap {
            path,
            form,
            is_index,
            is_pending,
            last_submitted_at,
            last_downloaded_at,
            errors,
            warnings,
            contents,
        } = sitemap;
        let contents = contents
            .into_iter()
            .map(|(kind, submitted)| GoogleSitemapContentPublic {
                r#type: GoogleContentType::named(&kind),
                submitted,
            });
        Self {
            path,
            r#type: form.as_deref().map(GoogleSitemapType::named),
            is_index,
            is_pending,
            last_submitted_at: last_submitted_at.map(Timestamp::from),
            last_downloaded_at: last_downloaded_at.map(Timestamp::from),
            errors,
            warnings,
            contents: contents.collect(),
            file_id: file.map(SitemapFileId),
        }
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_of_search_console_are_ours_and_unknown_ones_are_other() {
        let submitted = SubmittedSitemap {
            path: "https://shop.example/feed".to_owned(),
            form: Some("rssFeed".to_owned()),
            is_index: false,
            is_pending: true,
            last_submitted_at: None,
            last_downloaded_at: None,
            errors: 0,
            warnings: 0,
            contents: vec![("androidApp".to_owned(), 2), ("pattern".to_owned(), 3)],
        };
        let of = |form: Option<&str>| {
            let form = form.map(str::to_owned);
            let told = GoogleSitemapPublic::new(
                SubmittedSitemap {
                    form,
                    ..submitted.clone()
                },
                None,
            );
            serde_json::to_value(told).unwrap()
        };
        assert_eq!(
            of(Some("rssFeed")),
            json!({
                "path": "https://shop.example/feed", "type": "rss_feed", "is_index": false, "is_pending": true,
                "last_submitted_at": null, "last_downloaded_at": null, "errors": 0, "warnings": 0,
                "contents": [{ "type": "android_app", "submitted": 2 }, { "type": "other", "submitted": 3 }],
                "file_id": null
            })
        );
        assert_eq!(of(Some("RSS_FEED"))["type"], "rss_feed");
        assert_eq!(of(Some("oceanfront"))["type"], "other");
        assert_eq!(of(None)["type"], json!(null));
    }

    #[test]
    fn a_file_is_known_by_the_normal_form_of_its_url() {
        assert_eq!(
            normal("HTTPS://Shop.example:443/a b.xml"),
            "https://shop.example/a%20b.xml"
        );
        assert_eq!(normal("no URL"), "no URL");
    }
}
