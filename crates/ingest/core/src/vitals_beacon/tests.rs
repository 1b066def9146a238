use pharos_domain::{
    collect::view::{InvokerType, LoadState, ReasonType, ResourceType, Subpart},
    settings::SettingFault,
};
use serde_json::json;
use time::macros::datetime;

use super::*;
use crate::beacon::{Content, Members};

const NOW: OffsetDateTime = datetime!(2026-03-31 12:00 UTC);

fn decoded(body: &Value) -> Result<Option<View>, Vec<SettingFault>> {
    let mut faults = Faults::default();
    let view = read(body.as_object().unwrap(), Some(PageLoadId(7)), NOW, &mut faults);
    faults.or(|| view)
}

fn view(members: &Value) -> View {
    let mut told = json!({ "url": "https://shop.example/p?token=secret#top" });
    told.as_object_mut()
        .unwrap()
        .extend(members.as_object().unwrap().clone());
    decoded(&json!({ "view": told })).unwrap().unwrap()
}

fn pointers(body: &Value) -> Vec<String> {
    let faults = decoded(body).unwrap_err();
    faults.into_iter().map(|fault| fault.pointer).collect()
}

#[test]
fn a_view_counts_for_as_many_rows_as_the_store_has_to_write() {
    let rows = |view: Value| {
        let members = json!({ "view": view });
        View::rows(Members(members.as_object().unwrap()))
    };
    let frame = json!({ "duration": 60, "scripts": [{ "duration": 50 }, { "duration": 10 }] });
    for (view, want) in [
        (json!({}), 1),
        (json!({ "long_frames": [frame, { "duration": 60 }] }), 5),
        (
            json!({ "errors": [{}, {}], "resources": [{}], "not_restored_reasons": [{}] }),
            5,
        ),
        (json!({ "errors": vec![json!({}); 900] }), 21),
        (json!({ "resources": vec![json!({}); 900] }), 61),
        (json!({ "not_restored_reasons": vec![json!({}); 900] }), 21),
        (
            json!({ "long_frames": vec![json!({ "scripts": vec![json!({}); 900] }); 900] }),
            181,
        ),
        (json!({ "errors": 3, "long_frames": { "scripts": [] } }), 1),
        (json!("no view"), 1),
    ] {
        assert_eq!(rows(view.clone()), want, "{view}");
    }
}

