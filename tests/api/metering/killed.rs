//! Charges stay exact while servers and PostgreSQL are killed.

use std::{
    collections::{HashMap, HashSet},
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use pharos_domain::{audit::Actor, patch::Patch, role::Role};
use pharos_persistence::testing::look;
use pharos_tests::stores::Stores;
use serde_json::json;
use tokio::{
    sync::Mutex,
    time::{sleep, timeout},
};

use crate::harness::{Key, Node, OwnPostgres, Reply, Request, World, free_address};

/// How long the load runs at least.
const FOR: Duration = Duration::from_secs(60);
/// How many charged answers and readings of the sums there must be, so that something is proved. A busy machine takes
/// longer for them, but no longer than `AT_MOST`.
const CHARGED: usize = 500;
const READINGS: usize = 50;
const AT_MOST: Duration = Duration::from_secs(400);
const CALLERS: usize = 12;

/// The answers that the callers were given.
#[derive(Default)]
struct Answers {
    /// By request id: status and cost.
    answers: HashMap<String, (u16, i64)>,
    /// By credential and idempotency key: the body that a run was answered with.
    runs: HashMap<(String, String), Vec<u8>>,
}

struct Scene {
    address: SocketAddr,
    worlds: Vec<(World, Vec<Key>)>,
    told: Mutex<Answers>,
    over: AtomicBool,
    served: AtomicUsize,
    charged: AtomicUsize,
    readings: AtomicUsize,
}

/// The sums of all workspaces as one statement sees them: what differs from the balance.
const DIFFERENCES: &str = "SELECT b.workspace_id, b.used, coalesce(sum(l.cost), 0) FROM credit_balances AS b \
    LEFT JOIN credit_log AS l ON l.workspace_id = b.workspace_id \
        AND l.occurred_at >= b.cycle_start AND l.occurred_at < b.cycle_end \
    GROUP BY b.workspace_id, b.used HAVING b.used <> coalesce(sum(l.cost), 0)";

/// Ten kills of the server and two of PostgreSQL during a minute or more of mixed load: at every reading the rows of a cycle add
/// up to what was used; afterwards every charged answer that a caller got has its row at that price and every other
/// none that costs, and each run that took effect has exactly one record of its key.
#[tokio::test(flavor = "multi_thread")]
async fn the_ledger_is_exact_through_every_kill() {
    let mut postgres = OwnPostgres::start().await;
    let url = postgres.url().to_owned();
    let worlds = worlds(&postgres.stores().await).await;

    let address = free_address();
    let mut node = serve(address, &url);
    let scene = Arc::new(Scene {
        address,
        worlds,
        told: Mutex::default(),
        over: AtomicBool::new(false),
        served: AtomicUsize::new(0),
        charged: AtomicUsize::new(0),
        readings: AtomicUsize::new(0),
    });
    // A domain without a monitor may answer 404 to what comes below.
    for (world, keys) in &scene.worlds {
        let path = format!("/domains/{}/uptime/config", world.domain);
        let watch = Request::new(address, "PUT", &path).key(&keys[7]).json(&json!({}));
        is_served(&scene, &watch).await;
    }
    let callers: Vec<_> = (0..CALLERS)
        .map(|number| tokio::spawn(call(Arc::clone(&scene), number)))
        .collect();
    let reader = tokio::spawn(read(Arc::clone(&scene), url.clone()));

    let began = Instant::now();
    let mut slowest_return = Duration::ZERO;
    for round in 0..12_u32 {
        let due = FOR * (round + 1) / 13;
        sleep(due.saturating_sub(began.elapsed())).await;
        if round == 4 || round == 9 {
            postgres.kill();
            postgres.restart().await;
            slowest_return = slowest_return.max(returns(&scene).await);
        } else {
            node.signal("KILL");
            node.end(Duration::from_secs(30));
            node = serve(address, &url);
        }
    }
    sleep(FOR.saturating_sub(began.elapsed())).await;
    while scene.charged.load(Ordering::SeqCst) < CHARGED || scene.readings.load(Ordering::SeqCst) < READINGS {
        assert!(
            began.elapsed() < AT_MOST && !reader.is_finished(),
            "{:?} charged answers, {:?} readings",
            scene.charged,
            scene.readings
        );
        sleep(Duration::from_millis(100)).await;
    }
    scene.over.store(true, Ordering::SeqCst);
    for caller in callers {
        caller.await.unwrap();
    }
    reader.await.unwrap();
    node.signal("TERM");
    node.end(Duration::from_secs(30));

    reconcile(&scene, &url).await;
    println!(
        "{:?} answers, {:?} readings, served again {slowest_return:?} after PostgreSQL's return",
        scene.served, scene.readings
    );
}

fn serve(address: SocketAddr, url: &str) -> Node {
    Node::start_at(
        address,
        &["--roles", "api"],
        &[("PHAROS_DATABASE_URL", url), ("PHAROS_LOG", "error")],
    )
}

async fn worlds(stores: &Stores) -> Vec<(World, Vec<Key>)> {
    let now = time::OffsetDateTime::now_utc();
    let mut worlds = Vec::new();
    for _ in 0..3 {
        let world = World::create(stores, now).await;
        let mut keys = vec![world.key.clone()];
        for _ in 0..7 {
            keys.push(world.another_key(stores, world.owner, now).await);
        }
        worlds.push((world, keys));
    }
    // Charges of a workspace with a cap are settled apart from the others of their batch.
    let (capped, _) = &worlds[2];
    let cap = Patch::Set(1_000_000);
    let members = &stores.members;
    members
        .put(
            capped.workspace,
            capped.owner,
            Role::Owner,
            cap,
            &Actor::command_line("ada"),
            now,
        )
        .await
        .unwrap();
    worlds
}

/// How long it takes until a charged read is served.
async fn returns(scene: &Scene) -> Duration {
    let (world, keys) = &scene.worlds[0];
    let path = format!("/domains/{}/uptime/config", world.domain);
    is_served(scene, &Request::new(scene.address, "GET", &path).key(&keys[7])).await
}

/// Sends a request until it is served, and says how long that took.
async fn is_served(scene: &Scene, request: &Request) -> Duration {
    let back = Instant::now();
    loop {
        if let Some(reply) = send(scene, request.clone()).await
            && reply.status == 200
        {
            return back.elapsed();
        }
        assert!(
            back.elapsed() < Duration::from_secs(120),
            "the service is not back"
        );
        sleep(Duration::from_millis(20)).await;
    }
}

/// An answer, if one came. A connection that breaks is part of the test.
async fn send(scene: &Scene, request: Request) -> Option<Reply> {
    let reply = timeout(Duration::from_secs(30), request.try_send())
        .await
        .ok()??;
    let number = |name: &str| reply.header(name).and_then(|value| value.parse::<i64>().ok());
    let id = reply.header("x-request-id")?.to_owned();
    let cost = number("x-credits-cost").unwrap();
    let mut told = scene.told.lock().await;
    told.answers.insert(id, (reply.status, cost));
    scene.charged.fetch_add(usize::from(cost > 0), Ordering::SeqCst);
    scene.served.fetch_add(1, Ordering::SeqCst);
    Some(reply)
}

/// A caller: cheap reads, writes, free calls, refusals, and runs that are sent again until they are answered.
async fn call(scene: Arc<Scene>, number: usize) {
    let (world, keys) = &scene.worlds[number % scene.worlds.len()];
    let key = &keys[number / scene.worlds.len() % 7];
    let domain = world.domain;
    let mut round = 0_usize;
    while !scene.over.load(Ordering::SeqCst) {
        round += 1;
        let get = |path: String| Request::new(scene.address, "GET", &path).key(key);
        let request = match round % 8 {
            0 => {
                run(&scene, world, key, &format!("{number}-{round}")).await;
                continue;
            }
            1 => get("/me".to_owned()),
            2 => get(format!("/domains/{domain}/uptime/checks?limit=0")),
            3 => Request::new(scene.address, "PUT", &format!("/domains/{domain}/uptime/config"))
                .key(key)
                .json(&json!({ "timeout_seconds": 2 + round % 50 })),
            4 => get(format!("/domains/{domain}/uptime/checks")),
            _ => get(format!("/domains/{domain}/uptime/config")),
        };
        match send(&scene, request).await {
            Some(reply) if reply.status == 429 => sleep(Duration::from_millis(200)).await,
            Some(_) => {}
            None => sleep(Duration::from_millis(20)).await,
        }
    }
}

/// A run, sent again under its key until it is answered; each answer is the same.
async fn run(scene: &Scene, world: &World, key: &Key, idempotency: &str) {
    let path = format!("/domains/{}/uptime/check", world.domain);
    for _ in 0..40 {
        let request = Request::new(scene.address, "POST", &path)
            .key(key)
            .header("idempotency-key", idempotency)
            .json(&json!({}));
        match send(scene, request).await {
            Some(reply) if reply.status == 202 => {
                let mut told = scene.told.lock().await;
                let id = (key.id.to_string(), idempotency.to_owned());
                let known = told.runs.entry(id).or_insert_with(|| reply.body.to_vec());
                assert_eq!(known, &reply.body.to_vec(), "one key, one answer");
                return;
            }
            Some(reply) if reply.status == 402 => return,
            Some(reply) if reply.status == 429 => return sleep(Duration::from_millis(200)).await,
            _ => sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Reads the sums again and again. A database that is away has nothing to say.
async fn read(scene: Arc<Scene>, url: String) {
    while !scene.over.load(Ordering::SeqCst) {
        if let Ok(differences) = look(&url, DIFFERENCES).await {
            assert!(differences.is_empty(), "{differences:?}");
            scene.readings.fetch_add(1, Ordering::SeqCst);
        }
        sleep(Duration::from_millis(250)).await;
    }
}

/// Holds the database against what the callers were told.
async fn reconcile(scene: &Scene, url: &str) {
    assert_eq!(look(url, DIFFERENCES).await.unwrap(), Vec::<Vec<_>>::new());
    let twice = "SELECT request_id FROM credit_log GROUP BY request_id HAVING count(*) > 1";
    assert!(look(url, twice).await.unwrap().is_empty(), "one row a request");
    let rows: HashMap<String, (u16, i64)> = look(url, "SELECT request_id, status, cost FROM credit_log")
        .await
        .unwrap()
        .into_iter()
        .map(|row| {
            let text = |at: usize| row[at].clone().unwrap();
            (text(0), (text(1).parse().unwrap(), text(2).parse().unwrap()))
        })
        .collect();
    let told = scene.told.lock().await;
    for (id, answer @ (status, cost)) in &told.answers {
        assert!(
            matches!(status, 200 | 202 | 400 | 409 | 429 | 503),
            "{id} was answered {status}"
        );
        match rows.get(id) {
            Some(row) => assert_eq!(row, answer, "{id}"),
            // A row that costs nothing may die with its server, a moment after its answer.
            None => assert_eq!(
                *cost, 0,
                "{id} was answered {status} for {cost} credits without a row"
            ),
        }
    }

    let column = async |query: &str| -> HashSet<String> {
        let rows = look(url, query).await.unwrap();
        rows.into_iter().map(|row| row[0].clone().unwrap()).collect()
    };
    let effects = column("SELECT DISTINCT payload ->> 'run_id' FROM jobs").await;
    let records =
        column("SELECT convert_from(body, 'UTF8')::jsonb ->> 'run_id' FROM idempotency_records").await;
    let charges = column("SELECT request_id FROM credit_log WHERE cost = 25").await;
    assert_eq!(
        effects, records,
        "no effect without its record, no record without its effect"
    );
    let runs = column("SELECT id FROM runs").await;
    assert_eq!(runs, records, "a run is there with its jobs, or not at all");
    assert_eq!(charges.len(), records.len(), "each was charged once");
    assert!(told.runs.len() > 20, "{} runs", told.runs.len());
    for body in told.runs.values() {
        let run: serde_json::Value = serde_json::from_slice(body).unwrap();
        assert!(records.contains(run["run_id"].as_str().unwrap()));
    }
}
