//! `cargo xtask bench token`: what tokens cost, issued and checked.

mod bare;
mod chains;
mod checks;
mod install;

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde::Serialize;

use self::install::Installation;
use crate::{
    compared::Measuring,
    interrupt,
    machine::{self, Cpu},
    report::Report,
    services::{Programs, Services},
    statistics::{middle_and_range, rounded},
};

/// How refreshing compares with its bare cost, and a token's check with a key's
///
/// Chains of refresh tokens, each following its own, through a real node over HTTP; against one ES256 signature and one
/// durable UPDATE in process, on a pool of the same size, as many at once. Then checks of a token and of a key that the
/// node has seen before. The sides are measured in turn, round by round; everything shares the machine.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many chains
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=512))]
    chains: u16,
    /// How long each side is measured in a round
    #[arg(long, default_value_t = 3)]
    seconds: u64,
    #[command(flatten)]
    measuring: Measuring,
}

/// The rate and the latency of a side in a round.
struct Sample {
    /// How much a second.
    rate: f64,
    /// How long one took, at the 99th percentile, in milliseconds.
    p99_ms: f64,
}

impl Sample {
    fn of(mut latencies: Vec<Duration>, counted: Duration) -> Self {
        latencies.sort_unstable();
        let at = (latencies.len() * 99 / 100).min(latencies.len().saturating_sub(1));
        Self {
            rate: latencies.len() as f64 / counted.as_secs_f64(),
            p99_ms: latencies.get(at).map_or(0.0, Duration::as_secs_f64) * 1e3,
        }
    }
}

/// A figure as JSON.
#[derive(Serialize)]
struct Line {
    bench: &'static str,
    figure: &'static str,
    value: f64,
    unit: &'static str,
    target: f64,
    met: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<f64>,
    others: f64,
}

/// Measures and prints. Fails when a chain breaks; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let services = Services::start(programs)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(measure(args, &services, report))
}

async fn measure(args: &Args, services: &Services, report: &Report) -> Result<()> {
    let installation = Installation::start(services.database_url()).await?;
    let mut chains = installation.chains(args.chains.into()).await?;
    let mut bare = bare::Bare::start(services.database_url(), args.chains.into()).await?;
    let checks = installation.checks().await?;
    let counted = Duration::from_secs(args.seconds);
    report.text(&format!(
        "{} cores for generator, node and database; PostgreSQL {} with fsync; {} rounds of {} s; medians, [ranges]\n",
        machine::cores(),
        services.postgres_version(),
        args.measuring.rounds,
        args.seconds
    ))?;
    let (mut issued, mut based, mut keys, mut tokens) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let before = Cpu::now()?;
    for round in 0..args.measuring.rounds {
        if interrupt::came() {
            bail!("interrupted");
        }
        // Every other round backwards, so that neither always comes first.
        if round % 2 == 0 {
            based.push(bare.run(counted).await?);
            issued.push(chains.run(counted).await?);
            keys.push(checks.of_the_key(counted).await?);
            tokens.push(checks.of_the_token(counted).await?);
        } else {
            tokens.push(checks.of_the_token(counted).await?);
            keys.push(checks.of_the_key(counted).await?);
            issued.push(chains.run(counted).await?);
            based.push(bare.run(counted).await?);
        }
    }
    chains.hold()?;
    let others = Cpu::now()?.strangers_since(&before);
    print(
        report,
        &Comparison {
            figure: "refresh",
            about: "refreshes of one ES256 signature and one durable UPDATE",
            unit: "times the base",
            sides: [&based, &issued],
            target: 0.4,
            goal: Some(0.65),
            others,
        },
    )?;
    // A check that costs more leaves fewer of them in a second.
    print(
        report,
        &Comparison {
            figure: "check",
            about: "a token's check after its first sight, of a key's",
            unit: "times a key's cost",
            sides: [&tokens, &keys],
            target: 1.3,
            goal: None,
            others,
        },
    )
}

struct Comparison<'a> {
    figure: &'static str,
    about: &'static str,
    unit: &'static str,
    /// The base, and what is compared with it: the ratio is that of the second's rate to the first's.
    sides: [&'a [Sample]; 2],
    target: f64,
    goal: Option<f64>,
    others: f64,
}

fn print(report: &Report, comparison: &Comparison<'_>) -> Result<()> {
    let [base, compared] = comparison.sides;
    let rate = |side: &[Sample]| median(side, |sample| sample.rate);
    let ratios: Vec<f64> = base
        .iter()
        .zip(compared)
        .map(|(base, other)| other.rate / base.rate)
        .collect();
    let value = rate(compared) / rate(base);
    // Costs are better when they are low, rates when they are high.
    let met = match comparison.goal {
        Some(_) => value >= comparison.target,
        None => value <= comparison.target,
    };
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    let p99 = |side: &[Sample]| median(side, |sample| sample.p99_ms);
    report.text(&format!(
        "{}: {}\n  {:.0}/s p99 {:.3} ms, against {:.0}/s p99 {:.3} ms\n  {value:.2} {} [{least:.2} – {most:.2}]; \
         target {:.2} {}{}\n  others took up to {:.2} of {} cores meanwhile\n",
        comparison.figure,
        comparison.about,
        rate(compared),
        p99(compared),
        rate(base),
        p99(base),
        comparison.unit,
        comparison.target,
        if met { "met" } else { "missed" },
        comparison.goal.map_or_else(String::new, |goal| format!(", goal {goal:.2}")),
        comparison.others,
        machine::cores(),
    ))?;
    report.line(&Line {
        bench: "token",
        figure: comparison.figure,
        value: rounded(value),
        unit: comparison.unit,
        target: comparison.target,
        met,
        goal: comparison.goal,
        others: rounded(comparison.others),
    })
}

fn median(side: &[Sample], of: fn(&Sample) -> f64) -> f64 {
    let mut values: Vec<f64> = side.iter().map(of).collect();
    middle_and_range(&mut values).0
}

/// Until when a round goes on.
fn end(counted: Duration) -> Instant {
    Instant::now() + counted
}
