//! GET /credits

use pharos_account::credits::CreditStore;
use pharos_domain::{clock::Clock, module::Module, problem::Suffix};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Caller},
    problem::out_of_reach,
    spec::OperationSpec,
};

use super::{CreditBalancePublic, WorkspaceChoice};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "getCredits",
    path: "/credits",
    module: Module::Credits,
    summary: "The credits that a workspace has left",
    description: "Free, and readable when nothing is left.",
    ..OperationSpec::GET
};

pub(crate) async fn view(
    caller: Caller,
    Query(choice): Query<WorkspaceChoice>,
    store: Port<dyn CreditStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<CreditBalancePublic> {
    let access = choice.open(&caller)?;
    let balances = store.balances(std::slice::from_ref(&access), clock.now()).await?;
    let balance = balances.into_iter().next();
    let balance = balance.ok_or_else(|| {
        let workspace = access.workspace().id;
        out_of_reach(Suffix::WorkspaceNotFound, "workspace", workspace)
    })?;
    Ok(balance.into())
}
