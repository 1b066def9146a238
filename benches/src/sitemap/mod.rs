//! `cargo xtask bench sitemap`: reading large sitemaps, comparing them with the day before, and storing them.

mod counter;
mod figure;
mod files;
pub(crate) mod reader;
pub(crate) mod site;
mod stored;

use std::{
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context, Result, bail, ensure};
use pharos_domain::audit::Actor;
use serde::Deserialize;
use time::OffsetDateTime;
use tokio::runtime::Runtime;
use uuid::Uuid;

use self::{
    figure::{FIRST, Figure, Finding, MEMORY, OURS, PEER, PEER_MEMORY, READING, SECOND, THIRD},
    files::{Day, Pages, Written},
    reader::{Reader, Said},
    site::Site,
    stored::{Changes, Stored},
};
use crate::{
    compared::Measuring,
    interrupt, ledger,
    machine::{self, Cpu},
    report::Report,
    services::{Programs, Services},
    world,
};

/// The base, in Python.
const PEER_SCRIPT: &str = include_str!("../../sitemap_peer.py");

/// Sitemaps with many pages: read, compared with the day before, stored
///
/// Makes the files of two days by a fixed seed, has Pharos and ultimate-sitemap-parser read them in turn, and has Pharos check
/// them three times, as on three days.
#[derive(clap::Args)]
#[command(mut_arg("rounds", |rounds| rounds.default_value("3")))]
pub(crate) struct Args {
    /// How many pages there are, in files of 50,000. With 10000000 it takes 20 GB of disk for a while
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1_000..=20_000_000))]
    urls: u64,
    #[command(flatten)]
    measuring: Measuring,
}

/// Measures and prints. Fails when a figure can't be measured or an answer is wrong; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let services = Services::start(programs)?;
    let url = services.database_url();
    let runtime = Runtime::new()?;
    let domain = runtime.block_on(domain(url))?;
    let folder = tempfile::Builder::new().prefix("pharos-bench-").tempdir()?;
    let mut site = Site::start(folder.path())?;
    eprintln!("writing the files of two days");
    let [first, second] = write(folder.path(), &site.base(), args.urls)?;
    report.text(&format!(
        "{} cores for both sides, the site and PostgreSQL {} with fsync; an index of {} files with {} pages, {:.0} MB; \
         {} rounds of reading; medians, [ranges]; a commit alone takes {:.2} ms\n",
        machine::cores(),
        services.postgres_version(),
        files::files(args.urls),
        args.urls,
        first.bytes as f64 / 1e6,
        args.measuring.rounds,
        ledger::commit_ms(url)?,
    ))?;
    let before = Cpu::now()?;
    let mut values = Values::default();
    site.show(Day::First)?;
    for round in 0..args.measuring.rounds {
        read(&site, &programs.python, args.urls, &first, &mut values)?;
        eprintln!("  round {} of {}", round + 1, args.measuring.rounds);
    }
    let mut reader = Reader::start(site.address, Some((domain, url)))?;
    for (day, written, figure) in [
        (Day::First, &first, &FIRST),
        (Day::Second, &second, &SECOND),
        (Day::Second, &second, &THIRD),
    ] {
        site.show(day)?;
        let said = checked(&mut reader, args.urls)?;
        let found = runtime.block_on(stored::read(url, domain))?;
        let wanted = expected(written, figure.name == THIRD.name)?;
        ensure!(
            found == wanted,
            "{}: {found:?} is stored, not {wanted:?}",
            figure.name
        );
        eprintln!("  {} is stored as it is, {:.0} s", figure.name, said.seconds);
        values.add(figure, said.seconds);
        // The most that the process has held grows only; the last one counts.
        values.set(&MEMORY, said.memory as f64 / 1e6);
    }
    let others = Cpu::now()?.strangers_since(&before);
    for (figure, values) in values.0 {
        let finding = Finding {
            figure,
            values,
            others,
        };
        report.text(&finding.table())?;
        report.line(&finding.line())?;
    }
    report.text(&format!(
        "others took {others:.2} of {} cores meanwhile",
        machine::cores()
    ))
}

