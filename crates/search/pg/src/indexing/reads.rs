//! Reads over the URLs of a domain.

use std::{cmp::Reverse, collections::BTreeMap};

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{
        Array, BigInt, Bool, Date as SqlDate, Double, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    identity::DomainAccess,
    page::{Page, PageRequest, Position},
    page_facts::IndexVerdict,
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{
    failure::{failure, read_failure},
    json::Json,
    names::count,
    set_aside::Kind,
    sql,
};
use pharos_search::indexing::{
    change::{Direction, Field},
    coverage::CoverageReason,
    states::{OfUpstream, Severity},
    store::{
        reads::{
            AgeCounts, CanonicalMismatch, ChangeFilter, CrawlStats, DayStanding, GapUrl, IndexingReads,
            ListedChange, MOST_TOP_ISSUES, Overview, ReasonCount, RichType,
        },
        urls::STALE,
    },
    target::MOST_URLS,
};
use time::{Date, Duration, OffsetDateTime, UtcOffset};

use super::{
    PgIndexing,
    row::{CanonicalRow, ChangeRow, DayRow, id},
};

/// The name of a list of counts, where it can't be read.
const COUNTS: &str = "counts of URLs";

type Counts = Json<Vec<(String, u64)>>;
type Reasons = Json<Vec<(String, Option<String>, String, u64)>>;

#[derive(QueryableByName)]
struct OverviewRow {
    #[diesel(sql_type = BigInt)]
    monitored: i64,
    #[diesel(sql_type = BigInt)]
    inspected: i64,
    #[diesel(sql_type = BigInt)]
    indexed: i64,
    #[diesel(sql_type = BigInt)]
    unknown: i64,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    oldest: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    newest: Option<OffsetDateTime>,
    #[diesel(sql_type = BigInt)]
    stale: i64,
    #[diesel(sql_type = BigInt)]
    canonical_mismatches: i64,
    #[diesel(sql_type = BigInt)]
    rich_result_errors: i64,
    #[diesel(sql_type = Nullable<Jsonb>)]
    by_reason: Option<Reasons>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    by_fetch_state: Option<Counts>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    by_robots_state: Option<Counts>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    by_indexing_state: Option<Counts>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    by_crawler: Option<Counts>,
}

impl OverviewRow {
    fn read(self, week_before: Option<DayStanding>) -> Result<Overview, StoreError> {
        let reasons = self.by_reason.map(|reasons| reasons.read(COUNTS)).transpose()?;
        let reasons = reasons.unwrap_or_default().into_iter();
        Ok(Overview {
            monitored: count(self.monitored)?,
            inspected: count(self.inspected)?,
            indexed: count(self.indexed)?,
            unknown: count(self.unknown)?,
            week_before,
            by_reason: reasons
                .map(|(reason, coverage_state, verdict, urls)| ReasonCount {
                    reason: CoverageReason::named(&reason),
                    coverage_state,
                    verdict: IndexVerdict::named(&verdict),
                    urls,
                })
                .collect(),
            by_fetch_state: counts(self.by_fetch_state)?,
            by_robots_state: counts(self.by_robots_state)?,
            by_indexing_state: counts(self.by_indexing_state)?,
            by_crawler: counts(self.by_crawler)?,
            oldest_inspection_at: self.oldest,
            newest_inspection_at: self.newest,
            stale: count(self.stale)?,
            canonical_mismatches: count(self.canonical_mismatches)?,
            rich_result_errors: count(self.rich_result_errors)?,
        })
    }
}

/// Counts by what they count, the most first. Words that this version does not know count as unknown, together.
fn counts<Key: OfUpstream + PartialEq>(counts: Option<Counts>) -> Result<Vec<(Key, u64)>, StoreError> {
    let counts = counts.map(|counts| counts.read(COUNTS)).transpose()?;
    let mut known: Vec<(Key, u64)> = Vec::new();
    for (name, urls) in counts.unwrap_or_default() {
        let key = Key::named(&name);
        match known.iter_mut().find(|(known, _)| *known == key) {
            Some((_, sum)) => *sum += urls,
            None => known.push((key, urls)),
        }
    }
    known.sort_by_key(|(_, urls)| Reverse(*urls));
    Ok(known)
}

#[derive(QueryableByName)]
struct CrawlRow {
    #[diesel(sql_type = BigInt)]
    crawled: i64,
    #[diesel(sql_type = Nullable<Double>)]
    median_age_days: Option<f64>,
    #[diesel(sql_type = Nullable<Double>)]
    p90_age_days: Option<f64>,
    #[diesel(sql_type = BigInt)]
    up_to_1d: i64,
    #[diesel(sql_type = BigInt)]
    up_to_7d: i64,
    #[diesel(sql_type = BigInt)]
    up_to_30d: i64,
    #[diesel(sql_type = BigInt)]
    up_to_90d: i64,
    #[diesel(sql_type = BigInt)]
    older: i64,
    #[diesel(sql_type = BigInt)]
    never: i64,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    newest: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    by_crawler: Option<Counts>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    by_fetch_state: Option<Counts>,
}

#[derive(QueryableByName)]
struct CrawlDayRow {
    #[diesel(sql_type = SqlDate)]
    day: Date,
    #[diesel(sql_type = BigInt)]
    urls: i64,
}

#[derive(QueryableByName)]
struct RichRow {
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = BigInt)]
    valid: i64,
    #[diesel(sql_type = BigInt)]
    warning: i64,
    #[diesel(sql_type = BigInt)]
    error: i64,
    #[diesel(sql_type = BigInt)]
    items: i64,
    #[diesel(sql_type = Nullable<Jsonb>)]
    top_issues: Option<Json<Vec<(String, String, u64)>>>,
}

