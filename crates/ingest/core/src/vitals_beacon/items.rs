//! `errors`, `resources`, `long_frames` and `not_restored_reasons`.

use std::borrow::Cow;

use pharos_domain::{
    collect::view::{
        ErrorSource, FrameKind, LongFrame, NotRestored, ReasonType, Resource, ResourcePhases, ResourceType,
        Script, ScriptError,
    },
    settings::Faults,
};
use serde_json::Value;

use super::reader::{MOST_MS, Reader, bare, line, lines};

/// How many characters of a message, of a stack, and of a name count.
const MOST_OF_MESSAGE: usize = 500;
const MOST_OF_STACK: usize = 4_000;
const MOST_OF_NAME: usize = 100;
/// How many causes of an error count.
const MOST_CAUSES: usize = 5;
/// How many scripts of a long frame count.
pub(super) const MOST_SCRIPTS: usize = 5;
/// The methods of requests that count (RFC 9110, RFC 5789). Any other is a text of whoever wrote the page.
const METHODS: [&str; 9] = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
];
/// Pages stay open for long: when something happened, in milliseconds from the start of the load.
const MOST_OF_START: f64 = 1_000.0 * MOST_MS;

pub(super) fn error(told: Reader<'_>, faults: &mut Faults) -> Option<ScriptError> {
    let handling = told.raw_text("handling", faults);
    let causes = told.get("causes").and_then(Value::as_array);
    Some(ScriptError {
        message: told.text("message", MOST_OF_MESSAGE, faults)?,
        name: told.text("type", MOST_OF_NAME, faults),
        source: told.word("source", faults).unwrap_or(ErrorSource::Source),
        is_handled: handling == Some("handled"),
        filename: told.address("filename", faults),
        line: told.whole("line", u32::MAX, faults).filter(|line| *line > 0),
        column: told
            .whole("column", u32::MAX, faults)
            .filter(|column| *column > 0),
        stack: told
            .raw_text("stack", faults)
            .and_then(|stack| lines(stack, MOST_OF_STACK)),
        causes: causes
            .into_iter()
            .flatten()
            .filter_map(|cause| line(cause.as_str()?, MOST_OF_MESSAGE))
            .take(MOST_CAUSES)
            .collect(),
    })
}

pub(super) fn resource(told: Reader<'_>, faults: &mut Faults) -> Option<Resource> {
    let name = told.raw_text("name", faults).and_then(bare);
    let initiator = told.raw_text("initiatorType", faults).unwrap_or_default();
    let phases = phases(told, faults);
    let is_cached = match (told.raw_text("deliveryType", faults), phases) {
        (Some("cache"), _) => Some(true),
        (_, Some(phases)) => Some(phases.transfer_bytes == 0 && phases.decoded_bytes > 0),
        (_, None) => None,
    };
    let url = name?;
    Some(Resource {
        kind: kind(initiator, &url),
        method: told
            .text("method", 10, faults)
            .map(|method| method.to_ascii_uppercase())
            .filter(|method| METHODS.contains(&method.as_str())),
        start_ms: told.upto("startTime", MOST_OF_START, faults).unwrap_or(0.0),
        duration_ms: told.ms("duration", faults)?,
        phases,
        protocol: told.text("nextHopProtocol", 20, faults),
        is_render_blocking: told
            .raw_text("renderBlockingStatus", faults)
            .map(|status| status == "blocking"),
        is_cached,
        status: told.whole("responseStatus", 999_u16, faults),
        url,
    })
}

/// The parts are told together or not at all.
fn phases(told: Reader<'_>, faults: &mut Faults) -> Option<ResourcePhases> {
    told.get("request")?;
    Some(ResourcePhases {
        dns_ms: told.ms("dns", faults).unwrap_or(0.0),
        connect_ms: told.ms("connect", faults).unwrap_or(0.0),
        tls_ms: told.ms("tls", faults).unwrap_or(0.0),
        ttfb_ms: told.ms("request", faults)?,
        download_ms: told.ms("response", faults)?,
        transfer_bytes: told.whole("transferSize", u32::MAX, faults)?,
        decoded_bytes: told.whole("decodedBodySize", u32::MAX, faults)?,
    })
}

