//! How reads are planned: by the primary keys of the partitions that a window touches, however little PostgreSQL knows.

use super::reports;
use crate::{
    filters::{looked_at, most_rows},
    harness::Fixture,
};

/// Sessions of 200 domains over three months that have partitions, each with a view, an order of a product and a property.
const FILL: &str = "
    SELECT ensure_partitions(t, 'month', '2031-01-15Z', 2)
    FROM unnest(ARRAY['analytics_sessions', 'analytics_hits', 'analytics_engagements', 'analytics_properties',
        'analytics_commerce', 'analytics_items']::regclass[]) AS t;
    INSERT INTO analytics_sessions (domain_id, started_at, id, visitor_id, ended_at, pageviews, events, clicks, entry_page,
        entry_at, exit_page, exit_at, channel, source, device, country)
    SELECT md5((n % 200)::text)::uuid, at, n, n, at, 1, 0, 0, 1 + n % 50, at, 1 + n % 50, at, 18, 1, 0, n % 20
    FROM generate_series(1, 40000) AS n, LATERAL (SELECT '2031-01-01Z'::timestamptz + n * interval '3 minutes' AS at) AS t;
    INSERT INTO analytics_hits (domain_id, at, id, session_id, visitor_id, kind, page, channel, source, device, country)
    SELECT s.domain_id, s.started_at, s.id, s.id, s.visitor_id, 0, s.entry_page, 18, 1, 0, s.country
    FROM analytics_sessions AS s;
    INSERT INTO analytics_engagements (domain_id, at, id, session_id, load_id, page, visible_ms)
    SELECT h.domain_id, h.at, h.id, h.session_id, h.id, h.page, 1000
    FROM analytics_hits AS h;
    INSERT INTO analytics_properties (domain_id, at, hit_id, place, session_id, visitor_id, event, property, number)
    SELECT h.domain_id, h.at, h.id, 0, h.session_id, h.visitor_id, 1, 1, 1
    FROM analytics_hits AS h;
    INSERT INTO analytics_commerce (domain_id, at, hit_id, session_id, visitor_id, step, value_cents, currency, is_repeated)
    SELECT h.domain_id, h.at, h.id, h.session_id, h.visitor_id, 3, 1000, '', false
    FROM analytics_hits AS h;
    INSERT INTO analytics_items (domain_id, at, hit_id, place, session_id, step, product, price_cents, quantity)
    SELECT h.domain_id, h.at, h.id, 0, h.session_id, 3, 1, 1000, 1
    FROM analytics_hits AS h;
    ANALYZE";

/// The answer of `EXPLAIN` for a read of ten days, planned once for all.
async fn plan(fixture: &Fixture, types: &str, sql: &str, values: &str) -> String {
    let prepare = format!("PREPARE read ({types}) AS {sql}; SET plan_cache_mode = force_generic_plan");
    fixture.sql.batch_execute(&prepare).await.unwrap();
    let explain = format!("EXPLAIN (ANALYZE, COSTS off, TIMING off) EXECUTE read ({values})");
    let rows = fixture.sql.query(&explain, &[]).await.unwrap();
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    fixture
        .sql
        .batch_execute("DEALLOCATE read; RESET plan_cache_mode")
        .await
        .unwrap();
    lines.join("\n")
}

/// Reads go by an index into the partitions of the window, and into no other.
fn assert_by_index(plan: &str, of: &str) {
    assert_by_index_in(&["_2031_02"], plan, of);
}

/// The same of a window that has these months.
fn assert_by_index_in(months: &[&str], plan: &str, of: &str) {
    for table in [
        "analytics_sessions",
        "analytics_hits",
        "analytics_engagements",
        "analytics_properties",
        "analytics_commerce",
        "analytics_items",
    ] {
        for line in plan
            .lines()
            .filter(|line| line.contains(&format!(" on {table}_2031")))
        {
            assert!(!line.contains("Seq Scan"), "{of}: {line}\n{plan}");
            let is_of_window = months
                .iter()
                .any(|month| line.contains(&format!("on {table}{month}")));
            assert!(
                is_of_window || line.contains("never executed"),
                "{of}: {line}\n{plan}"
            );
        }
    }
    assert!(plan.contains("_2031_02"), "{of}: nothing is read\n{plan}");
}

