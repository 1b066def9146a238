//! GET /domains/{domain_id}/indexing/canonicals

use pharos_domain::{
    identity::DomainAccess, ids::IndexingUrlId, module::Module, page::Page, problem::Suffix, scope::Scope,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Paging},
};
use pharos_search::indexing::{
    canonical::CanonicalKind,
    store::{
        reads::{CanonicalMismatch, IndexingReads},
        urls::{IndexingUrls, MOST_LISTED},
    },
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

use super::{monitored_alone, site};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listIndexingCanonicals",
    path: "/domains/{domain_id}/indexing/canonicals",
    module: Module::Indexing,
    summary: "URLs for which Google chose another canonical page than they declare",
    description: concat!(
        "By their names, the first 1,000 of them. A URL that declares none is listed where Google's is another than the URL. URLs \
         are compared in normal form. ",
        monitored_alone!()
    ),
    scope: Some(Scope::ReadIndexing),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    paging: Paging::Single,
    problems: &[Suffix::IndexingNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn list(
    access: DomainAccess,
    urls: Port<dyn IndexingUrls>,
    reads: Port<dyn IndexingReads>,
) -> ApiResult<Page<IndexingCanonicalPublic, CanonicalsRoot>> {
    let _ = site(&*urls, &access).await?;
    let (found, total) = reads.canonicals(&access, MOST_LISTED).await?;
    let root = CanonicalsRoot {
        total_urls: total,
        truncated: total > u64::from(MOST_LISTED),
    };
    let items = found.into_iter().map(IndexingCanonicalPublic::from);
    Ok(Page::single(items.collect()).with(root))
}

/// The further fields of the list's envelope.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingCanonicalsRoot)]
pub(crate) struct CanonicalsRoot {
    /// How many there are.
    #[schema(minimum = 0)]
    total_urls: u64,
    /// Whether there are more than are listed.
    truncated: bool,
}

/// A URL for which Google chose another canonical page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingCanonical)]
pub(crate) struct IndexingCanonicalPublic {
    /// The URL's id.
    url_id: IndexingUrlId,
    /// The URL.
    url: String,
    /// The page that it declares; null where it declares none.
    #[schema(required)]
    user_canonical: Option<String>,
    /// The page that Google chose.
    google_canonical: String,
    /// How they differ.
    kind: CanonicalKind,
    /// Clicks on the URL from web search within the 28 days up to the newest final one; null where not all of them are
    /// imported.
    #[schema(required, minimum = 0)]
    clicks_28d: Option<u64>,
    /// When it was inspected.
    inspected_at: Timestamp,
}

impl From<CanonicalMismatch> for IndexingCanonicalPublic {
    fn from(mismatch: CanonicalMismatch) -> Self {
        let CanonicalMismatch {
            url_id,
            url,
            user_canonical,
            google_canonical,
            kind,
            value,
            inspected_at,
        } = mismatch;
        Self {
            url_id,
            url,
            user_canonical,
            google_canonical,
            kind,
            clicks_28d: value.map(|value| value.clicks),
            inspected_at: inspected_at.into(),
        }
    }
}

impl Example for IndexingCanonicalPublic {
    fn example() -> Self {
        Self {
            url_id: IndexingUrlId(uuid!("0195e7a1-7a4e-7c31-9d52-3f1f0b6a8e62")),
            url: "https://shop.example/shoes?sort=price".to_owned(),
            user_canonical: Some("https://shop.example/shoes?sort=price".to_owned()),
            google_canonical: "https://shop.example/shoes".to_owned(),
            kind: CanonicalKind::GoogleChoseOther,
            clicks_28d: Some(3),
            inspected_at: datetime!(2026-03-31 04:12:08 UTC).into(),
        }
    }
}

impl Example for CanonicalsRoot {
    fn example() -> Self {
        Self {
            total_urls: 1,
            truncated: false,
        }
    }
}
