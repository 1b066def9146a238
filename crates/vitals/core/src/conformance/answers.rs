//! The answers. The numbers in brackets are those of the views in the log.

use pharos_domain::{
    collect::client::Device,
    identity::DomainAccess,
    page::{ListKey, PageRequest, SortOrder},
    store::StoreError,
    window::{DateRange, Granularity},
};
use time::macros::datetime;

use super::log::{FIRST, LAST, NOW, days};
use crate::{
    behaviour::{BehaviourReads, Bfcache, EngagementFigures},
    chosen::ChosenViews,
    errors::{ErrorQuery, ErrorSort, ErrorTotals, VitalsErrors},
    impact::{Impact, ImpactMetric, ImpactReads},
    metric::{Metric, Rated},
    overview::{ViewFigures, ViewFilter},
    pages::{PageReads, PageSort, PagesQuery},
    slices::{Dimension, SliceKey, SliceReads},
    store::{Received, VitalsReads},
    trends::{SeriesMetric, SeriesQuery, TrendReads, edges},
};

const A: &str = "https://shop.example/a";
const B: &str = "https://shop.example/b";

/// Germany: 1, 3, 4.
fn germany() -> ViewFilter {
    ViewFilter {
        country: Some("DE".to_owned()),
        ..ViewFilter::default()
    }
}

fn rated(good: u64, needs_improvement: u64, poor: u64) -> Rated {
    Rated {
        good,
        needs_improvement,
        poor,
    }
}

/// A percentile that may be computed from counts is as near as it is promised to be.
#[track_caller]
fn assert_near(found: Option<f64>, known: f64) {
    let is_near = found.is_some_and(|found| (found - known).abs() <= 0.01 * known);
    assert!(is_near, "{found:?} is not about {known}");
}

/// All but the percentiles.
fn counts(figures: &ViewFigures) -> ViewFigures {
    ViewFigures {
        percentiles: Default::default(),
        ..*figures
    }
}

/// Holds the headline figures against what they must be, however much is rolled up.
///
/// # Errors
/// The store fails.
///
/// # Panics
/// An answer is another one.
pub async fn check_figures(reads: &dyn VitalsReads, domain: &DomainAccess) -> Result<(), StoreError> {
    let days = days();
    // 3, 4, 5 began within a day.
    let received = Received {
        first_at: datetime!(2026-03-30 09:00 UTC),
        last_at: datetime!(2026-03-31 11:00 UTC),
        views_of_a_day: 3,
        beacon_version: None,
    };
    assert_eq!(reads.received(domain, NOW).await?, Some(received));

    let found = reads.figures(domain, days, &ViewFilter::default(), 50).await?;
    // Good: 1, 4. Nobody knows an interaction of 2, and its paint is slow.
    let all = ViewFigures {
        views: 5,
        core_views: 4,
        good_views: 2,
        error_views: 2,
        errors: 3,
        back_forwards: 2,
        restored: 1,
        rated: [
            rated(2, 1, 1),
            rated(2, 0, 1),
            rated(3, 0, 1),
            Rated::default(),
            Rated::default(),
        ],
        ..ViewFigures::default()
    };
    assert_eq!(counts(&found.all), all);
    assert_near(found.all.percentiles.of(Metric::Lcp), 2_500.0);
    assert_near(found.all.percentiles.of(Metric::Inp), 200.0);
    assert_eq!(found.all.percentiles.of(Metric::Ttfb), None);
    let days_of: Vec<_> = found.days.iter().map(|(day, of)| (*day, of.views)).collect();
    assert_eq!(days_of, [(FIRST, 3), (LAST, 2)]);
    let views = |device| found.of(device).map(|of| of.views);
    assert_eq!(
        [Device::Mobile, Device::Desktop, Device::Tablet, Device::Tv].map(views),
        [Some(2), Some(2), Some(1), None]
    );

    let found = reads.figures(domain, days, &germany(), 50).await?.all;
    assert_eq!((found.views, found.core_views, found.good_views), (3, 3, 2));
    let percentiles = [Metric::Lcp, Metric::Inp, Metric::Cls].map(|metric| found.percentiles.of(metric));
    assert_eq!(percentiles, [Some(2_000.0), Some(200.0), Some(0.1)]);
    Ok(())
}

