//! GET /me

use std::collections::BTreeMap;

use pharos_domain::{
    identity::{CredentialKind, Identity},
    ids::{CredentialId, UserId, WorkspaceId},
    role::Role,
    scope::{Scope, ScopeSet},
    timestamp::Timestamp,
};
use pharos_http::{
    effective::EffectiveScopes,
    extract::port::Port,
    operation::{ApiResult, Caller, Example},
    spec::OperationSpec,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::uuid;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getMe",
    path: "/me",
    summary: "Who the credential is, and what it can do",
    description: "Build on `effective_scopes`: a granted scope is a ceiling, and counts only where the user's role \
                  and the workspace's plan let some operation use it.",
    ..OperationSpec::GET
};

pub(super) async fn view(caller: Caller, scopes: Port<EffectiveScopes>) -> ApiResult<IdentityPublic> {
    Ok(IdentityPublic::new(&caller.0, scopes.effective(&caller.0)))
}

/// Who a credential is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Identity)]
pub(super) struct IdentityPublic {
    /// A key or a token.
    kind: CredentialKind,
    /// The key's id, or the token's grant. Rotation and refresh keep it.
    credential_id: CredentialId,
    /// The user behind the credential; of a key, who created it.
    user_id: UserId,
    /// The workspaces in reach; one for a key.
    workspace_ids: Vec<WorkspaceId>,
    /// Who pays where a request does not say; null for a grant that lost all its workspaces.
    #[schema(required)]
    default_workspace_id: Option<WorkspaceId>,
    /// The scopes as granted.
    #[schema(value_type = Vec<Scope>)]
    scopes: ScopeSet,
    /// The granted scopes that some operation in reach needs.
    #[schema(value_type = Vec<Scope>)]
    effective_scopes: ScopeSet,
    /// The user's role in each workspace, by workspace id.
    #[schema(value_type = std::collections::HashMap<String, Role>)]
    roles: BTreeMap<WorkspaceId, Role>,
    /// The OAuth app; null for keys.
    #[schema(required)]
    client_id: Option<String>,
    /// The key's name; null for tokens.
    #[schema(required)]
    name: Option<String>,
    /// The first 16 characters of the key; null for tokens.
    #[schema(required)]
    key_prefix: Option<String>,
    /// When the credential ends; null: never.
    #[schema(required)]
    expires_at: Option<Timestamp>,
    /// The OAuth resource; null for keys.
    #[schema(required)]
    audience: Option<String>,
}

impl IdentityPublic {
    fn new(identity: &Identity, effective_scopes: ScopeSet) -> Self {
        let Identity {
            kind,
            credential_id,
            user_id,
            name,
            key_prefix,
            expires_at,
            client_id,
            audience,
            scopes,
            workspaces,
            default_workspace_id,
        } = identity;
        Self {
            kind: *kind,
            credential_id: *credential_id,
            user_id: *user_id,
            workspace_ids: workspaces.iter().map(|workspace| workspace.id).collect(),
            default_workspace_id: *default_workspace_id,
            scopes: *scopes,
            effective_scopes,
            roles: workspaces
                .iter()
                .map(|workspace| (workspace.id, workspace.role))
                .collect(),
            client_id: client_id.clone(),
            name: name.clone(),
            key_prefix: key_prefix.clone(),
            expires_at: expires_at.map(Timestamp::from),
            audience: audience.clone(),
        }
    }
}

impl Example for IdentityPublic {
    fn example() -> Self {
        let workspace = WorkspaceId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11"));
        let scopes = [Scope::ReadDomains, Scope::ReadUptime].into_iter().collect();
        Self {
            kind: CredentialKind::ApiKey,
            credential_id: CredentialId(uuid!("0190f3c2-8b5f-7d42-8e63-4a2a1c7b9f22")),
            user_id: UserId(uuid!("0190f3c2-6f3d-7b20-8c41-2e0e9a597d00")),
            workspace_ids: vec![workspace],
            default_workspace_id: Some(workspace),
            scopes,
            effective_scopes: scopes,
            roles: BTreeMap::from([(workspace, Role::Admin)]),
            client_id: None,
            name: Some("Status board".to_owned()),
            key_prefix: Some("svc_live_q7Rk2xV".to_owned()),
            expires_at: None,
            audience: None,
        }
    }
}
