//! Roll-ups tell the same as the checks that they are made of, whenever they are made.

use pharos_domain::{identity::DomainAccess, time_range::TimeRange};
use pharos_persistence::pool::Database;
use pharos_uptime::history::{
    History, HistoryQuery,
    aggregate::{Depth, RegionAggregates},
};
use pharos_uptime_pg::rollups;
use time::{Duration, OffsetDateTime, macros::datetime};

use crate::{
    completion::watched,
    harness::{Fixture, NOW},
};

/// The beginning of [`NOW`]'s day: what lies before is closed.
pub(crate) const TODAY: OffsetDateTime = datetime!(2026-03-31 00:00 UTC);
/// In the quarter before the one that is whole.
pub(crate) const FIRST: OffsetDateTime = datetime!(2025-09-17 00:00 UTC);

/// Checks from two regions until [`NOW`], by a fixed seed: some failed, some in maintenance, times over five powers of
/// ten, some phases not reached.
pub(crate) async fn checks(fixture: &Fixture, access: &DomainAccess, from: OffsetDateTime, every: &str) {
    fixture.sql.batch_execute("SELECT setseed(0.42)").await.unwrap();
    let insert = format!(
        "INSERT INTO uptime_checks (id, domain_id, region, checked_at, outcome, redirect_count, retry_index,
             response_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms)
         SELECT gen_random_uuid(), $1, region, at,
             (ARRAY['up', 'up', 'up', 'degraded', 'down', 'maintenance', 'blocked'])[1 + floor(random() * 7)], 0, 0,
             round((10 ^ (random() * 5 - 1))::numeric, 3), round((random() * 5)::numeric, 3),
             CASE WHEN random() < 0.9 THEN round((random() * 30)::numeric, 3) END,
             CASE WHEN region = 'eu' THEN round((random() * 90)::numeric, 3) END,
             round((10 ^ (random() * 3))::numeric, 3), NULL
         FROM generate_series(to_timestamp({}), to_timestamp({}), '{every}') AS at,
             unnest(ARRAY['eu', 'us']) AS region
         WHERE random() < 0.8",
        from.unix_timestamp(),
        NOW.unix_timestamp(),
    );
    fixture.sql.execute(&insert, &[&access.id().0]).await.unwrap();
}

/// Rolls up until there is nothing left to do.
pub(crate) async fn roll_up(database: &Database, now: OffsetDateTime) {
    for domain in rollups::behind_in_rollups(database, now).await.unwrap() {
        while rollups::roll_up(database, domain, now).await.unwrap() {}
    }
}

/// How far the domain is rolled up.
pub(crate) async fn rolled_until(fixture: &Fixture, access: &DomainAccess) -> Option<OffsetDateTime> {
    let query =
        "SELECT extract(epoch FROM rolled_until)::bigint FROM uptime_rollup_progress WHERE domain_id = $1";
    let epoch: Option<i64> = fixture.value(query, &[&access.id().0]).await;
    epoch.map(|epoch| OffsetDateTime::from_unix_timestamp(epoch).unwrap())
}

fn every(from: OffsetDateTime, until: OffsetDateTime, step: Duration) -> impl Iterator<Item = TimeRange> {
    let starts = std::iter::successors(Some(from), move |at| Some(*at + step));
    starts
        .take_while(move |at| *at < until)
        .map(move |at| TimeRange::new(at, (at + step).min(until)))
}

/// By how much a time of milliseconds differs from itself in three digits at most, and no less than a microsecond.
fn half_a_digit(time: f64) -> f64 {
    0.001 + 10_f64.powf(time.log10().floor() - 2.0) / 2.0
}

/// Windows, weeks, days and hours, as the operations ask for them.
fn queries() -> Vec<HistoryQuery> {
    let tomorrow = TODAY + Duration::DAY;
    let windows = [
        TimeRange::new(FIRST - Duration::days(3), tomorrow),
        TimeRange::new(FIRST, tomorrow),
        TimeRange::new(datetime!(2026-02-01 00:00 UTC), datetime!(2026-03-01 00:00 UTC)),
        TimeRange::new(TODAY - Duration::days(29), tomorrow),
        TimeRange::new(TODAY, tomorrow),
    ];
    let of = |depth: Depth| move |range| HistoryQuery { range, depth };
    windows
        .into_iter()
        .map(of(Depth::Phases))
        .chain(every(FIRST, tomorrow, Duration::DAY).map(of(Depth::Response)))
        .chain(every(TODAY - Duration::days(3), tomorrow, Duration::HOUR).map(of(Depth::Response)))
        .collect()
}

