//! The figures of a record for one collection period.

use std::collections::BTreeMap;

use pharos_domain::wire_enum;
use serde::{Deserialize, Deserializer, Serialize};
use time::{Date, Duration};

use super::Metric;

/// The days that a collection period has.
pub const PERIOD: Duration = Duration::days(28);

/// The collection period: 28 days, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Period {
    /// The first.
    pub start: Date,
    /// The last.
    pub end: Date,
}

/// The figures of a record. A figure that the API left out is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// By metric.
    #[serde(default, deserialize_with = "known")]
    pub metrics: BTreeMap<Metric, MetricFigures>,
    /// The parts of the Largest Contentful Paint if that is an image: 75th percentiles in milliseconds.
    pub lcp_image: Option<LcpImage>,
    /// The shares of views by the kind of content that their Largest Contentful Paint is.
    pub lcp_resource_types: Option<LcpResourceTypes>,
    /// How browsers came to the pages.
    pub navigation_types: Option<NavigationTypes>,
    /// The devices, in records of all of them.
    pub form_factors: Option<FormFactors>,
}

/// The figures of the metrics that this version knows: nodes are upgraded one by one, and one of a later version may have stored
/// those of others.
fn known<'de, D: Deserializer<'de>>(stored: D) -> Result<BTreeMap<Metric, MetricFigures>, D::Error> {
    let all: BTreeMap<String, MetricFigures> = BTreeMap::deserialize(stored)?;
    let known = |(name, figures): (String, MetricFigures)| Some((name.parse::<Metric>().ok()?, figures));
    Ok(all.into_iter().filter_map(known).collect())
}

/// A metric's figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MetricFigures {
    /// The 75th percentile, in the metric's unit.
    pub p75: Option<f64>,
    /// The three bands in their order, or nothing.
    pub histogram: Vec<Bin>,
}

/// A band of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// The lower edge, included.
    pub start: f64,
    /// The upper edge, left out; `None`: it has none.
    pub end: Option<f64>,
    /// The share of views, 0 to 1.
    pub density: f64,
}

impl MetricFigures {
    /// The shares of good, middling and poor values.
    #[must_use]
    pub fn shares(&self) -> Option<[f64; 3]> {
        match self.histogram.as_slice() {
            [good, middling, poor] => Some([good.density, middling.density, poor.density]),
            _ => None,
        }
    }
}

wire_enum! {
    /// A part of the Largest Contentful Paint of an image.
    LcpSubpart as "CruxLcpSubpart" {
        /// Until the first byte of the page.
        Ttfb = "ttfb",
        /// From there until the image is asked for.
        ResourceLoadDelay = "resource_load_delay",
        /// Until the image is there.
        ResourceLoadDuration = "resource_load_duration",
        /// Until it is painted.
        ElementRenderDelay = "element_render_delay",
    }
}

/// The parts of the Largest Contentful Paint of images: 75th percentiles in milliseconds, each for itself, so that they need
/// not add up to that of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LcpImage {
    /// Until the first byte of the page.
    pub ttfb_ms: Option<f64>,
    /// From there until the image is asked for.
    pub resource_load_delay_ms: Option<f64>,
    /// Until the image is there.
    pub resource_load_duration_ms: Option<f64>,
    /// Until it is painted.
    pub element_render_delay_ms: Option<f64>,
}

impl LcpImage {
    /// The parts in their order.
    #[must_use]
    pub const fn parts(&self) -> [(LcpSubpart, Option<f64>); 4] {
        [
            (LcpSubpart::Ttfb, self.ttfb_ms),
            (LcpSubpart::ResourceLoadDelay, self.resource_load_delay_ms),
            (LcpSubpart::ResourceLoadDuration, self.resource_load_duration_ms),
            (LcpSubpart::ElementRenderDelay, self.element_render_delay_ms),
        ]
    }
}

/// The shares of views whose Largest Contentful Paint is an image, or text: 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LcpResourceTypes {
    /// An image.
    pub image: f64,
    /// Text.
    pub text: f64,
}

/// The shares of views by device: 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormFactors {
    /// Phones.
    pub mobile: f64,
    /// Computers.
    pub desktop: f64,
    /// Tablets.
    pub tablet: f64,
}

/// The shares of views by how the browser came to the page: 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NavigationTypes {
    /// Loaded without a cache.
    pub navigate: f64,
    /// Loaded from the HTTP cache.
    pub navigate_cache: f64,
    /// Loaded again.
    pub reload: f64,
    /// Restored after the browser was closed.
    pub restore: f64,
    /// Gone back or forward to, and loaded.
    pub back_forward: f64,
    /// Gone back or forward to, and there at once.
    pub back_forward_cache: f64,
    /// Prerendered, and so there at once.
    pub prerender: f64,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn metrics_of_a_later_version_are_passed_over() {
        let of = |p75: f64| json!({ "p75": p75, "histogram": [] });
        let stored = json!({ "metrics": { "lcp": of(2_000.0), "of_tomorrow": of(1.0) } });
        let read: Figures = serde_json::from_value(stored).unwrap();
        let known = MetricFigures {
            p75: Some(2_000.0),
            histogram: Vec::new(),
        };
        assert_eq!(read.metrics, BTreeMap::from([(Metric::Lcp, known)]));
    }
}
