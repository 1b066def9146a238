//! `cargo xtask bench soak`: whether two nodes keep their promises under mixed traffic while they are killed, upgraded, and slowed down.

mod node;
mod phase;
mod rows;
mod slow;
mod traffic;

use std::{
    path::{Path, PathBuf},
    slice,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use fastrand::Rng;
use serde_json::json;
use tokio::runtime::Runtime;

use self::{
    node::Node,
    phase::Phase,
    rows::Rows,
    traffic::{Caller, NODES, Seen, Stage, Worker, gather},
};
use crate::{
    collect::{self, beacons::Maker},
    compared::{Figure, Finding, Measured, Others, Target},
    interrupt, machine,
    report::Report,
    runtime,
    services::{Programs, Services},
    statistics::middle_and_range,
    world::World,
};

const BENCH: &str = "soak";
/// Callers, each with a workspace, a domain and a key.
const CALLERS: usize = 48;
/// Threads that callers take turns on.
const WORKERS: usize = 12;
/// How many times as long as in quiet the slowest request in a hundred may take.
const P99: f64 = 3.0;
/// How much more memory a node may hold at the end than when it had settled.
const GROWTH: f64 = 1.1;
/// The pause between two looks at the memory of the nodes.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// From one kill to the next, and how long a killed node is away besides its start.
const BETWEEN_KILLS: Duration = Duration::from_secs(10);
const AWAY: Duration = Duration::from_secs(2);
/// From one time that the database stands still to the next.
const BETWEEN_STANDSTILLS: Duration = Duration::from_secs(4);
/// How long a node that is to end gets no new requests before it hears of that.
const NOTICE: Duration = Duration::from_millis(500);
/// A MiB.
const MIB: f64 = 1_048_576.0;

/// Two nodes under mixed traffic, with kills, an upgrade and a slow database in it
///
/// Runs two nodes as they are released, on one PostgreSQL and one Redis. Callers read of several groups, send beacons, change settings
/// and ask for checks with idempotency keys, at a pace that does not follow the answers; what fails is tried again on the other node.
/// Times count from the moment that a request was due to its last answer. In the end every row that was acknowledged has to be there.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long it takes, after the start
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..=720))]
    minutes: u16,
    /// Requests a second
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u16).range(12..=400))]
    rate: u16,
    /// The program `pharos` of the version before, which the nodes run until the upgrade; by default the same. The schema is the new
    /// one from the beginning on
    #[arg(long, value_name = "PATH")]
    old_binary: Option<PathBuf>,
}

/// Measures and prints. Fails when it can't be measured, a node ends by itself, or a row is missing or too many; a target that is
/// missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let services = Services::start(programs)?;
    let url = services.database_url();
    let runtime = runtime::of_this_thread()?;
    let world = runtime.block_on(World::create(url, CALLERS, CALLERS))?;
    let site = runtime.block_on(collect::switch_on(url, &world, 0))?;
    let old = args.old_binary.as_deref().unwrap_or(&programs.pharos);
    let nodes = [Node::start(old, &services)?, Node::start(old, &services)?];
    let stage = Arc::new(Stage::new([nodes[0].address, nodes[1].address]));
    report.text(&format!(
        "{} cores for callers, two nodes and PostgreSQL {} with fsync; {} requests a second of {CALLERS} callers for {} minutes\n",
        machine::cores(),
        services.postgres_version(),
        args.rate,
        args.minutes,
    ))?;
    let others = Others::from_here()?;
    let workers = workers(&world, &site, &stage, args.rate);
    let mut script = Script {
        services: &services,
        runtime: &runtime,
        stage: &stage,
        nodes: nodes.map(Some),
        program: old,
        began: Instant::now(),
        lasts: Duration::from_secs(60 * u64::from(args.minutes)),
        looks: Vec::new(),
    };
    let played = script.play(&programs.pharos);
    stage.end();
    let seen = gather(workers)?;
    played?;
    let Script { nodes, looks, .. } = script;
    // Nodes write the rows of their last answers when they stop.
    for node in nodes.into_iter().flatten() {
        node.stop()?;
    }
    let rows = runtime.block_on(rows::compare(url, &seen))?;
    let others = others.took()?;
    told(report, &seen, &rows, &looks)?;
    for finding in findings(&seen, &rows, &looks, others) {
        finding.print(BENCH, report)?;
    }
    let wrong: usize = rows.iter().map(|rows| rows.lost + rows.doubled).sum();
    ensure!(wrong == 0, "{wrong} rows are missing or too many");
    Ok(())
}

