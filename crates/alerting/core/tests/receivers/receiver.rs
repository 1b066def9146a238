//! A server that judges what it hears, and the tests that are the same for all services.

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{
    HeaderMap, Method, Request, Response, body::Incoming, header::CONTENT_TYPE, server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use pharos_alerting::delivery::target::Target;
use serde_json::Value;
use tokio::net::TcpListener;

use crate::{
    cases::{self, Case},
    lab::{Lab, NOW},
};

/// A request as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) method: Method,
    /// The path and the query.
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// The texts of a message, as a reader of the service sees them; `None`: the service shows none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    pub(crate) title: Option<String>,
    pub(crate) body: Option<String>,
    pub(crate) small: Option<String>,
}

/// A service that messages go to: the messages that it takes, and how it shows them.
pub(crate) struct Service {
    /// The status by which it says that it took a message.
    pub(crate) success: u16,
    /// A channel that leads to a server of this URL, which has no path.
    pub(crate) target: fn(&str) -> Target,
    /// Refuses what the service refuses.
    pub(crate) judge: fn(&Heard) -> Result<Shown, String>,
    /// How it shows a plain text: most show it as it is.
    pub(crate) shows: fn(&str) -> String,
}

impl Heard {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The body of a POST of JSON to this path.
    pub(crate) fn json(&self, path: &str) -> Result<Value, String> {
        if self.method != Method::POST {
            return Err(format!("the method {} is not allowed", self.method));
        }
        if self.path != path {
            return Err(format!("there is no {}", self.path));
        }
        if self.header(CONTENT_TYPE.as_str()) != Some("application/json") {
            return Err("the content type is not application/json".to_owned());
        }
        serde_json::from_slice(&self.body).map_err(|error| format!("the body is not JSON: {error}"))
    }

    /// Refuses another value of `Authorization`, or one where none is expected.
    pub(crate) fn authorized(&self, expected: Option<&str>) -> Result<(), String> {
        match self.header("authorization") == expected {
            true => Ok(()),
            false => Err("not authorized".to_owned()),
        }
    }
}

/// A server on this machine.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl Receiver {
    /// Answers each request with a status and a text.
    pub(crate) async fn start(answer: impl Fn(&Heard) -> (u16, String) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&heard), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                let service = service_fn(move |request: Request<Incoming>| {
                    let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                    async move {
                        let heard = hear(request).await;
                        let (status, text) = answer(&heard);
                        log.lock().unwrap().push(heard);
                        let response = Response::builder().status(status);
                        Ok::<_, Infallible>(response.body(Full::new(Bytes::from(text))).unwrap())
                    }
                });
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
        Self { address, heard }
    }

    /// Plays a service.
    pub(crate) async fn playing(service: &Service) -> Self {
        let (judge, success) = (service.judge, service.success);
        Self::start(move |heard| match judge(heard) {
            Ok(_) => (success, String::new()),
            Err(reason) => (400, reason),
        })
        .await
    }

    pub(crate) fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The last request.
    pub(crate) fn last(&self) -> Heard {
        self.heard.lock().unwrap().last().unwrap().clone()
    }

    pub(crate) fn count(&self) -> usize {
        self.heard.lock().unwrap().len()
    }
}

async fn hear(request: Request<Incoming>) -> Heard {
    let (head, body) = request.into_parts();
    Heard {
        method: head.method,
        path: head.uri.path_and_query().unwrap().to_string(),
        headers: head.headers,
        body: body.collect().await.unwrap().to_bytes().to_vec(),
    }
}

/// Sends every message there is. The service takes all of them, and its readers see their texts as plain text.
pub(crate) async fn takes_every_message(service: &Service) {
    let receiver = Receiver::playing(service).await;
    let target = (service.target)(&receiver.base());
    let sender = Lab::new()
        .permit(receiver.address)
        .services(&receiver.base())
        .sender();
    for case in cases::all() {
        let name = &case.name;
        let sent = sender.send(&target, &case.message, NOW).await;
        assert!(sent.is_ok(), "{name}: {sent:?}");
        let shown = (service.judge)(&receiver.last()).unwrap();
        shows(service, &case, &shown);
    }
    assert_eq!(receiver.count(), cases::all().len());
}

