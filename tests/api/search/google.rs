//! The Google that tests talk to: the one of the demo, on a site of a few facts, with faults where a test wants them. Google's
//! own client is asked to talk to it, too (`official_client.rs`), and holds what Pharos sends against its discovery document.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use pharos_domain::clock::Clock;
use pharos_server::demo::google::{
    consent::{self, Consents, Said},
    play::{Asked, Fact, Facts, Play},
};
use serde_json::Value;
use time::{Date, macros::date};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// The property that there is.
pub(crate) const SITE: &str = "sc-domain:shop.example";
/// The sitemap that was submitted for it.
pub(crate) const SITEMAP: &str = "https://shop.example/sitemap.xml";
/// Its OAuth client, with the secret.
pub(crate) const CLIENT: (&str, &str) = ("test-client", "test-secret");
/// The header of answers to programs.
const JSON: &str = "content-type: application/json; charset=UTF-8\r\n";
/// The account that consents.
pub(crate) const EMAIL: &str = "ada@shop.example";
/// The first day of its data.
pub(crate) const BEGIN: Date = date!(2026 - 03 - 16);

/// A running Google.
pub(crate) struct Google {
    pub(crate) address: SocketAddr,
    state: Arc<State>,
}

/// An answer instead of the right one.
#[derive(Clone, Debug)]
pub(crate) struct Instead {
    /// It answers requests whose path ends so.
    pub(crate) path: &'static str,
    /// And whose body has this in it.
    pub(crate) holds: &'static str,
    pub(crate) status: u16,
    /// Lines, each with its end.
    pub(crate) headers: &'static str,
    pub(crate) body: String,
}

struct State {
    play: Play,
    clock: Arc<dyn Clock>,
    instead: Mutex<Vec<Instead>>,
    /// The same, each for one request.
    once: Mutex<Vec<Instead>>,
    /// Requests with this in their body are not answered.
    silent: Mutex<Option<&'static str>>,
    asked: Mutex<Vec<Request>>,
}

impl State {
    /// The answer to a request instead of the right one.
    fn instead(&self, path: &str, body: &str) -> Option<Instead> {
        let fits = |instead: &Instead| path.ends_with(instead.path) && body.contains(instead.holds);
        let mut once = self.once.lock().unwrap();
        if let Some(at) = once.iter().position(fits) {
            return Some(once.remove(at));
        }
        let always = self.instead.lock().unwrap();
        always.iter().find(|instead| fits(instead)).cloned()
    }
}

/// A request that came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) body: String,
}

impl Request {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

impl Google {
    /// One that knows this of [`SITE`], by this clock.
    pub(crate) async fn of(facts: impl Facts + 'static, clock: Arc<dyn Clock>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            play: Play {
                sites: vec![
                    (SITE.to_owned(), "siteOwner"),
                    ("https://www.shop.example/".to_owned(), "SITE_RESTRICTED_USER"),
                    ("https://other.example/".to_owned(), "SITE_UNVERIFIED_USER"),
                ],
                sitemaps: vec![(SITE.to_owned(), SITEMAP.to_owned(), 2_000)],
                facts: Arc::new(facts),
                consents: Consents::new(CLIENT.0, CLIENT.1, EMAIL),
            },
            clock,
            instead: Mutex::default(),
            once: Mutex::default(),
            silent: Mutex::default(),
            asked: Mutex::default(),
        });
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { address, state }
    }

    /// Answers some requests like this from now on.
    pub(crate) fn answers(&self, instead: Instead) {
        self.state.instead.lock().unwrap().push(instead);
    }

    /// Answers the next such request like this, and those after it as it should.
    pub(crate) fn answers_once(&self, instead: Instead) {
        self.state.once.lock().unwrap().push(instead);
    }

    /// Takes requests with this in their body from now on, and does not answer them.
    pub(crate) fn is_silent_on(&self, holds: &'static str) {
        *self.state.silent.lock().unwrap() = Some(holds);
    }

    /// Answers as it should again.
    pub(crate) fn is_well(&self) {
        self.state.instead.lock().unwrap().clear();
        *self.state.silent.lock().unwrap() = None;
    }

    /// The requests that came since the last time.
    pub(crate) fn asked(&self) -> Vec<Request> {
        std::mem::take(&mut self.state.asked.lock().unwrap())
    }

    /// The address of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }
}

