//! The blocks of a domain's overview. Port and payload share their shapes.

use serde::Serialize;

/// A module's block.
#[derive(Clone, Debug, PartialEq)]
pub enum OverviewBlock {
    /// Uptime, TLS and domain registration.
    Uptime(UptimeBlock),
    /// Real-user monitoring.
    Rum(DeviceVitals),
    /// Field performance.
    Crux(Versus<DeviceVitals>),
    /// Search performance.
    Gsc(Versus<SearchBlock>),
    /// Web analytics.
    Analytics(Versus<AnalyticsBlock>),
}

/// A block, and what it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Versus<T> {
    /// The block of the current window.
    pub current: T,
    /// The block of the window before; `None` where nothing was recorded.
    pub previous: Option<T>,
}

/// Uptime over the window, and the state now.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OverviewUptime))]
pub struct UptimeBlock {
    /// Availability of the window in percent, weighted by time; null where the whole window is unobserved.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub uptime_pct: Option<f64>,
    /// Whole days until the certificate ends, rounded down: 0 is within 24 hours, negative is over. Null without TLS.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ssl_days_remaining: Option<i64>,
    /// Whole days until the domain's registration ends, rounded down; null while it is not known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub domain_days_remaining: Option<i64>,
    /// Whether the site now refuses the prober with 403, but not its visitors.
    pub is_blocked_403: bool,
    /// The checks of the window, from all regions.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub checks_total: u64,
}

/// Web vitals by class of device.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OverviewVitals))]
pub struct DeviceVitals {
    /// Phones; null where none were seen.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub mobile: Option<Vitals>,
    /// Desktop computers; null where none were seen.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub desktop: Option<Vitals>,
}

/// Web vitals: 75th percentiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OverviewDeviceVitals))]
pub struct Vitals {
    /// Largest Contentful Paint in milliseconds; null where it was not measured.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub lcp_ms: Option<f64>,
    /// Cumulative Layout Shift, without a unit; null where it was not measured.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub cls: Option<f64>,
    /// Interaction to Next Paint in milliseconds; null where nobody interacted.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub inp_ms: Option<f64>,
    /// Time to First Byte in milliseconds; null where it was not measured.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub ttfb_ms: Option<f64>,
}

/// Search performance by search type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OverviewSearch))]
pub struct SearchBlock {
    /// Web search; null where the domain did not appear.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub web: Option<SearchFigures>,
    /// Discover; null where the domain did not appear.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub discover: Option<SearchFigures>,
    /// Google News; null where the domain did not appear.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub news: Option<SearchFigures>,
}

/// Search performance in one search type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OverviewSearchFigures))]
pub struct SearchFigures {
    /// Clicks.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub clicks: u64,
    /// Impressions.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub impressions: u64,
    /// Clicks ÷ impressions, 0 to 1; null without impressions.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 1))]
    pub ctr: Option<f64>,
    /// The mean position from 1, lower is better; null without impressions, and where there is no ranked list.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub position: Option<f64>,
}

/// Visits of the window.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = OverviewAnalytics))]
pub struct AnalyticsBlock {
    /// Visitors: the sum of each day's.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub visitors: u64,
    /// Pageviews.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub pageviews: u64,
    /// Sessions.
    #[cfg_attr(feature = "openapi", schema(minimum = 0))]
    pub sessions: u64,
    /// The share of sessions with a single pageview, in percent; null without sessions.
    #[cfg_attr(feature = "openapi", schema(required, minimum = 0, maximum = 100))]
    pub bounce_rate_pct: Option<f64>,
    /// The mean length of a session in seconds; null without sessions.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub avg_duration_seconds: Option<f64>,
}
