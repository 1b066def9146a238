//! The numbers of the values that fit the filters of a report.

use std::sync::Arc;

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Date as SqlDate, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::store::StoreError;
use pharos_persistence::{
    failure::read_failure,
    pool::Database,
    sql,
    wide_pulls::{Prepared, Wanted},
};
use pharos_search::gsc::{
    figures::Device,
    judging::{AT_ONCE, Budget, TooCostly},
    reports::{FILTERING, FilterDimension, Matchers, SearchReports, TOO_COSTLY},
};

use crate::gsc::import::{Kind, UNKNOWN};

/// The values that fit, by dimension; `None`: all do. There are never more numbers than the dictionary has values.
#[derive(Debug, Default)]
pub(crate) struct WantedValues {
    pub(super) queries: Option<Vec<i64>>,
    pub(super) pages: Option<Vec<i64>>,
    pub(super) appearances: Option<Vec<i64>>,
    pub(super) countries: Option<Vec<String>>,
    pub(super) devices: Option<Vec<i16>>,
}

#[derive(QueryableByName)]
struct ValueRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    value: String,
}

#[derive(QueryableByName)]
struct CountryRow {
    #[diesel(sql_type = Text)]
    country: String,
}

/// Why the values are not known.
enum Stop {
    Store(StoreError),
    TooCostly,
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<TooCostly> for Stop {
    fn from(_: TooCostly) -> Self {
        Self::TooCostly
    }
}

impl WantedValues {
    /// Holds all filters of a run against the values that there are.
    pub(super) async fn look_up(
        database: &Database,
        wanted: &Wanted<SearchReports>,
    ) -> Result<Prepared<Self>, StoreError> {
        let mut looking = Looking {
            database,
            wanted,
            budget: Budget::new(FILTERING),
        };
        match looking.values().await {
            Ok(values) => Ok(Prepared::Ready(values)),
            Err(Stop::TooCostly) => Ok(Prepared::Refused(TOO_COSTLY)),
            Err(Stop::Store(error)) => Err(error),
        }
    }
}

/// The filters of a run on their way through the values. They have one budget.
struct Looking<'a> {
    database: &'a Database,
    wanted: &'a Wanted<SearchReports>,
    budget: Budget,
}

impl Looking<'_> {
    async fn values(&mut self) -> Result<WantedValues, Stop> {
        Ok(WantedValues {
            queries: self.numbers(FilterDimension::Query, Kind::Query).await?,
            pages: self.numbers(FilterDimension::Page, Kind::Page).await?,
            appearances: self
                .numbers(FilterDimension::SearchAppearance, Kind::Appearance)
                .await?,
            countries: self.countries().await?,
            devices: self.devices().await?,
        })
    }

    /// The filters of a dimension; `None`: there are none.
    async fn matchers(&mut self, dimension: FilterDimension) -> Result<Option<Arc<Matchers>>, Stop> {
        let wanted = self.wanted;
        let mut matchers = Vec::new();
        for filter in &wanted.asked.filters {
            if filter.dimension == dimension {
                let matcher = filter.stored_matcher_within(&mut self.budget).await?;
                let matcher =
                    matcher.map_err(|why| StoreError::Corrupt(format!("the filter of a report {why}")))?;
                matchers.push(matcher);
            }
        }
        Ok((!matchers.is_empty()).then(|| Arc::new(Matchers(matchers))))
    }

    /// The numbers of the values of the dictionary that fit, which is read in batches.
    async fn numbers(&mut self, dimension: FilterDimension, kind: Kind) -> Result<Option<Vec<i64>>, Stop> {
        let Some(matchers) = self.matchers(dimension).await? else {
            return Ok(None);
        };
        let mut numbers = Vec::new();
        let mut after = String::new();
        loop {
            let rows = self.batch(kind, &after).await?;
            let Some(last) = rows.last() else {
                return Ok(Some(numbers));
            };
            after.clone_from(&last.value);
            let texts = rows.into_iter().map(|row| (row.id, row.value)).collect();
            numbers.extend(self.budget.fitting(texts, &matchers).await?);
        }
    }

    async fn batch(&self, kind: Kind, after: &str) -> Result<Vec<ValueRow>, StoreError> {
        let query = sql!(text "SELECT id, value FROM search_values
            WHERE domain_id = $1 AND kind = $2 AND value > $3 ORDER BY value LIMIT $4")
        .bind::<SqlUuid, _>(self.wanted.domain.0)
        .bind::<SmallInt, _>(kind.code())
        .bind::<Text, _>(after)
        .bind::<BigInt, _>(i64::from(AT_ONCE));
        // Nobody waits for it while texts are judged.
        let mut connection = self.database.long_read().await?;
        query.load(&mut connection).await.map_err(read_failure)
    }

    /// The countries that fit among those that people searched from. One that is not known is like an empty text.
    async fn countries(&mut self) -> Result<Option<Vec<String>>, Stop> {
        let Some(matchers) = self.matchers(FilterDimension::Country).await? else {
            return Ok(None);
        };
        let wanted = self.wanted;
        let query = sql!("countries.sql")
            .bind::<SqlUuid, _>(wanted.domain.0)
            .bind::<SmallInt, _>(wanted.asked.search_type.code())
            .bind::<SqlDate, _>(wanted.window.first())
            .bind::<SqlDate, _>(wanted.window.last());
        let mut connection = self.database.long_read().await?;
        let rows: Vec<CountryRow> = query.load(&mut connection).await.map_err(read_failure)?;
        drop(connection);
        let texts = rows.into_iter().map(|CountryRow { country }| {
            let told = if country == UNKNOWN {
                String::new()
            } else {
                country.clone()
            };
            (country, told)
        });
        Ok(Some(self.budget.fitting(texts.collect(), &matchers).await?))
    }

    /// The numbers of devices that fit; 0: the upstream does not tell.
    async fn devices(&mut self) -> Result<Option<Vec<i16>>, Stop> {
        let Some(matchers) = self.matchers(FilterDimension::Device).await? else {
            return Ok(None);
        };
        let known = Device::ALL.iter().map(|device| (device.code(), device.as_str()));
        let texts = known.chain([(0, "")]).map(|(code, name)| (code, name.to_owned()));
        Ok(Some(self.budget.fitting(texts.collect(), &matchers).await?))
    }
}
