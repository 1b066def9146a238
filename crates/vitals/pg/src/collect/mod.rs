//! Beacons on their way into the tables: a batch a transaction.

mod items;
mod rows;
mod save;

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{Array, Jsonb, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    collect::{Beacon, BeaconStore, site::CollectionSettings, view::View},
    ids::DomainId,
    store::StoreError,
};
use pharos_persistence::{
    dictionary::Dictionary,
    failure::{Abort, failure},
    json::Json,
    moment::storable,
    pool::Database,
    set_aside::{self, Batch, Kind, SetAside},
    sql,
};
use pharos_vitals::settings::VitalsSettings;
use uuid::Uuid;

use self::rows::Rows;
use crate::dictionary::{Numbers, Texts, Wanted};

/// Stores what visitors feel, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgViewStore {
    database: Database,
    dictionary: Dictionary<Texts>,
}

impl PgViewStore {
    /// The store of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            dictionary: Dictionary::default(),
        }
    }

    /// The same for tests, with another bound on the texts that a site may bring to a dimension on a day.
    #[must_use]
    pub fn with_most_new_texts(self, most_new: u32) -> Self {
        Self {
            dictionary: Dictionary::with_most_new(most_new),
            ..self
        }
    }
}

#[derive(QueryableByName)]
struct SettingsRow {
    #[diesel(sql_type = Jsonb)]
    settings: Json<VitalsSettings>,
}

#[derive(QueryableByName)]
struct SiteRow {
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Jsonb)]
    settings: Json<VitalsSettings>,
}

#[async_trait]
impl BeaconStore<View> for PgViewStore {
    async fn settings(&self, domain: DomainId) -> Result<Option<CollectionSettings>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("settings.sql").bind::<SqlUuid, _>(domain.0);
        let row: Option<SettingsRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        let settings = row.map(|row| row.settings.read("the settings of real-user monitoring"));
        Ok(settings.transpose()?.map(VitalsSettings::for_collection))
    }

    async fn store(&self, batch: &[Beacon<View>]) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        set_aside::write(&mut Beacons(self), batch).await.map(|_| ())
    }
}

/// Beacons that are being stored.
struct Beacons<'a>(&'a PgViewStore);

#[async_trait]
impl Batch<Beacon<View>> for Beacons<'_> {
    type Said = ();
    type Error = StoreError;

    async fn write(&mut self, batch: &[Beacon<View>]) -> Result<Vec<()>, StoreError> {
        if batch.iter().any(|beacon| storable(beacon.content.at).is_none()) {
            return Err(StoreError::Failed("a time that no answer could show".into()));
        }
        let mut connection = self.0.database.connection().await?;
        let sites = sites(&mut connection, batch).await?;
        let mut wanted = Wanted::default();
        let mut all = Rows::default();
        for beacon in batch {
            all.add(beacon, beacon.content.at, sites.get(&beacon.domain), &mut wanted)?;
        }
        let numbers = self.0.dictionary.numbers(&mut connection, wanted).await?;
        let numbers = Numbers::new(numbers);
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                save::save(connection, batch, &sites, numbers).await
            })
            .await
            .map_err(Abort::answer)?;
        Ok(Vec::new())
    }

    async fn set_aside(&mut self, beacon: &Beacon<View>, why: StoreError) -> Result<Vec<()>, StoreError> {
        // The content is not redacted yet, so the note keeps only which beacon it was.
        let which = (beacon.id, beacon.content.load, beacon.content.at);
        let note = SetAside::unstored(Kind::Beacon, &beacon.domain, &why, &which);
        self.0.database.note(note).await?;
        Ok(Vec::new())
    }
}

/// The settings of sites.
type Sites = HashMap<DomainId, VitalsSettings>;

async fn sites(connection: &mut AsyncPgConnection, batch: &[Beacon<View>]) -> Result<Sites, StoreError> {
    let mut domains: Vec<Uuid> = batch.iter().map(|beacon| beacon.domain.0).collect();
    domains.sort_unstable();
    domains.dedup();
    let query = sql!("all_settings.sql").bind::<Array<SqlUuid>, _>(domains);
    let rows: Vec<SiteRow> = query.load(connection).await.map_err(failure)?;
    let sites = rows.into_iter().map(|row| {
        let settings = row.settings.read("the settings of real-user monitoring")?;
        Ok((DomainId(row.domain_id), settings))
    });
    sites.collect()
}
