//! The secrets by which pages are reached.

use pharos_domain::secret::Secret;
use serde::{Deserialize, Serialize};

/// Why the secrets of a page can't be opened, and what to do.
pub const UNOPENED: &str =
    "the secrets of the page can't be opened: they were sealed by another secret_key; set them anew";

/// The secrets by which a page is reached. They are sealed where they are stored, and never shown to anybody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSecrets {
    /// User and password of HTTP's basic authentication.
    pub basic_auth: Option<BasicAuth>,
    /// The value of a `Cookie` header.
    pub cookie: Option<Secret>,
}

/// User and password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BasicAuth {
    /// The name that the page asks for.
    pub username: String,
    /// The password that goes with it.
    pub password: Secret,
}

impl PageSecrets {
    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.basic_auth.is_none() && self.cookie.is_none()
    }
}
