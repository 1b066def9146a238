//! The demo: a small site that Pharos really watches, and a key to try the API with.

mod experiment;
pub mod google;
mod history;
pub(crate) mod lab;
pub(crate) mod measured;
pub(crate) mod report;
pub(crate) mod robots;
pub(crate) mod rules;
mod shop;
pub mod site;
pub(crate) mod sitemaps;

use std::{
    fmt,
    fs::{self, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use anyhow::Context;
use futures_util::future::LocalBoxFuture;
use pharos_account::{
    admin::{domains::DomainAdmin, members::MemberAdmin, users::UserAdmin, workspaces::WorkspaceAdmin},
    verification::Proof,
};
use pharos_auth::{
    keys::{
        manage::{self, Grace, KeyRequest, KeyStore},
        secret::KeySecret,
    },
    sign_in::{desk::issue_link, store::SignInStore},
    store::CredentialStore,
};
use pharos_console::console::WELCOME_PATH;
use pharos_domain::{
    audit::Actor,
    hostname::Hostname,
    identity::DomainAccess,
    ids::{CredentialId, DomainId, UserId, WorkspaceId},
    ports::Ports,
    role::Role,
    scope::{ScopeSet, Tier},
    settings::Faults,
};
use pharos_egress::address_policy::AddressPolicy;
use pharos_persistence::pool::Database;
use pharos_uptime::{
    monitor::settings::MonitorSettings,
    store::{MonitorAdmin, MonitorStore},
};
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};

use self::{
    history::DAYS,
    site::{SHOPS, Site},
};
use crate::config::Config;

/// The file of the demo's notes in the data folder: its key among them.
pub(crate) const NOTES: &str = "demo.json";
const EMAIL: &str = "demo@pharos.example";

/// The ids and the key that the demo keeps between two starts, in a file that only its owner reads.
#[derive(Serialize, Deserialize)]
struct Notes {
    workspace: WorkspaceId,
    user: UserId,
    key: CredentialId,
    secret: String,
}

/// A demo that starts, as the groups prepare what its shops have of them.
pub struct Demo<'a> {
    /// The ports of background work.
    pub ports: &'a Ports,
    /// The configuration of the node.
    pub config: &'a Config,
    /// The shops as they are served.
    pub site: &'a Site,
    /// The workspace that has them.
    pub workspace: WorkspaceId,
    /// The shops as Pharos has them, all of which are checked.
    pub shops: Vec<DomainAccess>,
    /// Those that were not checked before. Whoever deleted something of a shop does not get it back.
    pub new: Vec<DomainAccess>,
    /// The time of the start.
    pub now: OffsetDateTime,
}

/// Prepares something that the shops of a demo have of a group, as far as it is missing.
pub type PrepareDemo = for<'a> fn(&'a Demo<'a>) -> LocalBoxFuture<'a, anyhow::Result<()>>;

/// The addresses and credentials that are told to whoever started the demo.
#[derive(Debug)]
pub struct Welcome {
    base: String,
    link: String,
    secret: String,
    site: String,
    domain: DomainId,
}

impl fmt::Display for Welcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            base,
            link,
            secret,
            site,
            domain,
        } = self;
        writeln!(f, "\nPharos is running.\n")?;
        writeln!(f, "  API      {base}/api/public/v1")?;
        writeln!(f, "  Docs     {base}/docs")?;
        writeln!(
            f,
            "  MCP      {base}/mcp (for assistants; the key below lets one in)"
        )?;
        writeln!(
            f,
            "  Console  {link} (sets the password of {EMAIL}; for 24 hours, once)"
        )?;
        writeln!(
            f,
            "  Site     {site} (the demo; Pharos checks it every 30 seconds, and measures its visits)"
        )?;
        writeln!(
            f,
            "           The {DAYS} days before its first start are generated: nobody made those visits."
        )?;
        writeln!(
            f,
            "           Its searches and field data are, too: this process plays Search Console and the Chrome UX Report."
        )?;
        writeln!(f, "  Key      {secret}\n")?;
        writeln!(f, "Try it:\n")?;
        writeln!(
            f,
            "  curl -s -H 'Authorization: Bearer {secret}' {base}/api/public/v1/domains/{domain}/uptime/status\n"
        )?;
        write!(f, "Ctrl-C stops it. The data stays.")
    }
}

