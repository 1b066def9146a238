//! Sessions and links: how long they hold.

use time::{Duration, OffsetDateTime};

use super::store::Session;

/// Every secret of a session begins with it.
pub const SESSION_PREFIX: &str = "pse_";
/// Every secret of a link begins with it.
pub const LINK_PREFIX: &str = "psl_";
/// Every secret of a sign-in that waits for its second factor begins with it.
pub const PENDING_PREFIX: &str = "pso_";
/// So long a sign-in waits for its second factor.
pub const PENDING_FOR: Duration = Duration::minutes(10);
/// So often the second factor of one sign-in is tried.
pub const PENDING_ATTEMPTS: i16 = 5;
/// A new second factor is confirmed within this time, or begun again.
pub const SET_UP_WITHIN: Duration = Duration::HOUR;
/// A session ends so long after its last use.
pub const IDLE_FOR: Duration = Duration::hours(12);
/// A session ends so long after the user signed in, used or not.
pub const LIFETIME: Duration = Duration::days(14);
/// A link is good for so long, and for one use.
pub const LINK_LIFETIME: Duration = Duration::hours(24);
/// The use of a session is written down at most so often.
pub const TOUCH_EVERY: Duration = Duration::minutes(1);

impl Session {
    /// Whether the session holds at `now`.
    #[must_use]
    pub fn holds(&self, now: OffsetDateTime) -> bool {
        now < self.last_used_at + IDLE_FOR && now < self.signed_in_at + LIFETIME
    }

    /// Whether its use is to be written down again.
    #[must_use]
    pub fn is_stale(&self, now: OffsetDateTime) -> bool {
        self.last_used_at + TOUCH_EVERY <= now
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::ids::UserId;
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);

    fn session(signed_in_at: OffsetDateTime, last_used_at: OffsetDateTime) -> Session {
        Session {
            user: UserId::generate(),
            email: "ada@example.org".to_owned(),
            name: "Ada".to_owned(),
            signed_in_at,
            last_used_at,
            is_operator: false,
        }
    }

    #[test]
    fn a_session_ends_12_hours_after_its_last_use() {
        let session = session(NOW, NOW);
        assert!(session.holds(NOW + IDLE_FOR - Duration::SECOND));
        assert!(!session.holds(NOW + IDLE_FOR));
    }

    #[test]
    fn a_session_that_is_used_all_the_time_ends_after_14_days() {
        let end = NOW + LIFETIME;
        assert!(session(NOW, end - Duration::SECOND).holds(end - Duration::SECOND));
        assert!(!session(NOW, end - Duration::SECOND).holds(end));
    }

    #[test]
    fn its_use_is_written_once_a_minute() {
        let session = session(NOW, NOW);
        assert!(!session.is_stale(NOW + Duration::seconds(59)));
        assert!(session.is_stale(NOW + Duration::minutes(1)));
    }
}
