//! Values that came, went or moved.

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{BigInt, Bool, Date as SqlDate, Double, Nullable, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    identity::DomainAccess,
    page::{OffsetRequest, PageRequest},
    store::StoreError,
};
use pharos_persistence::{failure::read_failure, names::count, sql};
use pharos_search::gsc::{
    figures::Figures,
    rankings::{Between, LostRanking, Movement, Mover, NewRanking, RankingReads},
    values::ValueId,
};
use time::Date;

use super::{FiguresRow, PgSearchReads};

/// A statement over the values of two windows: `$1` to `$7`.
macro_rules! between {
    ($file:literal, $domain:expr, $between:expr) => {
        sql!($file)
            .bind::<SqlUuid, _>($domain.id().0)
            .bind::<SmallInt, _>($between.search_type.code())
            .bind::<SmallInt, _>($between.dimension.code())
            .bind::<SqlDate, _>($between.window.first())
            .bind::<SqlDate, _>($between.window.last())
            .bind::<SqlDate, _>($between.base.first())
            .bind::<SqlDate, _>($between.base.last())
    };
}

#[derive(QueryableByName)]
struct NewRow {
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = Nullable<Text>)]
    text: Option<String>,
    #[diesel(embed)]
    figures: FiguresRow,
    #[diesel(sql_type = Nullable<SqlDate>)]
    first_seen_on: Option<Date>,
    #[diesel(sql_type = Nullable<Double>)]
    best_position: Option<f64>,
    #[diesel(sql_type = Nullable<Text>)]
    top_page: Option<String>,
}

#[derive(QueryableByName)]
struct LostRow {
    #[diesel(sql_type = BigInt)]
    value_id: i64,
    #[diesel(sql_type = Text)]
    text: String,
    #[diesel(embed)]
    figures: FiguresRow,
    #[diesel(sql_type = SqlDate)]
    last_seen_on: Date,
    #[diesel(sql_type = Nullable<Double>)]
    last_position: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    kept_share: Option<f64>,
    #[diesel(sql_type = Bool)]
    is_deindexed: bool,
}

#[derive(QueryableByName)]
struct MoverRow {
    #[diesel(sql_type = Text)]
    text: String,
    #[diesel(embed)]
    figures: FiguresRow,
    #[diesel(sql_type = BigInt)]
    clicks_before: i64,
    #[diesel(sql_type = BigInt)]
    impressions_before: i64,
    #[diesel(sql_type = Double)]
    position_sum_before: f64,
}

/// A row of the list; `None` where it stands for the total alone.
fn new_ranking(row: NewRow) -> Option<Result<NewRanking, StoreError>> {
    let (value, first_seen_on) = (row.text?, row.first_seen_on?);
    Some(Figures::try_from(row.figures).map(|figures| NewRanking {
        value,
        figures,
        first_seen_on,
        best_position: row.best_position,
        top_page: row.top_page,
    }))
}

#[async_trait]
impl RankingReads for PgSearchReads {
    async fn new_rankings(
        &self,
        domain: &DomainAccess,
        between: &Between,
        page: OffsetRequest,
    ) -> Result<(Vec<NewRanking>, u64), StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = between!("new.sql", domain, between)
            .bind::<BigInt, _>(i64::from(page.limit))
            .bind::<BigInt, _>(page.offset);
        let rows: Vec<NewRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let total = rows.as_slice().first().map_or(Ok(0), |row| count(row.total))?;
        let items = rows.into_iter().filter_map(new_ranking);
        Ok((items.collect::<Result<_, _>>()?, total))
    }

    async fn lost_rankings(
        &self,
        domain: &DomainAccess,
        between: &Between,
        page: &PageRequest<i64, i64>,
    ) -> Result<Vec<LostRanking>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let after = page.after.as_ref();
        let query = between!("lost.sql", domain, between)
            .bind::<Bool, _>(after.is_some())
            .bind::<BigInt, _>(after.map_or(0, |after| after.key))
            .bind::<BigInt, _>(after.map_or(0, |after| after.id))
            .bind::<BigInt, _>(page.rows())
            .bind::<SmallInt, _>(between.dimension.other().code());
        let rows: Vec<LostRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter()
            .map(|row| {
                Ok(LostRanking {
                    id: ValueId(row.value_id),
                    value: row.text,
                    base: row.figures.try_into()?,
                    last_seen_on: row.last_seen_on,
                    last_position: row.last_position,
                    kept_share: row.kept_share,
                    is_deindexed: row.is_deindexed,
                })
            })
            .collect()
    }

    async fn movers(
        &self,
        domain: &DomainAccess,
        between: &Between,
        movement: Movement,
        most: u16,
    ) -> Result<Vec<Mover>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let sign: i16 = match movement {
            Movement::Up => 1,
            Movement::Down => -1,
            Movement::Both => 0,
        };
        let query = between!("movers.sql", domain, between)
            .bind::<SmallInt, _>(sign)
            .bind::<BigInt, _>(i64::from(most));
        let rows: Vec<MoverRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter()
            .map(|row| {
                Ok(Mover {
                    value: row.text,
                    figures: row.figures.try_into()?,
                    before: Figures {
                        clicks: count(row.clicks_before)?,
                        impressions: count(row.impressions_before)?,
                        position_sum: row.position_sum_before,
                    },
                })
            })
            .collect()
    }
}
