//! A site on this machine whose robots.txt is whatever a test wants.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use pharos_crawl::{
    caller::Caller,
    robots::monitor::{
        checker::Checker,
        fetch::RobotsClient,
        run::{Places, RobotsRuns},
        watch::RobotsWatch,
    },
};
use pharos_domain::jobs::JobHandler;
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_http::pages::CRAWLER_PAGE;
use pharos_server::worker::WorkerPace;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::{
    harness::{Site, TestApp},
    jobs::{Crew, connect},
    uptime,
};

/// The answer to a request, by its head.
type Answer = dyn Fn(&str) -> Vec<u8> + Send + Sync;

pub(crate) struct Lab {
    pub(crate) address: SocketAddr,
    pub(crate) heads: Arc<Mutex<Vec<String>>>,
    answer: Arc<Mutex<Arc<Answer>>>,
    policy: AddressPolicy,
}

/// Who asks, as a node names itself.
pub(crate) fn caller(app: &TestApp) -> Caller {
    Caller::with_page(&format!("http://{}{CRAWLER_PAGE}", app.address))
}

/// An answer of HTTP.
pub(crate) fn answer(status: u16, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut answer =
        format!("HTTP/1.1 {status} Status\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n")
            .into_bytes();
    answer.extend_from_slice(body);
    answer
}

/// The file, as a site that is well sends it.
pub(crate) fn file(body: &[u8]) -> Vec<u8> {
    answer(200, "content-type: text/plain\r\n", body)
}

impl Lab {
    pub(crate) async fn open() -> Self {
        Self::open_at("127.0.0.1").await
    }

    /// A site at this address of the machine.
    pub(crate) async fn open_at(address: &str) -> Self {
        let listener = TcpListener::bind((address, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let nothing: Arc<Answer> = Arc::new(|_| answer(404, "", b""));
        let answer = Arc::new(Mutex::new(nothing));
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let (said, heard) = (Arc::clone(&answer), Arc::clone(&heads));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (said, heard) = (Arc::clone(&said), Arc::clone(&heard));
                tokio::spawn(async move { serve(stream, &said, &heard).await });
            }
        });
        Self {
            address,
            heads,
            answer,
            policy: AddressPolicy::public().permitting_exactly(address),
        }
    }

    /// Lets checks of this site go on to the other one.
    pub(crate) fn permit(&mut self, other: &Self) {
        self.policy = self.policy.clone().permitting_exactly(other.address);
    }

    pub(crate) fn say(&self, answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) {
        *self.answer.lock().unwrap() = Arc::new(answer);
    }

    /// Lets the app's domain lie here.
    pub(crate) async fn is_site_of(&self, app: &TestApp) {
        let site = Site::open().await;
        uptime::check::watch(app, &site, &["local"]).await;
        let settings = format!(r#"{{"url": "http://{}/"}}"#, self.address);
        app.sql(&format!(
            "UPDATE uptime_monitors SET settings = settings || '{settings}'"
        ))
        .await;
    }

    pub(crate) fn checker(&self, app: &TestApp) -> Checker {
        let client = RobotsClient::new(
            &caller(app),
            NameResolver::system().unwrap(),
            self.policy.clone(),
            &TrustAnchors::web(),
        );
        Checker {
            client: Arc::new(client.unwrap()),
            clock: app.clock.clone(),
        }
    }

    /// A worker that does the checks that were asked for.
    pub(crate) async fn worker(&self, app: &TestApp) -> Crew {
        let database = connect(app.database.url()).await;
        let handler: Arc<dyn JobHandler> = Arc::new(RobotsRuns {
            places: Places::default(),
            store: app.stores.ports.get().unwrap(),
            addresses: app.stores.ports.get().unwrap(),
            checker: self.checker(app),
        });
        assert_eq!(
            handler.most_at_once(32),
            8,
            "others have places beside slow sites"
        );
        Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await
    }

    /// Has the app check its domain once, as is due.
    pub(crate) async fn check(&self, app: &TestApp) {
        let watch = RobotsWatch {
            store: app.stores.ports.get().unwrap(),
            addresses: app.stores.ports.get().unwrap(),
            hosts: app.stores.ports.get().unwrap(),
            checker: self.checker(app),
        };
        app.sql("UPDATE robots_sites SET next_check_at = '2026-01-01'")
            .await;
        assert_eq!(watch.round().await.unwrap(), 1);
    }
}

async fn serve(mut stream: TcpStream, answer: &Mutex<Arc<Answer>>, heads: &Mutex<Vec<String>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    heads.lock().unwrap().push(head.clone());
    let answer = Arc::clone(&answer.lock().unwrap());
    let answer = answer(&head);
    // Whoever has read enough hangs up.
    let _ = stream.write_all(&answer).await;
}