/// The first day of the history that a demo has which starts now.
#[must_use]
pub fn begin_of_history(now: OffsetDateTime) -> OffsetDateTime {
    now - Duration::days(DAYS.into())
}

/// Makes the demo's workspace, domains, monitors and key, and what the groups have in `parts`, as far as they are missing, and a link
/// by which its user sets a password.
///
/// # Errors
/// A port is missing, a store failed, or the notes can't be written.
pub async fn prepare(
    ports: &Ports,
    database: &Database,
    config: &Config,
    site: &Site,
    parts: impl Iterator<Item = PrepareDemo>,
    now: OffsetDateTime,
) -> anyhow::Result<Welcome> {
    let actor = Actor::system();
    let file = config.data_folder.join(NOTES);
    let (user, workspace) = owner(ports, &file, &actor, now).await?;
    let notes = key(ports, config, &file, user, workspace, &actor, now).await?;

    let domain_admin = ports.get::<dyn DomainAdmin>()?;
    let mut domains = domain_admin.list(workspace).await?;
    for shop in SHOPS {
        let hostname: Hostname = shop.host.parse()?;
        if !domains
            .iter()
            .any(|domain| domain.domain == shop.host && domain.deleted_at.is_none())
        {
            let added = domain_admin
                .add(workspace, &hostname, Some(shop.label), &actor, now)
                .await?;
            domain_admin.verify(added.id, Proof::Vouched, &actor, now).await?;
            domains.push(added);
        }
    }
    // The monitors of what the key reaches. Pharos makes them itself: nobody pays for them.
    let secret = KeySecret::parse(&notes.secret, config.environment).context("the demo's key")?;
    let record = ports
        .get::<dyn CredentialStore>()?
        .find_key(&secret.digest())
        .await?
        .context("the demo's key is gone")?;
    let workspaces = record.identity.workspaces.iter();
    let mut demo = Demo {
        ports,
        config,
        site,
        workspace,
        shops: Vec::new(),
        new: Vec::new(),
        now,
    };
    for domain in workspaces.flat_map(|workspace| workspace.domains.iter()) {
        if SHOPS.iter().any(|shop| shop.host == domain.hostname.as_str()) {
            let access = DomainAccess::open(&record.identity, domain.id);
            let access = access.context("the demo's domain is out of reach")?;
            if watch(&demo, &access).await? {
                demo.new.push(access.clone());
            }
            demo.shops.push(access);
        }
    }
    for part in parts {
        part(&demo).await?;
    }
    let shops = demo.shops;
    // Takes a minute or so, for which nobody should wait.
    let (of_history, database, folder) = (ports.clone(), database.clone(), config.data_folder.clone());
    tokio::spawn(async move {
        if let Err(error) = measured::remember(&of_history, &database, &shops, &folder, now).await {
            tracing::warn!(
                error = format!("{error:#}"),
                "the demo's history can't be generated; the next start will"
            );
        }
    });
    let first = domains
        .iter()
        .find(|domain| domain.domain == SHOPS[0].host && domain.deleted_at.is_none());
    let base = config.addresses().base_url;
    let link = issue_link(&*ports.get::<dyn SignInStore>()?, user, &actor, now).await?;
    Ok(Welcome {
        link: link.map_or_else(
            || format!("{base}/console"),
            |link| format!("{base}{WELCOME_PATH}/{}", link.reveal()),
        ),
        base,
        secret: notes.secret,
        site: site.url(SHOPS[0].host),
        domain: first.context("the demo's domain is gone")?.id,
    })
}

/// Whether it is the shop that has a history, and that Google is played for.
fn is_first(access: &DomainAccess) -> bool {
    access.domain().hostname.as_str() == SHOPS[0].host
}

