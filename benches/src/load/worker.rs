//! A thread of the generator: its share of the connections on one poll.

use std::{
    net::SocketAddr,
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use hdrhistogram::Histogram;
use mio::{Events, Interest, Poll, Token};

use super::connection::Connection;
use crate::{interrupt, response};

/// How long a request may go unanswered.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait for an event before looking at the clock.
const TICK: Duration = Duration::from_millis(50);

/// The answers that a thread saw.
pub(super) struct Seen {
    /// Microseconds of the answers that came while it counted.
    pub(super) latencies: Histogram<u32>,
    /// All answers, those before and after the counting included.
    pub(super) answered: u64,
    /// Answers that are refusals, and the first of them.
    pub(super) refused: u64,
    pub(super) first_refusal: Option<String>,
}

/// Microseconds up to a minute, to three digits.
pub(super) fn latencies() -> Result<Histogram<u32>> {
    Histogram::new_with_max(60_000_000, 3).context("a histogram")
}

/// Sends until `stop`, and then waits for what is in flight. Answers count while `counting`.
pub(super) fn run(
    address: SocketAddr,
    requests: &[Vec<u8>],
    shares: &[Range<usize>],
    counting: &AtomicBool,
    stop: &AtomicBool,
) -> Result<Seen> {
    let mut poll = Poll::new().context("no poll")?;
    let mut events = Events::with_capacity(shares.len());
    let mut seen = Seen {
        latencies: latencies()?,
        answered: 0,
        refused: 0,
        first_refusal: None,
    };
    let mut connections = Vec::with_capacity(shares.len());
    for (at, share) in shares.iter().enumerate() {
        let mut connection = Connection::open(address, share.clone())?;
        poll.registry()
            .register(&mut connection.stream, Token(at), Interest::READABLE)?;
        connection.send(requests)?;
        connections.push(connection);
    }
    let mut in_flight = connections.len();
    let mut last_answer = Instant::now();
    while in_flight > 0 {
        if interrupt::came() {
            bail!("interrupted");
        }
        match poll.poll(&mut events, Some(TICK)) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            polled => polled.context("the poll failed")?,
        }
        let stopping = stop.load(Ordering::Relaxed);
        for event in &events {
            let connection = &mut connections[event.token().0];
            let Some(answer) = connection.receive()? else {
                continue;
            };
            last_answer = Instant::now();
            seen.answered += 1;
            if !response::is_success(answer.status) {
                seen.refused += 1;
                let text = || String::from_utf8_lossy(answer.bytes).into_owned();
                seen.first_refusal.get_or_insert_with(text);
            } else if counting.load(Ordering::Relaxed) {
                let micros = last_answer.duration_since(answer.sent_at).as_micros();
                seen.latencies
                    .saturating_record(u64::try_from(micros).unwrap_or(u64::MAX));
            }
            if stopping {
                in_flight -= 1;
            } else {
                connection.send(requests)?;
            }
        }
        if last_answer.elapsed() > PATIENCE {
            bail!("the server has not answered for {} s", PATIENCE.as_secs());
        }
    }
    Ok(seen)
}
