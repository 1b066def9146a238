//! Callers, each with a key and a domain of its own: reads, beacons, settings and runs, at a pace that does not follow the answers.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow};
use fastrand::Rng;
use pharos_domain::ids::DomainId;
use pharos_http::spec::BASE_PATH;
use serde_json::{Value, json};
use uuid::Uuid;

use super::phase::Phase;
use crate::{
    collect::beacons::Maker,
    exchange::{Reply, Wire},
};

/// The nodes that callers choose from.
pub(super) const NODES: usize = 2;
/// How long a caller tries until it gives up.
const TRIES_FOR: Duration = Duration::from_secs(60);
/// The pause before it tries again.
const PAUSE: Duration = Duration::from_millis(50);
/// Reads of several groups, below the caller's domain.
const READS: [&str; 8] = [
    "uptime/status",
    "uptime/config",
    "uptime/incidents",
    "uptime/checks",
    "analytics/config",
    "analytics/overview",
    "analytics/pages",
    "rum/overview",
];
/// The values that a caller sets `timeout_seconds` to.
const TIMEOUTS: std::ops::Range<u32> = 5..30;

/// The state that the script shares with the callers.
pub(super) struct Stage {
    phase: AtomicUsize,
    /// Whether a node is asked, as the check of a proxy would have it.
    is_up: [AtomicBool; NODES],
    addresses: [SocketAddr; NODES],
    is_over: AtomicBool,
}

impl Stage {
    pub(super) fn new(addresses: [SocketAddr; NODES]) -> Self {
        Self {
            phase: AtomicUsize::new(0),
            is_up: [const { AtomicBool::new(true) }; NODES],
            addresses,
            is_over: AtomicBool::new(false),
        }
    }

    pub(super) fn enter(&self, phase: Phase) {
        self.phase.store(phase as usize, Ordering::Relaxed);
    }

    pub(super) fn set_up(&self, node: usize, is_up: bool) {
        self.is_up[node].store(is_up, Ordering::Relaxed);
    }

    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn phase(&self) -> Phase {
        Phase::of(self.phase.load(Ordering::Relaxed))
    }
}

/// The answers that callers have seen.
#[derive(Default)]
pub(super) struct Seen {
    /// From the moment that a request was due to its last answer, in milliseconds.
    pub(super) times: Vec<(Phase, f64)>,
    /// How often there was a refusal of this kind; most were tried again.
    pub(super) refusals: BTreeMap<(Phase, String), u64>,
    /// Requests that were given up.
    pub(super) given_up: u64,
    /// The requests whose answers said that they were charged.
    pub(super) charged: Vec<Uuid>,
    /// The runs that were promised, and how many keys they were asked for with.
    pub(super) runs: Vec<Uuid>,
    pub(super) run_keys: u64,
    /// The beacons that were taken, and how many were sent.
    pub(super) beacons: Vec<Uuid>,
    pub(super) beacons_sent: u64,
    /// The last value of each domain that was acknowledged; `None`: it is not known which counts.
    pub(super) timeouts: BTreeMap<Uuid, Option<u32>>,
}

impl Seen {
    pub(super) fn add(&mut self, other: Self) {
        let Self {
            times,
            refusals,
            given_up,
            charged,
            runs,
            run_keys,
            beacons,
            beacons_sent,
            timeouts,
        } = other;
        self.times.extend(times);
        for (kind, many) in refusals {
            *self.refusals.entry(kind).or_default() += many;
        }
        self.given_up += given_up;
        self.charged.extend(charged);
        self.runs.extend(runs);
        self.run_keys += run_keys;
        self.beacons.extend(beacons);
        self.beacons_sent += beacons_sent;
        self.timeouts.extend(timeouts);
    }
}

/// Somebody with a key for a domain that nobody else changes.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) secret: String,
    pub(super) domain: DomainId,
    pub(super) hostname: String,
}

impl Caller {
    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
        format!(
            "{method} {BASE_PATH}/domains/{}/{path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\
             accept: application/json\r\n{headers}content-length: {}\r\n\r\n{body}",
            self.domain,
            self.secret,
            body.len()
        )
        .into_bytes()
    }

    fn change(&self, method: &str, path: &str, headers: &str, body: &Value) -> Vec<u8> {
        let headers = format!("content-type: application/json\r\n{headers}");
        self.request(method, path, &headers, &body.to_string())
    }
}

