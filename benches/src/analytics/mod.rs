//! `cargo xtask bench analytics`: what reads of visits cost, beside the plain ways to them.

mod among;
mod answer;
pub(crate) mod data;
mod operations;
mod question;
mod requested;

use std::time::Instant;

use anyhow::{Context, Result, bail};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use pharos_analytics::timeseries::MOST_DAYS_BY_HOUR;
use pharos_domain::{clock::Clock, identity::DomainAccess, window::DateRange};
use pharos_persistence::pool::Database;
use pharos_server::groups::{database_options, ports};
use time::{Date, Duration, OffsetDateTime, macros::time};
use tokio::runtime::Runtime;

use self::{
    answer::Answer,
    question::{Base, Question, Read, Site, Stores},
    requested::Requested,
};
use crate::{
    asked::answers,
    compared::{Figure, Finding, Measured, Measuring, Others, Target, order},
    daybreak::Daybreak,
    interrupt, machine,
    report::Report,
    runtime,
    serve::Variant,
    server::Server,
    services::{Programs, Services},
    world::World,
};

const BENCH: &str = "analytics";
/// How many closed days there are.
const DAYS: u32 = 90;
/// How often Pharos is asked for each time that is recorded: some of its answers take less than a millisecond.
const REPEATS: u32 = 5;
/// No operation over closed days may be slower, in milliseconds.
const SLOWEST: f64 = 300.0;
/// How many times as long a site with ten times the sessions may take.
const TENFOLD: f64 = 1.3;
/// How many times as long as the best single statement a read with a filter may take.
const SINGLE: f64 = 3.0;

/// Visits: reads of a site with many sessions, beside tables as one would have them
///
/// Makes 90 days of visits of two sites, one with a tenth of the other's, rolls them up as a server does, asks a server for every
/// read of analytics, and reads by the ports of the API and by statements over other tables, in turn.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many sessions the larger site has, about, or all domains together. With 10000000 it takes 40 GB of disk for a while
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(90_000..=20_000_000))]
    sessions: u32,
    /// Instead: reads of one domain among so many, beside the same domain alone
    #[arg(long, value_parser = clap::value_parser!(u16).range(2..=1_000))]
    domains: Option<u16>,
    /// On how many closed days these domains have visits
    #[arg(long, requires = "domains", default_value_t = 365, value_parser = clap::value_parser!(u32).range(60..=730))]
    days: u32,
    #[command(flatten)]
    measuring: Measuring,
}

/// Measures and prints. Fails when a figure can't be measured, or an answer is wrong; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    if let Some(domains) = args.domains {
        return among::run(domains, args, programs, report);
    }
    let services = Services::start(programs)?;
    let url = services.database_url();
    let runtime = runtime::of_this_thread()?;
    let world = runtime.block_on(World::create(url, 2, 2))?;
    // Both clocks are made in the same moment.
    let server = Server::start(Variant::PharosUncached, &services)?;
    let open = open_day();
    let (mut bench, rolled) = runtime.block_on(Bench::prepare(url, &world, open, args.sessions))?;
    report.text(&format!(
        "{} cores for the bench, a server (2 workers) and PostgreSQL {} with fsync; {} sessions on {DAYS} days and half a day, and a site \
         with a tenth of them, rolled up in {rolled:.0} s; {} rounds; medians, [ranges]\n",
        machine::cores(),
        services.postgres_version(),
        args.sessions,
        args.measuring.rounds,
    ))?;
    let windows = [closed(open, 30), closed(open, DAYS)];
    let operations = operations::all(&world, &windows, bench.requested)?;
    let rounds = args.measuring.rounds;
    for finding in answers(&operations, server.address, rounds, SLOWEST)? {
        finding.print(BENCH, report)?;
    }
    for asked in questions(open, DAYS) {
        for (base, target) in asked.bases() {
            bench
                .beside(&runtime, &asked, (base, target), rounds)?
                .print(BENCH, report)?;
        }
    }
    for (read, window, name, target) in [
        (
            Read::Overview,
            closed(open, 30),
            "overview",
            Target::AtMost(TENFOLD),
        ),
        (Read::Pages, closed(open, 30), "pages", Target::AtMost(TENFOLD)),
        (Read::Overview, with_open(open), "overview-today", Target::None),
    ] {
        let figure = Figure {
            name: format!("{name}-tenfold"),
            title: format!("{name} of a site with ten times the sessions"),
            target,
        };
        let question = Question {
            read,
            window,
            is_filtered: false,
        };
        bench
            .tenfold(&runtime, figure, question, rounds)?
            .print(BENCH, report)?;
    }
    server.stop()
}

