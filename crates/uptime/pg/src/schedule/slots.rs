//! The moments at which a region checks a site: spread evenly, and the same whoever works them out.

use pharos_domain::ids::DomainId;
use time::{Duration, OffsetDateTime};

/// A hash (FNV-1a, 64 bits) that is the same in every process and version.
fn hash(domain: DomainId, region: &str) -> u64 {
    let bytes = domain.0.into_bytes().into_iter().chain(region.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The first slot after `now`. Slots lie whole intervals apart, from a beginning that the hash of domain and region
/// chooses within the interval, so that monitors that were created together are not checked together.
pub(super) fn next_after(
    now: OffsetDateTime,
    domain: DomainId,
    region: &str,
    interval: Duration,
) -> OffsetDateTime {
    let interval = interval.whole_milliseconds().max(1);
    let phase = i128::from(hash(domain, region)) % interval;
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

    fn domain(number: u128) -> DomainId {
        DomainId(Uuid::from_u128(number))
    }

    #[test]
    fn slots_lie_whole_intervals_apart() {
        let interval = Duration::seconds(60);
        let first = next_after(NOW, domain(1), "eu", interval);
        assert!(first > NOW && first <= NOW + interval);
        assert_eq!(next_after(first, domain(1), "eu", interval), first + interval);
        let almost = first + interval - Duration::milliseconds(1);
        assert_eq!(next_after(almost, domain(1), "eu", interval), first + interval);
        let late = first + interval * 7 + Duration::seconds(1);
        assert_eq!(next_after(late, domain(1), "eu", interval), first + interval * 8);
    }

    #[test]
    fn monitors_that_were_created_together_are_spread() {
        let interval = Duration::seconds(60);
        let mut seconds = [0_u32; 60];
        for number in 0..6_000 {
            let id = DomainId(Uuid::from_u128(
                0x0190_f3c2_7a4e_7c31_9d52_0000_0000_0000 + number,
            ));
            let slot = next_after(NOW, id, "eu", interval);
            seconds[usize::from(slot.second())] += 1;
        }
        let (least, most) = (seconds.iter().min().unwrap(), seconds.iter().max().unwrap());
        assert!(*least > 50 && *most < 170, "{least} to {most} of 100 expected");
    }
}
