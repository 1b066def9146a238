//! `cargo xtask bench vitals`: percentiles of many views, beside the plain way to them.

pub(crate) mod data;

use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{BigInt, Date as SqlDate, Double, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    identity::DomainAccess,
    page::{ListKey, PageRequest, SortOrder},
    ports::Ports,
    window::DateRange,
};
use pharos_persistence::pool::Database;
use pharos_server::groups::{database_options, ports};
use pharos_vitals::{
    metric::Metric,
    overview::{SiteFigures, ViewFilter},
    pages::{PageReads, PageSort, Pages, PagesQuery},
    store::VitalsReads,
};
use time::{Date, Duration, OffsetDateTime};

use crate::{
    compared::{Figure, Finding, Measured, Measuring, Others, Target, order},
    interrupt, machine,
    report::Report,
    runtime,
    services::{Programs, Services},
    world,
};

const BENCH: &str = "vitals";
/// The days that are read.
const DAYS: u32 = 28;
/// How many pages are listed.
const PAGES: usize = 100;
/// By how much a percentile out of counts may differ from the exact one, as a share of it.
const WITHIN: f64 = 0.01;

/// Percentiles of views by day and device, and of the pages with the most views
///
/// Makes five weeks of views of one site, rolls them up as a server does, and reads them by the ports of the API and by a
/// single statement with percentile_cont, one after the other.
#[derive(clap::Args)]
#[command(mut_arg("rounds", |rounds| rounds.default_value("9")))]
pub(crate) struct Args {
    /// How many views there are on a day
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1_000..))]
    views: u32,
    #[command(flatten)]
    measuring: Measuring,
}

/// Measures and prints. Fails when a figure can't be measured, or an answer is wrong; a target that is missed is no failure.
pub(crate) fn run(args: &Args, programs: &Programs, report: &Report) -> Result<()> {
    let services = Services::start(programs)?;
    let url = services.database_url();
    let runtime = runtime::of_this_thread()?;
    let mut bench = runtime.block_on(Bench::prepare(url, args.views))?;
    report.text(&format!(
        "{} cores for the bench and PostgreSQL {}; {} views on each of {DAYS} days and a week before, rolled up; {} rounds; medians, \
         [ranges]\n",
        machine::cores(),
        services.postgres_version(),
        args.views,
        args.measuring.rounds,
    ))?;
    for read in [Read::ByDay, Read::TopPages] {
        let finding = runtime.block_on(bench.in_turn(read, args.measuring.rounds))?;
        finding.print(BENCH, report)?;
    }
    Ok(())
}

/// The reads that are compared with the plain statement.
#[derive(Clone, Copy, Debug)]
enum Read {
    ByDay,
    TopPages,
}

impl Read {
    fn figure(self) -> Figure {
        let (name, title, target) = match self {
            Self::ByDay => (
                "by-day",
                "75th percentiles by day and by device over 28 days: of percentile_cont on every view",
                Target::AtLeast(10.0),
            ),
            Self::TopPages => (
                "top-pages",
                "75th percentiles of the 100 pages with the most views: of the best single statement",
                Target::AtMost(2.0),
            ),
        };
        Figure {
            name: name.to_owned(),
            title: title.to_owned(),
            target,
        }
    }

    /// The times of the base and of Pharos, as the target compares them.
    fn measured(self, times: [Vec<f64>; 2]) -> Measured {
        match self {
            Self::ByDay => Measured::Faster(times),
            Self::TopPages => Measured::AsLong(times),
        }
    }
}

/// The percentiles of the plain statements.
#[derive(Clone, Copy, QueryableByName)]
struct PlainValues {
    #[diesel(sql_type = Double)]
    lcp_ms: f64,
    #[diesel(sql_type = Double)]
    inp_ms: f64,
    #[diesel(sql_type = Double)]
    cls: f64,
    #[diesel(sql_type = Double)]
    fcp_ms: f64,
    #[diesel(sql_type = Double)]
    ttfb_ms: f64,
}

