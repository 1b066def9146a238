//! Compares the URLs of sitemaps with those in the index.

use std::collections::HashMap;

use pharos_domain::{
    ids::DomainId,
    sitemap_urls::{SitemapUrl, SitemapUrls},
    store::StoreError,
    wire_enum,
};
use time::OffsetDateTime;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::{coverage::CoverageReason, store::reads::GapUrl};

/// How many URLs of sitemaps are gone through.
const MOST_SITEMAP_URLS: usize = 200_000;
/// How many are asked for at once.
const AT_ONCE: u32 = 10_000;

wire_enum! {
    /// How a URL stands between sitemaps and the index.
    Gap as "IndexingSitemapGapKind" {
        /// A sitemap lists it, and it is not in the index.
        InSitemapNotIndexed = "in_sitemap_not_indexed",
        /// It is in the index, and no sitemap lists it.
        IndexedNotInSitemap = "indexed_not_in_sitemap",
        /// A sitemap lists it, and it was not inspected yet.
        InSitemapNotInspected = "in_sitemap_not_inspected",
    }
}

/// A URL in a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GapRow {
    /// The URL.
    pub url: String,
    /// The gap.
    pub gap: Gap,
    /// Why it is in the index, or is not; `None`: it was not inspected.
    pub coverage_reason: Option<CoverageReason>,
    /// The sitemap that lists it.
    pub sitemap_file_id: Option<Uuid>,
    /// When it last changed, as the sitemap says.
    pub lastmod: Option<OffsetDateTime>,
}

/// How many URLs are in a gap; `None`: no sitemap was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GapCounts {
    /// Listed and not in the index.
    pub in_sitemap_not_indexed: Option<u64>,
    /// In the index and not listed.
    pub indexed_not_in_sitemap: Option<u64>,
    /// Listed and not inspected.
    pub in_sitemap_not_inspected: Option<u64>,
}

/// The gaps of a domain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// The first of them, by their kinds, then by their names.
    pub rows: Vec<GapRow>,
    /// How many there are.
    pub counts: GapCounts,
    /// Whether there are more rows, or more URLs in sitemaps than were gone through.
    pub is_truncated: bool,
}

/// The gaps between what sitemaps list and the monitored URLs, at most so many, and of one kind if that is requested. Where no
/// sitemap was read there is what the upstream says: URLs that it indexed and knows of no sitemap for.
///
/// # Errors
/// The store failed.
pub async fn gaps(
    sitemaps: &dyn SitemapUrls,
    domain: DomainId,
    known: Vec<GapUrl>,
    only: Option<Gap>,
    most: usize,
) -> Result<Gaps, StoreError> {
    let mut listed: Option<Vec<SitemapUrl>> = None;
    let mut is_cut = false;
    let mut after: Option<String> = None;
    while let Some(page) = sitemaps.page(domain, after.as_deref(), AT_ONCE).await? {
        let is_last = page.len() < AT_ONCE as usize;
        after = page.last().map(|last| last.url.clone());
        let listed = listed.get_or_insert_default();
        listed.extend(page);
        if is_last {
            break;
        }
        if listed.len() >= MOST_SITEMAP_URLS {
            is_cut = true;
            break;
        }
    }
    // Hundreds of thousands of URLs take a part of a second.
    let compared = spawn_blocking(move || compare(known, listed, only, most)).await;
    let mut gaps = compared.map_err(|error| StoreError::Failed(Box::new(error)))?;
    gaps.is_truncated |= is_cut;
    Ok(gaps)
}

