//! Limits an hour, by a sliding window: the hour of the clock, and of the one before the share that is not over an
//! hour old.

use std::{
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex},
    time::Duration,
};

use moka::sync::Cache;
use pharos_domain::hourly_limit::{HourlyAdmission, HourlyRequest};
use time::OffsetDateTime;

use super::entries::{entries, lock};

/// Longer than two hours, since the hour before counts.
const FORGET_AFTER: Duration = Duration::from_secs(2 * 3_600 + 60);

/// How long a window is.
pub(super) const HOUR_SECONDS: i64 = 3_600;

/// The counts of a window and of the one before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hour {
    /// The window that `current` belongs to, in hours of the Unix epoch.
    pub(super) window: i64,
    /// In this window.
    pub(super) current: u32,
    /// In the one before.
    pub(super) previous: u32,
}

/// The window of a moment, and how many seconds of it have passed.
pub(super) fn place(now: OffsetDateTime) -> (i64, i64) {
    let seconds = now.unix_timestamp();
    (seconds.div_euclid(HOUR_SECONDS), seconds.rem_euclid(HOUR_SECONDS))
}

impl Hour {
    /// Moves on to the window of a moment. The one before this one counts as this one, since nodes may differ a little. A window that
    /// lies further ahead than that was counted by a clock that was wrong, and begins anew.
    pub(super) fn move_on(&mut self, window: i64) {
        if !(self.window - 1..=self.window).contains(&window) {
            self.previous = if window == self.window + 1 {
                self.current
            } else {
                0
            };
            self.current = 0;
            self.window = window;
        }
    }

    /// Whether `weight` more has room, so many seconds into the window; if not, in how many seconds it has.
    pub(super) fn judge(&self, elapsed: i64, per_hour: u32, weight: u32) -> HourlyAdmission {
        let (limit, weight) = (i64::from(per_hour), i64::from(weight));
        let (current, previous) = (i64::from(self.current), i64::from(self.previous));
        // Rounded up, so that nothing leaves early.
        let left = (previous * (HOUR_SECONDS - elapsed) + HOUR_SECONDS - 1) / HOUR_SECONDS;
        if current + left + weight <= limit {
            return HourlyAdmission::Admitted;
        }
        // When enough of the window before has left, else of this one once it is the window before.
        let leaves = |counted: i64, room: i64| HOUR_SECONDS - room.max(0) * HOUR_SECONDS / counted.max(1);
        let wait = if current + weight <= limit {
            leaves(previous, limit - current - weight) - elapsed
        } else {
            HOUR_SECONDS - elapsed + leaves(current, limit - weight)
        };
        HourlyAdmission::Refused {
            retry_after_seconds: u32::try_from(wait.max(1)).unwrap_or(u32::MAX),
        }
    }
}

/// Counts in the memory of this node. Subjects are hashed under a secret of this process.
#[derive(Debug)]
pub(super) struct Hours {
    counts: Cache<(&'static str, u64), Arc<Mutex<Hour>>>,
    subjects: RandomState,
}

impl Default for Hours {
    fn default() -> Self {
        Self {
            counts: entries(FORGET_AFTER),
            subjects: RandomState::new(),
        }
    }
}

impl Hours {
    /// Judges a request, and counts it if it is let in.
    pub(super) fn admit(&self, request: &HourlyRequest<'_>) -> HourlyAdmission {
        let (window, elapsed) = place(request.now);
        let HourlyRequest { limit, weight, .. } = *request;
        self.with(request, |hour| {
            hour.move_on(window);
            let admission = hour.judge(elapsed, limit.per_hour, weight);
            if admission == HourlyAdmission::Admitted {
                hour.current = hour.current.saturating_add(weight);
            }
            admission
        })
    }

    /// Counts a request that was let in by others.
    pub(super) fn count(&self, request: &HourlyRequest<'_>) {
        let (window, _) = place(request.now);
        self.with(request, |hour| {
            hour.move_on(window);
            hour.current = hour.current.saturating_add(request.weight);
        });
    }

    fn with<T>(&self, request: &HourlyRequest<'_>, change: impl FnOnce(&mut Hour) -> T) -> T {
        let subject = self.subjects.hash_one(request.subject);
        let hour = self.counts.get_with((request.limit.name, subject), Arc::default);
        change(&mut lock(&hour))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hour(current: u32, previous: u32) -> Hour {
        Hour {
            window: 7,
            current,
            previous,
        }
    }

    /// Computed by hand. 20 an hour: with 10 before and 10 now there is room for one more once a tenth of the hour
    /// has passed (9 + 10 + 1).
    #[test]
    fn what_was_counted_leaves_bit_by_bit() {
        assert_eq!(hour(10, 10).judge(360, 20, 1), HourlyAdmission::Admitted);
        assert_eq!(
            hour(10, 10).judge(0, 20, 1),
            HourlyAdmission::Refused {
                retry_after_seconds: 360
            }
        );
        // All 20 now: one leaves after a twentieth of the next hour.
        assert_eq!(
            hour(20, 0).judge(3_000, 20, 1),
            HourlyAdmission::Refused {
                retry_after_seconds: 600 + 180
            }
        );
        assert_eq!(hour(18, 0).judge(0, 20, 2), HourlyAdmission::Admitted);
        assert!(matches!(
            hour(19, 0).judge(0, 20, 2),
            HourlyAdmission::Refused { .. }
        ));
    }

    #[test]
    fn whoever_waits_as_told_is_let_in() {
        for current in 0..=20 {
            for previous in 0..=20 {
                for (elapsed, weight) in (0..HOUR_SECONDS)
                    .step_by(97)
                    .flat_map(|elapsed| [1, 7, 20].map(|weight| (elapsed, weight)))
                {
                    let start = hour(current, previous);
                    if let HourlyAdmission::Refused { retry_after_seconds } = start.judge(elapsed, 20, weight)
                    {
                        let then = start.window * HOUR_SECONDS + elapsed + i64::from(retry_after_seconds);
                        let mut later = start;
                        later.move_on(then / HOUR_SECONDS);
                        let admitted = later.judge(then % HOUR_SECONDS, 20, weight);
                        let asked = format!("{weight} at {elapsed} of {start:?}");
                        assert_eq!(admitted, HourlyAdmission::Admitted, "{asked}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_clock_that_was_far_ahead_leaves_no_count_behind() {
        let mut counted = hour(20, 20);
        counted.move_on(6);
        assert_eq!(counted, hour(20, 20));
        counted.move_on(5);
        let begun = Hour {
            window: 5,
            ..Hour::default()
        };
        assert_eq!(counted, begun);
    }

    #[test]
    fn an_hour_without_requests_forgets() {
        let mut hour = hour(20, 20);
        hour.move_on(8);
        assert_eq!((hour.current, hour.previous), (0, 20));
        hour.move_on(10);
        assert_eq!((hour.current, hour.previous), (0, 0));
        hour.move_on(9);
        assert_eq!(hour.window, 10);
    }
}
