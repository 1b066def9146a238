//! GET /domains/{domain_id}/indexing/sitemap-gaps

use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    page::Page,
    page_facts::{PageSearches, SearchValue},
    problem::Suffix,
    scope::Scope,
    sitemap_urls::SitemapUrls,
    timestamp::Timestamp,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Bucket, Credits, OperationSpec, Paging},
};
use pharos_search::indexing::{
    coverage::CoverageReason,
    gaps::{self, Gap, GapRow},
    store::{
        reads::IndexingReads,
        urls::{IndexingUrls, MOST_LISTED},
    },
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};
use uuid::{Uuid, uuid};

use super::{monitored_alone, site};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listIndexingSitemapGaps",
    path: "/domains/{domain_id}/indexing/sitemap-gaps",
    module: Module::Indexing,
    summary: "URLs that sitemaps list and Google has not indexed, and the other way round",
    description: concat!(
        "By their gaps, then by their names, the first 1,000 of them. 200,000 URLs of sitemaps are gone through. Counts are null \
         where no sitemap of the domain was read; then there are the URLs that Google has indexed and knows of no sitemap for \
         (`coverage_reason` is `indexed_not_submitted`). ",
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

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct GapsQuery {
    /// Only URLs in this gap. The counts are of all.
    #[param(inline)]
    gap: Option<Gap>,
}

pub(crate) async fn list(
    access: DomainAccess,
    Query(query): Query<GapsQuery>,
    urls: Port<dyn IndexingUrls>,
    reads: Port<dyn IndexingReads>,
    sitemaps: Port<dyn SitemapUrls>,
    searches: Port<dyn PageSearches>,
) -> ApiResult<Page<IndexingSitemapGapPublic, GapsRoot>> {
    let _ = site(&*urls, &access).await?;
    let known = reads.gap_urls(&access).await?;
    let most = usize::try_from(MOST_LISTED).unwrap_or(usize::MAX);
    let gaps = gaps::gaps(&*sitemaps, access.id(), known, query.gap, most).await?;
    let names: Vec<&str> = gaps.rows.iter().map(|row| row.url.as_str()).collect();
    let values = searches.values(&access, &names).await?;
    let root = GapsRoot {
        in_sitemap_not_indexed: gaps.counts.in_sitemap_not_indexed,
        indexed_not_in_sitemap: gaps.counts.indexed_not_in_sitemap,
        in_sitemap_not_inspected: gaps.counts.in_sitemap_not_inspected,
        truncated: gaps.is_truncated,
    };
    let items = gaps.rows.into_iter().map(|row| {
        let value = values.as_ref().and_then(|values| values.get(&row.url).copied());
        IndexingSitemapGapPublic::new(row, value)
    });
    Ok(Page::single(items.collect()).with(root))
}

/// The further fields of the list's envelope: how many URLs are in each gap, whichever is asked for. Null where no sitemap was
/// read.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingSitemapGapsRoot)]
pub(crate) struct GapsRoot {
    /// Those that a sitemap lists and that are not in the index; null where no sitemap was read.
    #[schema(required, minimum = 0)]
    in_sitemap_not_indexed: Option<u64>,
    /// Those in the index that no sitemap lists; null where no sitemap was read.
    #[schema(required, minimum = 0)]
    indexed_not_in_sitemap: Option<u64>,
    /// Those that a sitemap lists and that were not inspected yet; null where no sitemap was read.
    #[schema(required, minimum = 0)]
    in_sitemap_not_inspected: Option<u64>,
    /// Whether there are more than are listed, or were gone through.
    truncated: bool,
}

/// A URL in a gap between sitemaps and the index.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IndexingSitemapGap)]
pub(crate) struct IndexingSitemapGapPublic {
    /// The URL.
    url: String,
    /// The gap.
    gap: Gap,
    /// Why it is in the index, or is not; null where it was not inspected.
    #[schema(required)]
    coverage_reason: Option<CoverageReason>,
    /// The sitemap that lists it; null where none does.
    #[schema(required)]
    sitemap_file_id: Option<Uuid>,
    /// When the page last changed, as the sitemap says it; null where none lists it, or says so.
    #[schema(required)]
    lastmod: Option<Timestamp>,
    /// Impressions in web search within the 28 days up to the newest final one; null where not all of them are
    /// imported.
    #[schema(required, minimum = 0)]
    impressions_28d: Option<u64>,
}

impl IndexingSitemapGapPublic {
    fn new(row: GapRow, value: Option<SearchValue>) -> Self {
        let GapRow {
            url,
            gap,
            coverage_reason,
            sitemap_file_id,
            lastmod,
        } = row;
        Self {
            url,
            gap,
            coverage_reason,
            sitemap_file_id,
            lastmod: lastmod.map(Timestamp::from),
            impressions_28d: value.map(|value| value.impressions),
        }
    }
}

impl Example for IndexingSitemapGapPublic {
    fn example() -> Self {
        Self {
            url: "https://shop.example/sale".to_owned(),
            gap: Gap::InSitemapNotIndexed,
            coverage_reason: Some(CoverageReason::CrawledNotIndexed),
            sitemap_file_id: Some(uuid!("0195e7a1-0c11-7c31-9d52-3f1f0b6a8e70")),
            lastmod: Some(datetime!(2026-03-20 00:00:00 UTC).into()),
            impressions_28d: Some(0),
        }
    }
}

impl Example for GapsRoot {
    fn example() -> Self {
        Self {
            in_sitemap_not_indexed: Some(1),
            indexed_not_in_sitemap: Some(4),
            in_sitemap_not_inspected: Some(0),
            truncated: false,
        }
    }
}
