//! Days as they are imported, and their sums.

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryResult, QueryableByName,
    sql_types::{Array, BigInt, Bool, Date as SqlDate, Double, SmallInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{
    failure::{Abort, failure},
    pool::Database,
    set_aside::{Fault, Kind as AsideKind, SetAside},
    sql,
};
use pharos_search::{
    google::sitemaps::SitemapList,
    gsc::{
        figures::{Device, Figures, SearchType},
        import::{DayList, FinalRows, ImportedDay, Row, SearchImport},
        link::LinkRef,
        place::{Country, Place},
    },
};
use time::Date;

use super::{
    sitemaps,
    turn::{in_turn, take},
};

/// How many days of the property before one transaction forgets.
const FORGOTTEN_AT_ONCE: i64 = 14;
/// How many of its texts.
const TEXTS_AT_ONCE: i64 = 10_000;

/// The code for a country that is not known.
pub(crate) const UNKNOWN: &str = "ZZ";

/// Imports into PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSearchImport {
    database: Database,
}

impl PgSearchImport {
    /// Imports into `database`.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }
}

/// The kinds of texts in the dictionary.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Query,
    Page,
    Appearance,
}

impl Kind {
    /// Its number in the store.
    pub(super) const fn code(self) -> i16 {
        match self {
            Self::Query => 1,
            Self::Page => 2,
            Self::Appearance => 3,
        }
    }
}

/// Rows as PostgreSQL takes them: a list a column.
#[derive(Default)]
struct Columns<'a> {
    queries: Vec<&'a str>,
    pages: Vec<&'a str>,
    countries: Vec<&'a str>,
    devices: Vec<i16>,
    clicks: Vec<i64>,
    impressions: Vec<i64>,
    position_sums: Vec<f64>,
}

impl<'a> Columns<'a> {
    fn of<Value>(rows: &'a [Row<Value>], texts: fn(&'a Value) -> (Option<&'a str>, Option<&'a str>)) -> Self {
        let mut columns = Self::default();
        for row in rows {
            let (query, page) = texts(&row.value);
            columns.queries.extend(query);
            columns.pages.extend(page);
            columns.push(&row.place, row.figures);
        }
        columns
    }

    fn push(&mut self, place: &'a Place, figures: Figures) {
        self.countries
            .push(place.country.as_ref().map_or(UNKNOWN, Country::as_str));
        self.devices.push(place.device.map_or(0, Device::code));
        self.push_figures(figures);
    }

    fn push_figures(&mut self, figures: Figures) {
        self.clicks.push(stored(figures.clicks));
        self.impressions.push(stored(figures.impressions));
        self.position_sums.push(figures.position_sum);
    }
}

/// A count as it is stored: no upstream counts as far as the bound.
pub(super) fn stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[derive(QueryableByName)]
struct DateRow {
    #[diesel(sql_type = SqlDate)]
    date: Date,
}

#[derive(QueryableByName)]
struct OthersRow {
    #[diesel(sql_type = Bool)]
    has_others: bool,
}

#[derive(QueryableByName)]
struct OtherRow {
    #[diesel(sql_type = SmallInt)]
    search_type: i16,
    #[diesel(sql_type = SqlDate)]
    date: Date,
}

#[derive(QueryableByName)]
struct LinkedRow {
    #[diesel(sql_type = Bool)]
    is_linked: bool,
}

#[derive(QueryableByName)]
struct FinalRowsRow {
    #[diesel(sql_type = Bool)]
    queries: bool,
    #[diesel(sql_type = Bool)]
    pages: bool,
}

/// The day that is replaced.
#[derive(Clone, Copy)]
struct Day {
    domain: DomainId,
    search_type: SearchType,
    date: Date,
}

#[async_trait]
impl SearchImport for PgSearchImport {
    async fn replace_day(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        date: Date,
        day: &ImportedDay,
    ) -> Result<bool, StoreError> {
        let replaced = Day {
            domain: link.domain,
            search_type,
            date,
        };
        in_turn(|| async {
            let mut connection = self.database.connection().await?;
            connection
                .transaction::<_, Abort<StoreError>, _>(async |connection| {
                    if !is_linked(connection, link).await? {
                        return Ok(false);
                    }
                    replace(connection, replaced, day).await?;
                    Ok(true)
                })
                .await
                .map_err(Abort::answer)
        })
        .await
    }