/// Where the hours of the last three days, all weeks, all days and the whole time begin and end.
fn edges() -> [Vec<OffsetDateTime>; 4] {
    let tomorrow = TODAY + Duration::DAY;
    let of = |from, step| {
        let starts = every(from, tomorrow, step).map(|range| range.from);
        starts.chain([tomorrow]).collect()
    };
    [
        of(TODAY - Duration::days(3), Duration::HOUR),
        of(FIRST, Duration::WEEK),
        of(FIRST, Duration::DAY),
        vec![FIRST, tomorrow],
    ]
}

/// All queries and totals, of all regions, of one, and of one that there is not.
pub(crate) async fn answers(fixture: &Fixture, access: &DomainAccess) -> Vec<History> {
    let mut answers = Vec::new();
    for region in [None, Some("us"), Some("mars")] {
        let history = &fixture.stores.history;
        // Together, as they are asked: what is read for the queries begins long before the hours do.
        let [hours, others @ ..] = edges();
        let mut found = history
            .aggregate(access, &queries(), &hours, region)
            .await
            .unwrap();
        for edges in others {
            let counted = history.aggregate(access, &[], &edges, region).await.unwrap();
            found.totals.extend(counted.totals);
        }
        answers.push(found);
    }
    answers
}

/// How many checks there were in the whole time.
pub(crate) async fn total(fixture: &Fixture, access: &DomainAccess) -> u64 {
    let whole = [FIRST - Duration::days(3), TODAY + Duration::DAY];
    let found = fixture.stores.history.aggregate(access, &[], &whole, None).await;
    found.unwrap().totals[0]
}

/// Every row, in one order.
async fn rows(fixture: &Fixture) -> Vec<String> {
    let query =
        "SELECT u::text FROM uptime_rollups AS u UNION ALL SELECT d::text FROM uptime_distributions AS d
                 UNION ALL SELECT p::text FROM uptime_rollup_progress AS p ORDER BY 1";
    let rows = fixture.sql.query(query, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

async fn count(fixture: &Fixture, grain: &str) -> i64 {
    let query = "SELECT count(*) FROM uptime_rollups WHERE grain = $1";
    fixture.value(query, &[&grain]).await
}

/// The invariant: the same sums, extremes and histograms, to the last digit.
#[tokio::test]
async fn an_answer_does_not_change_when_checks_are_rolled_up() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    checks(&fixture, &access, FIRST + Duration::hours(5), "17 minutes").await;
    let before = answers(&fixture, &access).await;
    let all = before[0].aggregates[0].together().figures();
    assert!(
        all.counts.total > 20_000 && all.phases.tls.p95.is_some(),
        "{all:?}"
    );
    assert_eq!(
        before[2].aggregates[0],
        RegionAggregates::default(),
        "no region, no checks"
    );
    assert_eq!(
        before[0].totals.last(),
        Some(&all.counts.total),
        "a total is the count of an aggregate"
    );
    // Halfway, then all of it.
    roll_up(&fixture.database, datetime!(2026-03-20 09:00 UTC)).await;
    assert!(answers(&fixture, &access).await == before);
    roll_up(&fixture.database, NOW).await;
    assert_eq!(rolled_until(&fixture, &access).await, Some(TODAY));
    assert!(answers(&fixture, &access).await == before);
    // It is the roll-ups that are read: the checks are needed no more.
    let gone = "DELETE FROM uptime_checks WHERE checked_at < '2026-03-31Z'";
    fixture.sql.execute(gone, &[]).await.unwrap();
    assert!(answers(&fixture, &access).await == before);
}

/// `percentile_cont` of PostgreSQL, over values that are rounded by its `round`; and within half a percent of it over
/// those that are not. Means and extremes are its `avg`, `min` and `max`.
#[tokio::test]
async fn figures_are_those_that_postgresql_works_out() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    checks(&fixture, &access, FIRST, "29 minutes").await;
    roll_up(&fixture.database, NOW).await;
    let reference = "
        SELECT count(ms), round(avg(ms)::numeric, 3)::float8, min(ms), max(ms),
            percentile_cont(ARRAY[0.5, 0.75, 0.9, 0.95, 0.99])
                WITHIN GROUP (ORDER BY round(ms::numeric, least(3, 2 - floor(log(ms::numeric))::integer))::float8),
            percentile_cont(ARRAY[0.5, 0.75, 0.9, 0.95, 0.99]) WITHIN GROUP (ORDER BY ms),
            percentile_cont(0.95) WITHIN GROUP
                (ORDER BY round(ttfb::numeric, least(3, 2 - floor(log(ttfb::numeric))::integer))::float8)
        FROM (SELECT response_ms AS ms, ttfb_ms AS ttfb FROM uptime_checks WHERE outcome IN ('up', 'degraded')
            AND checked_at >= to_timestamp($1::float8) AND checked_at < to_timestamp($2::float8)) AS passed";
    let history = &fixture.stores.history;
    let queries = queries();
    let found = history.aggregate(&access, &queries, &[], None).await.unwrap();
    for (query, aggregates) in queries.iter().zip(found.aggregates) {
        let TimeRange { from, until } = query.range;
        let [from, until] = [from, until].map(|at| at.unix_timestamp() as f64);
        let row = fixture.sql.query_one(reference, &[&from, &until]).await.unwrap();
        let figures = aggregates.together().figures();
        let response = figures.response;
        assert_eq!(response.samples, row.get::<_, i64>(0).unsigned_abs());
        assert_eq!(
            (response.avg, response.min, response.max),
            (row.get(1), row.get(2), row.get(3))
        );
        let Some(rounded) = row.get::<_, Option<Vec<f64>>>(4) else {
            assert_eq!(response.p50, None);
            continue;
        };
        let exact: Vec<f64> = row.get(5);
        let ours = [
            response.p50,
            response.p75,
            response.p90,
            response.p95,
            response.p99,
        ];
        for (place, ours) in ours.into_iter().enumerate() {
            let ours = ours.unwrap();
            let theirs = rounded[place].clamp(response.min.unwrap(), response.max.unwrap());
            assert!(
                (ours - theirs).abs() <= half_a_digit(theirs),
                "{query:?}: {ours}, not {theirs}"
            );
            // Half a percent for each of the times, and half for what lies between two of them.
            let off = (ours - exact[place]).abs() / exact[place];
            assert!(
                off <= 0.01 || (ours - exact[place]).abs() <= 0.001,
                "{query:?}: {ours}, {exact:?}"
            );
        }
        if query.depth == Depth::Phases {
            let (ours, theirs) = (figures.phases.ttfb.p95.unwrap(), row.get::<_, f64>(6));
            assert!(
                (ours - theirs).abs() <= half_a_digit(theirs),
                "{query:?}: {ours}, not {theirs}"
            );
        }
    }
}

