//! How far back and forth windows reach.

use time::{Date, Duration, OffsetDateTime, UtcOffset};

use super::date_range::months_before;
use crate::module::Module;

/// The bounds that windows of a module are resolved against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// When the request was made.
    pub now: OffsetDateTime,
    /// The UTC day of `now`. No window reaches beyond it.
    pub today: Date,
    /// Where a window ends that a caller gives no end: today, for search performance two days ago.
    pub default_end: Date,
    /// The first day of which the module's data is kept.
    pub earliest: Date,
}

impl Horizon {
    /// The horizon of a module's windows at `now`.
    #[must_use]
    pub fn of(module: Module, now: OffsetDateTime) -> Self {
        let now = now.to_offset(UtcOffset::UTC);
        let today = now.date();
        let behind = if module == Module::Gsc { 2 } else { 0 };
        Self {
            now,
            today,
            default_end: today.saturating_sub(Duration::days(behind)),
            earliest: months_before(today, retention_months(module)),
        }
    }
}

/// How many months a module's data is kept. A module that shows the data of others has the longest: each of theirs
/// has its own end.
const fn retention_months(module: Module) -> u16 {
    match module {
        Module::Uptime | Module::Synthetic | Module::Robots | Module::Indexing | Module::Sitemap => 12,
        Module::Rum | Module::Crux => 16,
        Module::Gsc
        | Module::Analytics
        | Module::Alerts
        | Module::Notifications
        | Module::Reports
        | Module::Credits
        | Module::Platform => 120,
    }
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn data_is_kept_as_long_as_the_table_says() {
        let now = datetime!(2026-03-31 09:15 UTC);
        for (module, earliest, default_end) in [
            (Module::Uptime, date!(2025 - 03 - 31), date!(2026 - 03 - 31)),
            // November has no 31st.
            (Module::Rum, date!(2024 - 11 - 30), date!(2026 - 03 - 31)),
            (Module::Crux, date!(2024 - 11 - 30), date!(2026 - 03 - 31)),
            (Module::Gsc, date!(2016 - 03 - 31), date!(2026 - 03 - 29)),
            (Module::Analytics, date!(2016 - 03 - 31), date!(2026 - 03 - 31)),
        ] {
            let horizon = Horizon::of(module, now);
            assert_eq!(
                (horizon.earliest, horizon.default_end),
                (earliest, default_end),
                "{module}"
            );
        }
    }

    #[test]
    fn today_is_a_utc_day() {
        let horizon = Horizon::of(Module::Uptime, datetime!(2026-04-01 01:30 +2));
        assert_eq!(horizon.today, date!(2026 - 03 - 31));
    }
}
