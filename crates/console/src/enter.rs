//! The ways of a user into a workspace and into a domain. Who is no member of it finds no page there.

use std::sync::Arc;

use actix_web::{HttpRequest, http::Method};
use pharos_auth::oauth::store::ConsentWorkspace;
use pharos_domain::{
    credits::{Charged, Note, Slip},
    hourly_limit::{HourlyAdmission, HourlyLimit, HourlyRequest},
    identity::{DomainAccess, ReachableWorkspace, WorkspaceAccess},
    ids::{DomainId, WorkspaceId},
    module::Module,
    role::Role,
};
use serde_json::{Value, json};

use crate::{console::Console, form::Form, nav::Place, next::Next, refusal::Refusal, visit::SignedIn};

/// Who marks notifications as read, as at the API.
pub(crate) const MARKERS: Role = Role::Member;
/// How many of the newest ones the navigation looks at.
const NEWEST: u32 = 100;
/// How many forms an hour one user may send, about: what they change costs nothing, and stands in the audit trail for years.
const FORMS_PER_HOUR: HourlyLimit = HourlyLimit {
    name: "console-forms",
    per_hour: 3_600,
};

/// A user in a workspace of theirs.
#[derive(Debug)]
pub(crate) struct InWorkspace {
    pub(crate) user: SignedIn,
    pub(crate) access: WorkspaceAccess,
    /// All workspaces of the user, the oldest first.
    pub(crate) workspaces: Vec<ConsentWorkspace>,
    unread: Option<u64>,
}

/// A user at a domain of a workspace of theirs. The access reaches no other domain.
#[derive(Debug)]
pub(crate) struct AtDomain {
    pub(crate) user: SignedIn,
    pub(crate) access: DomainAccess,
    /// All workspaces of the user, the oldest first.
    pub(crate) workspaces: Vec<ConsentWorkspace>,
    unread: Option<u64>,
}

impl Console {
    /// The user, who signs in first where they have not. Each form for which they are looked up counts.
    pub(crate) async fn user(&self, request: &HttpRequest) -> Result<SignedIn, Refusal> {
        // A form is not sent again: its user begins where all begin.
        let asked = match *request.method() {
            Method::GET | Method::HEAD => request.uri().path_and_query(),
            _ => None,
        };
        let next = asked.and_then(|path| Next::parse(path.as_str()));
        let next = next.unwrap_or_default();
        let user = self.signed_in(request).await?.ok_or(Refusal::SignIn { next })?;
        if *request.method() == Method::POST {
            self.admit(&user, FORMS_PER_HOUR).await?;
        }
        Ok(user)
    }

    /// The user in the workspace of that id, if they have at least this role in it.
    pub(crate) async fn in_workspace(
        &self,
        request: &HttpRequest,
        id: &str,
        least: Role,
    ) -> Result<InWorkspace, Refusal> {
        let user = self.user(request).await?;
        let id: WorkspaceId = id.parse().map_err(|_| Refusal::NoPage)?;
        let owner = user.session.user;
        let (workspaces, identity) = tokio::try_join!(
            self.parts.grants.workspaces(owner),
            self.parts.reach.workspace(owner, id)
        )?;
        let access = identity.and_then(|identity| WorkspaceAccess::open(&identity, id));
        let access = access.ok_or(Refusal::NoPage)?;
        allow(access.workspace().role, least)?;
        Ok(InWorkspace {
            unread: self.unread(request, &access).await,
            user,
            access,
            workspaces,
        })
    }

    /// The user at the domain of that id, if they have at least this role in its workspace.
    pub(crate) async fn at_domain(
        &self,
        request: &HttpRequest,
        id: &str,
        least: Role,
    ) -> Result<AtDomain, Refusal> {
        let user = self.user(request).await?;
        let id: DomainId = id.parse().map_err(|_| Refusal::NoPage)?;
        let owner = user.session.user;
        let (workspaces, identity) = tokio::try_join!(
            self.parts.grants.workspaces(owner),
            self.parts.reach.domain(owner, id)
        )?;
        let access = identity.and_then(|identity| DomainAccess::open(&identity, id));
        let access = access.ok_or(Refusal::NoPage)?;
        allow(access.workspace().workspace().role, least)?;
        Ok(AtDomain {
            unread: self.unread(request, access.workspace()).await,
            user,
            access,
            workspaces,
        })
    }

    /// The user at the domain of that id, if they have at least this role in its workspace, its plan has the module, and the form is
    /// one that they were given.
    pub(crate) async fn changer(
        &self,
        request: &HttpRequest,
        id: &str,
        (least, module): (Role, Module),
        sent: &Form,
    ) -> Result<AtDomain, Refusal> {
        let here = self.at_domain(request, id, least).await?;
        here.user.check(sent, self)?;
        if here.has(module) {
            Ok(here)
        } else {
            Err(Refusal::NoForm)
        }
    }

