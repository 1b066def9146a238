//! The numbers of the values that fit the filters of a report.

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Date as SqlDate, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::store::StoreError;
use pharos_persistence::{failure::Abort, sql, wide_pulls::Wanted};
use pharos_search::gsc::{
    figures::Device,
    reports::{Filter, FilterDimension, Matcher, SearchReports},
};

use crate::gsc::import::{Kind, UNKNOWN};

/// How many values of the dictionary are held against filters at once: so many keep a thread for some milliseconds.
const BATCH: i64 = 5_000;

/// The values that fit, by dimension; `None`: all do. There are never more numbers than the dictionary has values.
#[derive(Debug, Default)]
pub(super) struct WantedValues {
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

impl WantedValues {
    /// Holds all filters of a run against the values that there are.
    pub(super) async fn look_up(
        connection: &mut AsyncPgConnection,
        wanted: &Wanted<SearchReports>,
    ) -> Result<Self, Abort<StoreError>> {
        let filters = &wanted.asked.filters;
        let matchers = |dimension| matchers(filters, dimension).map_err(Abort::Port);
        let (queries, pages, looks) = (
            matchers(FilterDimension::Query)?,
            matchers(FilterDimension::Page)?,
            matchers(FilterDimension::SearchAppearance)?,
        );
        Ok(Self {
            queries: fitting(connection, wanted, Kind::Query, queries).await?,
            pages: fitting(connection, wanted, Kind::Page, pages).await?,
            appearances: fitting(connection, wanted, Kind::Appearance, looks).await?,
            countries: countries(connection, wanted, matchers(FilterDimension::Country)?).await?,
            devices: devices(matchers(FilterDimension::Device)?),
        })
    }
}

/// The filters of a dimension; `None`: there are none.
fn matchers(filters: &[Filter], dimension: FilterDimension) -> Result<Option<Vec<Matcher>>, StoreError> {
    let of_dimension = filters.iter().filter(|filter| filter.dimension == dimension);
    let matchers: Vec<Matcher> = of_dimension
        .map(Filter::matcher)
        .collect::<Result<_, _>>()
        .map_err(|why| StoreError::Corrupt(format!("the filter of a report {why}")))?;
    Ok((!matchers.is_empty()).then_some(matchers))
}

fn fit(matchers: &[Matcher], value: &str) -> bool {
    matchers.iter().all(|matcher| matcher.fits(value))
}

/// The numbers of the values of the dictionary that fit, which is read in batches.
async fn fitting(
    connection: &mut AsyncPgConnection,
    wanted: &Wanted<SearchReports>,
    kind: Kind,
    matchers: Option<Vec<Matcher>>,
) -> Result<Option<Vec<i64>>, Abort<StoreError>> {
    let Some(matchers) = matchers else {
        return Ok(None);
    };
    let mut numbers = Vec::new();
    let mut after = String::new();
    loop {
        let query = sql!(text "SELECT id, value FROM search_values
            WHERE domain_id = $1 AND kind = $2 AND value > $3 ORDER BY value LIMIT $4")
        .bind::<SqlUuid, _>(wanted.domain.0)
        .bind::<SmallInt, _>(kind.code())
        .bind::<Text, _>(&after)
        .bind::<BigInt, _>(BATCH);
        let rows: Vec<ValueRow> = query.load(connection).await?;
        let fitting = rows.iter().filter(|row| fit(&matchers, &row.value));
        numbers.extend(fitting.map(|row| row.id));
        match rows.into_iter().last() {
            Some(last) => after = last.value,
            None => return Ok(Some(numbers)),
        }
    }
}

/// The countries that fit among those that people searched from. One that is not known is like an empty text.
async fn countries(
    connection: &mut AsyncPgConnection,
    wanted: &Wanted<SearchReports>,
    matchers: Option<Vec<Matcher>>,
) -> Result<Option<Vec<String>>, Abort<StoreError>> {
    let Some(matchers) = matchers else {
        return Ok(None);
    };
    let query = sql!("countries.sql")
        .bind::<SqlUuid, _>(wanted.domain.0)
        .bind::<SmallInt, _>(wanted.asked.search_type.code())
        .bind::<SqlDate, _>(wanted.window.first())
        .bind::<SqlDate, _>(wanted.window.last());
    let rows: Vec<CountryRow> = query.load(connection).await?;
    let fits = |country: &String| {
        let told = if country == UNKNOWN { "" } else { country };
        fit(&matchers, told)
    };
    Ok(Some(
        rows.into_iter().map(|row| row.country).filter(fits).collect(),
    ))
}

/// The numbers of devices that fit; 0: the upstream does not tell.
fn devices(matchers: Option<Vec<Matcher>>) -> Option<Vec<i16>> {
    let matchers = matchers?;
    let known = Device::ALL.iter().map(|device| (device.code(), device.as_str()));
    let all = known.chain([(0, "")]);
    Some(
        all.filter(|(_, name)| fit(&matchers, name))
            .map(|(code, _)| code)
            .collect(),
    )
}
