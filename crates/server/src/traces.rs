//! Traces: from the queue of spans to the collector.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, ensure};
use http::{HeaderName, HeaderValue};
use ipnet::IpNet;
use pharos_domain::secret::Secret;
use pharos_egress::{
    address_policy::AddressPolicy,
    client::{Answers, Client, ClientSettings, EgressError, Limits, Redirects, Request, Schemes},
};
use pharos_supervisor::{Supervisor, Task};
use pharos_traces::{
    metrics::{Outcome, count},
    otlp,
    queue::Queue,
    tracer::{self, Sampling},
};
use time::OffsetDateTime;
use tokio::{
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use url::Url;
use uuid::Uuid;

use crate::{config::Config, groups};

const TASK: Task = Task::aside("traces");
/// The pause between two batches, if none is full before.
const BEAT: Duration = Duration::from_secs(2);
/// How long the collector may take to answer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// How often a batch is sent that the collector did not take. Meanwhile new spans wait, and are dropped once the queue is full.
const TRIES: u32 = 3;
/// How long the spans of a node's last seconds may hold up its end.
const FLUSHES_WITHIN: Duration = Duration::from_secs(3);

/// The way to the collector.
pub struct Traces {
    queue: Arc<Queue>,
    collector: Collector,
    resource: Vec<(&'static str, String)>,
}

impl std::fmt::Debug for Traces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Traces")
            .field("resource", &self.resource)
            .finish_non_exhaustive()
    }
}

/// A batch on its way.
struct Batch {
    message: Vec<u8>,
    spans: usize,
    tries: u32,
}

impl Traces {
    /// Begins to trace, where the configuration names a collector.
    ///
    /// # Errors
    /// The collector can't be asked like that.
    pub fn open(config: &Config) -> anyhow::Result<Option<Self>> {
        let Some(url) = &config.traces_url else {
            return Ok(None);
        };
        let collector = Collector::of(url, config)?;
        let queue = tracer::start(Sampling {
            per_mille: config.traces_per_mille,
            heeds_parents: config.traces_from_proxies,
        })
        .context("this process traces already")?;
        Ok(Some(Self {
            queue,
            collector,
            resource: vec![
                ("service.name", "pharos".to_owned()),
                ("service.version", env!("CARGO_PKG_VERSION").to_owned()),
                ("service.instance.id", Uuid::now_v7().to_string()),
                ("pharos.region", config.region.clone()),
            ],
        }))
    }

    /// Sends spans until it is stopped.
    pub fn start(self, supervisor: &Supervisor) -> Exporter {
        // So that the first of each is an increase.
        for outcome in [Outcome::Exported, Outcome::Dropped, Outcome::Refused] {
            count(outcome, 0);
        }
        let (traces, stop) = (Arc::new(self), CancellationToken::new());
        let stopping = stop.clone();
        let running = supervisor.spawn(TASK, &stop, move || {
            let (traces, stopping) = (Arc::clone(&traces), stopping.clone());
            async move { traces.export(&stopping).await }
        });
        Exporter { stop, running }
    }

    async fn export(&self, stop: &CancellationToken) {
        let mut held = None;
        loop {
            let is_last = tokio::select! {
                () = stop.cancelled() => true,
                () = self.queue.fills(), if held.is_none() => false,
                () = sleep(BEAT) => false,
            };
            while let Some(batch) = held.take().or_else(|| self.batch()) {
                held = self.send(batch).await;
                if held.is_some() {
                    break;
                }
            }
            if is_last {
                let left = held.into_iter().chain(std::iter::from_fn(|| self.batch()));
                count(Outcome::Refused, left.map(|batch| batch.spans).sum());
                return;
            }
        }
    }

    fn batch(&self) -> Option<Batch> {
        let spans = self.queue.take();
        (!spans.is_empty()).then(|| Batch {
            message: otlp::message(&self.resource, env!("CARGO_PKG_VERSION"), &spans),
            spans: spans.len(),
            tries: 0,
        })
    }

    /// Sends a batch; gives it back where it is to be sent again.
    async fn send(&self, batch: Batch) -> Option<Batch> {
        let Batch {
            message,
            spans,
            tries,
        } = batch;
        let (why, is_passing) = match self.collector.send(message.clone()).await {
            Ok(200..300) => {
                count(Outcome::Exported, spans);
                return None;
            }
            // By OTLP these are of the moment, and all others for good.
            Ok(status) => (
                format!("it answers {status}"),
                matches!(status, 429 | 502 | 503 | 504),
            ),
            Err(error) => (error.to_string(), true),
        };
        let tries = tries + 1;
        if is_passing && tries < TRIES {
            tracing::debug!(why, "the collector of traces did not take a batch");
            return Some(Batch {
                message,
                spans,
                tries,
            });
        }
        count(Outcome::Refused, spans);
        tracing::warn!(
            why,
            spans,
            "the collector of traces did not take spans; they are lost"
        );
        None
    }
}

