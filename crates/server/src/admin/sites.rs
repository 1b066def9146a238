//! `pharos admin site`

use anyhow::Context;
use clap::Subcommand;
use pharos_domain::ids::DomainId;
use pharos_ingest::sites::{SiteAdmin, SiteSecret};
use serde::Serialize;

use super::{Answer, Desk};

/// The names by which pages and servers send beacons.
#[derive(Debug, Subcommand)]
pub enum SiteCommand {
    /// Show the site key of a domain and its script, or make the secret by which its servers send events.
    Key {
        /// The domain.
        domain: DomainId,
        /// Make a new secret, which takes the place of the one before within a minute. It is shown this once.
        #[arg(long)]
        secret: bool,
    },
}

#[derive(Serialize)]
struct Shown {
    domain: String,
    site_key: String,
    script: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

pub(super) async fn run(command: SiteCommand, desk: &Desk) -> anyhow::Result<Answer> {
    let sites = desk.ports.get::<dyn SiteAdmin>()?;
    let SiteCommand::Key { domain, secret } = command;
    let secret = if secret {
        Some(SiteSecret::generate()?)
    } else {
        None
    };
    let site = match &secret {
        Some(secret) => {
            sites
                .set_secret(domain, &secret.digest(), &desk.actor, desk.now)
                .await?
        }
        None => sites.of(domain).await?,
    };
    let site = site.with_context(|| format!("there is no domain {domain}"))?;
    Answer::new(Shown {
        domain: site.hostname.to_string(),
        script: site.key.script_tag(&desk.base_url),
        site_key: site.key.0,
        secret: secret.map(|secret| secret.reveal().to_owned()),
    })
}
