//! The Chrome UX Report's API, played by this machine in the form that its discovery document `chromeuxreport.v1` gives. The
//! official client of Google is asked to talk to it, too (`official_client.rs`).

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use pharos_server::demo::google::field_data::FieldData;
use serde_json::{Value, json};
use time::{
    Date, Duration, OffsetDateTime,
    macros::{date, datetime},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// The last day of the newest daily record. The app's day is 2026-03-31; the report is two days old.
pub(super) const NEWEST: Date = date!(2026 - 03 - 29);
/// When the demo's report is asked.
const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);
/// The last Saturday before.
pub(super) const SATURDAY: Date = date!(2026 - 03 - 28);

/// The report of some subjects.
pub(super) struct Report {
    pub(super) address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The origins and URLs that are in the report.
    known: Vec<String>,
    /// The addresses that it makes another of, each with that.
    normalized: BTreeMap<String, String>,
    /// The report of the demo, which answers instead.
    played: Option<FieldData>,
    /// Whether it answers about computers where it is asked about phones.
    confuses_phones: bool,
    /// Whether it ends every connection once it has the request.
    hangs_up: bool,
    /// An answer to everything instead, as status, headers and body.
    instead: Option<(u16, String, String)>,
    /// Paths, and bodies, in the order in which they came.
    asked: Vec<(String, Value)>,
}

impl Report {
    pub(super) async fn of(known: &[&str]) -> Self {
        Self::start(State {
            known: known.iter().map(|known| (*known).to_owned()).collect(),
            ..State::default()
        })
        .await
    }

    /// The report that the demo plays, for this host and these of its pages.
    pub(super) async fn of_the_demo(host: &str, pages: &[&str]) -> Self {
        let played = FieldData {
            host: host.to_owned(),
            pages: pages.iter().map(|page| (*page).to_owned()).collect(),
        };
        Self::start(State {
            played: Some(played),
            ..State::default()
        })
        .await
    }

    async fn start(state: State) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { address, state }
    }

    /// Answers everything like this from now on.
    pub(super) fn answers(&self, status: u16, headers: &str, body: &str) {
        self.state.lock().unwrap().instead = Some((status, headers.to_owned(), body.to_owned()));
    }

    /// Answers nothing from now on.
    pub(super) fn hangs_up(&self) {
        self.state.lock().unwrap().hangs_up = true;
    }

    /// Answers as it should again.
    pub(super) fn is_well(&self) {
        let mut state = self.state.lock().unwrap();
        (state.instead, state.hangs_up) = (None, false);
    }

    /// Answers about computers from now on where it is asked about phones.
    pub(super) fn confuses_phones(&self) {
        self.state.lock().unwrap().confuses_phones = true;
    }

    /// Has this in it, too.
    pub(super) fn knows(&self, subject: &str) {
        self.state.lock().unwrap().known.push(subject.to_owned());
    }

    /// Makes another address of this one from now on, as it does of those with parameters.
    pub(super) fn normalizes(&self, address: &str, into: &str) {
        let mut state = self.state.lock().unwrap();
        state.normalized.insert(address.to_owned(), into.to_owned());
    }

    /// Has this in it no more.
    pub(super) fn forgets(&self, subject: &str) {
        self.state.lock().unwrap().known.retain(|known| known != subject);
    }

    /// The requests to it since the last time.
    pub(super) fn asked(&self) -> Vec<(String, Value)> {
        std::mem::take(&mut self.state.lock().unwrap().asked)
    }
}

async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let mut request = Vec::new();
    let (head, body) = loop {
        let mut part = [0; 4_096];
        match stream.read(&mut part).await {
            Ok(read) if read > 0 => request.extend_from_slice(&part[..read]),
            _ => return,
        }
        let Some(end) = request.windows(4).position(|end| end == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&request[..end]).to_ascii_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok())
            .unwrap_or(0);
        if request.len() >= end + 4 + length {
            let original = String::from_utf8_lossy(&request[..end]).into_owned();
            break (original, request[end + 4..].to_vec());
        }
    };
    if state.lock().unwrap().hangs_up {
        return;
    }
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let (status, headers, answer) = answer(&target, &body, &state);
    let answer = format!(
        "HTTP/1.1 {status} Status\r\ncontent-type: application/json; charset=UTF-8\r\n{headers}content-length: {}\r\n\
         connection: close\r\n\r\n{answer}",
        answer.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
}

