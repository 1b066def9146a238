//! The work of a group on a node beside answering, and the parts that it is made from.

use std::{fmt, sync::Arc};

use futures_util::future::BoxFuture;
use pharos_domain::{clock::Clock, jobs::JobHandler, kept_answers::KeptAnswers, ports::Ports};
use pharos_due::bell::Bells;
use pharos_egress::address_policy::AddressPolicy;
use pharos_supervisor::Task;
use tokio_util::sync::CancellationToken;

use crate::config::Config;

/// The parts that background work is made from.
pub struct WorkContext<'a> {
    /// The node's roles, and what they need to know.
    pub config: &'a Config,
    /// The ports on the connections of background work.
    pub ports: &'a Ports,
    /// Where checks may go.
    pub policy: &'a AddressPolicy,
    /// The clock of all of this work.
    pub clock: &'a Arc<dyn Clock>,
    /// Ring when what is due has changed.
    pub schedule_bells: &'a Arc<Bells>,
    /// Kept answers, which new data outdate.
    pub answers: &'a Arc<dyn KeptAnswers>,
}

impl fmt::Debug for WorkContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkContext")
            .field("ports", &self.ports)
            .finish_non_exhaustive()
    }
}

/// The work of a group on a node beside answering.
#[derive(Default)]
pub struct Work {
    /// Tasks that go on for as long as the node does.
    pub tasks: Vec<BackgroundTask>,
    /// The handlers of its jobs, one a kind.
    pub handlers: Vec<Arc<dyn JobHandler>>,
    /// The handlers of its jobs that measure. A worker of their own does them, so that neither waits for the other.
    pub measuring: Vec<Arc<dyn JobHandler>>,
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tasks: Vec<&str> = self.tasks.iter().map(|task| task.task.name).collect();
        let kinds = |handlers: &[Arc<dyn JobHandler>]| -> Vec<String> {
            handlers
                .iter()
                .map(|handler| handler.kind().to_string())
                .collect()
        };
        f.debug_struct("Work")
            .field("tasks", &tasks)
            .field("handlers", &kinds(&self.handlers))
            .field("measuring", &kinds(&self.measuring))
            .finish()
    }
}

/// A task that the supervisor runs.
pub struct BackgroundTask {
    /// Its name, and whether answers need it.
    pub task: Task,
    /// Begins it, also after a panic. It takes on nothing new once the first token is cancelled, and ends at once when
    /// the second is.
    pub run: Box<dyn Fn(CancellationToken, CancellationToken) -> BoxFuture<'static, ()> + Send + Sync>,
}

impl fmt::Debug for BackgroundTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackgroundTask")
            .field("task", &self.task)
            .finish_non_exhaustive()
    }
}