    /// How many of the newest notifications the user has not read; `None` where the navigation does not say so: on the answer to a
    /// form, to who can't mark them, without the module, and where it can't be read.
    async fn unread(&self, request: &HttpRequest, access: &WorkspaceAccess) -> Option<u64> {
        let workspace = access.workspace();
        let is_page = matches!(*request.method(), Method::GET | Method::HEAD);
        if !is_page || workspace.role < MARKERS || !workspace.has_module(Module::Notifications) {
            return None;
        }
        let reader = access.identity().user_id;
        let notifications = &self.parts.notifications;
        notifications.unread_of_newest(access, reader, NEWEST).await.ok()
    }

    /// Refuses what the user does more often than that in an hour.
    pub(crate) async fn admit(&self, user: &SignedIn, limit: HourlyLimit) -> Result<(), Refusal> {
        let asked = HourlyRequest {
            limit,
            subject: user.session.user.0.as_bytes(),
            weight: 1,
            now: self.parts.clock.now(),
        };
        match self.parts.limiter.admit_hourly(&asked).await {
            HourlyAdmission::Admitted => Ok(()),
            HourlyAdmission::Refused { retry_after_seconds } => {
                Err(Refusal::TooOften { retry_after_seconds })
            }
        }
    }
}

fn allow(role: Role, least: Role) -> Result<(), Refusal> {
    if role >= least {
        Ok(())
    } else {
        Err(Refusal::NotAllowed { least })
    }
}

/// Refuses what changes or starts something, where the subscription allows that no more: as the API's gate does.
fn writable(workspace: &ReachableWorkspace) -> Result<(), Refusal> {
    if workspace.subscription.is_writable() {
        Ok(())
    } else {
        Err(Refusal::NotWritable)
    }
}

impl InWorkspace {
    /// The workspace.
    pub(crate) fn id(&self) -> WorkspaceId {
        self.access.workspace().id
    }

    /// The role of the user in it.
    pub(crate) fn role(&self) -> Role {
        self.access.workspace().role
    }

    /// Refuses what the subscription of the workspace does not allow.
    pub(crate) fn writable(&self) -> Result<(), Refusal> {
        writable(self.access.workspace())
    }

    /// The way to a store that changes something of the workspace, as [`AtDomain::noting`] has it.
    pub(crate) fn noting(
        &self,
        console: &Console,
        action: &'static str,
        subject: String,
        mut details: Value,
    ) -> Charged<WorkspaceAccess> {
        details["workspace_id"] = json!(self.id());
        let note = Note {
            actor: self.user.actor(),
            at: console.parts.clock.now(),
            action,
            subject,
            details,
        };
        Charged::new(self.access.clone(), Arc::new(Slip::noting(note)))
    }

    /// The name of the workspace.
    pub(crate) fn name(&self) -> &str {
        name_of(&self.workspaces, self.id())
    }

    /// The place of a page of the workspace, by the last part of its path.
    pub(crate) fn place(&self, path: &'static str) -> Place<'_> {
        Place {
            workspaces: &self.workspaces,
            current: Some((self.id(), path)),
            unread: self.unread,
        }
    }
}

impl AtDomain {
    /// The domain.
    pub(crate) fn id(&self) -> DomainId {
        self.access.id()
    }

    /// The workspace of the domain.
    pub(crate) fn workspace(&self) -> WorkspaceId {
        self.access.workspace().workspace().id
    }

    /// The role of the user in it.
    pub(crate) fn role(&self) -> Role {
        self.access.workspace().workspace().role
    }

    /// Whether the workspace's plan has the module.
    pub(crate) fn has(&self, module: Module) -> bool {
        self.access.workspace().workspace().has_module(module)
    }

    /// Refuses pages that only a plan with the module has.
    pub(crate) fn needs(&self, module: Module) -> Result<(), Refusal> {
        if self.has(module) {
            Ok(())
        } else {
            Err(Refusal::NoPage)
        }
    }

    /// Refuses what the subscription of the workspace does not allow.
    pub(crate) fn writable(&self) -> Result<(), Refusal> {
        writable(self.access.workspace().workspace())
    }

    /// The way to a store that changes something of the domain: nobody pays for a change at the console, and it is noted in the
    /// audit trail.
    pub(crate) fn noting(
        &self,
        console: &Console,
        action: &'static str,
        subject: String,
        mut details: Value,
    ) -> Charged<DomainAccess> {
        details["workspace_id"] = json!(self.workspace());
        details["domain"] = json!(self.access.domain().hostname.as_str());
        let note = Note {
            actor: self.user.actor(),
            at: console.parts.clock.now(),
            action,
            subject,
            details,
        };
        Charged::new(self.access.clone(), Arc::new(Slip::noting(note)))
    }

    /// The name of the workspace.
    pub(crate) fn workspace_name(&self) -> &str {
        name_of(&self.workspaces, self.workspace())
    }

    /// The place of the domain's pages: below the overview of its workspace.
    pub(crate) fn place(&self) -> Place<'_> {
        Place {
            workspaces: &self.workspaces,
            current: Some((self.workspace(), "")),
            unread: self.unread,
        }
    }
}

fn name_of(workspaces: &[ConsentWorkspace], id: WorkspaceId) -> &str {
    let mut found = workspaces.iter().filter(|workspace| workspace.id == id);
    found.next().map_or("", |workspace| workspace.name.as_str())
}
