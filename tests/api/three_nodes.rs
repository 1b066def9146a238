//! Three nodes behind nginx, as processes that share PostgreSQL and Redis.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::join_all;
use pharos_metering::testing::RedisServer;
use tokio::{io::AsyncReadExt, net::TcpListener, time::sleep};

use crate::{
    harness::{Key, Node, Proxy, Reply, Request, TestApp},
    keys::{create, request},
};

/// An address of this machine that a client comes from.
const OFFICE: [u8; 4] = [127, 0, 0, 5];

fn me(address: SocketAddr, key: &Key) -> Request {
    Request::new(address, "GET", "/me").key(key)
}

fn nodes(app: &TestApp, redis: &RedisServer) -> Vec<Node> {
    let environment = [
        ("PHAROS_DATABASE_URL", app.database.url()),
        ("PHAROS_REDIS_URL", &redis.url()),
        ("PHAROS_TRUSTED_HOPS", "1"),
    ];
    let start = |_| Node::start(&["--roles", "api"], &environment);
    (0..3).map(start).collect()
}

/// Each node sees whom the proxy was asked by, whatever that one says of itself.
#[tokio::test(flavor = "multi_thread")]
async fn every_node_sees_the_address_of_the_client() {
    let redis = RedisServer::start();
    let app = TestApp::start().await;
    let allowed = request(&app.world, Some(vec!["127.0.0.5".to_owned()]));
    let key = create(&app, &allowed).await.unwrap();
    let nodes = nodes(&app, &redis);
    let proxy = Proxy::start(&nodes);
    for _ in 0..nodes.len() {
        me(proxy.address, &key)
            .coming_from(OFFICE.into())
            .send()
            .await
            .ok();
        let forged = me(proxy.address, &key).header("x-forwarded-for", "127.0.0.5");
        forged.send().await.problem(401, "invalid-credential");
    }
    // Past the proxy nobody is known by an address.
    let past = me(nodes[0].address, &key).coming_from(OFFICE.into()).send().await;
    past.problem(401, "invalid-credential");
}

/// 600 requests a minute are let through by all nodes together. On a busy machine Redis may be too slow for some, which are let in
/// without being judged.
#[tokio::test(flavor = "multi_thread")]
async fn the_nodes_have_one_limit_together() {
    let redis = RedisServer::start();
    let app = TestApp::start().await;
    let nodes = nodes(&app, &redis);
    let proxy = Proxy::start(&nodes);
    let mut replies: Vec<Reply> = Vec::new();
    for _ in 0..7 {
        let batch = (0..100).map(|_| me(proxy.address, &app.world.key).send());
        replies.extend(join_all(batch).await);
    }
    let (judged, open): (Vec<_>, Vec<_>) = replies
        .iter()
        .partition(|reply| reply.header("x-ratelimit-limit").is_some());
    let admitted = judged.iter().filter(|reply| reply.status == 200).count();
    assert!(open.iter().all(|reply| reply.status == 200));
    assert!(open.len() < 100, "{} of 700 were not judged", open.len());
    assert!(
        (600 - open.len()..=600).contains(&admitted),
        "{admitted} admitted, {} not judged",
        open.len()
    );
}

/// A node is killed under load, and no caller notices; the others end as they should.
#[tokio::test(flavor = "multi_thread")]
async fn requests_go_on_when_a_node_is_killed() {
    const CALLERS: usize = 8;
    const CALLS: usize = 30;
    let redis = RedisServer::start();
    let app = TestApp::start().await;
    let mut nodes = nodes(&app, &redis);
    let proxy = Proxy::start(&nodes);
    let answered = AtomicUsize::new(0);
    let load = join_all((0..CALLERS).map(async |_| {
        for _ in 0..CALLS {
            let reply = me(proxy.address, &app.world.key).send().await;
            assert_eq!(reply.status, 200);
            answered.fetch_add(1, Ordering::SeqCst);
        }
    }));
    let kill = async {
        while answered.load(Ordering::SeqCst) < CALLERS * CALLS / 4 {
            sleep(Duration::from_millis(1)).await;
        }
        let killed = nodes.remove(1);
        killed.signal("KILL");
        assert_eq!(killed.end(Duration::from_secs(30)), None, "it has no exit code");
    };
    tokio::join!(load, kill);
    assert_eq!(answered.load(Ordering::SeqCst), CALLERS * CALLS);
    for node in nodes {
        node.signal("TERM");
        assert_eq!(node.end(Duration::from_secs(30)), Some(0));
    }
}

/// A node that dies with each request that it has taken. The requests are counted.
async fn dying(taken: Arc<AtomicUsize>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 1024];
            if stream.read(&mut request).await.is_ok_and(|bytes| bytes > 0) {
                taken.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    address
}

/// Whether a node that has died did what it was asked to, nobody knows.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_is_never_sent_to_a_second_node() {
    for (method, nodes_asked) in [
        ("GET", 2),
        ("HEAD", 2),
        ("POST", 1),
        ("PATCH", 1),
        ("PUT", 1),
        ("DELETE", 1),
    ] {
        let taken = Arc::new(AtomicUsize::new(0));
        let nodes = [dying(Arc::clone(&taken)).await, dying(Arc::clone(&taken)).await];
        let proxy = Proxy::before(&nodes);
        let reply = Request::new(proxy.address, method, "/me").send_unchecked().await;
        assert_eq!(reply.status, 502, "{method}");
        assert_eq!(taken.load(Ordering::SeqCst), nodes_asked, "{method}");
    }
}
