//! The registration of a domain: what its registry says over RDAP, and what follows from it.

pub mod change;
pub mod name;
pub mod rdap;
pub mod store;
pub mod watch;

use pharos_domain::wire_enum;
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};

/// Days before the end from which on a registration expires soon, where a monitor names none.
const WARN_DAYS: u32 = 60;

wire_enum! {
    /// The state of a registration.
    RegistrationState {
        /// It holds, and its end is further away than any day to warn on.
        Active = "active",
        /// Its end is near.
        ExpiringSoon = "expiring_soon",
        /// Its end is over.
        Expired = "expired",
        /// It was deleted, and can still be restored (RFC 3915, redemptionPeriod and pendingRestore).
        Redemption = "redemption",
        /// It was deleted, and is about to be purged.
        PendingDelete = "pending_delete",
        /// The registry publishes no end, or nothing is known.
        Unknown = "unknown",
    }
}

wire_enum! {
    /// Where registration data comes from.
    RegistrationSource {
        /// The registry's RDAP service.
        Rdap = "rdap",
        /// Nowhere: the top-level domain has no RDAP service, or it has not answered yet.
        None = "none",
    }
}

/// A registration as its registry shows it; `None` stands for members that it does not show. Nothing is kept of the
/// registrant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registration {
    /// The name in Unicode, as the registry spells it.
    pub unicode_name: Option<String>,
    /// The registry's id of the domain.
    pub handle: Option<String>,
    /// When it was first registered.
    #[serde(with = "time::serde::rfc3339::option")]
    pub registered_at: Option<OffsetDateTime>,
    /// When it ends.
    #[serde(with = "time::serde::rfc3339::option")]
    pub expires_at: Option<OffsetDateTime>,
    /// When it last changed.
    #[serde(with = "time::serde::rfc3339::option")]
    pub last_changed_at: Option<OffsetDateTime>,
    /// When it last went from one registrar to another.
    #[serde(with = "time::serde::rfc3339::option")]
    pub transferred_at: Option<OffsetDateTime>,
    /// When the RDAP server's own data was last brought up to date.
    #[serde(with = "time::serde::rfc3339::option")]
    pub rdap_updated_at: Option<OffsetDateTime>,
    /// The statuses (RFC 8056) in snake_case, sorted; `None` where the answer has no such member.
    pub statuses: Option<Vec<String>>,
    /// The company that the name is registered with.
    pub registrar: Registrar,
    /// The name servers: lower case, sorted.
    pub nameservers: Vec<String>,
    /// Whether the parent zone has DS records of the domain.
    pub dnssec_signed: Option<bool>,
    /// How many.
    pub ds_records_count: Option<u32>,
    /// The URL that answered.
    pub source_url: String,
}

/// The registrar of a domain, and where to report its abuse.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registrar {
    /// The name as the registry gives it; `None` where it does not.
    pub name: Option<String>,
    /// Its number in IANA's list of registrars.
    pub iana_id: Option<String>,
    /// The address of its website, if the registry links one.
    pub url: Option<String>,
    /// Its address for abuse.
    pub abuse_email: Option<String>,
}

impl Registration {
    /// The state at `now`, for a monitor that warns on these days before the end.
    #[must_use]
    pub fn state(&self, warn_days: &[u32], now: OffsetDateTime) -> RegistrationState {
        // While a deleted domain can be restored it has both statuses (RFC 3915, section 2).
        if self.has_status("redemption_period") || self.has_status("pending_restore") {
            return RegistrationState::Redemption;
        }
        if self.has_status("pending_delete") {
            return RegistrationState::PendingDelete;
        }
        let Some(expires_at) = self.expires_at else {
            return RegistrationState::Unknown;
        };
        let warn_days = warn_days.iter().max().copied().unwrap_or(WARN_DAYS);
        if expires_at <= now {
            RegistrationState::Expired
        } else if days_between(now, expires_at) <= i64::from(warn_days) {
            RegistrationState::ExpiringSoon
        } else {
            RegistrationState::Active
        }
    }

