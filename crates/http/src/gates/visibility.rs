//! Visibility: does the credential reach the workspace or domain that the request is about? 404, never 403.

use std::sync::Arc;

use percent_encoding::percent_decode_str;
use pharos_domain::{
    identity::{DomainAccess, Identity, WorkspaceAccess},
    ids::{DomainId, WorkspaceId, parse_hyphenated},
    problem::Suffix,
};

use crate::{
    extract::argument::Call,
    operation::Reach,
    problem::{Problem, out_of_reach},
};

/// The workspace and the domain that a request names: in its path, or else in its query.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Subject {
    pub(super) workspace: Option<WorkspaceId>,
    pub(super) domain: Option<DomainId>,
}

impl Subject {
    /// Reads a path that is still as it came. A client may encode any character, those of an id too (RFC 3986, section 2.3).
    pub(super) fn of_path(path: &[(&'static str, String)]) -> Self {
        let id = |name: &str| {
            let (_, raw) = path.iter().find(|(known, _)| *known == name)?;
            let text = percent_decode_str(raw).decode_utf8().ok()?;
            parse_hyphenated(&text)
        };
        Self {
            workspace: id("workspace_id").map(WorkspaceId),
            domain: id("domain_id").map(DomainId),
        }
    }

    /// Reads the decoded path, else the query.
    pub(super) fn of_call(call: &Call) -> Self {
        let id = |name: &str| {
            parse_hyphenated(call.path_parameter(name))
                .or_else(|| call.query_parameter(name).and_then(parse_hyphenated))
        };
        Self {
            workspace: id("workspace_id").map(WorkspaceId),
            domain: id("domain_id").map(DomainId),
        }
    }
}

/// Asks whether the caller reaches what the request is about.
pub(super) struct VisibilityGate<'a>(pub(super) &'a Arc<Identity>);

impl VisibilityGate<'_> {
    pub(super) fn pass(&self, subject: Subject) -> Result<Reach, Problem> {
        let Self(identity) = self;
        let domain = subject.domain.map(|id| {
            let missing = || out_of_reach(Suffix::DomainNotFound, "domain", id);
            DomainAccess::open(identity, id).ok_or_else(missing)
        });
        let domain = domain.transpose()?;
        let workspace = subject.workspace.map(|id| {
            let missing = || out_of_reach(Suffix::WorkspaceNotFound, "workspace", id);
            WorkspaceAccess::open(identity, id).ok_or_else(missing)
        });
        let workspace = workspace
            .transpose()?
            .or_else(|| domain.as_ref().map(|domain| domain.workspace().clone()));
        Ok(Reach {
            identity: Arc::clone(identity),
            workspace,
            domain,
            slip: None,
        })
    }
}
