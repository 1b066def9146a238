//! Real-user measurements of a generated day: a view for each page that visitors saw.

use crate::demo::site::PORT;
use pharos_domain::collect::{
    Beacon,
    client::{Client, Device},
    event::{Action, Event, Events},
    view::{Cause, Connection, Engagement, Navigation, View},
};
use pharos_vitals::slices::Supported;
use uuid::Uuid;

use super::{
    causes::{causes, unfinished_chat},
    shape::Day,
};

/// The views of the visits.
pub(super) fn views(visits: &[Beacon<Events>], day: Day, random: &mut fastrand::Rng) -> Vec<Beacon<View>> {
    let mut made = Vec::new();
    for visit in visits {
        let seen = visit.content.0.iter();
        for event in seen.filter(|event| event.action == Action::PageView) {
            let stay = visit.content.0.iter().find_map(|other| match other.action {
                Action::Engagement {
                    visible_ms,
                    scroll_pct,
                } if other.load == event.load => Some((visible_ms, scroll_pct)),
                _ => None,
            });
            made.extend(view(event, stay, &visit.client, day, random).map(|view| Beacon {
                id: Uuid::from_u128(random.u128(..)),
                domain: visit.domain,
                visitor: visit.visitor,
                received_at: visit.received_at,
                client: visit.client.clone(),
                content: view,
            }));
        }
    }
    made
}

/// A view, of which is known for how long the page was visible, and how far it was seen.
fn view(
    event: &Event,
    stay: Option<(u32, Option<u8>)>,
    client: &Client,
    day: Day,
    random: &mut fastrand::Rng,
) -> Option<View> {
    let supported = Supported::of(
        client.browser.as_deref(),
        client.browser_version.as_deref(),
        client.os.as_deref(),
    );
    // Most are quick and a few are slow: what is left of a product of two draws.
    let mut drawn = |usual: f64| {
        let luck = 0.55 + random.f64();
        let stretched = luck * (0.75 + random.f64() * random.f64() * 2.2);
        let device = if client.device == Device::Desktop {
            1.0
        } else {
            1.45
        };
        let release = if day.is_slow() { 1.9 } else { 1.0 };
        (usual * stretched * device * release).round()
    };
    let ttfb = drawn(210.0);
    let fcp = ttfb + drawn(380.0);
    let lcp = fcp + drawn(620.0);
    let (inp, load) = (drawn(95.0), lcp + drawn(300.0));
    let interacted = random.u8(0..100) < 62;
    // The late note of the product pages.
    let cls = if event.page.path.starts_with("/product/") {
        0.05 + random.f64() * 0.12
    } else {
        random.f64() * 0.03
    };
    let chats = interacted && day.has_chat() && random.u8(0..100) < 4;
    // Browsers made of Chromium tell of shifts, scripts and connections, and no others do.
    let is_chromium = supported.cls;
    let origin = format!("http://{}:{PORT}", event.page.host);
    let mut view = View {
        load: event.load?,
        at: event.at,
        revision: 0,
        origin: origin.clone(),
        host: event.page.host.clone(),
        path: event.page.path.clone(),
        referrer: None,
        navigation: Navigation::Navigate,
        was_hidden: false,
        lcp_ms: supported.lcp.then_some(lcp),
        inp_ms: (interacted && supported.inp).then_some(inp),
        cls: supported.cls.then_some((cls * 10_000.0).round() / 10_000.0),
        fcp_ms: Some(fcp),
        ttfb_ms: Some(ttfb),
        dom_content_loaded_ms: Some(fcp),
        load_ms: Some(load),
        cause: Box::new(Cause::default()),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        viewport: None,
        connection: is_chromium.then_some(Connection::FourG),
        rtt_ms: None,
        protocol: Some("http/1.1".to_owned()),
        device_memory: None,
        engagement: Engagement {
            visible_ms: stay.map(|(visible_ms, _)| visible_ms),
            scroll_pct: stay.and_then(|(_, scroll_pct)| scroll_pct),
            interactions: Some(if interacted { random.u16(1..6) } else { 0 }),
            rage_clicks: Some(0),
            dead_clicks: Some(chats.into()),
        },
        errors: chats
            .then(|| unfinished_chat(&origin, is_chromium))
            .into_iter()
            .collect(),
        resources: Vec::new(),
        long_frames: None,
        not_restored: None,
    };
    view.cause = Box::new(causes(&view, is_chromium));
    Some(view)
}
