//! The background work of alerting: the evaluation of rules, and deliveries.

use std::{path::PathBuf, sync::Arc};

use anyhow::Context;
use futures_util::FutureExt;
use pharos_alerting::{
    delivery::{
        deliverer::Deliverer,
        json_sender::{JsonSender, Services},
        mail::{Mailer, SmtpSettings},
        places::Places,
    },
    evaluator::Evaluator,
    metrics,
};
use pharos_alerting_api::alert_json;
use pharos_supervisor::Task;

use super::{
    alert_metrics,
    outgoing::{resolver, trust},
    work::{BackgroundTask, Work, WorkContext},
};
use crate::{config::Config, role::Role};

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

/// The way to the configured mail server; `None` where none is.
///
/// # Errors
/// A setting can't be read, or `smtp_roots` can't.
pub(crate) fn mailer(config: &Config) -> anyhow::Result<Option<Mailer>> {
    let Some((url, from)) = config.smtp_url.clone().zip(config.mail_from.clone()) else {
        return Ok(None);
    };
    let read = |file: &PathBuf| std::fs::read(file).with_context(|| format!("smtp_roots {}", file.display()));
    let extra_roots = config.smtp_roots.as_ref().map(read).transpose()?;
    let mailer = Mailer::new(&SmtpSettings {
        url,
        from,
        extra_roots,
    })
    .context("smtp_url and mail_from")?;
    Ok(Some(mailer))
}
