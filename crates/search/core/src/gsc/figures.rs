//! Search types, devices, and the figures that every row has.

use pharos_domain::{module_block::SearchFigures, wire_enum};

wire_enum! {
    /// Where in Google's products a site appeared.
    SearchType {
        /// The search for pages.
        Web = "web",
        /// The feed Discover. It has no queries and no positions.
        Discover = "discover",
        /// The tab News of the search.
        News = "news",
        /// Google News. It has no queries and no positions.
        GoogleNews = "google_news",
        /// The search for images.
        Image = "image",
        /// The search for videos.
        Video = "video",
    }
}

impl SearchType {
    /// Its number in the store, which never changes.
    #[must_use]
    pub const fn code(self) -> i16 {
        match self {
            Self::Web => 1,
            Self::Discover => 2,
            Self::News => 3,
            Self::GoogleNews => 4,
            Self::Image => 5,
            Self::Video => 6,
        }
    }

    /// The one with this number.
    #[must_use]
    pub fn of_code(code: i16) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.code() == code)
    }

    /// Whether it has queries, and ranks what it shows in a list. The others have neither queries nor positions.
    #[must_use]
    pub const fn is_ranked(self) -> bool {
        !matches!(self, Self::Discover | Self::GoogleNews)
    }
}

wire_enum! {
    /// The device on which people searched.
    Device as "SearchDevice" {
        /// A desktop computer.
        Desktop = "desktop",
        /// A phone.
        Mobile = "mobile",
        /// A tablet.
        Tablet = "tablet",
    }
}

impl Device {
    /// Its number in the store, which never changes.
    #[must_use]
    pub const fn code(self) -> i16 {
        match self {
            Self::Desktop => 1,
            Self::Mobile => 2,
            Self::Tablet => 3,
        }
    }

    /// The one with this number.
    #[must_use]
    pub fn of_code(code: i16) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.code() == code)
    }
}

/// Clicks and impressions, and where the site stood. Sums of these are such figures again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// How often somebody came from the results.
    pub clicks: u64,
    /// How often the site was among the results.
    pub impressions: u64,
    /// The positions of all impressions, added up. Zero where the search type has no positions.
    pub position_sum: f64,
}

impl Figures {
    /// Clicks an impression, 0 to 1; `None` without impressions.
    #[must_use]
    pub fn ctr(&self) -> Option<f64> {
        (self.impressions > 0).then(|| self.clicks as f64 / self.impressions as f64)
    }

    /// The average position of an impression, from 1 on; `None` without impressions, and where there are no positions.
    #[must_use]
    pub fn position(&self) -> Option<f64> {
        (self.impressions > 0 && self.position_sum > 0.0).then(|| self.position_sum / self.impressions as f64)
    }
}

impl From<Figures> for SearchFigures {
    fn from(figures: Figures) -> Self {
        Self {
            clicks: figures.clicks,
            impressions: figures.impressions,
            ctr: figures.ctr(),
            position: figures.position(),
        }
    }
}

/// A part of a whole in percent; `None` where there is nothing to be a part of.
#[must_use]
pub fn share_pct(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| 100.0 * part as f64 / whole as f64)
}

impl std::ops::AddAssign for Figures {
    fn add_assign(&mut self, other: Self) {
        self.clicks += other.clicks;
        self.impressions += other.impressions;
        self.position_sum += other.position_sum;
    }
}

impl std::iter::Sum for Figures {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, one| {
            sum += one;
            sum
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows of Search Console: 3 clicks of 10 impressions at position 2, none of 30 at position 6.
    #[test]
    fn positions_are_weighted_by_impressions() {
        let row = |clicks, impressions, position: f64| Figures {
            clicks,
            impressions,
            position_sum: position * impressions as f64,
        };
        let sum: Figures = [row(3, 10, 2.0), row(0, 30, 6.0)].into_iter().sum();
        assert_eq!(sum.ctr(), Some(0.075));
        assert_eq!(sum.position(), Some(5.0));
        assert_eq!(Figures::default().ctr(), None);
        assert_eq!(Figures::default().position(), None);
    }

    #[test]
    fn codes_are_read_back() {
        for kind in SearchType::ALL {
            assert_eq!(SearchType::of_code(kind.code()), Some(*kind));
        }
        for device in Device::ALL {
            assert_eq!(Device::of_code(device.code()), Some(*device));
        }
    }
}
