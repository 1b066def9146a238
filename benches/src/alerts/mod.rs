//! `cargo xtask bench alerts`: what it takes to evaluate many alert rules.

mod base;
mod data;
mod figure;
mod finding;
mod mixed;
mod round;
mod rules;
mod sites;
mod statements;

use std::{sync::Arc, time::Instant};

use anyhow::{Context, Result};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use pharos_alerting::evaluator::Evaluator;
use pharos_domain::{
    alert_metric::AlertModule,
    clock::{Clock, ManualClock, SystemClock},
    ports::Ports,
};
use pharos_persistence::pool::{Database, DatabaseOptions};
use pharos_server::groups::{alert_metrics, database_options, ports};
use tokio::runtime::Runtime;

use self::{
    figure::{
        BATCHING, BURST, BURST_STORED, EVALUATION, Figure, MEMORY, MIXED, MIXED_STATEMENTS, NESTED,
        STATEMENTS, STEADY, STEADY_STATEMENTS, WRITTEN,
    },
    finding::Finding,
    round::Took,
    rules::Rule,
    sites::Site,
    statements::Observer,
};
use crate::{
    ledger,
    machine::{self, Cpu},
    report::Report,
    services::{Programs, Services},
    world,
};

/// How many rounds each figure is measured in.
const ROUNDS: u32 = 3;

/// Evaluating many alert rules on one node
///
/// Makes sites with five weeks of checks and ten rules each, has all rules evaluated, and takes all sites down at once. Then has rules
/// of all modules evaluated.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many domains there are
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u16).range(200..))]
    domains: u16,
    /// Show the statements that took longest
    #[arg(long)]
    worst: bool,
}