fn answer(target: &str, sent: &[u8], state: &Mutex<State>) -> (u16, String, String) {
    let refused = |status: u16, word: &str| {
        let error = json!({ "error": { "code": status, "message": "no", "status": word } });
        (status, String::new(), error.to_string())
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let body: Value = serde_json::from_slice(sent).unwrap_or_default();
    let mut state = state.lock().unwrap();
    state.asked.push((path.to_owned(), body.clone()));
    if let Some(instead) = &state.instead {
        return instead.clone();
    }
    if let Some(played) = &state.played {
        let (status, answer) = played.answer(path, query, sent, NOW);
        return (status, String::new(), answer.to_string());
    }
    if !query.split('&').any(|pair| pair == "key=test-key") {
        let error = json!({ "error": {
            "code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT",
            "details": [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID" }]
        } });
        return (400, String::new(), error.to_string());
    }
    let is_history = path.ends_with(":queryHistoryRecord");
    let members: Vec<&String> = body
        .as_object()
        .map(|body| body.keys().collect())
        .unwrap_or_default();
    let allowed = ["origin", "url", "formFactor", "metrics", "collectionPeriodCount"];
    let is_sound = members.iter().all(|member| allowed.contains(&member.as_str()))
        && (body["collectionPeriodCount"].is_null() || is_history)
        && body["origin"].is_null() != body["url"].is_null();
    if !is_sound || !matches!(path, "/v1/records:queryRecord" | "/v1/records:queryHistoryRecord") {
        return refused(400, "INVALID_ARGUMENT");
    }
    let (member, address) = match (body["origin"].as_str(), body["url"].as_str()) {
        (Some(origin), _) => ("origin", origin),
        (None, url) => ("url", url.unwrap_or_default()),
    };
    let normalized = state.normalized.get(address);
    let subject = normalized.map_or(address, String::as_str);
    let is_known = state.known.iter().any(|known| known == subject);
    // Tablets are rare.
    if !is_known || body["formFactor"] == "TABLET" {
        return refused(404, "NOT_FOUND");
    }
    let mut key = json!({ member: subject });
    if !body["formFactor"].is_null() {
        key["formFactor"] = body["formFactor"].clone();
    }
    if state.confuses_phones && key["formFactor"] == "PHONE" {
        key["formFactor"] = json!("DESKTOP");
    }
    let record = if is_history {
        let count = body["collectionPeriodCount"].as_u64().unwrap_or(25);
        history(&key, i64::try_from(count).unwrap())
    } else {
        record(&key)
    };
    let mut answer = json!({ "record": record });
    if normalized.is_some() {
        answer["urlNormalizationDetails"] = json!({ "originalUrl": address, "normalizedUrl": subject });
    }
    (200, String::new(), answer.to_string())
}

fn day(date: Date) -> Value {
    json!({ "year": date.year(), "month": u8::from(date.month()), "day": date.day() })
}

fn period(end: Date) -> Value {
    json!({ "firstDate": day(end - Duration::days(27)), "lastDate": day(end) })
}

/// Phones are slower: an LCP of 2,900 ms against 1,900 ms.
fn lcp(key: &Value) -> u64 {
    if key["formFactor"] == "PHONE" {
        2_900
    } else {
        1_900
    }
}

fn record(key: &Value) -> Value {
    let band = |edges: [Value; 2], shares: [f64; 3]| {
        json!([
            { "start": 0, "end": edges[0], "density": shares[0] },
            { "start": edges[0], "end": edges[1], "density": shares[1] },
            { "start": edges[1], "density": shares[2] },
        ])
    };
    let mut metrics = json!({
        "largest_contentful_paint": {
            "histogram": band([json!(2_500), json!(4_000)], [0.7, 0.2, 0.1]), "percentiles": { "p75": lcp(key) }
        },
        "interaction_to_next_paint": {
            "histogram": band([json!(200), json!(500)], [0.9, 0.07, 0.03]), "percentiles": { "p75": 140 }
        },
        "cumulative_layout_shift": {
            "histogram": band([json!("0.10"), json!("0.25")], [0.95, 0.03, 0.02]), "percentiles": { "p75": "0.05" }
        },
        "first_contentful_paint": {
            "histogram": band([json!(1_800), json!(3_000)], [0.8, 0.15, 0.05]), "percentiles": { "p75": 1_400 }
        },
        "round_trip_time": {
            "histogram": band([json!(75), json!(275)], [0.5, 0.4, 0.1]), "percentiles": { "p75": 118 }
        },
        "largest_contentful_paint_image_time_to_first_byte": { "percentiles": { "p75": 600 } },
        "largest_contentful_paint_image_resource_load_delay": { "percentiles": { "p75": 300 } },
        "largest_contentful_paint_image_resource_load_duration": { "percentiles": { "p75": 900 } },
        "largest_contentful_paint_image_element_render_delay": { "percentiles": { "p75": 200 } },
        "largest_contentful_paint_resource_type": { "fractions": { "image": 0.7, "text": 0.3 } },
        "navigation_types": { "fractions": {
            "navigate": 0.6, "navigate_cache": 0.1, "reload": 0.05, "restore": 0.01, "back_forward": 0.06,
            "back_forward_cache": 0.12, "prerender": 0.06
        } },
    });
    // Pages have too few of them.
    if key["url"].is_null() {
        metrics["experimental_time_to_first_byte"] = json!({
            "histogram": band([json!(800), json!(1_800)], [0.7, 0.25, 0.05]), "percentiles": { "p75": 900 }
        });
    }
    if key["formFactor"].is_null() {
        metrics["form_factors"] = json!({ "fractions": { "phone": 0.6, "desktop": 0.35, "tablet": 0.05 } });
    }
    json!({ "key": key, "metrics": metrics, "collectionPeriod": period(NEWEST) })
}

/// Weeks back from the last Saturday. The one before the last has no figures.
fn history(key: &Value, count: i64) -> Value {
    let ends: Vec<Date> = (0..count)
        .rev()
        .map(|week| SATURDAY - Duration::weeks(week))
        .collect();
    let is_gap = |at: usize| at + 2 == ends.len();
    let series = |value: Value, gap: Value| -> Vec<Value> {
        (0..ends.len())
            .map(|at| if is_gap(at) { gap.clone() } else { value.clone() })
            .collect()
    };
    let share = |value: f64| series(json!(value), json!("NaN"));
    json!({
        "key": key,
        "metrics": {
            "largest_contentful_paint": {
                "histogramTimeseries": [
                    { "start": 0, "end": 2_500, "densities": share(0.7) },
                    { "start": 2_500, "end": 4_000, "densities": share(0.2) },
                    { "start": 4_000, "densities": share(0.1) }
                ],
                "percentilesTimeseries": { "p75s": series(json!(lcp(key)), Value::Null) }
            },
            "cumulative_layout_shift": {
                "histogramTimeseries": [
                    { "start": "0.00", "end": "0.10", "densities": share(0.95) },
                    { "start": "0.10", "end": "0.25", "densities": share(0.03) },
                    { "start": "0.25", "densities": share(0.02) }
                ],
                "percentilesTimeseries": { "p75s": series(json!("0.05"), Value::Null) }
            },
            "navigation_types": { "fractionTimeseries": {
                "navigate": { "fractions": share(0.8) },
                "back_forward_cache": { "fractions": share(0.2) }
            } }
        },
        "collectionPeriods": ends.iter().map(|end| period(*end)).collect::<Vec<_>>()
    })
}
