//! The log.

use pharos_domain::{
    collect::{
        Beacon, PageLoadId, VisitorId,
        client::{Client, Device},
        view::{Cause, Engagement, ErrorSource, Navigation, ScriptError, View},
    },
    ids::DomainId,
    window::DateRange,
};
use time::{
    Date, OffsetDateTime,
    macros::{date, datetime},
};
use uuid::Uuid;

/// Its first day.
pub const FIRST: Date = date!(2026 - 03 - 30);
/// Its last.
pub const LAST: Date = date!(2026 - 03 - 31);
/// When the last day is asked for.
pub const NOW: OffsetDateTime = datetime!(2026-03-31 12:00 UTC);

/// All of its days.
#[expect(clippy::expect_used, reason = "a check fails by panicking")]
pub(super) fn days() -> DateRange {
    DateRange::new(FIRST, LAST).expect("the last day does not lie before the first")
}

/// A view without any measurement.
fn view(load: i64, at: OffsetDateTime, path: &str) -> View {
    View {
        load: PageLoadId(load),
        at,
        revision: 0,
        origin: "https://shop.example".to_owned(),
        host: "shop.example".to_owned(),
        path: path.to_owned(),
        referrer: None,
        navigation: Navigation::Navigate,
        was_hidden: false,
        lcp_ms: None,
        inp_ms: None,
        cls: None,
        fcp_ms: None,
        ttfb_ms: None,
        dom_content_loaded_ms: None,
        load_ms: None,
        cause: Box::new(Cause::default()),
        version: None,
        viewport: None,
        connection: None,
        rtt_ms: None,
        protocol: None,
        device_memory: None,
        engagement: Engagement::default(),
        errors: Vec::new(),
        resources: Vec::new(),
        long_frames: None,
        not_restored: None,
    }
}

fn engagement(visible_ms: u32, scroll_pct: u8, interactions: u16) -> Engagement {
    Engagement {
        visible_ms: Some(visible_ms),
        scroll_pct: Some(scroll_pct),
        interactions: Some(interactions),
        rage_clicks: None,
        dead_clicks: None,
    }
}

fn error(message: &str) -> ScriptError {
    ScriptError {
        message: message.to_owned(),
        name: Some("TypeError".to_owned()),
        source: ErrorSource::Source,
        is_handled: false,
        filename: Some("https://shop.example/app.js".to_owned()),
        line: Some(3),
        column: Some(14),
        stack: None,
        causes: Vec::new(),
    }
}

/// The beacons of a domain, in the order in which they arrive.
#[must_use]
pub fn beacons(domain: DomainId) -> Vec<Beacon<View>> {
    // 1: told twice, of which the second counts.
    let early = View {
        lcp_ms: Some(900.0),
        ..view(1, datetime!(2026-03-30 09:00 UTC), "/a")
    };
    let first = View {
        revision: 1,
        lcp_ms: Some(1_000.0),
        inp_ms: Some(100.0),
        cls: Some(0.05),
        engagement: engagement(20_000, 100, 2),
        ..early.clone()
    };
    // 2: a slow paint, and nobody interacted.
    let bounced = View {
        lcp_ms: Some(3_000.0),
        cls: Some(0.0),
        engagement: engagement(5_000, 50, 0),
        ..view(2, datetime!(2026-03-30 10:00 UTC), "/a")
    };
    // 3: poor in all, loaded anew by going back, a second before midnight.
    let poor = View {
        navigation: Navigation::BackForward,
        lcp_ms: Some(5_200.0),
        inp_ms: Some(600.0),
        cls: Some(0.3),
        engagement: engagement(12_000, 25, 1),
        errors: vec![error("x is undefined")],
        ..view(3, datetime!(2026-03-30 23:59:59 UTC), "/b")
    };
    // 4: restored as it was left, at midnight; its interaction and its shift lie on the bounds of the good bands.
    let restored = View {
        navigation: Navigation::BackForwardCache,
        lcp_ms: Some(2_000.0),
        inp_ms: Some(200.0),
        cls: Some(0.1),
        engagement: engagement(8_000, 75, 3),
        ..view(4, datetime!(2026-03-31 00:00 UTC), "/a")
    };
    // 5: nothing but errors.
    let broken = View {
        errors: vec![error("y is undefined"), error("y is undefined")],
        ..view(5, datetime!(2026-03-31 11:00 UTC), "/b")
    };
    let told = [
        (Device::Mobile, "DE", early),
        (Device::Mobile, "FR", bounced),
        (Device::Mobile, "DE", first),
        (Device::Desktop, "DE", poor),
        (Device::Desktop, "DE", restored),
        (Device::Tablet, "US", broken),
    ];
    (1..)
        .zip(told)
        .map(|(number, (device, country, view))| Beacon {
            id: Uuid::from_u128(number),
            domain,
            visitor: VisitorId(view.load.0),
            received_at: view.at,
            client: Client {
                device,
                browser: Some("Chrome".to_owned()),
                browser_version: Some("140".to_owned()),
                os: None,
                os_version: None,
                country: Some(country.to_owned()),
                region: None,
                city: None,
                screen: None,
            },
            content: view,
        })
        .collect()
}
