//! What is used of the inspections that a property has a day.

use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{BigInt, Date as SqlDate, Integer, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::WorkspaceId, quota::QuotaResource, store::StoreError};
use pharos_persistence::{failure::Abort, names::count, sql};
use pharos_search::indexing::{
    quota::{DAILY, InspectorQuota, PER_MINUTE, QuotaDay, ROTATION},
    store::schedule::Granted,
};
use time::OffsetDateTime;

const RESOURCE: QuotaResource = QuotaResource::InspectorUrls;

#[derive(QueryableByName)]
struct QuotaRow {
    #[diesel(sql_type = Integer)]
    used: i32,
    #[diesel(sql_type = Nullable<BigInt>)]
    plan_limit: Option<i64>,
    #[diesel(sql_type = BigInt)]
    plan_used: i64,
}

#[derive(QueryableByName)]
struct PresentRow {
    #[diesel(sql_type = Integer)]
    used: i32,
    #[diesel(sql_type = Integer)]
    rotation: i32,
    #[diesel(sql_type = Integer)]
    in_minute: i32,
}

/// What is used of the property's inspections, or of the plan's where that has less left. It runs on whatever connection.
pub(super) async fn read<C>(
    connection: &mut C,
    workspace: WorkspaceId,
    site_url: &str,
    now: OffsetDateTime,
) -> Result<InspectorQuota, Abort<StoreError>>
where
    C: diesel_async::AsyncConnectionCore<Backend = diesel::pg::Pg> + Send,
{
    let day = QuotaDay::of(now);
    let period = RESOURCE.period();
    let query = sql!("quota.sql")
        .bind::<Text, _>(RESOURCE.as_str())
        .bind::<Text, _>(site_url)
        .bind::<SqlDate, _>(day.day)
        .bind::<SqlUuid, _>(workspace.0)
        .bind::<SqlDate, _>(period.start(now));
    let row: Option<QuotaRow> = query.get_result(connection).await.optional()?;
    let Some(row) = row else {
        return Ok(InspectorQuota::of_property(0, day));
    };
    let plan = match (row.plan_limit, period.resets_on(now)) {
        (Some(limit), Some(resets_on)) => Some(InspectorQuota {
            used: count(row.plan_used).map_err(Abort::Port)?,
            limit: count(limit).map_err(Abort::Port)?,
            resets_on,
        }),
        _ => None,
    };
    let used = count(row.used).map_err(Abort::Port)?;
    Ok(InspectorQuota::of_property(used, day).tighter(plan))
}

/// The property's row of a day, locked until the transaction ends.
async fn present(
    connection: &mut AsyncPgConnection,
    site_url: &str,
    day: QuotaDay,
) -> Result<[u32; 3], Abort<StoreError>> {
    let query =
        sql!(text "INSERT INTO indexing_quota (site_url, day) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind::<Text, _>(site_url)
            .bind::<SqlDate, _>(day.day);
    query.execute(connection).await?;
    let query = sql!(text "SELECT used, rotation,
            CASE WHEN minute = date_trunc('minute', now()) THEN minute_used ELSE 0 END AS in_minute
        FROM indexing_quota
        WHERE site_url = $1 AND day = $2
        FOR UPDATE")
    .bind::<Text, _>(site_url)
    .bind::<SqlDate, _>(day.day);
    let row: PresentRow = query.get_result(connection).await?;
    Ok([
        count(row.used).map_err(Abort::Port)?,
        count(row.rotation).map_err(Abort::Port)?,
        count(row.in_minute).map_err(Abort::Port)?,
    ])
}

async fn note(
    connection: &mut AsyncPgConnection,
    site_url: &str,
    day: QuotaDay,
    [used, rotation, in_minute]: [u32; 3],
) -> Result<(), Abort<StoreError>> {
    let number = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    let query = sql!(text "UPDATE indexing_quota
        SET used = $3, rotation = $4, minute = date_trunc('minute', now()), minute_used = $5
        WHERE site_url = $1 AND day = $2")
    .bind::<Text, _>(site_url)
    .bind::<SqlDate, _>(day.day)
    .bind::<Integer, _>(number(used))
    .bind::<Integer, _>(number(rotation))
    .bind::<Integer, _>(number(in_minute));
    query.execute(connection).await?;
    Ok(())
}

/// Takes at most so many for the rotation.
pub(super) async fn take_for_rotation(
    connection: &mut AsyncPgConnection,
    site_url: &str,
    day: QuotaDay,
    most: u32,
) -> Result<Granted, Abort<StoreError>> {
    let [used, rotation, in_minute] = present(connection, site_url, day).await?;
    let of_day = DAILY.saturating_sub(used).min(ROTATION.saturating_sub(rotation));
    let of_minute = PER_MINUTE.saturating_sub(in_minute);
    let granted = most.min(of_day).min(of_minute);
    if granted == 0 {
        return Ok(if of_day == 0 {
            Granted::DayUsed
        } else {
            Granted::MinuteUsed
        });
    }
    let next = [used + granted, rotation + granted, in_minute + granted];
    note(connection, site_url, day, next).await?;
    Ok(Granted::Some(granted))
}

/// Gives back what the rotation took of that day and did not use. What it took of a minute is not given back: that minute may
/// be over, and the present one is another's.
pub(super) async fn give_back(
    connection: &mut AsyncPgConnection,
    site_url: &str,
    day: QuotaDay,
    unused: u32,
) -> Result<(), Abort<StoreError>> {
    let [used, rotation, in_minute] = present(connection, site_url, day).await?;
    let next = [
        used.saturating_sub(unused),
        rotation.saturating_sub(unused),
        in_minute,
    ];
    note(connection, site_url, day, next).await
}

/// Takes all of so many for a run, or none. Inside: what there is.
pub(super) async fn take_for_run(
    connection: &mut AsyncPgConnection,
    site_url: &str,
    day: QuotaDay,
    wanted: u32,
) -> Result<Result<(), InspectorQuota>, Abort<StoreError>> {
    let [used, rotation, in_minute] = present(connection, site_url, day).await?;
    if used.saturating_add(wanted) > DAILY {
        return Ok(Err(InspectorQuota::of_property(used.into(), day)));
    }
    note(connection, site_url, day, [used + wanted, rotation, in_minute]).await?;
    Ok(Ok(()))
}

/// Whether so many that were taken of the day may be made within this minute.
pub(super) async fn take_of_minute(
    connection: &mut AsyncPgConnection,
    site_url: &str,
    day: QuotaDay,
    wanted: u32,
) -> Result<bool, Abort<StoreError>> {
    let [used, rotation, in_minute] = present(connection, site_url, day).await?;
    if in_minute + wanted > PER_MINUTE {
        return Ok(false);
    }
    note(connection, site_url, day, [used, rotation, in_minute + wanted]).await?;
    Ok(true)
}
