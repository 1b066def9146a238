//! `cargo xtask bench reports`: how long a report takes as PDF, and in how much memory.

mod full;
mod site;

use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, anyhow, bail};
use pharos_reporting::render::pdf::{Printed, Printer};
use pharos_server::config::Config;

use self::site::Site;
use crate::{
    compared::{Figure, Finding, Measured, Measuring, Others, Target},
    interrupt, machine,
    report::Report,
    runtime,
    services::{Programs, Services},
};

const BENCH: &str = "reports";
/// How long a report may take, in seconds.
const SECONDS: f64 = 5.0;
/// How much more memory may be held while a report is made, in MB.
const MEMORY: f64 = 300.0;
/// The pause between two looks at the memory.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A report as PDF: its time, and the memory that it takes
///
/// Makes the report of a site with a month of checks, visits and page views as a worker does: from the job that its schedule asked for to
/// the stored file. Prints, besides, a report of a month with every section, each with figures, a picture and two tables. Each round makes
/// both once for the time and once more for the memory, which is what the bench and the processes of the browser hold more than
/// before, at its highest; what they share counts once.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    measuring: Measuring,
}

/// Measures and prints. Fails when there is no browser, or a report is no PDF; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let printer = Printer::new(Config::default().printing_browser(), 1);
    let browser = printer.browser().context("there is no Chromium here")?;
    let browser = browser.display().to_string();
    let services = Services::start(programs)?;
    let runtime = runtime::of_this_thread()?;
    let mut site = runtime.block_on(Site::prepare(services.database_url(), printer.clone()))?;
    let document = full::report();
    let print = || -> Result<Printed> { Ok(runtime.block_on(printer.print(&document))?) };
    let looking = Looking::from_here()?;
    // The first finds the files of the browser on the disk.
    let asked = runtime.block_on(site.ask())?;
    runtime.block_on(site.make(&asked))?;
    let made = runtime.block_on(site.end(&asked))?;
    let full = print()?;
    report.text(&format!(
        "{} cores for {browser}, the bench and PostgreSQL {}; a site's report of {} pages, {} kB, and a full one of {} pages, {} kB; \
         {} rounds; medians, [ranges]\n",
        machine::cores(),
        services.postgres_version(),
        made.pages,
        made.bytes / 1_000,
        full.pages.context("the PDF can't be read")?,
        full.bytes.len() / 1_000,
        args.measuring.rounds,
    ))?;
    let others = Others::from_here()?;
    let (mut seconds, mut memory) = (Vec::new(), Vec::new());
    let (mut full_seconds, mut full_memory) = (Vec::new(), Vec::new());
    for _ in 0..args.measuring.rounds {
        if interrupt::came() {
            bail!("interrupted");
        }
        let asked = runtime.block_on(site.ask())?;
        let began = Instant::now();
        runtime.block_on(site.make(&asked))?;
        seconds.push(began.elapsed().as_secs_f64());
        runtime.block_on(site.end(&asked))?;
        let asked = runtime.block_on(site.ask())?;
        memory.push(looking.most(|| runtime.block_on(site.make(&asked)))?);
        runtime.block_on(site.end(&asked))?;
        let began = Instant::now();
        print()?;
        full_seconds.push(began.elapsed().as_secs_f64());
        full_memory.push(looking.most(print)?);
    }
    let others = others.took()?;
    let findings = [
        (
            "time",
            "a report, from its job to the stored PDF",
            SECONDS,
            seconds,
            "s",
        ),
        (
            "memory",
            "the most that was held more meanwhile",
            MEMORY,
            memory,
            "MB",
        ),
        (
            "full-time",
            "a full report, from its data to the PDF",
            SECONDS,
            full_seconds,
            "s",
        ),
        (
            "full-memory",
            "the most that was held more meanwhile",
            MEMORY,
            full_memory,
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

/// Looks at the memory of this process and of those that it starts from here on.
struct Looking {
    /// The processes that were there before: the database.
    others: HashSet<u32>,
    /// The memory that was held before the first report, in bytes.
    before: u64,
}

impl Looking {
    fn from_here() -> Result<Self> {
        let others = machine::descendants()?;
        let before = machine::memory_beside(&others)?;
        Ok(Self { others, before })
    }

    /// Does the work, and gives the most that was held meanwhile beyond what was before, in MB.
    fn most<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<f64> {
        let is_done = AtomicBool::new(false);
        let most = thread::scope(|scope| {
            let looking = scope.spawn(|| -> Result<u64> {
                let mut most = 0;
                while !is_done.load(Ordering::Relaxed) {
                    most = most.max(machine::memory_beside(&self.others)?);
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
        })?;
        Ok(most.saturating_sub(self.before) as f64 / 1e6)
    }
}
