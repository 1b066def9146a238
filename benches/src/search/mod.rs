//! `cargo xtask bench search`: what a property with millions of rows answers, and how fast, beside plain tables; how fast a domain with
//! many inspected URLs is read; and how much memory a large report takes.

mod data;
mod inspections;
mod operations;
mod plain;
mod site;
mod wide_pull;

use std::time::Instant;

use anyhow::{Context, Result, bail};
use pharos_domain::{
    clock::Clock,
    identity::DomainAccess,
    page::{OffsetRequest, SortOrder},
    ports::Ports,
    window::DateRange,
};
use pharos_persistence::pool::Database;
use pharos_search::gsc::{
    days::PartFilter,
    figures::SearchType,
    values::{Dimension, ValueReads, ValueSort, Values, ValuesQuery},
};
use pharos_server::groups::{database_options, ports};
use time::{Date, Duration};
use tokio::runtime::Runtime;

use self::{
    data::Imported,
    plain::{Plain, Table},
    site::{DAYS, Site},
};
use crate::{
    asked::answers,
    compared::{Figure, Finding, Measured, Measuring, Others, Target, order},
    daybreak::Daybreak,
    interrupt, machine,
    report::Report,
    runtime,
    serve::Variant,
    server::Server,
    services::{Programs, Services},
    world::World,
};

const BENCH: &str = "search";
/// How many queries are listed.
const TOP: u32 = 100;
/// No operation may be slower, in milliseconds.
const SLOWEST: f64 = 300.0;
/// How many times faster than the plain table the top queries of four weeks have to be.
const FASTER: f64 = 10.0;

/// Search: a property with millions of rows, a large report, a domain with 50,000 inspected URLs
///
/// Makes 16 months of one property, imports them day by day, has 50,000 of its URLs inspected, asks a server for every read of both,
/// and reads the top queries by the port of the API and by statements over plain tables, in turn. At last a node as it is released
/// makes a report of a million rows of another property, which are paged through.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many rows are stored, about. With 20000000 it takes 17 GB of disk for a while
    #[arg(long, default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(500_000..=50_000_000))]
    rows: u64,
    #[command(flatten)]
    measuring: Measuring,
}

/// Measures and prints. Fails when a figure can't be measured, or an answer is wrong; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let others = Others::from_here()?;
    let services = Services::start(programs)?;
    let url = services.database_url();
    let runtime = runtime::of_this_thread()?;
    // One domain for the reads, the other for the report.
    let world = runtime.block_on(World::create(url, 2, 2))?;
    // Both clocks are made in the same moment.
    let server = Server::start(Variant::PharosUncached, &services)?;
    // Where a window ends that a caller gives no end.
    let last = Daybreak::next().now().date() - Duration::days(2);
    let site = Site::of(args.rows)?;
    eprintln!("importing 16 months");
    let (mut bench, imported) = runtime.block_on(Bench::prepare(url, &world, &site, last))?;
    let (queries, pages) = site.size();
    report.text(&format!(
        "{} cores for the bench, a server (2 workers) and PostgreSQL {} with fsync; {DAYS} days of {queries} queries and {pages} \
         pages: {} rows, imported in {:.0} s; one request after the other, {} rounds; medians, [ranges]\n",
        machine::cores(),
        services.postgres_version(),
        imported.rows,
        imported.seconds,
        args.measuring.rounds,
    ))?;
    let domain = bench.access.id();
    eprintln!("inspecting URLs");
    let known = runtime.block_on(inspections::prepare(&bench.ports, url, domain))?;
    let mut operations = operations::all(&world, last)?;
    operations.extend(inspections::operations(&world, &known)?);
    for finding in answers(&operations, server.address, args.measuring.rounds, SLOWEST)? {
        finding.print(BENCH, report)?;
    }
    for (name, table, days, target) in [
        ("top-queries", Table::All, 28, Target::AtLeast(FASTER)),
        ("top-queries-better-base", Table::Queries, 28, Target::None),
        ("top-queries-400", Table::All, 400, Target::None),
        ("top-queries-400-better-base", Table::Queries, 400, Target::None),
    ] {
        let figure = Figure {
            name: name.to_owned(),
            title: format!(
                "the {TOP} queries with most clicks over {days} days: {}",
                table.title()
            ),
            target,
        };
        let window = DateRange::ending(last, days);
        bench
            .in_turn(&runtime, figure, (table, window), args.measuring.rounds)?
            .print(BENCH, report)?;
    }
    server.stop()?;
    eprintln!("importing the property of the report");
    let caller = world.callers().nth(1).context("there is no second key")?;
    let window = runtime.block_on(wide_pull::import(&bench.ports, url, caller.1, last))?;
    for finding in wide_pull::measure(&programs.pharos, url, caller, window)? {
        finding.print(BENCH, report)?;
    }
    own_memory(others.took()?)?.print(BENCH, report)
}

/// The memory of the bench itself, which holds no more than a day of the property, or a page of the report, at once.
fn own_memory(others: f64) -> Result<Finding> {
    let most = machine::most_memory(std::process::id())?;
    Ok(Finding {
        figure: Figure {
            name: "bench-memory".to_owned(),
            title: "the most that the bench itself held".to_owned(),
            target: Target::None,
        },
        measured: Measured::Alone(vec![most as f64 / 1e6], "MB"),
        others,
    })
}

/// A property with rows, and both ways to read them.
struct Bench {
    ports: Ports,
    access: DomainAccess,
    plain: Plain,
}

impl Bench {
    async fn prepare(url: &str, world: &World, site: &Site, last: Date) -> Result<(Self, Imported)> {
        let database = Database::connect(url, &database_options()).await?;
        let ports = ports(&database);
        let access = world.access(&ports, 0).await?;
        let imported = data::import(&ports, url, access.id(), site, last).await?;
        eprintln!("filling the plain tables");
        let plain = Plain::fill(url, access.id(), &imported, DateRange::ending(last, DAYS)).await?;
        let bench = Self { ports, access, plain };
        Ok((bench, imported))
    }

    /// Both sides once a round, after their answers were held against each other.
    fn in_turn(
        &mut self,
        runtime: &Runtime,
        figure: Figure,
        (table, window): (Table, DateRange),
        rounds: u32,
    ) -> Result<Finding> {
        let found = runtime.block_on(self.top_queries(window))?;
        runtime.block_on(self.plain.check(&found, table, window))?;
        let mut times = [Vec::new(), Vec::new()];
        let others = Others::from_here()?;
        for round in 0..rounds {
            for side in order(times.len(), round) {
                if interrupt::came() {
                    bail!("interrupted");
                }
                let began = Instant::now();
                if side == 0 {
                    drop(runtime.block_on(self.plain.top_queries(table, window))?);
                } else {
                    drop(runtime.block_on(self.top_queries(window))?);
                }
                times[side].push(began.elapsed().as_secs_f64() * 1e3);
            }
            eprintln!("  {}, round {} of {rounds}", figure.name, round + 1);
        }
        Ok(Finding {
            figure,
            measured: Measured::Faster(times),
            others: others.took()?,
        })
    }

    async fn top_queries(&self, window: DateRange) -> Result<Values> {
        let part = PartFilter::default();
        let query = ValuesQuery {
            search_type: SearchType::Web,
            dimension: Dimension::Query,
            window,
            part: &part,
            search: None,
            branded: None,
            sort: ValueSort::Clicks,
            order: SortOrder::Descending,
            page: OffsetRequest {
                limit: TOP,
                offset: 0,
            },
        };
        let reads = self.ports.get::<dyn ValueReads>()?;
        Ok(reads.list(&self.access, &query).await?)
    }
}
