//! The last half hour.

use diesel::{
    QueryableByName,
    sql_types::{BigInt, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_analytics::realtime::{ROWS, Realtime, RealtimeRow};
use pharos_domain::{identity::DomainAccess, store::StoreError};
use pharos_persistence::{failure::read_failure, names::count, pool::Database, sql};
use time::OffsetDateTime;

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = SmallInt)]
    list: i16,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    minute: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Text>)]
    key: Option<String>,
    #[diesel(sql_type = BigInt)]
    visitors: i64,
    #[diesel(sql_type = BigInt)]
    count: i64,
}

pub(super) async fn read(
    database: &Database,
    domain: &DomainAccess,
    since: OffsetDateTime,
) -> Result<Realtime, StoreError> {
    // The visits of a busy half hour are many, and whoever looks on looks again and again.
    let _share = database
        .long_read_share(domain.workspace().workspace().id.0)
        .await?;
    let mut connection = database.long_read().await?;
    let query = sql!("realtime.sql")
        .bind::<SqlUuid, _>(domain.id().0)
        .bind::<Timestamptz, _>(since)
        .bind::<BigInt, _>(i64::try_from(ROWS).unwrap_or(i64::MAX));
    let rows: Vec<Row> = query.load(&mut connection).await.map_err(read_failure)?;
    let mut realtime = Realtime::default();
    for row in rows {
        let (visitors, occurrences) = (count(row.visitors)?, count(row.count)?);
        let list = match (row.list, row.minute) {
            (0, _) => {
                realtime.visitors = visitors;
                realtime.pageviews = occurrences;
                continue;
            }
            (1, Some(minute)) => {
                realtime.minutes.push((minute, visitors, occurrences));
                continue;
            }
            (2, _) => &mut realtime.pages,
            (3, _) => &mut realtime.sources,
            (4, _) => &mut realtime.countries,
            (5, _) => &mut realtime.events,
            (list, _) => return Err(StoreError::Corrupt(format!("{list} is no list of realtime"))),
        };
        list.push(RealtimeRow {
            key: row.key,
            visitors,
            count: occurrences,
        });
    }
    Ok(realtime)
}
