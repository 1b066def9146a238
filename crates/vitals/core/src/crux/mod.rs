//! Field data of the Chrome UX Report: 28 days of Chrome users who opted in, by origin and by URL.
//!
//! It is published by the API that <https://developer.chrome.com/docs/crux/api> describes. Records of an origin and of its
//! URLs are separate populations: neither stands in for the other.

pub mod alert_metrics;
pub mod assessment;
pub mod block;
pub mod breakdown;
pub mod client;
pub mod figures;
pub mod lookup;
pub mod metrics;
pub mod navigation;
pub mod record;
pub mod store;
pub mod target;
pub mod turns;
pub mod upstream;
pub mod watch;

use pharos_domain::wire_enum;

wire_enum! {
    /// The devices that a record is about.
    FormFactor as "CruxFormFactor" {
        /// All of them together, tablets among them.
        All = "all",
        /// Phones.
        Mobile = "mobile",
        /// Computers.
        Desktop = "desktop",
        /// Tablets.
        Tablet = "tablet",
    }
}

impl FormFactor {
    /// The name in requests to the API (`formFactor`); `None`: left out.
    #[must_use]
    pub const fn upstream(self) -> Option<&'static str> {
        match self {
            Self::All => None,
            Self::Mobile => Some("PHONE"),
            Self::Desktop => Some("DESKTOP"),
            Self::Tablet => Some("TABLET"),
        }
    }
}

wire_enum! {
    /// Whether a record is of an origin or of a page.
    Scope as "CruxScope" {
        /// All pages of an origin.
        Origin = "origin",
        /// One page.
        Url = "url",
    }
}

wire_enum! {
    /// A metric of a record.
    Metric as "CruxMetric" {
        /// Largest Contentful Paint, in milliseconds.
        Lcp = "lcp",
        /// Interaction to Next Paint, in milliseconds.
        Inp = "inp",
        /// Cumulative Layout Shift.
        Cls = "cls",
        /// First Contentful Paint, in milliseconds.
        Fcp = "fcp",
        /// Time to First Byte, in milliseconds.
        Ttfb = "ttfb",
        /// The round-trip time of the connection, in milliseconds.
        Rtt = "rtt",
    }
}

wire_enum! {
    /// The unit of a metric.
    Unit as "CruxUnit" {
        /// Milliseconds.
        Ms = "ms",
        /// None.
        None = "none",
    }
}

impl Metric {
    /// The name in answers of the API.
    #[must_use]
    pub const fn upstream(self) -> &'static str {
        match self {
            Self::Lcp => "largest_contentful_paint",
            Self::Inp => "interaction_to_next_paint",
            Self::Cls => "cumulative_layout_shift",
            Self::Fcp => "first_contentful_paint",
            Self::Ttfb => "experimental_time_to_first_byte",
            Self::Rtt => "round_trip_time",
        }
    }

    /// The unit of its values.
    #[must_use]
    pub const fn unit(self) -> Unit {
        match self {
            Self::Cls => Unit::None,
            Self::Lcp | Self::Inp | Self::Fcp | Self::Ttfb | Self::Rtt => Unit::Ms,
        }
    }

    /// The same metric of real-user monitoring, whose bands it has; `None`: a round-trip time is low or high, and not good
    /// or poor.
    #[must_use]
    pub const fn vital(self) -> Option<crate::metric::Metric> {
        match self {
            Self::Lcp => Some(crate::metric::Metric::Lcp),
            Self::Inp => Some(crate::metric::Metric::Inp),
            Self::Cls => Some(crate::metric::Metric::Cls),
            Self::Fcp => Some(crate::metric::Metric::Fcp),
            Self::Ttfb => Some(crate::metric::Metric::Ttfb),
            Self::Rtt => None,
        }
    }
}

/// A share in percent with two decimals.
#[must_use]
pub fn pct(share: f64) -> f64 {
    (share * 10_000.0).round() / 100.0
}
