//! Who changed something, for the audit log.

use std::net::IpAddr;

use crate::{
    identity::Source,
    ids::{ClientId, UserId},
};

/// Who made a change that is not made through an operation of the public API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    name: String,
    source: Option<IpAddr>,
}

impl Actor {
    /// Someone at the command line, by the name of the system's account.
    #[must_use]
    pub fn command_line(account: &str) -> Self {
        Self::named(format!(
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
        Self::named(format!("user:{id}"))
    }

    /// An app that was registered as an OAuth client.
    #[must_use]
    pub fn client(id: ClientId) -> Self {
        Self::named(format!("client:{id}"))
    }

    /// Somebody who follows a link in a mail, of whom nothing else is known.
    #[must_use]
    pub fn reader() -> Self {
        Self::named("reader".to_owned())
    }

    /// Pharos itself: the demo, a background job.
    #[must_use]
    pub fn system() -> Self {
        Self::named("system".to_owned())
    }

    /// The user whom the audit log writes so, if it is someone at the console.
    #[must_use]
    pub fn user_of(name: &str) -> Option<UserId> {
        name.strip_prefix("user:")?.parse().ok()
    }

    /// As the audit log writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// The same, who makes the change from that address.
    #[must_use]
    pub fn from(self, source: Source) -> Self {
        Self {
            source: source.0,
            ..self
        }
    }

    /// The address that the change is made from. `None`: at the command line, or it is not known.
    #[must_use]
    pub fn source(&self) -> Option<IpAddr> {
        self.source
    }

    fn named(name: String) -> Self {
        Self { name, source: None }
    }
}