/// The gaps between monitored URLs and those of sitemaps; `None`: none was read.
fn compare(known: Vec<GapUrl>, listed: Option<Vec<SitemapUrl>>, only: Option<Gap>, most: usize) -> Gaps {
    let mut rows = Vec::new();
    let mut counts = GapCounts::default();
    let row = |url: String, gap, coverage_reason| GapRow {
        url,
        gap,
        coverage_reason,
        sitemap_file_id: None,
        lastmod: None,
    };
    match listed {
        None => {
            let unlisted = known
                .into_iter()
                .filter(|url| url.coverage_reason == Some(CoverageReason::IndexedNotSubmitted));
            rows.extend(unlisted.map(|url| row(url.url, Gap::IndexedNotInSitemap, url.coverage_reason)));
        }
        Some(listed) => {
            let mut known: HashMap<String, GapUrl> =
                known.into_iter().map(|url| (url.url.clone(), url)).collect();
            for SitemapUrl {
                url,
                file_id,
                lastmod,
            } in listed
            {
                let found = known.remove(&url);
                let gap = match found.as_ref().and_then(|found| found.is_indexed) {
                    Some(true) => continue,
                    Some(false) => Gap::InSitemapNotIndexed,
                    None => Gap::InSitemapNotInspected,
                };
                rows.push(GapRow {
                    sitemap_file_id: Some(file_id),
                    lastmod,
                    ..row(url, gap, found.and_then(|found| found.coverage_reason))
                });
            }
            let unlisted = known.into_values().filter(|url| url.is_indexed == Some(true));
            rows.extend(unlisted.map(|url| row(url.url, Gap::IndexedNotInSitemap, url.coverage_reason)));
            let count = |gap| {
                let count = rows.iter().filter(|row| row.gap == gap).count();
                Some(count as u64)
            };
            counts = GapCounts {
                in_sitemap_not_indexed: count(Gap::InSitemapNotIndexed),
                indexed_not_in_sitemap: count(Gap::IndexedNotInSitemap),
                in_sitemap_not_inspected: count(Gap::InSitemapNotInspected),
            };
        }
    }
    rows.retain(|row| only.is_none_or(|only| row.gap == only));
    rows.sort_unstable_by(|one, other| (one.gap, &one.url).cmp(&(other.gap, &other.url)));
    let is_truncated = rows.len() > most;
    rows.truncate(most);
    Gaps {
        rows,
        counts,
        is_truncated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(url: &str, is_indexed: Option<bool>, coverage_reason: Option<CoverageReason>) -> GapUrl {
        GapUrl {
            url: url.to_owned(),
            is_indexed,
            coverage_reason,
        }
    }

    fn site() -> Vec<GapUrl> {
        vec![
            known(
                "https://a.example/1",
                Some(true),
                Some(CoverageReason::SubmittedAndIndexed),
            ),
            known("https://a.example/2", Some(false), Some(CoverageReason::Soft404)),
            known("https://a.example/3", None, None),
            known(
                "https://a.example/4",
                Some(true),
                Some(CoverageReason::IndexedNotSubmitted),
            ),
            known("https://a.example/5", Some(false), Some(CoverageReason::Redirect)),
        ]
    }

    fn told(gaps: &Gaps) -> Vec<(&str, Gap)> {
        gaps.rows.iter().map(|row| (&row.url[18..], row.gap)).collect()
    }

    /// Listed: 1, 2, 3 and one that nobody monitors.
    #[test]
    fn gaps_are_told_both_ways() {
        let listed = [1, 2, 3, 9].map(|number| SitemapUrl {
            url: format!("https://a.example/{number}"),
            file_id: Uuid::from_u128(number),
            lastmod: None,
        });
        let gaps = compare(site(), Some(listed.to_vec()), None, 10);
        assert_eq!(
            told(&gaps),
            [
                ("2", Gap::InSitemapNotIndexed),
                ("4", Gap::IndexedNotInSitemap),
                ("3", Gap::InSitemapNotInspected),
                ("9", Gap::InSitemapNotInspected),
            ]
        );
        assert_eq!(gaps.rows[0].sitemap_file_id, Some(Uuid::from_u128(2)));
        assert_eq!(
            gaps.counts,
            GapCounts {
                in_sitemap_not_indexed: Some(1),
                indexed_not_in_sitemap: Some(1),
                in_sitemap_not_inspected: Some(2),
            }
        );
        assert!(!gaps.is_truncated);
        let some = compare(site(), Some(listed.to_vec()), Some(Gap::InSitemapNotInspected), 1);
        assert_eq!(
            (told(&some), some.is_truncated),
            (vec![("3", Gap::InSitemapNotInspected)], true)
        );
        assert_eq!(some.counts, gaps.counts);
    }

    #[test]
    fn without_sitemaps_there_is_what_the_upstream_says() {
        let gaps = compare(site(), None, None, 10);
        assert_eq!(told(&gaps), [("4", Gap::IndexedNotInSitemap)]);
        assert_eq!(gaps.counts, GapCounts::default());
        assert_eq!(compare(site(), None, Some(Gap::InSitemapNotIndexed), 10).rows, []);
    }
}
