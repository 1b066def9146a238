//! `cargo xtask bench reports`: how long a full report takes as PDF, and in how much memory.

mod full;

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, bail};
use pharos_reporting::render::pdf::{Printed, Printer};
use pharos_server::config::Config;

use crate::{
    compared::{Figure, Finding, Measured, Measuring, Others, Target},
    interrupt, machine,
    report::Report,
    runtime,
};

const BENCH: &str = "reports";
/// How long a report may take, in seconds.
const SECONDS: f64 = 5.0;
/// How much memory the browser may hold meanwhile, in MB.
const MEMORY: f64 = 300.0;
/// The pause between two looks at the memory.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A full report as PDF: its time, and the memory of the browser
///
/// Prints a report of a month with every section, each with figures, a picture and two tables, as a worker does: with the browser that
/// a node would take here, twice, and made to conform to PDF/UA-1. Each round prints once for the time and once more for the memory,
/// which is that of all processes of the browser together at its highest; what they share counts once.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    measuring: Measuring,
}

/// Measures and prints. Fails when there is no browser, or a report is no PDF; a target that is missed is no failure.
pub(crate) fn run(args: &Args, report: &Report) -> Result<()> {
    let printer = Printer::new(Config::default().printing_browser(), 1);
    let browser = printer.browser().context("there is no Chromium here")?.display();
    let document = full::report();
    let runtime = runtime::of_this_thread()?;
    let print = || -> Result<Printed> { Ok(runtime.block_on(printer.print(&document))?) };
    // The first finds the files of the browser on the disk.
    let first = print()?;
    report.text(&format!(
        "{} cores for {browser} and the bench; a report of {} pages, {} kB; {} rounds; medians, [ranges]\n",
        machine::cores(),
        first.pages.context("the PDF can't be read")?,
        first.bytes.len() / 1_000,
        args.measuring.rounds,
    ))?;
    let others = Others::from_here()?;
    let (mut seconds, mut memory) = (Vec::new(), Vec::new());
    for _ in 0..args.measuring.rounds {
        if interrupt::came() {
            bail!("interrupted");
        }
        let began = Instant::now();
        print()?;
        seconds.push(began.elapsed().as_secs_f64());
        memory.push(most_memory(print)? as f64 / 1e6);
    }
    let others = others.took()?;
    let findings = [
        (
            "time",
            "a full report, from its data to the PDF",
            SECONDS,
            seconds,
            "s",
        ),
        (
            "memory",
            "the most that the browser's processes held together",
            MEMORY,
            memory,
            "MB",
        ),
    ];
    for (name, title, target, values, unit) in findings {
        let finding = Finding {
            figure: Figure {
                name: name.to_owned(),
                title: title.to_owned(),
                target: Target::AtMost(target),
            },
            measured: Measured::Alone(values, unit),
            others,
        };
        finding.print(BENCH, report)?;
    }
    Ok(())
}

/// Does the work, and gives the most that the processes below this one held together meanwhile, in bytes.
fn most_memory<T>(work: impl FnOnce() -> Result<T>) -> Result<u64> {
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let looking = scope.spawn(|| -> Result<u64> {
            let mut most = 0;
            while !is_done.load(Ordering::Relaxed) {
                most = most.max(machine::memory_below()?);
                thread::sleep(LOOK_EVERY);
            }
            Ok(most)
        });
        let done = work();
        is_done.store(true, Ordering::Relaxed);
        let most = looking
            .join()
            .map_err(|_| anyhow!("nobody looks at the memory"))?;
        done.and(most)
    })
}
