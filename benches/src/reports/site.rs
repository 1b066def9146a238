//! A site with a past, and its reports as a worker makes them.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{BigInt, Integer, Jsonb, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    audit::Actor,
    clock::{Clock, SystemClock},
    ids::{DomainId, JobId},
    jobs::{ClaimedJob, JobHandler},
    ports::Ports,
    window::DateRange,
};
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_persistence::pool::Database;
use pharos_reporting::{
    format::{ReportFormat, ScheduleFrequency},
    generate::{READ_WITHIN, ReportMaker},
    logo::LogoClient,
    render::pdf::Printer,
    results::Results,
    run::KIND,
    schedule::Schedule,
    scheduler::ReportScheduler,
    store::TemplateAdmin,
    template::TemplateSettings,
};
use pharos_server::{
    artefacts::{self, Keeping},
    config::Config,
    groups::{self, database_options, report_catalogue, reporters},
};
use pharos_vitals::settings::VitalsSettings;
use serde_json::json;
use tempfile::TempDir;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{analytics, reads, vitals, world};

const DAYS: u32 = 30;
/// How many sessions there are on these days.
const SESSIONS: i64 = 90_000;
/// How many page views are measured on a day.
const VIEWS: u32 = 3_000;

/// A site with a month of checks, visits and page views, and a template whose schedule asks for its reports.
pub(super) struct Site {
    maker: ReportMaker,
    scheduler: ReportScheduler,
    connection: AsyncPgConnection,
    _folder: TempDir,
}

/// A report that was asked for.
pub(super) struct Asked {
    job: ClaimedJob,
    run: Uuid,
}

#[derive(QueryableByName)]
struct JobRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    run_id: Uuid,
}

/// A report that was made.
#[derive(QueryableByName)]
pub(super) struct Made {
    #[diesel(sql_type = Integer)]
    pub(super) pages: i32,
    #[diesel(sql_type = BigInt)]
    pub(super) bytes: i64,
}

impl Site {
    /// Fills the database, and makes the template.
    pub(super) async fn prepare(url: &str, printer: Printer) -> Result<Self> {
        let access = world::access(&world::found(url).await?).await?;
        let database = Database::connect(url, &database_options()).await?;
        let folder = tempfile::tempdir()?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let ports = wired(&database, &folder)?.with(Arc::clone(&clock));
        let ports = ports.clone().with(Arc::new(reporters(&ports)?));
        let mut connection = AsyncPgConnection::establish(url).await?;
        eprintln!("making a month of a site");
        let (actor, now) = (Actor::command_line("bench"), OffsetDateTime::now_utc());
        let workspace = access.workspace().workspace().id;
        let other = world::domain(&ports, workspace, 1, &actor, now).await?;
        fill(&database, &mut connection, url, [access.id(), other], now).await?;
        let catalogue = report_catalogue(&ports)?;
        let settings = TemplateSettings {
            format: ReportFormat::Pdf,
            schedule: Some(Schedule {
                enabled: true,
                frequency: ScheduleFrequency::Weekly,
                weekday: Some(now.weekday().number_from_monday().into()),
                day_of_month: None,
                hour: 0,
                timezone: "UTC".to_owned(),
            }),
            ..TemplateSettings::ready_made("Monthly".to_owned(), &catalogue)
        };
        ports
            .get::<dyn TemplateAdmin>()?
            .create(&access, &settings, now)
            .await?;
        let resolver = NameResolver::system()?;
        let maker = ReportMaker {
            store: ports.get()?,
            runs: ports.get()?,
            catalogue: Arc::new(catalogue),
            results: Results::new(artefacts::open(&config(&folder))?),
            logos: Arc::new(LogoClient::new(
                resolver,
                AddressPolicy::public(),
                &TrustAnchors::web(),
            )?),
            read_within: READ_WITHIN,
            printer,
            clock: Arc::clone(&clock),
        };
        let scheduler = ReportScheduler {
            store: ports.get()?,
            clock,
        };
        Ok(Self {
            maker,
            scheduler,
            connection,
            _folder: folder,
        })
    }

    /// Lets the schedule ask for a report, and claims its job.
    pub(super) async fn ask(&mut self) -> Result<Asked> {
        sql_query("UPDATE report_templates SET next_run_at = now() - interval '1 second'")
            .execute(&mut self.connection)
            .await?;
        ensure!(self.scheduler.round().await? == 1, "the schedule is not due");
        let row: JobRow = sql_query(
            "UPDATE jobs SET state = 'running', attempts = 1, started_at = now(), worker = gen_random_uuid(),
                leased_until = now() + interval '10 minutes'
            WHERE state = 'queued' AND run_id IS NOT NULL
            RETURNING id, run_id",
        )
        .get_result(&mut self.connection)
        .await
        .context("no report was asked for")?;
        let job = ClaimedJob {
            id: JobId(row.id),
            kind: KIND,
            payload: json!({ "run_id": row.run_id }),
            attempt: 1,
        };
        Ok(Asked { job, run: row.run_id })
    }

    /// Makes a report: reads the data of its widgets, writes its page, prints it, and stores the file.
    pub(super) async fn make(&self, asked: &Asked) -> Result<()> {
        let made = self.maker.run(&asked.job).await;
        made.map(drop)
            .map_err(|failure| anyhow!("the report was not made: {failure}"))
    }

    /// Ends the job as a worker does, and tells what it made.
    pub(super) async fn end(&mut self, asked: &Asked) -> Result<Made> {
        sql_query(
            "UPDATE jobs SET state = 'succeeded', worker = NULL, leased_until = NULL, finished_at = now() WHERE id = $1",
        )
        .bind::<SqlUuid, _>(asked.job.id.0)
        .execute(&mut self.connection)
        .await?;
        sql_query(
            "SELECT (result ->> 'pages')::integer AS pages, (result ->> 'size_bytes')::bigint AS bytes
            FROM report_runs WHERE run_id = $1",
        )
        .bind::<SqlUuid, _>(asked.run)
        .get_result(&mut self.connection)
        .await
        .context("the report has no pages")
    }
}

fn config(folder: &TempDir) -> Config {
    Config {
        artefacts_folder: Some(folder.path().join("artefacts")),
        ..Config::default()
    }
}

/// The ports of a worker.
fn wired(database: &Database, folder: &TempDir) -> Result<Ports> {
    let config = config(folder);
    let keeping = Keeping {
        folder: folder.path(),
        artefacts: &artefacts::open(&config)?,
        secret_key: None,
        link_secret: &[7; 32],
        base_url: "http://localhost",
        place: &config.lab_place(),
    };
    let ports = keeping.add_to(groups::ports(database))?;
    groups::with_outgoing(ports, &config, &AddressPolicy::public())
}

/// Makes the month of the first site. The other has some visits.
async fn fill(
    database: &Database,
    connection: &mut AsyncPgConnection,
    url: &str,
    sites: [DomainId; 2],
    now: OffsetDateTime,
) -> Result<()> {
    let closed = DateRange::ending(now.date() - Duration::DAY, DAYS);
    analytics::data::fill(database, url, sites, closed, SESSIONS).await?;
    vitals::data::fill(database, url, sites[0], closed, VIEWS).await?;
    sql_query(
        "INSERT INTO rum_sites (domain_id, settings, created_at, updated_at) VALUES ($1, $2, now(), now())",
    )
    .bind::<SqlUuid, _>(sites[0].0)
    .bind::<Jsonb, _>(serde_json::to_value(VitalsSettings::default())?)
    .execute(connection)
    .await?;
    reads::data::fill_month(connection, url, now).await
}
