//! `scheduler`: the checks of many monitors, by `pharos serve --roles scheduler` as it is released.

mod detection;
mod figures;
mod monitors;
mod processes;
mod record;
mod script;
pub(crate) mod target;
mod timing;

use std::{
    collections::BTreeMap,
    process::ExitCode,
    time::{Duration, Instant},
};

use anyhow::{Result, bail};
use pharos_domain::ids::DomainId;
use time::OffsetDateTime;
use tokio::time::sleep;
use uuid::Uuid;

use self::{
    detection::{Seen, detection},
    figures::{Finding, Spent},
    processes::{Pharos, Target},
    record::{Done, Record, Stored, since_1970},
    script::{Manner, Site, TIMEOUT, sites},
    timing::timing,
};
use crate::{
    interrupt,
    machine::{self, Cpu},
    report::Report,
    runtime,
    services::{Programs, Services},
};

/// The region of the checks.
const REGION: &str = "bench";
/// How often the database is asked for incidents.
const LOOK: Duration = Duration::from_millis(250);
/// How long what was due last may take, its storing included.
const LAST: Duration = Duration::from_secs(TIMEOUT as u64 + 5);

/// How punctual checks are, and what they cost
///
/// Every monitor is checked once an interval. Among 100 sites 10 take two seconds, 2 never answer, one has an outage and
/// one fails too briefly for that. Everything shares the machine. After a warm-up of one interval, in which all
/// monitors are due at once, the slots of the time that follows are counted.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many monitors
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(100..=100_000))]
    monitors: u32,
    /// The seconds between two checks of a site
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(30..=60))]
    interval: u32,
    /// How long to count
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(3..=1_440))]
    minutes: u32,
}

/// Measures and prints. Fails when a check was missed or doubled, or an incident is missing or wrong; a target that is
/// missed otherwise is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<ExitCode> {
    let services = Services::start(programs)?;
    let runtime = runtime::of_this_thread()?;
    runtime.block_on(measure(args, programs, &services, report))
}

async fn measure(args: &Args, programs: &Programs, services: &Services, report: &Report) -> Result<ExitCode> {
    let sites = sites(usize::try_from(args.monitors)?, args.minutes);
    let folder = tempfile::tempdir()?;
    let authority = folder.path().join("authority.pem");
    let mut target = Target::start(sites.len(), args.minutes, &authority)?;
    eprintln!("making {} monitors", args.monitors);
    let domains = monitors::create(services.database_url(), &sites, &target, args.interval).await?;
    let pharos = Pharos::start(&programs.pharos, services.database_url(), &authority)?;
    let begins = OffsetDateTime::now_utc() + Duration::from_secs(args.interval.into());
    target.tell(i64::try_from(begins.unix_timestamp_nanos() / 1_000_000)?)?;
    eprintln!(
        "warming up for {} s, then counting for {} min",
        args.interval, args.minutes
    );
    let run = Run {
        services,
        sites,
        domains,
        target,
        begins,
        interval: args.interval,
        counted: Duration::from_secs(u64::from(args.minutes) * 60),
    };
    let finding = run.observe(pharos).await?;
    run.print(report, &finding)
}

struct Run<'a> {
    services: &'a Services,
    sites: Vec<Site>,
    domains: Vec<DomainId>,
    target: Target,
    begins: OffsetDateTime,
    /// The seconds between two checks of a site.
    interval: u32,
    counted: Duration,
}

