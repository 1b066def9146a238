//! The second factor at the desk: set up, asked for, switched off.

use pharos_domain::{
    audit::Actor, hourly_limit::HourlyLimit, identity::Source, ids::UserId, sealing::SealError,
    secret::Secret as Sealed, store::StoreError,
};
use time::OffsetDateTime;

use super::{
    desk::{SignInDesk, SignInError},
    factor_store::{Confirmation, Proof, StoredFactor},
    recovery_code::RecoveryCode,
    session::{SESSION_PREFIX, SET_UP_WITHIN},
    store::{Session, SessionOrigin},
    totp::TotpSecret,
};
use crate::secret::{Secret, SecretDigest};

/// How a user's second factor stands.
#[derive(Debug)]
pub enum SecondFactor {
    /// They have none, as far as this session is told.
    Off,
    /// In this session they have seen this secret, and are to show that their app has it.
    Begun(TotpSecret),
    /// It is asked for.
    On {
        /// When it was switched on.
        since: OffsetDateTime,
        /// How many recovery codes are left.
        codes_left: u32,
    },
}

impl SignInDesk {
    /// How the second factor of a user stands. One that is not confirmed yet is told to the session alone that began it.
    ///
    /// # Errors
    /// The store failed, or the secret can't be opened.
    pub async fn second_factor(&self, user: UserId, secret: &Secret) -> Result<SecondFactor, StoreError> {
        let Some(stored) = self.factors.factor(user).await? else {
            return Ok(SecondFactor::Off);
        };
        if let Some(since) = stored.confirmed_at {
            let codes_left = stored.codes_left;
            return Ok(SecondFactor::On { since, codes_left });
        }
        if stored.can_be_confirmed(secret, self.clock.now()) {
            Ok(SecondFactor::Begun(self.opened(user, &stored)?))
        } else {
            Ok(SecondFactor::Off)
        }
    }

    /// Makes the secret of a second factor, which the user is to confirm in the session of `secret`. Where one is on nothing
    /// changes.
    ///
    /// # Errors
    /// [`SignInError::Wrong`]: this is not their password.
    pub async fn begin_second_factor(
        &self,
        session: &Session,
        secret: &Secret,
        password: &str,
        source: Source,
    ) -> Result<(), SignInError> {
        self.check_own(session, password, source).await?;
        let user = session.user;
        let totp = TotpSecret::generate()?;
        let sealed = self.sealing.seal(user.0, &Sealed::from(totp.text()));
        let sealed = sealed.map_err(|why| failed(user, why))?;
        let (begun_by, now) = (secret.digest(), self.clock.now());
        self.factors.begin(user, &begun_by, &sealed, now).await?;
        Ok(())
    }

    /// Switches the second factor on by a first code, ends every session of its user but `secret`, and gives the recovery
    /// codes, which nobody is shown again.
    ///
    /// # Errors
    /// [`SignInError::WrongCode`]; [`SignInError::Lapsed`]: there is none to confirm any more, or another session
    /// began it.
    pub async fn confirm_second_factor(
        &self,
        session: &Session,
        secret: &Secret,
        code: &str,
        source: Source,
    ) -> Result<Vec<RecoveryCode>, SignInError> {
        let (user, now) = (session.user, self.clock.now());
        self.admit_code(user, now).await?;
        let stored = self.factors.factor(user).await?;
        let stored = stored
            .filter(|stored| stored.confirmed_at.is_none() && stored.can_be_confirmed(secret, now))
            .ok_or(SignInError::Lapsed)?;
        let step = self.opened(user, &stored)?.step(code, now);
        let step = step.ok_or(SignInError::WrongCode)?;
        let codes = RecoveryCode::generate()?;
        let confirmation = Confirmation {
            user,
            sealed: &stored.sealed,
            step,
            codes: &digests(&codes),
            kept: &secret.digest(),
        };
        let actor = Actor::user(user).from(source);
        if self.factors.confirm(&confirmation, &actor, now).await? {
            Ok(codes)
        } else {
            Err(SignInError::Lapsed)
        }
    }