#[tokio::test]
async fn reads_go_by_the_primary_keys_of_the_months_that_they_are_about() {
    let fixture = Fixture::new().await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    let domain = "'cfcd2084-95d5-65ef-66e7-dff9f98764da'";
    let filters = "ARRAY[NULL, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL, 1, NULL]::integer[]";
    let days = include_str!("../../../crates/analytics/pg/src/reads/days.sql");
    let of_days = "uuid, date, date, timestamptz, timestamptz, integer[]";
    let pages = include_str!("../../../crates/analytics/pg/src/reads/pages.sql");
    let of_pages = "uuid, smallint, date, date, date, timestamptz, timestamptz, integer[], text, integer, bigint, bigint, bigint";
    let funnel = include_str!("../../../crates/analytics/pg/src/reads/funnel.sql");
    let of_funnel = "uuid, timestamptz, timestamptz, integer[], smallint[], integer[]";
    let hours = include_str!("../../../crates/analytics/pg/src/reads/hours.sql");
    let of_hours = "uuid, timestamptz, timestamptz, integer[], text";
    let journeys = include_str!("../../../crates/analytics/pg/src/reads/journeys.sql");
    let of_journeys = "uuid, timestamptz, timestamptz, integer[], integer, integer, bigint";
    for filters in ["NULL", filters] {
        let values = format!("{domain}, '2031-02-03', '2031-02-03', '2031-02-03Z', '2031-02-13Z', {filters}");
        assert_by_index(&plan(&fixture, of_days, days, &values).await, "days");
        for part in 0..3 {
            let values = format!(
                "{domain}, {part}::smallint, '2031-02-03', '2031-02-03', '2031-02-03', '2031-02-03Z', '2031-02-13Z', {filters}, NULL, 0,
                 -1, 50, 0"
            );
            assert_by_index(&plan(&fixture, of_pages, pages, &values).await, "pages");
        }
        let values =
            format!("{domain}, '2031-02-03Z', '2031-02-13Z', {filters}, '{{0, 0, 1}}', '{{1, 2, 3}}'");
        assert_by_index(&plan(&fixture, of_funnel, funnel, &values).await, "funnel");
        let values = format!("{domain}, '2031-02-03Z', '2031-02-13Z', {filters}, 'EUR'");
        assert_by_index(&plan(&fixture, of_hours, hours, &values).await, "hours");
        let values = format!("{domain}, '2031-02-03Z', '2031-02-13Z', {filters}, 4, NULL, 100");
        assert_by_index(&plan(&fixture, of_journeys, journeys, &values).await, "journeys");
    }
    let realtime = include_str!("../../../crates/analytics/pg/src/reads/realtime.sql");
    let values = format!("{domain}, '2031-02-13 10:00Z', 10");
    let plan = plan(&fixture, "uuid, timestamptz, bigint", realtime, &values).await;
    // It has no end, so that the months that follow are read, too.
    assert_by_index_in(&["_2031_02", "_2031_03"], &plan, "realtime");
}

