//! The resources of a generated view and the frames that kept it busy, as the pages of the shop are made.

use pharos_domain::collect::view::{
    FrameKind, InvokerType, LongFrame, Resource, ResourcePhases, ResourceType, Script, View,
};

use super::causes::{HERO_BYTES, STOCK, is_restored};
use crate::demo::{
    shop::goods::GOODS,
    site::{PORT, TAGS},
};

/// How many bytes the headers of an answer have.
const HEADERS: u32 = 300;
/// How many bytes the stylesheet, the script, the picture of a lamp and the answer to a request have.
const STYLE_BYTES: u32 = 2_520;
const SCRIPT_BYTES: u32 = 2_040;
const LAMP_BYTES: u32 = 470;
const ANSWER_BYTES: u32 = 10;
/// How many the script of the slow release had.
const SLOW_SCRIPT_BYTES: u32 = 412_000;
/// For how long the tag keeps a page busy, in milliseconds.
const TAG_MS: f64 = 90.0;
/// The part of a frame beyond this is blocking, in milliseconds.
const SHORT_MS: f64 = 50.0;

/// A view that loads, but for its resources and frames.
pub(super) struct Loading<'a> {
    pub(super) view: &'a View,
    /// When all of the page is there.
    pub(super) load_ms: f64,
    /// Whether it is the first page of its visit.
    pub(super) is_first: bool,
    /// Whether the release was there that made all pages slow.
    pub(super) is_slow_release: bool,
    /// Whether it is on a phone or a tablet.
    pub(super) is_phone: bool,
    /// Whether its browser is made of Chromium.
    pub(super) is_chromium: bool,
    /// Whether the visitor clicked on something.
    pub(super) interacted: bool,
    /// Whether the shop was too busy to say how many of a product there are.
    pub(super) is_stock_busy: bool,
}

impl Loading<'_> {
    /// A time that usually takes so long.
    fn time(&self, usual: f64, random: &mut fastrand::Rng) -> f64 {
        let device = if self.is_phone { 1.45 } else { 1.0 };
        let release = if self.is_slow_release { 1.9 } else { 1.0 };
        (usual * (0.6 + random.f64() * 0.9) * device * release).round()
    }

    /// A resource of the shop, by when it was asked for and how long that took.
    fn own(
        &self,
        path: &str,
        kind: ResourceType,
        (start_ms, duration_ms): (f64, f64),
        bytes: u32,
    ) -> Resource {
        let ttfb_ms = (duration_ms * 0.6).round();
        Resource {
            url: format!("{}{path}", self.view.origin),
            kind,
            // Browsers tell none.
            method: None,
            start_ms,
            duration_ms,
            // By the connection of the document.
            phases: Some(ResourcePhases {
                dns_ms: 0.0,
                connect_ms: 0.0,
                tls_ms: 0.0,
                ttfb_ms,
                download_ms: duration_ms - ttfb_ms,
                transfer_bytes: bytes + HEADERS,
                decoded_bytes: bytes,
            }),
            protocol: Some("http/1.1".to_owned()),
            is_render_blocking: self.is_chromium.then_some(false),
            is_cached: Some(false),
            status: Some(200),
        }
    }

    /// The picture of a lamp. Caches keep it for a day.
    fn lamp(&self, id: &str, start_ms: f64, random: &mut fastrand::Rng) -> Resource {
        let path = format!("/pictures/{id}.svg");
        let kept = if self.is_first { 20 } else { 90 };
        let is_kept = random.u8(0..100) < kept;
        let took = if is_kept { 2.0 } else { self.time(45.0, random) };
        let mut picture = self.own(&path, ResourceType::Image, (start_ms, took), LAMP_BYTES);
        if is_kept {
            picture.is_cached = Some(true);
            picture.phases = picture.phases.map(|phases| ResourcePhases {
                transfer_bytes: 0,
                ..phases
            });
        }
        picture
    }

    /// How many lamps came near enough to the window for their pictures to be loaded.
    fn lamps(&self) -> usize {
        let is_seen = self.view.engagement.scroll_pct.is_some_and(|seen| seen >= 60);
        match self.view.path.as_str() {
            "/" if is_seen || !self.is_phone => GOODS.len(),
            "/" | "/search" => 2,
            _ => 0,
        }
    }
}

