//! The callers: keys of workspaces, each workspace with a domain that has a monitor.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use diesel::{sql_query, sql_types::Jsonb};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use futures_util::{StreamExt, TryStreamExt, stream};
use pharos_account::admin::{
    domains::DomainAdmin,
    plans::{Plan, PlanAdmin},
    users::UserAdmin,
    workspaces::WorkspaceAdmin,
};
use pharos_auth::{
    keys::{
        manage::{KeyRequest, KeyStore, NewSecret},
        secret::{Environment, KeySecret},
    },
    store::CredentialStore,
};
use pharos_domain::{
    audit::Actor,
    hostname::Hostname,
    identity::DomainAccess,
    ids::{CredentialId, DomainId, UserId, WorkspaceId},
    module::Module,
    ports::Ports,
    scope::{Scope, ScopeSet},
};
use pharos_http::spec::BASE_PATH;
use pharos_persistence::pool::Database;
use pharos_server::groups::{self, SCHEMAS, database_options};
use pharos_uptime::monitor::settings::MonitorSettings;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::interrupt;

/// More than any run spends.
const CREDITS: i64 = 1 << 50;
const PLAN: &str = "bench";

/// The keys, those of one workspace as far apart as there are workspaces.
#[derive(Debug)]
pub(crate) struct World {
    keys: Vec<Key>,
    workspaces: usize,
}

#[derive(Debug)]
struct Key {
    secret: String,
    domain: DomainId,
}

/// Which keys a load uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callers {
    /// All.
    All,
    /// Those of one workspace.
    OneWorkspace,
}

struct Tenant {
    workspace: WorkspaceId,
    owner: UserId,
    domain: DomainId,
}

impl World {
    /// Migrates the database and fills it.
    pub(crate) async fn create(database_url: &str, workspaces: usize, keys: usize) -> Result<Self> {
        let ports = found(database_url).await?;
        let (actor, now) = (Actor::command_line("bench"), OffsetDateTime::now_utc());
        let mut tenants = Vec::new();
        for at in 0..workspaces {
            tenants.push(tenant(&ports, at, &actor, now).await?);
        }
        add_monitors(database_url).await?;
        let keys = stream::iter(0..keys)
            .map(|at| key(&ports, &tenants[at % workspaces], &actor, now))
            .buffered(16)
            .try_collect()
            .await?;
        Ok(Self { keys, workspaces })
    }

    /// The access that one of the keys gives its holder.
    pub(crate) async fn access(&self, ports: &Ports, key: usize) -> Result<DomainAccess> {
        let key = self.keys.get(key).context("there is no such key")?;
        key.access(ports).await
    }

    /// The secret of each key, and its domain.
    pub(crate) fn callers(&self) -> impl Iterator<Item = (&str, DomainId)> {
        self.keys.iter().map(|key| (key.secret.as_str(), key.domain))
    }

    /// The domain of the last key.
    pub(crate) fn last_domain(&self) -> Option<DomainId> {
        self.keys.last().map(|key| key.domain)
    }

    /// GET requests, whole, of a path that lies below each caller's domain.
    pub(crate) fn requests(&self, path: &str, callers: Callers) -> Vec<Vec<u8>> {
        let step = match callers {
            Callers::All => 1,
            Callers::OneWorkspace => self.workspaces,
        };
        let request = |Key { secret, domain }: &Key| {
            let path = path.replace("{domain_id}", &domain.to_string());
            format!(
                "GET {BASE_PATH}{path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {secret}\r\n\
                 accept: application/json\r\n\r\n"
            )
            .into_bytes()
        };
        self.keys.iter().step_by(step).map(request).collect()
    }
}

/// Makes a workspace with a domain, and lets a key of it in.
pub(crate) async fn access(ports: &Ports) -> Result<DomainAccess> {
    let (actor, now) = (Actor::command_line("bench"), OffsetDateTime::now_utc());
    let tenant = tenant(ports, 0, &actor, now).await?;
    let key = key(ports, &tenant, &actor, now).await?;
    key.access(ports).await
}

impl Key {
    async fn access(&self, ports: &Ports) -> Result<DomainAccess> {
        let secret = KeySecret::parse(&self.secret, Environment::Development).context("the key is none")?;
        let credentials = ports.get::<dyn CredentialStore>()?;
        let record = credentials.find_key(&secret.digest()).await?;
        let record = record.context("the key is not there")?;
        DomainAccess::open(&record.identity, self.domain).context("the domain is out of reach")
    }
}

