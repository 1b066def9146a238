//! `attribution` of the metrics.

use pharos_domain::{
    collect::view::{Cause, ClsCause, Element, InpCause, LcpCause, ServerTiming, TtfbCause},
    settings::Faults,
};
use serde_json::{Map, Value};

use super::{
    MOST_CLS,
    items::script,
    reader::{MOST_MS, Reader},
};

/// How many characters of a selector count, and of an `id` and a `class`.
const MOST_OF_SELECTOR: usize = 300;
const MOST_OF_NAME: usize = 100;
/// How many entries of `Server-Timing` count.
const MOST_TIMINGS: usize = 10;

/// The causes of a view's metrics.
pub(super) fn cause(view: Reader<'_>, faults: &mut Faults) -> Cause {
    let mut cause = Cause::default();
    within(view, "lcp", faults, |told, faults| cause.lcp = lcp(told, faults));
    within(view, "inp", faults, |told, faults| cause.inp = inp(told, faults));
    within(view, "cls", faults, |told, faults| cause.cls = cls(told, faults));
    within(view, "ttfb", faults, |told, faults| {
        cause.ttfb = ttfb(told, faults)
    });
    cause
}

/// Looks into the attribution of a metric, where there is one.
pub(super) fn within(
    view: Reader<'_>,
    metric: &str,
    faults: &mut Faults,
    look: impl FnOnce(Reader<'_>, &mut Faults),
) {
    // A metric that is no object is a fault already.
    let Some(Value::Object(measured)) = view.get(metric) else {
        return;
    };
    faults.within(metric, |faults| {
        if let Some(told) = Reader(measured).object("attribution", faults) {
            faults.within("attribution", |faults| look(told, faults));
        }
    });
}

fn element(told: Reader<'_>, target: &str, faults: &mut Faults) -> Element {
    Element {
        selector: told.text(target, MOST_OF_SELECTOR, faults),
        id: told.text("elementId", MOST_OF_NAME, faults),
        class: told.text("elementClass", MOST_OF_NAME, faults),
        tag: told
            .text("tagName", 20, faults)
            .map(|tag| tag.to_ascii_lowercase()),
    }
}

fn lcp(told: Reader<'_>, faults: &mut Faults) -> LcpCause {
    let resource_url = told.address("url", faults);
    let has_resource = resource_url.is_some();
    // The library says 0 of both where there is no resource.
    let of_resource = |ms: Option<f64>| ms.filter(|_| has_resource);
    LcpCause {
        element: element(told, "target", faults),
        ttfb_ms: told.ms("timeToFirstByte", faults),
        load_delay_ms: of_resource(told.ms("resourceLoadDelay", faults)),
        load_duration_ms: of_resource(told.ms("resourceLoadDuration", faults)),
        render_delay_ms: told.ms("elementRenderDelay", faults),
        initiator: told.text("initiatorType", 20, faults),
        // A browser says 0 for a resource whose server does not let the page know.
        bytes: told
            .whole("transferSize", u32::MAX, faults)
            .filter(|bytes| *bytes > 0),
        has_high_priority: told.raw_text("fetchPriority", faults).map(|word| word == "high"),
        is_lazy: told.raw_text("loading", faults).map(|word| word == "lazy"),
        resource_url,
    }
}

fn inp(told: Reader<'_>, faults: &mut Faults) -> InpCause {
    let longest = told.object("longestScript", faults).and_then(|told| {
        let mut found = None;
        faults.within("longestScript", |faults| {
            found = script(told, faults).map(|mut script| {
                if let Some(within) = told.ms("intersectingDuration", faults) {
                    script.duration_ms = within;
                }
                (script, told.word("subpart", faults))
            });
        });
        found
    });
    InpCause {
        element: element(told, "interactionTarget", faults),
        interaction: told.word("interactionType", faults),
        load_state: told.word("loadState", faults),
        input_delay_ms: told.ms("inputDelay", faults),
        processing_ms: told.ms("processingDuration", faults),
        presentation_ms: told.ms("presentationDelay", faults),
        script_ms: told.ms("totalScriptDuration", faults),
        style_layout_ms: told.ms("totalStyleAndLayoutDuration", faults),
        paint_ms: told.ms("totalPaintDuration", faults),
        unattributed_ms: told.ms("totalUnattributedDuration", faults),
        longest_script: longest,
    }
}

fn cls(told: Reader<'_>, faults: &mut Faults) -> ClsCause {
    ClsCause {
        element: element(told, "largestShiftTarget", faults),
        shift: told.upto("largestShiftValue", MOST_CLS, faults),
        // Pages stay open for long.
        shift_at_ms: told.upto("largestShiftTime", 1_000.0 * MOST_MS, faults),
        load_state: told.word("loadState", faults),
    }
}

fn ttfb(told: Reader<'_>, faults: &mut Faults) -> TtfbCause {
    let timing = |told: Reader<'_>, faults: &mut Faults| {
        Some(ServerTiming {
            name: told.text("name", MOST_OF_NAME, faults)?,
            duration_ms: told.ms("duration", faults)?,
        })
    };
    TtfbCause {
        waiting_ms: told.ms("waitingDuration", faults),
        cache_ms: told.ms("cacheDuration", faults),
        dns_ms: told.ms("dnsDuration", faults),
        connection_ms: told.ms("connectionDuration", faults),
        request_ms: told.ms("requestDuration", faults),
        redirects: told.whole("redirectCount", 1_000_u16, faults),
        server_timings: told
            .list("serverTiming", MOST_TIMINGS, faults, timing)
            .unwrap_or_default(),
    }
}

/// The protocol by which the document came.
pub(super) fn protocol(view: Reader<'_>, faults: &mut Faults) -> Option<String> {
    let mut protocol = None;
    within(view, "ttfb", faults, |told, faults| {
        protocol = told.text("nextHopProtocol", 20, faults);
    });
    protocol
}

/// A metric: its value within bounds.
pub(super) fn value(view: Reader<'_>, metric: &str, most: f64, faults: &mut Faults) -> Option<f64> {
    let measured: &Map<String, Value> = view.object(metric, faults)?.0;
    let mut value = None;
    faults.within(metric, |faults| {
        value = Reader(measured).upto("value", most, faults)
    });
    value
}
