//! Ids of visitors, and the salts that they are made under.

use std::{
    collections::BTreeMap,
    fmt,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;
use pharos_domain::{collect::VisitorId, ids::DomainId, store::StoreError};
use ring::hmac::{self, HMAC_SHA256, Key};
use time::{Date, Duration, OffsetDateTime};

/// How long a salt outlives its day: as long as beacons of the day may still arrive.
pub const SALT_OUTLIVES_DAY: Duration = pharos_domain::collect::OLDEST;

/// A day's salt.
#[derive(Clone, PartialEq, Eq)]
pub struct Salt(pub [u8; 32]);

impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(…)")
    }
}

/// Keeps the salts of two days at most, by the database's clock.
#[async_trait]
pub trait SaltStore: Send + Sync {
    /// The salt of a UTC day, which is the same for all nodes: the first one that needs it makes it. `None`: the day's salt is
    /// gone, or the day has not begun.
    async fn of(&self, day: Date) -> Result<Option<Salt>, StoreError>;

    /// Drops the salts of days that ended more than [`SALT_OUTLIVES_DAY`] ago.
    async fn forget(&self) -> Result<(), StoreError>;
}

/// The salts as this node knows them.
pub struct Salts {
    store: Arc<dyn SaltStore>,
    known: Mutex<BTreeMap<Date, Arc<Key>>>,
}

impl fmt::Debug for Salts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Salts").finish_non_exhaustive()
    }
}

/// The sender of a request, kept only as long as the request lasts.
#[derive(Clone, Copy)]
pub struct Sender<'a> {
    /// The site.
    pub site: DomainId,
    /// The address, where it is known.
    pub address: Option<IpAddr>,
    /// The user agent, where there is one.
    pub user_agent: &'a str,
}

impl fmt::Debug for Sender<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sender(…)")
    }
}

impl Salts {
    /// The salts of a store.
    #[must_use]
    pub fn new(store: Arc<dyn SaltStore>) -> Self {
        Self {
            store,
            known: Mutex::default(),
        }
    }

    /// The id of a visitor on a UTC day; `None` where the day's salt is gone, or the day has not begun.
    ///
    /// # Errors
    /// The store failed.
    pub async fn visitor(
        &self,
        day: Date,
        now: OffsetDateTime,
        sender: Sender<'_>,
    ) -> Result<Option<VisitorId>, StoreError> {
        if !is_alive(day, now) {
            return Ok(None);
        }
        let known = self.known().get(&day).cloned();
        let key = match known {
            Some(key) => key,
            None => match self.store.of(day).await? {
                Some(Salt(salt)) => {
                    let key = Arc::new(Key::new(HMAC_SHA256, &salt));
                    Arc::clone(self.known().entry(day).or_insert(key))
                }
                None => return Ok(None),
            },
        };
        Ok(Some(id(&key, sender)))
    }

    /// Drops salts that are due, here and in the store.
    ///
    /// # Errors
    /// The store failed; this node has dropped its own.
    pub async fn forget(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        // That of a day that has not begun was told by a clock that was ahead, and the store gives another once it has.
        self.known()
            .retain(|day, _| is_alive(*day, now) && *day <= now.date());
        self.store.forget().await
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<Date, Arc<Key>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the salt of a day is still there.
fn is_alive(day: Date, now: OffsetDateTime) -> bool {
    day >= (now - SALT_OUTLIVES_DAY).date()
}

/// The first eight bytes of an HMAC-SHA-256 (RFC 2104). All parts but the last are of one length each, so that no two senders have
/// the same text.
fn id(key: &Key, sender: Sender<'_>) -> VisitorId {
    let Sender {
        site,
        address,
        user_agent,
    } = sender;
    let (mut bytes, mut length) = ([0; 16], 0_u8);
    match address.map(|address| address.to_canonical()) {
        None => {}
        Some(IpAddr::V4(address)) => {
            bytes[..4].copy_from_slice(&address.octets());
            length = 4;
        }
        Some(IpAddr::V6(address)) => {
            bytes = address.octets();
            length = 16;
        }
    }
    let mut context = hmac::Context::with_key(key);
    context.update(site.0.as_bytes());
    context.update(&[length]);
    context.update(&bytes);
    context.update(user_agent.as_bytes());
    let tag = context.sign();
    let mut first = [0; 8];
    first.copy_from_slice(tag.as_ref().get(..8).unwrap_or(&[0; 8]));
    VisitorId(i64::from_be_bytes(first))
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};
    use uuid::Uuid;

    use super::*;
    use crate::testing::MemorySalts;

    const NOW: OffsetDateTime = datetime!(2026-03-10 00:30 UTC);
    const AGENT: &str = "Mozilla/5.0";

    fn sender(site: u128, address: &str) -> Sender<'static> {
        Sender {
            site: DomainId(Uuid::from_u128(site)),
            address: Some(address.parse().unwrap()),
            user_agent: AGENT,
        }
    }

