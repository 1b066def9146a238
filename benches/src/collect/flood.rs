//! One site's beacons alone, and beside the flood of another: how long they take, and whether they are taken.

use std::{net::SocketAddr, thread, time::Duration};

use anyhow::{Result, anyhow, bail, ensure};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{BigInt, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::ids::DomainId;
use tokio::runtime::Runtime;

use super::{Args, BENCH, WARM_UP, beacons::Maker, beacons_for, empty, switch_on};
use crate::{
    compared::{Figure, Finding, Measured, Others, Target, order},
    exchange, interrupt,
    load::{Load, Sample},
    report::Report,
    world::World,
};

/// The connections of a site whose visitors come one by one.
const CALM: usize = 4;
/// Those of the flood, whose beacons are as full as beacons may be.
const FLOOD: usize = 256;
/// Page views of its beacons.
const VIEWS: usize = 20;
/// More beacons a second than either takes here.
const MOST_CALM: f64 = 10_000.0;
const MOST_FLOOD: f64 = 10_000.0;

/// Counts the rows that are stored of a site.
const STORED: &str = "SELECT
    (SELECT count(*) FROM analytics_beacons WHERE domain_id = $1) AS beacons,
    (SELECT count(*) FROM analytics_hits WHERE domain_id = $1) AS hits";

/// A site, and what makes its beacons.
struct Site {
    domain: DomainId,
    maker: Maker,
}

/// The values of the calm site, one a round: alone, and beside the flood.
#[derive(Default)]
struct Values {
    p50_ms: [Vec<f64>; 2],
    p99_ms: [Vec<f64>; 2],
    /// The share of beacons that were taken, from 0 to 1.
    accepted: [Vec<f64>; 2],
    /// Beacons of the flood that were taken in a second.
    flood: Vec<f64>,
}

/// Measures and prints. Fails where the tables don't hold what was answered.
pub(super) fn measure(
    runtime: &Runtime,
    url: &str,
    world: &World,
    server: SocketAddr,
    report: &Report,
    args: &Args,
) -> Result<()> {
    let mut sites = Vec::new();
    for (at, (_, domain)) in world.callers().enumerate() {
        let mut maker = Maker::new(at, runtime.block_on(switch_on(url, world, at))?);
        exchange::each_once(server, &maker.all_pages())?;
        sites.push(Site { domain, maker });
    }
    let [flooding, calm] = &mut sites[..] else {
        bail!("there are {} sites, not two", sites.len());
    };
    let counted = Duration::from_secs(args.seconds.into());
    let (others, mut values) = (Others::from_here()?, Values::default());
    for round in 0..args.measuring.rounds {
        for side in order(2, round) {
            runtime.block_on(empty(url))?;
            let lasts = (2 * WARM_UP + counted).as_secs_f64();
            let requests = calm.maker.requests(beacons_for(MOST_CALM * lasts), 1);
            let load = Load {
                address: server,
                requests: &requests,
                connections: CALM,
                warm_up: 2 * WARM_UP,
                counted,
            };
            let (sample, refused) = if side == 0 {
                load.run_past_refusals()?
            } else {
                let (found, taken) = beside(&load, &mut flooding.maker)?;
                values.flood.push(taken.rate);
                runtime.block_on(holds(url, flooding.domain, taken.answered, VIEWS))?;
                found
            };
            if interrupt::came() {
                bail!("interrupted");
            }
            let accepted = sample.answered - refused;
            runtime.block_on(holds(url, calm.domain, accepted, 1))?;
            values.p50_ms[side].push(sample.p50_ms);
            values.p99_ms[side].push(sample.p99_ms);
            values.accepted[side].push(accepted as f64 / sample.answered as f64);
        }
        eprintln!("  flood, round {} of {}", round + 1, args.measuring.rounds);
    }
    let others = others.took()?;
    for (figure, measured) in figures(values) {
        let finding = Finding {
            figure,
            measured,
            others,
        };
        finding.print(BENCH, report)?;
    }
    Ok(())
}

/// The load beside a flood that begins before it is counted, and ends after that.
fn beside(load: &Load<'_>, flooding: &mut Maker) -> Result<((Sample, u64), Sample)> {
    let (warm_up, counted) = (WARM_UP, load.counted + 2 * WARM_UP);
    let lasts = (warm_up + counted).as_secs_f64();
    let requests = flooding.requests(beacons_for(MOST_FLOOD * lasts), VIEWS);
    let flood = Load {
        address: load.address,
        requests: &requests,
        connections: FLOOD,
        warm_up,
        counted,
    };
    thread::scope(|scope| {
        let flood = scope.spawn(move || flood.run());
        let found = load.run_past_refusals()?;
        let taken = flood.join().map_err(|_| anyhow!("the flood panicked"))??;
        Ok((found, taken))
    })
}

/// Fails unless so many beacons with so many page views each are stored of a site.
async fn holds(url: &str, site: DomainId, beacons: u64, views: usize) -> Result<()> {
    let mut connection = AsyncPgConnection::establish(url).await?;
    let stored: Stored = sql_query(STORED)
        .bind::<SqlUuid, _>(site.0)
        .get_result(&mut connection)
        .await?;
    let beacons = i64::try_from(beacons)?;
    let wanted = Stored {
        beacons,
        hits: beacons * i64::try_from(views)?,
    };
    ensure!(stored == wanted, "{stored:?} is stored, not {wanted:?}");
    Ok(())
}

#[derive(Debug, PartialEq, Eq, QueryableByName)]
struct Stored {
    #[diesel(sql_type = BigInt)]
    beacons: i64,
    #[diesel(sql_type = BigInt)]
    hits: i64,
}

fn figures(values: Values) -> [(Figure, Measured); 4] {
    let figure = |name: &str, title: &str, target| Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        target,
    };
    let Values {
        p50_ms,
        p99_ms,
        accepted,
        flood,
    } = values;
    [
        (
            figure(
                "flood-accepted",
                "beacons of a site that were taken beside another's flood: of those that were taken without it",
                Target::AtLeast(1.0),
            ),
            Measured::AsMuch(accepted, "of all"),
        ),
        (
            figure(
                "flood-p50",
                "how long a site's beacons take beside another's flood: as without it (median)",
                Target::None,
            ),
            Measured::AsLong(p50_ms),
        ),
        (
            figure(
                "flood-p99",
                "how long a site's beacons take beside another's flood: as without it (99th percentile)",
                Target::None,
            ),
            Measured::AsLong(p99_ms),
        ),
        (
            figure(
                "flood-rate",
                "beacons of the flood, with 20 page views each, that were stored meanwhile",
                Target::None,
            ),
            Measured::Alone(flood, "beacons/s"),
        ),
    ]
}