/// Starts to check a domain's site, and returns whether it was not checked before.
async fn watch(demo: &Demo<'_>, access: &DomainAccess) -> anyhow::Result<bool> {
    let Demo { ports, site, now, .. } = *demo;
    let url = site.url(access.domain().hostname.as_str());
    let monitors = ports.get::<dyn MonitorStore>()?;
    let monitor = monitors.view(access).await?;
    if monitor
        .as_ref()
        .is_some_and(|monitor| monitor.settings.url == url)
    {
        return Ok(false);
    }
    let regions = monitors.regions().await?;
    let hostname = access.domain().hostname.clone();
    let policy = site.permit(AddressPolicy::public());
    let change = |present: Option<&MonitorSettings>| {
        let mut next = present.cloned().unwrap_or_else(|| MonitorSettings {
            interval_seconds: 30,
            timeout_seconds: 5,
            degraded_above_ms: Some(500),
            ..MonitorSettings::defaults(&hostname, &regions)
        });
        next.url.clone_from(&url);
        let around = pharos_uptime::monitor::Surroundings {
            hostname: &hostname,
            regions: &regions,
            policy: &policy,
        };
        let mut faults = Faults::default();
        next.check(&around, &mut faults);
        faults.or(|| next)
    };
    let updated = ports
        .get::<dyn MonitorAdmin>()?
        .update(access.id(), &change, now)
        .await;
    updated.context("the demo's monitor")?;
    Ok(monitor.is_none())
}

async fn owner(
    ports: &Ports,
    file: &Path,
    actor: &Actor,
    now: OffsetDateTime,
) -> anyhow::Result<(UserId, WorkspaceId)> {
    let users = ports.get::<dyn UserAdmin>()?;
    let user = match users.find(EMAIL).await? {
        Some(user) => user,
        None => {
            let user = users.create(EMAIL, "Demo", actor, now).await?;
            users.set_operator(user.id, true, actor, now).await?
        }
    };
    if let Some(notes) = read_notes(file)
        && notes.user == user.id
        && ports
            .get::<dyn MemberAdmin>()?
            .list(notes.workspace)
            .await?
            .iter()
            .any(|member| member.user_id == user.id && member.role >= Role::Admin)
    {
        return Ok((user.id, notes.workspace));
    }
    let workspace = ports
        .get::<dyn WorkspaceAdmin>()?
        .create("Demo", user.id, "default", actor, now)
        .await?;
    Ok((user.id, workspace.id))
}

async fn key(
    ports: &Ports,
    config: &Config,
    file: &PathBuf,
    user: UserId,
    workspace: WorkspaceId,
    actor: &Actor,
    now: OffsetDateTime,
) -> anyhow::Result<Notes> {
    let (keys, credentials) = (ports.get::<dyn KeyStore>()?, ports.get::<dyn CredentialStore>()?);
    let live = keys.list(workspace).await?;
    let (key, secret) = match read_notes(file) {
        Some(notes)
            if live
                .iter()
                .any(|key| key.id == notes.key && key.revoked_at.is_none()) =>
        {
            if let Some(secret) = KeySecret::parse(&notes.secret, config.environment)
                && credentials.find_key(&secret.digest()).await?.is_some()
            {
                return Ok(notes);
            }
            manage::rotate(&*keys, config.environment, notes.key, Grace::None, actor, now).await?
        }
        _ => {
            let scopes = Tier::ALL
                .iter()
                .map(|tier| tier.scopes())
                .fold(ScopeSet::default(), ScopeSet::union);
            let request = KeyRequest {
                workspace,
                creator: user,
                name: "Demo".to_owned(),
                scopes,
                expires_at: None,
                allowlist: None,
            };
            manage::create(&*keys, config.environment, &request, actor, now).await?
        }
    };
    let notes = Notes {
        workspace,
        user,
        key: key.id,
        secret: secret.reveal().to_owned(),
    };
    fs::create_dir_all(&config.data_folder)?;
    let mut options = OpenOptions::new();
    let mut out = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(file)?;
    out.write_all(&serde_json::to_vec_pretty(&notes)?)
        .with_context(|| format!("writing {}", file.display()))?;
    Ok(notes)
}

fn read_notes(file: &Path) -> Option<Notes> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}
