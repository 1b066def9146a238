//! The background work of alerting: the evaluation of rules, and deliveries.

use std::sync::Arc;

use futures_util::FutureExt;
use pharos_alerting::{
    delivery::{
        deliverer::Deliverer,
        json_sender::{JsonSender, Services},
        places::Places,
    },
    evaluator::Evaluator,
    metrics,
};
use pharos_alerting_api::alert_json;
use pharos_supervisor::Task;

use super::{
    alert_metrics,
    outgoing::{mailer, resolver, trust},
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
        policy,
        clock,
        schedule_bells,
        ..
    } = *context;
    let mut work = Work::default();
    if config.roles.contains(&Role::Worker) {
        let catalogue = alert_metrics(ports)?;
        let evaluator = Evaluator {
            store: ports.get()?,
            catalogue: catalogue.clone(),
            clock: Arc::clone(clock),
            bell: schedule_bells.add(),
        };
        work.tasks.push(BackgroundTask {
            task: EVALUATOR,
            run: Box::new(move |stop, abandon| evaluator.clone().run(stop, abandon).boxed()),
        });
        metrics::deliveries();
        work.handlers.push(Arc::new(Deliverer {
            store: ports.get()?,
            json: Arc::new(JsonSender::new(
                resolver()?,
                policy.clone(),
                &trust(config)?,
                Services::default(),
                alert_json,
            )?),
            mailer: mailer(config)?.map(Arc::new),
            catalogue,
            places: Places::among(config.job_concurrency),
            base_url: config.addresses().base_url,
        }));
    }
    Ok(work)
}