    /// Whole days from `now` until the end, rounded down: 0 is within 24 hours, negative is over.
    #[must_use]
    pub fn days_remaining(&self, now: OffsetDateTime) -> Option<i64> {
        self.expires_at.map(|end| days_between(now, end))
    }

    /// Whether a transfer to another registrar is prohibited; `None` where the answer has no statuses.
    #[must_use]
    pub fn is_transfer_locked(&self) -> Option<bool> {
        self.statuses.as_ref().map(|_| {
            self.has_status("client_transfer_prohibited") || self.has_status("server_transfer_prohibited")
        })
    }

    fn has_status(&self, name: &str) -> bool {
        self.statuses.iter().flatten().any(|status| status == name)
    }
}

/// Whole days between two moments, rounded down.
#[must_use]
pub fn days_between(now: OffsetDateTime, end: OffsetDateTime) -> i64 {
    (end - now)
        .whole_seconds()
        .div_euclid(Duration::DAY.whole_seconds())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);

    fn registration(expires_at: Option<OffsetDateTime>, statuses: &[&str]) -> Registration {
        Registration {
            expires_at,
            statuses: Some(statuses.iter().map(|status| (*status).to_owned()).collect()),
            ..Registration::default()
        }
    }

    #[test]
    fn days_are_rounded_down() {
        for (end, days) in [
            (datetime!(2026-04-01 09:15:00 UTC), 1),
            (datetime!(2026-04-01 09:14:59 UTC), 0),
            (NOW, 0),
            (datetime!(2026-03-31 09:14:59 UTC), -1),
            (datetime!(2026-03-30 09:14:59 UTC), -2),
        ] {
            assert_eq!(
                registration(Some(end), &[]).days_remaining(NOW),
                Some(days),
                "{end}"
            );
        }
        assert_eq!(registration(None, &[]).days_remaining(NOW), None);
    }

    #[test]
    fn the_state_follows_from_the_end_and_the_largest_day_to_warn_on() {
        let state = |end, warn: &[u32]| registration(Some(end), &["active"]).state(warn, NOW);
        let in_60_days = NOW + Duration::days(61) - Duration::SECOND;
        let in_61_days = NOW + Duration::days(61);
        assert_eq!(state(in_60_days, &[]), RegistrationState::ExpiringSoon);
        assert_eq!(state(in_61_days, &[]), RegistrationState::Active);
        assert_eq!(state(in_60_days, &[7, 30]), RegistrationState::Active);
        assert_eq!(state(in_61_days, &[7, 61]), RegistrationState::ExpiringSoon);
        assert_eq!(
            state(NOW + Duration::SECOND, &[]),
            RegistrationState::ExpiringSoon
        );
        assert_eq!(state(NOW, &[]), RegistrationState::Expired);
        assert_eq!(
            registration(None, &[]).state(&[], NOW),
            RegistrationState::Unknown
        );
    }

    /// RFC 3915, section 2: a domain in redemptionPeriod or pendingRestore is pendingDelete as well.
    #[test]
    fn a_deleted_domain_says_whether_it_can_be_restored() {
        let end = Some(NOW + Duration::days(300));
        let state = |statuses: &[&str]| registration(end, statuses).state(&[], NOW);
        assert_eq!(
            state(&["pending_delete", "redemption_period"]),
            RegistrationState::Redemption
        );
        assert_eq!(
            state(&["pending_delete", "pending_restore"]),
            RegistrationState::Redemption
        );
        assert_eq!(state(&["pending_delete"]), RegistrationState::PendingDelete);
        assert_eq!(
            registration(None, &["pending_delete"]).state(&[], NOW),
            RegistrationState::PendingDelete
        );
    }

    #[test]
    fn a_transfer_is_locked_by_either_side_and_unknown_without_statuses() {
        let locked = |statuses: &[&str]| registration(None, statuses).is_transfer_locked();
        assert_eq!(locked(&["client_transfer_prohibited"]), Some(true));
        assert_eq!(locked(&["server_transfer_prohibited"]), Some(true));
        assert_eq!(locked(&["pending_transfer", "active"]), Some(false));
        assert_eq!(locked(&[]), Some(false));
        assert_eq!(Registration::default().is_transfer_locked(), None);
    }
}
