//! Who changed something, for the audit log.

use serde::Serialize;

use crate::ids::{ClientId, UserId};

/// Who made a change that is not made through an operation of the public API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Actor(String);

impl Actor {
    /// Someone at the command line, by the name of the system's account.
    #[must_use]
    pub fn command_line(account: &str) -> Self {
        Self(format!(
            "cli:{}",
            account
                .chars()
                .filter(|c| !c.is_control())
                .take(64)
                .collect::<String>()
        ))
    }

    /// Someone at the console.
    #[must_use]
    pub fn user(id: UserId) -> Self {
        Self(format!("user:{id}"))
    }

    /// An app that was registered as an OAuth client.
    #[must_use]
    pub fn client(id: ClientId) -> Self {
        Self(format!("client:{id}"))
    }

    /// Pharos itself: the demo, a background job.
    #[must_use]
    pub fn system() -> Self {
        Self("system".to_owned())
    }

    /// As the audit log writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
