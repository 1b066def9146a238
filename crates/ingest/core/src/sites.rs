//! The sites that collect, as they are known for a minute.

use std::{fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use moka::future::Cache;
use pharos_domain::{
    audit::Actor,
    collect::{
        BeaconStore,
        event::Events,
        site::{CollectionSettings, Site, SiteKey},
        view::View,
    },
    ids::DomainId,
    store::StoreError,
};
use ring::{
    digest::{SHA256, digest},
    rand::{SecureRandom, SystemRandom},
};
use time::OffsetDateTime;

/// How long what is known of a site is used: a domain that is deleted, and settings that are changed, take that long to
/// be heeded by every node.
pub const KNOWN_FOR: Duration = Duration::from_secs(60);
/// How many sites are known at once.
const MOST_SITES: u64 = 20_000;

/// The prefix of a site's key.
const KEY_PREFIX: &str = "pst_";
const KEY_CHARS: usize = 22;
/// The prefix of a site's secret.
const SECRET_PREFIX: &str = "pss_";
/// 32 bytes in base64.
const SECRET_CHARS: usize = 43;

/// Finds sites.
#[async_trait]
pub trait SiteStore: Send + Sync {
    /// The site of that key, unless its domain is deleted.
    async fn by_key(&self, key: &SiteKey) -> Result<Option<Site>, StoreError>;

    /// The site of that secret, unless its domain is deleted.
    async fn by_secret(&self, digest: &SecretDigest) -> Result<Option<Site>, StoreError>;
}

/// Changes of sites by operators.
#[async_trait]
pub trait SiteAdmin: Send + Sync {
    /// The site of the domain, with its key, which is made when it is first asked for; `None` where there is no such domain.
    async fn of(&self, domain: DomainId) -> Result<Option<Site>, StoreError>;

    /// Puts the digest of a secret in the place of the one before, with its audit row; `None` where there is no such domain.
    async fn set_secret(
        &self,
        domain: DomainId,
        digest: &SecretDigest,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Option<Site>, StoreError>;
}

/// Whether a text has the form of a site's key: `pst_` and 22 letters and digits.
#[must_use]
pub fn is_key(text: &str) -> bool {
    text.strip_prefix(KEY_PREFIX)
        .is_some_and(|rest| rest.len() == KEY_CHARS && rest.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// A new key: 22 letters and digits, more than 128 random bits.
///
/// # Errors
/// The system has no randomness.
pub fn new_key() -> Result<SiteKey, StoreError> {
    const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut key = KEY_PREFIX.to_owned();
    while key.len() < KEY_PREFIX.len() + KEY_CHARS {
        let byte = usize::from(random::<1>()?[0]);
        // A value beyond the alphabet is dropped: to wrap it around would make the first characters likelier than the last.
        if let Some(&character) = ALPHABET.get(byte % 64) {
            key.push(char::from(character));
        }
    }
    Ok(SiteKey(key))
}

/// Whether a text has the form of a site's secret: `pss_` and 43 characters of base64 for addresses.
fn is_secret(text: &str) -> bool {
    text.strip_prefix(SECRET_PREFIX).is_some_and(|rest| {
        rest.len() == SECRET_CHARS
            && rest
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    })
}

fn random<const N: usize>() -> Result<[u8; N], StoreError> {
    let mut bytes = [0; N];
    SystemRandom::new()
        .fill(&mut bytes)
        .map_err(|_| StoreError::Failed("the system has no randomness".into()))?;
    Ok(bytes)
}

/// The secret by which a server sends events of its site: `pss_` and 43 characters. It is shown once.
pub struct SiteSecret(String);

impl SiteSecret {
    /// A new one.
    ///
    /// # Errors
    /// The system has no randomness.
    pub fn generate() -> Result<Self, StoreError> {
        Ok(Self(format!(
            "{SECRET_PREFIX}{}",
            URL_SAFE_NO_PAD.encode(random::<32>()?)
        )))
    }

    /// The secret itself, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Its digest, which is stored in its place.
    #[must_use]
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of(&self.0)
    }
}

impl fmt::Debug for SiteSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SiteSecret(…)")
    }
}

/// The SHA-256 of a site's secret.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretDigest(pub [u8; 32]);

impl SecretDigest {
    /// The digest of what a request brought.
    #[must_use]
    pub fn of(secret: &str) -> Self {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, secret.as_bytes()).as_ref());
        Self(bytes)
    }
}

impl fmt::Debug for SecretDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretDigest(…)")
    }
}

/// A site, and what each module stores of it.
#[derive(Clone, Debug)]
pub struct Known {
    /// The site.
    pub site: Site,
    /// The settings of web analytics, where it is switched on.
    pub events: Option<CollectionSettings>,
    /// The settings of real-user monitoring, where it is switched on.
    pub vitals: Option<CollectionSettings>,
}

