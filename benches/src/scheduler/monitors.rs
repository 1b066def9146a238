//! One domain with a monitor for each site.

use anyhow::{Context, Result, bail};
use futures_util::{StreamExt, TryStreamExt, stream};
use pharos_account::admin::{domains::DomainAdmin, users::UserAdmin, workspaces::WorkspaceAdmin};
use pharos_domain::{
    audit::Actor,
    hostname::Hostname,
    ids::{DomainId, WorkspaceId},
    ports::Ports,
};
use pharos_persistence::pool::Database;
use pharos_server::groups::{self, SCHEMAS, database_options};
use pharos_uptime::{monitor::settings::MonitorSettings, store::MonitorAdmin};
use time::OffsetDateTime;

use super::{
    REGION,
    processes::Target,
    script::{CONFIRMATION, Site, TIMEOUT, host},
};
use crate::interrupt;

/// How many are made at once.
const AT_ONCE: usize = 8;

/// Migrates the database and fills it; the domains are in the order of their sites. All are due at once, and from then on
/// every `interval` seconds.
pub(super) async fn create(
    database_url: &str,
    sites: &[Site],
    target: &Target,
    interval: u32,
) -> Result<Vec<DomainId>> {
    let database = Database::connect(database_url, &database_options()).await?;
    database.migrate(SCHEMAS).await?;
    let ports = groups::ports(&database);
    let (actor, now) = (Actor::command_line("bench"), OffsetDateTime::now_utc());
    let users = ports.get::<dyn UserAdmin>()?;
    let owner = users.create("owner@example.org", "Owner", &actor, now).await?.id;
    let workspaces = ports.get::<dyn WorkspaceAdmin>()?;
    let workspace = workspaces
        .create("Bench", owner, "default", &actor, now)
        .await?
        .id;
    stream::iter(sites.iter().enumerate())
        .map(|(number, site)| {
            let port = target.port(site.manner);
            let address = (number, port);
            create_one(&ports, workspace, address, interval, &actor)
        })
        .buffered(AT_ONCE)
        .try_collect()
        .await
}

async fn create_one(
    ports: &Ports,
    workspace: WorkspaceId,
    (number, port): (usize, u16),
    interval: u32,
    actor: &Actor,
) -> Result<DomainId> {
    if interrupt::came() {
        bail!("interrupted");
    }
    let now = OffsetDateTime::now_utc();
    let hostname: Hostname = host(number).parse()?;
    let domains = ports.get::<dyn DomainAdmin>()?;
    let domain = domains.add(workspace, &hostname, None, actor, now).await?.id;
    let settings = MonitorSettings {
        url: format!("https://{hostname}:{port}/"),
        interval_seconds: interval,
        confirmation_checks: CONFIRMATION,
        // One that never answers is over before its next check is due.
        timeout_seconds: TIMEOUT.min(interval / 2),
        ..MonitorSettings::defaults(&hostname, &[REGION.to_owned()])
    };
    let monitors = ports.get::<dyn MonitorAdmin>()?;
    let changed = monitors.update(domain, &|_| Ok(settings.clone()), now).await;
    changed.context("a monitor can't be made")?;
    Ok(domain)
}