/// Migrates the database, and makes the domain.
async fn domain(url: &str) -> Result<Uuid> {
    let ports = world::found(url).await?;
    let (actor, now) = (Actor::command_line("bench"), OffsetDateTime::now_utc());
    let (workspace, _) = world::workspace(&ports, 0, &actor, now).await?;
    Ok(world::domain(&ports, workspace, 0, &actor, now).await?.0)
}

fn write(folder: &Path, base: &str, urls: u64) -> Result<[Written; 2]> {
    let began = Instant::now();
    let first = files::write(folder, base, urls, Day::First)?;
    let second = files::write(folder, base, urls, Day::Second)?;
    eprintln!("all is there, {:.0} s", began.elapsed().as_secs_f64());
    Ok([first, second])
}

/// The measured values by figure.
#[derive(Default)]
struct Values(Vec<(&'static Figure, Vec<f64>)>);

impl Values {
    fn of(&mut self, figure: &'static Figure) -> &mut Vec<f64> {
        let at = self.0.iter().position(|(known, _)| known.name == figure.name);
        let at = at.unwrap_or_else(|| {
            self.0.push((figure, Vec::new()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }

    fn add(&mut self, figure: &'static Figure, value: f64) {
        self.of(figure).push(value);
    }

    fn set(&mut self, figure: &'static Figure, value: f64) {
        *self.of(figure) = vec![value];
    }
}

/// The findings of the base.
#[derive(Debug, Deserialize)]
struct PeerSaid {
    pages: u64,
    digest: u64,
    seconds: f64,
    memory: u64,
}

/// Has both sides read the files once, and looks whether they found what was written before their times count.
fn read(site: &Site, python: &Path, urls: u64, written: &Written, values: &mut Values) -> Result<()> {
    let ours = checked(&mut Reader::start(site.address, None)?, urls)?;
    let found = Pages {
        count: ours.pages,
        digest: ours.digest,
    };
    ensure!(
        found == written.pages,
        "Pharos read {found:?}, not {:?}",
        written.pages
    );
    let peer = peer(site, python)?;
    let found = Pages {
        count: peer.pages,
        digest: peer.digest,
    };
    ensure!(
        found == written.pages,
        "the base read {found:?}, not {:?}",
        written.pages
    );
    values.add(&READING, peer.seconds / ours.seconds);
    values.add(&OURS, ours.seconds);
    values.add(&PEER, peer.seconds);
    values.add(&PEER_MEMORY, peer.memory as f64 / 1e6);
    Ok(())
}

/// Has all files checked, and sees to it that none was left out.
fn checked(reader: &mut Reader, urls: u64) -> Result<Said> {
    let said = reader.check()?;
    if interrupt::came() {
        bail!("interrupted");
    }
    ensure!(
        said.failed == 0 && said.files == files::files(urls) + 1,
        "{} files were fetched, of which {} failed",
        said.files,
        said.failed
    );
    Ok(said)
}

fn peer(site: &Site, python: &Path) -> Result<PeerSaid> {
    let output = Command::new(python)
        .args(["-c", PEER_SCRIPT, &site.base()])
        // It heeds proxies of the environment.
        .env("NO_PROXY", "127.0.0.1")
        .env("no_proxy", "127.0.0.1")
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("{} can't be run", python.display()))?;
    if !output.status.success() {
        bail!("the base failed ({})", output.status);
    }
    serde_json::from_slice(&output.stdout).context("the base says something else")
}

/// The rows that the database has to hold after a check of these files. A page that they miss is gone at the second check that
/// misses it.
fn expected(written: &Written, is_missed_twice: bool) -> Result<Stored> {
    let (replaced, dated) = (i64::try_from(written.replaced)?, i64::try_from(written.dated)?);
    let removed = if is_missed_twice { replaced } else { 0 };
    Ok(Stored {
        pages: written.pages,
        told: written.pages.count,
        changes: Changes {
            added: replaced,
            removed,
            dated,
            total: replaced + removed + dated,
        },
    })
}
