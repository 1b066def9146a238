//! Hearing of changes, and waiting until everybody has.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use pharos_auth::{cache::IdentityCache, secret::SecretDigest};
use pharos_domain::switches::Switch;
use pharos_persistence::listener::Listener;
use pharos_supervisor::{Supervisor, testing::panic_at_a_warning_of};
use tokio::time::sleep;

use crate::harness::{Fixture, NOW, actor, after, connect};

/// A node that does not answer is waited for 4 s; a little less, since clocks are not one.
const PATIENCE: Duration = Duration::from_millis(3_900);

/// A node: what it keeps, and the listener that says whether it may use it.
struct Node {
    listener: Listener,
    cache: IdentityCache<SecretDigest, ()>,
    digest: SecretDigest,
}

impl Node {
    /// A node that trusts what it keeps.
    async fn start(fixture: &Fixture) -> Self {
        Self::supervised_by(&Supervisor::default(), fixture).await
    }

    async fn supervised_by(supervisor: &Supervisor, fixture: &Fixture) -> Self {
        let listener = Listener::start(&fixture.database, supervisor).await.unwrap();
        let cache = IdentityCache::new(listener.invalidation());
        let node = Self {
            listener,
            cache,
            digest: SecretDigest::of("svc_dev_"),
        };
        node.trusts_again().await;
        node
    }

    /// Reads something and keeps it.
    fn keep(&self) {
        self.cache.put(self.digest, self.cache.generation(), None);
    }

    /// Whether what was kept is used.
    fn uses_it(&self) -> bool {
        self.cache.get(&self.digest).is_some()
    }

    /// Waits until what is kept is used, and says how long that took.
    async fn trusts_again(&self) -> Duration {
        let began = Instant::now();
        loop {
            self.keep();
            if self.uses_it() {
                return began.elapsed();
            }
            assert!(began.elapsed() < Duration::from_secs(30), "never trusted");
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until what was kept is no longer used.
    async fn drops_it(&self, why: &str) {
        let began = Instant::now();
        while self.uses_it() {
            assert!(began.elapsed() < Duration::from_secs(30), "still used: {why}");
            sleep(Duration::from_millis(1)).await;
        }
    }
}

#[tokio::test]
async fn every_change_that_matters_is_heard() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture
        .member(home.workspace, "bob", pharos_domain::role::Role::Viewer)
        .await;
    fixture.key(&home).await;
    let node = Node::start(&fixture).await;
    for change in [
        "UPDATE api_keys SET revoked_at = now()",
        "UPDATE api_keys SET scopes = '{read:uptime}'",
        "UPDATE api_key_secrets SET valid_until = now()",
        "DELETE FROM api_key_secrets",
        "DELETE FROM api_keys",
        "UPDATE users SET disabled_at = now()",
        "UPDATE members SET role = 'viewer'",
        "DELETE FROM members",
        "UPDATE plans SET modules = '{}'",
        "UPDATE workspaces SET subscription_status = 'expired'",
        "UPDATE domains SET deleted_at = now()",
        "INSERT INTO switches VALUES ('api-disabled', now())",
        "TRUNCATE switches",
    ] {
        node.keep();
        assert!(node.uses_it(), "before: {change}");
        fixture.sql.batch_execute(change).await.unwrap();
        node.drops_it(change).await;
    }
}

#[tokio::test]
async fn a_use_of_a_key_is_no_change() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (key, _) = fixture.key(&home).await;
    let node = Node::start(&fixture).await;
    node.keep();
    let uses = [(key.id, after(60))];
    fixture.stores.credentials.note_use(&uses).await.unwrap();
    fixture
        .sql
        .batch_execute("UPDATE uptime_monitors SET updated_at = now()")
        .await
        .unwrap();
    // Longer than a heartbeat: what was sent before it would have come by now.
    sleep(Duration::from_millis(1_300)).await;
    assert!(node.uses_it());
}