/// Worked out by hand; 999,500 and more have a digit more, halves go away from zero.
#[tokio::test]
async fn times_have_three_significant_digits() {
    let fixture = Fixture::new().await;
    for (micros, rounded) in [
        (0_i64, 0_i32),
        (999, 999),
        (1_004, 1_000),
        (1_005, 1_010),
        (9_995, 10_000),
        (182_437, 182_000),
        (182_500, 183_000),
        (999_499, 999_000),
        (999_500, 1_000_000),
        (30_049_999, 30_000_000),
        (123_456_789, 123_000_000),
        (i64::from(u32::MAX) * 1_000, 2_000_000_000),
    ] {
        let found: i32 = fixture.value("SELECT three_digits($1)", &[&micros]).await;
        assert_eq!(found, rounded, "{micros}");
    }
}

#[tokio::test]
async fn rolling_up_twice_changes_nothing() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    checks(&fixture, &access, FIRST, "97 minutes").await;
    roll_up(&fixture.database, NOW).await;
    let once = rows(&fixture).await;
    assert!(once.len() > 1_000, "{}", once.len());
    // A row a region.
    assert_eq!(
        count(&fixture, "month").await,
        12,
        "September, as far as there are checks, until February; March is not over"
    );
    assert_eq!(
        count(&fixture, "quarter").await,
        4,
        "the third of 2025 likewise, and the fourth"
    );
    for back in ["NULL", "'2025-12-31Z'", "'2026-02-11Z'", "'2026-03-31Z'"] {
        let lower = format!("UPDATE uptime_rollup_progress SET rolled_until = {back}");
        fixture.sql.execute(&lower, &[]).await.unwrap();
        roll_up(&fixture.database, NOW).await;
        assert!(rows(&fixture).await == once, "from {back}");
    }
    assert_eq!(
        rollups::behind_in_rollups(&fixture.database, NOW).await.unwrap(),
        []
    );
}