    /// Gives other recovery codes in the place of all that there are.
    ///
    /// # Errors
    /// [`SignInError::Wrong`] or [`SignInError::WrongCode`].
    pub async fn new_recovery_codes(
        &self,
        session: &Session,
        password: &str,
        code: &str,
        source: Source,
    ) -> Result<Vec<RecoveryCode>, SignInError> {
        self.check_own(session, password, source).await?;
        let (user, now) = (session.user, self.clock.now());
        let proof = self.proof(user, code, now).await?;
        let codes = RecoveryCode::generate()?;
        let actor = Actor::user(user).from(source);
        let replaced = self
            .factors
            .replace_codes(user, &proof, &digests(&codes), &actor, now)
            .await?;
        if replaced {
            Ok(codes)
        } else {
            Err(SignInError::WrongCode)
        }
    }

    /// Switches the second factor off.
    ///
    /// # Errors
    /// [`SignInError::Wrong`] or [`SignInError::WrongCode`].
    pub async fn turn_off_second_factor(
        &self,
        session: &Session,
        password: &str,
        code: &str,
        source: Source,
    ) -> Result<(), SignInError> {
        self.check_own(session, password, source).await?;
        let (user, now) = (session.user, self.clock.now());
        let proof = self.proof(user, code, now).await?;
        let actor = Actor::user(user).from(source);
        if self.factors.turn_off(user, &proof, &actor, now).await? {
            Ok(())
        } else {
            Err(SignInError::WrongCode)
        }
    }

    /// Signs in who has given their password before, by a code or a recovery code. Gives the secret of the session.
    ///
    /// # Errors
    /// [`SignInError::WrongCode`]; [`SignInError::Lapsed`]: the password is to be given again.
    pub async fn enter_code(
        &self,
        pending: &Secret,
        code: &str,
        origin: &SessionOrigin,
    ) -> Result<Secret, SignInError> {
        let now = self.clock.now();
        self.admit_source(origin.source, now).await?;
        let user = self.factors.attempt(&pending.digest(), now).await?;
        let user = user.ok_or(SignInError::Lapsed)?;
        let proof = self.proof(user, code, now).await?;
        let session = Secret::generate(SESSION_PREFIX)?;
        let actor = Actor::user(user).from(origin.source);
        let entered = self
            .factors
            .enter(&pending.digest(), &proof, &session.digest(), origin, &actor, now)
            .await?;
        if entered {
            Ok(session)
        } else {
            Err(SignInError::WrongCode)
        }
    }

    /// The proof in what somebody typed. Counts as an attempt; whether it counts is the store's to say.
    async fn proof(&self, user: UserId, code: &str, now: OffsetDateTime) -> Result<Proof, SignInError> {
        self.admit_code(user, now).await?;
        if let Some(code) = RecoveryCode::parse(code) {
            return Ok(Proof::Recovery(code.digest()));
        }
        let stored = self.factors.factor(user).await?;
        let stored = stored.filter(|stored| stored.confirmed_at.is_some());
        let stored = stored.ok_or(SignInError::WrongCode)?;
        let step = self.opened(user, &stored)?.step(code, now);
        step.map(|step| Proof::Code { step })
            .ok_or(SignInError::WrongCode)
    }

    async fn admit_code(&self, user: UserId, now: OffsetDateTime) -> Result<(), SignInError> {
        let of_codes = HourlyLimit {
            name: "sign-in-code",
            per_hour: self.limits.account,
        };
        self.admit(of_codes, user.0.as_bytes(), now).await
    }

    fn opened(&self, user: UserId, stored: &StoredFactor) -> Result<TotpSecret, StoreError> {
        let opened: Sealed = self
            .sealing
            .open(user.0, &stored.sealed)
            .map_err(|why| failed(user, why))?;
        TotpSecret::of_text(opened.reveal()).ok_or_else(|| failed(user, SealError::Sealed))
    }
}

impl StoredFactor {
    /// Whether this session began it, and not too long ago.
    fn can_be_confirmed(&self, session: &Secret, now: OffsetDateTime) -> bool {
        self.begun_by == Some(session.digest()) && now < self.made_at + SET_UP_WITHIN
    }
}

fn digests(codes: &[RecoveryCode]) -> Vec<SecretDigest> {
    codes.iter().map(RecoveryCode::digest).collect()
}

fn failed(user: UserId, why: SealError) -> StoreError {
    StoreError::Corrupt(format!(
        "the second factor of user {user}: {why}; pharos admin user reset-second-factor ends it"
    ))
}
