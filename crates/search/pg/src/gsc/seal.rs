//! Credentials at rest: encrypted with a secret that all nodes share.

use std::sync::OnceLock;

use pharos_domain::{ids::SearchAccountId, store::StoreError};
use pharos_persistence::pool::Database;
use pharos_search::google::account::Credentials;
use ring::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    rand::{SecureRandom, SystemRandom},
};

/// The name of the secret.
const SECRET: &str = "search_accounts";
/// The form of what is stored.
const FORM: u8 = 1;

/// Seals and opens credentials. Whoever moves a sealed value to another account finds it broken there.
#[derive(Debug, Default)]
pub(super) struct Seal {
    secret: OnceLock<[u8; 32]>,
}

impl Seal {
    async fn key(&self, database: &Database) -> Result<LessSafeKey, StoreError> {
        let secret = match self.secret.get() {
            Some(secret) => *secret,
            None => {
                let secret = database.shared_secret(SECRET).await?;
                *self.secret.get_or_init(|| secret)
            }
        };
        let key =
            UnboundKey::new(&AES_256_GCM, &secret).map_err(|_| failed("the secret has another length"))?;
        Ok(LessSafeKey::new(key))
    }

    pub(super) async fn close(
        &self,
        database: &Database,
        account: SearchAccountId,
        credentials: &Credentials,
    ) -> Result<Vec<u8>, StoreError> {
        let key = self.key(database).await?;
        let mut nonce = [0; NONCE_LEN];
        SystemRandom::new()
            .fill(&mut nonce)
            .map_err(|_| failed("the system has no randomness"))?;
        let mut text = serde_json::to_vec(credentials).map_err(|_| failed("they have no form in JSON"))?;
        key.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(account.0.as_bytes()),
            &mut text,
        )
        .map_err(|_| failed("they can't be encrypted"))?;
        let mut sealed = Vec::with_capacity(1 + NONCE_LEN + text.len());
        sealed.push(FORM);
        sealed.extend_from_slice(&nonce);
        sealed.append(&mut text);
        Ok(sealed)
    }

    pub(super) async fn open(
        &self,
        database: &Database,
        account: SearchAccountId,
        sealed: &[u8],
    ) -> Result<Credentials, StoreError> {
        let broken = || StoreError::Corrupt(format!("the credentials of account {account} can't be opened"));
        let key = self.key(database).await?;
        let rest = sealed.strip_prefix(&[FORM]).ok_or_else(broken)?;
        let (nonce, text) = rest.split_first_chunk::<NONCE_LEN>().ok_or_else(broken)?;
        let mut text = text.to_vec();
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let text = key
            .open_in_place(nonce, Aad::from(account.0.as_bytes()), &mut text)
            .map_err(|_| broken())?;
        serde_json::from_slice(text).map_err(|_| broken())
    }
}

fn failed(why: &str) -> StoreError {
    StoreError::Failed(format!("credentials can't be sealed: {why}").into())
}
