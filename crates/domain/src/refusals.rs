//! Requests that were refused, of callers who are known: what people of their workspace are told of them.

use async_trait::async_trait;
use time::OffsetDateTime;

use crate::{
    identity::Source,
    ids::{CredentialId, RequestId, WorkspaceId},
    problem::Suffix,
    store::StoreError,
    wire_enum,
};

wire_enum! {
    /// Why a credential that is known is refused. Its caller is not told, since that would tell a thief.
    CredentialFault {
        /// It was revoked, or the app's access was.
        Revoked = "revoked",
        /// Its time is over.
        Expired = "expired",
        /// The secret was replaced, and its grace is over.
        PastGrace = "past-grace",
        /// The user behind it is disabled, or no member any more.
        NoMember = "no-member",
        /// It came from an address that its allowlist does not have.
        AddressNotAllowed = "address-not-allowed",
        /// It was made for another resource, such as the MCP server.
        OtherResource = "other-resource",
    }
}

/// Whose a credential is that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedCredential {
    /// The key or grant.
    pub credential_id: CredentialId,
    /// Its workspace; of an app that reaches several, the default.
    pub workspace_id: WorkspaceId,
    /// Why.
    pub fault: CredentialFault,
}

/// A request that was refused. It holds nothing that the caller chose: no path, no query, no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedRequest {
    /// The id by which support finds it in logs.
    pub request_id: RequestId,
    /// When it was refused.
    pub at: OffsetDateTime,
    /// The workspace that would have paid.
    pub workspace_id: WorkspaceId,
    /// The key or grant that called.
    pub credential_id: CredentialId,
    /// The operation's id; `None`: the path leads to none.
    pub operation: Option<&'static str>,
    /// The problem that was answered.
    pub problem: Suffix,
    /// The subject of the problem: a [`CredentialFault`], the scope that lacks, the bucket that is empty.
    pub about: Option<&'static str>,
    /// Where it came from.
    pub source: Source,
}

/// Notes refused requests. It is asked on the way of an answer, so it only remembers.
pub trait RefusalLog: Send + Sync {
    /// Notes one.
    fn note(&self, refused: RefusedRequest);
}

/// Writes refused requests down, for all nodes to see.
#[async_trait]
pub trait RefusalWriter: Send + Sync {
    /// Adds these to the last ones of their workspaces. One that is there already stays as it is, and one of a workspace that is
    /// gone is passed over.
    async fn keep(&self, refused: &[RefusedRequest]) -> Result<(), StoreError>;
}

/// How many of a workspace are kept.
pub const MOST_OF_A_WORKSPACE: usize = 200;