/// On two nodes, again and again: when the command returns, no node uses what it knew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revocation_returns_once_every_node_knows() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let nodes = [Node::start(&fixture).await, Node::start(&fixture).await];
    let mut times = Vec::new();
    for _ in 0..40 {
        let (key, _) = fixture.key(&home).await;
        nodes.iter().for_each(Node::keep);
        assert!(nodes.iter().all(Node::uses_it));
        let began = Instant::now();
        let keys = &fixture.stores.keys;
        keys.revoke(key.id, &actor(), NOW).await.unwrap();
        assert!(!nodes.iter().any(Node::uses_it));
        times.push(began.elapsed());
    }
    times.sort_unstable();
    println!(
        "a revocation with two nodes: median {:?}, longest {:?}",
        times[20], times[39]
    );
    assert!(times[20] < PATIENCE, "none was waited out: {times:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_switch_is_thrown_on_every_node_when_the_command_returns() {
    let fixture = Fixture::new().await;
    let nodes = [Node::start(&fixture).await, Node::start(&fixture).await];
    for round in 0..20 {
        let thrown = round % 2 == 0;
        let switches = &fixture.stores.switches;
        let set = switches.set(Switch::ReadOnlyMode, thrown, &actor(), NOW).await;
        assert_eq!(set.unwrap().read_only_mode, thrown);
        for node in &nodes {
            assert_eq!(
                node.listener.panel().switches().read_only_mode,
                thrown,
                "round {round}"
            );
        }
    }
}

#[tokio::test]
async fn a_node_begins_with_the_switches_as_they_are() {
    let fixture = Fixture::new().await;
    let switches = &fixture.stores.switches;
    switches
        .set(Switch::ApiDisabled, true, &actor(), NOW)
        .await
        .unwrap();
    let listener = Listener::start(&fixture.database, &Supervisor::default())
        .await
        .unwrap();
    assert!(listener.panel().switches().api_disabled);
}

#[tokio::test]
async fn changes_at_once_all_return() {
    let fixture = Fixture::new().await;
    let node = Node::start(&fixture).await;
    let emails: Vec<String> = (0..30)
        .map(|number| format!("user{number}@example.org"))
        .collect();
    let (users, actor) = (&fixture.stores.users, actor());
    let created = join_all(emails.iter().map(|email| users.create(email, "U", &actor, NOW))).await;
    assert!(created.iter().all(Result::is_ok), "{created:?}");
    drop(node);
}

/// One that calls itself a listener and says nothing: a node whose connection hangs. It is given until it trusts
/// nothing by itself.
#[tokio::test]
async fn a_node_that_does_not_answer_is_waited_out() {
    let fixture = Fixture::new().await;
    let node = Node::start(&fixture).await;
    let mute = connect(fixture.test.url()).await;
    mute.batch_execute("LISTEN pharos_changes; SET application_name = 'pharos listener'")
        .await
        .unwrap();
    let began = Instant::now();
    let switches = &fixture.stores.switches;
    switches
        .set(Switch::ReadOnlyMode, true, &actor(), NOW)
        .await
        .unwrap();
    let took = began.elapsed();
    assert!(took > PATIENCE, "{took:?}");
    assert!(node.listener.panel().switches().read_only_mode);
    drop(mute);
}

#[tokio::test]
async fn a_node_that_is_gone_is_not_waited_for() {
    let fixture = Fixture::new().await;
    let node = Node::start(&fixture).await;
    let invalidation = node.listener.invalidation();
    let cache = IdentityCache::<SecretDigest, ()>::new(invalidation);
    cache.put(node.digest, cache.generation(), None);
    let digest = node.digest;
    drop(node);
    assert!(
        cache.get(&digest).is_none(),
        "a listener that is gone vouches for nothing"
    );
    sleep(Duration::from_millis(200)).await;
    let began = Instant::now();
    let switches = &fixture.stores.switches;
    switches
        .set(Switch::ReadOnlyMode, true, &actor(), NOW)
        .await
        .unwrap();
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_killed_connection_drops_the_cache_and_misses_no_switch() {
    let fixture = Fixture::new().await;
    let node = Node::start(&fixture).await;
    node.keep();
    let killed: i64 = fixture
        .value(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'pharos listener'",
            &[],
        )
        .await;
    assert_eq!(killed, 1);
    // Straight to the table: what changes while nobody listens is not missed.
    fixture
        .sql
        .batch_execute("INSERT INTO switches VALUES ('read-only-mode', now())")
        .await
        .unwrap();
    node.drops_it("the connection was killed").await;
    let began = Instant::now();
    while !node.listener.panel().switches().read_only_mode {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "the switch is not seen"
        );
        sleep(Duration::from_millis(5)).await;
    }
    println!("heard again after {:?}", node.trusts_again().await);
    let began = Instant::now();
    let switches = &fixture.stores.switches;
    switches
        .set(Switch::ReadOnlyMode, false, &actor(), NOW)
        .await
        .unwrap();
    assert!(!node.listener.panel().switches().read_only_mode);
    assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
}

