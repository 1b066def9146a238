//! The desk where users sign in and out.

use std::{fmt, sync::Arc};

use pharos_domain::{
    audit::Actor,
    clock::Clock,
    hourly_limit::{HourlyAdmission, HourlyLimit, HourlyLimiter, HourlyRequest},
    identity::Source,
    ids::UserId,
    sealing::SealingKey,
    store::StoreError,
};
use thiserror::Error;
use time::OffsetDateTime;

use super::{
    factor_store::FactorStore,
    forgotten::Forgotten,
    password::{Hasher, Password},
    session::{LINK_LIFETIME, LINK_PREFIX, PENDING_PREFIX, SESSION_PREFIX},
    store::{Account, ListedSession, Session, SessionOrigin, SignInStore, Way, Ways},
};
use crate::secret::{NoRandomness, Secret, SecretDigest};

/// The attempts to sign in that an hour allows, and the links by which people set a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignInLimits {
    /// Attempts of one network, whatever the account.
    pub source: u32,
    /// Attempts on one account, from wherever.
    pub account: u32,
    /// How often one network may report a forgotten password, whatever the account.
    pub forgotten: u32,
    /// Links for one address, whoever requests them, and from wherever.
    pub links_of_account: u32,
    /// Links that one user makes for others.
    pub links_of_maker: u32,
}

impl Default for SignInLimits {
    fn default() -> Self {
        Self {
            source: 60,
            account: 20,
            forgotten: 10,
            links_of_account: 3,
            links_of_maker: 60,
        }
    }
}

/// Lets users in.
pub struct SignInDesk {
    store: Arc<dyn SignInStore>,
    pub(super) factors: Arc<dyn FactorStore>,
    /// Seals the secrets of second factors.
    pub(super) sealing: Arc<SealingKey>,
    limiter: Arc<dyn HourlyLimiter>,
    pub(super) limits: SignInLimits,
    pub(super) clock: Arc<dyn Clock>,
    hasher: Hasher,
}

/// The secret that somebody gets who gave their password.
#[derive(Debug)]
pub enum Entry {
    /// The secret of a session.
    Session(Secret),
    /// The secret of a sign-in that waits for the second factor.
    Pending(Secret),
}

/// The secrets that one of them is made from.
struct Secrets {
    session: Secret,
    pending: Secret,
}

impl Secrets {
    fn generate() -> Result<Self, NoRandomness> {
        Ok(Self {
            session: Secret::generate(SESSION_PREFIX)?,
            pending: Secret::generate(PENDING_PREFIX)?,
        })
    }

    fn ways(&self) -> Ways {
        Ways {
            session: self.session.digest(),
            pending: self.pending.digest(),
        }
    }

    fn entry(self, way: Way) -> Entry {
        match way {
            Way::Session => Entry::Session(self.session),
            Way::Pending => Entry::Pending(self.pending),
        }
    }
}

impl fmt::Debug for SignInDesk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignInDesk").finish_non_exhaustive()
    }
}

/// Why somebody was not let in.
#[derive(Debug, Error)]
pub enum SignInError {
    /// Nobody has this address and this password. It does not reveal which of them is wrong.
    #[error("e-mail address or password are wrong")]
    Wrong,
    /// The network or the account was tried too often.
    #[error("too many attempts")]
    TooOften {
        /// When to come again.
        retry_after_seconds: u32,
    },
    /// This is no code of the second factor, or it was used before.
    #[error("the code is wrong, or was used before")]
    WrongCode,
    /// The second factor took too long, or was tried too often.
    #[error("the sign-in has lapsed")]
    Lapsed,
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
    let link = new_link()?;
    let is_kept = keep_link(store, &link, user, actor, now).await?;
    Ok(is_kept.then_some(link))
}

/// The secret of a link that opens nothing until it is kept.
pub(super) fn new_link() -> Result<Secret, NoRandomness> {
    Secret::generate(LINK_PREFIX)
}

/// Stores a link that sets the password of a user, in place of a link that they may have. `false`: the user is disabled.
pub(super) async fn keep_link(
    store: &dyn SignInStore,
    link: &Secret,
    user: UserId,
    actor: &Actor,
    now: OffsetDateTime,
) -> Result<bool, StoreError> {
    store
        .issue_link(&link.digest(), user, now + LINK_LIFETIME, actor, now)
        .await
}