impl PlainValues {
    const fn of(self, metric: Metric) -> f64 {
        match metric {
            Metric::Lcp => self.lcp_ms,
            Metric::Inp => self.inp_ms,
            Metric::Cls => self.cls,
            Metric::Fcp => self.fcp_ms,
            Metric::Ttfb => self.ttfb_ms,
        }
    }
}

/// The figures of the plain statement for a day, for a class of device, or for all.
#[derive(QueryableByName)]
struct PlainRow {
    #[diesel(sql_type = Nullable<SqlDate>)]
    day: Option<Date>,
    #[diesel(sql_type = Nullable<SmallInt>)]
    device: Option<i16>,
    #[diesel(embed)]
    values: PlainValues,
}

/// The figures of the plain statement for a page.
#[derive(QueryableByName)]
struct PlainPage {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = BigInt)]
    views: i64,
    #[diesel(embed)]
    values: PlainValues,
}

/// A site with views, and both ways to read them.
struct Bench {
    ports: Ports,
    access: DomainAccess,
    connection: AsyncPgConnection,
    days: DateRange,
}

impl Bench {
    async fn prepare(url: &str, views: u32) -> Result<Self> {
        world::found(url).await?;
        let now = OffsetDateTime::now_utc();
        // The last days are not closed yet.
        let days = DateRange::ending(now.date() - Duration::days(4), DAYS);
        let database = Database::connect(url, &database_options()).await?;
        let ports = ports(&database);
        let access = world::access(&ports).await?;
        eprintln!("making views");
        let began = Instant::now();
        data::fill(&database, url, access.id(), days, views).await?;
        eprintln!("rolling them up, {:.0} s", began.elapsed().as_secs_f64());
        data::roll_up(&database, url, days, now).await?;
        eprintln!("all is there, {:.0} s", began.elapsed().as_secs_f64());
        Ok(Self {
            ports,
            access,
            connection: AsyncPgConnection::establish(url).await?,
            days,
        })
    }

    /// Measures both sides once a round, after their answers were compared with each other.
    async fn in_turn(&mut self, read: Read, rounds: u32) -> Result<Finding> {
        match read {
            Read::ByDay => check_days(&self.figures().await?, &self.plain().await?)?,
            Read::TopPages => check_pages(&self.pages().await?, &self.plain_pages().await?)?,
        }
        let figure = read.figure();
        let mut times = [Vec::new(), Vec::new()];
        let others = Others::from_here()?;
        for round in 0..rounds {
            for side in order(times.len(), round) {
                if interrupt::came() {
                    bail!("interrupted");
                }
                let began = Instant::now();
                match (read, side) {
                    (Read::ByDay, 0) => drop(self.plain().await?),
                    (Read::ByDay, _) => drop(self.figures().await?),
                    (Read::TopPages, 0) => drop(self.plain_pages().await?),
                    (Read::TopPages, _) => drop(self.pages().await?),
                }
                times[side].push(began.elapsed().as_secs_f64() * 1e3);
            }
            eprintln!("  {}, round {} of {rounds}", figure.name, round + 1);
        }
        Ok(Finding {
            figure,
            measured: read.measured(times),
            others: others.took()?,
        })
    }

    async fn figures(&self) -> Result<SiteFigures> {
        let reads = self.ports.get::<dyn VitalsReads>()?;
        let filter = ViewFilter::default();
        Ok(reads.figures(&self.access, self.days, &filter, 75).await?)
    }

    async fn pages(&self) -> Result<Pages> {
        let reads = self.ports.get::<dyn PageReads>()?;
        let (filter, page) = (ViewFilter::default(), self.first_page());
        let query = PagesQuery {
            window: self.days,
            filter: &filter,
            search: None,
            sort: PageSort::Pageviews,
            order: SortOrder::Descending,
            percent: 75,
            page: &page,
        };
        Ok(reads.pages(&self.access, &query).await?)
    }

