//! A port, as a group implements it.

use std::{any::type_name, fmt, ops::Deref, sync::Arc};

use pharos_domain::ports::{MissingPort, Ports};

use super::argument::{Argument, Call};
use crate::{problem::Problem, shapes::Shapes};

/// A port that a handler uses: `Port<dyn CheckStore>`. It is one of the kit's [`Ports`]; a registry that is served has
/// been checked against them, so that a missing one is a refusal at start.
pub struct Port<T: ?Sized>(pub Arc<T>);

impl<T: ?Sized> fmt::Debug for Port<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Port<{}>", type_name::<T>())
    }
}

impl<T: ?Sized> Deref for Port<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized + Send + Sync + 'static> Argument for Port<T> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        let ports = call.request.app_data::<Ports>();
        let port = ports.map_or(Err(MissingPort(type_name::<T>())), Ports::get);
        port.map(Self)
            .map_err(|missing| Problem::internal(missing.to_string()))
    }

    fn document(shapes: &mut Shapes) {
        shapes.ports.push(|ports| ports.get::<T>().map(drop));
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::{
        clock::{Clock, SystemClock},
        hourly_limit::HourlyLimit,
    };

    use serde_json::Value;

    use super::*;
    use crate::{
        open::{OpenAnswer, OpenOperation, OpenSpec},
        operation::{ApiResult, Caller, Example, Operation},
        registry::Registry,
        run::RunPublic,
        spec::{OperationSpec, Verb},
    };

    const SPEC: OperationSpec = OperationSpec {
        id: "getTime",
        path: "/time",
        ..OperationSpec::GET
    };

    const OPEN: OpenSpec = OpenSpec {
        id: "postToken",
        method: Verb::Post,
        path: "/token",
        tag: ("oauth", "OAuth"),
        summary: "",
        description: "",
        is_for_scripts: false,
    };

    async fn time(_: Caller, _: Port<dyn Clock>) -> ApiResult<RunPublic> {
        Ok(RunPublic::example())
    }

    #[test]
    fn an_operation_whose_port_nobody_adds_is_refused_by_name() {
        let registry = Registry::new(vec![Operation::new(&SPEC, time)]).unwrap();
        let wired = Ports::default().with::<dyn Clock>(Arc::new(SystemClock));
        registry.check_ports(&wired).unwrap();
        let refusal = registry.check_ports(&Ports::default()).unwrap_err().to_string();
        assert!(
            refusal.starts_with("getTime: the port dyn pharos_domain::clock::Clock is not wired"),
            "{refusal}"
        );
    }

    #[test]
    fn so_is_one_that_needs_no_credential() {
        let limit = HourlyLimit {
            name: "token",
            per_hour: 1,
        };
        let operation = OpenOperation::new(&OPEN, limit, Value::Null, |_| async {
            OpenAnswer::json(200, &())
        });
        let registry = Registry::with_open(Vec::new(), vec![operation.taking::<dyn Clock>()]).unwrap();
        let refusal = registry.check_ports(&Ports::default()).unwrap_err().to_string();
        assert!(refusal.starts_with("postToken: the port dyn "), "{refusal}");
    }
}
