//! One domain among many with visits of their own, beside the same domain alone.

use std::time::Instant;

use anyhow::{Context, Result};
use pharos_domain::identity::DomainAccess;
use pharos_persistence::pool::Database;
use pharos_server::groups::{database_options, ports};
use time::Date;

use super::{
    Args, Asked, BENCH, closed, data, in_turn, noon, open_day,
    question::{Site, Stores},
    questions,
};
use crate::{
    compared::{Figure, Target},
    machine,
    report::Report,
    runtime,
    services::{Programs, Services},
    world::World,
};

/// How many times as long a read of closed days may take among others.
const AMONG: f64 = 1.3;

/// Measures and prints. Each side has a PostgreSQL of its own, so that the domain alone has all of its memory for itself.
pub(super) fn run(domains: u16, args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let (of_one, of_all) = (Services::start(programs)?, Services::start(programs)?);
    let runtime = runtime::of_this_thread()?;
    let (open, days, rounds) = (open_day(), args.days, args.measuring.rounds);
    let a_day = data::spread(domains, i64::from(args.sessions) / i64::from(days));
    let first = &a_day[..1];
    eprintln!("one domain alone");
    let (alone, _) = runtime.block_on(Side::prepare(of_one.database_url(), open, days, first))?;
    eprintln!("{domains} domains");
    let (among, rolled) = runtime.block_on(Side::prepare(of_all.database_url(), open, days, &a_day))?;
    report.text(&format!(
        "{} cores for the bench and two PostgreSQL {} with fsync: one has {} sessions of {domains} domains on {days} days and half a \
         day, rolled up in {rolled:.0} s, the other those of the largest of these domains, {} a day; {rounds} rounds; medians, \
         [ranges]\n",
        machine::cores(),
        of_all.postgres_version(),
        args.sessions,
        first[0],
    ))?;
    for asked in questions(open, days) {
        let question = asked.question;
        let figure = figure(&asked, open);
        let found = runtime.block_on(question.of_pharos(among.site()))?;
        let wanted = runtime.block_on(question.of_pharos(alone.site()))?;
        found.check(&wanted).with_context(|| figure.name.clone())?;
        in_turn(&runtime, figure, question, [alone.site(), among.site()], rounds)?.print(BENCH, report)?;
    }
    Ok(())
}

/// Closed days without a filter are read from roll-ups; all else from visits, which lie among those of the others.
fn figure(asked: &Asked, open: Date) -> Figure {
    let is_rolled_up = !asked.question.is_filtered && asked.question.window.last() < open;
    Figure {
        name: format!("{}-among", asked.name),
        title: format!("{} of a domain among others: of the domain alone", asked.name),
        target: if is_rolled_up {
            Target::AtMost(AMONG)
        } else {
            Target::None
        },
    }
}

/// The domain with the most visits of a database.
struct Side {
    stores: Stores,
    access: DomainAccess,
}

impl Side {
    /// Fills a database with domains that have so many sessions a day. How long their roll-ups took besides, in seconds.
    async fn prepare(url: &str, open: Date, days: u32, a_day: &[i64]) -> Result<(Self, f64)> {
        let world = World::create(url, a_day.len(), a_day.len()).await?;
        let database = Database::connect(url, &database_options()).await?;
        let ports = ports(&database);
        let domains = world.callers().map(|(_, domain)| domain);
        let sites: Vec<_> = domains.zip(a_day.iter().copied()).collect();
        let closed = closed(open, days);
        eprintln!("  making visits");
        let began = Instant::now();
        data::fill_sites(&database, url, &sites, closed).await?;
        eprintln!("  rolling them up, {:.0} s", began.elapsed().as_secs_f64());
        let rolled = data::roll_up(&database, url, closed, noon(open)).await?;
        eprintln!("  all is there, {:.0} s", began.elapsed().as_secs_f64());
        let side = Self {
            stores: Stores::of(&ports)?,
            access: world.access(&ports, 0).await?,
        };
        Ok((side, rolled))
    }

    const fn site(&self) -> Site<'_> {
        Site {
            stores: &self.stores,
            access: &self.access,
        }
    }
}