fn workers(
    world: &World,
    site: &str,
    stage: &Arc<Stage>,
    rate: u16,
) -> Vec<thread::JoinHandle<Result<Seen>>> {
    let callers: Vec<Caller> = world
        .callers()
        .enumerate()
        .map(|(at, (secret, domain))| Caller {
            secret: secret.to_owned(),
            domain,
            hostname: format!("site-{at}.example"),
        })
        .collect();
    let pause = Duration::from_secs(1) * u32::try_from(WORKERS).unwrap_or(1) / u32::from(rate);
    callers
        .chunks(CALLERS / WORKERS)
        .zip(1..)
        .map(|(callers, number)| {
            let worker = Worker {
                stage: Arc::clone(stage),
                callers: callers.to_vec(),
                pause,
                maker: Maker::numbered(site.to_owned(), number),
                rng: Rng::with_seed(number.into()),
                wires: [None, None],
                seen: Seen::default(),
            };
            worker.start()
        })
        .collect()
}

/// The memory of the nodes at a moment, in bytes; `None`: it was not there.
struct Look {
    at: Duration,
    phase: Phase,
    memory: [Option<u64>; NODES],
}

/// The course of the nodes and the database. It is played on the main thread, since nodes end with the thread that started them.
struct Script<'a> {
    services: &'a Services,
    runtime: &'a Runtime,
    stage: &'a Stage,
    nodes: [Option<Node>; NODES],
    /// The program that nodes are started from.
    program: &'a Path,
    began: Instant,
    lasts: Duration,
    looks: Vec<Look>,
}

impl<'a> Script<'a> {
    fn play(&mut self, new: &'a Path) -> Result<()> {
        let mut end = self.began;
        for phase in Phase::ALL {
            end += self.lasts.mul_f64(phase.share());
            self.stage.enter(phase);
            eprintln!("  {}", phase.name());
            match phase {
                Phase::Kills => self.kill_in_turns(end)?,
                Phase::Upgrade => self.upgrade(new)?,
                Phase::Slow => self.slow_down(end)?,
                Phase::Standstill => self.stand_still(end)?,
                Phase::WarmUp | Phase::Quiet | Phase::Settled => {}
            }
            self.pass(phase, end)?;
        }
        Ok(())
    }

    /// Lets time pass, and looks at the nodes.
    fn pass(&mut self, phase: Phase, until: Instant) -> Result<()> {
        loop {
            if interrupt::came() {
                bail!("interrupted");
            }
            let mut memory = [None; NODES];
            for (node, memory) in self.nodes.iter_mut().zip(&mut memory) {
                if let Some(node) = node {
                    node.is_alive()?;
                    *memory = Some(node.memory()?);
                }
            }
            self.looks.push(Look {
                at: self.began.elapsed(),
                phase,
                memory,
            });
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            thread::sleep(left.min(LOOK_EVERY));
        }
    }

    fn kill_in_turns(&mut self, end: Instant) -> Result<()> {
        for turn in 0.. {
            if Instant::now() + BETWEEN_KILLS > end {
                break;
            }
            let at = turn % NODES;
            let address = self.nodes[at].take().context("a node is away")?.kill();
            self.stage.set_up(at, false);
            self.pass(Phase::Kills, Instant::now() + AWAY)?;
            self.nodes[at] = Some(Node::start_at(address, self.program, self.services)?);
            self.stage.set_up(at, true);
            self.pass(Phase::Kills, Instant::now() + BETWEEN_KILLS - AWAY)?;
        }
        Ok(())
    }

    /// The new program brings the schema up to date while the old nodes serve, and then takes over node by node.
    fn upgrade(&mut self, new: &'a Path) -> Result<()> {
        node::migrate(new, self.services)?;
        self.program = new;
        for at in 0..NODES {
            self.stage.set_up(at, false);
            self.pass(Phase::Upgrade, Instant::now() + NOTICE)?;
            let address = self.nodes[at].take().context("a node is away")?.stop()?;
            self.nodes[at] = Some(Node::start_at(address, self.program, self.services)?);
            self.stage.set_up(at, true);
        }
        Ok(())
    }

    fn slow_down(&mut self, end: Instant) -> Result<()> {
        let url = self.services.database_url();
        while Instant::now() < end {
            self.runtime.block_on(slow::halve(url))?;
            self.pass(Phase::Slow, Instant::now())?;
        }
        Ok(())
    }

    fn stand_still(&mut self, end: Instant) -> Result<()> {
        let url = self.services.database_url();
        for turn in 0_u32.. {
            if Instant::now() + BETWEEN_STANDSTILLS > end {
                break;
            }
            if turn % 2 == 0 {
                self.runtime.block_on(slow::hold_lock(url))?;
            } else {
                self.runtime.block_on(slow::stop_backend(url))?;
            }
            self.pass(Phase::Standstill, Instant::now() + BETWEEN_STANDSTILLS)?;
        }
        Ok(())
    }
}

