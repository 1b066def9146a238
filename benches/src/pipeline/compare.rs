//! Sides of a figure, measured in turn.

use std::{collections::BTreeMap, time::Duration};

use anyhow::{Context, Result, bail};

use super::{
    Bench,
    figure::{Figure, Side},
};
use crate::{
    exchange::{self, Reply},
    load::{Load, Sample},
    serve::Variant,
    server::Server,
};

/// How long a load runs before it is counted.
pub(super) const WARM_UP: Duration = Duration::from_millis(250);

/// The samples of a side, one a round.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) label: &'static str,
    pub(super) samples: Vec<Sample>,
}

/// Every side once a round; every other round in the opposite order, so that none always comes first.
pub(super) fn in_turn(
    bench: &Bench<'_>,
    figure: Figure,
    sides: &[Side],
    servers: &BTreeMap<Variant, Server>,
) -> Result<Vec<Series>> {
    let mut prepared = Vec::new();
    for side in sides {
        let server = servers.get(&side.variant).context("a side has no server")?;
        let requests = bench.world.requests(side.operation.path, figure.callers());
        let reply = prime(side, server, &requests)?;
        prepared.push((side, server, requests, reply.body));
    }
    if prepared.iter().any(|(.., body)| *body != prepared[0].3) {
        bail!("the sides give different answers");
    }
    let mut series: Vec<Series> = sides
        .iter()
        .map(|side| Series {
            label: side.label,
            samples: Vec::new(),
        })
        .collect();
    for round in 0..bench.rounds {
        let mut order: Vec<usize> = (0..sides.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for at in order {
            let (side, server, requests, _) = &prepared[at];
            let load = Load {
                address: server.address,
                requests,
                connections: figure.connections(),
                warm_up: WARM_UP,
                counted: bench.counted,
            };
            let sample = load.run().with_context(|| side.label)?;
            eprintln!(
                "  {}, round {} of {}: {}: {:.0} req/s",
                figure.name(),
                round + 1,
                bench.rounds,
                side.label,
                sample.rate
            );
            series[at].samples.push(sample);
        }
    }
    Ok(series)
}

/// Has every caller known and every answer kept, and sees whether the side answers what is to be measured.
pub(super) fn prime(side: &Side, server: &Server, requests: &[Vec<u8>]) -> Result<Reply> {
    exchange::each_once(server.address, requests).with_context(|| side.label)?;
    let reply = exchange::each_once(server.address, &requests[..1])?;
    for (name, value) in side.shows {
        if reply.header(name) != Some(value) {
            bail!(
                "{}: {name} is {:?}, not {value:?}",
                side.label,
                reply.header(name)
            );
        }
    }
    Ok(reply)
}
