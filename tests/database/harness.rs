//! A database with its stores, and what tests put into it.

use std::{collections::BTreeMap, future::poll_fn, sync::Arc};

use pharos_account::admin::plans::Plan;
use pharos_auth::{
    keys::{
        manage::{self, KeyDetails, KeyRequest},
        secret::{Environment, KeySecret},
    },
    store::KeyRecord,
};
use pharos_domain::{
    audit::Actor,
    credits::{CacheOutcome, Charged, LogEntry, Slip},
    identity::{DomainAccess, Identity, WorkspaceAccess},
    ids::{CredentialId, DomainId, RequestId, UserId, WorkspaceId},
    patch::Patch,
    role::Role,
    scope::Tier,
};
use pharos_persistence::{pool::Database, testing::TestDatabase};
use pharos_server::groups::{SCHEMAS, database_options};
use pharos_tests::stores::Stores;
use pharos_uptime::monitor::{Monitor, settings::MonitorSettings};
use time::{Duration, OffsetDateTime, macros::datetime};
use tokio::sync::mpsc;
use tokio_postgres::{AsyncMessage, Client, NoTls, Notification, types::ToSql};

/// When tests take place.
pub(crate) const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);

/// So many seconds after [`NOW`].
pub(crate) fn after(seconds: i64) -> OffsetDateTime {
    NOW + Duration::seconds(seconds)
}

pub(crate) fn actor() -> Actor {
    Actor::command_line("ada")
}

/// A database, its stores, and a connection beside them.
pub(crate) struct Fixture {
    pub(crate) database: Database,
    pub(crate) stores: Stores,
    pub(crate) sql: Client,
    // Last, so that the database goes when nobody uses it any more.
    pub(crate) test: TestDatabase,
}

/// In front of `now()` it puts a clock that stands still until it is moved.
const CLOCK: &str = "CREATE SCHEMA clock;
    CREATE TABLE clock.present (now timestamptz NOT NULL);
    INSERT INTO clock.present VALUES ('2026-03-31 09:15:00Z');
    CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT now FROM clock.present';
    DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = public, clock, pg_catalog', current_database());
    END $$";

impl Fixture {
    pub(crate) async fn new() -> Self {
        Self::on(create().await).await
    }

    /// A database whose own clock says that it is [`NOW`], until [`Fixture::it_is`] moves it.
    pub(crate) async fn with_a_clock() -> Self {
        let test = create().await;
        connect(test.url()).await.batch_execute(CLOCK).await.unwrap();
        Self::on(test).await
    }

    /// Moves the clock of the database.
    pub(crate) async fn it_is(&self, now: OffsetDateTime) {
        let set = "UPDATE clock.present SET now = to_timestamp($1)";
        let seconds = (now - OffsetDateTime::UNIX_EPOCH).as_seconds_f64();
        self.sql.execute(set, &[&seconds]).await.unwrap();
    }

    async fn on(test: TestDatabase) -> Self {
        let database = Database::connect(test.url(), &database_options()).await.unwrap();
        let sql = connect(test.url()).await;
        Self {
            stores: Stores::new(&database),
            database,
            sql,
            test,
        }
    }

    /// One value from the database.
    pub(crate) async fn value<T>(&self, query: &str, binds: &[&(dyn ToSql + Sync)]) -> T
    where
        T: for<'a> tokio_postgres::types::FromSql<'a>,
    {
        self.sql.query_one(query, binds).await.unwrap().get(0)
    }

    /// A user, their workspace, and a domain in it.
    pub(crate) async fn home(&self, name: &str) -> Home {
        let email = format!("{name}@example.org");
        let user = self
            .stores
            .users
            .create(&email, name, &actor(), NOW)
            .await
            .unwrap();
        let workspace = self
            .stores
            .workspace_admin
            .create(&format!("{name}'s"), user.id, "default", &actor(), NOW)
            .await
            .unwrap();
        let domain = self.domain(workspace.id, &format!("{name}.example")).await;
        Home {
            owner: user.id,
            workspace: workspace.id,
            domain,
        }
    }

    pub(crate) async fn domain(&self, workspace: WorkspaceId, hostname: &str) -> DomainId {
        let hostname = hostname.parse().unwrap();
        let added = self
            .stores
            .domain_admin
            .add(workspace, &hostname, None, &actor(), NOW)
            .await;
        added.unwrap().id
    }

    /// A user who is a member of the workspace.
    pub(crate) async fn member(&self, workspace: WorkspaceId, name: &str, role: Role) -> UserId {
        let email = format!("{name}@example.org");
        let users = &self.stores.users;
        let user = users.create(&email, name, &actor(), NOW).await.unwrap().id;
        let members = &self.stores.members;
        members
            .put(workspace, user, role, Patch::Keep, &actor(), NOW)
            .await
            .unwrap();
        user
    }

    /// A key of the home's owner.
    pub(crate) async fn key(&self, home: &Home) -> (KeyDetails, KeySecret) {
        self.try_key(&home.request()).await.unwrap()
    }

