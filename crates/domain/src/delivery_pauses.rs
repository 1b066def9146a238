//! The pauses between attempts at a delivery to a server of somebody else, such as a mail server or the receiver of a webhook.

use time::Duration;

/// The pauses after the first failures; together about a day.
const PAUSES: [Duration; 10] = [
    Duration::seconds(10),
    Duration::minutes(1),
    Duration::minutes(5),
    Duration::minutes(15),
    Duration::minutes(30),
    Duration::hours(1),
    Duration::hours(2),
    Duration::hours(4),
    Duration::hours(8),
    Duration::hours(8),
];

/// How often a delivery is tried.
pub const ATTEMPTS: u16 = 11;

/// How long to wait after the attempt of that number failed, a tenth more or less, so that what failed together does not
/// come back together. `fraction` is random, from 0 to 1.
#[must_use]
pub fn pause(attempt: u32, fraction: f64) -> Duration {
    let place = usize::try_from(attempt.saturating_sub(1)).unwrap_or(usize::MAX);
    let pause = PAUSES[place.min(PAUSES.len() - 1)];
    pause * (0.9 + 0.2 * fraction.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attempts_take_about_a_day() {
        assert_eq!(PAUSES.len() + 1, usize::from(ATTEMPTS));
        let total: Duration = (1..u32::from(ATTEMPTS)).map(|attempt| pause(attempt, 0.5)).sum();
        assert_eq!(total.whole_hours(), 23);
        assert_eq!(pause(1, 0.0), Duration::seconds(9));
        assert_eq!(pause(1, 1.0), Duration::seconds(11));
        assert_eq!(
            (pause(0, 0.5), pause(u32::MAX, 0.5)),
            (pause(1, 0.5), Duration::hours(8))
        );
    }
}
