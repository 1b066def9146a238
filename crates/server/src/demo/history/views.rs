//! Real-user measurements of a generated day: a view for each page that visitors saw.

use crate::demo::{
    shop::{STOCK_FAILS, is_private},
    site::PORT,
};
use pharos_domain::collect::{
    Beacon,
    client::{Client, Device},
    event::{Action, Event, Events},
    view::{Cause, Connection, Engagement, Navigation, NotRestored, ReasonType, View},
};
use pharos_vitals::slices::Supported;
use uuid::Uuid;

use super::{
    causes::{VOUCHER_MS, busy_stock, causes, unfinished_chat},
    loads::{Loading, long_frames, resources},
    shape::Day,
};

/// The views of the visits.
pub(super) fn views(visits: &[Beacon<Events>], day: Day, random: &mut fastrand::Rng) -> Vec<Beacon<View>> {
    let mut made = Vec::new();
    for visit in visits {
        let events = &visit.content.0;
        let mut seen: Vec<&Event> = Vec::new();
        for event in events.iter().filter(|event| event.action == Action::PageView) {
            let stay = events.iter().find_map(|other| match other.action {
                Action::Engagement {
                    visible_ms,
                    scroll_pct,
                } if other.load == event.load => Some((visible_ms, scroll_pct)),
                _ => None,
            });
            let visited = Visited {
                event,
                stay,
                before: seen.last().copied(),
                is_return: seen.iter().any(|earlier| earlier.page.path == event.page.path),
                client: &visit.client,
                day,
            };
            seen.push(event);
            made.extend(view(&visited, random).map(|view| Beacon {
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

/// A page that a visitor saw.
struct Visited<'a> {
    event: &'a Event,
    /// For how long the page was visible, and how far it was seen, as far as that is known.
    stay: Option<(u32, Option<u8>)>,
    /// The page before it in the visit.
    before: Option<&'a Event>,
    /// Whether the visitor went back to it.
    is_return: bool,
    client: &'a Client,
    day: Day,
}

impl Visited<'_> {
    fn is_of(&self, browser: &str) -> bool {
        self.client.browser.as_deref() == Some(browser)
    }

    /// Why browsers do not restore the page as it was left. The slow release listened for `unload`.
    fn obstacles(&self) -> Vec<NotRestored> {
        let mut found = Vec::new();
        if self.day.is_slow() {
            found.push(not_restored("unload-listener", ReasonType::Page));
        }
        if is_private(&self.event.page.path) {
            found.push(not_restored("response-cache-control-no-store", ReasonType::Page));
        }
        found
    }

    /// How the browser came to the page, and why it was not restored.
    fn way(&self, random: &mut fastrand::Rng) -> (Navigation, Option<Vec<NotRestored>>) {
        let luck = random.u8(0..100);
        if !self.is_return {
            let is_found = self.event.page.origin.referrer_host.is_some();
            let is_phone = self.client.device != Device::Desktop;
            let way = match luck {
                0..4 if self.before.is_none() && !is_found => Navigation::Reload,
                4..9 if self.before.is_none() && !is_found && is_phone => Navigation::Restore,
                _ => Navigation::Navigate,
            };
            return (way, None);
        }
        let mut obstacles = self.obstacles();
        // Safari minds neither of them; each browser lets go of some pages for reasons of its own.
        if self.is_of("Safari") {
            obstacles.clear();
        }
        if obstacles.is_empty() && luck < 8 {
            obstacles.push(not_restored("masked", ReasonType::Unknown));
        }
        if obstacles.is_empty() {
            (Navigation::BackForwardCache, None)
        } else {
            (Navigation::BackForward, self.is_of("Chrome").then_some(obstacles))
        }
    }

    /// Where the browser came from; unknown of a page that the visitor went back to.
    fn referrer(&self, origin: &str) -> Option<String> {
        let found = self.event.page.origin.referrer_host.as_ref();
        match self.before {
            _ if self.is_return => None,
            Some(before) => Some(format!("{origin}{}", before.page.path)),
            None => found.map(|host| format!("https://{host}/")),
        }
    }
}

fn not_restored(reason: &str, kind: ReasonType) -> NotRestored {
    NotRestored {
        reason: reason.to_owned(),
        kind,
    }
}

/// The network and the device, as far as browsers tell of them.
struct Surroundings {
    connection: Connection,
    rtt_ms: f64,
    memory: f64,
}

/// Few phones are on slow networks, and few have little memory. Round trips come in steps of 25 ms, as Chromium tells them.
fn surroundings(device: Device, random: &mut fastrand::Rng) -> Surroundings {
    let is_phone = device != Device::Desktop;
    let (network, memory) = (random.u8(0..100), random.u8(0..100));
    let is_slow = is_phone && network < 12;
    let steps = if is_slow {
        random.u8(11..17)
    } else {
        random.u8(1..6)
    };
    Surroundings {
        connection: if is_slow {
            Connection::ThreeG
        } else {
            Connection::FourG
        },
        rtt_ms: 25.0 * f64::from(steps),
        memory: match memory {
            0..15 if is_phone => 2.0,
            15..50 if is_phone => 4.0,
            _ => 8.0,
        },
    }
}

/// A view of a page.
fn view(visited: &Visited<'_>, random: &mut fastrand::Rng) -> Option<View> {
    let Visited {
        event,
        stay,
        client,
        day,
        ..
    } = *visited;
    let supported = Supported::of(
        client.browser.as_deref(),
        client.browser_version.as_deref(),
        client.os.as_deref(),
    );
    let (navigation, not_restored) = visited.way(random);
    let around = surroundings(client.device, random);
    let is_restored = navigation == Navigation::BackForwardCache;
    // Who had to wait looks at the page for less long.
    let wait = stay.map_or(1.0, |(visible_ms, _)| 1.2 - f64::from(visible_ms) / 250_000.0);
    // Most are quick and a few are slow: what is left of a product of two draws.
    let mut drawn = |usual: f64| {
        let luck = 0.55 + random.f64();
        let stretched = luck * (0.75 + random.f64() * random.f64() * 2.2) * wait;
        let device = if client.device == Device::Desktop {
            1.0
        } else {
            1.45
        };
        let network = if around.connection == Connection::ThreeG {
            1.4
        } else {
            1.0
        };
        let release = if day.is_slow() { 1.9 } else { 1.0 };
        (usual * stretched * device * network * release).round()
    };
    let path = &event.page.path;
    let (ttfb, fcp, lcp) = if is_restored {
        let painted = drawn(45.0);
        (0.0, painted, painted)
    } else {
        let ttfb = drawn(190.0);
        let fcp = ttfb + drawn(340.0);
        (ttfb, fcp, fcp + drawn(560.0))
    };
    // The click of the cart takes as long on each device.
    let voucher = if path == "/cart" { VOUCHER_MS } else { 0.0 };
    let (inp, load) = (voucher + drawn(85.0), lcp + drawn(300.0));
    let interacted = random.u8(0..100) < 62;
    // The late note of the product pages.
    let cls = if path.starts_with("/product/") && !is_restored {
        0.05 + random.f64() * 0.12
    } else {
        random.f64() * 0.03
    };
    let chats = interacted && day.has_chat() && random.u8(0..100) < 4;
    // Who waits for an answer to a click, clicks again.
    let impatient = if day.is_slow() { 12 } else { 3 };
    let rages = interacted && path == "/cart" && random.u8(0..100) < impatient;
    let asks_for_stock = path.starts_with("/product/") && !is_restored;
    let is_stock_busy = asks_for_stock && day.has_chat() && random.u8(0..STOCK_FAILS) == 0;
    // Browsers made of Chromium tell of shifts, scripts and connections, and no others do.
    let is_chromium = supported.cls;
    let origin = format!("http://{}:{PORT}", event.page.host);
    let mut errors = Vec::new();
    if is_stock_busy {
        errors.push(busy_stock(&origin));
    }
    if chats {
        errors.push(unfinished_chat(&origin, is_chromium));
    }
    let mut view = View {
        load: event.load?,
        at: event.at,
        revision: 0,
        referrer: visited.referrer(&origin),
        origin,
        host: event.page.host.clone(),
        path: path.clone(),
        navigation,
        was_hidden: false,
        lcp_ms: supported.lcp.then_some(lcp),
        inp_ms: (interacted && supported.inp).then_some(inp),
        cls: supported.cls.then_some((cls * 10_000.0).round() / 10_000.0),
        fcp_ms: Some(fcp),
        ttfb_ms: Some(ttfb),
        dom_content_loaded_ms: (!is_restored).then_some(fcp),
        load_ms: (!is_restored).then_some(load),
        cause: Box::new(Cause::default()),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        // The bars of the browser take some of the screen.
        viewport: client
            .screen
            .map(|(width, height)| (width, height.saturating_sub(110))),
        connection: is_chromium.then_some(around.connection),
        rtt_ms: is_chromium.then_some(around.rtt_ms),
        protocol: Some("http/1.1".to_owned()),
        device_memory: is_chromium.then_some(around.memory),
        engagement: Engagement {
            visible_ms: stay.map(|(visible_ms, _)| visible_ms),
            scroll_pct: stay.and_then(|(_, scroll_pct)| scroll_pct),
            interactions: Some(match (interacted, rages) {
                (true, true) => random.u16(3..8),
                (true, false) => random.u16(1..6),
                (false, _) => 0,
            }),
            rage_clicks: Some(rages.into()),
            dead_clicks: Some(chats.into()),
        },
        errors,
        resources: Vec::new(),
        long_frames: None,
        not_restored,
    };
    view.cause = Box::new(causes(&view, is_chromium));
    let loading = Loading {
        view: &view,
        load_ms: load,
        is_first: visited.before.is_none(),
        is_slow_release: day.is_slow(),
        is_phone: client.device != Device::Desktop,
        is_chromium,
        interacted,
        is_stock_busy,
    };
    let resources = resources(&loading, random);
    let frames = is_chromium.then(|| long_frames(&loading, random));
    view.resources = resources;
    view.long_frames = frames;
    Some(view)
}
