//! `cargo xtask bench reads`: what a read over a year costs beside one over a month.

pub(crate) mod data;
mod figure;
mod finding;

use std::time::Instant;

use anyhow::{Context, Result, bail};
use pharos_domain::clock::Clock;

use self::{
    figure::{FIGURES, Figure, Side},
    finding::Finding,
};
use crate::{
    compared::Measuring,
    daybreak::Daybreak,
    exchange::Wire,
    interrupt, ledger,
    machine::{self, Cpu},
    report::Report,
    runtime,
    serve::Variant,
    server::Server,
    services::{Programs, Services},
    statistics::middle_and_range,
    world::{Callers, World},
};

/// How many domains a round asks for; each figure has the same.
const ASKED: usize = 25;

/// The cost of a read over a year beside one over a month
///
/// Makes a year of one-minute checks of many domains (100 take 16 GB of disk for a while), rolls them up as a server
/// does, and asks a server for both, one request after the other.
#[derive(clap::Args)]
#[command(mut_arg("rounds", |rounds| rounds.default_value("9")))]
pub(crate) struct Args {
    /// How many domains have checks
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u16).range(2..))]
    domains: u16,
    #[command(flatten)]
    measuring: Measuring,
}

/// Measures and prints. Fails when a figure can't be measured; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let services = Services::start(programs)?;
    let url = services.database_url();
    let runtime = runtime::of_this_thread()?;
    let domains = usize::from(args.domains);
    let world = runtime.block_on(World::create(url, domains, domains))?;
    // Both clocks are made in the same moment.
    let server = Server::start(Variant::PharosUncached, &services)?;
    let now = Daybreak::next().now();
    eprintln!("making a year of checks of {domains} domains");
    let began = Instant::now();
    runtime.block_on(data::fill(url, now))?;
    let filled = began.elapsed().as_secs_f64();
    eprintln!("rolling them up");
    let rolled = runtime.block_on(data::roll_up(url, now))?;
    report.text(&format!(
            "{} cores for generator, server (2 workers) and PostgreSQL {} with fsync; one-minute checks of {domains} \
             domains over a year, made in {filled:.0} s, rolled up by two nodes in {rolled:.0} s; one request after \
             the other, at a quarter past midnight UTC, {} rounds; medians, [ranges]; a commit alone takes {:.2} ms\n",
            machine::cores(),
            services.postgres_version(),
            args.measuring.rounds,
            ledger::commit_ms(url)?,
    ))?;
    for figure in &FIGURES {
        let ask = |side: &Side| world.requests(side.path, Callers::All);
        let (mut base, mut measured) = (ask(&figure.base), ask(&figure.measured));
        if figure.is_unrolled {
            runtime.block_on(data::unroll(
                url,
                world.last_domain().context("there is no domain")?,
            ))?;
            base.truncate(1);
            measured.drain(..domains - 1);
        } else {
            // The last stays for that.
            let asked = ASKED.min(domains - 1);
            base.truncate(asked);
            measured.truncate(asked);
        }
        let finding = in_turn(figure, &server, &base, &measured, args.measuring.rounds)
            .with_context(|| format!("{} can't be measured", figure.name))?;
        report.text(&finding.table())?;
        report.line(&finding.line())?;
    }
    server.stop()
}

/// Both sides once a round; every other round in the opposite order, so that none always comes first.
fn in_turn(
    figure: &'static Figure,
    server: &Server,
    base: &[Vec<u8>],
    measured: &[Vec<u8>],
    rounds: u32,
) -> Result<Finding> {
    let mut wire = Wire::open(server.address)?;
    // Credentials and balances are known from here on, and PostgreSQL has read what it needs.
    for requests in [base, measured] {
        time(&mut wire, requests)?;
    }
    let mut times = [Vec::new(), Vec::new()];
    let before = Cpu::now()?;
    for round in 0..rounds {
        let mut order = [(0, base), (1, measured)];
        if round % 2 == 1 {
            order.reverse();
        }
        for (side, requests) in order {
            times[side].push(time(&mut wire, requests)?);
        }
        eprintln!("  {}, round {} of {rounds}", figure.name, round + 1);
    }
    let [base, measured] = times;
    Ok(Finding {
        figure,
        base,
        measured,
        others: Cpu::now()?.strangers_since(&before),
    })
}

/// How long an answer takes, in milliseconds: the median of the requests.
fn time(wire: &mut Wire, requests: &[Vec<u8>]) -> Result<f64> {
    let mut times = Vec::with_capacity(requests.len());
    for request in requests {
        if interrupt::came() {
            bail!("interrupted");
        }
        let began = Instant::now();
        let reply = wire.ask(request)?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
        if reply.header("x-cache") != Some("MISS") {
            bail!("an answer came from the cache");
        }
    }
    Ok(middle_and_range(&mut times).0)
}
