//! Views by a property that they share: a country, a class of device, a browser, a connection, a way to the page.

use async_trait::async_trait;
use pharos_domain::{identity::DomainAccess, store::StoreError, window::DateRange, wire_enum};

use crate::{
    metric::share_pct,
    overview::{ViewFigures, ViewFilter},
};

/// The properties by which views are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i16)]
pub enum Dimension {
    /// Where they came from.
    Country = 0,
    /// The class of device.
    Device = 1,
    /// How much memory the device has: [`MemoryClass`].
    Memory = 2,
    /// How wide the window is: [`ViewportClass`].
    Viewport = 3,
    /// The browser.
    Browser = 4,
    /// The browser and its version.
    BrowserVersion = 5,
    /// The operating system and its version.
    Os = 6,
    /// The effective type of the connection.
    Connection = 7,
    /// The protocol by which the document came.
    Protocol = 8,
    /// The round-trip time: [`RttBand`].
    Rtt = 9,
    /// How the browser came to the page.
    Navigation = 10,
}

wire_enum! {
    /// How much memory a device has. Only Chromium says, over https.
    MemoryClass as "RumMemoryClass" {
        /// 2 GiB at most.
        Low = "low",
        /// 4 GiB at most.
        Mid = "mid",
        /// More.
        High = "high",
    }
}

wire_enum! {
    /// How wide a window is.
    ViewportClass as "RumViewportClass" {
        /// Less than 768 px, as phones have it.
        Small = "small",
        /// Less than 1,280 px.
        Medium = "medium",
        /// 1,280 px or more.
        Large = "large",
    }
}

wire_enum! {
    /// How long the round trip takes, in the bands of CrUX.
    RttBand as "RumRttBand" {
        /// 75 ms at most.
        Low = "low",
        /// 275 ms at most.
        Medium = "medium",
        /// More.
        High = "high",
    }
}

/// The value that a slice's views have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SliceKey {
    /// A text, and a version of it.
    Text(String, Option<String>),
    /// The place of a kind in its type.
    Kind(usize),
    /// It is not known of them.
    Unknown,
}

impl SliceKey {
    /// The text; `None` where it is not known.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text, _) => Some(text),
            Self::Kind(_) | Self::Unknown => None,
        }
    }

    /// The kind of the slice; `None` where it is not known.
    #[must_use]
    pub fn kind<T: Copy>(&self, all: &[T]) -> Option<T> {
        match self {
            Self::Kind(place) => all.get(*place).copied(),
            Self::Text(..) | Self::Unknown => None,
        }
    }
}

/// Views that have something in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// The value that they have in common.
    pub key: SliceKey,
    /// The figures of those views.
    pub figures: ViewFigures,
}

/// The slices of views.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slices {
    /// Most views first.
    pub slices: Vec<Slice>,
    /// How many views there are, with those of slices that were left out.
    pub views: u64,
    /// Whether there are more slices than were requested.
    pub is_truncated: bool,
}

impl Slices {
    /// The share of all views that a slice has, in percent.
    #[must_use]
    pub fn share_pct(&self, slice: &Slice) -> f64 {
        share_pct(slice.figures.views, self.views).unwrap_or(0.0)
    }
}

/// Which of the core metrics a browser measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supported {
    /// Largest contentful paint.
    pub lcp: bool,
    /// Interaction to next paint.
    pub inp: bool,
    /// Cumulative layout shift.
    pub cls: bool,
}

impl Supported {
    /// Those of a browser, by its family, major version and operating system, as far as these are known: of Firefox LCP since
    /// 122 and INP since 144, of Safari both since 26, of either no layout shift (MDN's browser compatibility data). All
    /// browsers of iOS are Safari. A browser whose version is not known is a recent one.
    #[must_use]
    pub fn of(browser: Option<&str>, version: Option<&str>, os: Option<&str>) -> Self {
        let since = |first: u32| version.and_then(|version| version.parse().ok()).unwrap_or(first) >= first;
        let is_safari = browser == Some("Safari") || browser == Some("Mobile Safari");
        if os == Some("iOS") && !is_safari {
            Self {
                lcp: true,
                inp: true,
                cls: false,
            }
        } else if is_safari {
            Self {
                lcp: since(26),
                inp: since(26),
                cls: false,
            }
        } else if browser.is_some_and(|browser| browser.starts_with("Firefox")) {
            Self {
                lcp: since(122),
                inp: since(144),
                cls: false,
            }
        } else {
            Self {
                lcp: true,
                inp: true,
                cls: true,
            }
        }
    }
}

/// Reads views by what they have in common.
#[async_trait]
pub trait SliceReads: Send + Sync {
    /// The views of a window by each of these dimensions, `most` slices of each, with the percentile `percent` of every metric,
    /// exactly.
    async fn slices(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        filter: &ViewFilter,
        dimensions: &[Dimension],
        most: usize,
        percent: u8,
    ) -> Result<Vec<Slices>, StoreError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_measures_what_its_version_does() {
        let of = |browser, version, os| {
            let found = Supported::of(Some(browser), version, os);
            (found.lcp, found.inp, found.cls)
        };
        assert_eq!(of("Chrome", Some("140"), Some("Windows")), (true, true, true));
        assert_eq!(of("Chrome", Some("140"), Some("iOS")), (true, true, false));
        assert_eq!(of("Firefox", Some("121"), None), (false, false, false));
        assert_eq!(of("Firefox", Some("143"), None), (true, false, false));
        assert_eq!(of("Firefox", None, None), (true, true, false));
        assert_eq!(of("Safari", Some("18"), Some("macOS")), (false, false, false));
        assert_eq!(of("Safari", Some("26"), Some("macOS")), (true, true, false));
    }
}