    /// Checked against Python: `hmac.new(bytes(32), bytes(15) + b"\x01" + b"\x04" + bytes([203, 0, 113, 7]) + bytes(12) +
    /// b"Mozilla/5.0", "sha256").digest()[:8]` as a signed big-endian number.
    #[test]
    fn an_id_is_the_beginning_of_an_hmac() {
        let key = Key::new(HMAC_SHA256, &[0; 32]);
        assert_eq!(
            id(&key, sender(1, "203.0.113.7")),
            VisitorId(4_728_057_971_022_873_312)
        );
        assert_eq!(
            id(&key, sender(1, "::ffff:203.0.113.7")),
            VisitorId(4_728_057_971_022_873_312)
        );
    }

    #[tokio::test]
    async fn another_site_address_agent_or_day_is_another_visitor() {
        let salts = Salts::new(Arc::new(MemorySalts::at(NOW)));
        let (today, yesterday) = (date!(2026 - 03 - 10), date!(2026 - 03 - 09));
        let mut ids = Vec::new();
        for sender in [
            sender(1, "203.0.113.7"),
            sender(2, "203.0.113.7"),
            sender(1, "203.0.113.8"),
        ] {
            ids.push(salts.visitor(today, NOW, sender).await.unwrap());
        }
        let other = Sender {
            user_agent: "Mozilla/4.0",
            ..sender(1, "203.0.113.7")
        };
        ids.push(salts.visitor(today, NOW, other).await.unwrap());
        ids.push(
            salts
                .visitor(yesterday, NOW, sender(1, "203.0.113.7"))
                .await
                .unwrap(),
        );
        assert!(ids.iter().all(Option::is_some));
        ids.dedup();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 5);
    }

    /// The store drops the salt of such a day, so that another node would have another one on it.
    #[tokio::test]
    async fn the_salt_of_a_day_that_a_clock_was_ahead_of_is_asked_for_anew() {
        let store = Arc::new(MemorySalts::at(NOW + Duration::DAY));
        let salts = Salts::new(Arc::clone(&store) as Arc<dyn SaltStore>);
        let (tomorrow, visitor) = (NOW.date() + Duration::DAY, sender(1, "203.0.113.7"));
        let ahead = salts.visitor(tomorrow, store.now(), visitor).await.unwrap();
        store.set(NOW);
        store.forget_all();
        salts.forget(store.now()).await.unwrap();
        store.set(NOW + Duration::DAY);
        let begun = salts.visitor(tomorrow, store.now(), visitor).await.unwrap();
        assert!(ahead.is_some() && begun.is_some());
        assert_ne!(ahead, begun);
    }

    #[tokio::test]
    async fn a_days_ids_can_not_be_computed_once_its_salt_is_gone() {
        let store = Arc::new(MemorySalts::at(datetime!(2026-03-10 00:59:59 UTC)));
        let salts = Salts::new(Arc::clone(&store) as Arc<dyn SaltStore>);
        let yesterday = date!(2026 - 03 - 09);
        let visitor = sender(1, "203.0.113.7");
        salts.forget(store.now()).await.unwrap();
        let told = salts.visitor(yesterday, store.now(), visitor).await.unwrap();
        assert_eq!(
            salts.visitor(yesterday, store.now(), visitor).await.unwrap(),
            told
        );
        assert!(told.is_some());
        store.set(datetime!(2026-03-10 01:00 UTC));
        salts.forget(store.now()).await.unwrap();
        assert_eq!(
            salts.visitor(yesterday, store.now(), visitor).await.unwrap(),
            None
        );
        assert_eq!(store.days(), []);
        assert!(
            salts
                .visitor(date!(2026 - 03 - 10), store.now(), visitor)
                .await
                .unwrap()
                .is_some()
        );
        assert_eq!(
            salts
                .visitor(date!(2026 - 03 - 11), store.now(), visitor)
                .await
                .unwrap(),
            None
        );
        // The node itself has dropped it, too: by a clock that was set back it gets another one.
        store.set(NOW);
        let anew = salts.visitor(yesterday, store.now(), visitor).await.unwrap();
        assert!(anew.is_some());
        assert_ne!(anew, told);
    }
}