#[test]
fn a_view_says_all_that_was_told() {
    let view = decoded(&json!({
        "viewport": [390, 844],
        "connection": { "effectiveType": "slow-2g", "rtt": 150 },
        "device_memory": 0.5,
        "view": {
            "url": "https://user:pass@Shop.example:8443/p/1?token=secret#top",
            "age_ms": 2500, "revision": 3, "navigation": "back-forward-cache",
            "referrer": "https://search.example/find?q=shoes",
            "lcp": { "value": 2500.5, "attribution": {
                "target": "main>img.hero", "tagName": "IMG", "elementId": "hero", "elementClass": "hero wide",
                "url": "https://cdn.example/hero.avif?sig=abc", "timeToFirstByte": 500.5,
                "resourceLoadDelay": 300, "resourceLoadDuration": 1200, "elementRenderDelay": 500,
                "fetchPriority": "high", "loading": "lazy", "initiatorType": "img", "transferSize": 81000 } },
            "inp": { "value": 312, "attribution": {
                "interactionTarget": "#buy", "interactionType": "pointer", "loadState": "dom-content-loaded",
                "inputDelay": 12, "processingDuration": 200, "presentationDelay": 100, "totalScriptDuration": 190,
                "longestScript": { "sourceURL": "https://shop.example/app.js?v=1", "invoker": "BUTTON#buy.onclick",
                    "invokerType": "event-listener", "duration": 250, "forcedStyleAndLayoutDuration": 40,
                    "subpart": "processing-duration", "intersectingDuration": 190 } } },
            "cls": { "value": 0.12, "attribution": {
                "largestShiftTarget": "div.banner", "largestShiftValue": 0.1, "largestShiftTime": 1800,
                "loadState": "complete" } },
            "fcp": { "value": 900 },
            "ttfb": { "value": 500.5, "attribution": {
                "waitingDuration": 10, "cacheDuration": 1, "dnsDuration": 20, "connectionDuration": 60,
                "requestDuration": 409.5, "nextHopProtocol": "h2", "redirectCount": 2,
                "serverTiming": [{ "name": "db", "duration": 53 }] } },
            "scroll_pct": 60, "interactions": 4,
            "errors": [{ "message": "x is not a function", "type": "TypeError", "handling": "unhandled",
                "filename": "https://shop.example/app.js?v=1", "line": 3, "column": 14, "stack": "TypeError\n at f" }],
            "resources": [
                { "name": "https://cdn.example/a.css?x", "initiatorType": "link", "startTime": 3, "duration": 70,
                  "renderBlockingStatus": "blocking" },
                { "name": "https://shop.example/api?t=1", "initiatorType": "fetch", "duration": 80, "dns": 0, "connect": 0,
                  "tls": 0, "request": 60, "response": 20, "transferSize": 0, "decodedBodySize": 512, "responseStatus": 503 } ],
            "long_frames": [{ "startTime": 100, "duration": 180, "blockingDuration": 130, "styleAndLayoutDuration": 20,
                "scripts": [{ "duration": 120, "invokerType": "user-callback" }] }],
            "not_restored_reasons": [{ "reason": "unload-listener", "type": "cross-origin" }]
        }
    }))
    .unwrap()
    .unwrap();
    assert_eq!((view.host.as_str(), view.path.as_str()), ("shop.example", "/p/1"));
    assert_eq!(view.origin, "https://shop.example:8443");
    assert_eq!(view.at, datetime!(2026-03-31 11:59:57.5 UTC));
    assert_eq!(
        (view.revision, view.navigation),
        (3, Navigation::BackForwardCache)
    );
    assert_eq!(view.referrer.as_deref(), Some("https://search.example/find"));
    assert_eq!(
        (view.viewport, view.connection),
        (Some((390, 844)), Some(Connection::Slow2g))
    );
    assert_eq!((view.rtt_ms, view.device_memory), (Some(150.0), Some(0.5)));
    assert_eq!(
        (view.lcp_ms, view.inp_ms, view.cls),
        (Some(2500.5), Some(312.0), Some(0.12))
    );
    assert_eq!((view.fcp_ms, view.ttfb_ms), (Some(900.0), Some(500.5)));
    assert_eq!(view.protocol.as_deref(), Some("h2"));

    let lcp = &view.cause.lcp;
    assert_eq!(lcp.resource_url.as_deref(), Some("https://cdn.example/hero.avif"));
    assert_eq!(lcp.element.tag.as_deref(), Some("img"));
    assert_eq!(
        (lcp.load_delay_ms, lcp.load_duration_ms),
        (Some(300.0), Some(1200.0))
    );
    assert_eq!(
        (lcp.has_high_priority, lcp.is_lazy, lcp.bytes),
        (Some(true), Some(true), Some(81_000))
    );
    let inp = &view.cause.inp;
    assert_eq!(inp.load_state, Some(LoadState::DomContentLoaded));
    let (script, subpart) = inp.longest_script.clone().unwrap();
    assert_eq!(
        (script.invoker_type, script.duration_ms),
        (Some(InvokerType::EventListener), 190.0)
    );
    assert_eq!(script.url.as_deref(), Some("https://shop.example/app.js"));
    assert_eq!(subpart, Some(Subpart::ProcessingDuration));
    assert_eq!(view.cause.cls.element.selector.as_deref(), Some("div.banner"));
    assert_eq!(view.cause.ttfb.redirects, Some(2));
    assert_eq!(view.cause.ttfb.server_timings[0].duration_ms, 53.0);

    assert_eq!(view.engagement.scroll_pct, Some(60));
    assert_eq!(
        view.errors[0].filename.as_deref(),
        Some("https://shop.example/app.js")
    );
    assert_eq!(view.resources[0].kind, ResourceType::Stylesheet);
    // Without Timing-Allow-Origin nothing is known of sizes and parts.
    assert_eq!(
        (view.resources[0].phases, view.resources[0].is_cached),
        (None, None)
    );
    assert_eq!(
        (view.resources[1].is_cached, view.resources[1].status),
        (Some(true), Some(503))
    );
    assert_eq!(view.long_frames.unwrap()[0].scripts.len(), 1);
    assert_eq!(view.not_restored.unwrap()[0].kind, ReasonType::CrossOrigin);
}

