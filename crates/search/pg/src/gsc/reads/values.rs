//! Queries and pages.

use std::{collections::HashMap, sync::Arc};

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Bool, Double, Nullable, SmallInt, Text},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::TryStreamExt;
use pharos_domain::{identity::DomainAccess, page::SortOrder, store::StoreError, window::DateRange};
use pharos_persistence::{failure::read_failure, names::count, sql};
use pharos_search::gsc::{
    config::Brand,
    figures::{Figures, SearchType},
    values::{
        Detail, Dimension, Partners, RowsOf, ValueFigures, ValueId, ValueReads, ValueSort, Values,
        ValuesQuery,
    },
};

use super::{FiguresRow, PartNumbers, PgSearchReads, PlaceRow, TextRow, find_value, rows_of, window_of};
use crate::gsc::judged;

#[derive(QueryableByName)]
struct ListRow {
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = BigInt)]
    total_clicks: i64,
    #[diesel(sql_type = BigInt)]
    total_impressions: i64,
    #[diesel(sql_type = Double)]
    total_position_sum: f64,
    #[diesel(sql_type = Nullable<BigInt>)]
    value_id: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    text: Option<String>,
    #[diesel(embed)]
    figures: FiguresRow,
}

#[derive(QueryableByName)]
struct PartnersRow {
    #[diesel(sql_type = BigInt)]
    value_id: i64,
    #[diesel(sql_type = BigInt)]
    partners: i64,
    #[diesel(sql_type = Text)]
    top: String,
}

#[derive(QueryableByName)]
struct ValueRow {
    #[diesel(sql_type = BigInt)]
    value_id: i64,
    #[diesel(embed)]
    figures: FiguresRow,
}

#[derive(QueryableByName)]
struct KnownTextRow {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    text: String,
}

#[derive(QueryableByName)]
struct PartnerRow {
    #[diesel(embed)]
    partner: TextRow,
    #[diesel(sql_type = BigInt)]
    all_clicks: i64,
}

/// The queries among the rows that are branded: SQL has no such expressions.
async fn branded(
    mut connection: &AsyncPgConnection,
    domain: &DomainAccess,
    rows: &RowsOf<'_>,
    part: &PartNumbers<'_>,
    brand: &Arc<Brand>,
) -> Result<Vec<i64>, StoreError> {
    let query = rows_of!(sql!("texts.sql"), domain, *rows, *part);
    let texts = query
        .load_stream::<KnownTextRow>(&mut connection)
        .await
        .map_err(read_failure)?;
    judged::branded(texts.map_ok(|row| (row.id, row.text)), brand).await
}

#[async_trait]
impl ValueReads for PgSearchReads {
    async fn list(&self, domain: &DomainAccess, asked: &ValuesQuery<'_>) -> Result<Values, StoreError> {
        let mut connection = self.database.long_read().await?;
        let Some(part) = PartNumbers::of(&connection, domain.id(), asked.part).await? else {
            return Ok(Values::default());
        };
        let rows = asked.rows();
        let branded = match asked.branded {
            None => None,
            Some((wanted, brand)) => Some((wanted, branded(&connection, domain, &rows, &part, brand).await?)),
        };
        let (wanted, ids) = branded.unzip();
        let sort: i16 = match asked.sort {
            ValueSort::Clicks => 0,
            ValueSort::Impressions => 1,
            ValueSort::Ctr => 2,
            ValueSort::Position => 3,
            ValueSort::Value => 4,
        };
        let sign = match asked.order {
            SortOrder::Ascending => 1.0,
            SortOrder::Descending => -1.0,
        };
        let query = rows_of!(sql!("list.sql"), domain, rows, part)
            .bind::<Nullable<Text>, _>(asked.search)
            .bind::<SmallInt, _>(sort)
            .bind::<Double, _>(sign)
            .bind::<Nullable<Array<BigInt>>, _>(ids)
            .bind::<Nullable<Bool>, _>(wanted)
            .bind::<BigInt, _>(i64::from(asked.page.limit))
            .bind::<BigInt, _>(asked.page.offset);
        let rows: Vec<ListRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let Some(first) = rows.as_slice().first() else {
            return Ok(Values::default());
        };
        Ok(Values {
            total: count(first.total)?,
            totals: Figures {
                clicks: count(first.total_clicks)?,
                impressions: count(first.total_impressions)?,
                position_sum: first.total_position_sum,
            },
            items: rows
                .into_iter()
                .filter_map(listed)
                .collect::<Result<_, StoreError>>()?,
        })
    }

