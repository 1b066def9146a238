//! How many queries a site stands where for.

use std::collections::BTreeMap;

use pharos_domain::wire_enum;
use time::Date;

use super::super::figures::share_pct;

wire_enum! {
    /// A range of positions. The last position of each belongs to it: a query at 3.0 is in the top 3, one at 3.1 is not.
    Band as "SearchPositionBand" {
        /// Up to 3.
        Top3 = "top_3",
        /// Beyond 3, up to 10: the rest of the first page.
        To10 = "4_10",
        /// Beyond 10, up to 20: the second page.
        To20 = "11_20",
        /// Beyond 20, up to 50.
        To50 = "21_50",
        /// Beyond 50.
        Beyond50 = "51_plus",
    }
}

/// How many bands there are.
pub const BANDS: usize = Band::ALL.len();

/// The last position of each band but the last, which has none.
pub const ENDS: [f64; BANDS - 1] = [3.0, 10.0, 20.0, 50.0];

impl Band {
    /// The band of an average position, as it is, not rounded.
    #[must_use]
    pub fn of(position: f64) -> Self {
        let place = ENDS.iter().take_while(|end| position > **end).count();
        Self::ALL.get(place).copied().unwrap_or(Self::Beyond50)
    }
}

/// The sums of the queries of a band.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BandFigures {
    /// How many they are.
    pub queries: u64,
    /// How often the site was among their results.
    pub impressions: u64,
    /// How often somebody came from them.
    pub clicks: u64,
}

/// The bands of a window, of the same number of days before, and of each day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Positions {
    /// Those of the window, by the average position of a query in it.
    pub current: [BandFigures; BANDS],
    /// How many queries the bands had before.
    pub previous: [u64; BANDS],
    /// How many queries they have on each day on which the property had anything, by the average position of a query on it.
    pub days: BTreeMap<Date, [u64; BANDS]>,
}

/// A band as it is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandShare {
    /// The band.
    pub band: Band,
    /// The sums of its queries.
    pub figures: BandFigures,
    /// Its share of all queries, in percent; `None` where there are none.
    pub share_pct: Option<f64>,
    /// By how many queries it has grown; `None`: what was before is not known.
    pub queries_change: Option<i64>,
}

impl Positions {
    /// The bands, the best first. `has_previous`: whether the days before were imported.
    #[must_use]
    pub fn shares(&self, has_previous: bool) -> Vec<BandShare> {
        let all: u64 = self.current.iter().map(|band| band.queries).sum();
        let bands = Band::ALL.iter().zip(&self.current).zip(&self.previous);
        bands
            .map(|((band, figures), previous)| BandShare {
                band: *band,
                figures: *figures,
                share_pct: share_pct(figures.queries, all),
                queries_change: has_previous.then(|| figures.queries.cast_signed() - previous.cast_signed()),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_position_of_a_band_belongs_to_it() {
        let table = [
            (1.0, Band::Top3),
            (3.0, Band::Top3),
            (3.01, Band::To10),
            (10.0, Band::To10),
            (10.4, Band::To20),
            (20.0, Band::To20),
            (50.0, Band::To50),
            (50.5, Band::Beyond50),
            (312.0, Band::Beyond50),
        ];
        for (position, band) in table {
            assert_eq!(Band::of(position), band, "{position}");
        }
    }

    /// 3 of 4 queries in the top 3, where 5 were before.
    #[test]
    fn shares_are_of_queries() {
        let mut positions = Positions::default();
        positions.current[0] = BandFigures {
            queries: 3,
            impressions: 90,
            clicks: 30,
        };
        positions.current[4].queries = 1;
        positions.previous[0] = 5;
        let shares = positions.shares(true);
        let told: Vec<_> = shares
            .iter()
            .map(|share| (share.share_pct, share.queries_change))
            .collect();
        assert_eq!(
            told,
            [
                (Some(75.0), Some(-2)),
                (Some(0.0), Some(0)),
                (Some(0.0), Some(0)),
                (Some(0.0), Some(0)),
                (Some(25.0), Some(1)),
            ]
        );
        assert_eq!(positions.shares(false)[0].queries_change, None);
        assert_eq!(Positions::default().shares(true)[0].share_pct, None);
    }
}