impl SignInDesk {
    /// A desk on these ports.
    #[must_use]
    pub fn new(
        store: Arc<dyn SignInStore>,
        (factors, sealing): (Arc<dyn FactorStore>, Arc<SealingKey>),
        limiter: Arc<dyn HourlyLimiter>,
        limits: SignInLimits,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            store,
            factors,
            sealing,
            limiter,
            limits,
            clock,
            hasher: Hasher::default(),
        }
    }

    /// Signs a user in as far as a password does: a second factor may follow.
    ///
    /// # Errors
    /// Why not. An address that nobody has is refused as a wrong password is, at the same cost.
    pub async fn sign_in(
        &self,
        email: &str,
        password: &str,
        origin: &SessionOrigin,
    ) -> Result<Entry, SignInError> {
        let account = self.check(email, password, origin.source).await?;
        let account = account.ok_or(SignInError::Wrong)?;
        let secrets = Secrets::generate()?;
        let way = self
            .store
            .begin(&secrets.ways(), &account, origin, self.clock.now())
            .await?;
        way.map(|way| secrets.entry(way)).ok_or(SignInError::Wrong)
    }

    /// The account of the user who has signed in, if this is its password. It counts as an attempt.
    pub(super) async fn check_own(
        &self,
        session: &Session,
        password: &str,
        source: Source,
    ) -> Result<Account, SignInError> {
        let account = self.check(&session.email, password, source).await?;
        let account = account.filter(|account| account.user == session.user);
        account.ok_or(SignInError::Wrong)
    }

    /// The account of an address, if this is its password. It counts as an attempt.
    async fn check(
        &self,
        email: &str,
        password: &str,
        source: Source,
    ) -> Result<Option<Account>, SignInError> {
        let now = self.clock.now();
        let email = email.trim().to_lowercase();
        let of_account = HourlyLimit {
            name: "sign-in-account",
            per_hour: self.limits.account,
        };
        self.admit_source(source, now).await?;
        self.admit(of_account, email.as_bytes(), now).await?;
        let password = Password::attempt(password).ok_or(SignInError::Wrong)?;
        // Neither PostgreSQL's texts nor addresses have this character.
        let account = if email.contains('\0') {
            None
        } else {
            self.store.account(&email).await?
        };
        let known = account.as_ref().map(|account| account.password.clone());
        let is_right = self.hasher.verify(password, known).await?;
        Ok(account.filter(|_| is_right))
    }

    pub(super) async fn admit_source(&self, source: Source, now: OffsetDateTime) -> Result<(), SignInError> {
        let of_source = HourlyLimit {
            name: "sign-in-source",
            per_hour: self.limits.source,
        };
        self.admit(of_source, source.network().as_bytes(), now).await
    }

    /// Every attempt counts, since one that is under way can't be told from one that fails.
    pub(super) async fn admit(
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

    /// The user who has signed in with this secret.
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

    /// The sessions of a user that are valid, the last used first.
    ///
    /// # Errors
    /// The store failed.
    pub async fn sessions(&self, user: UserId) -> Result<Vec<ListedSession>, StoreError> {
        self.store.sessions(user, self.clock.now()).await
    }

    /// Ends one session of a user. It succeeds if the user has no such session.
    ///
    /// # Errors
    /// The store failed.
    pub async fn end_of_user(&self, session: &SecretDigest, user: UserId) -> Result<bool, StoreError> {
        self.store.end_of_user(session, user).await
    }

    /// Changes the password of the user who has signed in with `secret`, and ends their other sessions.
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
        let account = self.check_own(session, present, source).await?;
        let hash = self.hasher.hash(next).await?;
        let (kept, now) = (secret.digest(), self.clock.now());
        if self
            .store
            .change_password(&account, &hash, &kept, source, now)
            .await?
        {
            Ok(())
        } else {
            Err(SignInError::Wrong)
        }
    }

    /// Mails a link to the user who has this address, by which they set a password. It does not reveal whether there is one.
    ///
    /// # Errors
    /// [`SignInError::TooOften`], or the store failed.
    pub async fn forgot(&self, email: &str, source: Source) -> Result<(), SignInError> {
        let now = self.clock.now();
        let email = email.to_lowercase();
        let of_source = HourlyLimit {
            name: "forgotten-source",
            per_hour: self.limits.forgotten,
        };
        self.admit(of_source, source.network().as_bytes(), now).await?;
        self.admit_link_for(&email, now).await?;
        let source = source.0;
        self.store.forgot(&Forgotten { email, source }).await?;
        Ok(())
    }

    /// Counts a link that a user makes for another user's address, and mails to it. Call it before the link is made.
    ///
    /// # Errors
    /// [`SignInError::TooOften`].
    pub async fn admit_link(&self, maker: UserId, email: &str) -> Result<(), SignInError> {
        let now = self.clock.now();
        let of_maker = HourlyLimit {
            name: "links-maker",
            per_hour: self.limits.links_of_maker,
        };
        self.admit(of_maker, maker.0.as_bytes(), now).await?;
        self.admit_link_for(&email.to_lowercase(), now).await
    }

    async fn admit_link_for(&self, email: &str, now: OffsetDateTime) -> Result<(), SignInError> {
        let of_account = HourlyLimit {
            name: "forgotten-account",
            per_hour: self.limits.links_of_account,
        };
        self.admit(of_account, email.as_bytes(), now).await
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

    /// Uses a link up: sets the password, ends every session of its user, and signs them in as far as a password does.
    ///
    /// # Errors
    /// [`SignInError::NoLink`], or the store failed.
    pub async fn set_password(
        &self,
        token: &str,
        password: Password,
        origin: &SessionOrigin,
    ) -> Result<Entry, SignInError> {
        let link = digest_of_link(token)?;
        // Checked first, so that only those with a link have passwords hashed.
        self.link(token).await?;
        let password = self.hasher.hash(password).await?;
        let secrets = Secrets::generate()?;
        let way = self
            .store
            .set_password(&link, &password, &secrets.ways(), origin, self.clock.now())
            .await?;
        way.map(|way| secrets.entry(way)).ok_or(SignInError::NoLink)
    }
}

fn digest_of_link(token: &str) -> Result<SecretDigest, SignInError> {
    Secret::parse(token, LINK_PREFIX)
        .map(|link| link.digest())
        .ok_or(SignInError::NoLink)
}
