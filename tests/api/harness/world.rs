//! Fixtures, made through the ports that the command line uses.

use std::{collections::BTreeMap, sync::Mutex};

use pharos_auth::keys::{
    manage::{self, KeyRequest},
    secret::Environment,
};
use pharos_domain::{
    audit::Actor,
    ids::{CredentialId, DomainId, UserId, WorkspaceId},
    patch::Patch,
    role::Role,
    scope::{Scope, ScopeSet, Tier},
};
use pharos_tests::stores::Stores;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::fixtures;

/// A key with its secret.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) id: CredentialId,
    pub(crate) secret: String,
}

/// One workspace, its owner, one domain, a key of all scopes.
pub(crate) struct World {
    pub(crate) workspace: WorkspaceId,
    pub(crate) owner: UserId,
    pub(crate) domain: DomainId,
    pub(crate) key: Key,
    /// The ids of things of the domain, by the parameters of paths that name them; where modules share a parameter's name, with
    /// the module before it (`synthetic/url_id`).
    ids: Mutex<BTreeMap<&'static str, Vec<Uuid>>>,
}

pub(crate) fn actor() -> Actor {
    Actor::command_line("test")
}

/// All scopes.
pub(crate) fn all_scopes() -> ScopeSet {
    Tier::ALL
        .iter()
        .map(|tier| tier.scopes())
        .fold(ScopeSet::default(), ScopeSet::union)
}

/// The name of a parameter with its module, as a path has it.
fn of_module(template: &str, parameter: &str) -> String {
    let module = template.split('/').nth(3).unwrap_or_default();
    format!("{module}/{parameter}")
}

impl World {
    /// A world of its own; several can stand in one database.
    pub(crate) async fn create(stores: &Stores, now: OffsetDateTime) -> Self {
        let email = format!("owner-{}@example.org", uuid::Uuid::now_v7());
        let owner = stores
            .users
            .create(&email, "Owner", &actor(), now)
            .await
            .unwrap()
            .id;
        let workspace = stores
            .workspace_admin
            .create("Example", owner, "default", &actor(), now)
            .await
            .unwrap()
            .id;
        let hostname = "shop.example".parse().unwrap();
        let domain = stores
            .domain_admin
            .add(workspace, &hostname, None, &actor(), now)
            .await
            .unwrap()
            .id;
        fixtures::install(&stores.ports, now).await;
        let key = create_key(stores, workspace, owner, all_scopes(), now).await;
        Self {
            workspace,
            owner,
            domain,
            key,
            ids: Mutex::default(),
        }
    }

    /// Has paths name this thing: the first one of a parameter, until that is spent. A parameter that several modules have is
    /// named with its module, as `indexing/url_id`.
    pub(crate) fn identify(&self, parameter: &'static str, id: Uuid) {
        self.ids.lock().unwrap().entry(parameter).or_default().push(id);
    }

    /// The path of a thing that is about to be deleted: it is named no more.
    pub(crate) fn spend(&self, template: &str) -> String {
        let path = self.path(template);
        let last = template.rsplit('{').next().unwrap_or("").trim_end_matches('}');
        let mut ids = self.ids.lock().unwrap();
        let known = of_module(template, last);
        let name = if ids.contains_key(known.as_str()) {
            known.as_str()
        } else {
            last
        };
        if let Some(ids) = ids.get_mut(name)
            && ids.len() > 1
        {
            ids.remove(0);
        }
        path
    }

    /// A path with the ids of the world for its parameters, and an id of nothing for those that no fixture has set.
    pub(crate) fn path(&self, template: &str) -> String {
        filled(template, |parameter| match parameter {
            "domain_id" => self.domain.to_string(),
            "workspace_id" => self.workspace.to_string(),
            "report_key" if template.contains("/gsc/") => "top_pages_full".to_owned(),
            "report_key" => "pages_full".to_owned(),
            other => {
                let ids = self.ids.lock().unwrap();
                let known = ids.get(of_module(template, other).as_str());
                let known = known.or_else(|| ids.get(other));
                let id = known.and_then(|ids| ids.first().copied());
                id.unwrap_or_else(Uuid::now_v7).to_string()
            }
        })
    }

    /// The target of a call of the operation: its path, with the parameters that it can't do without.
    pub(crate) fn target(&self, template: &str) -> String {
        let path = self.path(template);
        match template {
            "/domains/{domain_id}/analytics/events/properties" => format!("{path}?event_name=signup"),
            "/domains/{domain_id}/analytics/funnel" => format!("{path}?step=page:/&step=event:signup"),
            "/domains/{domain_id}/rum/pages/detail" => format!("{path}?url=https://shop.example/"),
            "/domains/{domain_id}/rum/distribution" => format!("{path}?metric=lcp"),
            "/domains/{domain_id}/gsc/queries/detail" => format!("{path}?query=hats"),
            "/domains/{domain_id}/gsc/pages/detail" => format!("{path}?url=https://shop.example/hats"),
            _ => path,
        }
    }

    /// A key of these scopes.
    pub(crate) async fn key(&self, stores: &Stores, scopes: &[Scope], now: OffsetDateTime) -> Key {
        create_key(
            stores,
            self.workspace,
            self.owner,
            scopes.iter().copied().collect(),
            now,
        )
        .await
    }

    /// A further key of all scopes of a member.
    pub(crate) async fn another_key(&self, stores: &Stores, creator: UserId, now: OffsetDateTime) -> Key {
        create_key(stores, self.workspace, creator, all_scopes(), now).await
    }

    /// A key of all scopes whose creator was made this afterwards. Only admins create keys, so they are admin first.
    pub(crate) async fn key_of(&self, stores: &Stores, role: Role, now: OffsetDateTime) -> (Key, UserId) {
        let email = format!("{role}-{}@example.org", uuid::Uuid::now_v7());
        let user = stores
            .users
            .create(&email, "Member", &actor(), now)
            .await
            .unwrap()
            .id;
        stores
            .members
            .put(self.workspace, user, Role::Admin, Patch::Keep, &actor(), now)
            .await
            .unwrap();
        let key = create_key(stores, self.workspace, user, all_scopes(), now).await;
        stores
            .members
            .put(self.workspace, user, role, Patch::Keep, &actor(), now)
            .await
            .unwrap();
        (key, user)
    }
}

/// A path with a value for each parameter.
pub(crate) fn filled(template: &str, value: impl Fn(&str) -> String) -> String {
    let segments = template.split('/').map(|segment| {
        let parameter = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        parameter.map_or_else(|| segment.to_owned(), &value)
    });
    segments.collect::<Vec<_>>().join("/")
}

async fn create_key(
    stores: &Stores,
    workspace: WorkspaceId,
    creator: UserId,
    scopes: ScopeSet,
    now: OffsetDateTime,
) -> Key {
    let request = KeyRequest {
        workspace,
        creator,
        name: "test".to_owned(),
        scopes,
        expires_at: None,
        allowlist: None,
    };
    let (key, secret) = manage::create(&*stores.keys, Environment::Development, &request, &actor(), now)
        .await
        .unwrap();
    Key {
        id: key.id,
        secret: secret.reveal().to_owned(),
    }
}