#[test]
fn a_version_is_one_or_left_out() {
    let version = |told: Value| {
        let body = json!({ "version": told, "view": { "url": "https://shop.example/" } });
        decoded(&body).unwrap().unwrap().version
    };
    assert_eq!(version(json!("0.1.0-rc.1+b2")).as_deref(), Some("0.1.0-rc.1+b2"));
    for wrong in [
        json!(null),
        json!(""),
        json!("of ada@shop.example"),
        json!("1".repeat(33)),
    ] {
        assert_eq!(version(wrong.clone()), None, "{wrong}");
    }
}

#[test]
fn all_that_a_page_may_tell_of_errors_clicks_and_the_cache_is_read() {
    let errors = ["source", "network", "console", "report", "custom"].map(
        |source| json!({ "message": source, "source": source, "causes": ["a", "b", "c", "d", "e", "f"] }),
    );
    let view = view(&json!({ "navigation": "navigate-cache", "dead_clicks": 3, "errors": errors }));
    assert_eq!(
        (view.navigation, view.engagement.dead_clicks),
        (Navigation::NavigateCache, Some(3))
    );
    for error in &view.errors {
        assert_eq!(error.source.as_str(), error.message);
        assert_eq!(error.causes, ["a", "b", "c", "d", "e"]);
    }
    assert_eq!(view.errors.len(), 5);
}

#[test]
fn what_is_out_of_bounds_was_not_measured() {
    for value in [json!(-1), json!(-0.5), json!(1e12), json!(600_000.1), json!(null)] {
        let view = view(&json!({ "lcp": { "value": value }, "ttfb": { "value": 1 }, "load_ms": value }));
        assert_eq!(
            (view.lcp_ms, view.load_ms, view.ttfb_ms),
            (None, None, Some(1.0)),
            "{value}"
        );
    }
    assert_eq!(view(&json!({ "cls": { "value": 900 } })).cls, None);
    assert_eq!(view(&json!({ "cls": { "value": 0 } })).cls, Some(0.0));
    assert_eq!(view(&json!({ "inp": { "value": 80 } })).inp_ms, Some(80.0));
    assert_eq!(view(&json!({ "scroll_pct": 101 })).engagement.scroll_pct, None);
}

#[test]
fn members_of_a_wrong_type_are_all_named() {
    let told = json!({
        "viewport": "wide", "connection": 4, "device_memory": "8",
        "view": {
            "url": 5, "revision": "1", "navigation": "teleport", "hidden": 1,
            "lcp": { "value": "2500", "attribution": { "target": 1 } }, "inp": 200, "cls": { "attribution": [] },
            "errors": {}, "resources": [1, { "name": "https://a.example/", "duration": [] }],
        }
    });
    let mut found = pointers(&told);
    found.sort();
    let mut wanted = [
        "/viewport",
        "/connection",
        "/device_memory",
        "/view/url",
        "/view/revision",
        "/view/navigation",
        "/view/hidden",
        "/view/lcp/value",
        "/view/lcp/attribution/target",
        "/view/inp",
        "/view/cls/attribution",
        "/view/errors",
        "/view/resources/0",
        "/view/resources/1/duration",
    ];
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    for nothing in [json!({}), json!({ "view": null })] {
        assert_eq!(pointers(&nothing), ["/view"]);
    }
    assert_eq!(pointers(&json!({ "view": [] })), ["/view"]);
}

