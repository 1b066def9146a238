//! Users.

use async_trait::async_trait;
use pharos_domain::{audit::Actor, ids::UserId, store::StoreError};
use serde::Serialize;
use time::OffsetDateTime;

use super::AdminError;

/// A user.
#[derive(Clone, Debug, Serialize)]
pub struct User {
    /// The id by which commands name them; an e-mail address may change.
    pub id: UserId,
    /// Their e-mail address, in lower case.
    pub email: String,
    /// The name that pages and members see.
    pub name: String,
    /// When they were disabled; their keys do not work while they are.
    #[serde(with = "time::serde::rfc3339::option")]
    pub disabled_at: Option<OffsetDateTime>,
    /// When they were created.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    /// Whether they look after the installation itself: they throw its switches at the console.
    pub is_operator: bool,
}

/// Changes users.
#[async_trait]
pub trait UserAdmin: Send + Sync {
    /// Creates a user.
    async fn create(
        &self,
        email: &str,
        name: &str,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<User, AdminError>;

    /// Disables or enables a user.
    async fn set_disabled(
        &self,
        id: UserId,
        disabled: bool,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<User, AdminError>;

    /// Makes a user an operator, or one no more.
    async fn set_operator(
        &self,
        id: UserId,
        is_operator: bool,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<User, AdminError>;

    /// The user of an e-mail address.
    async fn find(&self, email: &str) -> Result<Option<User>, StoreError>;

    /// The users of these ids, as far as there are any.
    async fn by_ids(&self, ids: &[UserId]) -> Result<Vec<User>, StoreError>;

    /// All users, the oldest first.
    async fn list(&self) -> Result<Vec<User>, StoreError>;
}

/// Characters that have a meaning of their own beside addresses.
const SPECIALS: &str = "()<>[]:;\\,\"";

/// An e-mail address in the form that it is stored in: trimmed, lower case.
///
/// # Errors
/// [`AdminError::Invalid`]: it is none. The check tells what must hold of every address (RFC 5321, 4.5.3.1), and that nothing
/// stands in it that mails write addresses between (RFC 5322, 3.2.3): no address that is in use is quoted.
pub fn check_email(email: &str) -> Result<String, AdminError> {
    let email = email.trim().to_lowercase();
    let parts = email.rsplit_once('@');
    let fits = parts.is_some_and(|(local, domain)| {
        (1..=64).contains(&local.len()) && domain.parse::<pharos_domain::hostname::Hostname>().is_ok()
    });
    if fits
        && email.len() <= 254
        && !email.contains(|c: char| c.is_whitespace() || c.is_control() || SPECIALS.contains(c))
    {
        Ok(email)
    } else {
        Err(AdminError::Invalid(format!(
            "{email:?} is not an e-mail address such as ada@example.org"
        )))
    }
}
