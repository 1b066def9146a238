//! Beacons on their way into the tables: a batch a transaction.

mod fold;
mod rows;
mod save;
mod session;
mod texts;

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{Jsonb, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_analytics::settings::AnalyticsSettings;
use pharos_domain::{
    collect::{Beacon, BeaconStore, event::Events, site::CollectionSettings},
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

use crate::dictionary::Values;

pub(crate) use self::session::{channel_number, device_number};

/// Stores what visitors do, in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgEventStore {
    database: Database,
    dictionary: Dictionary<Values>,
}

impl PgEventStore {
    /// The store of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            dictionary: Dictionary::default(),
        }
    }

    /// The same for tests, with another bound on the values that a site may bring to a dimension on a day.
    #[must_use]
    pub fn with_most_new_values(self, most_new: u32) -> Self {
        Self {
            dictionary: Dictionary::with_most_new(most_new),
            ..self
        }
    }
}

#[derive(QueryableByName)]
struct SettingsRow {
    #[diesel(sql_type = Jsonb)]
    settings: Json<AnalyticsSettings>,
}

#[async_trait]
impl BeaconStore<Events> for PgEventStore {
    async fn settings(&self, domain: DomainId) -> Result<Option<CollectionSettings>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("settings.sql").bind::<SqlUuid, _>(domain.0);
        let row: Option<SettingsRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        let settings = row.map(|row| row.settings.read("the settings of analytics"));
        Ok(settings.transpose()?.map(AnalyticsSettings::for_collection))
    }

    async fn store(&self, batch: &[Beacon<Events>]) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        set_aside::write(&mut Beacons(self), batch).await.map(|_| ())
    }
}

/// Beacons that are being stored.
struct Beacons<'a>(&'a PgEventStore);

#[async_trait]
impl Batch<Beacon<Events>> for Beacons<'_> {
    type Said = ();
    type Error = StoreError;

    async fn write(&mut self, batch: &[Beacon<Events>]) -> Result<Vec<()>, StoreError> {
        for beacon in batch {
            let mut moments = beacon.content.0.iter().map(|event| event.at);
            if moments.any(|at| storable(at).is_none()) {
                return Err(StoreError::Failed("a time that no answer could show".into()));
            }
        }
        let mut connection = self.0.database.connection().await?;
        let wanted = texts::wanted(batch);
        let numbers = self.0.dictionary.numbers(&mut connection, wanted).await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                save::save(connection, batch, &numbers).await
            })
            .await
            .map_err(Abort::answer)?;
        Ok(Vec::new())
    }

    async fn set_aside(&mut self, beacon: &Beacon<Events>, why: StoreError) -> Result<Vec<()>, StoreError> {
        let note = SetAside::unstored(Kind::Beacon, &beacon.domain, &why, beacon);
        self.0.database.note(note).await?;
        Ok(Vec::new())
    }
}
