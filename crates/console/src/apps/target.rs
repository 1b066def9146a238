//! Which access is to end: one grant's, or all of an app's.

use pharos_auth::oauth::store::ConnectedApp;
use pharos_domain::ids::{ClientId, CredentialId};

/// The field, or the parameter, with a grant.
pub(super) const GRANT: &str = "grant";
/// The field, or the parameter, with an app.
pub(super) const APP: &str = "app";

/// The grant or the app whose access is to end.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// One grant.
    Grant(CredentialId),
    /// All that the app was granted.
    App(ClientId),
}

impl Target {
    /// The target that these fields or parameters name, the grant before the app; `None` where neither is an id.
    pub(super) fn parse(grant: &str, app: &str) -> Option<Self> {
        let of_app = || app.parse().map(Self::App);
        grant.parse().map(Self::Grant).or_else(|_| of_app()).ok()
    }

    /// The field of a form, or parameter of a query, that names it.
    pub(super) fn field(self) -> (&'static str, String) {
        match self {
            Self::Grant(grant) => (GRANT, grant.to_string()),
            Self::App(client) => (APP, client.to_string()),
        }
    }

    /// The page that asks once more.
    pub(super) fn path(self) -> String {
        let (name, value) = self.field();
        format!("/console/apps/revoke?{name}={value}")
    }

    pub(super) fn covers(self, connected: &ConnectedApp) -> bool {
        match self {
            Self::Grant(grant) => connected.grant == grant,
            Self::App(client) => connected.client == client,
        }
    }
}
