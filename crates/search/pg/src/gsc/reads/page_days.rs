//! The days of pages that others compare.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, Date as SqlDate, Integer, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    ids::DomainId,
    page_facts::{PageSearchDays, SearchDay},
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{failure::read_failure, names::count, sql, text::without_nul};
use pharos_search::gsc::figures::Figures;
use time::Date;

use super::{FiguresRow, PgSearchReads};

#[derive(QueryableByName)]
struct PageDayRow {
    #[diesel(sql_type = Integer)]
    side: i32,
    #[diesel(sql_type = Nullable<Integer>)]
    place: Option<i32>,
    #[diesel(sql_type = SqlDate)]
    date: Date,
    #[diesel(embed)]
    figures: FiguresRow,
}

impl TryFrom<PageDayRow> for SearchDay {
    type Error = StoreError;

    fn try_from(row: PageDayRow) -> Result<Self, StoreError> {
        let figures: Figures = row.figures.try_into()?;
        Ok(Self {
            group: count(row.side)?,
            page: row.place.map(count).transpose()?,
            day: row.date,
            figures: figures.into(),
        })
    }
}

/// Pages as PostgreSQL takes them: a list a column.
#[derive(Default)]
struct Columns {
    paths: Vec<String>,
    groups: Vec<i32>,
    places: Vec<i32>,
}

impl Columns {
    fn of(groups: &[&[String]]) -> Self {
        let mut columns = Self::default();
        for (group, paths) in (0..).zip(groups) {
            for (place, path) in (0..).zip(*paths) {
                columns.paths.push(without_nul(path.clone()));
                columns.groups.push(group);
                columns.places.push(place);
            }
        }
        columns
    }
}

#[async_trait]
impl PageSearchDays for PgSearchReads {
    async fn by_day(
        &self,
        domain: DomainId,
        days: DateRange,
        ports: &[String],
        groups: &[&[String]],
    ) -> Result<Vec<SearchDay>, StoreError> {
        let Columns {
            paths,
            groups,
            places,
        } = Columns::of(groups);
        let mut connection = self.database.long_read().await?;
        let query = sql!("page_days.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<SqlDate, _>(days.first())
            .bind::<SqlDate, _>(days.last())
            .bind::<Array<Text>, _>(paths)
            .bind::<Array<Integer>, _>(groups)
            .bind::<Array<Integer>, _>(places)
            .bind::<Array<Text>, _>(ports);
        let rows: Vec<PageDayRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(SearchDay::try_from).collect()
    }
}
