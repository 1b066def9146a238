//! `pharos admin release`

use anyhow::{Context, bail};
use clap::Subcommand;
use pharos_domain::{ids::DomainId, timestamp::Timestamp};
use pharos_vitals::releases::{MOST_RELEASE, Release, ReleaseStore, is_release};
use serde::Serialize;
use serde_json::json;

use super::{Answer, Desk};

/// Manage the releases of a domain's site.
#[derive(Debug, Subcommand)]
pub enum ReleaseCommand {
    /// Note a release, so that what visitors felt can be read by it. Run it once the release is served.
    Add {
        /// The domain.
        domain: DomainId,
        /// The name of the release, such as 2026.11.3.
        name: String,
        /// When it came, such as 2026-11-27T09:30:00Z; left out: now, or as is known of it.
        #[arg(long, value_name = "TIME")]
        at: Option<Timestamp>,
    },
    /// List the releases of a domain, the newest first.
    List {
        /// The domain.
        domain: DomainId,
    },
    /// Forget a release. Its source maps stay.
    Remove {
        /// The domain.
        domain: DomainId,
        /// The name of the release.
        name: String,
    },
}

#[derive(Serialize)]
struct ReleaseView {
    name: String,
    released_at: Timestamp,
}

impl From<Release> for ReleaseView {
    fn from(release: Release) -> Self {
        let Release { name, released_at } = release;
        Self {
            name,
            released_at: released_at.into(),
        }
    }
}

pub(super) async fn run(command: ReleaseCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let store = desk.ports.get::<dyn ReleaseStore>()?;
    match command {
        ReleaseCommand::Add { domain, name, at } => {
            if !is_release(&name) {
                bail!(
                    "a release is named by 1 to {MOST_RELEASE} characters, none of them a control character"
                );
            }
            let noted = store
                .add(domain, &name, at.map(Timestamp::moment), &desk.actor, desk.now)
                .await
                .with_context(|| format!("the release {name} is not noted for {domain}"))?;
            Answer::new(json!({
                "name": name,
                "released_at": Timestamp::from(noted.released_at),
                "older_ones_removed": noted.older_ones_removed,
            }))
        }
        ReleaseCommand::List { domain } => {
            let listed = store.list(domain).await?;
            Answer::new(listed.into_iter().map(ReleaseView::from).collect::<Vec<_>>())
        }
        ReleaseCommand::Remove { domain, name } => {
            if !store.remove(domain, &name, &desk.actor, desk.now).await? {
                bail!("{domain} has no release {name}; pharos admin release list has them all");
            }
            Answer::new(json!({ "name": name, "removed": true }))
        }
    }
}
