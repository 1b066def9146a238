//! The metrics of a node: what records them, and the address that they are read from.

pub mod endpoint;
pub mod families;
mod sampler;

use std::net::{SocketAddr, TcpListener};

use actix_web::dev::ServerHandle;
use anyhow::Context;
use metrics::set_global_recorder;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use pharos_supervisor::{Supervisor, Task};
use tokio_util::sync::CancellationToken;

pub use self::sampler::Sampled;
use self::sampler::Sampler;
use crate::socket::listen;

const SAMPLER: Task = Task::aside("metrics");
/// The bounds of histograms of times, in seconds.
const SECONDS: &[f64] = &[
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0,
];
/// The same of the lab, which takes its time.
const LAB_SECONDS: &[f64] = &[
    1.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0, 150.0, 300.0, 900.0, 3_600.0,
];
/// The bounds of histograms of batches.
const SIZES: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

/// A node's admin address, and the metrics that it will serve there.
pub struct Admin {
    address: SocketAddr,
    socket: TcpListener,
    recorder: PrometheusHandle,
}

impl std::fmt::Debug for Admin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Admin")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl Admin {
    /// Takes the address, and begins to record: whatever prepared its metrics before this records nothing.
    ///
    /// # Errors
    /// The address can't be had.
    pub fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let socket = listen(address).with_context(|| {
            format!("can't serve metrics on {address}; choose another address with --admin-address")
        })?;
        Ok(Self {
            address: socket.local_addr()?,
            socket,
            recorder: record()?,
        })
    }

    /// Serves the metrics, and samples until `stop` what is only known when it is looked at.
    ///
    /// # Errors
    /// The socket can't be listened on.
    pub fn start(
        self,
        sampled: Sampled,
        supervisor: &Supervisor,
        stop: &CancellationToken,
    ) -> anyhow::Result<ServerHandle> {
        let Self {
            address,
            socket,
            recorder,
        } = self;
        let sampler = Sampler::new(recorder.clone(), sampled);
        let stopping = stop.clone();
        supervisor.spawn(SAMPLER, stop, move || sampler.clone().run(stopping.clone()));
        let server = endpoint::serve(socket, recorder)?;
        let handle = server.handle();
        actix_web::rt::spawn(server);
        if address.ip().to_canonical().is_loopback() {
            tracing::info!(%address, "metrics are served");
        } else {
            tracing::warn!(%address, "metrics are served to whoever reaches this address: it asks for no credential");
        }
        Ok(handle)
    }
}

/// Records what this process reports from here on, and says what everything is.
fn record() -> anyhow::Result<PrometheusHandle> {
    let of_suffix = |suffix: &str| Matcher::Suffix(suffix.to_owned());
    let of_prefix = |prefix: &str| Matcher::Prefix(prefix.to_owned());
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(of_prefix("pharos_lab_"), LAB_SECONDS)?
        .set_buckets_for_metric(of_suffix("_seconds"), SECONDS)?
        .set_buckets_for_metric(of_suffix("_size"), SIZES)?
        .build_recorder();
    let handle = recorder.handle();
    set_global_recorder(recorder)
        .ok()
        .context("the metrics of this process are recorded already")?;
    families::describe();
    Ok(handle)
}
