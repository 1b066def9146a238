//! The background work of alerting: the evaluation of rules.

use std::sync::Arc;

use futures_util::FutureExt;
use pharos_alerting::evaluator::Evaluator;
use pharos_supervisor::Task;

use super::{
    alert_metrics,
    work::{BackgroundTask, Work, WorkContext},
};
use crate::role::Role;

const EVALUATOR: Task = Task::aside("alert rules");

/// The work of a node for alerting, by its roles.
///
/// # Errors
/// A missing port.
pub(super) fn work(context: &WorkContext<'_>) -> anyhow::Result<Work> {
    let WorkContext {
        config,
        ports,
        clock,
        schedule_bells,
        ..
    } = *context;
    let mut work = Work::default();
    if config.roles.contains(&Role::Worker) {
        let evaluator = Evaluator {
            store: ports.get()?,
            catalogue: alert_metrics(ports)?,
            clock: Arc::clone(clock),
            bell: schedule_bells.add(),
        };
        work.tasks.push(BackgroundTask {
            task: EVALUATOR,
            run: Box::new(move |stop, abandon| evaluator.clone().run(stop, abandon).boxed()),
        });
    }
    Ok(work)
}