/// Holds time series and distributions against what they must be, however much is rolled up.
///
/// # Errors
/// The store fails.
///
/// # Panics
/// An answer is another one.
pub async fn check_trends(reads: &dyn TrendReads, domain: &DomainAccess) -> Result<(), StoreError> {
    let window = days();
    let filter = ViewFilter::default();
    let query = SeriesQuery {
        window,
        filter: &filter,
        percent: 50,
        granularity: Granularity::Day,
        metrics: &SeriesMetric::USUAL,
    };
    let mut pieces = reads.series(domain, &query).await?;
    pieces.sort_by_key(|piece| piece.start);
    let found: Vec<_> = pieces
        .iter()
        .map(|piece| {
            let figures = &piece.figures;
            (
                piece.start,
                figures.views,
                figures.errors,
                figures.of(SeriesMetric::Lcp).1,
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (datetime!(2026-03-30 00:00 UTC), 3, 1, 3),
            (datetime!(2026-03-31 00:00 UTC), 2, 2, 1),
        ]
    );
    // 1, 2, 3; and 4.
    let middles = pieces.iter().map(|piece| piece.figures.of(SeriesMetric::Lcp).0);
    for (found, known) in middles.zip([3_000.0, 2_000.0]) {
        assert_near(found, known);
    }

    let edges = edges(Metric::Lcp, 5);
    let found = reads
        .distribution(domain, window, &filter, Metric::Lcp, &edges)
        .await?;
    assert_eq!(found.counts, [2, 1, 1, 0, 0]);
    assert_eq!(found.split, rated(2, 1, 1).split());
    assert_near(found.percentiles[2], 2_500.0);
    Ok(())
}

/// Holds views by what they share against what they must be.
///
/// # Errors
/// The store fails.
///
/// # Panics
/// An answer is another one.
pub async fn check_slices(reads: &dyn SliceReads, domain: &DomainAccess) -> Result<(), StoreError> {
    let window = days();
    let dimensions = [Dimension::Country, Dimension::Device];
    let found = reads
        .slices(domain, window, &ViewFilter::default(), &dimensions, 1, 50)
        .await?;
    let cut: Vec<_> = found
        .iter()
        .map(|found| (found.slices.len(), found.views, found.is_truncated))
        .collect();
    assert_eq!(cut, [(1, 5, true), (1, 5, true)]);
    let first = found.first().and_then(|found| found.slices.first());
    assert_eq!(
        first.map(|slice| (
            &slice.key,
            slice.figures.views,
            slice.figures.percentiles.of(Metric::Lcp)
        )),
        Some((&SliceKey::Text("DE".to_owned(), None), 3, Some(2_000.0)))
    );
    Ok(())
}

/// Holds pages and single views against what they must be.
///
/// # Errors
/// The store fails.
///
/// # Panics
/// An answer is another one.
pub async fn check_pages(reads: &dyn PageReads, domain: &DomainAccess) -> Result<(), StoreError> {
    let (window, last) = (days(), DateRange::ending(LAST, 1));
    let filter = ViewFilter::default();
    let query = PagesQuery {
        window,
        filter: &filter,
        search: None,
        sort: PageSort::Pageviews,
        order: SortOrder::Descending,
        percent: 50,
        page: &PageRequest {
            limit: 10,
            after: None,
            list: ListKey::new("conformance.pages", domain.id().0),
        },
    };
    let found = reads.pages(domain, &query).await?;
    let pages: Vec<_> = found
        .items
        .iter()
        .map(|page| {
            let lcp = page.figures.percentiles.of(Metric::Lcp);
            (page.url.as_str(), page.figures.views, page.figures.errors, lcp)
        })
        .collect();
    assert_eq!(pages, [(A, 3, 0, Some(2_000.0)), (B, 2, 3, Some(5_200.0))]);
    assert_eq!(found.views, 5);
    let found = reads.pages_before(domain, last, &filter, &[B], 50).await?;
    let before: Vec<_> = found.iter().map(|(url, of)| (url.as_str(), of.views)).collect();
    assert_eq!(before, [(B, 1)]);

    let page = PageRequest {
        limit: 10,
        after: None,
        list: ListKey::new("conformance.views", domain.id().0),
    };
    let views = reads.views(domain, window, &filter, &page).await?;
    let loads: Vec<_> = views.iter().map(|view| view.load).collect();
    assert_eq!(loads, [5, 4, 3, 2, 1]);
    Ok(())
}

/// Holds what people do against what it must be.
///
/// # Errors
/// The store fails.
///
/// # Panics
/// An answer is another one.
pub async fn check_behaviour(reads: &dyn BehaviourReads, domain: &DomainAccess) -> Result<(), StoreError> {
    let window = days();
    let filter = ViewFilter::default();
    // Nothing is known of 5, and 2 bounced.
    let all = EngagementFigures {
        views: 5,
        timed: 4,
        scrolled: 4,
        counted: 4,
        judged: 4,
        reached: [4, 3, 2, 1],
        bounced: 1,
        interacted: 3,
        mean_visible_ms: Some(11_250.0),
        median_visible_ms: Some(10_000.0),
        mean_scroll_pct: Some(62.5),
        mean_interactions: Some(1.5),
        ..EngagementFigures::default()
    };
    let found = reads.engagement(domain, window, &filter).await?;
    assert_eq!(found.all, all);
    let bfcache = Bfcache {
        navigations: 2,
        hits: 1,
        ..Bfcache::default()
    };
    assert_eq!(reads.bfcache(domain, window, &filter).await?, bfcache);
    Ok(())
}

/// Holds what visitors are held up by against what it must be.
///
/// # Errors
/// The store fails.
///
/// # Panics
/// An answer is another one.
pub async fn check_impact(reads: &dyn ImpactReads, domain: &DomainAccess) -> Result<(), StoreError> {
    let window = days();
    let impact = |url: &str, views, poor, percentile| Impact {
        url: url.to_owned(),
        metric: ImpactMetric::Lcp,
        views,
        affected: 1,
        poor,
        all_affected: 2,
        percentile,
        cause: None,
    };
    let found = reads
        .impact(domain, window, Some(ImpactMetric::Lcp), 10, 50)
        .await?;
    assert_eq!(found, [impact(A, 3, 0, 2_000.0), impact(B, 1, 1, 5_200.0)]);
    Ok(())
}

/// Holds errors by kind against what they must be.
///
/// # Errors
/// The store fails.
///
/// # Panics
/// An answer is another one.
pub async fn check_errors(errors: &dyn VitalsErrors, domain: &DomainAccess) -> Result<(), StoreError> {
    let days = days();
    let asked = ErrorQuery {
        views: ChosenViews {
            days,
            filter: ViewFilter::default(),
        },
        handling: None,
        source: None,
        sort: ErrorSort::Occurrences,
    };
    let found = errors.list(domain, &asked).await?;
    let totals = ErrorTotals {
        occurrences: 3,
        affected_views: 2,
        error_rate_pct: Some(40.0),
        groups: 2,
    };
    assert_eq!(found.totals, totals);
    let kinds: Vec<_> = found
        .kinds
        .rows
        .iter()
        .map(|kind| (kind.message.as_str(), kind.affected_views, kind.trend.as_slice()))
        .collect();
    assert_eq!(
        kinds,
        [
            ("y is undefined", 1, [0, 2].as_slice()),
            ("x is undefined", 1, [1, 0].as_slice()),
        ]
    );
    Ok(())
}
