//! The beacon of real-user monitoring: one page view, with what was measured of it so far.
//!
//! Its members stand in the guide `docs/guides/collect.md`. Names of `attribution` are those of the attribution build of
//! `web-vitals` 5, of which the browser's own objects are left out.
//!
//! A member of a wrong type makes the beacon wrong, and each is named. A number out of bounds was not measured: below 0, and
//! so the -1 of some senders, a time above ten minutes, a CLS above 100. Texts are cut, and lists end at their bound.

mod cause;
mod items;
mod reader;
#[cfg(test)]
mod tests;

use pharos_domain::{
    collect::{
        OLDEST, PageLoadId, kept_path,
        view::{Connection, Engagement, Navigation, View},
    },
    settings::Faults,
};
use serde_json::{Map, Value};
use time::{Duration, OffsetDateTime};

use self::reader::{MOST_MS, MOST_OF_URL, Reader};

/// The highest CLS that a page can have; layouts that never settle reach some tens.
const MOST_CLS: f64 = 100.0;
/// How many of a view are kept.
const MOST_ERRORS: usize = 20;
const MOST_RESOURCES: usize = 60;
const MOST_FRAMES: usize = 30;
const MOST_REASONS: usize = 20;
/// A page that is in sight for longer than a day is a mistake.
const MOST_VISIBLE_MS: u32 = 86_400_000;
/// A view of which the page still tells after this is over, in milliseconds: a day.
const MOST_AGE_MS: f64 = 86_400_000.0;

/// Reads the view out of the `members` of a beacon of the page load `load` that arrived at `received_at`. Hosts and paths
/// are not checked against the site's settings.
///
/// `None` where there are faults that leave no view, or where the load began over a day ago: its view is over. Others of the
/// `faults` make the beacon wrong too.
pub fn read(
    members: &Map<String, Value>,
    load: Option<PageLoadId>,
    received_at: OffsetDateTime,
    faults: &mut Faults,
) -> Option<View> {
    if load.is_none() {
        faults.add("load", "16 hexadecimal digits");
    }
    let envelope = Reader(members);
    let Some(told) = envelope.object("view", faults) else {
        if envelope.get("view").is_none() {
            faults.add("view", "an object that tells of a page view");
        }
        return None;
    };
    let version = version(envelope, faults);
    let viewport = viewport(envelope, faults);
    let (connection, rtt_ms) = connection(envelope, faults);
    let device_memory = envelope.upto("device_memory", 1_024.0, faults);
    let mut view = None;
    faults.within("view", |faults| {
        view = of(told, load, received_at, faults).map(|view| View {
            version,
            viewport,
            connection,
            rtt_ms,
            device_memory,
            ..view
        });
    });
    view
}

/// How many rows the view of these members has: its own, and one for each error, resource, long frame, script of one, and reason.
pub(crate) fn rows(members: &Map<String, Value>) -> usize {
    let view = members.get("view");
    let frames = listed(view, "long_frames", MOST_FRAMES);
    let scripts = frames
        .iter()
        .map(|frame| listed(Some(frame), "scripts", items::MOST_SCRIPTS).len());
    1 + listed(view, "errors", MOST_ERRORS).len()
        + listed(view, "resources", MOST_RESOURCES).len()
        + frames.len()
        + scripts.sum::<usize>()
        + listed(view, "not_restored_reasons", MOST_REASONS).len()
}

/// The first `most` of a list, where there is one.
fn listed<'a>(of: Option<&'a Value>, name: &str, most: usize) -> &'a [Value] {
    let list = of.and_then(|of| of.get(name)).and_then(Value::as_array);
    list.map(|list| list.get(..most).unwrap_or(list))
        .unwrap_or_default()
}