/// Migrates the database, and makes the plan that all workspaces are on.
pub(crate) async fn found(database_url: &str) -> Result<Ports> {
    let database = Database::connect(database_url, &database_options()).await?;
    database.migrate(SCHEMAS).await?;
    let ports = groups::ports(&database);
    let (actor, now) = (Actor::command_line("bench"), OffsetDateTime::now_utc());
    let plan = Plan {
        key: PLAN.to_owned(),
        name: "Bench".to_owned(),
        credits_per_cycle: CREDITS,
        modules: Module::ALL.to_vec(),
        quotas: BTreeMap::new(),
    };
    ports.get::<dyn PlanAdmin>()?.put(&plan, &actor, now).await?;
    Ok(ports)
}

/// Makes a workspace with an owner of its own.
pub(crate) async fn workspace(
    ports: &Ports,
    at: usize,
    actor: &Actor,
    now: OffsetDateTime,
) -> Result<(WorkspaceId, UserId)> {
    let email = format!("owner-{at}@example.org");
    let users = ports.get::<dyn UserAdmin>()?;
    let owner = users.create(&email, "Owner", actor, now).await?.id;
    let workspaces = ports.get::<dyn WorkspaceAdmin>()?;
    let made = workspaces
        .create(&format!("Workspace {at}"), owner, PLAN, actor, now)
        .await?;
    Ok((made.id, owner))
}

/// Adds a domain to a workspace.
pub(crate) async fn domain(
    ports: &Ports,
    workspace: WorkspaceId,
    at: usize,
    actor: &Actor,
    now: OffsetDateTime,
) -> Result<DomainId> {
    let hostname: Hostname = format!("site-{at}.example").parse()?;
    let domains = ports.get::<dyn DomainAdmin>()?;
    Ok(domains.add(workspace, &hostname, None, actor, now).await?.id)
}

async fn tenant(ports: &Ports, at: usize, actor: &Actor, now: OffsetDateTime) -> Result<Tenant> {
    let (workspace, owner) = workspace(ports, at, actor, now).await?;
    let domain = domain(ports, workspace, at, actor, now).await?;
    Ok(Tenant {
        workspace,
        owner,
        domain,
    })
}

async fn key(ports: &Ports, tenant: &Tenant, actor: &Actor, now: OffsetDateTime) -> Result<Key> {
    if interrupt::came() {
        bail!("interrupted");
    }
    let secret = KeySecret::generate(Environment::Development)?;
    let request = KeyRequest {
        workspace: tenant.workspace,
        creator: tenant.owner,
        name: "bench".to_owned(),
        scopes: ScopeSet::from_iter([
            Scope::ReadAnalytics,
            Scope::ReadGsc,
            Scope::RunGsc,
            Scope::ReadIndexing,
            Scope::ReadRum,
            Scope::ReadSynthetic,
            Scope::ReadUptime,
            Scope::WriteUptime,
            Scope::RunUptime,
        ]),
        expires_at: None,
        allowlist: None,
    };
    // The store itself, since a workspace may only have a few keys by the rules that stand before it.
    let id = CredentialId(Uuid::now_v7());
    let keys = ports.get::<dyn KeyStore>()?;
    keys.create(id, &request, &NewSecret::from(&secret), u32::MAX, actor, now)
        .await
        .context("a key can't be made")?;
    Ok(Key {
        secret: secret.reveal().to_owned(),
        domain: tenant.domain,
    })
}

/// Gives each domain a monitor that nobody runs.
pub(crate) async fn add_monitors(database_url: &str) -> Result<()> {
    let settings = MonitorSettings::defaults(&"site.example".parse()?, &["local".to_owned()]);
    let mut connection = AsyncPgConnection::establish(database_url).await?;
    sql_query(
        "INSERT INTO uptime_monitors (domain_id, settings, created_at, updated_at) \
         SELECT id, $1, created_at, created_at FROM domains",
    )
    .bind::<Jsonb, _>(serde_json::to_value(settings)?)
    .execute(&mut connection)
    .await?;
    Ok(())
}
