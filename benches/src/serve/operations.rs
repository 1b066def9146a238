//! Pharos's own registry, and the operations among its own that are measured.

use pharos_domain::{identity::DomainAccess, module::Module, problem::Suffix, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example, Operation},
    problem::Problem,
    registry::{Registry, RegistryError},
    spec::{Bucket, Credits, OperationSpec},
};
use pharos_uptime::store::MonitorStore;

use super::payloads::{Brief, Report};

/// Where the measured ones stand: a router that looks at one operation after the other shows here.
const DEEP: usize = 150;

const BASE: OperationSpec = OperationSpec {
    module: Module::Uptime,
    scope: Some(Scope::ReadUptime),
    ..OperationSpec::GET
};

/// Answered from the cache, once it was computed.
pub(crate) const CACHED: OperationSpec = OperationSpec {
    id: "benchCached",
    path: "/domains/{domain_id}/bench/cached",
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 300,
    ..BASE
};

/// Reads a row, and is charged.
pub(crate) const READ: OperationSpec = OperationSpec {
    id: "benchRead",
    path: "/domains/{domain_id}/bench/read",
    credits: Credits::Cheap,
    ..BASE
};

/// Is charged, and does nothing.
pub(crate) const CHARGED: OperationSpec = OperationSpec {
    id: "benchCharged",
    path: "/domains/{domain_id}/bench/charged",
    credits: Credits::Cheap,
    ..BASE
};

/// The first operation of the registry; like the next two it costs nothing and does nothing.
pub(crate) const FIRST: OperationSpec = OperationSpec {
    id: "benchFirst",
    path: "/domains/{domain_id}/bench/first",
    ..BASE
};

/// The one in the middle.
pub(crate) const MIDDLE: OperationSpec = OperationSpec {
    id: "benchMiddle",
    path: "/domains/{domain_id}/bench/middle",
    ..BASE
};

/// The last.
pub(crate) const LAST: OperationSpec = OperationSpec {
    id: "benchLast",
    path: "/domains/{domain_id}/bench/last",
    ..BASE
};

async fn cached(_access: DomainAccess) -> ApiResult<Report> {
    Ok(Report::example())
}

async fn read(access: DomainAccess, monitors: Port<dyn MonitorStore>) -> ApiResult<Brief> {
    let monitor = monitors.view(&access).await?;
    let missing = || Problem::new(Suffix::UptimeNotFound, "The domain has no monitor.");
    let settings = monitor.ok_or_else(missing)?.settings;
    Ok(Brief {
        enabled: settings.enabled,
        interval_seconds: settings.interval_seconds,
    })
}

async fn brief(_access: DomainAccess) -> ApiResult<Brief> {
    Ok(Brief::example())
}

/// Pharos's own operations, and those that are measured.
pub(super) fn registry() -> Result<Registry, RegistryError> {
    let measured = [
        Operation::new(&CACHED, cached),
        Operation::new(&READ, read),
        Operation::new(&CHARGED, brief),
    ];
    let mut operations = vec![Operation::new(&FIRST, brief)];
    operations.extend(pharos_server::groups::operations());
    operations.insert(operations.len() / 2, Operation::new(&MIDDLE, brief));
    let deep = (DEEP + 1).min(operations.len());
    operations.splice(deep..deep, measured);
    operations.push(Operation::new(&LAST, brief));
    Registry::new(operations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_operations_stand_deep_among_all_others() {
        let registry = registry().unwrap();
        let operations = registry.operations();
        let at = |spec: &OperationSpec| operations.iter().position(|other| other.spec.id == spec.id);
        for spec in [&CACHED, &READ, &CHARGED] {
            assert!(at(spec) > Some(DEEP), "{}", spec.id);
        }
        assert_eq!((at(&FIRST), at(&LAST)), (Some(0), Some(operations.len() - 1)));
        assert!((100..120).contains(&at(&MIDDLE).unwrap()));
    }
}
