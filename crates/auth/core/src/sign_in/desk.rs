//! The desk where users sign in and out.

use std::{fmt, sync::Arc};

use pharos_domain::{
    audit::Actor,
    clock::Clock,
    hourly_limit::{HourlyAdmission, HourlyLimit, HourlyLimiter, HourlyRequest},
    identity::Source,
    ids::UserId,
    store::StoreError,
};
use thiserror::Error;
use time::OffsetDateTime;

use super::{
    password::{Hasher, Password},
    session::{LINK_LIFETIME, LINK_PREFIX, SESSION_PREFIX},
    store::{Account, ListedSession, Session, SignInStore},
};
use crate::secret::{NoRandomness, Secret, SecretDigest};

/// How many attempts to sign in an hour allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignInLimits {
    /// One network, whatever the account.
    pub source: u32,
    /// One account, from wherever.
    pub account: u32,
}

impl Default for SignInLimits {
    fn default() -> Self {
        Self {
            source: 60,
            account: 20,
        }
    }
}

/// Lets users in.
pub struct SignInDesk {
    store: Arc<dyn SignInStore>,
    limiter: Arc<dyn HourlyLimiter>,
    limits: SignInLimits,
    clock: Arc<dyn Clock>,
    hasher: Hasher,
}

impl fmt::Debug for SignInDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignInDesk").finish_non_exhaustive()
    }
}

/// Why somebody was not let in.
#[derive(Debug, Error)]
pub enum SignInError {
    /// Nobody has this address and this password. Which of them is wrong is not told.
    #[error("e-mail address or password are wrong")]
    Wrong,
    /// The network or the account was tried too often.
    #[error("too many attempts")]
    TooOften {
        /// When to come again.
        retry_after_seconds: u32,
    },
    /// The link was used, or has lapsed.
    #[error("the link was used, or has lapsed")]
    NoLink,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system has no randomness to give.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}

/// Makes a link by which a user sets a password. `None` where the user is disabled.
///
/// # Errors
/// The store failed, or the system has no randomness.
pub async fn issue_link(
    store: &dyn SignInStore,
    user: UserId,
    actor: &Actor,
    now: OffsetDateTime,
) -> Result<Option<Secret>, SignInError> {
    let link = Secret::generate(LINK_PREFIX)?;
    let issued = store
        .issue_link(&link.digest(), user, now + LINK_LIFETIME, actor, now)
        .await?;
    Ok(issued.then_some(link))
}

