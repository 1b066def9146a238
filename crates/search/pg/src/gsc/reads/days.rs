//! Figures by day and place, directories, and what curves are made of.

use std::collections::BTreeMap;

use async_trait::async_trait;
use diesel::{
    QueryableByName,
    sql_types::{Array, BigInt, Date as SqlDate, Nullable, SmallInt, Text, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{identity::DomainAccess, store::StoreError, window::DateRange};
use pharos_persistence::{failure::read_failure, names::count, sql};
use pharos_search::gsc::{
    curve::{CtrCurve, CurveReads, POSITIONS, Sample},
    days::{DayReads, PartFilter, Seen, StoredDay},
    directories::{Directory, DirectoryReads},
    figures::{Figures, SearchType},
    place::Place,
};
use time::Date;

use super::{FiguresRow, PartNumbers, PgSearchReads, PlaceRow, TextRow, window_of};

#[derive(QueryableByName)]
struct StoredDayRow {
    #[diesel(sql_type = SmallInt)]
    search_type: i16,
    #[diesel(sql_type = SqlDate)]
    date: Date,
    #[diesel(embed)]
    figures: FiguresRow,
}

#[derive(QueryableByName)]
struct DayRow {
    #[diesel(sql_type = SqlDate)]
    date: Date,
    #[diesel(embed)]
    figures: FiguresRow,
}

#[derive(QueryableByName)]
struct SeenRow {
    #[diesel(sql_type = SmallInt)]
    kind: i16,
    #[diesel(sql_type = BigInt)]
    seen: i64,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
}

#[async_trait]
impl DayReads for PgSearchReads {
    async fn days(
        &self,
        domain: &DomainAccess,
        search_types: &[SearchType],
        windows: &[DateRange],
    ) -> Result<Vec<StoredDay>, StoreError> {
        // Not as methods: diesel has some of these names for everything.
        let firsts = windows.iter().copied().map(DateRange::first);
        let lasts = windows.iter().copied().map(DateRange::last);
        let Some((first, last)) = firsts.min().zip(lasts.max()) else {
            return Ok(Vec::new());
        };
        let codes: Vec<i16> = search_types.iter().map(|kind| kind.code()).collect();
        let mut connection = self.database.long_read().await?;
        let query = sql!("days.sql")
            .bind::<SqlUuid, _>(domain.id().0)
            .bind::<SqlDate, _>(first)
            .bind::<SqlDate, _>(last)
            .bind::<Array<SmallInt>, _>(codes);
        let rows: Vec<StoredDayRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter()
            .map(|row| {
                let unknown =
                    || StoreError::Corrupt(format!("no search type has the number {}", row.search_type));
                Ok(StoredDay {
                    search_type: SearchType::of_code(row.search_type).ok_or_else(unknown)?,
                    date: row.date,
                    figures: row.figures.try_into()?,
                })
            })
            .collect()
    }

    async fn seen(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
    ) -> Result<Seen, StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = window_of!(sql!("seen.sql"), domain, search_type, window);
        let rows: Vec<SeenRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let mut seen = Seen::default();
        for row in rows {
            if row.kind == 1 {
                seen.queries = count(row.seen)?;
                seen.query_clicks = count(row.clicks)?;
                seen.query_impressions = count(row.impressions)?;
            } else {
                seen.pages = count(row.seen)?;
            }
        }
        Ok(seen)
    }

    async fn series(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
        part: &PartFilter,
    ) -> Result<Option<BTreeMap<Date, Figures>>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let Some(part) = PartNumbers::of(&connection, domain.id(), part).await? else {
            return Ok(None);
        };
        let query = window_of!(sql!("series.sql"), domain, search_type, window)
            .bind::<Nullable<BigInt>, _>(part.query.map(|id| id.0))
            .bind::<Nullable<BigInt>, _>(part.page.map(|id| id.0))
            .bind::<Nullable<Text>, _>(part.country)
            .bind::<Nullable<SmallInt>, _>(part.device);
        let rows: Vec<DayRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let days = rows
            .into_iter()
            .map(|row| Ok((row.date, row.figures.try_into()?)));
        days.collect::<Result<_, StoreError>>().map(Some)
    }

    async fn places(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
    ) -> Result<Vec<(Place, Figures)>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = window_of!(sql!("places.sql"), domain, search_type, window)
            .bind::<Nullable<BigInt>, _>(None::<i64>)
            .bind::<Nullable<BigInt>, _>(None::<i64>);
        let rows: Vec<PlaceRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(PlaceRow::read).collect()
    }

    async fn appearances(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
    ) -> Result<Vec<(String, Figures)>, StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = window_of!(sql!("appearances.sql"), domain, search_type, window)
            .bind::<Nullable<BigInt>, _>(None::<i64>);
        let rows: Vec<TextRow> = query.load(&mut connection).await.map_err(read_failure)?;
        rows.into_iter().map(TextRow::read).collect()
    }
}

#[derive(QueryableByName)]
struct DirectoryRow {
    #[diesel(sql_type = Nullable<Text>)]
    text: Option<String>,
    #[diesel(sql_type = BigInt)]
    pages: i64,
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(embed)]
    figures: FiguresRow,
}

#[async_trait]
impl DirectoryReads for PgSearchReads {
    async fn directories(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
        depth: u8,
        most: u16,
    ) -> Result<(Vec<Directory>, u64), StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = window_of!(sql!("directories.sql"), domain, search_type, window)
            .bind::<SmallInt, _>(i16::from(depth))
            .bind::<BigInt, _>(i64::from(most));
        let rows: Vec<DirectoryRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let total = rows.as_slice().first().map_or(Ok(0), |row| count(row.total))?;
        let directories = rows.into_iter().map(|row| {
            Ok(Directory {
                // A page without a path is the root.
                prefix: row.text.unwrap_or_else(|| "/".to_owned()),
                pages: count(row.pages)?,
                figures: row.figures.try_into()?,
            })
        });
        Ok((directories.collect::<Result<_, StoreError>>()?, total))
    }
}

#[derive(QueryableByName)]
struct SampleRow {
    #[diesel(sql_type = SmallInt)]
    position: i16,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
}

#[async_trait]
impl CurveReads for PgSearchReads {
    async fn ctr_curve(
        &self,
        domain: &DomainAccess,
        search_type: SearchType,
        window: DateRange,
    ) -> Result<CtrCurve, StoreError> {
        let mut connection = self.database.long_read().await?;
        let query = window_of!(sql!("curve.sql"), domain, search_type, window);
        let rows: Vec<SampleRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let mut samples = [Sample::default(); POSITIONS];
        for row in rows {
            let place = usize::try_from(row.position - 1).ok();
            if let Some(sample) = place.and_then(|place| samples.get_mut(place)) {
                *sample = Sample {
                    clicks: count(row.clicks)?,
                    impressions: count(row.impressions)?,
                };
            }
        }
        Ok(CtrCurve::of(samples))
    }
}
