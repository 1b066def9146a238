//! For how long a server asks to be left alone (RFC 9110, section 10.2.3).

use std::time::Duration;

use http::header::{HeaderMap, RETRY_AFTER};
use time::OffsetDateTime;

/// The pause that `Retry-After` asks for, at `now`, and never more than `most`. Seconds, or a date in any of the three
/// forms of HTTP; a date that has passed is no pause. `None`: there is no such header, or it is neither.
#[must_use]
pub fn retry_after(headers: &HeaderMap, now: OffsetDateTime, most: Duration) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let pause = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than there are numbers are still a number of seconds.
        Duration::from_secs(value.parse().unwrap_or(u64::MAX))
    } else {
        let at = OffsetDateTime::from(httpdate::parse_http_date(value).ok()?);
        Duration::try_from(at - now).unwrap_or(Duration::ZERO)
    };
    Some(pause.min(most))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    #[test]
    fn it_is_seconds_or_a_date_of_http() {
        let now = datetime!(1994-11-06 08:49:00 UTC);
        for (value, seconds) in [
            ("120", Some(120)),
            (" 120 ", Some(120)),
            ("0", Some(0)),
            // The three forms of section 5.6.7.
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(37)),
            ("Sunday, 06-Nov-94 08:49:37 GMT", Some(37)),
            ("Sun Nov  6 08:49:37 1994", Some(37)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            // Bounded.
            ("99999999", Some(86_400)),
            ("99999999999999999999999999", Some(86_400)),
            ("Fri, 31 Dec 9999 23:59:59 GMT", Some(86_400)),
            // Nonsense.
            ("", None),
            ("soon", None),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("120, 60", None),
            ("Sun, 06 Nov 1994", None),
            ("Sun, 99 Nov 1994 08:49:37 GMT", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, value.parse().unwrap());
            let pause = retry_after(&headers, now, DAY);
            assert_eq!(pause, seconds.map(Duration::from_secs), "{value:?}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), now, DAY), None);
    }
}
