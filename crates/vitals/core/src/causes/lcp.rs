//! Largest contentful paints: their parts, and the elements that they were.

use pharos_domain::{day::Day, wire_enum};
use serde::{Deserialize, Serialize};

use crate::chosen::{DeviceName, day};

wire_enum! {
    /// The kinds of largest paints, in the order of the numbers that stand for them.
    PaintKind as "RumPaintKind" {
        /// An image.
        Image = "image",
        /// Text.
        Text = "text",
        /// A frame of a video.
        VideoFrame = "video_frame",
        /// A background image.
        BackgroundImage = "background_image",
        /// Not told.
        Unknown = "unknown",
    }
}

/// 75th percentiles of the parts of Largest Contentful Paint. They do not add up: each is of its own distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumLcpParts))]
pub struct LcpParts {
    /// Largest Contentful Paint in milliseconds; null without a value.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub lcp_ms: Option<f64>,
    /// Until the first byte of the document, in milliseconds; null where no view told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub ttfb_ms: Option<f64>,
    /// From there until the resource began to load, in milliseconds. Views whose paint has no resource are left out.
    /// Null where no view told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub resource_load_delay_ms: Option<f64>,
    /// While the resource loaded, in milliseconds. Views whose paint has no resource are left out. Null where no view
    /// told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub resource_load_duration_ms: Option<f64>,
    /// From there until the element was painted, in milliseconds; null where no view told it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub element_render_delay_ms: Option<f64>,
}

/// Means of the parts, in milliseconds, over the views that told theirs. They add up: a view whose paint has no resource counts
/// with 0 in the parts of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumLcpMeans))]
pub struct LcpMeans {
    /// Until the first byte; null where no view told its parts.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub mean_ttfb_ms: Option<f64>,
    /// Until the resource began to load; null where no view told its parts.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub mean_resource_load_delay_ms: Option<f64>,
    /// While the resource loaded; null where no view told its parts.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub mean_resource_load_duration_ms: Option<f64>,
    /// Until the element was painted; null where no view told its parts.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub mean_element_render_delay_ms: Option<f64>,
}

/// Each mean's share in the sum of all four, in percent; null where no view told its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumLcpShares))]
pub struct LcpShares {
    /// That of the time to first byte.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub ttfb_share_pct: Option<f64>,
    /// That of the time until the resource began to load.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub resource_load_delay_share_pct: Option<f64>,
    /// That of the time while it loaded.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub resource_load_duration_share_pct: Option<f64>,
    /// That of the time until the element was painted.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub element_render_delay_share_pct: Option<f64>,
}

/// Largest contentful paints of views.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumLcpReport))]
pub struct LcpReport {
    /// How many views had a value.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub sample_count: u64,
    /// Whether there are fewer than 50.
    pub low_sample: bool,
    /// Percentiles of the parts.
    #[serde(flatten)]
    pub parts: LcpParts,
    /// Means of the parts.
    #[serde(flatten)]
    pub means: LcpMeans,
    /// Shares of the means.
    #[serde(flatten)]
    pub shares: LcpShares,
    /// By what was painted, the most common first.
    pub resource_types: Vec<LcpType>,
    /// By class of device, the most common first.
    pub by_device: Vec<LcpDevice>,
    /// The share of images that were fetched with high priority, among those of which it is known; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub fetch_priority_high_pct: Option<f64>,
    /// The share of images that were loaded lazily, among those of which it is known: a common mistake. Null where it
    /// is known of none.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub lazy_loaded_pct: Option<f64>,
    /// The share of resources that were preloaded, among those of which it is known; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub preload_pct: Option<f64>,
    /// The days of the window, in order.
    pub items: Vec<LcpDay>,
}

/// Views whose largest paint was of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumLcpType))]
pub struct LcpType {
    /// The kind.
    #[serde(rename = "type")]
    pub kind: PaintKind,
    /// How many views there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pageviews: u64,
    /// Their share in all that had a value, in percent; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub share_pct: Option<f64>,
    /// The 75th percentile in milliseconds; null without a value.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub lcp_ms: Option<f64>,
}

/// Views on one class of device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumLcpDevice))]
pub struct LcpDevice {
    /// The class.
    pub device: DeviceName,
    /// How many views there are.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pageviews: u64,
    /// Percentiles of the parts.
    #[serde(flatten)]
    pub parts: LcpParts,
}

/// Views of one day.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumLcpDay))]
pub struct LcpDay {
    /// The UTC day.
    #[serde(deserialize_with = "day")]
    pub date: Day,
    /// How many views had a value.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pageviews: u64,
    /// Percentiles of the parts.
    #[serde(flatten)]
    pub parts: LcpParts,
}

/// An element that was the largest paint of views, with its resource.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RumLcpElementFigures))]
pub struct LcpElement {
    /// A CSS selector, redacted; null where it was not told.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub element: Option<String>,
    /// Its `id`, redacted; null where it has none. Where elements of one selector differ, the most common.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub element_id: Option<String>,
    /// Its `class`, redacted; null where it has none. Where elements of one selector differ, the most common.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub element_class: Option<String>,
    /// The address of its resource, without the query; null for text.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub resource_url: Option<String>,
    /// The kind of the element.
    pub resource_type: PaintKind,
    /// How many views had it as their largest paint.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pageviews: u64,
    /// Their share in all views with a largest paint, in percent; null without any.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub share_pct: Option<f64>,
    /// Whether there are fewer than 50.
    pub low_sample: bool,
    /// Percentiles of the parts.
    #[serde(flatten)]
    pub parts: LcpParts,
    /// The mean size of the resource as it was transferred, in bytes; null where no server let the page know it.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0))]
    pub avg_bytes: Option<f64>,
    /// On how many pages it was.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pages_count: u64,
    /// The page that it was on most often, without the query.
    pub sample_url: String,
}