    pub(crate) async fn try_key(
        &self,
        request: &KeyRequest,
    ) -> Result<(KeyDetails, KeySecret), manage::KeyError> {
        let keys = self.stores.keys.as_ref();
        manage::create(keys, Environment::Development, request, &actor(), NOW).await
    }

    pub(crate) async fn find(&self, secret: &KeySecret) -> Option<KeyRecord> {
        self.stores.credentials.find_key(&secret.digest()).await.unwrap()
    }

    /// The caller that a new key of the home's owner stands for.
    pub(crate) async fn identity(&self, home: &Home) -> Arc<Identity> {
        let (_, secret) = self.key(home).await;
        self.find(&secret).await.unwrap().identity
    }

    /// The way into the home's domain.
    pub(crate) async fn access(&self, home: &Home) -> DomainAccess {
        DomainAccess::open(&self.identity(home).await, home.domain).unwrap()
    }

    /// The ways into the home's workspace.
    pub(crate) async fn reach(&self, home: &Home) -> Vec<WorkspaceAccess> {
        WorkspaceAccess::open_all(&self.identity(home).await)
    }

    /// Gives the domain a monitor that differs from the defaults, or changes the one it has.
    pub(crate) async fn monitor(
        &self,
        access: &DomainAccess,
        now: OffsetDateTime,
        change: impl Fn(&mut MonitorSettings) + Send + Sync,
    ) -> Monitor {
        let hostname = access.domain().hostname.clone();
        let next = move |present: Option<&MonitorSettings>| {
            let mut settings = present
                .cloned()
                .unwrap_or_else(|| MonitorSettings::defaults(&hostname, &["eu".to_owned()]));
            change(&mut settings);
            Ok(settings)
        };
        let user = access.identity().user_id;
        let charged = charged(access, 1, now);
        let updated = self.stores.monitors.update(&charged, &next, user, now).await;
        updated.unwrap()
    }
}

async fn create() -> TestDatabase {
    TestDatabase::create(SCHEMAS)
        .await
        .expect("a database for the test")
}

/// The owner, workspace and domain that [`Fixture::home`] made.
pub(crate) struct Home {
    pub(crate) owner: UserId,
    pub(crate) workspace: WorkspaceId,
    pub(crate) domain: DomainId,
}

impl Home {
    /// A request for a key of the owner.
    pub(crate) fn request(&self) -> KeyRequest {
        KeyRequest {
            workspace: self.workspace,
            creator: self.owner,
            name: "ci".to_owned(),
            scopes: Tier::Read.scopes(),
            expires_at: None,
            allowlist: None,
        }
    }
}

pub(crate) fn plan(key: &str) -> Plan {
    Plan {
        key: key.to_owned(),
        name: "Small".to_owned(),
        credits_per_cycle: 1_000,
        modules: vec![
            pharos_domain::module::Module::Uptime,
            pharos_domain::module::Module::Credits,
        ],
        quotas: BTreeMap::new(),
    }
}

/// The row of a request by the owner of a home.
pub(crate) fn entry(home: &Home, cost: u32, at: OffsetDateTime) -> LogEntry {
    LogEntry {
        request_id: RequestId::generate(),
        occurred_at: at,
        workspace_id: home.workspace,
        credential_id: CredentialId(home.owner.0),
        user_id: home.owner,
        domain_id: Some(home.domain),
        operation: "listUptimeChecks",
        status: 200,
        cost,
        cache: CacheOutcome::Miss,
    }
}

/// The way into a domain for one who pays for what is done there.
pub(crate) fn charged(access: &DomainAccess, cost: u32, at: OffsetDateTime) -> Charged<DomainAccess> {
    let identity = access.identity();
    let entry = LogEntry {
        request_id: RequestId::generate(),
        occurred_at: at,
        workspace_id: access.workspace().workspace().id,
        credential_id: identity.credential_id,
        user_id: identity.user_id,
        domain_id: Some(access.id()),
        operation: "updateUptimeConfig",
        status: 200,
        cost,
        cache: CacheOutcome::Miss,
    };
    Charged::new(access.clone(), Arc::new(Slip::new(entry, None)))
}

/// A connection that hears changes.
pub(crate) struct Ear {
    pub(crate) client: Client,
    pub(crate) heard: mpsc::UnboundedReceiver<Notification>,
}

impl Ear {
    pub(crate) async fn open(url: &str) -> Self {
        let (client, mut connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
        let (tell, heard) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
                if let AsyncMessage::Notification(notification) = message {
                    let _ = tell.send(notification);
                }
            }
        });
        client.batch_execute("LISTEN pharos_changes").await.unwrap();
        Self { client, heard }
    }

    /// The next that is told on the channel of changes.
    pub(crate) async fn next(&mut self) -> String {
        let heard = tokio::time::timeout(std::time::Duration::from_secs(10), self.heard.recv());
        heard.await.expect("in time").unwrap().payload().to_owned()
    }
}

/// A connection of its own.
pub(crate) async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