#[tokio::test]
async fn reads_of_money_and_properties_go_by_the_primary_keys_likewise() {
    let fixture = Fixture::new().await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    let window = "'cfcd2084-95d5-65ef-66e7-dff9f98764da', '2031-02-03Z', '2031-02-13Z'";
    let revenue = include_str!("../../../crates/analytics/pg/src/reads/filtered_revenue.sql");
    let of_revenue = "uuid, timestamptz, timestamptz, integer[], text";
    let properties = include_str!("../../../crates/analytics/pg/src/reads/event_properties.sql");
    let of_properties = "uuid, timestamptz, timestamptz, integer[], integer[], integer";
    let returns = include_str!("../../../crates/analytics/pg/src/reads/returns.sql");
    let of_returns = "uuid, timestamptz, timestamptz, integer[], text, text";
    for filters in [
        "NULL",
        "ARRAY[NULL, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL, 1, NULL]::integer[]",
    ] {
        let values = format!("{window}, {filters}, 'EUR'");
        assert_by_index(&plan(&fixture, of_revenue, revenue, &values).await, "revenue");
        let values = format!("{window}, {filters}, '{{1}}', 10");
        assert_by_index(
            &plan(&fixture, of_properties, properties, &values).await,
            "properties",
        );
        let values = format!("{window}, {filters}, 'week', 'user_id'");
        assert_by_index(&plan(&fixture, of_returns, returns, &values).await, "returns");
    }
    let products = include_str!("../../../crates/analytics/pg/src/reads/products.sql");
    let of_products = "uuid, timestamptz, timestamptz, text, bigint, bigint";
    let values = format!("{window}, 'EUR', 50, 0");
    assert_by_index(&plan(&fixture, of_products, products, &values).await, "products");
    let loads = include_str!("../../../crates/analytics/pg/src/reads/converted.sql");
    let of_loads = "uuid, timestamptz, timestamptz, bigint";
    let values = format!("{window}, 1000");
    assert_by_index(
        &plan(&fixture, of_loads, loads, &values).await,
        "loads of visits with an order",
    );
}

/// Forty days of those domains that are rolled up, and the settings and the dictionary of the one that is asked for. Most values
/// of the dictionary are of another domain.
const ROLLED: &str = r#"
    INSERT INTO domains (id, workspace_id, hostname, created_at)
    SELECT 'cfcd2084-95d5-65ef-66e7-dff9f98764da', workspace_id, 'plans.example', created_at FROM domains;
    INSERT INTO analytics_sites (domain_id, settings, created_at, updated_at)
    VALUES ('cfcd2084-95d5-65ef-66e7-dff9f98764da', '{"enabled": true, "currency": "EUR"}', '2031-01-01Z', '2031-01-01Z');
    INSERT INTO analytics_progress (domain_id, first_at, last_at, commerce_at)
    VALUES ('cfcd2084-95d5-65ef-66e7-dff9f98764da', '2031-01-01Z', '2031-03-25Z', '2031-01-01Z');
    INSERT INTO analytics_values (id, domain_id, dimension, value) OVERRIDING SYSTEM VALUE
    SELECT n, d.id, CASE n WHEN 100 THEN 16 ELSE 0 END, CASE n WHEN 100 THEN 'signup' ELSE '/' || n END
    FROM generate_series(1, 20000) AS n
    JOIN domains AS d ON (d.hostname = 'plans.example') = (n <= 100);
    INSERT INTO analytics_titles (domain_id, page, title) SELECT domain_id, id, value FROM analytics_values;
    INSERT INTO analytics_daily (domain_id, dimension, day, value, visitors, sessions, pageviews, bounces, duration_ms, events)
    SELECT md5((n % 200)::text)::uuid, k.dimension, date '2031-01-01' + n / 200, k.value, 9, 9, 9, 9, 9, 9
    FROM generate_series(0, 200 * 40 - 1) AS n, (VALUES (-2, 18), (-1, 0), (1, 1), (8, 1)) AS k (dimension, value);
    INSERT INTO analytics_pages (domain_id, grain, part, starts_on, page, visitors, pageviews, sessions, entries, exits, bounces,
        engaged_ms, engaged_views, scroll_pct, scrolled_views)
    SELECT d.domain_id, 0, 0, d.day, 1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9 FROM analytics_daily AS d WHERE d.dimension = -1;
    INSERT INTO analytics_actions (domain_id, kind, day, value, page, hits, visitors, sessions, exits, last_at)
    SELECT d.domain_id, 1, d.day, 1, 0, 9, 9, 9, 9, d.day FROM analytics_daily AS d WHERE d.dimension = -1;
    INSERT INTO analytics_revenue (domain_id, day, currency, orders, revenue_cents, refunds, refunded_cents)
    SELECT d.domain_id, d.day, 'EUR', 9, 9, 9, 9 FROM analytics_daily AS d WHERE d.dimension = -1;
    INSERT INTO analytics_dimension_orders (domain_id, dimension, day, value, second, currency, orders, valued_orders,
        revenue_cents)
    SELECT d.domain_id, k.dimension, d.day, 1, 0, 'EUR', 9, 9, 9
    FROM analytics_daily AS d, (VALUES (-5), (1)) AS k (dimension)
    WHERE d.dimension = -1;
    VACUUM ANALYZE"#;

