//! The keys that sign access tokens: ES256 (RFC 7518, section 3.4).
//!
//! A key is published before it signs, for as long as others may keep what `jwks_uri` answered, and stays published
//! until the last token that it signed is over. Which key does what is read off their times alone, so all nodes agree.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{DecodingKey, EncodingKey};
use ring::{
    digest,
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair},
};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use crate::secret::NoRandomness;

/// How long an access token lasts.
pub const TOKEN_LIFETIME: Duration = Duration::minutes(60);
/// By how much clocks may differ.
pub const SKEW: Duration = Duration::seconds(30);
/// How long others may keep what `jwks_uri` answered.
pub const PUBLISHED_FOR: Duration = Duration::minutes(5);

/// A key as it is stored.
#[derive(Clone)]
pub struct StoredKey {
    /// Its id: the thumbprint of its public half (RFC 7638).
    pub kid: String,
    /// The private key, PKCS #8.
    pub private_key: Vec<u8>,
    /// When it begins to sign.
    pub signs_from: OffsetDateTime,
}

impl std::fmt::Debug for StoredKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredKey")
            .field("kid", &self.kid)
            .field("signs_from", &self.signs_from)
            .finish_non_exhaustive()
    }
}

/// A stored key that can't be used.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a signing key is damaged")]
pub struct DamagedKey;

impl StoredKey {
    /// A new key that signs from then on.
    ///
    /// # Errors
    /// The system has no randomness to give.
    pub fn generate(signs_from: OffsetDateTime) -> Result<Self, NoRandomness> {
        let pair = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new())
            .map_err(|_| NoRandomness)?;
        let private_key = pair.as_ref().to_vec();
        let point = point(&private_key).map_err(|_| NoRandomness)?;
        Ok(Self {
            kid: point.thumbprint(),
            private_key,
            signs_from,
        })
    }
}

/// The public half: the two coordinates, in base64url.
struct Point {
    x: String,
    y: String,
}

impl Point {
    /// RFC 7638, section 3: the members in order, without blanks.
    fn thumbprint(&self) -> String {
        let Self { x, y } = self;
        let canonical = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
        URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, canonical.as_bytes()))
    }
}

fn point(private_key: &[u8]) -> Result<Point, DamagedKey> {
    let pair = EcdsaKeyPair::from_pkcs8(
        &ECDSA_P256_SHA256_FIXED_SIGNING,
        private_key,
        &SystemRandom::new(),
    )
    .map_err(|_| DamagedKey)?;
    // Uncompressed: 4, then both coordinates (SEC 1, section 2.3.3).
    match pair.public_key().as_ref().split_first() {
        Some((4, both)) if both.len() == 64 => Ok(Point {
            x: URL_SAFE_NO_PAD.encode(&both[..32]),
            y: URL_SAFE_NO_PAD.encode(&both[32..]),
        }),
        _ => Err(DamagedKey),
    }
}

/// A key that is ready for use.
pub(super) struct Key {
    pub(super) kid: String,
    pub(super) encoding: EncodingKey,
    pub(super) decoding: DecodingKey,
    signs_from: OffsetDateTime,
    point: Point,
}

/// The keys of one moment, the oldest first.
#[derive(Clone)]
pub struct KeySet(Arc<[Key]>);

impl std::fmt::Debug for KeySet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|key| &key.kid)).finish()
    }
}

impl KeySet {
    /// Makes stored keys ready.
    ///
    /// # Errors
    /// One is no private key of P-256.
    pub fn new(mut stored: Vec<StoredKey>) -> Result<Self, DamagedKey> {
        stored.sort_by_key(|key| key.signs_from);
        let ready = stored.into_iter().map(|stored| {
            let point = point(&stored.private_key)?;
            Ok(Key {
                kid: stored.kid,
                encoding: EncodingKey::from_ec_der(&stored.private_key),
                decoding: DecodingKey::from_ec_components(&point.x, &point.y).map_err(|_| DamagedKey)?,
                signs_from: stored.signs_from,
                point,
            })
        });
        ready.collect::<Result<Vec<_>, _>>().map(|keys| Self(keys.into()))
    }

    /// The key that signs now: the youngest whose time has come.
    pub(super) fn signing(&self, now: OffsetDateTime) -> Option<&Key> {
        self.0.iter().rev().find(|key| key.signs_from <= now)
    }

    /// The key of that id, if a token that it signed can still be good.
    pub(super) fn verifying(&self, kid: &str, now: OffsetDateTime) -> Option<&Key> {
        self.published(now).find(|key| key.kid == kid)
    }

    fn published(&self, now: OffsetDateTime) -> impl Iterator<Item = &Key> {
        let successors = self
            .0
            .iter()
            .skip(1)
            .map(|next| Some(next.signs_from))
            .chain([None]);
        self.0
            .iter()
            .zip(successors)
            .filter_map(move |(key, succeeded_at)| {
                let last_token_ends = succeeded_at.map(|at| at + TOKEN_LIFETIME + SKEW);
                last_token_ends.is_none_or(|end| now < end).then_some(key)
            })
    }

    /// The JSON Web Key Set (RFC 7517, section 5) that `jwks_uri` answers.
    #[must_use]
    pub fn jwks(&self, now: OffsetDateTime) -> Value {
        let keys: Vec<Value> = self
            .published(now)
            .map(|key| {
                json!({
                    "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256",
                    "kid": key.kid, "x": key.point.x, "y": key.point.y,
                })
            })
            .collect();
        json!({ "keys": keys })
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);

    #[test]
    fn a_new_key_is_published_before_it_signs_and_the_old_one_until_its_last_token_is_over() {
        let old = StoredKey::generate(NOW - Duration::days(90)).unwrap();
        let new = StoredKey::generate(NOW + PUBLISHED_FOR).unwrap();
        let keys = KeySet::new(vec![new.clone(), old.clone()]).unwrap();
        let signing = |at| keys.signing(at).unwrap().kid.clone();
        let published = |at| keys.jwks(at)["keys"].as_array().unwrap().len();
        assert_eq!((signing(NOW), published(NOW)), (old.kid.clone(), 2));
        let switch = NOW + PUBLISHED_FOR;
        assert_eq!((signing(switch), published(switch)), (new.kid.clone(), 2));
        let end = switch + TOKEN_LIFETIME + SKEW;
        assert_eq!(published(end - Duration::SECOND), 2);
        assert_eq!(published(end), 1);
        assert!(keys.verifying(&old.kid, end).is_none());
        assert!(keys.verifying(&new.kid, end).is_some());
    }

    /// RFC 7638, section 3.1 describes the form; the digest was taken by `openssl dgst -sha256 -binary | base64` of
    /// the canonical text of the key of RFC 7517, appendix A.1.
    #[test]
    fn the_kid_is_the_thumbprint() {
        let point = Point {
            x: "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4".to_owned(),
            y: "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM".to_owned(),
        };
        assert_eq!(point.thumbprint(), "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s");
    }

    #[test]
    fn a_key_never_shows_in_debug() {
        let key = StoredKey::generate(NOW).unwrap();
        let shown = format!("{key:?}");
        assert!(!shown.contains("private_key"), "{shown}");
    }

    #[test]
    fn a_damaged_key_is_told() {
        let damaged = StoredKey {
            kid: "k".to_owned(),
            private_key: vec![1, 2, 3],
            signs_from: NOW,
        };
        assert!(KeySet::new(vec![damaged]).is_err());
    }
}