/// The last day with visits, which is not closed: half of it is over.
fn open_day() -> Date {
    Daybreak::next().now().date() - Duration::DAY
}

/// The moment up to which it has visits.
fn noon(open: Date) -> OffsetDateTime {
    open.with_time(time!(12:00)).assume_utc()
}

/// So many closed days before the open one.
fn closed(open: Date, days: u32) -> DateRange {
    DateRange::ending(open - Duration::DAY, days)
}

/// 30 days, of which the last is open.
fn with_open(open: Date) -> DateRange {
    DateRange::ending(open, 30)
}

/// A question with the name of its figures.
struct Asked {
    name: String,
    question: Question,
    /// How many times faster than on a wide row an event it has to be answered.
    faster: Target,
}

/// All that is asked of Pharos and of the bases, which have visits on so many closed days.
fn questions(open: Date, days: u32) -> Vec<Asked> {
    let (month, all, today) = (closed(open, 30), closed(open, days), with_open(open));
    let by_hour = closed(open, MOST_DAYS_BY_HOUR);
    let [overview, pages] = ["overview", "pages"].map(|read| format!("{read}-{days}"));
    [
        (
            "overview-30",
            Read::Overview,
            month,
            false,
            Target::AtLeast(500.0),
        ),
        (
            overview.as_str(),
            Read::Overview,
            all,
            false,
            Target::AtLeast(500.0),
        ),
        (
            "overview-today",
            Read::Overview,
            today,
            false,
            Target::AtLeast(50.0),
        ),
        ("pages-30", Read::Pages, month, false, Target::AtLeast(30.0)),
        (pages.as_str(), Read::Pages, all, false, Target::AtLeast(30.0)),
        ("pages-today", Read::Pages, today, false, Target::None),
        ("sources-30", Read::SOURCES, month, false, Target::None),
        (
            "overview-filtered",
            Read::Overview,
            month,
            true,
            Target::AtLeast(2.0),
        ),
        ("pages-filtered", Read::Pages, month, true, Target::AtLeast(2.0)),
        (
            "sources-filtered",
            Read::SOURCES,
            month,
            true,
            Target::AtLeast(2.0),
        ),
        (
            "browsers-filtered",
            Read::BROWSERS,
            month,
            true,
            Target::AtLeast(2.0),
        ),
        (
            "countries-filtered",
            Read::COUNTRIES,
            month,
            true,
            Target::AtLeast(2.0),
        ),
        (
            "devices-filtered",
            Read::DEVICES,
            month,
            true,
            Target::AtLeast(2.0),
        ),
        ("events-filtered", Read::EVENTS, month, true, Target::AtLeast(2.0)),
        (
            "entry-pages-filtered",
            Read::EntryPages,
            month,
            true,
            Target::AtLeast(2.0),
        ),
        ("regions-filtered", Read::REGIONS, month, true, Target::None),
        ("exit-pages-filtered", Read::ExitPages, month, true, Target::None),
        ("searches-filtered", Read::SEARCHES, month, true, Target::None),
        ("downloads-filtered", Read::DOWNLOADS, month, true, Target::None),
        (
            "outbound-links-filtered",
            Read::OUTBOUND_LINKS,
            month,
            true,
            Target::None,
        ),
        ("hours-filtered", Read::Hours, by_hour, true, Target::None),
        (
            "event-properties-filtered",
            Read::Properties,
            month,
            true,
            Target::None,
        ),
        ("funnel-filtered", Read::Funnel, month, true, Target::None),
        ("retention-filtered", Read::Retention, month, true, Target::None),
        ("journeys-filtered", Read::Journeys, month, true, Target::None),
    ]
    .into_iter()
    .map(|(name, read, window, is_filtered, faster)| Asked {
        name: name.to_owned(),
        question: Question {
            read,
            window,
            is_filtered,
        },
        faster,
    })
    .collect()
}

impl Asked {
    /// Beside what it is asked, and what has to come of it.
    fn bases(&self) -> Vec<(Base, Target)> {
        let mut bases = vec![(Base::Wide, self.faster), (Base::Apart, Target::None)];
        if self.question.is_filtered {
            bases.push((Base::Encoded, Target::AtMost(SINGLE)));
        }
        bases.retain(|(base, _)| base.statement(self.question.read).is_some());
        bases
    }

    fn figure(&self, base: Base, target: Target) -> Figure {
        let name = match base {
            Base::Wide => self.name.clone(),
            Base::Apart => format!("{}-better-base", self.name),
            Base::Encoded => format!("{}-single", self.name),
        };
        Figure {
            title: format!("{}: of {}", self.name, base.title()),
            name,
            target,
        }
    }
}

