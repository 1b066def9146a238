//! The numbers of groupings in the tables.

use pharos_analytics::{breakdown::Grouping, dimension::Dimension};

use crate::dictionary;

/// The number of a grouping: that of its dimension, or one of its own where its values are in no dictionary or are pairs.
pub(crate) const fn number(grouping: Grouping) -> i16 {
    dictionary::number(match grouping {
        Grouping::SourceMedium => return -4,
        Grouping::Device => return -3,
        Grouping::Channel => return -2,
        Grouping::Source => Dimension::Source,
        Grouping::Medium => Dimension::Medium,
        Grouping::Campaign => Dimension::Campaign,
        Grouping::Term => Dimension::Term,
        Grouping::Content => Dimension::Content,
        Grouping::Referrer => Dimension::Referrer,
        Grouping::ReferrerPath => Dimension::ReferrerPath,
        Grouping::Country => Dimension::Country,
        Grouping::Region => Dimension::Region,
        Grouping::City => Dimension::City,
        Grouping::Browser => Dimension::Browser,
        Grouping::BrowserVersion => Dimension::BrowserVersion,
        Grouping::Os => Dimension::Os,
        Grouping::OsVersion => Dimension::OsVersion,
        Grouping::Screen => Dimension::Screen,
    })
}

/// The numbers of all groupings, each of which is rolled up.
pub(crate) fn numbers() -> Vec<i16> {
    Grouping::ALL.iter().copied().map(number).collect()
}