/// Callers that take turns on one thread.
pub(super) struct Worker {
    pub(super) stage: Arc<Stage>,
    pub(super) callers: Vec<Caller>,
    /// From one request to the next.
    pub(super) pause: Duration,
    pub(super) maker: Maker,
    pub(super) rng: Rng,
    pub(super) wires: [Option<Wire>; NODES],
    pub(super) seen: Seen,
}

impl Worker {
    pub(super) fn start(mut self) -> JoinHandle<Result<Seen>> {
        thread::spawn(move || {
            let mut due = Instant::now();
            for turn in 0.. {
                if self.stage.is_over.load(Ordering::Relaxed) {
                    break;
                }
                thread::sleep(due.saturating_duration_since(Instant::now()));
                let caller = self.callers[turn % self.callers.len()].clone();
                self.take_turn(&caller, due)?;
                due += self.pause;
            }
            Ok(self.seen)
        })
    }

    fn take_turn(&mut self, caller: &Caller, due: Instant) -> Result<()> {
        match self.rng.u32(0..100) {
            0..64 => {
                let path = READS[self.rng.usize(0..READS.len())];
                let request = caller.request("GET", path, "", "");
                self.ask(&request, due)?;
            }
            64..90 => {
                let (beacon, request) = self.maker.next_beacon();
                self.seen.beacons_sent += 1;
                if self.ask(&request, due)?.is_some() {
                    self.seen.beacons.push(beacon);
                }
            }
            90..99 => {
                let timeout = self.rng.u32(TIMEOUTS);
                let body =
                    json!({ "url": format!("https://{}/", caller.hostname), "timeout_seconds": timeout });
                let request = caller.change("PUT", "uptime/config", "", &body);
                let is_set = self.ask(&request, due)?.is_some();
                self.seen
                    .timeouts
                    .insert(caller.domain.0, is_set.then_some(timeout));
            }
            _ => {
                let key = format!("idempotency-key: soak-{:032x}\r\n", self.rng.u128(..));
                let request = caller.change("POST", "uptime/check", &key, &json!({}));
                self.seen.run_keys += 1;
                if let Some(reply) = self.ask(&request, due)? {
                    let run: Value = serde_json::from_slice(&reply.body)?;
                    let run = run["run_id"].as_str().context("a run has no id")?;
                    self.seen.runs.push(run.parse()?);
                }
            }
        }
        Ok(())
    }

    /// The answer, from whichever node gives it. `None`: it was refused for good, or nobody answered for too long.
    fn ask(&mut self, request: &[u8], due: Instant) -> Result<Option<Reply>> {
        let phase = self.stage.phase();
        let mut node = self.rng.usize(0..NODES);
        let answer = loop {
            if !self.stage.is_up[node].load(Ordering::Relaxed) {
                self.wires[node] = None;
                node = (node + 1) % NODES;
            }
            let kind = match self.try_at(node, request) {
                Ok(reply) if reply.is_success() => break Some(reply),
                Ok(reply) if reply.status < 500 => {
                    self.refused(phase, reply.status.to_string());
                    break None;
                }
                Ok(reply) => reply.status.to_string(),
                Err(_) => "no answer".to_owned(),
            };
            self.refused(phase, kind);
            if due.elapsed() > TRIES_FOR {
                self.seen.given_up += 1;
                break None;
            }
            thread::sleep(PAUSE);
            node = (node + 1) % NODES;
        };
        self.seen.times.push((phase, due.elapsed().as_secs_f64() * 1e3));
        if let Some(reply) = &answer
            && reply.header("x-credits-cost").is_some_and(|cost| cost != "0")
        {
            let id = reply.header("x-request-id").context("an answer has no id")?;
            self.seen.charged.push(id.parse()?);
        }
        Ok(answer)
    }

    fn refused(&mut self, phase: Phase, kind: String) {
        *self.seen.refusals.entry((phase, kind)).or_default() += 1;
    }

    fn try_at(&mut self, node: usize, request: &[u8]) -> Result<Reply> {
        let mut wire = match self.wires[node].take() {
            Some(wire) => wire,
            None => Wire::open(self.stage.addresses[node])?,
        };
        let reply = wire.reply(request)?;
        if reply
            .header("connection")
            .is_none_or(|connection| connection != "close")
        {
            self.wires[node] = Some(wire);
        }
        Ok(reply)
    }
}

/// Waits for all workers, and adds up what they have seen.
pub(super) fn gather(workers: Vec<JoinHandle<Result<Seen>>>) -> Result<Seen> {
    let mut seen = Seen::default();
    for worker in workers {
        seen.add(worker.join().map_err(|_| anyhow!("a caller panicked"))??);
    }
    Ok(seen)
}
