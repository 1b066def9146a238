//! `pharos admin domain`

use anyhow::Context;
use clap::Subcommand;
use pharos_account::{
    admin::{check_name, domains::DomainAdmin},
    verification::Proof,
};
use pharos_crawl::intervals::{Interval, IntervalStore, Intervals, ROBOTS, SITEMAPS};
use pharos_domain::{
    hostname::Hostname,
    ids::{DomainId, WorkspaceId},
};
use serde::Serialize;

use super::{Answer, Desk};

/// Manage domains.
#[derive(Debug, Subcommand)]
pub enum DomainCommand {
    /// Add a domain to a workspace. Configure its monitor with PUT /domains/{id}/uptime/config.
    Add {
        /// The workspace.
        workspace: WorkspaceId,
        /// Its name, such as shop.example.
        hostname: Hostname,
        /// Its name for people, such as "Shop".
        #[arg(long)]
        display_name: Option<String>,
    },
    /// Delete a domain: the API no longer shows it, and its monitoring stops. After 30 days it is erased with all its data.
    Delete {
        /// The domain.
        domain: DomainId,
    },
    /// Take a deletion back, within 30 days.
    Restore {
        /// The domain.
        domain: DomainId,
    },
    /// Say that a domain is its workspace's, which its owner shows at the console otherwise. Status pages may show it then, and
    /// others may be asked to read its reports.
    Verify {
        /// The domain.
        domain: DomainId,
    },
    /// Show how often the robots.txt and the sitemaps of a domain are checked, or change it.
    Intervals {
        /// The domain.
        domain: DomainId,
        /// From one check of the robots.txt to the next: 15m, 1h, 6h or 1d.
        #[arg(long, value_parser = robots_interval)]
        robots: Option<Interval>,
        /// From one check of the sitemaps to the next: 1h, 6h, 1d or 7d.
        #[arg(long, value_parser = sitemap_interval)]
        sitemaps: Option<Interval>,
    },
    /// List the domains of a workspace, the deleted ones included.
    List {
        /// The workspace.
        workspace: WorkspaceId,
    },
}

#[derive(Serialize)]
struct ShownIntervals {
    robots: Interval,
    sitemaps: Interval,
}

fn robots_interval(written: &str) -> Result<Interval, String> {
    one_of(ROBOTS, written)
}

fn sitemap_interval(written: &str) -> Result<Interval, String> {
    one_of(SITEMAPS, written)
}

fn one_of(choices: &[Interval], written: &str) -> Result<Interval, String> {
    Interval::named(written)
        .filter(|interval| choices.contains(interval))
        .ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|choice| choice.name()).collect();
            format!("it is one of {}", names.join(", "))
        })
}

/// Changes the intervals that are named, and says what they are then.
async fn intervals(
    domain: DomainId,
    robots: Option<Interval>,
    sitemaps: Option<Interval>,
    desk: &Desk,
) -> anyhow::Result<Answer> {
    let store = desk.ports.get::<dyn IntervalStore>()?;
    let unknown = || format!("there is no domain {domain}");
    let present = store.of(domain).await?.with_context(unknown)?;
    let next = Intervals::new(
        robots.unwrap_or(present.robots()),
        sitemaps.unwrap_or(present.sitemaps()),
    )
    .context("a domain has none of these intervals")?;
    if robots.is_some() || sitemaps.is_some() {
        let is_done = store.set_for(domain, next, &desk.actor, desk.now).await?;
        anyhow::ensure!(is_done, "there is no domain {domain}");
    }
    let shown = store.of(domain).await?.with_context(unknown)?;
    Answer::new(ShownIntervals {
        robots: shown.robots(),
        sitemaps: shown.sitemaps(),
    })
}

pub(super) async fn run(command: DomainCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let domains = desk.ports.get::<dyn DomainAdmin>()?;
    match command {
        DomainCommand::Add {
            workspace,
            hostname,
            display_name,
        } => {
            let display_name = display_name
                .map(|name| check_name("a display name", &name))
                .transpose()?;
            Answer::new(
                domains
                    .add(
                        workspace,
                        &hostname,
                        display_name.as_deref(),
                        &desk.actor,
                        desk.now,
                    )
                    .await?,
            )
        }
        DomainCommand::Delete { domain } => Answer::new(domains.delete(domain, &desk.actor, desk.now).await?),
        DomainCommand::Restore { domain } => {
            Answer::new(domains.restore(domain, &desk.actor, desk.now).await?)
        }
        DomainCommand::Verify { domain } => {
            let verified = domains.verify(domain, Proof::Vouched, &desk.actor, desk.now);
            Answer::new(verified.await?)
        }
        DomainCommand::Intervals {
            domain,
            robots,
            sitemaps,
        } => intervals(domain, robots, sitemaps, desk).await,
        DomainCommand::List { workspace } => {
            desk.workspace(workspace).await?;
            Answer::new(domains.list(workspace).await?)
        }
    }
}
