//! Stores in memory, for the tests of this crate.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use pharos_domain::{
    collect::{
        Beacon, BeaconStore, VisitorId,
        client::{Client, Device},
        event::Events,
        site::{CollectionSettings, Site, SiteKey},
        view::View,
    },
    ids::DomainId,
    store::StoreError,
};
use time::{Date, OffsetDateTime, macros::datetime};
use tokio::sync::{OwnedRwLockWriteGuard, RwLock, watch};
use uuid::Uuid;

use crate::{
    sites::{SecretDigest, SiteStore},
    visitor::{SALT_OUTLIVES_DAY, Salt, SaltStore},
};

/// Settings that leave nothing out.
pub(crate) fn settings() -> CollectionSettings {
    CollectionSettings {
        allowed_hosts: Vec::new(),
        excluded_paths: Vec::new(),
        excluded_networks: Vec::new(),
        excluded_countries: Vec::new(),
        excluded_query_params: Vec::new(),
        search_params: Vec::new(),
        download_extensions: vec!["pdf".to_owned()],
        store_page_titles: true,
        store_search_terms: true,
        sample_rate: 1.0,
        attribution: true,
        resources: true,
        errors: true,
        soft_navigations: false,
        respect_dnt: false,
    }
}

pub(crate) const KEY: &str = "pst_0123456789ABCDEFGHabcd";
pub(crate) const SECRET: &str = "pss_a-secret-of-a-test-0123456789ABCDEFGHIJKLMN";

/// The site `shop.example`.
pub(crate) fn site() -> Site {
    Site {
        domain: DomainId(Uuid::from_u128(1)),
        hostname: "shop.example".parse().unwrap(),
        key: SiteKey(KEY.to_owned()),
    }
}

/// A beacon of nobody.
pub(crate) fn beacon<T>(domain: DomainId, content: T) -> Beacon<T> {
    Beacon {
        id: Uuid::new_v4(),
        domain,
        visitor: VisitorId(0),
        received_at: datetime!(2026-03-10 12:00 UTC),
        client: Client {
            device: Device::Other,
            browser: None,
            browser_version: None,
            os: None,
            os_version: None,
            country: None,
            region: None,
            city: None,
            screen: None,
        },
        content,
    }
}

/// Keeps beacons, and fails as it is told to.
pub(crate) struct MemoryStore {
    pub(crate) settings: Mutex<Option<CollectionSettings>>,
    stored: Mutex<Vec<Vec<Beacon<Events>>>>,
    failures: Mutex<u32>,
    panics: Mutex<u32>,
    turn: Arc<RwLock<()>>,
    asked: watch::Sender<usize>,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self {
            settings: Mutex::new(Some(settings())),
            stored: Mutex::default(),
            failures: Mutex::default(),
            panics: Mutex::default(),
            turn: Arc::default(),
            asked: watch::Sender::new(0),
        }
    }
}

impl MemoryStore {
    /// Nothing is stored while this is held.
    pub(crate) fn hold(&self) -> OwnedRwLockWriteGuard<()> {
        Arc::clone(&self.turn).try_write_owned().unwrap()
    }

    /// Waits until so many batches have come.
    pub(crate) async fn asked(&self, batches: usize) {
        self.asked
            .subscribe()
            .wait_for(|asked| *asked >= batches)
            .await
            .unwrap();
    }

    /// The next batches fail.
    pub(crate) fn fail(&self, batches: u32) {
        *self.failures.lock().unwrap() = batches;
    }

    /// The next batches bring about a panic.
    pub(crate) fn panic(&self, batches: u32) {
        *self.panics.lock().unwrap() = batches;
    }

    /// How many beacons the batches had.
    pub(crate) fn batches(&self) -> Vec<usize> {
        self.stored.lock().unwrap().iter().map(Vec::len).collect()
    }

    /// The beacons that were stored.
    pub(crate) fn beacons(&self) -> Vec<Beacon<Events>> {
        self.stored.lock().unwrap().concat()
    }
}

fn count_down(left: &Mutex<u32>) -> bool {
    let mut left = left.lock().unwrap();
    let is_due = *left > 0;
    *left = left.saturating_sub(1);
    is_due
}

#[async_trait]
impl BeaconStore<Events> for MemoryStore {
    async fn settings(&self, _: DomainId) -> Result<Option<CollectionSettings>, StoreError> {
        Ok(self.settings.lock().unwrap().clone())
    }

    async fn store(&self, batch: &[Beacon<Events>]) -> Result<(), StoreError> {
        self.asked.send_modify(|asked| *asked += 1);
        let _turn = self.turn.read().await;
        assert!(!count_down(&self.panics), "the store panics");
        if count_down(&self.failures) {
            return Err(StoreError::Unavailable("the store is away".into()));
        }
        self.stored.lock().unwrap().push(batch.to_vec());
        Ok(())
    }
}

/// Real-user monitoring that is switched off.
pub(crate) struct NoViews;

#[async_trait]
impl BeaconStore<View> for NoViews {
    async fn settings(&self, _: DomainId) -> Result<Option<CollectionSettings>, StoreError> {
        Ok(None)
    }

    async fn store(&self, _: &[Beacon<View>]) -> Result<(), StoreError> {
        Ok(())
    }
}

/// One site.
pub(crate) struct OneSite;

#[async_trait]
impl SiteStore for OneSite {
    async fn by_key(&self, key: &SiteKey) -> Result<Option<Site>, StoreError> {
        Ok(Some(site()).filter(|site| site.key == *key))
    }

    async fn by_secret(&self, digest: &SecretDigest) -> Result<Option<Site>, StoreError> {
        Ok(Some(site()).filter(|_| *digest == SecretDigest::of(SECRET)))
    }
}

/// Salts by a clock of its own.
pub(crate) struct MemorySalts {
    now: Mutex<OffsetDateTime>,
    salts: Mutex<BTreeMap<Date, Salt>>,
}

impl MemorySalts {
    pub(crate) fn at(now: OffsetDateTime) -> Self {
        Self {
            now: Mutex::new(now),
            salts: Mutex::default(),
        }
    }

    pub(crate) fn now(&self) -> OffsetDateTime {
        *self.now.lock().unwrap()
    }

    pub(crate) fn set(&self, now: OffsetDateTime) {
        *self.now.lock().unwrap() = now;
    }

    pub(crate) fn days(&self) -> Vec<Date> {
        self.salts.lock().unwrap().keys().copied().collect()
    }

    pub(crate) fn forget_all(&self) {
        self.salts.lock().unwrap().clear();
    }
}

#[async_trait]
impl SaltStore for MemorySalts {
    async fn of(&self, day: Date) -> Result<Option<Salt>, StoreError> {
        let now = self.now();
        if day > now.date() || day < (now - SALT_OUTLIVES_DAY).date() {
            return Ok(None);
        }
        let mut salts = self.salts.lock().unwrap();
        let fresh = Salt(
            *[Uuid::new_v4().into_bytes(); 2]
                .as_flattened()
                .first_chunk()
                .unwrap(),
        );
        Ok(Some(salts.entry(day).or_insert(fresh).clone()))
    }

    async fn forget(&self) -> Result<(), StoreError> {
        let now = self.now();
        self.salts
            .lock()
            .unwrap()
            .retain(|day, _| *day >= (now - SALT_OUTLIVES_DAY).date());
        Ok(())
    }
}
