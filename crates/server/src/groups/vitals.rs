//! The background work of vitals: the collection of field data, and lookups.

use std::sync::Arc;

use futures_util::FutureExt;
use pharos_domain::ports::Ports;
use pharos_egress::address_policy::AddressPolicy;
use pharos_supervisor::Task;
use pharos_vitals::crux::{client::CruxClient, lookup::Lookups, metrics, watch::CruxWatch};

use super::{
    outgoing::{resolver, trust},
    work::{BackgroundTask, Work, WorkContext},
};
use crate::{config::Config, role::Role};

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
