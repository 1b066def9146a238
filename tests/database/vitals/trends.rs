//! Time series and distributions: against numpy's figures, and the same whether days are rolled up or not.

use std::sync::Arc;

use pharos_domain::window::{DateRange, Granularity};
use pharos_vitals::{
    metric::Metric,
    overview::{PercentileMethod, ViewFilter},
    trends::{DISTRIBUTION_PERCENTS, SeriesMetric, SeriesPiece, SeriesQuery, TrendReads, edges},
};
use pharos_vitals_pg::rollups;
use time::{
    Duration,
    macros::{date, datetime},
};

use super::{
    beacon,
    percentiles::{METRICS, is_near, store_samples},
    store, view,
};
use crate::harness::{Fixture, NOW};

fn days() -> DateRange {
    DateRange::new(date!(2026 - 03 - 18), date!(2026 - 03 - 31)).unwrap()
}

fn germany() -> ViewFilter {
    ViewFilter {
        country: Some("DE".to_owned()),
        ..ViewFilter::default()
    }
}

fn query<'a>(filter: &'a ViewFilter, granularity: Granularity, percent: u8) -> SeriesQuery<'a> {
    SeriesQuery {
        window: days(),
        filter,
        percent,
        granularity,
        metrics: &SeriesMetric::USUAL,
    }
}

#[tokio::test]
async fn percentiles_of_series_and_distributions_are_numpys() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let samples = store_samples(&fixture, &home).await;
    let reads: Arc<dyn TrendReads> = fixture.stores.ports.get().unwrap();
    let (all, germany) = (ViewFilter::default(), germany());
    for is_rolled_up in [false, true] {
        if is_rolled_up {
            rollups::roll_up(&fixture.database, home.domain, NOW)
                .await
                .unwrap();
        }
        for (granularity, percent) in [
            (Granularity::Day, 50),
            (Granularity::Week, 75),
            (Granularity::Day, 99),
        ] {
            let asked = query(&all, granularity, percent);
            assert_eq!(asked.method(), PercentileMethod::Histogram);
            let counted = reads.series(&access, &asked).await.unwrap();
            let asked = query(&germany, granularity, percent);
            assert_eq!(asked.method(), PercentileMethod::Exact);
            let exact = reads.series(&access, &asked).await.unwrap();
            assert_eq!((counted.len(), exact.len()), (1, 1));
            for (place, (name, metric)) in METRICS.into_iter().enumerate() {
                let (known, percent) = (&samples.all[name], percent.to_string());
                let found = counted[0].figures.percentiles[place].unwrap();
                assert!(is_near(found, known[&percent]), "p{percent} of {name}: {found}");
                let known = metric.rounded(samples.germany[name][&percent]);
                assert_eq!(
                    exact[0].figures.percentiles[place],
                    Some(known),
                    "p{percent} of {name}"
                );
            }
        }
        for (name, metric) in METRICS {
            let edges = edges(metric, 50);
            let counted = reads
                .distribution(&access, days(), &all, metric, &edges)
                .await
                .unwrap();
            let exact = reads
                .distribution(&access, days(), &germany, metric, &edges)
                .await
                .unwrap();
            assert_eq!(counted.counts.iter().sum::<u64>(), counted.split.sample_count);
            assert_eq!(exact.counts.iter().sum::<u64>(), exact.split.sample_count);
            for (place, percent) in DISTRIBUTION_PERCENTS.into_iter().enumerate() {
                let found = counted.percentiles[place].unwrap();
                let known = samples.all[name][&percent.to_string()];
                assert!(
                    is_near(found, known),
                    "p{percent} of {name}: {found} and not {known}"
                );
                let known = metric.rounded(samples.germany[name][&percent.to_string()]);
                assert_eq!(exact.percentiles[place], Some(known), "p{percent} of {name}");
            }
            if metric == Metric::Lcp {
                assert_eq!(exact.counts, samples.germany_lcp_bins);
            }
        }
    }
}

/// Three days in two weeks, one of them today: the pieces are the same whether closed days are rolled up or not, and weeks are of
/// all values, not of days.
#[tokio::test]
async fn pieces_are_the_same_whether_days_are_rolled_up_or_not() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let reads: Arc<dyn TrendReads> = fixture.stores.ports.get().unwrap();
    let told = [
        (1, 9, 100.0),
        (2, 9, 300.0),
        (3, 1, 1_000.0),
        (4, 1, 2_000.0),
        (5, 0, 4_000.0),
    ];
    let beacons = told.map(|(load, days, lcp)| {
        let mut view = view(load, NOW - Duration::days(days));
        view.lcp_ms = Some(lcp);
        beacon(home.domain, view)
    });
    store(&fixture).store(&beacons).await.unwrap();
    let all = ViewFilter::default();
    let series = async |granularity| -> Vec<SeriesPiece> {
        reads
            .series(&access, &query(&all, granularity, 50))
            .await
            .unwrap()
    };
    let raw = (series(Granularity::Day).await, series(Granularity::Week).await);
    let spread = async || {
        let edges = edges(Metric::Lcp, 50);
        reads
            .distribution(&access, days(), &all, Metric::Lcp, &edges)
            .await
            .unwrap()
    };
    let raw_spread = spread().await;
    rollups::roll_up(&fixture.database, home.domain, NOW)
        .await
        .unwrap();
    assert_eq!(
        (series(Granularity::Day).await, series(Granularity::Week).await),
        raw
    );
    assert_eq!(spread().await, raw_spread);
    let (pieces, weeks) = raw;
    assert_eq!(
        pieces.iter().map(|piece| piece.figures.views).collect::<Vec<_>>(),
        [2, 2, 1]
    );
    let middle: Vec<_> = weeks
        .iter()
        .map(|week| (week.start, week.figures.of(SeriesMetric::Lcp).0.unwrap()))
        .collect();
    assert_eq!(middle[0].0, datetime!(2026-03-16 00:00 UTC));
    assert!(is_near(middle[0].1, 200.0), "{middle:?}");
    // The median of 1,000, 2,000 and 4,000 is the second.
    assert_eq!(middle[1].0, datetime!(2026-03-30 00:00 UTC));
    assert!(is_near(middle[1].1, 2_000.0), "{middle:?}");
}