/// Measures and prints. Fails when a figure can't be measured; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let services = Services::start(programs)?;
    let runtime = Runtime::new()?;
    let counts = runtime.block_on(statements::can_be_counted(services.database_url()))?;
    let services = if counts {
        services.with_settings(programs, statements::SETTINGS)?
    } else {
        services
    };
    let url = services.database_url();
    let mut bench = runtime.block_on(Bench::prepare(url, usize::from(args.domains), counts))?;
    eprintln!("looking whether the answers are right");
    let shares = runtime.block_on(bench.try_out())?;
    report.text(&format!(
        "{} cores for the evaluator and PostgreSQL {} with fsync; {} rules on {} domains of {} workspaces: {shares}; a day's \
         checks are not rolled up; {ROUNDS} rounds; medians, [ranges]; a commit alone takes {:.2} ms\n",
        machine::cores(),
        services.postgres_version(),
        bench.rules.len(),
        bench.sites.len(),
        data::WORKSPACES,
        ledger::commit_ms(url)?,
    ))?;
    if !counts {
        report.text("this PostgreSQL has no pg_stat_statements: statements are not counted\n")?;
    }
    let before = Cpu::now()?;
    let mut values = Values::default();
    for round in 0..ROUNDS {
        runtime.block_on(bench.round(&mut values, args.worst))?;
        eprintln!("  round {} of {ROUNDS}", round + 1);
    }
    runtime.block_on(bench.mix())?;
    for round in 0..ROUNDS {
        runtime.block_on(bench.mixed_round(&mut values, args.worst))?;
        eprintln!("  round {} of {ROUNDS} with all modules", round + 1);
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

/// The measured values by figure, one a round.
#[derive(Default)]
struct Values(Vec<(&'static Figure, Vec<f64>)>);

impl Values {
    fn add(&mut self, figure: &'static Figure, value: f64) {
        match self.0.iter_mut().find(|(known, _)| known.name == figure.name) {
            Some((_, values)) => values.push(value),
            None => self.0.push((figure, vec![value])),
        }
    }
}

/// Sites with rules, and who evaluates them.
struct Bench {
    ports: Ports,
    evaluator: Evaluator,
    observer: Observer,
    /// That of the base.
    connection: AsyncPgConnection,
    sites: Vec<Site>,
    rules: Vec<Rule>,
}

impl Bench {
    async fn prepare(url: &str, domains: usize, counts: bool) -> Result<Self> {
        let began = Instant::now();
        let found = world::found(url).await?;
        eprintln!("making {domains} sites");
        let sites = data::sites(&found, url, domains).await?;
        eprintln!("filling their past, {:.0} s", began.elapsed().as_secs_f64());
        data::fill(&found, url).await?;
        // The evaluator has connections of its own, as a node that does nothing else.
        let options = DatabaseOptions {
            pool_size: 2,
            ..database_options()
        };
        let own = ports(&Database::connect(url, &options).await?);
        let evaluator = Evaluator {
            store: own.get()?,
            catalogue: alert_metrics(&own)?,
            clock: Arc::new(SystemClock),
            bell: Arc::default(),
        };
        let mut connection = AsyncPgConnection::establish(url).await?;
        let rules = rules::rules(&evaluator.catalogue, &sites)?;
        rules::store(&mut connection, &rules).await?;
        eprintln!("all is there, {:.0} s", began.elapsed().as_secs_f64());
        Ok(Self {
            ports: found,
            evaluator,
            observer: Observer::connect(url, counts).await?,
            connection,
            sites,
            rules,
        })
    }

    /// Evaluates all rules, and says how they stand. Fails where one stands otherwise than it has to.
    async fn try_out(&mut self) -> Result<String> {
        round::renew(&self.ports, &mut self.observer, &self.sites).await?;
        self.evaluate().await?;
        self.check().await
    }

    /// Evaluates all rules. Meanwhile the clock stands still: otherwise those that came first would be due again as a
    /// minute begins.
    async fn evaluate(&mut self) -> Result<Took> {
        let evaluator = Evaluator {
            clock: Arc::new(ManualClock::at(SystemClock.now())),
            ..self.evaluator.clone()
        };
        round::evaluate(&evaluator, &mut self.observer).await
    }

    async fn check(&mut self) -> Result<String> {
        let metrics = self
            .evaluator
            .catalogue
            .module(AlertModule::Uptime)
            .context("there are no metrics of uptime")?
            .metrics
            .len();
        round::check(&mut self.observer, self.rules.len(), metrics).await
    }

    async fn round(&mut self, values: &mut Values, shows_worst: bool) -> Result<()> {
        round::renew(&self.ports, &mut self.observer, &self.sites).await?;
        let took = self.evaluate().await?;
        if shows_worst {
            eprint!("{}", self.observer.worst().await?);
        }
        self.check().await?;
        values.add(&EVALUATION, took.seconds);
        if let Some(counted) = took.statements {
            values.add(&STATEMENTS, counted.sent as f64);
            values.add(&NESTED, counted.nested as f64);
        }
        values.add(&WRITTEN, round::written(&mut self.observer).await?);
        values.add(&MEMORY, took.grown as f64 / f64::from(1 << 20));
        let one = base::measure(&mut self.connection, &self.evaluator.catalogue, &self.rules).await?;
        values.add(&BATCHING, one * self.rules.len() as f64 / took.seconds);
        let steady = self.evaluate().await?;
        values.add(&STEADY, steady.seconds);
        if let Some(counted) = steady.statements {
            values.add(&STEADY_STATEMENTS, counted.sent as f64);
        }
        let burst = round::burst(&self.ports, &self.evaluator, &mut self.observer, &self.sites).await?;
        values.add(&BURST, burst.fired);
        values.add(&BURST_STORED, burst.stored);
        Ok(())
    }

    /// Puts rules on the metrics of all modules in the place of those that there are.
    async fn mix(&mut self) -> Result<()> {
        self.rules = mixed::rules(&self.evaluator.catalogue, &self.sites);
        mixed::put_in_place(&mut self.connection, &self.rules).await
    }

    async fn mixed_round(&mut self, values: &mut Values, shows_worst: bool) -> Result<()> {
        round::renew(&self.ports, &mut self.observer, &self.sites).await?;
        mixed::happen(&mut self.observer, &self.evaluator.catalogue).await?;
        let took = self.evaluate().await?;
        if shows_worst {
            eprint!("{}", self.observer.worst().await?);
        }
        round::standing(&mut self.observer, self.rules.len()).await?;
        values.add(&MIXED, took.seconds);
        if let Some(counted) = took.statements {
            values.add(&MIXED_STATEMENTS, counted.sent as f64);
        }
        Ok(())
    }
}