/// Tells what has no target: memory over time, rows, refusals.
fn told(report: &Report, seen: &Seen, rows: &[Rows], looks: &[Look]) -> Result<()> {
    let lasted = looks.last().map_or(Duration::ZERO, |look| look.at);
    for quarter in 1..=4_u32 {
        let mark = lasted * quarter / 4;
        let Some(look) = looks.iter().rev().find(|look| look.at <= mark) else {
            continue;
        };
        let held = look.memory.map(|memory| memory.map(|bytes| bytes as f64 / MIB));
        let text = held.map(|held| held.map_or("away".to_owned(), |held| format!("{held:.0} MiB")));
        report.text(&format!("memory after {quarter}/4: {}", text.join(", ")))?;
        report.line(&json!({ "bench": BENCH, "memory_mib": held, "quarter": quarter }))?;
    }
    for Rows {
        kind,
        acknowledged,
        lost,
        doubled,
    } in rows
    {
        report.text(&format!(
            "{kind}: {acknowledged} acknowledged, {lost} of them lost; {doubled} rows too many"
        ))?;
        report.line(&json!({
            "bench": BENCH, "rows": kind, "acknowledged": acknowledged, "lost": lost, "doubled": doubled,
        }))?;
    }
    for ((phase, kind), many) in &seen.refusals {
        let phase = phase.name();
        report.text(&format!("refused in {phase}: {kind}, {many} times"))?;
        report.line(&json!({ "bench": BENCH, "phase": phase, "refusal": kind, "times": many }))?;
    }
    report.text(&format!("given up: {} requests\n", seen.given_up))?;
    report.line(&json!({ "bench": BENCH, "given_up": seen.given_up }))
}

fn findings(seen: &Seen, rows: &[Rows], looks: &[Look], others: f64) -> Vec<Finding> {
    let at = |phases: &[Phase], share: f64| {
        let times = seen.times.iter().filter(|(of, _)| phases.contains(of));
        percentile(times.map(|(_, time)| *time).collect(), share)
    };
    let mut findings = Vec::new();
    let each = Phase::ALL[2..].iter();
    let each = each.map(|phase| (phase.name(), slice::from_ref(phase)));
    for (of, phases) in each.chain([("whole", Phase::TIMED.as_slice())]) {
        for (name, share) in [("p50", 0.5), ("p99", 0.99)] {
            let is_held = name == "p99" && phases.iter().all(|phase| Phase::TIMED.contains(phase));
            let target = if is_held {
                Target::AtMost(P99)
            } else {
                Target::None
            };
            findings.push(Finding {
                figure: Figure {
                    name: format!("{name}-{of}"),
                    title: format!("the {name} of requests, of that in quiet"),
                    target,
                },
                measured: Measured::AsLong([vec![at(&[Phase::Quiet], share)], vec![at(phases, share)]]),
                others,
            });
        }
    }
    for node in 0..NODES {
        if let Some((settled, end)) = growth(looks, node) {
            findings.push(Finding {
                figure: Figure {
                    name: format!("memory-{}", node + 1),
                    title: "the memory of a node at the end, of that when it had settled".to_owned(),
                    target: Target::AtMost(GROWTH),
                },
                measured: Measured::AsMuch([vec![settled], vec![end]], "MiB"),
                others,
            });
        }
    }
    let lost: usize = rows.iter().map(|rows| rows.lost).sum();
    findings.push(Finding {
        figure: Figure {
            name: "rows-lost".to_owned(),
            title: "rows that were acknowledged and are not there".to_owned(),
            target: Target::AtMost(0.0),
        },
        measured: Measured::Alone(vec![lost as f64], "rows"),
        others,
    });
    findings
}

/// The medians of a node's memory, in MiB, in the first and in the last third of the phase in which it has settled.
fn growth(looks: &[Look], node: usize) -> Option<(f64, f64)> {
    let held: Vec<f64> = looks
        .iter()
        .filter(|look| look.phase == Phase::Settled)
        .filter_map(|look| Some(look.memory[node]? as f64 / MIB))
        .collect();
    let third = held.len() / 3;
    let (first, last) = (held.get(..third)?, held.get(held.len() - third..)?);
    let middle = |held: &[f64]| middle_and_range(&mut held.to_vec()).0;
    (third > 0).then(|| (middle(first), middle(last)))
}

/// The value that this share of them does not exceed.
fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let beyond = values.len() as f64 * share;
    let at = (0..values.len()).find(|at| (at + 1) as f64 >= beyond);
    at.map_or(f64::NAN, |at| values[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values: Vec<f64> = (1..=200_u32).rev().map(f64::from).collect();
        assert_eq!(percentile(values.clone(), 0.5), 100.0);
        assert_eq!(percentile(values, 0.99), 198.0);
        assert_eq!(percentile(vec![7.0], 0.99), 7.0);
        assert!(percentile(Vec::new(), 0.5).is_nan());
    }

    #[test]
    fn growth_is_seen_in_the_last_phase_alone() {
        let look = |phase: Phase, mib: u64| Look {
            at: Duration::ZERO,
            phase,
            memory: [Some(mib << 20), None],
        };
        let looks: Vec<Look> = [(Phase::Quiet, 900)]
            .into_iter()
            .chain([100, 101, 102, 110, 120, 121, 122].map(|mib| (Phase::Settled, mib)))
            .map(|(phase, mib)| look(phase, mib))
            .collect();
        assert_eq!(growth(&looks, 0), Some((100.5, 121.5)));
        assert_eq!(growth(&looks, 1), None);
    }
}
