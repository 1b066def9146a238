//! The sites and their past: five weeks of one-minute checks by a fixed seed, with outages, certificates, registrations.

use anyhow::{Context, Result, ensure};
use diesel::{
    sql_query,
    sql_types::{Array, Bool, Double, Integer, Jsonb, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_alerting::{
    delivery::{
        channel::{ChannelSettings, ChannelStore, NewChannel},
        signing_secret::SigningSecret,
        target::Target,
    },
    severity::Severity,
};
use pharos_domain::{
    audit::Actor,
    ids::{CheckId, WorkspaceId},
    ports::Ports,
    secret::Secret,
};
use pharos_uptime::{
    check::{Check, Outcome},
    error_class::ErrorClass,
    finished::FinishedCheck,
    registration::{Registration, store::RegistrationStore},
    schedule::ScheduleStore,
};
use time::{Duration, OffsetDateTime, Time};

use super::sites::Site;
use crate::{
    reads,
    world::{self, add_monitors},
};

/// How many workspaces share the sites.
pub(super) const WORKSPACES: usize = 50;
/// How many days of checks there are, beside the present one.
const DAYS: i64 = 35;
/// How many whole days certificates and registrations last.
pub(super) const CERTIFICATE_DAYS: i64 = 60;
pub(super) const REGISTRATION_DAYS: i64 = 300;
/// How many checks are stored at once.
const CHECKS: usize = 250;

/// Makes the sites, each with a monitor unless it is not watched, and each workspace with a channel.
pub(super) async fn sites(ports: &Ports, database_url: &str, count: usize) -> Result<Vec<Site>> {
    let (actor, now) = (Actor::command_line("bench"), OffsetDateTime::now_utc());
    let mut workspaces = Vec::with_capacity(WORKSPACES);
    for at in 0..WORKSPACES {
        let (workspace, _) = world::workspace(ports, at, &actor, now).await?;
        add_channel(ports, workspace, &actor, now).await?;
        workspaces.push(workspace);
    }
    let mut sites = Vec::with_capacity(count);
    for number in 0..count {
        let workspace = workspaces[number % WORKSPACES];
        let domain = world::domain(ports, workspace, number, &actor, now).await?;
        sites.push(Site { number, domain });
    }
    add_monitors(database_url).await?;
    let mut connection = AsyncPgConnection::establish(database_url).await?;
    connection
        .batch_execute(
            "CREATE TABLE bench_sites (number integer PRIMARY KEY, domain_id uuid NOT NULL, is_watched boolean NOT NULL,
                has_events boolean NOT NULL)",
        )
        .await?;
    let column = |told: fn(Site) -> bool| sites.iter().map(|site| told(*site)).collect::<Vec<_>>();
    sql_query("INSERT INTO bench_sites SELECT * FROM unnest($1, $2, $3, $4)")
        .bind::<Array<Integer>, _>(
            sites
                .iter()
                .map(|site| i32::try_from(site.number))
                .collect::<Result<Vec<_>, _>>()?,
        )
        .bind::<Array<SqlUuid>, _>(sites.iter().map(|site| site.domain.0).collect::<Vec<_>>())
        .bind::<Array<Bool>, _>(column(Site::is_watched))
        .bind::<Array<Bool>, _>(column(Site::has_events))
        .execute(&mut connection)
        .await?;
    connection
        .batch_execute(
            "DELETE FROM uptime_schedules AS c USING bench_sites AS s WHERE s.domain_id = c.domain_id AND NOT s.is_watched;
            DELETE FROM uptime_monitors AS m USING bench_sites AS s WHERE s.domain_id = m.domain_id AND NOT s.is_watched",
        )
        .await?;
    Ok(sites)
}

/// A webhook that takes everything. Nobody sends: a job is all that becomes of a delivery here.
async fn add_channel(
    ports: &Ports,
    workspace_id: WorkspaceId,
    actor: &Actor,
    now: OffsetDateTime,
) -> Result<()> {
    let channel = NewChannel {
        workspace_id,
        domain_id: None,
        settings: ChannelSettings {
            name: "Webhook".to_owned(),
            target: Target::Webhook {
                url: Secret::from("https://hooks.example/pharos".to_owned()),
                secret: SigningSecret::generate()?,
                previous: None,
            },
            min_severity: Severity::Info,
            modules: Vec::new(),
            quiet_hours: None,
        },
    };
    let channels = ports.get::<dyn ChannelStore>()?;
    channels.create(&channel, actor, now).await?;
    Ok(())
}

/// Fills the past of the sites.
pub(super) async fn fill(ports: &Ports, database_url: &str) -> Result<()> {
    let now = OffsetDateTime::now_utc();
    let first = now.replace_time(Time::MIDNIGHT) - Duration::days(DAYS);
    let mut connection = AsyncPgConnection::establish(database_url).await?;
    connection
        .batch_execute("SELECT ensure_partitions('uptime_checks', 'month', now() - interval '2 months', 4)")
        .await?;
    sql_query("SELECT setseed($1)")
        .bind::<Double, _>(0.0)
        .execute(&mut connection)
        .await?;
    for query in [include_str!("sql/outages.sql"), include_str!("sql/checks.sql")] {
        sql_query(query)
            .bind::<Timestamptz, _>(first)
            .bind::<Timestamptz, _>(now)
            .execute(&mut connection)
            .await
            .context("the past can't be stored")?;
    }
    connection
        .batch_execute(include_str!("../reads/found.sql"))
        .await?;
    reads::data::roll_up(database_url, now).await?;
    connection.batch_execute(include_str!("sql/copies.sql")).await?;
    register(ports, &mut connection, now).await?;
    connection.batch_execute("VACUUM ANALYZE").await?;
    Ok(())
}

/// All registrations end on one day.
async fn register(ports: &Ports, connection: &mut AsyncPgConnection, now: OffsetDateTime) -> Result<()> {
    let store = ports.get::<dyn RegistrationStore>()?;
    store.enrol(now, usize::from(u16::MAX)).await?;
    let answer = Registration {
        expires_at: Some(now + Duration::days(REGISTRATION_DAYS) + Duration::hours(12)),
        source_url: "https://rdap.example/".to_owned(),
        ..Registration::default()
    };
    sql_query(
        "UPDATE domain_registrations
        SET answer = $1, asked_at = now(), answered_at = now(), next_check_at = now() + interval '1 day'",
    )
    .bind::<Jsonb, _>(serde_json::to_value(answer)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// Stores a check of every watched site, as the scheduler does.
pub(super) async fn check_all(ports: &Ports, sites: &[Site], fails: impl Fn(Site) -> bool) -> Result<()> {
    let store = ports.get::<dyn ScheduleStore>()?;
    let now = OffsetDateTime::now_utc();
    let finished: Vec<FinishedCheck> = sites
        .iter()
        .filter(|site| site.is_watched())
        .map(|site| finished(*site, now, fails(*site)))
        .collect();
    for some in finished.chunks(CHECKS) {
        let refused = store.complete(some, now).await?;
        ensure!(refused.is_empty(), "{} checks can't be stored", refused.len());
    }
    Ok(())
}

fn finished(site: Site, checked_at: OffsetDateTime, fails: bool) -> FinishedCheck {
    let timed = |ms: f64| (!fails).then_some(ms);
    FinishedCheck {
        check: Check {
            id: CheckId::generate(),
            domain_id: site.domain,
            region: "local".to_owned(),
            checked_at,
            outcome: if fails { Outcome::Down } else { Outcome::Up },
            run_id: None,
            status_code: Some(if fails { 503 } else { 200 }),
            http_version: None,
            response_ms: timed(150.0),
            dns_ms: timed(10.0),
            connect_ms: timed(20.0),
            tls_ms: timed(40.0),
            ttfb_ms: timed(70.0),
            download_ms: timed(10.0),
            redirect_count: 0,
            final_url: None,
            response_bytes: None,
            ip_address: None,
            error_class: fails.then_some(ErrorClass::HttpStatus),
            error_message: None,
            keyword_matched: None,
            retry_index: 0,
        },
        due_at: None,
        settings_at: None,
        certificate_valid_until: Some(checked_at + Duration::days(CERTIFICATE_DAYS) + Duration::hours(12)),
        response_headers: Default::default(),
        sighting: None,
    }
}