impl SignInDesk {
    /// A desk on these ports.
    #[must_use]
    pub fn new(
        store: Arc<dyn SignInStore>,
        limiter: Arc<dyn HourlyLimiter>,
        limits: SignInLimits,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            store,
            limiter,
            limits,
            clock,
            hasher: Hasher::default(),
        }
    }

    /// Signs a user in, and gives the secret of the session.
    ///
    /// # Errors
    /// Why not. An address that nobody has is refused as a wrong password is, at the same cost.
    pub async fn sign_in(&self, email: &str, password: &str, source: Source) -> Result<Secret, SignInError> {
        let account = self.check(email, password, source).await?;
        let account = account.ok_or(SignInError::Wrong)?;
        let session = Secret::generate(SESSION_PREFIX)?;
        let now = self.clock.now();
        if self.store.begin(&session.digest(), &account, now).await? {
            Ok(session)
        } else {
            Err(SignInError::Wrong)
        }
    }

    /// The account of an address, if this is its password. Counts as an attempt.
    async fn check(
        &self,
        email: &str,
        password: &str,
        source: Source,
    ) -> Result<Option<Account>, SignInError> {
        let now = self.clock.now();
        let email = email.trim().to_lowercase();
        let of_source = HourlyLimit {
            name: "sign-in-source",
            per_hour: self.limits.source,
        };
        let of_account = HourlyLimit {
            name: "sign-in-account",
            per_hour: self.limits.account,
        };
        self.admit(of_source, source.network().as_bytes(), now).await?;
        self.admit(of_account, email.as_bytes(), now).await?;
        let password = Password::attempt(password).ok_or(SignInError::Wrong)?;
        // No text of PostgreSQL's has this character, and no address.
        let account = if email.contains('\0') {
            None
        } else {
            self.store.account(&email).await?
        };
        let known = account.as_ref().map(|account| account.password.clone());
        let is_right = self.hasher.verify(password, known).await?;
        Ok(account.filter(|_| is_right))
    }

    /// Every attempt counts, since one that is under way can't be told from one that fails.
    async fn admit(
        &self,
        limit: HourlyLimit,
        subject: &[u8],
        now: OffsetDateTime,
    ) -> Result<(), SignInError> {
        let request = HourlyRequest {
            limit,
            subject,
            weight: 1,
            now,
        };
        match self.limiter.admit_hourly(&request).await {
            HourlyAdmission::Admitted => Ok(()),
            HourlyAdmission::Refused { retry_after_seconds } => {
                Err(SignInError::TooOften { retry_after_seconds })
            }
        }
    }

    /// Who has signed in with this secret.
    ///
    /// # Errors
    /// The store failed.
    pub async fn session(&self, secret: &Secret) -> Result<Option<Session>, StoreError> {
        let (digest, now) = (secret.digest(), self.clock.now());
        let Some(session) = self.store.session(&digest).await? else {
            return Ok(None);
        };
        if !session.holds(now) {
            return Ok(None);
        }
        if session.is_stale(now) {
            self.store.touch(&digest, now).await?;
        }
        Ok(Some(session))
    }

    /// Signs a user out.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sign_out(&self, secret: &Secret) -> Result<(), StoreError> {
        self.store.end(&secret.digest()).await
    }

    /// The sessions of a user that hold, the last used first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sessions(&self, user: UserId) -> Result<Vec<ListedSession>, StoreError> {
        self.store.sessions(user, self.clock.now()).await
    }

    /// Ends one session of a user. One that they do not have is as good as ended.
    ///
    /// # Errors
    /// The store failed.
    pub async fn end_of_user(&self, session: &SecretDigest, user: UserId) -> Result<bool, StoreError> {
        self.store.end_of_user(session, user).await
    }

    /// Changes the password of who has signed in with `secret`, and ends their other sessions.
    ///
    /// # Errors
    /// [`SignInError::Wrong`]: the present password is another. It may be tried as often as a sign-in.
    pub async fn change_password(
        &self,
        session: &Session,
        secret: &Secret,
        present: &str,
        next: Password,
        source: Source,
    ) -> Result<(), SignInError> {
        let account = self.check(&session.email, present, source).await?;
        let account = account.filter(|account| account.user == session.user);
        let account = account.ok_or(SignInError::Wrong)?;
        let hash = self.hasher.hash(next).await?;
        let (kept, now) = (secret.digest(), self.clock.now());
        if self.store.change_password(&account, &hash, &kept, now).await? {
            Ok(())
        } else {
            Err(SignInError::Wrong)
        }
    }

    /// The e-mail address of the user whose link this is.
    ///
    /// # Errors
    /// [`SignInError::NoLink`], or the store failed.
    pub async fn link(&self, token: &str) -> Result<String, SignInError> {
        let link = digest_of_link(token)?;
        let email = self.store.link(&link, self.clock.now()).await?;
        email.ok_or(SignInError::NoLink)
    }

    /// Uses a link up: sets the password, ends every session of its user, and signs them in.
    ///
    /// # Errors
    /// [`SignInError::NoLink`], or the store failed.
    pub async fn set_password(&self, token: &str, password: Password) -> Result<Secret, SignInError> {
        let link = digest_of_link(token)?;
        // Asked before, so that nobody without a link has passwords hashed.
        self.link(token).await?;
        let password = self.hasher.hash(password).await?;
        let session = Secret::generate(SESSION_PREFIX)?;
        let is_set = self
            .store
            .set_password(&link, &password, &session.digest(), self.clock.now())
            .await?;
        if is_set {
            Ok(session)
        } else {
            Err(SignInError::NoLink)
        }
    }
}

fn digest_of_link(token: &str) -> Result<SecretDigest, SignInError> {
    Secret::parse(token, LINK_PREFIX)
        .map(|link| link.digest())
        .ok_or(SignInError::NoLink)
}
