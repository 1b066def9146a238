//! The context of a request: the headers of its answer and its row in the log are made from it.

use std::sync::Arc;

use pharos_domain::{
    credits::{CacheOutcome, LogEntry, Payer},
    identity::{DomainAccess, Identity, Source, WorkspaceAccess},
    ids::{DomainId, RequestId, WorkspaceId},
    permit::Permit,
    refusals::{RefusedCredential, RefusedRequest},
    scope::Scope,
};
use time::OffsetDateTime;

use crate::{metering::Standing, problem::Problem, spec::OperationSpec};

/// A request on its way through the gates.
#[derive(Debug)]
pub(crate) struct RequestContext {
    pub(crate) id: RequestId,
    /// Who calls, once that is known.
    pub(crate) identity: Option<Arc<Identity>>,
    /// Whose credential was refused, where that is known.
    pub(crate) refused_credential: Option<RefusedCredential>,
    /// Who pays; the workspace whose daily ceiling counts is the same.
    pub(crate) workspace: Option<WorkspaceId>,
    /// The domain of the path, where it is in reach.
    pub(crate) domain: Option<DomainId>,
    /// The bucket that will refuse first; `None` while nothing is counted.
    pub(crate) standing: Option<Standing>,
    /// The permit of a heavy query, held until the request is over.
    pub(crate) permit: Permit,
    /// Where the answer came from.
    pub(crate) cache: CacheOutcome,
    /// Credits charged.
    pub(crate) cost: u32,
    /// Credits left to the payer, once a charge or a look-up has told.
    pub(crate) remaining: Option<u64>,
    /// Whether the answer was given before.
    pub(crate) replayed: bool,
    /// Whether the log has the request's row already.
    pub(crate) logged: bool,
    /// Whether scripts of any origin may read the answer (CORS).
    pub(crate) is_for_scripts: bool,
}

impl RequestContext {
    /// The context of a request that was only just received.
    pub(crate) fn new(id: RequestId) -> Self {
        Self {
            id,
            identity: None,
            refused_credential: None,
            workspace: None,
            domain: None,
            standing: None,
            permit: Permit::default(),
            cache: CacheOutcome::Miss,
            cost: 0,
            remaining: None,
            replayed: false,
            logged: false,
            is_for_scripts: true,
        }
    }

    /// Notes who calls, and whose ceiling counts: that of the workspace that the request is about where the caller
    /// reaches it, else the caller's default. So nobody spends what is another's.
    pub(crate) fn identify(
        &mut self,
        identity: Arc<Identity>,
        workspace: Option<WorkspaceId>,
        domain: Option<DomainId>,
    ) {
        let domain = domain.and_then(|id| DomainAccess::open(&identity, id));
        let of_domain = domain.as_ref().map(|domain| domain.workspace().workspace().id);
        let named = || workspace.filter(|id| WorkspaceAccess::open(&identity, *id).is_some());
        self.workspace = of_domain.or_else(named).or(identity.default_workspace_id);
        self.domain = domain.map(|domain| domain.id());
        self.identity = Some(identity);
    }

    /// Who pays; `None` where nobody is known to.
    pub(crate) fn payer(&self) -> Option<Payer> {
        Some(Payer {
            workspace: self.workspace?,
            user: self.identity.as_ref()?.user_id,
        })
    }

    /// The row of the log.
    pub(crate) fn entry(
        &self,
        spec: &'static OperationSpec,
        status: u16,
        cost: u32,
        now: OffsetDateTime,
    ) -> Option<LogEntry> {
        let identity = self.identity.as_ref()?;
        Some(LogEntry {
            request_id: self.id,
            // PostgreSQL keeps microseconds; a row must be found again under the moment that it was given.
            occurred_at: now
                .replace_nanosecond(now.nanosecond() / 1_000 * 1_000)
                .unwrap_or(now),
            workspace_id: self.workspace?,
            credential_id: identity.credential_id,
            user_id: identity.user_id,
            domain_id: self.domain,
            operation: spec.id,
            status,
            cost,
            cache: self.cache,
        })
    }

    /// The note of its refusal for people of the caller's workspace; `None` where nobody knows whose the request is.
    pub(crate) fn refused(
        &self,
        operation: Option<&'static str>,
        problem: &Problem,
        source: Source,
        now: OffsetDateTime,
    ) -> Option<RefusedRequest> {
        let (workspace_id, credential_id, fault) = match (&self.identity, self.refused_credential) {
            (Some(identity), _) => (self.workspace?, identity.credential_id, None),
            (None, Some(refused)) => (
                refused.workspace_id,
                refused.credential_id,
                Some(refused.fault.as_str()),
            ),
            (None, None) => return None,
        };
        let scope = problem.extras.required_scope.map(Scope::as_str);
        Some(RefusedRequest {
            request_id: self.id,
            at: now,
            workspace_id,
            credential_id,
            operation,
            problem: problem.suffix,
            about: fault.or(scope).or(problem.extras.bucket),
            source,
        })
    }

    /// The row of the log for a request that succeeds and is charged.
    ///
    /// # Errors
    /// Nobody is known to pay, which the gates rule out.
    pub(crate) fn charge(
        &self,
        spec: &'static OperationSpec,
        now: OffsetDateTime,
    ) -> Result<LogEntry, Problem> {
        self.entry(spec, spec.success, spec.credits.price(), now)
            .ok_or_else(|| Problem::internal("nobody pays for this request"))
    }
}
