//! A load that lasts, counted until everything is written that it caused.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::{
    Bench,
    compare::{Series, WARM_UP, prime},
    figure::{Figure, Side},
};
use crate::{
    ledger,
    load::{Load, Sample},
};

/// The base needs no more than this part of the time: nothing piles up in it.
const BASE_SHARE: u32 = 20;

/// Each round the base for a while, then what is measured for as long as is asked, from the first request to the
/// last row.
pub(super) fn sustained(
    bench: &Bench<'_>,
    figure: Figure,
    base: &'static Side,
    measured: &'static Side,
) -> Result<Vec<Series>> {
    let series = |side: &Side| Series {
        label: side.label,
        samples: Vec::new(),
    };
    let (mut bases, mut sustained) = (series(base), series(measured));
    for round in 0..bench.sustained_rounds {
        let based = base_of(bench, figure, base)?;
        let sample = one(bench, figure, measured)?;
        eprintln!(
            "  {}, round {} of {}: {:.0} and {:.0} req/s",
            figure.name(),
            round + 1,
            bench.sustained_rounds,
            based.rate,
            sample.rate
        );
        bases.samples.push(based);
        sustained.samples.push(sample);
    }
    Ok(vec![bases, sustained])
}

fn base_of(bench: &Bench<'_>, figure: Figure, side: &Side) -> Result<Sample> {
    let server = bench.start(side.variant)?;
    let requests = bench.world.requests(side.operation.path, figure.callers());
    prime(side, &server, &requests)?;
    let load = Load {
        address: server.address,
        requests: &requests,
        connections: figure.connections(),
        warm_up: WARM_UP,
        counted: bench.sustained / BASE_SHARE,
    };
    load.run().context(side.label)
}

fn one(bench: &Bench<'_>, figure: Figure, side: &Side) -> Result<Sample> {
    ledger::empty(bench.services.database_url())?;
    let server = bench.start(side.variant)?;
    let requests = bench.world.requests(side.operation.path, figure.callers());
    prime(side, &server, &requests)?;
    let primed = requests.len() as u64 + 1;
    let load = Load {
        address: server.address,
        requests: &requests,
        connections: figure.connections(),
        warm_up: Duration::ZERO,
        counted: bench.sustained,
    };
    let began = Instant::now();
    let sample = load.run().context(side.label)?;
    // A server that is told to stop writes what it has still to write.
    server.stop()?;
    let lasted = began.elapsed();
    let rows = ledger::rows(bench.services.database_url())?;
    if rows != sample.answered + primed {
        bail!(
            "{} answers, {rows} rows in the credit log",
            sample.answered + primed
        );
    }
    Ok(Sample {
        rate: sample.answered as f64 / lasted.as_secs_f64(),
        ..sample
    })
}