/// Two domains that have much, of which one is asked for.
async fn rolled_up() -> Fixture {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    // A vacuum runs in no transaction, which several statements of one text are.
    for statement in ROLLED.split(';') {
        fixture.sql.batch_execute(statement).await.unwrap();
    }
    fixture
}

/// Neither roll-ups nor the dictionary are read from beginning to end.
fn assert_rolled_by_index(plan: &str, of: &str) {
    for table in [
        "analytics_daily",
        "analytics_pages",
        "analytics_actions",
        "analytics_revenue",
        "analytics_dimension_orders",
        "analytics_values",
        "analytics_titles",
    ] {
        let whole = format!("Seq Scan on {table} ");
        for line in plan.lines().filter(|line| line.contains(&whole)) {
            assert!(line.contains("never executed"), "{of}: {line}\n{plan}");
        }
    }
}

#[tokio::test]
async fn reads_of_days_that_are_rolled_up_and_of_others_go_by_primary_keys() {
    let fixture = rolled_up().await;
    let domain = "'cfcd2084-95d5-65ef-66e7-dff9f98764da'";
    // Three days that are rolled up, and ten that are not.
    let days = "'2031-01-31', '2031-02-03', '2031-02-03Z', '2031-02-13Z'";
    let of_days = "date, date, timestamptz, timestamptz";
    for filters in [
        "NULL",
        "ARRAY[NULL, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL, 1, NULL]::integer[]",
    ] {
        for (name, types, sql, values) in [
            (
                "actions",
                format!("uuid, smallint, {of_days}, integer[], text, bigint, text, bigint"),
                include_str!("../../../crates/analytics/pg/src/reads/actions.sql"),
                format!("{domain}, 1::smallint, {days}, {filters}, NULL, NULL, NULL, 51"),
            ),
            (
                "breakdown",
                format!("uuid, smallint, {of_days}, integer[], text, bigint"),
                include_str!("../../../crates/analytics/pg/src/reads/breakdown.sql"),
                format!("{domain}, 1::smallint, {days}, {filters}, 'EUR', 50"),
            ),
            (
                "event money",
                "uuid, timestamptz, timestamptz, integer[], integer[], text".to_owned(),
                include_str!("../../../crates/analytics/pg/src/reads/event_money.sql"),
                format!("{domain}, '2031-02-03Z', '2031-02-13Z', {filters}, '{{1}}', 'EUR'"),
            ),
            (
                "properties",
                "uuid, timestamptz, timestamptz, integer[], text, text, bigint, bigint".to_owned(),
                include_str!("../../../crates/analytics/pg/src/reads/properties.sql"),
                format!("{domain}, '2031-02-03Z', '2031-02-13Z', {filters}, 'signup', NULL, 50, 10"),
            ),
        ] {
            let plan = plan(&fixture, &types, sql, &values).await;
            assert_by_index(&plan, name);
            assert_rolled_by_index(&plan, name);
        }
    }
    for (name, more_types, sql, more) in [
        (
            "revenue",
            "text",
            include_str!("../../../crates/analytics/pg/src/reads/revenue.sql"),
            "'EUR'",
        ),
        (
            "sales",
            "text, text",
            include_str!("../../../crates/analytics/pg/src/reads/sales.sql"),
            "'EUR', 'day'",
        ),
        (
            "sales by channel",
            "text",
            include_str!("../../../crates/analytics/pg/src/reads/channel_sales.sql"),
            "'EUR'",
        ),
    ] {
        let types = format!("uuid, {of_days}, {more_types}");
        let plan = plan(&fixture, &types, sql, &format!("{domain}, {days}, {more}")).await;
        assert_by_index(&plan, name);
        assert_rolled_by_index(&plan, name);
    }
}

