//! Lists of operations that are no registry.

use crate::{
    operation::{ApiResult, Caller, Example, Operation},
    registry::Registry,
    run::RunPublic,
    spec::OperationSpec,
};

const TIME: OperationSpec = OperationSpec {
    id: "getTime",
    path: "/time",
    ..OperationSpec::GET
};

const OTHER_TIME: OperationSpec = OperationSpec {
    path: "/vitals/time",
    ..TIME
};

const SAME_PATH: OperationSpec = OperationSpec {
    id: "getVitalsTime",
    ..TIME
};

async fn time(_: Caller) -> ApiResult<RunPublic> {
    Ok(RunPublic::example())
}

fn refusal(other: &'static OperationSpec) -> String {
    let operations = vec![Operation::new(&TIME, time), Operation::new(other, time)];
    Registry::new(operations).unwrap_err().to_string()
}

#[test]
fn two_operations_of_one_id_or_one_path_are_refused_by_name() {
    assert_eq!(
        refusal(&OTHER_TIME),
        "two operations are called getTime: that of /time and that of /vitals/time"
    );
    assert_eq!(refusal(&SAME_PATH), "two operations are GET /time");
}