    fn lies_in_what_came(&self, error: &StoreError) -> bool {
        error.lies_in_a_row()
    }

    async fn set_aside(&self, domain: DomainId, why: &str) -> Result<(), StoreError> {
        let note = SetAside::unread(AsideKind::SearchImport, &domain.0, &why);
        self.database.note(note).await
    }

    async fn final_rows(
        &self,
        domain: DomainId,
        search_type: SearchType,
        date: Date,
    ) -> Result<FinalRows, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql!("final_rows.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<SmallInt, _>(search_type.code())
            .bind::<SqlDate, _>(date);
        let row: Option<FinalRowsRow> = query
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        Ok(
            row.map_or_else(FinalRows::default, |FinalRowsRow { queries, pages }| FinalRows {
                queries,
                pages,
            }),
        )
    }

    async fn forget_others(&self, link: LinkRef<'_>) -> Result<bool, StoreError> {
        loop {
            // Not held from one part to the next: there may be many.
            let forgotten = in_turn(|| async {
                let mut connection = self.database.connection().await?;
                connection
                    .transaction::<_, Abort<StoreError>, _>(async |connection| {
                        if !is_linked(connection, link).await? {
                            return Ok(None);
                        }
                        forget_some(connection, link).await.map(Some)
                    })
                    .await
                    .map_err(Abort::answer)
            });
            match forgotten.await? {
                None => return Ok(false),
                Some(0) => return Ok(true),
                Some(_) => {}
            }
        }
    }

    async fn empty_days(
        &self,
        link: LinkRef<'_>,
        search_type: SearchType,
        (first, last): (Date, Date),
        others: &[Date],
    ) -> Result<bool, StoreError> {
        in_turn(|| async {
            let mut connection = self.database.connection().await?;
            connection
                .transaction::<_, Abort<StoreError>, _>(async |connection| {
                    if !is_linked(connection, link).await? {
                        return Ok(false);
                    }
                    let query = sql!("stored_days.sql")
                        .bind::<SqlUuid, _>(link.domain.0)
                        .bind::<SmallInt, _>(search_type.code())
                        .bind::<SqlDate, _>(first)
                        .bind::<SqlDate, _>(last)
                        .bind::<Array<SqlDate>, _>(others);
                    let stored: Vec<DateRow> = query.load(connection).await?;
                    for DateRow { date } in stored {
                        let day = Day {
                            domain: link.domain,
                            search_type,
                            date,
                        };
                        forget(connection, day, &[]).await?;
                    }
                    Ok(true)
                })
                .await
                .map_err(Abort::answer)
        })
        .await
    }

    async fn sum_months(
        &self,
        domain: DomainId,
        search_type: SearchType,
        data_through: Date,
    ) -> Result<(), StoreError> {
        in_turn(|| async {
            let mut connection = self.database.connection().await?;
            connection
                .transaction::<_, Abort<StoreError>, _>(async |connection| {
                    // A day that is replaced meanwhile would be added up as it was.
                    take(connection, domain).await?;
                    let query = sql!("sum_months.sql")
                        .bind::<SqlUuid, _>(domain.0)
                        .bind::<SmallInt, _>(search_type.code())
                        .bind::<SqlDate, _>(data_through);
                    query.execute(connection).await?;
                    Ok(())
                })
                .await
                .map_err(Abort::answer)
        })
        .await
    }

    async fn replace_sitemaps(&self, link: LinkRef<'_>, sitemaps: &SitemapList) -> Result<bool, StoreError> {
        in_turn(|| async {
            let mut connection = self.database.connection().await?;
            connection
                .transaction::<_, Abort<StoreError>, _>(async |connection| {
                    if !is_linked(connection, link).await? {
                        return Ok(false);
                    }
                    sitemaps::replace(connection, link.domain, link.site_url, sitemaps).await?;
                    Ok(true)
                })
                .await
                .map_err(Abort::answer)
        })
        .await
    }
}

