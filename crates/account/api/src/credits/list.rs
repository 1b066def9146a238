//! GET /credits/workspaces

use pharos_account::credits::CreditStore;
use pharos_domain::{clock::Clock, identity::WorkspaceAccess, module::Module, page::Page};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Caller},
    spec::{OperationSpec, Paging},
};

use super::CreditBalancePublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listCreditWorkspaces",
    path: "/credits/workspaces",
    module: Module::Credits,
    summary: "The credits that each workspace in reach has left",
    description: "All in one page, the oldest workspace first. A key reaches exactly one.",
    paging: Paging::Single,
    ..OperationSpec::GET
};

pub(crate) async fn list(
    caller: Caller,
    store: Port<dyn CreditStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<CreditBalancePublic>> {
    let reach = WorkspaceAccess::open_all(&caller.0);
    let balances = store.balances(&reach, clock.now()).await?;
    Ok(Page::single(
        balances.into_iter().map(CreditBalancePublic::from).collect(),
    ))
}
