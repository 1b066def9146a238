//! The causes of the measurements of a generated view, as the pages of the shop are made.

use pharos_domain::collect::view::{
    Cause, ClsCause, Element, ErrorSource, InpCause, Interaction, InvokerType, LcpCause, LoadState,
    Navigation, Script, ScriptError, ServerTiming, Subpart, TtfbCause, View,
};

use crate::demo::site::TIMING;

/// How long the click of the cart takes, which checks a voucher, in milliseconds.
pub(super) const VOUCHER_MS: f64 = 300.0;
/// How many bytes the large picture of the first page has as it is sent.
pub(super) const HERO_BYTES: u32 = 10_340;
/// The path that says how many of a product there are.
pub(super) const STOCK: &str = "/api/stock";

/// Whether the browser restored the page as it was left.
pub(super) fn is_restored(view: &View) -> bool {
    view.navigation == Navigation::BackForwardCache
}

/// The causes of what a view measured; the parts of a metric add up to it. Some browsers tell which scripts ran.
pub(super) fn causes(view: &View, tells_scripts: bool) -> Cause {
    Cause {
        lcp: lcp(view),
        inp: inp(view, tells_scripts),
        cls: cls(view),
        ttfb: ttfb(view),
    }
}

/// The picture of the first page, and headlines of the others. A page that is restored is painted whole, by no element.
fn lcp(view: &View) -> LcpCause {
    let (Some(lcp), Some(ttfb)) = (view.lcp_ms, view.ttfb_ms) else {
        return LcpCause::default();
    };
    let rest = lcp - ttfb;
    if is_restored(view) {
        return LcpCause {
            ttfb_ms: Some(ttfb),
            render_delay_ms: Some(rest),
            ..LcpCause::default()
        };
    }
    if view.path != "/" {
        return LcpCause {
            element: element("html>body>main>h1", "h1"),
            ttfb_ms: Some(ttfb),
            render_delay_ms: Some(rest),
            ..LcpCause::default()
        };
    }
    let (delay, duration) = ((rest * 0.3).round(), (rest * 0.45).round());
    LcpCause {
        element: element("#hero", "img"),
        resource_url: Some(format!("{}/pictures/hero.svg", view.origin)),
        initiator: Some("img".to_owned()),
        ttfb_ms: Some(ttfb),
        load_delay_ms: Some(delay),
        load_duration_ms: Some(duration),
        render_delay_ms: Some(rest - delay - duration),
        bytes: Some(HERO_BYTES),
        has_high_priority: Some(false),
        is_lazy: Some(false),
    }
}

/// A click on a button of the page. That of the cart checks a voucher.
fn inp(view: &View, tells_scripts: bool) -> InpCause {
    let Some(inp) = view.inp_ms else {
        return InpCause::default();
    };
    let checks_voucher = view.path == "/cart";
    let busy = if checks_voucher { VOUCHER_MS } else { 0.0 };
    let rest = inp - busy;
    let (delay, processing) = ((rest * 0.15).round(), busy + (rest * 0.55).round());
    let presentation = inp - delay - processing;
    let button = if checks_voucher {
        "#voucher"
    } else if view.path.starts_with("/product/") {
        "#add"
    } else {
        "html>body>header>form>button"
    };
    let script = Script {
        url: Some(format!("{}/shop.js", view.origin)),
        function: Some("checkVoucher".to_owned()),
        invoker: Some("BUTTON#voucher.onclick".to_owned()),
        invoker_type: Some(InvokerType::EventListener),
        duration_ms: processing,
        forced_layout_ms: 0.0,
    };
    InpCause {
        element: element(button, "button"),
        interaction: Some(Interaction::Pointer),
        load_state: Some(LoadState::Complete),
        input_delay_ms: Some(delay),
        processing_ms: Some(processing),
        presentation_ms: Some(presentation),
        script_ms: tells_scripts.then_some(processing),
        style_layout_ms: tells_scripts.then_some(0.0),
        paint_ms: tells_scripts.then_some(presentation),
        unattributed_ms: tells_scripts.then_some(delay),
        longest_script: (tells_scripts && checks_voucher)
            .then_some((script, Some(Subpart::ProcessingDuration))),
    }
}

/// The late note of the product pages, which pushes the product down.
fn cls(view: &View) -> ClsCause {
    let is_product = view.path.starts_with("/product/") && !is_restored(view);
    let Some(shift) = view.cls.filter(|_| is_product) else {
        return ClsCause::default();
    };
    ClsCause {
        element: element("html>body>main>article.product", "article"),
        shift: Some(shift),
        shift_at_ms: Some(900.0),
        load_state: Some(LoadState::Complete),
    }
}

/// Most of the time the server is awaited, which says how long it took.
fn ttfb(view: &View) -> TtfbCause {
    let Some(ttfb) = view.ttfb_ms else {
        return TtfbCause::default();
    };
    let part = |share: f64| (ttfb * share).round();
    let (waiting, dns, connection) = (part(0.04), part(0.06), part(0.2));
    let request = ttfb - waiting - dns - connection;
    let server_timing = ServerTiming {
        name: TIMING.to_owned(),
        duration_ms: (request * 0.6).round(),
    };
    TtfbCause {
        waiting_ms: Some(waiting),
        cache_ms: Some(0.0),
        dns_ms: Some(dns),
        connection_ms: Some(connection),
        request_ms: Some(request),
        redirects: Some(0),
        // The server is not asked for what is restored.
        server_timings: (!is_restored(view))
            .then_some(server_timing)
            .into_iter()
            .collect(),
    }
}

/// The error that a click on the unfinished chat throws, with a stack as the browser writes it.
pub(super) fn unfinished_chat(origin: &str, is_chromium: bool) -> ScriptError {
    let script = format!("{origin}/shop.js");
    let stack = if is_chromium {
        format!("TypeError: The chat is not connected\n    at HTMLButtonElement.openChat ({script}:36:9)")
    } else {
        format!("openChat@{script}:36:9")
    };
    ScriptError {
        message: "The chat is not connected".to_owned(),
        name: Some("TypeError".to_owned()),
        source: ErrorSource::Source,
        is_handled: false,
        filename: Some(script),
        line: Some(36),
        column: Some(9),
        stack: Some(stack),
        causes: Vec::new(),
    }
}

/// A request for what is in stock that the shop was too busy for, as the script that measures tells of it.
pub(super) fn busy_stock(origin: &str) -> ScriptError {
    ScriptError {
        message: "The server answered 503".to_owned(),
        name: None,
        source: ErrorSource::Network,
        is_handled: true,
        filename: Some(format!("{origin}{STOCK}")),
        line: None,
        column: None,
        stack: None,
        causes: Vec::new(),
    }
}

/// An element, whose id or class is the last of its selector.
fn element(selector: &str, tag: &str) -> Element {
    Element {
        selector: Some(selector.to_owned()),
        id: selector.strip_prefix('#').map(str::to_owned),
        class: selector.rsplit_once('.').map(|(_, class)| class.to_owned()),
        tag: Some(tag.to_owned()),
    }
}