#[tokio::test]
async fn reads_of_alerts_experiments_and_single_values_go_by_primary_keys() {
    let fixture = rolled_up().await;
    let domain = "'cfcd2084-95d5-65ef-66e7-dff9f98764da'";
    let alerts = include_str!("../../../crates/analytics/pg/src/reads/alert_metrics.sql");
    let of_alerts = "uuid[], timestamptz[], timestamptz[], smallint";
    let values = format!(
        "ARRAY[{domain}]::uuid[], '{{2031-02-03Z}}'::timestamptz[], '{{2031-02-13Z}}'::timestamptz[], 10::smallint"
    );
    let of_visits = plan(&fixture, of_alerts, alerts, &values).await;
    assert_by_index(&of_visits, "alert metrics");

    let panel = include_str!("../../../crates/analytics/pg/src/experiments/panel.sql");
    let of_panel = "uuid, timestamptz, timestamptz, text[], text[]";
    let values = format!("{domain}, '2031-02-03Z', '2031-02-13Z', '{{/1, /2}}', '{{/3}}'");
    let of_pages = plan(&fixture, of_panel, panel, &values).await;
    assert_by_index(&of_pages, "panel");
    assert_rolled_by_index(&of_pages, "panel");

    for (name, types, sql, values) in [
        (
            "visited",
            "uuid, timestamptz, bigint, bigint, integer",
            include_str!("../../../crates/analytics/pg/src/reads/visited.sql"),
            format!("{domain}, '2031-02-03 10:00Z', 2, 100, 28"),
        ),
        (
            "titles",
            "uuid, text[]",
            include_str!("../../../crates/analytics/pg/src/reads/titles.sql"),
            format!("{domain}, '{{https://plans.example/1}}'"),
        ),
        (
            "known",
            "uuid, smallint[], text[]",
            include_str!("../../../crates/analytics/pg/src/reads/known.sql"),
            format!("{domain}, '{{0, 16}}', '{{/1, signup}}'"),
        ),
    ] {
        let plan = plan(&fixture, types, sql, &values).await;
        assert!(plan.contains("using analytics_"), "{name}: {plan}");
        assert_rolled_by_index(&plan, name);
    }
}

/// The statements of all reports have the same parameters.
#[tokio::test]
async fn reports_go_by_the_primary_keys_of_the_months_that_they_are_about() {
    let fixture = rolled_up().await;
    let window = "'cfcd2084-95d5-65ef-66e7-dff9f98764da', '2031-02-03Z', '2031-02-13Z'";
    let types = "uuid, timestamptz, timestamptz, integer[], uuid, bigint, text[], text";
    for filters in [
        "NULL",
        "ARRAY[NULL, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL, 1, NULL]::integer[]",
    ] {
        for (name, sql) in reports() {
            let values = format!("{window}, {filters}, gen_random_uuid(), 1000, '{{direct}}'::text[], 'EUR'");
            let plan = plan(&fixture, types, sql, &values).await;
            assert_by_index(&plan, name);
        }
    }
}

