//! The pages that were viewed.

use diesel::{
    QueryableByName,
    sql_types::{
        Array, BigInt, Date as SqlDate, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid,
    },
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::pages::{PageFigures, PagePart, PageSort, Pages, PagesQuery};
use pharos_domain::{ids::DomainId, page::SortOrder, store::StoreError};
use pharos_persistence::{failure::read_failure, names::count, pool::Database, sql};
use time::{Date, OffsetDateTime};

use super::{
    filters::{FilterNumbers, known},
    overview::{self, Rolled},
};

/// The sources of the list: whole months, the days before and after them, and raw rows for the time that is not rolled up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    since: Date,
    months_from: Date,
    months_until: Date,
    raw_from: OffsetDateTime,
    until: OffsetDateTime,
}

impl Plan {
    fn new(since: OffsetDateTime, until: OffsetDateTime, raw_from: OffsetDateTime) -> Self {
        let rolled = raw_from.date();
        let first = |day: Date| day.replace_day(1).unwrap_or(day);
        let since_day = since.date();
        let months_from = if since_day.day() == 1 {
            since_day
        } else {
            let month = first(since_day);
            let length = i64::from(month.month().length(month.year()));
            month.saturating_add(time::Duration::days(length))
        };
        let months_until = first(rolled);
        // Without a whole month the days are all before it.
        let (months_from, months_until) = if months_from < months_until {
            (months_from, months_until)
        } else {
            (rolled, rolled)
        };
        Self {
            since: since_day,
            months_from,
            months_until,
            raw_from,
            until,
        }
    }
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    total: i64,
    #[diesel(sql_type = Nullable<Text>)]
    path: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    title: Option<String>,
    #[diesel(sql_type = Array<BigInt>)]
    figures: Vec<i64>,
}

pub(super) async fn read(
    database: &Database,
    domain: DomainId,
    query: &PagesQuery<'_>,
) -> Result<Pages, StoreError> {
    let mut connection = database.long_read().await?;
    let known = known(&mut connection, domain, query.filters).await?;
    let connection: &AsyncPgConnection = &connection;
    let rolled = Rolled::new(query.window, &known);
    let plan = Plan::new(rolled.since, rolled.until, rolled.raw_from);
    let filters = known.filters.as_ref();
    let (rows, totals) = tokio::try_join!(
        rows(connection, domain, query, plan, filters),
        overview::totals(connection, domain, rolled, filters),
    )?;
    let total = rows.as_slice().first().map_or(Ok(0), |row| count(row.total))?;
    let items = rows.into_iter().filter_map(figures).collect::<Result<_, _>>()?;
    Ok(Pages {
        items,
        total,
        totals,
        last_at: known.last_at,
    })
}

async fn rows(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    query: &PagesQuery<'_>,
    plan: Plan,
    filters: Option<&FilterNumbers>,
) -> Result<Vec<Row>, StoreError> {
    let part: i16 = match query.part {
        PagePart::All => 0,
        PagePart::Entry => 1,
        PagePart::Exit => 2,
    };
    let sort: i32 = match query.sort {
        PageSort::Visitors => 0,
        PageSort::Pageviews => 1,
        PageSort::Sessions => 2,
    };
    let sign: i64 = match query.order {
        SortOrder::Ascending => 1,
        SortOrder::Descending => -1,
    };
    let statement = sql!("pages.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SmallInt, _>(part)
        .bind::<SqlDate, _>(plan.since)
        .bind::<SqlDate, _>(plan.months_from)
        .bind::<SqlDate, _>(plan.months_until)
        .bind::<Timestamptz, _>(plan.raw_from)
        .bind::<Timestamptz, _>(plan.until)
        .bind::<Nullable<Array<Nullable<Integer>>>, _>(filters.map(|filters| filters.to_vec()))
        .bind::<Nullable<Text>, _>(query.search)
        .bind::<Integer, _>(sort)
        .bind::<BigInt, _>(sign)
        .bind::<BigInt, _>(i64::from(query.page.limit))
        .bind::<BigInt, _>(query.page.offset);
    statement.load(&mut connection).await.map_err(read_failure)
}

/// The figures of a row; `None` where it stands for the total alone.
fn figures(row: Row) -> Option<Result<PageFigures, StoreError>> {
    let path = row.path?;
    let counts: Result<Vec<u64>, StoreError> = row.figures.into_iter().map(count).collect();
    Some(counts.and_then(|counts| match counts[..] {
        [
            visitors,
            pageviews,
            sessions,
            entries,
            exits,
            bounces,
            engaged_ms,
            engaged_views,
            scroll_pct,
            scrolled_views,
        ] => Ok(PageFigures {
            path,
            title: row.title,
            visitors,
            pageviews,
            sessions,
            entries,
            exits,
            bounces,
            engaged_ms,
            engaged_views,
            scroll_pct,
            scrolled_views,
        }),
        _ => Err(StoreError::Corrupt(format!(
            "{counts:?} are no figures of a page"
        ))),
    }))
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    #[test]
    fn whole_months_are_read_as_such_and_the_rest_by_the_day() {
        let plan = |since, until, raw_from| {
            let plan = Plan::new(since, until, raw_from);
            (plan.months_from, plan.months_until)
        };
        let (january, april) = (datetime!(2026-01-10 00:00 UTC), datetime!(2026-04-02 00:00 UTC));
        assert_eq!(
            plan(january, april, datetime!(2026-04-01 00:00 UTC)),
            (date!(2026 - 02 - 01), date!(2026 - 04 - 01))
        );
        assert_eq!(
            plan(january, april, datetime!(2026-03-31 00:00 UTC)),
            (date!(2026 - 02 - 01), date!(2026 - 03 - 01))
        );
        let december = datetime!(2025-12-01 00:00 UTC);
        assert_eq!(
            plan(december, april, datetime!(2026-01-01 00:00 UTC)),
            (date!(2025 - 12 - 01), date!(2026 - 01 - 01))
        );
        // No whole month.
        let rolled = datetime!(2026-01-31 00:00 UTC);
        assert_eq!(plan(january, april, rolled), (rolled.date(), rolled.date()));
        assert_eq!(plan(january, april, january), (january.date(), january.date()));
    }
}
