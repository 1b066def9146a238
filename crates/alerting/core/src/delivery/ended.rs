//! The words by which a message tells that something is over.

use pharos_domain::timestamp::Timestamp;
use time::{Duration, OffsetDateTime};

use crate::alert::AlertEnd;

/// The units of a duration, the longest first, in seconds.
const UNITS: [(&str, i64); 4] = [("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)];

/// When something ended, why, and how long it lasted.
pub(super) fn ended(began: OffsetDateTime, ended: OffsetDateTime, end: Option<AlertEnd>) -> String {
    if began == ended && matches!(end, None | Some(AlertEnd::Over)) {
        return format!("It was over as it began, on {}.", moment(ended));
    }
    let (at, lasted) = (moment(ended), duration(ended - began));
    let by_hand = match end {
        None | Some(AlertEnd::Over) => return format!("It ended on {at}, after {lasted}."),
        Some(AlertEnd::MonitorPaused) => "Its monitor was paused on",
        Some(AlertEnd::ModuleOff) => "The plan lost its module on",
        Some(AlertEnd::RuleChanged) => "Its rule was changed on",
        Some(AlertEnd::RuleDisabled) => "Its rule was disabled on",
        Some(AlertEnd::RuleDeleted) => "Its rule was deleted on",
        Some(AlertEnd::DomainDeleted) => "The domain was deleted on",
    };
    format!("{by_hand} {at}, which closed the alert after {lasted}.")
}

/// A moment in UTC, to the minute.
pub(super) fn moment(at: OffsetDateTime) -> String {
    let at = Timestamp::from(at).moment();
    format!(
        "{} {} {} at {:02}:{:02} UTC",
        at.day(),
        at.month(),
        at.year(),
        at.hour(),
        at.minute()
    )
}

/// A duration in its two longest units. A clock that was set back lets nothing last less than no time.
fn duration(duration: Duration) -> String {
    let seconds = duration.whole_seconds().max(0);
    let first = UNITS
        .iter()
        .position(|(_, length)| seconds >= *length)
        .unwrap_or(UNITS.len() - 1);
    let mut left = seconds;
    let parts: Vec<String> = UNITS
        .iter()
        .skip(first)
        .take(2)
        .enumerate()
        .filter_map(|(place, (unit, length))| {
            let count = left / length;
            left %= length;
            let plural = if count == 1 { "" } else { "s" };
            (place == 0 || count > 0).then(|| format!("{count} {unit}{plural}"))
        })
        .collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_its_two_longest_units() {
        let table = [
            (-5, "0 seconds"),
            (1, "1 second"),
            (61, "1 minute 1 second"),
            (420, "7 minutes"),
            (3_659, "1 hour"),
            (7_380, "2 hours 3 minutes"),
            (86_400 * 40 + 3_600, "40 days 1 hour"),
        ];
        for (seconds, says) in table {
            assert_eq!(duration(Duration::seconds(seconds)), says);
        }
    }
}