/// The kind of a resource, by what loaded it (Resource Timing, `initiatorType`) and the end of its path.
fn kind(initiator: &str, url: &str) -> ResourceType {
    match initiator {
        "script" => return ResourceType::Script,
        "img" | "image" | "input" => return ResourceType::Image,
        "video" | "audio" | "track" => return ResourceType::Media,
        "fetch" => return ResourceType::Fetch,
        "xmlhttprequest" => return ResourceType::Xhr,
        "beacon" => return ResourceType::Beacon,
        "iframe" | "frame" | "navigation" => return ResourceType::Document,
        _ => {}
    }
    let file = url.rsplit('/').next().unwrap_or_default();
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "css" => ResourceType::Stylesheet,
        "js" | "mjs" => ResourceType::Script,
        "woff" | "woff2" | "ttf" | "otf" | "eot" => ResourceType::Font,
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "svg" | "ico" => ResourceType::Image,
        "mp4" | "webm" | "mp3" | "ogg" | "m4a" => ResourceType::Media,
        _ => ResourceType::Other,
    }
}

pub(super) fn long_frame(told: Reader<'_>, faults: &mut Faults) -> Option<LongFrame> {
    let kind = told
        .word("entryType", faults)
        .unwrap_or(FrameKind::LongAnimationFrame);
    let scripts = told.list("scripts", MOST_SCRIPTS, faults, script);
    Some(LongFrame {
        kind,
        start_ms: told.upto("startTime", MOST_OF_START, faults).unwrap_or(0.0),
        duration_ms: told.ms("duration", faults)?,
        blocking_ms: told.ms("blockingDuration", faults).unwrap_or(0.0),
        style_layout_ms: told
            .ms("styleAndLayoutDuration", faults)
            .filter(|_| kind == FrameKind::LongAnimationFrame),
        scripts: scripts.unwrap_or_default(),
    })
}

pub(super) fn script(told: Reader<'_>, faults: &mut Faults) -> Option<Script> {
    let url = told.address("sourceURL", faults);
    Some(Script {
        function: told.text("sourceFunctionName", MOST_OF_NAME, faults),
        // An invoker is the address of the script where that is what was loaded.
        invoker: told
            .raw_text("invoker", faults)
            .and_then(|invoker| match bare(invoker) {
                Some(address) => line(&address, 200),
                None => line(&without_query(invoker), 200),
            }),
        invoker_type: told.word("invokerType", faults),
        duration_ms: told.ms("duration", faults)?,
        forced_layout_ms: told.ms("forcedStyleAndLayoutDuration", faults).unwrap_or(0.0),
        url,
    })
}

/// An invoker without the query of the address in it: a listener of an element without an id is told by the element's `src`, such as
/// `IMG[src=/portrait.png?user=7].onload` (Long Animation Frames, the steps for `invoker`).
fn without_query(invoker: &str) -> Cow<'_, str> {
    let Some(begin) = invoker.find("[src=") else {
        return Cow::Borrowed(invoker);
    };
    // One that was cut has no end.
    let end = invoker[begin..]
        .rfind(']')
        .map_or(invoker.len(), |end| begin + end);
    match invoker[begin..end].find(['?', '#']) {
        Some(query) => Cow::Owned([&invoker[..begin + query], &invoker[end..]].concat()),
        None => Cow::Borrowed(invoker),
    }
}

pub(super) fn not_restored(told: Reader<'_>, faults: &mut Faults) -> Option<NotRestored> {
    Some(NotRestored {
        reason: told.text("reason", MOST_OF_NAME, faults)?,
        kind: told.word("type", faults).unwrap_or(ReasonType::Unknown),
    })
}
