//! The moments at which a thing is due: spread evenly, and the same whoever works them out.

use time::{Duration, OffsetDateTime};

/// A hash (FNV-1a, 64 bits) that is the same in every process and version.
fn hash(thing: &[&[u8]]) -> u64 {
    let bytes = thing.iter().copied().flatten();
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The first slot of a thing after `now`. Slots lie whole intervals apart, from a beginning that the hash of the thing's
/// name chooses within the interval, so that what was created together is not due together.
#[must_use]
pub fn next_after(now: OffsetDateTime, thing: &[&[u8]], interval: Duration) -> OffsetDateTime {
    let interval = interval.whole_milliseconds().max(1);
    let phase = i128::from(hash(thing)) % interval;
    let now_millis = now.unix_timestamp_nanos().div_euclid(1_000_000);
    let slot = phase + ((now_millis - phase).div_euclid(interval) + 1) * interval;
    OffsetDateTime::from_unix_timestamp_nanos(slot * 1_000_000).unwrap_or(now + Duration::seconds(60))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;
    use uuid::Uuid;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00.123456 UTC);

    fn slot(now: OffsetDateTime, number: u128, interval: Duration) -> OffsetDateTime {
        next_after(now, &[Uuid::from_u128(number).as_bytes(), b"eu"], interval)
    }

    #[test]
    fn slots_lie_whole_intervals_apart() {
        let interval = Duration::seconds(60);
        let first = slot(NOW, 1, interval);
        assert!(first > NOW && first <= NOW + interval);
        assert_eq!(slot(first, 1, interval), first + interval);
        let almost = first + interval - Duration::milliseconds(1);
        assert_eq!(slot(almost, 1, interval), first + interval);
        let late = first + interval * 7 + Duration::seconds(1);
        assert_eq!(slot(late, 1, interval), first + interval * 8);
    }

    #[test]
    fn what_was_created_together_is_spread() {
        let interval = Duration::seconds(60);
        let mut seconds = [0_u32; 60];
        for number in 0..6_000 {
            let slot = slot(NOW, 0x0190_f3c2_7a4e_7c31_9d52_0000_0000_0000 + number, interval);
            seconds[usize::from(slot.second())] += 1;
        }
        let (least, most) = (seconds.iter().min().unwrap(), seconds.iter().max().unwrap());
        assert!(*least > 50 && *most < 170, "{least} to {most} of 100 expected");
    }
}
