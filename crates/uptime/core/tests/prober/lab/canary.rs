//! A server that must never be reached: it listens on every address of this machine and counts.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

pub(crate) struct Canary {
    pub(crate) port: u16,
    /// Ports of those who came.
    visitors: Arc<Mutex<Vec<u16>>>,
    own: Mutex<HashSet<u16>>,
}

impl Canary {
    pub(crate) async fn start() -> Self {
        // Listens for both families, so 127.0.0.1, [::1], 0.0.0.0 and the rest of 127/8 all lead here.
        let listener = TcpListener::bind("[::]:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let visitors = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&visitors);
        tokio::spawn(async move {
            loop {
                if let Ok((_, from)) = listener.accept().await {
                    log.lock().unwrap().push(from.port());
                }
            }
        });
        Self {
            port,
            visitors,
            own: Mutex::default(),
        }
    }

    /// Connections so far, those included that the kernel has made and not handed over yet.
    pub(crate) async fn hits(&self) -> usize {
        // A connection of our own: whatever was made before it is accepted before it.
        let stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        let own = stream.local_addr().unwrap().port();
        self.own.lock().unwrap().insert(own);
        while !self.visitors.lock().unwrap().contains(&own) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let own = self.own.lock().unwrap();
        self.visitors
            .lock()
            .unwrap()
            .iter()
            .filter(|visitor| !own.contains(visitor))
            .count()
    }
}

#[tokio::test]
async fn the_canary_hears_whoever_reaches_it() {
    let canary = Canary::start().await;
    assert_eq!(canary.hits().await, 0);
    for address in [
        "127.0.0.1",
        "127.1.2.3",
        "::1",
        "0.0.0.0",
        "::",
        "::ffff:127.0.0.1",
    ] {
        TcpStream::connect((address, canary.port)).await.unwrap();
    }
    assert_eq!(canary.hits().await, 6);
}