#[test]
fn texts_are_cut_and_lists_end_at_their_bound() {
    let long = "ü".repeat(100_000);
    let error = json!({ "message": long, "stack": format!("Error\n{}", "  at f\n".repeat(150_000)) });
    let resource = json!({ "name": format!("https://a.example/{}", "x".repeat(3_000)), "duration": 1 });
    let view = view(&json!({
        "lcp": { "value": 1, "attribution": { "target": long, "elementId": long, "elementClass": long } },
        "cls": { "value": 0.1, "attribution": { "largestShiftTarget": long } },
        "errors": vec![error; 25],
        "resources": vec![resource; 70],
    }));
    let selector = view.cause.cls.element.selector.unwrap();
    assert_eq!(selector.chars().count(), 300);
    let largest = &view.cause.lcp.element;
    let lengths =
        [&largest.selector, &largest.id, &largest.class].map(|text| text.as_ref().unwrap().chars().count());
    assert_eq!(lengths, [300, 100, 100]);
    assert_eq!(view.errors.len(), 20);
    assert_eq!(view.errors[0].message.chars().count(), 500);
    // 570 lines that are whole, behind the first.
    assert_eq!(view.errors[0].stack.as_ref().unwrap().len(), 5 + 570 * 7);
    assert_eq!(view.resources.len(), 60);
    assert_eq!(view.resources[0].url.len(), 1_000);
}

#[test]
fn a_method_that_is_none_does_not_count() {
    let resource = |method: &str| json!({ "name": "https://a.example/api", "duration": 1, "method": method });
    let told = ["get", "PATCH", "OBEY ME", "", "GETS"].map(resource);
    let methods: Vec<Option<String>> = view(&json!({ "resources": told }))
        .resources
        .into_iter()
        .map(|resource| resource.method)
        .collect();
    let known = |method: &str| Some(method.to_owned());
    assert_eq!(methods, [known("GET"), known("PATCH"), None, None, None]);
}

#[test]
fn no_half_of_a_secret_is_left_where_a_text_is_cut() {
    let cut = format!("{} ada.lovelace@shop", "x".repeat(482));
    let told = json!([{ "message": cut }, { "message": format!("{cut}.example is unknown") }]);
    let found = view(&json!({ "errors": told }));
    for error in &found.errors {
        assert_eq!(error.message, "x".repeat(482));
    }
}

/// A page cuts after so many units of UTF-16, of which an emoji has two, and this end trims the text besides.
#[test]
fn a_text_that_the_page_has_cut_keeps_no_half_of_a_secret_either() {
    let words = format!("\u{1f600} {}", "x".repeat(479));
    let padded = "x".repeat(481);
    let told = json!([
        { "message": format!("{words} ada.lovelace@shop") },
        { "message": format!("\n{padded} ada.lovelace@shop") },
    ]);
    let found = view(&json!({ "errors": told }));
    assert_eq!(found.errors[0].message, words);
    assert_eq!(found.errors[1].message, padded);
}