impl Run<'_> {
    async fn observe(&self, mut pharos: Pharos) -> Result<Finding> {
        let domains = self.domains.iter().map(|domain| domain.0);
        let mut record = Record::open(self.services.database_url(), domains).await?;
        let mut seen = BTreeMap::new();
        let begins = Instant::now() + Duration::try_from(self.begins - OffsetDateTime::now_utc())?;
        self.look_until(begins, &mut record, &mut seen, &mut pharos)
            .await?;
        let before = self.clocks(&pharos, &mut record).await?;
        self.look_until(begins + self.counted, &mut record, &mut seen, &mut pharos)
            .await?;
        let after = self.clocks(&pharos, &mut record).await?;
        self.look_until(begins + self.counted + LAST, &mut record, &mut seen, &mut pharos)
            .await?;
        let memory = machine::most_memory(pharos.id())?;
        pharos.stop()?;
        let spent = Spent {
            pharos: after.pharos - before.pharos,
            database: after.cpu.ours_since(&before.cpu)
                - (after.pharos - before.pharos)
                - (after.beside - before.beside),
            commits: (after.done.commits - before.done.commits) as f64,
            wal: (after.done.wal - before.done.wal) as f64,
            memory,
            others: after.cpu.strangers_since(&before.cpu),
        };
        self.judge(&mut record, &seen, spent).await
    }

    /// Looks at the incidents again and again until then.
    async fn look_until(
        &self,
        until: Instant,
        record: &mut Record,
        seen: &mut BTreeMap<Uuid, Seen>,
        pharos: &mut Pharos,
    ) -> Result<()> {
        while Instant::now() < until {
            if interrupt::came() {
                bail!("interrupted");
            }
            pharos.is_alive()?;
            record.look(seen, self.begins).await?;
            sleep(LOOK.min(until.saturating_duration_since(Instant::now()))).await;
        }
        Ok(())
    }

    async fn clocks(&self, pharos: &Pharos, record: &mut Record) -> Result<Clocks> {
        let done = record.done().await?;
        let [target, bench, backend] =
            [self.target.id(), std::process::id(), record.backend()].map(machine::spent);
        Ok(Clocks {
            cpu: Cpu::now()?,
            pharos: machine::spent(pharos.id())?,
            beside: target? + bench? + backend?,
            done,
        })
    }

    async fn judge(&self, record: &mut Record, seen: &BTreeMap<Uuid, Seen>, spent: Spent) -> Result<Finding> {
        let (slots, checks) = (record.slots().await?, record.checks().await?);
        if slots.len() != self.sites.len() {
            bail!("{} monitors, {} on the schedule", self.sites.len(), slots.len());
        }
        let began: Vec<_> = checks.iter().map(|check| check.began).collect();
        let from = since_1970(self.begins);
        let until = since_1970(self.begins + self.counted);
        let observed = i64::try_from((self.counted + LAST).as_millis())?;
        Ok(Finding {
            timing: timing(
                &slots,
                &began,
                (from, until),
                i64::from(self.interval) * 1_000_000,
            ),
            detection: detection(&self.sites, seen, observed, self.interval),
            shown: record.shown(),
            interval: self.interval,
            misjudged: checks.iter().filter(|check| self.is_misjudged(check)).count() as u64,
            spent,
        })
    }

    /// Whether a check came to something else than the site did, where that is beyond doubt.
    fn is_misjudged(&self, check: &Stored) -> bool {
        let Some(site) = self.sites.get(check.site) else {
            return true;
        };
        let at = (check.began.at - since_1970(self.begins)) / 1_000;
        // When exactly the site was asked is not known.
        let answered = [at, at + 1_000].map(|at| site.fails_at(at));
        match (site.manner, answered) {
            (Manner::Silent, _) | (_, [true, true]) => check.outcome != "down",
            (_, [false, false]) => check.outcome != "up",
            _ => false,
        }
    }

    fn print(&self, report: &Report, finding: &Finding) -> Result<ExitCode> {
        report.text(&format!(
            "scheduler: {} monitors, a check of each every {} s, for {} min; {} cores for sites, PostgreSQL {} with \
             fsync, and Pharos",
            self.sites.len(),
            self.interval,
            self.counted.as_secs() / 60,
            machine::cores(),
            self.services.postgres_version(),
        ))?;
        for line in finding.by_minute(since_1970(self.begins)) {
            report.text(&line)?;
        }
        for line in finding.lines() {
            report.text(&line.text())?;
            report.line(&line)?;
        }
        report.text(&format!(
            "  others took {:.2} of {} cores meanwhile",
            finding.spent.others,
            machine::cores()
        ))?;
        let faults = finding.faults();
        for fault in &faults {
            eprintln!("wrong: {fault}");
        }
        Ok(if faults.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

/// The processor time that was spent until a moment.
struct Clocks {
    cpu: Cpu,
    pharos: f64,
    /// By the sites, by the bench itself, and by the database for it.
    beside: f64,
    done: Done,
}
