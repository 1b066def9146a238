//! Who searched for the brand, and who for something else.

use time::Date;

use super::super::figures::Figures;
use super::BrandDay;

/// The figures of a property, told apart by what was searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BrandSplit {
    /// The figures of queries for the brand.
    pub branded: Figures,
    /// The figures of the other queries that are known.
    pub non_branded: Figures,
    /// The figures of queries that the upstream does not tell since they are rare: the property's figures less those of the
    /// queries. They have no position.
    pub anonymized: Figures,
}

impl BrandSplit {
    /// The split of a day. Queries are never told to come to more than the property.
    #[must_use]
    pub fn of(day: &BrandDay) -> Self {
        let left = |total: u64, branded: u64, other: u64| total.saturating_sub(branded.saturating_add(other));
        let BrandDay {
            date: _,
            total,
            branded,
            non_branded,
        } = *day;
        Self {
            branded,
            non_branded,
            anonymized: Figures {
                clicks: left(total.clicks, branded.clicks, non_branded.clicks),
                impressions: left(total.impressions, branded.impressions, non_branded.impressions),
                position_sum: 0.0,
            },
        }
    }
}

impl std::ops::AddAssign for BrandSplit {
    fn add_assign(&mut self, other: Self) {
        self.branded += other.branded;
        self.non_branded += other.non_branded;
        self.anonymized += other.anonymized;
    }
}

/// The splits of days, and what they come to together.
#[must_use]
pub fn split(days: &[BrandDay]) -> (BrandSplit, Vec<(Date, BrandSplit)>) {
    let by_day: Vec<_> = days.iter().map(|day| (day.date, BrandSplit::of(day))).collect();
    let mut sum = BrandSplit::default();
    for (_, day) in &by_day {
        sum += *day;
    }
    (sum, by_day)
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    fn figures(clicks: u64, impressions: u64, position: f64) -> Figures {
        Figures {
            clicks,
            impressions,
            position_sum: position * impressions as f64,
        }
    }

    /// 10 clicks of the property: 4 of queries for the brand, 3 of others, and 3 of queries that are not told.
    #[test]
    fn what_queries_do_not_come_to_is_anonymized() {
        let day = |date, total| BrandDay {
            date,
            total,
            branded: figures(4, 8, 1.0),
            non_branded: figures(3, 60, 7.0),
        };
        let days = [
            day(date!(2026 - 03 - 01), figures(10, 100, 6.0)),
            // The upstream counts queries once more on the second: never less than nothing is left.
            day(date!(2026 - 03 - 02), figures(6, 100, 6.0)),
        ];
        let (sum, by_day) = split(&days);
        assert_eq!(
            (sum.branded.clicks, sum.non_branded.clicks, sum.anonymized.clicks),
            (8, 6, 3)
        );
        assert_eq!(sum.anonymized.impressions, 64);
        assert_eq!(sum.branded.position(), Some(1.0));
        assert_eq!(sum.anonymized.position(), None);
        assert_eq!(by_day[1].1.anonymized.clicks, 0);
    }
}