/// While it is down nothing that is kept is used, and nothing that changes meanwhile is missed.
#[tokio::test]
async fn a_listener_that_panicked_hears_again_and_is_told_of() {
    let fixture = Fixture::new().await;
    let supervisor = Supervisor::default();
    let node = Node::supervised_by(&supervisor, &fixture).await;
    assert_eq!(supervisor.failing(), []);
    node.keep();
    let _log = panic_at_a_warning_of("pharos_persistence::listener");
    fixture
        .sql
        .batch_execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'pharos listener';
             INSERT INTO switches VALUES ('read-only-mode', now())",
        )
        .await
        .unwrap();
    node.drops_it("its listener panicked").await;
    node.trusts_again().await;
    assert!(node.listener.panel().switches().read_only_mode);
    let failing = supervisor.failing();
    let [failing] = failing.as_slice() else {
        panic!("{failing:?}");
    };
    assert_eq!(
        (failing.task.name, failing.panics, failing.is_down),
        ("changes", 1, false)
    );
}

/// A node that is slow to hear is waited for: at the moment the command returns it knows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_hears_late_is_waited_for() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (key, _) = fixture.key(&home).await;
    let node = Node::start(&fixture).await;
    node.keep();
    let Some(stopped) = Stopped::listener(&fixture).await else {
        return;
    };
    let began = Instant::now();
    let late = tokio::spawn(async move {
        sleep(Duration::from_millis(700)).await;
        drop(stopped);
    });
    let keys = &fixture.stores.keys;
    keys.revoke(key.id, &actor(), NOW).await.unwrap();
    assert!(!node.uses_it());
    let took = began.elapsed();
    assert!(took > Duration::from_millis(700) && took < PATIENCE, "{took:?}");
    late.await.unwrap();
}

/// The listener's session is stopped, as if the network swallowed its packets: within three seconds nothing that is
/// kept is used any more.
#[tokio::test]
async fn a_silent_listener_ends_the_use_of_the_cache() {
    let fixture = Fixture::new().await;
    let node = Node::start(&fixture).await;
    node.keep();
    let Some(stopped) = Stopped::listener(&fixture).await else {
        return;
    };
    let began = Instant::now();
    while node.uses_it() {
        assert!(began.elapsed() < Duration::from_secs(30), "still used");
        sleep(Duration::from_millis(20)).await;
    }
    println!("no longer used after {:?} of silence", began.elapsed());
    drop(stopped);
    node.trusts_again().await;
}

/// A process that is stopped until this is dropped.
struct Stopped(i32);

impl Stopped {
    /// Stops the server's process of the only listener; `None` where this account may not.
    async fn listener(fixture: &Fixture) -> Option<Self> {
        let pid: i32 = fixture
            .value(
                "SELECT pid FROM pg_stat_activity
                 WHERE datname = current_database() AND application_name = 'pharos listener'",
                &[],
            )
            .await;
        let stopped = signal(pid, "STOP").then_some(Self(pid));
        if stopped.is_none() {
            println!("the server's processes can't be stopped from here: nothing was tested");
        }
        stopped
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        signal(self.0, "CONT");
    }
}

fn signal(pid: i32, name: &str) -> bool {
    let kill = std::process::Command::new("kill")
        .args([format!("-{name}"), pid.to_string()])
        .stderr(std::process::Stdio::null())
        .status();
    kill.is_ok_and(|status| status.success())
}