/// Whether the domain is still linked so, and stays it until the transaction ends.
///
/// # Errors
/// It is another's turn: for [`in_turn`].
pub(super) async fn is_linked(
    connection: &mut AsyncPgConnection,
    link: LinkRef<'_>,
) -> Result<bool, Abort<StoreError>> {
    take(connection, link.domain).await?;
    let query = sql!(text "SELECT EXISTS (
            SELECT FROM search_properties WHERE domain_id = $1 AND site_url = $2 AND linked_at = $3
        ) AS is_linked")
    .bind::<SqlUuid, _>(link.domain.0)
    .bind::<Text, _>(link.site_url)
    .bind::<Timestamptz, _>(link.linked_at);
    let row: LinkedRow = query.get_result(connection).await?;
    Ok(row.is_linked)
}

/// Forgets some days of the property that a domain was linked to before, then some of its texts: how many there were. Once there are
/// none, the days of the domain are those of the link.
async fn forget_some(
    connection: &mut AsyncPgConnection,
    link: LinkRef<'_>,
) -> Result<usize, Abort<StoreError>> {
    let domain = link.domain;
    let query = sql!(text "SELECT EXISTS (
            SELECT FROM search_sources WHERE domain_id = $1 AND others_until IS NOT NULL
        ) AS has_others")
    .bind::<SqlUuid, _>(domain.0);
    let OthersRow { has_others } = query.get_result(connection).await?;
    if !has_others {
        return Ok(0);
    }
    let query = sql!("other_days.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<BigInt, _>(FORGOTTEN_AT_ONCE);
    let days: Vec<OtherRow> = query.load(connection).await?;
    for OtherRow { search_type, date } in &days {
        let unknown = || StoreError::Corrupt(format!("no search type has the number {search_type}"));
        let day = Day {
            domain,
            search_type: SearchType::of_code(*search_type)
                .ok_or_else(unknown)
                .map_err(Abort::Port)?,
            date: *date,
        };
        forget(connection, day, &[]).await?;
    }
    if !days.is_empty() {
        return Ok(days.len());
    }
    // Whoever learns texts of the domain meanwhile waits for the end of this transaction.
    let query = sql!("forget_other_values.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<BigInt, _>(TEXTS_AT_ONCE);
    let texts = query.execute(connection).await?;
    if texts == 0 {
        let query = sql!(text "UPDATE search_sources SET site_url = $2, others_until = NULL
            WHERE domain_id = $1")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Text, _>(link.site_url);
        query.execute(connection).await?;
    }
    Ok(texts)
}

/// Forgets a day but for some lists of it.
async fn forget(connection: &mut AsyncPgConnection, day: Day, kept: &[DayList]) -> QueryResult<()> {
    let kept: Vec<&str> = kept.iter().map(|list| name(*list)).collect();
    let query = sql!("forget_day.sql")
        .bind::<SqlUuid, _>(day.domain.0)
        .bind::<SmallInt, _>(day.search_type.code())
        .bind::<SqlDate, _>(day.date)
        .bind::<Array<Text>, _>(&kept);
    query.execute(connection).await.map(|_| ())
}

/// The name of a list, as the statement has it.
const fn name(list: DayList) -> &'static str {
    match list {
        DayList::Places => "places",
        DayList::Queries => "queries",
        DayList::Pages => "pages",
        DayList::Pairs => "pairs",
        DayList::Appearances => "appearances",
    }
}

async fn replace(
    connection: &mut AsyncPgConnection,
    replaced: Day,
    day: &ImportedDay,
) -> Result<(), Abort<StoreError>> {
    let Day {
        domain,
        search_type,
        date,
    } = replaced;
    forget(connection, replaced, &day.refused).await?;
    if let Some(totals) = day.totals {
        let query = sql!(text "INSERT INTO search_days
            (domain_id, search_type, date, is_final, clicks, impressions, position_sum)
            VALUES ($1, $2, $3, $4, $5, $6, $7)")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SmallInt, _>(search_type.code())
        .bind::<SqlDate, _>(date)
        .bind::<Bool, _>(day.is_final)
        .bind::<BigInt, _>(stored(totals.clicks))
        .bind::<BigInt, _>(stored(totals.impressions))
        .bind::<Double, _>(totals.position_sum);
        query.execute(connection).await?;
    }
    let places = Columns::of(&day.places, |()| (None, None));
    let queries = Columns::of(&day.queries, |query| (Some(query), None));
    let pages = Columns::of(&day.pages, |page| (None, Some(page)));
    let pairs = Columns::of(&day.pairs, |(query, page)| (Some(query), Some(page)));
    let mut looks = Columns::default();
    let mut appearances = Vec::with_capacity(day.appearances.len());
    for (appearance, page, figures) in &day.appearances {
        appearances.push(appearance.as_str());
        looks.pages.push(page);
        looks.push_figures(*figures);
    }
    let all_queries: Vec<&str> = queries.queries.iter().chain(&pairs.queries).copied().collect();
    let every_page = pages.pages.iter().chain(&pairs.pages).chain(&looks.pages);
    let every_page: Vec<&str> = every_page.copied().collect();
    learn(connection, replaced, Kind::Query, &all_queries).await?;
    learn(connection, replaced, Kind::Page, &every_page).await?;
    learn(connection, replaced, Kind::Appearance, &appearances).await?;

    macro_rules! insert {
        ($file:literal, $columns:expr $(, $texts:expr)*) => {{
            let columns = &$columns;
            let query = sql!($file)
                .bind::<SqlUuid, _>(domain.0)
                .bind::<SmallInt, _>(search_type.code())
                .bind::<SqlDate, _>(date)
                .bind::<Array<BigInt>, _>(&columns.clicks)
                .bind::<Array<BigInt>, _>(&columns.impressions)
                .bind::<Array<Double>, _>(&columns.position_sums)
                $(.bind::<Array<Text>, _>($texts))*;
            query
        }};
    }
    macro_rules! with_places {
        ($query:expr, $columns:expr) => {
            $query
                .bind::<Array<Text>, _>(&$columns.countries)
                .bind::<Array<SmallInt>, _>(&$columns.devices)
                .execute(connection)
                .await?
        };
    }
    // The planner knows nothing of values that were learned a moment ago, and would hold each row against each of them.
    plan_loops(connection, false).await?;
    with_places!(insert!("insert_places.sql", places), places);
    with_places!(insert!("insert_queries.sql", queries, &queries.queries), queries);
    with_places!(insert!("insert_pages.sql", pages, &pages.pages), pages);
    with_places!(
        insert!("insert_pairs.sql", pairs, &pairs.queries, &pairs.pages),
        pairs
    );
    insert!("insert_appearances.sql", looks, &appearances, &looks.pages)
        .execute(connection)
        .await?;
    plan_loops(connection, true).await?;
    let query = sql!("sum_day.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SmallInt, _>(search_type.code())
        .bind::<SqlDate, _>(date);
    query.execute(connection).await?;
    Ok(())
}

/// Whether rows of joins may be looked up one by one, until the transaction ends.
async fn plan_loops(connection: &mut AsyncPgConnection, may: bool) -> Result<(), Abort<StoreError>> {
    let query = sql!(text "SELECT set_config('enable_nestloop', $1::text, true)").bind::<Text, _>(if may {
        "on"
    } else {
        "off"
    });
    query.execute(connection).await?;
    Ok(())
}

/// Gives every text a number, and keeps it for as long as the day.
async fn learn(
    connection: &mut AsyncPgConnection,
    day: Day,
    kind: Kind,
    texts: &[&str],
) -> Result<(), Abort<StoreError>> {
    macro_rules! run {
        ($file:literal) => {
            sql!($file)
                .bind::<SqlUuid, _>(day.domain.0)
                .bind::<SmallInt, _>(kind.code())
                .bind::<Array<Text>, _>(texts)
                .bind::<SqlDate, _>(day.date)
                .execute(connection)
                .await?
        };
    }
    run!("see_values.sql");
    run!("learn_values.sql");
    Ok(())
}