async fn serve(mut stream: TcpStream, state: Arc<State>) {
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
        let head = String::from_utf8_lossy(&request[..end]).into_owned();
        let length = header(&head, "content-length")
            .and_then(|length| length.parse().ok())
            .unwrap_or(0);
        if request.len() >= end + 4 + length {
            break (head, request[end + 4..].to_vec());
        }
    };
    let mut words = head.split(' ');
    let method = words.next().unwrap_or_default();
    let target = words.next().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let text = String::from_utf8_lossy(&body).into_owned();
    state.asked.lock().unwrap().push(Request {
        method: method.to_owned(),
        path: path.to_owned(),
        body: text.clone(),
    });
    let silent = *state.silent.lock().unwrap();
    if silent.is_some_and(|holds| text.contains(holds)) {
        // Whoever asked gives up by closing the connection.
        let _ = stream.read(&mut [0; 1]).await;
        return;
    }
    let (status, headers, answer) = match state.instead(path, &text) {
        Some(instead) => (instead.status, format!("{JSON}{}", instead.headers), instead.body),
        None if path == consent::PATH => match state.play.consents.answer(query, &body, state.clock.now()) {
            Said::Page(status, page) => (
                status,
                "content-type: text/html; charset=utf-8\r\n".to_owned(),
                page,
            ),
            Said::Redirect(to) => (302, format!("location: {to}\r\n"), String::new()),
        },
        None => {
            let authorization = header(&head, "authorization");
            let asked = Asked {
                method,
                path,
                bearer: authorization
                    .as_deref()
                    .and_then(|value| value.strip_prefix("Bearer ")),
                body: &body,
            };
            let (status, answer) = state.play.answer(&asked, state.clock.now());
            (status, JSON.to_owned(), answer.to_string())
        }
    };
    let answer = format!(
        "HTTP/1.1 {status} Status\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n{answer}",
        answer.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
}

fn header(head: &str, name: &str) -> Option<String> {
    let mut lines = head.lines();
    lines.find_map(|line| {
        let (found, value) = line.split_once(": ")?;
        found.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    })
}

/// The same every day from [`BEGIN`] on, in web search and Discover.
///
/// A day of web search by hand: 3 + 1 + 0 = 4 clicks, 40 + 10 + 5 = 55 impressions, positions 40 × 4.5 + 10 × 8 + 5 × 20 = 360.
#[derive(Clone, Copy)]
pub(crate) struct Steady;

impl Facts for Steady {
    fn of(&self, date: Date, search_type: &str) -> Vec<Fact> {
        let shoes = Fact {
            query: Some("red shoes".to_owned()),
            page: "https://shop.example/shoes".to_owned(),
            country: "deu",
            device: "MOBILE",
            look: Some("PRODUCT_SNIPPETS"),
            hour: 1,
            clicks: 3,
            impressions: 40,
            position: 4.5,
        };
        match search_type {
            _ if date < BEGIN => Vec::new(),
            "WEB" => vec![
                // Too rare to be told.
                Fact {
                    query: None,
                    country: "xkk",
                    device: "DESKTOP",
                    look: None,
                    clicks: 1,
                    impressions: 10,
                    position: 8.0,
                    ..shoes.clone()
                },
                Fact {
                    query: Some("hats".to_owned()),
                    page: "https://shop.example/hats".to_owned(),
                    country: "zzz",
                    device: "TABLET",
                    look: None,
                    hour: 13,
                    clicks: 0,
                    impressions: 5,
                    position: 20.0,
                },
                shoes,
            ],
            "DISCOVER" => vec![Fact {
                query: None,
                country: "usa",
                look: None,
                clicks: 2,
                impressions: 30,
                ..shoes
            }],
            _ => Vec::new(),
        }
    }
}
