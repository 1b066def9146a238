//! A wire to PostgreSQL that can be cut at a chosen moment.

use std::{
    io,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};
use tokio_postgres::config::Host;

/// The moment at which a connection is cut.
#[derive(Clone, Debug)]
struct Cut {
    /// When the client says this…
    words: String,
    /// …and, if so, the server has done it.
    once_done: bool,
}

/// A relay. Its connections end with it.
pub(crate) struct Relay {
    /// The database, by way of the relay.
    pub(crate) url: String,
    plan: Arc<Mutex<Plan>>,
    task: JoinHandle<()>,
}

/// The faults that connections are going to meet.
#[derive(Debug, Default)]
struct Plan {
    cut: Option<Cut>,
    /// How long nobody gets through after a cut.
    away: Duration,
    back_at: Option<Instant>,
    /// Whether all connections stand still, new ones too.
    is_silent: bool,
}

impl Relay {
    /// A relay to the database of `url`.
    pub(crate) async fn start(url: &str) -> Self {
        let config: tokio_postgres::Config = url.parse().unwrap();
        let Some(Host::Tcp(host)) = config.get_hosts().first().cloned() else {
            panic!("the tests' PostgreSQL is not reached by TCP: {url}");
        };
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        // With the account and the password as they are.
        let (account, _) = url.split_once('@').unwrap();
        let relayed = format!(
            "{account}@{}/{}?sslmode=disable",
            listener.local_addr().unwrap(),
            config.get_dbname().unwrap(),
        );
        let plan = Arc::<Mutex<Plan>>::default();
        let told = Arc::clone(&plan);
        let task = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let back_at = told.lock().unwrap().back_at;
                if back_at.is_some_and(|back_at| Instant::now() < back_at) {
                    continue;
                }
                let server = TcpStream::connect((host.as_str(), port)).await.unwrap();
                tokio::spawn(carry(client, server, Arc::clone(&told)));
            }
        });
        Self {
            url: relayed,
            plan,
            task,
        }
    }

    /// The next time that the client says these words, the server does as it is told, and its answer is lost with the
    /// connection.
    pub(crate) fn swallow_the_answer_to(&self, words: &str) {
        self.cut(words, true);
    }

    /// The next time that the client says these words, the connection is lost before the server hears them.
    pub(crate) fn swallow(&self, words: &str) {
        self.cut(words, false);
    }

    fn cut(&self, words: &str, once_done: bool) {
        let words = words.to_owned();
        self.plan.lock().unwrap().cut = Some(Cut { words, once_done });
    }

    /// From now on nothing gets through, and nobody is told, until it does again.
    pub(crate) fn be_silent(&self, is_silent: bool) {
        self.plan.lock().unwrap().is_silent = is_silent;
    }

    /// After the next cut nobody gets through for so long.
    pub(crate) fn stay_away_for(&self, away: Duration) {
        self.plan.lock().unwrap().away = away;
    }

    /// From now on everybody gets through again.
    pub(crate) fn come_back(&self) {
        self.plan.lock().unwrap().back_at = None;
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Plan {
    /// The cut, if this is what it waits for.
    fn cut(&mut self, said: &[u8]) -> Option<Cut> {
        let cut = self.cut.take_if(|cut| {
            said.windows(cut.words.len())
                .any(|window| window == cut.words.as_bytes())
        })?;
        self.back_at = Some(Instant::now() + self.away);
        Some(cut)
    }
}

async fn carry(client: TcpStream, server: TcpStream, plan: Arc<Mutex<Plan>>) -> io::Result<()> {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let (mut said, mut answered) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            read = from_client.read(&mut said) => {
                let said = &said[..read?];
                if said.is_empty() {
                    return Ok(());
                }
                let heard = async || {
                    while plan.lock().unwrap().is_silent {
                        tokio::time::sleep(Duration::from_millis(5)).await;
                    }
                };
                heard().await;
                let cut = plan.lock().unwrap().cut(said);
                match cut {
                    Some(Cut { once_done: true, .. }) => {
                        to_server.write_all(said).await?;
                        // ReadyForQuery, idle: whatever it was is committed.
                        loop {
                            let read = from_server.read(&mut answered).await?;
                            if read == 0 || answered[..read].ends_with(b"Z\0\0\0\x05I") {
                                return Ok(());
                            }
                        }
                    }
                    Some(_) => return Ok(()),
                    None => to_server.write_all(said).await?,
                }
            }
            read = from_server.read(&mut answered) => {
                let answered = &answered[..read?];
                if answered.is_empty() {
                    return Ok(());
                }
                to_client.write_all(answered).await?;
            }
        }
    }
}
