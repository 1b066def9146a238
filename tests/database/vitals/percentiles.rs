//! Percentiles against numpy's: `percentiles.py` made the samples and says what they come to.

use std::collections::BTreeMap;

use pharos_domain::{collect::client::Device, window::DateRange};
use pharos_vitals::{
    metric::Metric,
    overview::{MetricValues, ViewFilter},
    store::VitalsReads,
};
use pharos_vitals_pg::rollups;
use serde::Deserialize;
use time::{Duration, macros::date};

use super::{beacon, store, view};
use crate::harness::{Fixture, Home, NOW};

#[derive(Deserialize)]
pub(super) struct Samples {
    views: Vec<Sample>,
    pub(super) all: Known,
    mobile: Known,
    pub(super) germany: Known,
    pub(super) germany_lcp_bins: Vec<u64>,
}

/// Percentiles by metric and percent.
pub(super) type Known = BTreeMap<String, BTreeMap<String, f64>>;

#[derive(Deserialize)]
struct Sample {
    country: String,
    device: String,
    lcp_ms: Option<f64>,
    inp_ms: Option<f64>,
    cls: Option<f64>,
    fcp_ms: Option<f64>,
    ttfb_ms: Option<f64>,
}

pub(super) const METRICS: [(&str, Metric); 5] = [
    ("lcp_ms", Metric::Lcp),
    ("inp_ms", Metric::Inp),
    ("cls", Metric::Cls),
    ("fcp_ms", Metric::Fcp),
    ("ttfb_ms", Metric::Ttfb),
];

fn compare(found: MetricValues, known: &Known, percent: u8, holds: impl Fn(f64, f64) -> bool) {
    for (name, metric) in METRICS {
        let (found, known) = (found.of(metric).unwrap(), known[name][&percent.to_string()]);
        assert!(
            holds(found, known),
            "p{percent} of {name}: {found} and not {known}"
        );
    }
}

/// Stores the samples as views of yesterday.
pub(super) async fn store_samples(fixture: &Fixture, home: &Home) -> Samples {
    let samples: Samples = serde_json::from_str(include_str!("percentiles.json")).unwrap();
    let yesterday = NOW - Duration::DAY;
    let beacons: Vec<_> = (1..)
        .zip(&samples.views)
        .map(|(load, sample)| {
            let mut view = view(load, yesterday);
            (view.lcp_ms, view.inp_ms, view.cls) = (sample.lcp_ms, sample.inp_ms, sample.cls);
            (view.fcp_ms, view.ttfb_ms) = (sample.fcp_ms, sample.ttfb_ms);
            let mut beacon = beacon(home.domain, view);
            beacon.client.country = Some(sample.country.clone());
            let mut devices = Device::ALL.into_iter();
            beacon.client.device = devices.find(|device| device.name() == sample.device).unwrap();
            beacon
        })
        .collect();
    store(fixture).store(&beacons).await.unwrap();
    samples
}

/// Whether a percentile of counted values is as near as it is promised to be. A CLS is shown with four decimals, so that 1 % of a
/// small one is less than what is shown.
pub(super) fn is_near(found: f64, known: f64) -> bool {
    (found - known).abs() <= 0.01 * known + 0.000_05
}

#[tokio::test]
async fn percentiles_are_numpys_exactly_or_within_a_percent() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let samples = store_samples(&fixture, &home).await;
    let reads: std::sync::Arc<dyn VitalsReads> = fixture.stores.ports.get().unwrap();
    let days = DateRange::new(date!(2026 - 03 - 25), date!(2026 - 03 - 31)).unwrap();
    let all = ViewFilter::default();
    let germany = ViewFilter {
        country: Some("DE".to_owned()),
        ..ViewFilter::default()
    };
    for is_rolled_up in [false, true] {
        if is_rolled_up {
            rollups::roll_up(&fixture.database, home.domain, NOW)
                .await
                .unwrap();
        }
        for percent in [50, 75, 90, 95, 99] {
            let found = reads.figures(&access, days, &all, percent).await.unwrap();
            compare(found.all.percentiles, &samples.all, percent, is_near);
            let mobile = found.of(Device::Mobile).unwrap();
            compare(mobile.percentiles, &samples.mobile, percent, is_near);
            let found = reads.figures(&access, days, &germany, percent).await.unwrap();
            for (name, metric) in METRICS {
                let known = metric.rounded(samples.germany[name][&percent.to_string()]);
                let value = found.all.percentiles.of(metric);
                assert_eq!(value, Some(known), "p{percent} of {name}");
            }
        }
    }
}
