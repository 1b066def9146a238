//! Moments as PostgreSQL keeps them: to the microsecond.

use pharos_domain::timestamp::in_utc;
use time::OffsetDateTime;

/// The moment as it is kept; `None` where no answer could show it. PostgreSQL could keep all that answers can.
pub fn storable(moment: OffsetDateTime) -> Option<OffsetDateTime> {
    in_utc(moment).map(to_micros)
}

/// A moment by two clocks.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// By the node's clock, or the database's where the node's is ahead.
    pub now: OffsetDateTime,
    /// By the database's clock.
    pub present: OffsetDateTime,
}

impl Moment {
    /// The moment that is `now` on the node.
    pub fn new(now: OffsetDateTime, present: OffsetDateTime) -> Self {
        Self {
            now: to_micros(now.min(present)),
            present,
        }
    }
}

/// The moment without what lies below the microsecond.
pub fn to_micros(moment: OffsetDateTime) -> OffsetDateTime {
    let nanosecond = moment.nanosecond() / 1_000 * 1_000;
    moment.replace_nanosecond(nanosecond).unwrap_or(moment)
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn cuts_off_and_never_rounds() {
        let moment = datetime!(2026-03-31 09:15:00.123456789 UTC);
        assert_eq!(to_micros(moment), datetime!(2026-03-31 09:15:00.123456 UTC));
        let edge = datetime!(2026-03-31 09:15:00.999999999 UTC);
        assert_eq!(to_micros(edge), datetime!(2026-03-31 09:15:00.999999 UTC));
    }
}