    async fn partners(
        &self,
        domain: &DomainAccess,
        rows: &RowsOf<'_>,
        values: &[ValueId],
    ) -> Result<HashMap<ValueId, Partners>, StoreError> {
        if values.is_empty() {
            return Ok(HashMap::new());
        }
        let mut connection = self.database.long_read().await?;
        let Some(part) = PartNumbers::of(&connection, domain.id(), rows.part).await? else {
            return Ok(HashMap::new());
        };
        let query = rows_of!(sql!("partners.sql"), domain, *rows, part).bind::<Array<BigInt>, _>(ids(values));
        let rows: Vec<PartnersRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter()
            .map(|row| {
                let partners = Partners {
                    count: count(row.partners)?,
                    top: row.top,
                };
                Ok((ValueId(row.value_id), partners))
            })
            .collect()
    }

    async fn figures(
        &self,
        domain: &DomainAccess,
        rows: &RowsOf<'_>,
        values: &[ValueId],
    ) -> Result<HashMap<ValueId, Figures>, StoreError> {
        if values.is_empty() {
            return Ok(HashMap::new());
        }
        let mut connection = self.database.long_read().await?;
        let Some(part) = PartNumbers::of(&connection, domain.id(), rows.part).await? else {
            return Ok(HashMap::new());
        };
        let query = rows_of!(sql!("before.sql"), domain, *rows, part).bind::<Array<BigInt>, _>(ids(values));
        let rows: Vec<ValueRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter()
            .map(|row| Ok((ValueId(row.value_id), row.figures.try_into()?)))
            .collect()
    }

    async fn detail(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        dimension: Dimension,
        value: &str,
        window: DateRange,
        most: u16,
    ) -> Result<Option<Detail>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let Some(id) = find_value(&connection, domain.id(), dimension, value).await? else {
            return Ok(None);
        };
        let of = |asked: Dimension| (dimension == asked).then_some(id.0);
        let places = window_of!(sql!("places.sql"), domain, search_type, window)
            .bind::<Nullable<BigInt>, _>(of(Dimension::Query))
            .bind::<Nullable<BigInt>, _>(of(Dimension::Page));
        let places: Vec<PlaceRow> = places.load(&mut connection).await.map_err(read_failure)?;
        let partners = sql!("with.sql")
            .bind::<diesel::sql_types::Uuid, _>(domain.id().0)
            .bind::<SmallInt, _>(search_type.code())
            .bind::<SmallInt, _>(dimension.code())
            .bind::<diesel::sql_types::Date, _>(window.first())
            .bind::<diesel::sql_types::Date, _>(window.last())
            .bind::<BigInt, _>(id.0)
            .bind::<BigInt, _>(i64::from(most));
        let partners: Vec<PartnerRow> = partners.load(&mut connection).await.map_err(read_failure)?;
        let appearances: Vec<TextRow> = match of(Dimension::Page) {
            None => Vec::new(),
            Some(page) => {
                let query = window_of!(sql!("appearances.sql"), domain, search_type, window)
                    .bind::<Nullable<BigInt>, _>(Some(page));
                query.load(&mut connection).await.map_err(read_failure)?
            }
        };
        let partner_clicks = partners
            .as_slice()
            .first()
            .map_or(Ok(0), |row| count(row.all_clicks))?;
        let read = |rows: Vec<TextRow>| rows.into_iter().map(TextRow::read).collect::<Result<_, _>>();
        Ok(Some(Detail {
            partners: read(partners.into_iter().map(|row| row.partner).collect())?,
            partner_clicks,
            places: places
                .into_iter()
                .map(PlaceRow::read)
                .collect::<Result<_, StoreError>>()?,
            appearances: read(appearances)?,
        }))
    }
}

/// A row of the list; `None` where it stands for the totals alone.
fn listed(row: ListRow) -> Option<Result<ValueFigures, StoreError>> {
    let (id, value) = row.value_id.zip(row.text)?;
    Some(Figures::try_from(row.figures).map(|figures| ValueFigures {
        id: ValueId(id),
        value,
        figures,
    }))
}

fn ids(values: &[ValueId]) -> Vec<i64> {
    values.iter().map(|id| id.0).collect()
}