/// Sessions of a domain that PostgreSQL knows nothing of yet, each with an event, an order and a product of its own.
const UNKNOWN: &str = "
    SELECT ensure_partitions(t, 'month', '2031-02-15Z', 1)
    FROM unnest(ARRAY['analytics_sessions', 'analytics_hits', 'analytics_engagements', 'analytics_properties',
        'analytics_commerce', 'analytics_items']::regclass[]) AS t;
    DO $$ DECLARE told regclass; BEGIN
        FOR told IN SELECT c.oid FROM pg_class AS c WHERE c.relkind = 'r' AND c.relname LIKE 'analytics\\_%' LOOP
            EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', told);
        END LOOP;
    END $$;
    INSERT INTO analytics_sessions (domain_id, started_at, id, visitor_id, ended_at, pageviews, events, clicks, entry_page,
        entry_at, exit_page, exit_at, channel, source, device, country)
    SELECT 'cfcd2084-95d5-65ef-66e7-dff9f98764da', at, n, n, at, 1, 0, 0, n, at, n, at, 18, 1, 0, 1
    FROM generate_series(1, 1200) AS n, LATERAL (SELECT '2031-02-03Z'::timestamptz + n * interval '10 minutes' AS at) AS t;
    INSERT INTO analytics_hits (domain_id, at, id, session_id, visitor_id, kind, page, event, channel, source, device, country)
    SELECT domain_id, started_at, id, id, visitor_id, 1, entry_page, 1, 18, 1, 0, country FROM analytics_sessions;
    INSERT INTO analytics_commerce (domain_id, at, hit_id, session_id, visitor_id, step, value_cents, currency, is_repeated)
    SELECT domain_id, at, id, session_id, visitor_id, 3, 1000, '', false FROM analytics_hits;
    INSERT INTO analytics_items (domain_id, at, hit_id, place, session_id, step, product, price_cents, quantity)
    SELECT domain_id, at, id, 0, session_id, 3, id, 1000, 1 FROM analytics_hits;
    INSERT INTO analytics_engagements (domain_id, at, id, session_id, load_id, page, visible_ms)
    SELECT domain_id, at, id, session_id, id, page, 1000 FROM analytics_hits;
    INSERT INTO analytics_properties (domain_id, at, hit_id, place, session_id, visitor_id, event, property, number)
    SELECT domain_id, at, id, 0, session_id, visitor_id, 1, 1, 1 FROM analytics_hits";

