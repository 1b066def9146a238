//! The background work of vitals: the collection of field data, and lookups. And how the collection does.

use std::sync::Arc;

use futures_util::FutureExt;
use pharos_domain::{ports::Ports, timestamp::Timestamp};
use pharos_egress::address_policy::AddressPolicy;
use pharos_supervisor::Task;
use pharos_vitals::crux::{
    client::CruxClient,
    lookup::Lookups,
    metrics,
    store::{CollectionHealth, CruxCollection},
    watch::CruxWatch,
};

use super::{
    outgoing::{resolver, trust},
    work::{BackgroundTask, Work, WorkContext},
};
use crate::{config::Config, finding::Finding, role::Role};

const FIELD_DATA: Task = Task::aside("field data");

/// The work of a node for vitals, as its roles say. Without a key of the API nothing is collected.
///
/// # Errors
/// Requests need what can't be had: name servers, certificate authorities, a missing port.
pub(super) fn work(context: &WorkContext<'_>) -> anyhow::Result<Work> {
    let WorkContext {
        config,
        ports,
        policy,
        clock,
        ..
    } = *context;
    let client = client(config, ports, policy.clone())?;
    if client.is_some() {
        metrics::begin();
    }
    let mut work = Work::default();
    if let Some(client) = &client
        && config.roles.contains(&Role::Scheduler)
    {
        let watch = CruxWatch {
            store: ports.get()?,
            client: Arc::clone(client),
            clock: Arc::clone(clock),
        };
        work.tasks.push(BackgroundTask {
            task: FIELD_DATA,
            run: Box::new(move |stop, abandon| watch.clone().run(stop, abandon).boxed()),
        });
    }
    work.handlers.push(Arc::new(Lookups {
        store: ports.get()?,
        client,
        clock: Arc::clone(clock),
    }));
    Ok(work)
}

fn client(config: &Config, ports: &Ports, policy: AddressPolicy) -> anyhow::Result<Option<Arc<CruxClient>>> {
    let Some(key) = config.crux_api_key.clone() else {
        return Ok(None);
    };
    let (resolver, trust) = (resolver()?, trust(config)?);
    let client = CruxClient::new(
        resolver,
        policy,
        &trust,
        config.crux_service()?,
        key,
        ports.get()?,
    )?;
    Ok(Some(Arc::new(client)))
}

/// How the collection of field data does.
///
/// # Errors
/// A missing port, or the database could not say.
pub(super) async fn findings(ports: &Ports, config: &Config) -> anyhow::Result<Vec<Finding>> {
    Ok(vec![field_data(ports, config).await?])
}

/// The collection of field data. Without a key there is none; one that the API refuses, or that nobody does, is ours.
async fn field_data(ports: &Ports, config: &Config) -> anyhow::Result<Finding> {
    const WHAT: &str = "field data";
    const SEVERAL: u64 = 3;
    let collection = ports.get::<dyn CruxCollection>()?;
    let CollectionHealth {
        followed,
        failing,
        failing_since,
        failure,
        fetched_at,
        overdue,
    } = collection.health().await?;
    if config.crux_api_key.is_none() {
        return Ok(Finding::well(
            WHAT,
            "none is collected, since crux_api_key is not set: a key of the Chrome UX Report API costs nothing, and \
             docs/guides/field-data.md says how to get one",
        ));
    }
    let last = fetched_at.map_or_else(
        || "never yet".to_owned(),
        |at| format!("last at {}", Timestamp::from(at)),
    );
    let mut detail = format!(
        "followed origins and pages: {followed}, {last} with success; failed the last time: {failing}"
    );
    if let Some(failure) = failure {
        detail = format!("{detail} ({failure})");
    }
    if overdue > 0 {
        let detail = format!(
            "{detail}; due for more than an hour: {overdue}, since no node has the role scheduler and a key"
        );
        return Ok(Finding::wrong(WHAT, &detail));
    }
    // One page that fails is the page's fault; where all do, or several and none besides, it is the key's. The others are queried
    // only once a day.
    if failing_since >= SEVERAL || (failing > 0 && failing == followed) {
        return Ok(Finding::wrong(
            WHAT,
            &format!("{detail}; check PHAROS_CRUX_API_KEY"),
        ));
    }
    Ok(Finding::well(WHAT, detail))
}
