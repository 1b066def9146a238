//! /domains/{domain_id}/rum/errors

pub(super) mod detail;
pub(super) mod list;

use pharos_domain::{collect::view::ErrorSource, timestamp::Timestamp};
use pharos_vitals::errors::{ErrorKind, Handling};
use time::macros::datetime;
use uuid::Uuid;

/// A kind of errors as an answer might show it.
fn example() -> ErrorKind {
    ErrorKind {
        error_id: Uuid::from_u128(0x019a_a5e2_7b6c_7d10_8e9f_0123_4567_89ab),
        message: "Cannot read properties of undefined (reading 'price')".to_owned(),
        name: Some("TypeError".to_owned()),
        source: ErrorSource::Source,
        handling: Handling::Unhandled,
        filename: Some("https://shop.example/assets/cart.js".to_owned()),
        line: Some(14),
        column: Some(27),
        occurrences: 93,
        affected_views: 61,
        affected_views_pct: Some(1.27),
        first_seen_at: Timestamp::from(datetime!(2026-03-30 08:12:41 UTC)),
        last_seen_at: Timestamp::from(datetime!(2026-03-31 09:14:30 UTC)),
        is_new: true,
        is_third_party: false,
        script_error_opaque: false,
        top_url: Some("https://shop.example/cart".to_owned()),
        top_browser: Some("Chrome".to_owned()),
        trend: vec![40, 53],
    }
}
