//! A server that must never be reached: it listens on every address of this machine and counts.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

/// A listener on every address of this machine.
pub struct Canary {
    /// The same on each of them.
    pub port: u16,
    /// Ports of those who came.
    visitors: Arc<Mutex<Vec<u16>>>,
    own: Mutex<HashSet<u16>>,
}

impl Canary {
    /// Begins to listen.
    pub async fn start() -> Self {
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
    pub async fn hits(&self) -> usize {
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
