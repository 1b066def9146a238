//! Operations that are asked over HTTP, one request after the other.

use std::{net::SocketAddr, time::Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::{
    compared::{Figure, Finding, Measured, Others, Target, order},
    exchange::Wire,
    interrupt,
    statistics::middle_and_range,
    world::{Callers, World},
};

/// An operation that is asked.
pub(crate) struct Operation {
    name: String,
    request: Vec<u8>,
    /// A pointer to what its answer may not be without.
    shown: &'static str,
}

impl Operation {
    /// One that the first key asks of its domain, below which `path` lies.
    pub(crate) fn new(world: &World, name: String, path: &str, shown: &'static str) -> Result<Self> {
        let path = format!("/domains/{{domain_id}}/{path}");
        let request = world.requests(&path, Callers::All).into_iter().next();
        Ok(Self {
            name,
            request: request.context("there is no key")?,
            shown,
        })
    }

    /// Asks, and looks whether the answer is about anything.
    fn check(&self, wire: &mut Wire) -> Result<()> {
        let reply = wire.ask(&self.request).with_context(|| self.name.clone())?;
        let answer: Value = serde_json::from_slice(&reply.body)?;
        ensure!(
            answer.pointer(self.shown).is_some_and(|shown| !shown.is_null()),
            "{}: {} has no {}",
            self.name,
            String::from_utf8_lossy(&reply.body),
            self.shown
        );
        Ok(())
    }

    /// How long its answer takes, in milliseconds.
    fn time(&self, wire: &mut Wire) -> Result<f64> {
        if interrupt::came() {
            bail!("interrupted");
        }
        let began = Instant::now();
        let reply = wire.ask(&self.request).with_context(|| self.name.clone())?;
        let lasted = began.elapsed().as_secs_f64() * 1e3;
        ensure!(
            reply.header("x-cache") != Some("HIT"),
            "{}: an answer came from the cache",
            self.name
        );
        Ok(lasted)
    }
}

/// How long each of these takes, and the slowest of them: none may take more milliseconds than `most`.
pub(crate) fn answers(
    operations: &[Operation],
    address: SocketAddr,
    rounds: u32,
    most: f64,
) -> Result<Vec<Finding>> {
    let mut wire = Wire::open(address)?;
    // Credentials and balances are known from here on, and PostgreSQL has read what it needs.
    for operation in operations {
        operation.check(&mut wire)?;
    }
    let mut times = vec![Vec::new(); operations.len()];
    let others = Others::from_here()?;
    for round in 0..rounds {
        for at in order(operations.len(), round) {
            times[at].push(operations[at].time(&mut wire)?);
        }
        eprintln!("  operations, round {} of {rounds}", round + 1);
    }
    let others = others.took()?;
    let medians = times.iter().map(|times| middle_and_range(&mut times.clone()).0);
    let slowest = Finding {
        figure: Figure {
            name: "slowest-operation".to_owned(),
            title: "the highest of the medians of all operations".to_owned(),
            target: Target::AtMost(most),
        },
        measured: Measured::Alone(vec![medians.fold(0.0, f64::max)], "ms"),
        others,
    };
    let findings = operations.iter().zip(times).map(|(operation, times)| Finding {
        figure: Figure {
            name: format!("answer-{}", operation.name),
            title: "an answer over HTTP, computed and charged".to_owned(),
            target: Target::AtMost(most),
        },
        measured: Measured::Alone(times, "ms"),
        others,
    });
    Ok(findings.chain([slowest]).collect())
}