#[test]
fn a_text_without_spaces_loses_no_more_than_its_last_word() {
    let told = format!("Refused: {}", r#"{"a":1},"#.repeat(100));
    let found = view(&json!({ "errors": [{ "message": told }] }));
    assert_eq!(found.errors[0].message, &told[..499]);
}

#[test]
fn a_message_of_several_lines_is_one_line_of_words() {
    let told =
        json!([{ "message": "no mail for ada@shop.example\nTry again\u{0} later", "causes": ["one\ttwo"] }]);
    let found = view(&json!({ "errors": told }));
    let error = &found.errors[0];
    assert_eq!(error.message, "no mail for ada@shop.example Try again later");
    assert_eq!(error.causes, ["one two"]);
}

#[test]
fn no_invoker_has_a_query() {
    let told = [
        "BUTTON#buy.onclick",
        "https://shop.example/app.js?user=ada#top",
        "IMG[src=https://shop.example/portrait.png?user=ada].onload",
        "SCRIPT[src=/a.js#ada].onerror",
        "IMG[src=/portrait.png].onload",
        "IMG[src=/portrait.png?user=ad",
        "TimerHandler:setTimeout",
    ];
    let frames: Vec<Value> = told
        .iter()
        .map(|invoker| json!({ "duration": 100, "scripts": [{ "invoker": invoker, "duration": 80 }] }))
        .collect();
    let found = view(&json!({ "long_frames": frames })).long_frames.unwrap();
    let invokers: Vec<&str> = found
        .iter()
        .map(|frame| frame.scripts[0].invoker.as_deref().unwrap())
        .collect();
    let wanted = [
        "BUTTON#buy.onclick",
        "https://shop.example/app.js",
        "IMG[src=https://shop.example/portrait.png].onload",
        "SCRIPT[src=/a.js].onerror",
        "IMG[src=/portrait.png].onload",
        "IMG[src=/portrait.png",
        "TimerHandler:setTimeout",
    ];
    assert_eq!(invokers, wanted);
}

#[test]
fn only_pages_of_the_web_are_pages() {
    let long = format!("https://shop.example/{}", "x".repeat(60_000));
    for url in [
        "",
        "about:blank",
        "file:///etc/passwd",
        "data:text/html,x",
        "//shop.example/",
        &long,
    ] {
        assert_eq!(
            pointers(&json!({ "view": { "url": url } })),
            ["/view/url"],
            "{url:.40}"
        );
    }
    let query = format!("https://shop.example/p?{}", "x".repeat(60_000));
    let told = decoded(&json!({ "view": { "url": query } })).unwrap().unwrap();
    assert_eq!(told.path, "/p");
    // A resource that is not on the web is none, and its view is one.
    let told = json!([{ "name": "data:image/png;base64,xx", "duration": 1 }]);
    assert!(view(&json!({ "resources": told })).resources.is_empty());
}

#[test]
fn a_view_counts_when_it_began_and_not_after_a_day() {
    let at = |age: f64| {
        let told = json!({ "view": { "url": "https://shop.example/", "age_ms": age } });
        decoded(&told).unwrap().map(|view| view.at)
    };
    assert_eq!(at(3_600_000.0), Some(datetime!(2026-03-31 11:00 UTC)));
    // Over an hour: the moment of the receipt.
    assert_eq!(at(3_600_001.0), Some(NOW));
    assert_eq!(at(86_400_001.0), None);
    assert_eq!(at(1e300), None);
}

#[test]
fn a_view_that_began_out_of_sight_has_no_paint() {
    let measured = json!({ "value": 100 });
    let view =
        view(&json!({ "hidden": true, "lcp": measured, "fcp": measured, "ttfb": measured, "cls": measured }));
    assert_eq!((view.lcp_ms, view.fcp_ms), (None, None));
    assert_eq!((view.ttfb_ms, view.cls), (Some(100.0), Some(100.0)));
}

#[test]
fn the_largest_paint_of_a_text_has_no_resource_to_wait_for() {
    let told =
        json!({ "target": "h1", "timeToFirstByte": 5, "resourceLoadDelay": 0, "resourceLoadDuration": 0 });
    let lcp = view(&json!({ "lcp": { "value": 9, "attribution": told } }))
        .cause
        .lcp;
    assert_eq!(
        (lcp.ttfb_ms, lcp.load_delay_ms, lcp.load_duration_ms),
        (Some(5.0), None, None)
    );
}