    fn first_page(&self) -> PageRequest<Option<f64>, String> {
        PageRequest {
            limit: PAGES,
            after: None,
            list: ListKey::new("bench.pages", self.access.id().0),
        }
    }

    async fn plain(&mut self) -> Result<Vec<PlainRow>> {
        let rows = sql_query(include_str!("by_day.sql"))
            .bind::<SqlUuid, _>(self.access.id().0)
            .bind::<Timestamptz, _>(self.days.start())
            .bind::<Timestamptz, _>(self.days.end())
            .load(&mut self.connection)
            .await;
        rows.context("the plain statement failed")
    }

    async fn plain_pages(&mut self) -> Result<Vec<PlainPage>> {
        let rows = sql_query(include_str!("pages.sql"))
            .bind::<SqlUuid, _>(self.access.id().0)
            .bind::<Timestamptz, _>(self.days.start())
            .bind::<Timestamptz, _>(self.days.end())
            .load(&mut self.connection)
            .await;
        rows.context("the plain statement failed")
    }
}

/// Every day and device has a percentile within the stated error of the exact one.
fn check_days(found: &SiteFigures, plain: &[PlainRow]) -> Result<()> {
    ensure!(
        found.days.len() == DAYS as usize && plain.len() == found.days.len() + found.devices.len() + 1,
        "{} days and {} devices, and {} plain rows",
        found.days.len(),
        found.devices.len(),
        plain.len()
    );
    for PlainRow { day, device, values } in plain {
        let figures = match (day, device) {
            (Some(day), _) => found
                .days
                .iter()
                .find(|(other, _)| other == day)
                .map(|(_, it)| it),
            (None, Some(device)) => {
                let mut devices = found.devices.iter();
                devices
                    .find(|(other, _)| *other as i16 == *device)
                    .map(|(_, it)| it)
            }
            (None, None) => Some(&found.all),
        };
        let figures = figures.with_context(|| format!("{day:?}, {device:?} has no figures"))?;
        for &metric in Metric::ALL {
            let told = figures.percentiles.of(metric);
            let told = told.with_context(|| format!("{day:?}, {device:?} has no {metric}"))?;
            let exact = values.of(metric);
            ensure!(
                (told - exact).abs() <= WITHIN * exact + last_decimal(metric),
                "{day:?}, {device:?}: {metric} of {told} is not {exact}"
            );
        }
    }
    Ok(())
}

/// The least difference that answers show: by so much rounding may add to that of an estimate.
const fn last_decimal(metric: Metric) -> f64 {
    match metric {
        Metric::Cls => 0.000_1,
        Metric::Lcp | Metric::Inp | Metric::Fcp | Metric::Ttfb => 0.1,
    }
}

/// The pages are the same ones, with the exact percentiles.
fn check_pages(found: &Pages, plain: &[PlainPage]) -> Result<()> {
    ensure!(
        plain.len() == PAGES && found.items.len() > PAGES,
        "{} pages, and {} plain ones",
        found.items.len(),
        plain.len()
    );
    for (page, plain) in found.items.iter().zip(plain) {
        let views = plain.views.unsigned_abs();
        ensure!(
            page.figures.views == views,
            "{}: {} views, and {views} of {}",
            page.url,
            page.figures.views,
            plain.url
        );
        // Pages of equally many views may come in another order, and the last of a list may be another one.
        let Some(same) = found.items.iter().find(|page| page.url == plain.url) else {
            continue;
        };
        for &metric in Metric::ALL {
            let (told, exact) = (same.figures.percentiles.of(metric), plain.values.of(metric));
            ensure!(
                told == Some(metric.rounded(exact)),
                "{}: {metric} of {told:?} is not {exact}",
                plain.url
            );
        }
    }
    Ok(())
}
