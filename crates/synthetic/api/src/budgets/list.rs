//! GET /domains/{domain_id}/synthetic/budgets

use pharos_domain::{identity::DomainAccess, module::Module, page::Page, scope::Scope};
use pharos_http::{
    extract::port::Port,
    operation::ApiResult,
    spec::{Credits, OperationSpec, Paging},
};
use pharos_synthetic::store::LabStore;

use super::BudgetPublic;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listSyntheticBudgets",
    path: "/domains/{domain_id}/synthetic/budgets",
    module: Module::Synthetic,
    summary: "Budgets, with how each stands by the newest tests",
    description: "All of them, in one page, in the order in which they were sent.",
    scope: Some(Scope::ReadSynthetic),
    credits: Credits::Cheap,
    paging: Paging::Single,
    ..OperationSpec::GET
};

pub(crate) async fn list(access: DomainAccess, store: Port<dyn LabStore>) -> ApiResult<Page<BudgetPublic>> {
    let budgets = store.budgets(&access).await?;
    Ok(Page::single(
        budgets.into_iter().map(BudgetPublic::from).collect(),
    ))
}
