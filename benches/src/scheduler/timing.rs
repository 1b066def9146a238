//! When checks began, against when they were due.
//!
//! A domain's slots lie whole intervals apart from a beginning of its own, which every later slot tells: the next one
//! stands in the schedule. So what was due when is known afterwards, whatever the scheduler did.

use std::collections::HashMap;

use uuid::Uuid;

/// Microseconds since 1970.
pub(super) type Micros = i64;

/// How the slots of the counted time were kept.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Timing {
    /// The slot of each check, and how long after it the check began.
    pub(super) lags: Vec<(Micros, Micros)>,
    /// Slots without a check.
    pub(super) missed: u64,
    /// Checks beyond the first of a slot.
    pub(super) doubled: u64,
}

/// When a check of a domain began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Began {
    pub(super) domain: Uuid,
    pub(super) at: Micros,
    /// Whether it was made soon after one that failed, to confirm that. Then it takes the place of the slots that it falls
    /// on, and the schedule has no say in when it is.
    pub(super) confirms: bool,
}

/// The checks of a slot.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    checks: u64,
    is_confirmed: bool,
}

/// Holds the checks of all domains against their slots from `from` to `until`, exclusive, which lie `step` apart. `next`
/// is one later slot of each domain.
pub(super) fn timing(
    next: &HashMap<Uuid, Micros>,
    checks: &[Began],
    (from, until): (Micros, Micros),
    step: Micros,
) -> Timing {
    let first = |next: Micros| from + (next - from).rem_euclid(step);
    let mut slots: HashMap<Uuid, Vec<Kept>> = next
        .iter()
        .map(|(domain, next)| {
            let count = usize::try_from((until - first(*next) + step - 1) / step).unwrap_or(0);
            (*domain, vec![Kept::default(); count])
        })
        .collect();
    let mut timing = Timing::default();
    for Began { domain, at, confirms } in checks {
        let (Some(next), Some(slots)) = (next.get(domain), slots.get_mut(domain)) else {
            continue;
        };
        let after = at - first(*next);
        let slot = after.div_euclid(step);
        // Checks that were due before the counted time, or after it, are not looked at.
        let mut kept = |slot: i64, keep: &dyn Fn(&mut Kept)| {
            let found = usize::try_from(slot).ok().and_then(|slot| slots.get_mut(slot));
            found.map(keep).is_some()
        };
        if *confirms {
            // It may still be under way when the next slot comes.
            for slot in [slot, slot + 1] {
                kept(slot, &|slot| slot.is_confirmed = true);
            }
        } else if kept(slot, &|slot| slot.checks += 1) {
            let lag = after.rem_euclid(step);
            timing.lags.push((at - lag, lag));
        }
    }
    for Kept { checks, is_confirmed } in slots.values().flatten() {
        timing.missed += u64::from(*checks == 0 && !is_confirmed);
        timing.doubled += checks.saturating_sub(1);
    }
    timing
}

/// The value that so many of a thousand of the sorted values do not exceed, in seconds.
pub(super) fn quantile(sorted: &[Micros], of_thousand: usize) -> Option<f64> {
    let rank = (sorted.len() * of_thousand).div_ceil(1_000);
    let value = sorted.get(rank.max(1) - 1)?;
    Some(*value as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Micros = 1_000_000;

    const DOMAIN: Uuid = Uuid::from_u128(1);

    fn began(at: Micros, confirms: bool) -> Began {
        Began {
            domain: DOMAIN,
            at: at * SECOND,
            confirms,
        }
    }

    /// One domain with a slot 10 seconds after each minute, over three minutes.
    fn found(checks: &[Micros]) -> Timing {
        let checks: Vec<Began> = checks
            .iter()
            .map(|at| Began {
                domain: DOMAIN,
                at: *at,
                confirms: false,
            })
            .collect();
        timed(&checks)
    }

    fn timed(checks: &[Began]) -> Timing {
        let next = HashMap::from([(DOMAIN, 610 * SECOND)]);
        timing(&next, checks, (0, 180 * SECOND), 60 * SECOND)
    }

    #[test]
    fn a_check_belongs_to_the_slot_before_it() {
        let timing = found(&[10 * SECOND, 70 * SECOND + 250_000, 131 * SECOND]);
        let slots = [(10, 0), (70, 250_000), (130, SECOND)];
        assert_eq!(timing.lags, slots.map(|(slot, lag)| (slot * SECOND, lag)));
        assert_eq!((timing.missed, timing.doubled), (0, 0));
    }

    #[test]
    fn a_slot_without_a_check_is_missed_and_a_second_check_is_double() {
        let timing = found(&[11 * SECOND, 12 * SECOND, 13 * SECOND, 131 * SECOND]);
        assert_eq!((timing.missed, timing.doubled), (1, 2));
    }

    #[test]
    fn a_check_that_confirms_is_neither_late_nor_a_second_one() {
        let timing = timed(&[
            began(10, false),
            began(55, true),
            began(130, false),
            began(140, true),
        ]);
        assert_eq!((timing.lags.len(), timing.missed, timing.doubled), (2, 0, 0));
    }

    #[test]
    fn what_was_due_outside_the_counted_time_is_not_looked_at() {
        let timing = found(&[9 * SECOND, 10 * SECOND, 70 * SECOND, 130 * SECOND, 190 * SECOND]);
        assert_eq!((timing.lags.len(), timing.missed, timing.doubled), (3, 0, 0));
    }

    #[test]
    fn a_quantile_is_the_value_at_its_rank() {
        let values: Vec<Micros> = (1..=100).map(|value| value * SECOND).collect();
        assert_eq!(
            (quantile(&values, 500), quantile(&values, 990)),
            (Some(50.0), Some(99.0))
        );
        assert_eq!(quantile(&values[..1], 500), Some(1.0));
        assert_eq!(quantile(&[], 500), None);
    }
}
