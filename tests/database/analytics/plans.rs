//! How reads are planned: by the primary keys of the partitions that a window touches, however little PostgreSQL knows.

use crate::harness::Fixture;

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
            assert!(
                line.contains(&format!("on {table}_2031_02")) || line.contains("never executed"),
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
    assert!(!plan.contains("Seq Scan on analytics_hits_2031"), "{plan}");
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
}