impl Known {
    /// The site with its settings. Whether browsers that ask not to be tracked are left alone is one choice for all that the script
    /// does: where real-user monitoring is switched on, its setting holds for web analytics, too.
    #[must_use]
    pub fn new(
        site: Site,
        mut events: Option<CollectionSettings>,
        vitals: Option<CollectionSettings>,
    ) -> Self {
        if let (Some(events), Some(vitals)) = (&mut events, &vitals) {
            events.respect_dnt = vitals.respect_dnt;
        }
        Self { site, events, vitals }
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Name {
    Key(SiteKey),
    Secret(SecretDigest),
}

/// The sites, each as it was within the last [`KNOWN_FOR`]. Those who ask for one at once wait for one look-up.
pub struct SiteBook {
    sites: Arc<dyn SiteStore>,
    events: Arc<dyn BeaconStore<Events>>,
    vitals: Arc<dyn BeaconStore<View>>,
    known: Cache<Name, Option<Arc<Known>>>,
}

impl fmt::Debug for SiteBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SiteBook").finish_non_exhaustive()
    }
}

impl SiteBook {
    /// A book of these stores.
    #[must_use]
    pub fn new(
        sites: Arc<dyn SiteStore>,
        events: Arc<dyn BeaconStore<Events>>,
        vitals: Arc<dyn BeaconStore<View>>,
    ) -> Self {
        let known = Cache::builder()
            .max_capacity(MOST_SITES)
            .time_to_live(KNOWN_FOR)
            .build();
        Self {
            sites,
            events,
            vitals,
            known,
        }
    }

    /// The site of a key; `None` for a text that is none, too.
    ///
    /// # Errors
    /// A store failed.
    pub async fn by_key(&self, key: &SiteKey) -> Result<Option<Arc<Known>>, Arc<StoreError>> {
        if !is_key(&key.0) {
            return Ok(None);
        }
        let find = async { self.look_into(self.sites.by_key(key).await?).await };
        self.known.try_get_with(Name::Key(key.clone()), find).await
    }

    /// The site of a secret that was found within the last [`KNOWN_FOR`]. It reads nothing.
    pub async fn remembered(&self, secret: &str) -> Option<Arc<Known>> {
        self.known
            .get(&Name::Secret(SecretDigest::of(secret)))
            .await
            .flatten()
    }

    /// The site of a secret; `None` for a text that is none, too.
    ///
    /// # Errors
    /// A store failed.
    pub async fn by_secret(&self, secret: &str) -> Result<Option<Arc<Known>>, Arc<StoreError>> {
        if !is_secret(secret) {
            return Ok(None);
        }
        let digest = SecretDigest::of(secret);
        let find = async { self.look_into(self.sites.by_secret(&digest).await?).await };
        self.known.try_get_with(Name::Secret(digest), find).await
    }

    async fn look_into(&self, site: Option<Site>) -> Result<Option<Arc<Known>>, StoreError> {
        let Some(site) = site else { return Ok(None) };
        let (events, vitals) = tokio::try_join!(
            self.events.settings(site.domain),
            self.vitals.settings(site.domain)
        )?;
        Ok(Some(Arc::new(Known::new(site, events, vitals))))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::testing::{MemoryStore, NoViews, OneSite, SECRET};

    /// Counts how often it is asked for the site of a secret.
    #[derive(Default)]
    struct Asked(AtomicUsize);

    #[async_trait]
    impl SiteStore for Asked {
        async fn by_key(&self, key: &SiteKey) -> Result<Option<Site>, StoreError> {
            OneSite.by_key(key).await
        }

        async fn by_secret(&self, digest: &SecretDigest) -> Result<Option<Site>, StoreError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            OneSite.by_secret(digest).await
        }
    }

    #[tokio::test]
    async fn what_can_be_no_secret_is_not_looked_up() {
        let asked = Arc::<Asked>::default();
        let book = SiteBook::new(
            Arc::clone(&asked) as Arc<dyn SiteStore>,
            Arc::<MemoryStore>::default(),
            Arc::new(NoViews),
        );
        let form = SECRET.strip_prefix("pss_").unwrap();
        for bad in [
            "x".to_owned(),
            "pss_".to_owned(),
            form.to_owned(),
            format!("pst_{form}"),
            format!("{SECRET}x"),
            format!("pss_/{}", &form[1..]),
        ] {
            assert!(book.by_secret(&bad).await.unwrap().is_none(), "{bad}");
        }
        assert_eq!(asked.0.load(Ordering::Relaxed), 0);
        assert!(book.remembered(SECRET).await.is_none());
        assert!(book.by_secret(SECRET).await.unwrap().is_some());
        assert!(book.remembered(SECRET).await.is_some());
        assert_eq!(asked.0.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn keys_have_a_form_and_do_not_repeat() {
        let (one, other) = (new_key().unwrap(), new_key().unwrap());
        assert!(is_key(&one.0), "{one:?}");
        assert_ne!(one, other);
        for bad in [
            "",
            "pst_",
            "pst_0123456789012345678901x",
            "pst_012345678901234567890/",
            "psx_0123456789012345678901",
        ] {
            assert!(!is_key(bad), "{bad}");
        }
    }

    #[test]
    fn a_secret_is_not_shown_by_debug() {
        let secret = SiteSecret::generate().unwrap();
        assert!(is_secret(secret.reveal()), "{}", secret.reveal());
        assert!(!format!("{secret:?} {:?}", secret.digest()).contains(secret.reveal().get(4..12).unwrap()));
    }
}
