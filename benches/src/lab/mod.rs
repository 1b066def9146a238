//! `cargo xtask bench lab`: how fast a year of lab tests of many pages is read.

mod data;
mod operations;

use anyhow::{Context, Result};
use pharos_domain::clock::Clock;

use self::data::DAYS;
use crate::{
    asked::answers,
    compared::Measuring,
    daybreak::Daybreak,
    machine,
    report::Report,
    runtime,
    serve::Variant,
    server::Server,
    services::{Programs, Services},
    world::World,
};

const BENCH: &str = "lab";
/// No operation may be slower, in milliseconds.
const SLOWEST: f64 = 300.0;

/// Lab tests: a year of many pages
///
/// Makes a year of daily tests of each page on two profiles, whose lists are those of a real result, and asks a server for every read
/// of the module.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many pages are tracked. Series of more of them have more points than an answer may have
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(10..=80))]
    pages: u32,
    #[command(flatten)]
    measuring: Measuring,
}

/// Measures and prints. Fails when a figure can't be measured, or an answer is empty; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let services = Services::start(programs)?;
    let url = services.database_url();
    let runtime = runtime::of_this_thread()?;
    let world = runtime.block_on(World::create(url, 1, 1))?;
    let domain = world.last_domain().context("there is no key")?;
    // Both clocks are made in the same moment.
    let server = Server::start(Variant::PharosUncached, &services)?;
    let now = Daybreak::next().now();
    eprintln!("making a year of tests");
    let made = runtime.block_on(data::make(url, domain, args.pages, now))?;
    report.text(&format!(
        "{} cores for the bench, a server (2 workers) and PostgreSQL {} with fsync; {} pages, tested daily on two profiles for {DAYS} \
         days: {} tests; one request after the other, {} rounds; medians, [ranges]\n",
        machine::cores(),
        services.postgres_version(),
        args.pages,
        made.tests,
        args.measuring.rounds,
    ))?;
    let operations = operations::all(&world, &made)?;
    for finding in answers(&operations, server.address, args.measuring.rounds, SLOWEST)? {
        finding.print(BENCH, report)?;
    }
    server.stop()
}
