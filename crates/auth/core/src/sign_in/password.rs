//! Passwords: their length, and how they are hashed (argon2id, RFC 9106).

use std::{fmt, num::NonZero, sync::Arc, thread};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc},
};
use pharos_domain::store::StoreError;
use tokio::{sync::Semaphore, task};

/// How many characters a password has at least.
pub const LEAST_CHARACTERS: usize = 12;
/// How many it has at most.
pub const MOST_CHARACTERS: usize = 256;

/// A password as its user typed it. Neither log nor `Debug` has it.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    /// A password to be set.
    ///
    /// # Errors
    /// Why it is refused, as a sentence for its user.
    pub fn choose(text: &str) -> Result<Self, &'static str> {
        match text.chars().count() {
            ..LEAST_CHARACTERS => Err("The password is too short. Take 12 characters or more."),
            LEAST_CHARACTERS..=MOST_CHARACTERS => Ok(Self(text.to_owned())),
            _ => Err("The password is too long. Take 256 characters or fewer."),
        }
    }

    /// A password to be compared. `None` where nobody can have one so long.
    #[must_use]
    pub fn attempt(text: &str) -> Option<Self> {
        (text.chars().count() <= MOST_CHARACTERS).then(|| Self(text.to_owned()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// A password's hash as it is stored: a PHC string with its parameters and its salt.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// Hashes passwords on threads that may block, at most as many at once as the machine has cores: each takes 19 MiB and
/// a core for tens of milliseconds.
#[derive(Clone, Debug)]
pub struct Hasher {
    turns: Arc<Semaphore>,
}

impl Default for Hasher {
    fn default() -> Self {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            turns: Arc::new(Semaphore::new(cores)),
        }
    }
}

impl Hasher {
    /// The hash of a password, under a fresh salt.
    ///
    /// # Errors
    /// The system has no randomness or no memory to give.
    pub async fn hash(&self, password: Password) -> Result<PasswordHash, StoreError> {
        self.run(move || hash(&password)).await?
    }

    /// Whether the password is the one behind `known`. Where there is none it costs the same, and is not.
    ///
    /// # Errors
    /// The system has no randomness or no memory to give.
    pub async fn verify(&self, password: Password, known: Option<PasswordHash>) -> Result<bool, StoreError> {
        self.run(move || match known {
            Some(PasswordHash(known)) => {
                let known = phc::PasswordHash::new(&known)
                    .map_err(|error| StoreError::Corrupt(format!("a password's hash: {error}")))?;
                Ok(Argon2::default()
                    .verify_password(password.0.as_bytes(), &known)
                    .is_ok())
            }
            None => hash(&password).map(|_| false),
        })
        .await?
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let failed = |error: Box<dyn std::error::Error + Send + Sync>| StoreError::Failed(error);
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        let turn = turn.map_err(|error| failed(error.into()))?;
        // The turn goes with the work: whoever hangs up does not make room before it ends.
        task::spawn_blocking(move || {
            let done = work();
            drop(turn);
            done
        })
        .await
        .map_err(|error| failed(error.into()))
    }
}

fn hash(Password(password): &Password) -> Result<PasswordHash, StoreError> {
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| PasswordHash(hash.to_string()))
        .map_err(|error| StoreError::Failed(error.to_string().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap()
            .block_on(future)
    }

    #[test]
    fn a_password_has_12_to_256_characters() {
        assert!(Password::choose(&"é".repeat(11)).is_err());
        assert!(Password::choose(&"é".repeat(12)).is_ok());
        assert!(Password::choose(&"é".repeat(256)).is_ok());
        assert!(Password::choose(&"é".repeat(257)).is_err());
        assert!(Password::attempt("short").is_some());
        assert!(Password::attempt(&"é".repeat(257)).is_none());
    }

    /// OWASP's least for argon2id: 19 MiB, 2 passes, 1 lane.
    #[test]
    fn hashes_are_argon2id_with_a_salt_of_their_own() {
        let password = || Password::choose("correct horse battery").unwrap();
        let hasher = Hasher::default();
        let first = block_on(hasher.hash(password())).unwrap();
        let second = block_on(hasher.hash(password())).unwrap();
        assert!(
            first.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{}",
            first.0
        );
        assert_ne!(first, second);
        assert!(block_on(hasher.verify(password(), Some(first.clone()))).unwrap());
        let wrong = Password::choose("correct horse batterz").unwrap();
        assert!(!block_on(hasher.verify(wrong, Some(first))).unwrap());
        assert!(!block_on(hasher.verify(password(), None)).unwrap());
    }

    /// RFC 9106 has no vector without key and data. This one is the reference implementation's, argon2 20190702:
    /// `echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 1`.
    #[test]
    fn hashes_of_the_reference_implementation_are_understood() {
        let known = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
        let known = Some(PasswordHash(known.to_owned()));
        let password = Password::attempt("password").unwrap();
        assert!(block_on(Hasher::default().verify(password, known)).unwrap());
    }
}