fn shows(service: &Service, case: &Case, shown: &Shown) {
    let name = &case.name;
    for (part, shown, whole, least) in [
        ("title", &shown.title, &case.title, 50),
        ("body", &shown.body, &case.body, 800),
    ] {
        let Some(shown) = shown else { continue };
        let whole = (service.shows)(whole);
        match shown.strip_suffix('\u{2026}') {
            Some(beginning) if *shown != whole => {
                assert!(whole.starts_with(beginning), "{name}: {part} {shown}");
                assert!(shown.chars().count() >= least, "{name}: {part} {shown}");
            }
            _ => assert_eq!(*shown, whole, "{name}: {part}"),
        }
    }
    if let Some(small) = &shown.small {
        let severity = format!(" \u{b7} {}", case.message.severity);
        assert!(small.contains(&severity), "{name}: {small}");
    }
    for text in [&shown.title, &shown.body, &shown.small].into_iter().flatten() {
        let hidden = text.chars().find(|c| {
            (c.is_control() && *c != '\n')
                || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
        });
        assert_eq!(hidden, None, "{name}");
    }
}

/// A change that makes a good request a bad one.
pub(crate) enum Change {
    /// A member of the body, found by its JSON pointer, has this value instead.
    Set(&'static str, Value),
    /// A member of the body is missing.
    Without(&'static str),
    /// The whole body is this.
    Body(&'static str),
    /// The request has this method.
    Method(Method),
    /// The request goes to this path.
    Path(&'static str),
    /// A header has this value instead, or is missing.
    Header(&'static str, Option<&'static str>),
}

impl Change {
    fn make(&self, heard: &mut Heard) {
        match self {
            Self::Set(pointer, value) => edit(heard, pointer, |members, name| {
                members.insert(name.to_owned(), value.clone());
            }),
            Self::Without(pointer) => edit(heard, pointer, |members, name| {
                assert!(members.remove(name).is_some(), "there was no {pointer}");
            }),
            Self::Body(body) => heard.body = body.as_bytes().to_vec(),
            Self::Method(method) => heard.method = method.clone(),
            Self::Path(path) => heard.path = (*path).to_owned(),
            Self::Header(name, Some(value)) => {
                heard.headers.insert(*name, value.parse().unwrap());
            }
            Self::Header(name, None) => {
                assert!(heard.headers.remove(*name).is_some(), "there was no {name}");
            }
        }
    }
}

/// Edits the object that holds what a pointer leads to, or the array, whose places are its names.
fn edit(heard: &mut Heard, pointer: &str, change: impl FnOnce(&mut serde_json::Map<String, Value>, &str)) {
    let mut body: Value = serde_json::from_slice(&heard.body).unwrap();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    match body.pointer_mut(parent).unwrap() {
        Value::Object(members) => change(members, name),
        Value::Array(values) => {
            let mut members = serde_json::Map::new();
            change(&mut members, name);
            let (_, value) = members.into_iter().next().unwrap();
            let place: usize = name.parse().unwrap();
            values[place] = value;
        }
        other => unreachable!("{other}"),
    }
    heard.body = body.to_string().into_bytes();
}

/// Hands the service an ordinary message, changed in one way at a time. It refuses each change for its own reason.
pub(crate) async fn refuses(service: &Service, case: &Case, changes: &[(Change, &str)]) {
    let receiver = Receiver::playing(service).await;
    let target = (service.target)(&receiver.base());
    let lab = Lab::new().permit(receiver.address).services(&receiver.base());
    lab.send(&target, &case.message).await.unwrap();
    let good = receiver.last();
    for (place, (change, reason)) in changes.iter().enumerate() {
        let mut bad = good.clone();
        change.make(&mut bad);
        let Err(refused) = (service.judge)(&bad) else {
            unreachable!("change {place} was not refused: {reason}");
        };
        assert!(
            refused.contains(reason),
            "change {place}: {refused}, not {reason}"
        );
    }
}
