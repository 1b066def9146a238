//! The use of the inspections that a property has a day.

use diesel::{
    OptionalExtension, QueryResult, QueryableByName,
    sql_types::{BigInt, Date as SqlDate, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, WorkspaceId},
    quota::QuotaResource,
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    names::count,
    pool::Database,
    sql,
};
use pharos_search::indexing::{
    quota::{DAILY, Granted, InspectorQuota, PER_MINUTE, QuotaDay, ROTATION, Room, Wanted},
    store::{runs::Taken, schedule::DueSite},
};
use time::{Date, OffsetDateTime};

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

#[derive(QueryableByName)]
struct MostRow {
    #[diesel(sql_type = Integer)]
    used: i32,
}

/// The used part of the inspections of a day, of the property of which the most were used.
pub(crate) async fn used_of_day(database: &Database, now: OffsetDateTime) -> Result<f64, StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!(text "SELECT coalesce(max(used), 0) AS used FROM indexing_quota WHERE day = $1")
        .bind::<SqlDate, _>(QuotaDay::of(now).day);
    let most: MostRow = query.get_result(&mut connection).await.map_err(failure)?;
    Ok(f64::from(most.used) / f64::from(DAILY))
}

/// Reads the used part of the property's inspections, or of the plan's where that has less left. It runs on whatever
/// connection.
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
    day: Date,
) -> Result<[u32; 3], Abort<StoreError>> {
    let query =
        sql!(text "INSERT INTO indexing_quota (site_url, day) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind::<Text, _>(site_url)
            .bind::<SqlDate, _>(day);
    query.execute(connection).await?;
    let query = sql!(text "SELECT used, rotation,
            CASE WHEN minute = date_trunc('minute', now()) THEN minute_used ELSE 0 END AS in_minute
        FROM indexing_quota
        WHERE site_url = $1 AND day = $2
        FOR UPDATE")
    .bind::<Text, _>(site_url)
    .bind::<SqlDate, _>(day);
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
    day: Date,
    [used, rotation, in_minute]: [u32; 3],
) -> Result<(), Abort<StoreError>> {
    let query = sql!(text "UPDATE indexing_quota
        SET used = $3, rotation = $4, minute = date_trunc('minute', now()), minute_used = $5
        WHERE site_url = $1 AND day = $2")
    .bind::<Text, _>(site_url)
    .bind::<SqlDate, _>(day)
    .bind::<Integer, _>(number(used))
    .bind::<Integer, _>(number(rotation))
    .bind::<Integer, _>(number(in_minute));
    query.execute(connection).await?;
    Ok(())
}

/// The claims on a property's inspections of a day.
#[derive(QueryableByName)]
struct ClaimsRow {
    #[diesel(sql_type = BigInt)]
    daily: i64,
    #[diesel(sql_type = BigInt)]
    claimed: i64,
}

/// Takes at most so many for a round of a domain, and notes that the domain spent them.
pub(super) async fn take_for_rotation(
    connection: &mut AsyncPgConnection,
    site: &DueSite,
    day: QuotaDay,
    wanted: Wanted,
) -> Result<Granted, Abort<StoreError>> {
    let [used, rotation, in_minute] = present(connection, &site.site_url, day.day).await?;
    let query = sql!("claims.sql")
        .bind::<Text, _>(&site.site_url)
        .bind::<SqlDate, _>(day.day)
        .bind::<Timestamptz, _>(day.ends_at)
        .bind::<SqlUuid, _>(site.domain.0)
        .bind::<BigInt, _>(i64::from(ROTATION));
    let claims: ClaimsRow = query.get_result(connection).await?;
    let room = Room {
        of_day: DAILY.saturating_sub(used).min(ROTATION.saturating_sub(rotation)),
        of_minute: PER_MINUTE.saturating_sub(in_minute),
        claimed: count(claims.claimed).map_err(Abort::Port)?,
        daily: count(claims.daily).map_err(Abort::Port)?,
    };
    let granted = room.grant(wanted);
    if let Granted::Some(taken) = granted {
        let taken = taken.total();
        let next = [used + taken, rotation + taken, in_minute + taken];
        note(connection, &site.site_url, day.day, next).await?;
        let query = sql!(text "UPDATE indexing_sites
            SET spent = CASE WHEN spent_on = $2 THEN spent ELSE 0 END + $3, spent_on = $2
            WHERE domain_id = $1")
        .bind::<SqlUuid, _>(site.domain.0)
        .bind::<SqlDate, _>(day.day)
        .bind::<Integer, _>(number(taken));
        query.execute(connection).await?;
    }
    Ok(granted)
}

/// Gives back what a round took of the property's day and did not use. Those of a minute are not given back: that minute may be
/// over, and the present one is another's.
pub(super) async fn give_back(
    connection: &mut AsyncPgConnection,
    site_url: &str,
    day: QuotaDay,
    unused: u32,
) -> Result<(), Abort<StoreError>> {
    let [used, rotation, in_minute] = present(connection, site_url, day.day).await?;
    let next = [
        used.saturating_sub(unused),
        rotation.saturating_sub(unused),
        in_minute,
    ];
    note(connection, site_url, day.day, next).await
}

/// Notes that a domain did not spend so many of those that its round took of that day.
pub(super) async fn unspent(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    day: QuotaDay,
    unused: u32,
) -> QueryResult<()> {
    let query = sql!(text "UPDATE indexing_sites SET spent = greatest(spent - $3, 0)
        WHERE domain_id = $1 AND spent_on = $2")
    .bind::<SqlUuid, _>(domain.0)
    .bind::<SqlDate, _>(day.day)
    .bind::<Integer, _>(number(unused));
    query.execute(connection).await.map(|_| ())
}

/// Takes all of so many for a run, or none. Inside: what there is.
pub(super) async fn take_for_run(
    connection: &mut AsyncPgConnection,
    site_url: &str,
    day: QuotaDay,
    wanted: u32,
) -> Result<Result<(), InspectorQuota>, Abort<StoreError>> {
    let [used, rotation, in_minute] = present(connection, site_url, day.day).await?;
    if used.saturating_add(wanted) > DAILY {
        return Ok(Err(InspectorQuota::of_property(used.into(), day)));
    }
    note(
        connection,
        site_url,
        day.day,
        [used + wanted, rotation, in_minute],
    )
    .await?;
    Ok(Ok(()))
}

/// Gives back what a run took of a day and did not use.
pub(super) async fn give_back_of_run(
    connection: &mut AsyncPgConnection,
    site_url: &str,
    day: Date,
    unused: u32,
) -> Result<(), Abort<StoreError>> {
    let [used, rotation, in_minute] = present(connection, site_url, day).await?;
    note(
        connection,
        site_url,
        day,
        [used.saturating_sub(unused), rotation, in_minute],
    )
    .await
}

/// Takes at most so many for what a run asks next, which holds so many of the day. Also says how many it holds then.
pub(super) async fn take_of_held(
    connection: &mut AsyncPgConnection,
    site_url: &str,
    day: Date,
    held: u32,
    most: u32,
) -> Result<(Taken, u32), Abort<StoreError>> {
    let [used, rotation, in_minute] = present(connection, site_url, day).await?;
    // A URL that is requested again, after a failure, takes of the day as well.
    let beyond = most.saturating_sub(held).min(DAILY.saturating_sub(used));
    let of_day = most.min(held) + beyond;
    let taken = of_day.min(PER_MINUTE.saturating_sub(in_minute));
    if taken == 0 {
        let refused = if of_day == 0 {
            Taken::DayUsed
        } else {
            Taken::MinuteUsed
        };
        return Ok((refused, held));
    }
    let beyond = taken.saturating_sub(held);
    note(
        connection,
        site_url,
        day,
        [used + beyond, rotation, in_minute + taken],
    )
    .await?;
    Ok((Taken::Some(taken), held.saturating_sub(taken)))
}

/// Takes as many of a day as there are for a run that holds so many of a day that is over.
pub(super) async fn take_anew(
    connection: &mut AsyncPgConnection,
    site_url: &str,
    day: Date,
    held: u32,
) -> Result<u32, Abort<StoreError>> {
    let [used, rotation, in_minute] = present(connection, site_url, day).await?;
    let taken = held.min(DAILY.saturating_sub(used));
    note(connection, site_url, day, [used + taken, rotation, in_minute]).await?;
    Ok(taken)
}

fn number(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
