//! The load generator: some connections, each with one request in flight, on two threads.
//!
//! It is small on purpose. Generator, server and databases share the machine's cores, and whatever the generator
//! spends is lost to both sides of a ratio, which brings the ratio closer to 1.

mod connection;
mod worker;

use std::{
    net::SocketAddr,
    ops::Range,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow, bail};

use crate::{interrupt, machine::Cpu};

const THREADS: usize = 2;

/// A load: which requests are sent where, and for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load<'a> {
    pub(crate) address: SocketAddr,
    /// Whole requests. Each connection has some of them to itself and sends them in turn.
    pub(crate) requests: &'a [Vec<u8>],
    pub(crate) connections: usize,
    /// How long to send before counting.
    pub(crate) warm_up: Duration,
    /// How long to count.
    pub(crate) counted: Duration,
}

/// The rate and the latencies of a load.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Answers a second while counting.
    pub(crate) rate: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p99_ms: f64,
    /// All answers, those before and after the counting included.
    pub(crate) answered: u64,
    /// How many cores strangers took while counting.
    pub(crate) others: f64,
}

/// The answers of a load that are refusals.
#[derive(Default)]
struct Refusals {
    many: u64,
    first: Option<String>,
}

impl Load<'_> {
    /// Sends the load. A refusal is an error: it is not to be measured.
    pub(crate) fn run(&self) -> Result<Sample> {
        let (sample, Refusals { many, first }) = self.send()?;
        match first {
            None => Ok(sample),
            Some(first) => bail!(
                "{many} of {} answers are refusals; the first is\n{first}",
                sample.answered
            ),
        }
    }

    /// Sends the load where refusals are what is looked for, and says how many there were. They have no latency.
    pub(crate) fn run_past_refusals(&self) -> Result<(Sample, u64)> {
        let (sample, refusals) = self.send()?;
        Ok((sample, refusals.many))
    }

    fn send(&self) -> Result<(Sample, Refusals)> {
        let shares = self.shares();
        let (counting, stop) = (AtomicBool::new(false), AtomicBool::new(false));
        thread::scope(|scope| {
            let each = shares.len().div_ceil(THREADS);
            let workers: Vec<_> = shares
                .chunks(each)
                .map(|shares| {
                    let (counting, stop) = (&counting, &stop);
                    scope.spawn(move || worker::run(self.address, self.requests, shares, counting, stop))
                })
                .collect();
            pause(self.warm_up);
            let before = Cpu::now();
            let began = Instant::now();
            counting.store(true, Ordering::Relaxed);
            pause(self.counted);
            counting.store(false, Ordering::Relaxed);
            let counted = began.elapsed();
            let after = Cpu::now();
            stop.store(true, Ordering::Relaxed);
            let mut latencies = worker::latencies()?;
            let (mut answered, mut refusals) = (0, Refusals::default());
            for worker in workers {
                let seen = worker.join().map_err(|_| anyhow!("the generator panicked"))??;
                latencies += seen.latencies;
                answered += seen.answered;
                refusals.many += seen.refused;
                refusals.first = refusals.first.or(seen.first_refusal);
            }
            let millis = |quantile| latencies.value_at_quantile(quantile) as f64 / 1_000.0;
            let sample = Sample {
                rate: latencies.len() as f64 / counted.as_secs_f64(),
                p50_ms: millis(0.5),
                p99_ms: millis(0.99),
                answered,
                others: after?.strangers_since(&before?),
            };
            Ok((sample, refusals))
        })
    }

    /// Which requests each connection sends. No two share one while there are as many as connections: a key that
    /// several use at once would meet limits that are not what is measured.
    fn shares(&self) -> Vec<Range<usize>> {
        let (many, of) = (self.requests.len(), self.connections);
        let share = |at: usize| match (at * many / of, (at + 1) * many / of) {
            (from, to) if from < to => from..to,
            (from, _) => from..from + 1,
        };
        (0..of).map(share).collect()
    }
}

/// Sleeps, unless the bench is interrupted.
fn pause(length: Duration) {
    let until = Instant::now() + length;
    while !interrupt::came() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        thread::sleep(left.min(Duration::from_millis(100)));
    }
}

#[cfg(test)]
mod tests;