#[tokio::test]
async fn reads_take_no_more_steps_than_there_are_rows_though_nothing_is_known_of_them() {
    let fixture = Fixture::new().await;
    fixture.sql.batch_execute(UNKNOWN).await.unwrap();
    let domain = "'cfcd2084-95d5-65ef-66e7-dff9f98764da'";
    // None of the days is rolled up.
    let (of_days, days) = (
        "date, date, timestamptz, timestamptz",
        "'2031-02-03', '2031-02-03', '2031-02-03Z', '2031-02-13Z'",
    );
    let (of_window, window) = (
        "uuid, timestamptz, timestamptz",
        format!("{domain}, '2031-02-03Z', '2031-02-13Z'"),
    );
    let of_pages = "uuid, smallint, date, date, date, timestamptz, timestamptz, integer[], text, integer, bigint, bigint, bigint";
    // No filter, and those that fit all sessions.
    for filters in [
        "NULL",
        "ARRAY[18, 0, 1, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL]::integer[]",
    ] {
        for (name, types, sql, values) in [
            (
                "actions",
                format!("uuid, smallint, {of_days}, integer[], text, bigint, text, bigint"),
                include_str!("../../../crates/analytics/pg/src/reads/actions.sql"),
                format!("{domain}, 1::smallint, {days}, {filters}, NULL, NULL, NULL, 1001"),
            ),
            (
                "breakdown",
                format!("uuid, smallint, {of_days}, integer[], text, bigint"),
                include_str!("../../../crates/analytics/pg/src/reads/breakdown.sql"),
                format!("{domain}, 1::smallint, {days}, {filters}, 'EUR', 1000"),
            ),
            (
                "days",
                format!("uuid, {of_days}, integer[]"),
                include_str!("../../../crates/analytics/pg/src/reads/days.sql"),
                format!("{domain}, {days}, {filters}"),
            ),
            (
                "pages",
                of_pages.to_owned(),
                include_str!("../../../crates/analytics/pg/src/reads/pages.sql"),
                format!("{domain}, 0::smallint, '2031-02-03', {days}, {filters}, NULL, 0, -1, 1000, 0"),
            ),
            (
                "funnel",
                format!("{of_window}, integer[], smallint[], integer[]"),
                include_str!("../../../crates/analytics/pg/src/reads/funnel.sql"),
                format!("{window}, {filters}, '{{1, 1}}', '{{1, 1}}'"),
            ),
            (
                "hours",
                format!("{of_window}, integer[], text"),
                include_str!("../../../crates/analytics/pg/src/reads/hours.sql"),
                format!("{window}, {filters}, 'EUR'"),
            ),
            (
                "journeys",
                format!("{of_window}, integer[], integer, integer, bigint"),
                include_str!("../../../crates/analytics/pg/src/reads/journeys.sql"),
                format!("{window}, {filters}, 4, NULL, 100"),
            ),
            (
                "event money",
                format!("{of_window}, integer[], integer[], text"),
                include_str!("../../../crates/analytics/pg/src/reads/event_money.sql"),
                format!("{window}, {filters}, '{{1}}', 'EUR'"),
            ),
            (
                "filtered revenue",
                format!("{of_window}, integer[], text"),
                include_str!("../../../crates/analytics/pg/src/reads/filtered_revenue.sql"),
                format!("{window}, {filters}, 'EUR'"),
            ),
            (
                "properties of events",
                format!("{of_window}, integer[], integer[], integer"),
                include_str!("../../../crates/analytics/pg/src/reads/event_properties.sql"),
                format!("{window}, {filters}, '{{1}}', 10"),
            ),
            (
                "returns",
                format!("{of_window}, integer[], text, text"),
                include_str!("../../../crates/analytics/pg/src/reads/returns.sql"),
                format!("{window}, {filters}, 'week', 'user_id'"),
            ),
        ] {
            assert_few_steps(&fixture, name, &types, sql, &values).await;
        }
        let of_reports = format!("{of_window}, integer[], uuid, bigint, text[], text");
        for (name, sql) in reports() {
            let values =
                format!("{window}, {filters}, gen_random_uuid(), 10000, '{{direct}}'::text[], 'EUR'");
            assert_few_steps(&fixture, name, &of_reports, sql, &values).await;
        }
    }
    for (name, types, sql, values) in [
        (
            "sales",
            format!("uuid, {of_days}, text, text"),
            include_str!("../../../crates/analytics/pg/src/reads/sales.sql"),
            format!("{domain}, {days}, 'EUR', 'day'"),
        ),
        (
            "sales by channel",
            format!("uuid, {of_days}, text"),
            include_str!("../../../crates/analytics/pg/src/reads/channel_sales.sql"),
            format!("{domain}, {days}, 'EUR'"),
        ),
        (
            "products",
            format!("{of_window}, text, bigint, bigint"),
            include_str!("../../../crates/analytics/pg/src/reads/products.sql"),
            format!("{window}, 'EUR', 1000, 0"),
        ),
        (
            "loads of visits with an order",
            format!("{of_window}, bigint"),
            include_str!("../../../crates/analytics/pg/src/reads/converted.sql"),
            format!("{window}, 1000"),
        ),
        (
            "realtime",
            "uuid, timestamptz, bigint".to_owned(),
            include_str!("../../../crates/analytics/pg/src/reads/realtime.sql"),
            format!("{domain}, '2031-02-03Z', 10"),
        ),
    ] {
        assert_few_steps(&fixture, name, &types, sql, &values).await;
    }
}

/// No step of a read of 1,200 sessions gives or drops many times as many rows.
async fn assert_few_steps(fixture: &Fixture, name: &str, types: &str, sql: &str, values: &str) {
    let prepare = format!("PREPARE read ({types}) AS {sql}");
    fixture.sql.batch_execute(&prepare).await.unwrap();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        fixture.sql.batch_execute(&set).await.unwrap();
        let execute = format!("EXECUTE read ({values})");
        let (_, plan) = looked_at(fixture, &execute, "analytics_hits").await;
        // A loop within a loop comes to more than half a million.
        assert!(most_rows(&plan) < 20_000, "{name}, {mode}\n{plan}");
    }
    fixture.sql.batch_execute("DEALLOCATE read").await.unwrap();
}
