//! One domain with a monitor for each site.

use anyhow::{Context, Result, anyhow, bail};
use futures_util::{StreamExt, TryStreamExt, stream};
use pharos_domain::{
    audit::Actor,
    hostname::Hostname,
    ids::{DomainId, WorkspaceId},
};
use pharos_persistence::{migrate::SCHEMAS, pool::Database};
use pharos_server::{groups::database_options, stores::Stores};
use pharos_uptime::monitor::settings::MonitorSettings;
use time::OffsetDateTime;

use super::{
    REGION,
    processes::Target,
    script::{CONFIRMATION, INTERVAL, Site, TIMEOUT, host},
};
use crate::interrupt;

/// How many are made at once.
const AT_ONCE: usize = 8;

/// Migrates the database and fills it; the domains are in the order of their sites. All are due at once.
pub(super) async fn create(database_url: &str, sites: &[Site], target: &Target) -> Result<Vec<DomainId>> {
    let database = Database::connect(database_url, &database_options()).await?;
    database.migrate(SCHEMAS).await?;
    let stores = Stores::new(&database);
    let (actor, now) = (Actor::command_line("bench"), OffsetDateTime::now_utc());
    let users = &stores.users;
    let owner = users.create("owner@example.org", "Owner", &actor, now).await?.id;
    let workspaces = &stores.workspace_admin;
    let workspace = workspaces
        .create("Bench", owner, "default", &actor, now)
        .await?
        .id;
    stream::iter(sites.iter().enumerate())
        .map(|(number, site)| {
            let port = target.port(site.manner);
            create_one(&stores, workspace, number, port, &actor)
        })
        .buffered(AT_ONCE)
        .try_collect()
        .await
}

async fn create_one(
    stores: &Stores,
    workspace: WorkspaceId,
    number: usize,
    port: u16,
    actor: &Actor,
) -> Result<DomainId> {
    if interrupt::came() {
        bail!("interrupted");
    }
    let now = OffsetDateTime::now_utc();
    let hostname: Hostname = host(number).parse()?;
    let domains = &stores.domain_admin;
    let domain = domains.add(workspace, &hostname, None, actor, now).await?.id;
    let settings = MonitorSettings {
        url: format!("https://{hostname}:{port}/"),
        interval_seconds: INTERVAL,
        confirmation_checks: CONFIRMATION,
        timeout_seconds: TIMEOUT,
        ..MonitorSettings::defaults(&hostname, &[REGION.to_owned()])
    };
    let monitors = &stores.monitor_admin;
    let changed = monitors.update(domain, &|_| Ok(settings.clone()), now).await;
    changed
        .context("a monitor can't be made")?
        .map_err(|faults| anyhow!("a monitor can't be: {faults:?}"))?;
    Ok(domain)
}