/// Two sites with visits, and all ways to read them.
struct Bench {
    stores: Stores,
    larger: DomainAccess,
    smaller: DomainAccess,
    /// Those of the larger site.
    requested: Requested,
    connection: AsyncPgConnection,
}

impl Bench {
    async fn prepare(url: &str, world: &World, open: Date, sessions: u32) -> Result<(Self, f64)> {
        let database = Database::connect(url, &database_options()).await?;
        let ports = ports(&database);
        let larger = world.access(&ports, 0).await?;
        let smaller = world.access(&ports, 1).await?;
        eprintln!("making visits");
        let began = Instant::now();
        let (closed, sites) = (closed(open, DAYS), [larger.id(), smaller.id()]);
        data::fill(&database, url, sites, closed, sessions.into()).await?;
        eprintln!("rolling them up, {:.0} s", began.elapsed().as_secs_f64());
        let rolled = data::roll_up(&database, url, closed, noon(open)).await?;
        let requested = requested::request(&ports, &larger, closed).await?;
        eprintln!("all is there, {:.0} s", began.elapsed().as_secs_f64());
        let bench = Self {
            stores: Stores::of(&ports)?,
            larger,
            smaller,
            requested,
            connection: AsyncPgConnection::establish(url).await?,
        };
        Ok((bench, rolled))
    }

    /// Pharos and a base once a round, after their answers were held against each other.
    fn beside(
        &mut self,
        runtime: &Runtime,
        asked: &Asked,
        (base, target): (Base, Target),
        rounds: u32,
    ) -> Result<Finding> {
        let figure = asked.figure(base, target);
        let question = asked.question;
        let found = runtime.block_on(question.of_pharos(self.site(&self.larger)))?;
        let wanted = runtime.block_on(question.of_base(base, &mut self.connection, &self.larger))?;
        found.check(&wanted).with_context(|| figure.name.clone())?;
        let mut times = [Vec::new(), Vec::new()];
        let others = Others::from_here()?;
        for round in 0..rounds {
            for side in order(times.len(), round) {
                if interrupt::came() {
                    bail!("interrupted");
                }
                let ms = if side == 0 {
                    let began = Instant::now();
                    drop(runtime.block_on(question.of_base(base, &mut self.connection, &self.larger))?);
                    began.elapsed().as_secs_f64() * 1e3
                } else {
                    time(runtime, question, self.site(&self.larger))?
                };
                times[side].push(ms);
            }
            eprintln!("  {}, round {} of {rounds}", figure.name, round + 1);
        }
        Ok(Finding {
            measured: if base == Base::Encoded {
                Measured::AsLong(times)
            } else {
                Measured::Faster(times)
            },
            figure,
            others: others.took()?,
        })
    }

    /// The larger site beside the smaller one.
    fn tenfold(&self, runtime: &Runtime, figure: Figure, question: Question, rounds: u32) -> Result<Finding> {
        let sites = [&self.smaller, &self.larger].map(|access| self.site(access));
        in_turn(runtime, figure, question, sites, rounds)
    }

    const fn site<'a>(&'a self, access: &'a DomainAccess) -> Site<'a> {
        Site {
            stores: &self.stores,
            access,
        }
    }
}

/// How long Pharos takes for the second of two sites, beside the first.
fn in_turn(
    runtime: &Runtime,
    figure: Figure,
    question: Question,
    sites: [Site<'_>; 2],
    rounds: u32,
) -> Result<Finding> {
    for site in sites {
        time(runtime, question, site)?;
    }
    let mut times = [Vec::new(), Vec::new()];
    let others = Others::from_here()?;
    for round in 0..rounds {
        for side in order(times.len(), round) {
            if interrupt::came() {
                bail!("interrupted");
            }
            times[side].push(time(runtime, question, sites[side])?);
        }
        eprintln!("  {}, round {} of {rounds}", figure.name, round + 1);
    }
    Ok(Finding {
        figure,
        measured: Measured::AsLong(times),
        others: others.took()?,
    })
}

/// How long Pharos takes for an answer, in milliseconds: the mean of some in a row.
fn time(runtime: &Runtime, question: Question, site: Site<'_>) -> Result<f64> {
    let began = Instant::now();
    for _ in 0..REPEATS {
        let answer: Answer = runtime.block_on(question.of_pharos(site))?;
        drop(answer);
    }
    Ok(began.elapsed().as_secs_f64() * 1e3 / f64::from(REPEATS))
}
