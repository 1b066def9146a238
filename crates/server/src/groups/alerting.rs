//! The background work of alerting: the evaluation of rules, and deliveries. And how its channels do.

use std::sync::Arc;

use futures_util::FutureExt;
use pharos_alerting::{
    delivery::{
        channel::{ChannelStore, ChannelTrouble},
        deliverer::Deliverer,
        json_sender::{JsonSender, Services},
        places::Places,
    },
    evaluator::Evaluator,
    metrics,
};
use pharos_alerting_api::alert_json;
use pharos_domain::{ports::Ports, timestamp::Timestamp};
use pharos_supervisor::Task;
use time::{Duration, OffsetDateTime};

use super::{
    alert_metrics,
    outgoing::{mailer, resolver, trust},
    work::{BackgroundTask, Work, WorkContext},
};
use crate::{finding::Finding, role::Role};

const EVALUATOR: Task = Task::aside("alert rules");
/// How many channels that fail are named.
const NAMED: u32 = 10;

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

/// The channels that should deliver but don't, and the deliveries that were given up within a day. Channels whose mails a
/// reader ended are as that reader wants.
///
/// # Errors
/// A missing port, or the database could not say.
pub(super) async fn findings(ports: &Ports) -> anyhow::Result<Vec<Finding>> {
    const WHAT: &str = "alert channels";
    let channels = ports.get::<dyn ChannelStore>()?;
    let since = OffsetDateTime::now_utc().saturating_sub(Duration::DAY);
    let troubles = channels.in_trouble(since, NAMED).await?;
    if troubles.is_empty() {
        let detail = match channels.unsubscribed().await? {
            0 => "none fails".to_owned(),
            1 => "none fails; one is off because its reader wants no mails".to_owned(),
            off => format!("none fails; {off} are off because their readers want no mails"),
        };
        return Ok(vec![Finding::well(WHAT, detail)]);
    }
    let told = |trouble: &ChannelTrouble| Finding::wrong(WHAT, &trouble_of(trouble));
    Ok(troubles.iter().map(told).collect())
}

fn trouble_of(trouble: &ChannelTrouble) -> String {
    let ChannelTrouble {
        id,
        name,
        workspace_name,
        failing_since,
        given_up,
        last_error,
        off_reason,
    } = trouble;
    let mut detail = format!("“{name}” of {workspace_name}");
    if let Some(reason) = off_reason {
        return format!(
            "{detail} is switched off: {reason}; mend that and switch it on by pharos admin channel on {id}, or end it by pharos admin \
             channel delete {id}"
        );
    }
    if let Some(since) = failing_since {
        detail.push_str(&format!(" fails since {}", Timestamp::from(*since)));
    }
    if *given_up > 0 {
        let and = if failing_since.is_some() { "," } else { "" };
        detail.push_str(&format!("{and} gave up {given_up} deliveries within a day"));
    }
    if let Some(error) = last_error {
        detail.push_str(&format!(": {error}"));
    }
    detail.push_str(&format!("; pharos admin channel deliveries {id} lists them"));
    if *given_up > 0 {
        detail.push_str(", pharos admin job retry sends one again");
    }
    detail
}