/// The resources that the view loaded. A page that is restored loads nothing.
pub(super) fn resources(loading: &Loading<'_>, random: &mut fastrand::Rng) -> Vec<Resource> {
    let view = loading.view;
    let (Some(ttfb), Some(fcp), false) = (view.ttfb_ms, view.fcp_ms, is_restored(view)) else {
        return Vec::new();
    };
    // Both hold up the first paint, but for the time that the browser needs itself.
    let share = |share: f64| ((fcp - ttfb) * share).round();
    let mut style = loading.own(
        "/style.css",
        ResourceType::Stylesheet,
        (ttfb + 4.0, share(0.6)),
        STYLE_BYTES,
    );
    style.is_render_blocking = loading.is_chromium.then_some(true);
    let bytes = if loading.is_slow_release {
        SLOW_SCRIPT_BYTES
    } else {
        SCRIPT_BYTES
    };
    let script = loading.own("/shop.js", ResourceType::Script, (ttfb + 5.0, share(0.75)), bytes);
    let mut found = vec![style, script, tag(loading, ttfb + 6.0, random)];

    let lcp = &view.cause.lcp;
    if let (Some(delay), Some(duration)) = (lcp.load_delay_ms, lcp.load_duration_ms) {
        let times = (ttfb + delay, duration);
        found.push(loading.own(
            "/pictures/hero.svg",
            ResourceType::Image,
            times,
            HERO_BYTES - HEADERS,
        ));
    }
    for good in GOODS.iter().take(loading.lamps()) {
        found.push(loading.lamp(good.id, fcp, random));
    }
    if let Some(id) = view.path.strip_prefix("/product/") {
        found.push(loading.lamp(id, ttfb + 8.0, random));
        let times = (fcp, loading.time(70.0, random));
        let mut stock = loading.own(STOCK, ResourceType::Fetch, times, ANSWER_BYTES);
        if loading.is_stock_busy {
            stock.status = Some(503);
        }
        found.push(stock);
    }
    if view.path == "/cart" && loading.interacted {
        let times = (loading.load_ms + 3_000.0, loading.time(60.0, random));
        found.push(loading.own("/api/voucher", ResourceType::Fetch, times, ANSWER_BYTES));
    }
    found
}

fn tag_url() -> String {
    format!("http://{TAGS}:{PORT}/tag.js")
}

/// The tag of somebody else, who lets no page know more of it than how long it took.
fn tag(loading: &Loading<'_>, start_ms: f64, random: &mut fastrand::Rng) -> Resource {
    Resource {
        url: tag_url(),
        kind: ResourceType::Script,
        method: None,
        start_ms,
        duration_ms: loading.time(120.0, random),
        phases: None,
        protocol: None,
        is_render_blocking: loading.is_chromium.then_some(false),
        is_cached: None,
        status: None,
    }
}

/// The frames that kept the view from answering: those of the tag as it loaded, of the large script of the slow release, and of the
/// click of the cart.
pub(super) fn long_frames(loading: &Loading<'_>, random: &mut fastrand::Rng) -> Vec<LongFrame> {
    let view = loading.view;
    let mut found = Vec::new();
    if let (Some(fcp), false) = (view.fcp_ms, is_restored(view)) {
        if loading.is_slow_release {
            let ran = loading.time(110.0, random);
            let url = format!("{}/shop.js", view.origin);
            let script = loaded(url, ran, (ran * 0.1).round());
            found.push(frame(fcp, script, loading.time(14.0, random)));
        }
        // By the clock, so that each device is busy for as long.
        let ran = TAG_MS + f64::from(random.u8(0..8));
        let script = loaded(tag_url(), ran, 0.0);
        found.push(frame(fcp + 400.0, script, loading.time(14.0, random)));
    }
    let inp = &view.cause.inp;
    if let (Some((script, _)), Some(presentation)) = (&inp.longest_script, inp.presentation_ms) {
        found.push(frame(loading.load_ms + 2_500.0, script.clone(), presentation));
    }
    found
}

/// The run of a script as it is loaded.
fn loaded(url: String, duration_ms: f64, forced_layout_ms: f64) -> Script {
    Script {
        function: None,
        invoker: Some(url.clone()),
        url: Some(url),
        invoker_type: Some(InvokerType::ClassicScript),
        duration_ms,
        forced_layout_ms,
    }
}

/// A frame in which a script ran, with style and layout after it.
fn frame(start_ms: f64, script: Script, style_layout_ms: f64) -> LongFrame {
    let duration_ms = script.duration_ms + style_layout_ms;
    LongFrame {
        kind: FrameKind::LongAnimationFrame,
        start_ms,
        duration_ms,
        blocking_ms: (duration_ms - SHORT_MS).max(0.0),
        style_layout_ms: Some(style_layout_ms),
        scripts: vec![script],
    }
}
