//! GET /credits/log

use std::borrow::Cow;

use pharos_account::credits::{CreditStore, LoggedCall};
use pharos_domain::{
    clock::Clock,
    credits::CacheOutcome,
    ids::{CredentialId, DomainId, RequestId, WorkspaceId},
    module::Module,
    page::{Page, PageRequest},
    timestamp::Timestamp,
};
use pharos_http::{
    catalogue::Catalogue,
    extract::{port::Port, query::Query},
    operation::{ApiResult, Caller, Example},
    spec::{OperationSpec, Paging},
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

use super::WorkspaceChoice;

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listCreditLog",
    path: "/credits/log",
    module: Module::Credits,
    summary: "The calls of the present cycle with what they cost, the newest first",
    description: "Every call by a known credential, refusals and other calls that cost nothing included; these may \
                  show a moment late. The costs of the cycle add up to `used` of the balance.",
    paging: Paging::cursor(1_000),
    ..OperationSpec::GET
};

pub(crate) async fn list(
    caller: Caller,
    Query(choice): Query<WorkspaceChoice>,
    page: PageRequest,
    store: Port<dyn CreditStore>,
    catalogue: Port<Catalogue>,
    clock: Port<dyn Clock>,
) -> ApiResult<Page<CreditLogEntryPublic>> {
    let access = choice.open(&caller)?;
    let calls = store.log(&access, &page, clock.now()).await?;
    Ok(calls.map(|call| CreditLogEntryPublic::new(call, &catalogue)))
}

/// A call, and what it cost.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CreditLogEntry)]
pub(crate) struct CreditLogEntryPublic {
    /// The call's id. Calls of one moment are in the order of their ids.
    id: RequestId,
    /// When it was answered.
    occurred_at: Timestamp,
    /// The workspace that was charged.
    workspace_id: WorkspaceId,
    /// The credential; of a call at the console, the user's id.
    credential_id: CredentialId,
    /// The HTTP method; empty where this version no longer has the operation.
    #[schema(example = "GET")]
    method: &'static str,
    /// The template of the path below `/api/public/v1`, never the path itself; where this version no longer has the
    /// operation, its `operationId`.
    #[schema(example = "/domains/{domain_id}/uptime/status")]
    route: Cow<'static, str>,
    /// The HTTP status.
    #[schema(minimum = 100, maximum = 599)]
    status: u16,
    /// The credits that were charged; 0 for answers from the cache, refusals, replays and discovery.
    #[schema(minimum = 0)]
    cost: u32,
    /// Where the answer came from.
    cache: CacheOutcome,
    /// The answer's `X-Request-Id`; equals `id`.
    request_id: RequestId,
    /// The domain of the path; null where it has none in reach.
    #[schema(required)]
    domain_id: Option<DomainId>,
}

impl CreditLogEntryPublic {
    fn new(call: LoggedCall, catalogue: &Catalogue) -> Self {
        let LoggedCall {
            request_id,
            occurred_at,
            workspace_id,
            credential_id,
            domain_id,
            operation,
            status,
            cost,
            cache,
        } = call;
        let (method, route) = match catalogue.find(&operation) {
            Some(spec) => (spec.method.as_str(), Cow::Borrowed(spec.path)),
            None => ("", Cow::Owned(operation)),
        };
        Self {
            id: request_id,
            occurred_at: occurred_at.into(),
            workspace_id,
            credential_id,
            method,
            route,
            status,
            cost,
            cache,
            request_id,
            domain_id,
        }
    }
}

impl Example for CreditLogEntryPublic {
    fn example() -> Self {
        let request_id = RequestId(uuid!("0190f3c2-e1b5-7ba8-94c9-a0808fd15f88"));
        Self {
            id: request_id,
            occurred_at: datetime!(2026-03-31 09:14:30 UTC).into(),
            workspace_id: WorkspaceId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11")),
            credential_id: CredentialId(uuid!("0190f3c2-8b5f-7d42-8e63-4a2a1c7b9f22")),
            method: "GET",
            route: Cow::Borrowed("/domains/{domain_id}/uptime/status"),
            status: 200,
            cost: 1,
            cache: CacheOutcome::Miss,
            request_id,
            domain_id: Some(DomainId(uuid!("0190f3c2-9c60-7e53-8f74-5b3b2d8c0a33"))),
        }
    }
}
