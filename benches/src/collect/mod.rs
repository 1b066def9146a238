//! `cargo xtask bench collect`: what taking beacons costs above storing the same rows.

pub(crate) mod beacons;
mod flood;

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use diesel::{QueryableByName, sql_query, sql_types::BigInt};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::collect::{
    event::Events,
    site::{CollectionSwitch, SiteKeys},
};
use pharos_persistence::pool::Database;
use pharos_server::groups::{database_options, ports};
use time::OffsetDateTime;
use tokio::runtime::Runtime;

use self::beacons::Maker;
use crate::{
    compared::{Figure, Finding, Measured, Measuring, Others, Target, order},
    exchange, interrupt, ledger,
    load::{Load, Sample},
    machine,
    report::Report,
    runtime,
    serve::Variant,
    server::Server,
    services::{Programs, Services},
    world::World,
};

const BENCH: &str = "collect";
const CONNECTIONS: usize = 64;
const WARM_UP: Duration = Duration::from_millis(250);
/// The share of the base's rate that Pharos has to reach.
const SHARE: f64 = 0.6;
/// Page views of a beacon, and more beacons a second than any side takes here.
const SIZES: [(usize, f64); 2] = [(1, 40_000.0), (20, 10_000.0)];

/// Counts the rows that were stored.
const STORED: &str = "SELECT
    (SELECT count(*) FROM analytics_beacons) AS beacons, (SELECT count(*) FROM analytics_visitors) AS visitors,
    (SELECT count(*) FROM analytics_sessions) AS sessions, (SELECT count(*) FROM analytics_hits) AS hits";

/// Collection: beacons taken and stored, beside a bare handler that stores the same rows
///
/// Each figure is a ratio. Its sides are measured in turn, round by round, on servers of two workers in processes of their own. Each
/// beacon is of another visitor. After every load the tables have to hold what was answered, each row once. At last one site's
/// beacons are sent alone, and beside a flood of another's.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long each side is measured in a round
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=60))]
    seconds: u16,
    #[command(flatten)]
    measuring: Measuring,
}

/// Measures and prints. Fails when a figure can't be measured, or a row is missing or too many; a target that is missed is no
/// failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let services = Services::start(programs)?;
    let url = services.database_url();
    let runtime = runtime::of_this_thread()?;
    let world = runtime.block_on(World::create(url, 2, 2))?;
    let mut maker = Maker::new(0, runtime.block_on(switch_on(url, &world, 0))?);
    let pharos = Server::start(Variant::Collect, &services)?;
    exchange::each_once(pharos.address, &maker.all_pages())?;
    // The base stores what Pharos found of the browser and of the pages.
    runtime.block_on(keep_browser(url))?;
    let base = Server::start(Variant::BareCollect, &services)?;
    report.text(&format!(
        "{} cores for generator, servers (2 workers) and PostgreSQL {} with fsync; {CONNECTIONS} connections, {} rounds of {} s; \
         medians, [ranges]; a commit alone takes {:.2} ms\n",
        machine::cores(),
        services.postgres_version(),
        args.measuring.rounds,
        args.seconds,
        ledger::commit_ms(url)?,
    ))?;
    for (views, most) in SIZES {
        let figure = Figure {
            name: format!("events-{views}"),
            title: format!(
                "beacons with {views} page views: of a bare handler that stores the same rows in groups"
            ),
            target: Target::AtLeast(SHARE),
        };
        let mut rates = [Vec::new(), Vec::new()];
        let others = Others::from_here()?;
        for round in 0..args.measuring.rounds {
            for side in order(rates.len(), round) {
                let server = if side == 0 { &base } else { &pharos };
                let counted = Duration::from_secs(args.seconds.into());
                let lasts = (WARM_UP + counted).as_secs_f64();
                let requests = maker.requests(beacons_for(most * lasts), views);
                let load = Load {
                    address: server.address,
                    requests: &requests,
                    connections: CONNECTIONS,
                    warm_up: WARM_UP,
                    counted,
                };
                let sample = one(&runtime, url, &load, views)?;
                rates[side].push(sample.rate);
            }
            eprintln!(
                "  {}, round {} of {}",
                figure.name,
                round + 1,
                args.measuring.rounds
            );
        }
        let finding = Finding {
            figure,
            measured: Measured::AsMuch(rates, "beacons/s"),
            others: others.took()?,
        };
        finding.print(BENCH, report)?;
    }
    base.stop()?;
    flood::measure(&runtime, url, &world, pharos.address, report, args)?;
    pharos.stop()
}

/// At least so many, as a whole number.
fn beacons_for(at_least: f64) -> usize {
    let mut many = CONNECTIONS;
    while (many as f64) < at_least {
        many += CONNECTIONS;
    }
    many
}

/// A load on empty tables, after which they hold what was answered.
fn one(runtime: &Runtime, url: &str, load: &Load<'_>, views: usize) -> Result<Sample> {
    runtime.block_on(empty(url))?;
    let sample = load.run()?;
    if interrupt::came() {
        bail!("interrupted");
    }
    let stored = runtime.block_on(stored(url))?;
    let (answered, views) = (i64::try_from(sample.answered)?, i64::try_from(views)?);
    ensure!(
        sample.answered <= u64::try_from(load.requests.len())?,
        "{answered} answers to {} beacons: some were sent twice",
        load.requests.len()
    );
    let wanted = Stored {
        beacons: answered,
        visitors: answered,
        sessions: answered,
        hits: answered * views,
    };
    ensure!(stored == wanted, "{stored:?} is stored, not {wanted:?}");
    Ok(sample)
}

#[derive(Debug, PartialEq, Eq, QueryableByName)]
struct Stored {
    #[diesel(sql_type = BigInt)]
    beacons: i64,
    #[diesel(sql_type = BigInt)]
    visitors: i64,
    #[diesel(sql_type = BigInt)]
    sessions: i64,
    #[diesel(sql_type = BigInt)]
    hits: i64,
}

async fn stored(url: &str) -> Result<Stored> {
    let mut connection = AsyncPgConnection::establish(url).await?;
    Ok(sql_query(STORED).get_result(&mut connection).await?)
}

/// Empties the tables, and has PostgreSQL write out whatever it has not yet: no side pays for the one before it.
async fn empty(url: &str) -> Result<()> {
    let mut connection = AsyncPgConnection::establish(url).await?;
    // Apart, since a checkpoint can't be part of a transaction.
    connection
        .batch_execute("TRUNCATE analytics_beacons, analytics_visitors, analytics_sessions, analytics_hits")
        .await?;
    connection.batch_execute("CHECKPOINT").await?;
    Ok(())
}

/// Switches collection of a site on, and says by which key it sends.
pub(crate) async fn switch_on(url: &str, world: &World, site: usize) -> Result<String> {
    let ports = ports(&Database::connect(url, &database_options()).await?);
    let access = world.access(&ports, site).await?;
    let switch = ports.get::<dyn CollectionSwitch<Events>>()?;
    switch.switch_on(access.id(), OffsetDateTime::now_utc()).await?;
    let key = ports.get::<dyn SiteKeys>()?.of(&access).await?;
    Ok(key.0)
}

async fn keep_browser(url: &str) -> Result<()> {
    let mut connection = AsyncPgConnection::establish(url).await?;
    connection
        .batch_execute(
            "CREATE TABLE bench_browser AS
            SELECT channel, source, device, browser, browser_version, os FROM analytics_sessions LIMIT 1",
        )
        .await
        .context("what Pharos found of the browser can't be kept")?;
    Ok(())
}