/// Sends the spans of a node.
#[derive(Debug)]
pub struct Exporter {
    stop: CancellationToken,
    running: JoinHandle<()>,
}

impl Exporter {
    /// Sends what is left, as long as that may take.
    pub async fn stop(self) {
        self.stop.cancel();
        if timeout(FLUSHES_WITHIN, self.running).await.is_err() {
            tracing::warn!("the collector of traces is too slow for the last spans; they are lost");
        }
    }
}

/// Asks the collector of the configuration to take no spans at all, which is a message as well: the status of its answer; `None`: no
/// collector is configured.
///
/// # Errors
/// It can't be asked, or does not answer.
pub async fn look(config: &Config) -> anyhow::Result<Option<u16>> {
    let Some(url) = &config.traces_url else {
        return Ok(None);
    };
    let status = Collector::of(url, config)?.send(Vec::new()).await?;
    Ok(Some(status))
}

/// Whoever takes spans.
struct Collector {
    client: Client,
    url: Url,
    header: Option<(HeaderName, HeaderValue)>,
}

impl Collector {
    fn of(url: &str, config: &Config) -> anyhow::Result<Self> {
        Ok(Self {
            client: client(config)?,
            url: Url::parse(url).context("traces_url")?,
            header: header(config.traces_header.as_ref())?,
        })
    }

    /// The status of its answer to a message.
    async fn send(&self, message: Vec<u8>) -> Result<u16, EgressError> {
        let mut request = Request::post(self.url.clone()).body(otlp::MEDIA_TYPE, message);
        if let Some((name, value)) = &self.header {
            request = request.header(name.clone(), value.clone());
        }
        let answer = self.client.send(request, OffsetDateTime::now_utc()).await?;
        Ok(answer.status.as_u16())
    }
}

/// The collector is the operator's own, wherever it is, so every address is allowed.
fn client(config: &Config) -> anyhow::Result<Client> {
    let anywhere: [IpNet; 2] = ["0.0.0.0/0".parse()?, "::/0".parse()?];
    let policy = AddressPolicy::public().permitting(anywhere.to_vec());
    let trust = groups::trusted("traces_roots", config.traces_roots.as_deref())?;
    let settings = ClientSettings {
        user_agent: HeaderValue::from_static("pharos"),
        schemes: Schemes::NoDowngrade,
        redirects: Redirects::Refuse,
        answers: Answers::Status,
        between: Duration::ZERO,
        patience: ANSWERS_WITHIN,
        limits: Limits {
            time: ANSWERS_WITHIN,
            ..Limits::default()
        },
    };
    Ok(Client::new(groups::resolver()?, policy, &trust, settings)?)
}

/// The header that the collector wants to see.
fn header(header: Option<&Secret>) -> anyhow::Result<Option<(HeaderName, HeaderValue)>> {
    // The message does not show the value: it is a secret.
    const WRONG: &str = "traces_header is a name, a colon and a value, such as `Authorization: Bearer …`";
    let Some(header) = header else {
        return Ok(None);
    };
    let (name, value) = header.reveal().split_once(':').context(WRONG)?;
    let name: HeaderName = name.trim().parse().ok().context(WRONG)?;
    let mut value: HeaderValue = value.trim().parse().ok().context(WRONG)?;
    ensure!(!value.is_empty(), WRONG);
    value.set_sensitive(true);
    Ok(Some((name, value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_the_collector_is_a_name_and_a_value() {
        let read = |text: &str| header(Some(&Secret::from(text.to_owned())));
        let (name, value) = read("Authorization: Bearer a:b").unwrap().unwrap();
        assert_eq!(
            (name.as_str(), value.to_str().unwrap()),
            ("authorization", "Bearer a:b")
        );
        for wrong in [
            "swordfish",
            "sword fish: a",
            "Authorization:",
            ": swordfish",
            "A: sword\nfish",
        ] {
            let refusal = format!("{:#}", read(wrong).unwrap_err());
            assert!(
                refusal.contains("a colon") && !refusal.contains("fish"),
                "{refusal}"
            );
        }
        assert!(header(None).unwrap().is_none());
    }
}