fn of(
    told: Reader<'_>,
    load: Option<PageLoadId>,
    received_at: OffsetDateTime,
    faults: &mut Faults,
) -> Option<View> {
    let page = told.get("url").and_then(Value::as_str).and_then(page);
    if page.is_none() {
        let detail = format!("the page's address, https:// or http://, of at most {MOST_OF_URL} bytes");
        faults.add("url", detail);
    }
    let age = told.upto("age_ms", f64::MAX, faults).unwrap_or(0.0);
    let was_hidden = told.flag("hidden", faults).unwrap_or(false);
    let paint = |ms: Option<f64>| ms.filter(|_| !was_hidden);
    let navigation = told
        .raw_text("navigation", faults)
        .map_or(Some(Navigation::Navigate), |word| {
            word.replace('-', "_").parse().ok()
        });
    if navigation.is_none() {
        faults.add(
            "navigation",
            "a type of navigation, such as navigate or back-forward-cache",
        );
    }
    let engagement = Engagement {
        visible_ms: told.whole("visible_ms", MOST_VISIBLE_MS, faults),
        scroll_pct: told.whole("scroll_pct", 100_u8, faults),
        interactions: told.whole("interactions", u16::MAX, faults),
        rage_clicks: told.whole("rage_clicks", u16::MAX, faults),
        dead_clicks: told.whole("dead_clicks", u16::MAX, faults),
    };
    let view = View {
        load: PageLoadId(0),
        at: began(received_at, age),
        revision: told.whole("revision", u16::MAX, faults).unwrap_or(0),
        origin: String::new(),
        host: String::new(),
        path: String::new(),
        referrer: told.address("referrer", faults),
        navigation: Navigation::Navigate,
        was_hidden,
        lcp_ms: paint(cause::value(told, "lcp", MOST_MS, faults)),
        inp_ms: cause::value(told, "inp", MOST_MS, faults),
        cls: cause::value(told, "cls", MOST_CLS, faults),
        fcp_ms: paint(cause::value(told, "fcp", MOST_MS, faults)),
        ttfb_ms: cause::value(told, "ttfb", MOST_MS, faults),
        dom_content_loaded_ms: told.ms("dom_content_loaded_ms", faults),
        load_ms: told.ms("load_ms", faults),
        cause: Box::new(cause::cause(told, faults)),
        version: None,
        viewport: None,
        connection: None,
        rtt_ms: None,
        protocol: cause::protocol(told, faults),
        device_memory: None,
        engagement,
        errors: told
            .list("errors", MOST_ERRORS, faults, items::error)
            .unwrap_or_default(),
        resources: told
            .list("resources", MOST_RESOURCES, faults, items::resource)
            .unwrap_or_default(),
        long_frames: told.list("long_frames", MOST_FRAMES, faults, items::long_frame),
        not_restored: told.list("not_restored_reasons", MOST_REASONS, faults, items::not_restored),
    };
    let (page, navigation, load) = (page?, navigation?, load?);
    (age <= MOST_AGE_MS).then_some(View {
        load,
        origin: page.origin,
        host: page.host,
        path: page.path,
        navigation,
        ..view
    })
}

/// When a load began that is so old. A load that claims to be older than [`OLDEST`] counts at the receipt; where it is known
/// already, its first beacon said when it began.
fn began(received_at: OffsetDateTime, age_ms: f64) -> OffsetDateTime {
    let age = Duration::seconds_f64((age_ms / 1_000.0).min(1e9));
    if age > OLDEST {
        received_at
    } else {
        received_at - age
    }
}

/// The address of a page, taken apart.
struct Page {
    origin: String,
    host: String,
    path: String,
}

fn page(url: &str) -> Option<Page> {
    let url = reader::web(url)?;
    let host = url.host_str()?.trim_end_matches('.').to_owned();
    let path = kept_path(url.path()).to_owned();
    (!host.is_empty() && host.len() <= 253).then(|| Page {
        origin: url.origin().ascii_serialization(),
        host,
        path,
    })
}

fn version(envelope: Reader<'_>, faults: &mut Faults) -> Option<String> {
    let told = envelope.raw_text("version", faults)?;
    let is_version = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+');
    ((1..=32).contains(&told.len()) && told.bytes().all(is_version)).then(|| told.to_owned())
}

fn viewport(envelope: Reader<'_>, faults: &mut Faults) -> Option<(u16, u16)> {
    let value = envelope.get("viewport")?;
    let side = |place: usize| {
        let side = value.get(place)?.as_f64()?.round();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number within the bounds of u16"
        )]
        (0.0..=65_535.0).contains(&side).then_some(side as u16)
    };
    let sides = side(0).zip(side(1));
    if sides.is_none() {
        faults.add("viewport", "width and height, two numbers of 0 to 65535");
    }
    sides
}

fn connection(envelope: Reader<'_>, faults: &mut Faults) -> (Option<Connection>, Option<f64>) {
    let Some(told) = envelope.object("connection", faults) else {
        return (None, None);
    };
    let mut found = (None, None);
    faults.within("connection", |faults| {
        found = (told.word("effectiveType", faults), told.ms("rtt", faults));
    });
    found
}