#[tokio::test]
async fn a_day_is_closed_ten_minutes_after_its_end() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    checks(&fixture, &access, TODAY - Duration::days(2), "1 hour").await;
    let closes = TODAY + Duration::minutes(10);
    roll_up(&fixture.database, closes - Duration::microseconds(1)).await;
    assert_eq!(rolled_until(&fixture, &access).await, Some(TODAY - Duration::DAY));
    roll_up(&fixture.database, closes).await;
    assert_eq!(rolled_until(&fixture, &access).await, Some(TODAY));
    assert_eq!(
        (count(&fixture, "day").await, count(&fixture, "month").await),
        (4, 0)
    );
    // March is over.
    roll_up(&fixture.database, closes + Duration::DAY).await;
    assert_eq!(
        (count(&fixture, "day").await, count(&fixture, "month").await),
        (6, 2)
    );
}

#[tokio::test]
async fn without_a_check_there_is_nothing_to_roll_up() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    roll_up(&fixture.database, NOW).await;
    assert_eq!(rolled_until(&fixture, &access).await, Some(TODAY));
    assert_eq!(total(&fixture, &access).await, 0);
}

/// On 1 February 2027 the days of January 2026 are more than 12 months old, and so is the month.
#[tokio::test]
async fn roll_ups_go_with_what_they_tell_of() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    checks(&fixture, &access, FIRST, "6 hours").await;
    roll_up(&fixture.database, NOW).await;
    let oldest = async |table: &str| -> String {
        let query = format!("SELECT min(starts_at AT TIME ZONE 'UTC')::text FROM {table}");
        fixture.value(&query, &[]).await
    };
    let whole = ["uptime_rollups", "uptime_distributions"];
    fixture
        .database
        .maintain(datetime!(2027-01-17 23:59 UTC))
        .await
        .unwrap();
    for table in whole {
        assert_eq!(oldest(table).await, "2026-01-17 00:00:00");
    }
    fixture
        .database
        .maintain(datetime!(2027-02-01 00:00 UTC))
        .await
        .unwrap();
    for table in whole {
        assert_eq!(oldest(table).await, "2026-02-01 00:00:00");
    }
}

/// The statements as the store prepares them; PostgreSQL may plan them for these values or for any.
#[tokio::test]
async fn a_year_is_read_without_a_look_at_checks_before_today() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    for month in [0, 90, 180, 270, 365] {
        let ensured = fixture
            .database
            .ensure_partitions(NOW - Duration::days(month))
            .await;
        ensured.unwrap();
    }
    checks(&fixture, &access, datetime!(2025-04-01 00:00 UTC), "1 hour").await;
    roll_up(&fixture.database, NOW).await;
    fixture.sql.batch_execute("ANALYZE").await.unwrap();
    let statements = [
        (
            include_str!("../../crates/uptime/pg/src/history/rolled_aggregates.sql"),
            "uuid, text[], timestamptz[], timestamptz[], text",
            "'{month}', '{2025-04-01Z}', '{2026-03-01Z}', NULL",
            false,
        ),
        (
            include_str!("../../crates/uptime/pg/src/history/rolled_totals.sql"),
            "uuid, text, timestamptz, timestamptz, text",
            "'day', '2025-04-01Z', '2026-03-01Z', NULL",
            false,
        ),
        (
            include_str!("../../crates/uptime/pg/src/history/rolled_histograms.sql"),
            "uuid, text[], text[], timestamptz[], timestamptz[], text",
            "'{month}', '{response}', '{2025-04-01Z}', '{2026-03-01Z}', NULL",
            false,
        ),
        (
            include_str!("../../crates/uptime/pg/src/history/hours.sql"),
            "uuid, timestamptz, timestamptz, text, text[]",
            "'2026-03-31Z', '2026-04-01Z', NULL, '{response}'",
            true,
        ),
    ];
    for (at, (statement, types, values, reads_checks)) in statements.into_iter().enumerate() {
        let prepare = format!("PREPARE read_{at} ({types}) AS {statement}");
        fixture.sql.batch_execute(&prepare).await.unwrap();
        for mode in ["force_custom_plan", "force_generic_plan"] {
            let set = format!("SET plan_cache_mode = {mode}");
            fixture.sql.batch_execute(&set).await.unwrap();
            let explain = format!("EXPLAIN EXECUTE read_{at} ('{}', {values})", access.id());
            let rows = fixture.sql.query(&explain, &[]).await.unwrap();
            let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
            let plan = plan.join("\n");
            let looks: Vec<&str> = plan
                .lines()
                .filter(|line| line.contains("uptime_checks"))
                .collect();
            assert_eq!(!looks.is_empty(), reads_checks, "{mode}: {plan}");
            assert!(
                looks.iter().all(|line| line.contains("uptime_checks_2026_03")),
                "{mode}: {plan}"
            );
            assert!(!plan.contains("Seq Scan"), "{mode}: {plan}");
        }
    }
}
