//! `cargo xtask bench pipeline`: what the way of a request costs, from the socket to the charge.

mod compare;
mod figure;
mod finding;
mod report;
mod sustained;

use std::{
    collections::{BTreeMap, btree_map::Entry},
    time::Duration,
};

use anyhow::{Context, Result};
use clap::ValueEnum;

use self::{
    compare::Series,
    figure::{Figure, Method},
    finding::Finding,
};
use crate::{
    compared::Measuring,
    ledger, machine,
    report::Report,
    runtime,
    serve::Variant,
    server::Server,
    services::{Programs, Services},
    world::World,
};

const WORKSPACES: usize = 20;
const KEYS: usize = 1_000;

/// How a cached and a charged request compare with the bare libraries
///
/// Each figure is a ratio. Its sides are measured in turn, round by round, on servers of two workers in processes
/// of their own; PostgreSQL (durable, as Pharos brings it along) and Redis are started in a temporary folder.
/// Everything shares the machine, so only the ratios mean anything.
#[derive(clap::Args)]
#[command(mut_arg("rounds", |rounds| rounds.default_value("40")))]
pub(crate) struct Args {
    /// Measure only this figure; may be given more than once
    #[arg(long, value_name = "FIGURE")]
    only: Vec<Figure>,
    /// How long each side is measured in a round. Short rounds, and many: what the machine does meanwhile is then the
    /// same for all sides
    #[arg(long, default_value_t = 0.5, value_parser = positive)]
    seconds: f64,
    #[command(flatten)]
    measuring: Measuring,
    /// How long the sustained load of cache-hit-logged lasts in a round
    #[arg(long, default_value_t = 60.0, value_parser = positive)]
    sustained_seconds: f64,
    /// How many rounds of the sustained load
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    sustained_rounds: u32,
}

fn positive(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("{text} is no number"))?;
    if (0.1..=3_600.0).contains(&seconds) {
        Ok(seconds)
    } else {
        Err("between 0.1 and 3600".to_owned())
    }
}

/// The services and lengths that all figures are measured with.
struct Bench<'a> {
    services: &'a Services,
    world: &'a World,
    rounds: u32,
    counted: Duration,
    sustained_rounds: u32,
    sustained: Duration,
}

/// Measures and prints. Fails when a figure can't be measured; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let services = Services::start(programs)?;
    eprintln!("making 1,000 keys of 20 workspaces");
    let runtime = runtime::of_this_thread()?;
    let world = runtime.block_on(World::create(services.database_url(), WORKSPACES, KEYS))?;
    drop(runtime);
    let bench = Bench {
        services: &services,
        world: &world,
        rounds: args.measuring.rounds,
        counted: Duration::from_secs_f64(args.seconds),
        sustained_rounds: args.sustained_rounds,
        sustained: Duration::from_secs_f64(args.sustained_seconds),
    };
    report.text(&format!("{}\n", bench.setting()))?;
    let chosen = |figure: &Figure| args.only.is_empty() || args.only.contains(figure);
    for figure in Figure::value_variants().iter().copied().filter(chosen) {
        let finding = bench
            .measure(figure)
            .with_context(|| format!("{} can't be measured", figure.name()))?;
        report::add(report, &finding)?;
    }
    Ok(())
}

impl Bench<'_> {
    fn setting(&self) -> String {
        format!(
            "{} cores for generator, servers (2 workers) and databases; PostgreSQL {} with fsync; \
             {} rounds of {:.1} s, sustained {} of {:.0} s; means, [ranges]; latencies: medians",
            machine::cores(),
            self.services.postgres_version(),
            self.rounds,
            self.counted.as_secs_f64(),
            self.sustained_rounds,
            self.sustained.as_secs_f64(),
        )
    }

    fn measure(&self, figure: Figure) -> Result<Finding> {
        let database_url = self.services.database_url();
        ledger::empty(database_url)?;
        let commit_ms = if figure.waits_for_commits() {
            Some(ledger::commit_ms(database_url)?)
        } else {
            None
        };
        let series: Vec<Series> = match figure.method() {
            Method::InTurn(sides) => {
                let mut servers = BTreeMap::new();
                for side in sides {
                    if let Entry::Vacant(place) = servers.entry(side.variant) {
                        place.insert(self.start(side.variant)?);
                    }
                }
                compare::in_turn(self, figure, sides, &servers)?
            }
            Method::Sustained { base, measured } => sustained::sustained(self, figure, base, measured)?,
        };
        Ok(Finding {
            figure,
            series,
            commit_ms,
        })
    }

    fn start(&self, variant: Variant) -> Result<Server> {
        Server::start(variant, self.services).with_context(|| format!("the server {}", variant.name()))
    }
}