#[derive(QueryableByName)]
struct GapRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Nullable<Bool>)]
    is_indexed: Option<bool>,
    #[diesel(sql_type = Nullable<Text>)]
    coverage_reason: Option<String>,
}

#[async_trait]
impl IndexingReads for PgIndexing {
    async fn overview(&self, domain: &DomainAccess, now: OffsetDateTime) -> Result<Overview, StoreError> {
        let mut connection = self.database.long_read().await?;
        let week_before = (now - Duration::WEEK).to_offset(UtcOffset::UTC).date();
        let before: Option<DayRow> = sql!("day_before.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<SqlDate, _>(week_before)
            .get_result(&mut connection)
            .await
            .optional()
            .map_err(read_failure)?;
        let row: OverviewRow = sql!("overview.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<Timestamptz, _>(now)
            .bind::<Double, _>(STALE.as_seconds_f64())
            .get_result(&mut connection)
            .await
            .map_err(read_failure)?;
        row.read(before.map(DayStanding::try_from).transpose()?)
    }

    async fn days(
        &self,
        domain: &DomainAccess,
        window: DateRange,
    ) -> Result<BTreeMap<Date, DayStanding>, StoreError> {
        let query = sql!("days.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<SqlDate, _>(window.first())
            .bind::<SqlDate, _>(window.last());
        let reader = self.database.reader().await?;
        let rows: Vec<DayRow> = query.load(&mut &*reader).await.map_err(failure)?;
        rows.into_iter()
            .map(|row| Ok((row.day, row.try_into()?)))
            .collect()
    }

    async fn changes(
        &self,
        domain: &DomainAccess,
        filter: &ChangeFilter,
        page: &PageRequest,
    ) -> Result<Page<ListedChange>, StoreError> {
        let after = page.after.unwrap_or(Position::START);
        let fields = filter.field.as_ref().map_or(Field::ALL, std::slice::from_ref);
        let fields: Vec<&str> = fields.iter().map(|field| field.as_str()).collect();
        let directions = filter.direction.as_ref();
        let directions = directions.map_or(Direction::ALL, std::slice::from_ref);
        let directions: Vec<&str> = directions.iter().map(|direction| direction.as_str()).collect();
        let query = sql!("changes.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<Timestamptz, _>(after.key)
            .bind::<SqlUuid, _>(after.id)
            .bind::<Timestamptz, _>(filter.window.start())
            .bind::<Timestamptz, _>(filter.window.end())
            .bind::<Array<Text>, _>(fields)
            .bind::<Array<Text>, _>(directions)
            .bind::<BigInt, _>(page.rows());
        let mut connection = self.database.long_read().await?;
        let rows: Vec<ChangeRow> = query.load(&mut connection).await.map_err(read_failure)?;
        drop(connection);
        let cut = Page::cut(rows, page, |row| Position {
            key: row.changed_at,
            id: row.id,
        });
        Ok(self
            .database
            .readable_page(Kind::Inspection, cut, |row| row.id)
            .await)
    }

    async fn crawl_stats(
        &self,
        domain: &DomainAccess,
        window: DateRange,
        now: OffsetDateTime,
    ) -> Result<CrawlStats, StoreError> {
        let mut connection = self.database.long_read().await?;
        let row: CrawlRow = sql!("crawl_stats.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<Timestamptz, _>(window.start())
            .bind::<Timestamptz, _>(window.end())
            .bind::<Timestamptz, _>(now)
            .get_result(&mut connection)
            .await
            .map_err(read_failure)?;
        let days: Vec<CrawlDayRow> = sql!("crawl_days.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<Timestamptz, _>(window.start())
            .bind::<Timestamptz, _>(window.end())
            .load(&mut connection)
            .await
            .map_err(read_failure)?;
        let days = days.into_iter().map(|row| Ok((row.day, count(row.urls)?)));
        Ok(CrawlStats {
            crawled: count(row.crawled)?,
            median_age_days: row.median_age_days,
            p90_age_days: row.p90_age_days,
            ages: AgeCounts {
                up_to_1d: count(row.up_to_1d)?,
                up_to_7d: count(row.up_to_7d)?,
                up_to_30d: count(row.up_to_30d)?,
                up_to_90d: count(row.up_to_90d)?,
                older: count(row.older)?,
                never: count(row.never)?,
            },
            by_crawler: counts(row.by_crawler)?,
            by_fetch_state: counts(row.by_fetch_state)?,
            by_day: days.collect::<Result<_, StoreError>>()?,
            newest_inspection_at: row.newest,
        })
    }

    async fn canonicals(
        &self,
        domain: &DomainAccess,
        most: u32,
    ) -> Result<(Vec<CanonicalMismatch>, u64), StoreError> {
        let query = sql!("canonicals.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<BigInt, _>(i64::from(most));
        let mut connection = self.database.long_read().await?;
        let rows: Vec<CanonicalRow> = query.load(&mut connection).await.map_err(read_failure)?;
        drop(connection);
        let total = match rows.as_slice() {
            [] => 0,
            [row, ..] => count(row.total)?,
        };
        let mut found: Vec<CanonicalMismatch> =
            self.database.readable(Kind::Inspection, rows, |row| row.id).await;
        let names: Vec<&str> = found.iter().map(|mismatch| mismatch.url.as_str()).collect();
        if let Some(values) = self.values_of(domain.id(), &names).await? {
            for mismatch in &mut found {
                mismatch.value = values.get(&mismatch.url).copied();
            }
        }
        Ok((found, total))
    }

    async fn rich_results(&self, domain: &DomainAccess) -> Result<Vec<RichType>, StoreError> {
        let query = sql!("rich_results.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<BigInt, _>(i64::try_from(MOST_TOP_ISSUES).unwrap_or(i64::MAX));
        let mut connection = self.database.long_read().await?;
        let rows: Vec<RichRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let types = rows.into_iter().map(|row| {
            let issues = row.top_issues.map(|issues| issues.read("issues of rich results"));
            let issues = issues.transpose()?.unwrap_or_default().into_iter();
            Ok(RichType {
                kind: row.kind,
                valid: count(row.valid)?,
                warning: count(row.warning)?,
                error: count(row.error)?,
                items: count(row.items)?,
                top_issues: issues
                    .map(|(message, severity, urls)| (message, Severity::named(&severity), urls))
                    .collect(),
            })
        });
        types.collect()
    }

    async fn gap_urls(&self, domain: &DomainAccess) -> Result<Vec<GapUrl>, StoreError> {
        let query = sql!("gap_urls.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<BigInt, _>(i64::from(MOST_URLS));
        let mut connection = self.database.long_read().await?;
        let rows: Vec<GapRow> = query.load(&mut connection).await.map_err(read_failure)?;
        let urls = rows.into_iter().map(|row| GapUrl {
            url: row.url,
            is_indexed: row.is_indexed,
            coverage_reason: row.coverage_reason.as_deref().map(CoverageReason::named),
        });
        Ok(urls.collect())
    }
}
