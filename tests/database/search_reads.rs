//! How reads of search performance are planned: ranges of an index in the partitions of a window, however little PostgreSQL
//! knows.

use crate::{filters::looked_at, harness::Fixture};

/// Three months of 200 domains, each with 40 queries and pages a day of which there are 600. January of one is added up.
const FILL: &str = "
    SELECT ensure_partitions(t, 'month', '2031-01-15Z', 2)
    FROM unnest(ARRAY['search_sums', 'search_queries', 'search_pages', 'search_pairs', 'search_places']::regclass[]) AS t;
    CREATE TABLE filled AS
    SELECT
        md5((n % 200)::text)::uuid AS domain_id, 1::smallint AS search_type, date '2031-01-01' + n / 800 AS date,
        (1 + n / 200 * 7 % 600)::integer AS id, n % 3 AS clicks, 10 + n % 5 AS impressions, 3 * (10 + n % 5) AS position_sum
    FROM generate_series(0, 800 * 90 - 1) AS n;
    INSERT INTO search_sums SELECT domain_id, search_type, kind, date, id, sum(clicks), sum(impressions), sum(position_sum)
        FROM filled, generate_series(1, 2) AS kind GROUP BY 1, 2, 3, 4, 5;
    INSERT INTO search_queries SELECT domain_id, search_type, date, id, 'DE', 2, sum(clicks), sum(impressions), sum(position_sum)
        FROM filled GROUP BY 1, 2, 3, 4;
    INSERT INTO search_pages SELECT * FROM search_queries;
    INSERT INTO search_pairs SELECT domain_id, search_type, date, id, id / 2, 'DE', 2, sum(clicks), sum(impressions), sum(position_sum)
        FROM filled GROUP BY 1, 2, 3, 4;
    INSERT INTO search_places SELECT domain_id, search_type, date, 'DE', 2, sum(clicks), sum(impressions), sum(position_sum)
        FROM filled GROUP BY 1, 2, 3;
    INSERT INTO search_month_sums
        SELECT domain_id, search_type, kind, date_trunc('month', date), value_id, sum(clicks), sum(impressions), sum(position_sum)
        FROM search_sums WHERE domain_id = 'cfcd2084-95d5-65ef-66e7-dff9f98764da' AND date < '2031-02-01' GROUP BY 1, 2, 3, 4, 5;
    INSERT INTO search_values (id, domain_id, kind, value) OVERRIDING SYSTEM VALUE
        SELECT n, d.id, 1 + n % 2, 'value ' || n FROM generate_series(1, 600) AS n, (SELECT id FROM domains LIMIT 1) AS d;
    INSERT INTO search_months SELECT DISTINCT domain_id, search_type, month FROM search_month_sums;
    ANALYZE";

const DOMAIN: &str = "'cfcd2084-95d5-65ef-66e7-dff9f98764da'";
const ROWS: &str = "uuid, smallint, smallint, date, date, integer, text, smallint";

macro_rules! statement {
    ($file:literal) => {
        include_str!(concat!("../../crates/search/pg/src/gsc/reads/", $file))
    };
}

/// The answer of `EXPLAIN` for a statement that is planned once for all.
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

/// The partitions that a plan reads, each by an index.
fn read_by_index(plan: &str) -> Vec<String> {
    let mut read: Vec<String> = Vec::new();
    for line in plan.lines().filter(|line| !line.contains("never executed")) {
        let Some((scan, rest)) = line.split_once(" on search_") else {
            continue;
        };
        let table = rest.split_whitespace().next().unwrap();
        let partitioned = ["sums_", "queries_", "pages_", "pairs_", "places_"];
        if partitioned.iter().any(|name| table.starts_with(name)) && !scan.contains("Bitmap Index") {
            assert!(!scan.contains("Seq Scan"), "{line}\n{plan}");
            if !read.contains(&table.to_owned()) {
                read.push(table.to_owned());
            }
        }
    }
    read.sort();
    read
}

#[tokio::test]
async fn lists_read_the_days_that_no_month_has() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    let list = statement!("list.sql");
    let types = format!("{ROWS}, text, smallint, double precision, integer[], boolean, bigint, bigint");
    let order = "NULL, 0::smallint, -1, NULL, NULL, 50, 0";
    let asked = |kind: u8, first: &str, last: &str, filter: &str| {
        format!("{DOMAIN}, 1::smallint, {kind}::smallint, '2031-{first}', '2031-{last}', {filter}, {order}")
    };
    for kind in [1, 2] {
        // January is added up, February is not.
        let whole = plan(
            &fixture,
            &types,
            list,
            &asked(kind, "01-01", "02-28", "NULL, NULL, NULL"),
        )
        .await;
        assert_eq!(read_by_index(&whole), ["sums_2031_02"], "{whole}");
        // Not all of January.
        let part = plan(
            &fixture,
            &types,
            list,
            &asked(kind, "01-02", "01-31", "NULL, NULL, NULL"),
        )
        .await;
        assert_eq!(read_by_index(&part), ["sums_2031_01"], "{part}");
        let month = plan(
            &fixture,
            &types,
            list,
            &asked(kind, "01-01", "01-31", "NULL, NULL, NULL"),
        )
        .await;
        assert_eq!(read_by_index(&month), Vec::<String>::new(), "{month}");
        let by_place = plan(
            &fixture,
            &types,
            list,
            &asked(kind, "02-01", "02-28", "NULL, 'DE', NULL"),
        )
        .await;
        let table = if kind == 1 {
            "queries_2031_02"
        } else {
            "pages_2031_02"
        };
        assert_eq!(read_by_index(&by_place), [table], "{by_place}");
        let by_other = plan(
            &fixture,
            &types,
            list,
            &asked(kind, "02-01", "02-28", "20, NULL, NULL"),
        )
        .await;
        assert_eq!(read_by_index(&by_other), ["pairs_2031_02"], "{by_other}");
        assert!(
            by_other.contains(if kind == 1 { "page_id" } else { "query_id" }),
            "{by_other}"
        );
    }
}

#[tokio::test]
async fn values_are_found_by_their_numbers() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    let of = |kind: u8| {
        format!(
            "{DOMAIN}, 1::smallint, {kind}::smallint, '2031-02-01', '2031-02-28', NULL, NULL, NULL, ARRAY[20, 40, 60]"
        )
    };
    for kind in [1, 2] {
        let partners = plan(
            &fixture,
            &format!("{ROWS}, integer[]"),
            statement!("partners.sql"),
            &of(kind),
        )
        .await;
        assert_eq!(read_by_index(&partners), ["pairs_2031_02"], "{partners}");
        let before = plan(
            &fixture,
            &format!("{ROWS}, integer[]"),
            statement!("before.sql"),
            &of(kind),
        )
        .await;
        assert_eq!(read_by_index(&before), ["sums_2031_02"], "{before}");
    }
    let types = "uuid, smallint, date, date, integer, integer, text, smallint";
    for (part, table) in [
        ("NULL, NULL, NULL, NULL", "places_2031_02"),
        ("20, NULL, NULL, NULL", "sums_2031_02"),
        ("NULL, 20, NULL, NULL", "sums_2031_02"),
        ("20, NULL, 'DE', NULL", "queries_2031_02"),
        ("NULL, 20, NULL, 2::smallint", "pages_2031_02"),
        ("20, 10, NULL, NULL", "pairs_2031_02"),
    ] {
        let values = format!("{DOMAIN}, 1::smallint, '2031-02-01', '2031-02-28', {part}");
        let series = plan(&fixture, types, statement!("series.sql"), &values).await;
        assert_eq!(read_by_index(&series), [table], "{part}: {series}");
    }
    let types = "uuid, smallint, smallint, date, date, date, date";
    let windows =
        format!("{DOMAIN}, 1::smallint, 1::smallint, '2031-03-01', '2031-03-28', '2031-02-01', '2031-02-28'");
    for (sql, rest, more) in [
        (statement!("movers.sql"), "smallint, bigint", "0::smallint, 100"),
        (statement!("new.sql"), "bigint, bigint", "50, 0"),
        (
            statement!("lost.sql"),
            "boolean, bigint, bigint, bigint, smallint",
            "false, 0, 0, 51, 2::smallint",
        ),
    ] {
        let ranked = plan(
            &fixture,
            &format!("{types}, {rest}"),
            sql,
            &format!("{windows}, {more}"),
        )
        .await;
        let read = read_by_index(&ranked);
        let months = ["sums_2031_02", "sums_2031_03"];
        assert!(
            months.iter().all(|month| read.contains(&(*month).to_owned())),
            "{ranked}"
        );
        assert!(
            !ranked.contains("_2031_01") || !read.iter().any(|table| table.ends_with("_01")),
            "{ranked}"
        );
    }
}

/// Pages are named by those who compare them, and looked up one by one.
#[tokio::test]
async fn days_of_pages_are_read_by_page() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    fixture
        .sql
        .batch_execute(&format!(
            "INSERT INTO search_properties (domain_id, workspace_id, site_url, permission, status, linked_at, data_through)
                SELECT id, workspace_id, 'sc-domain:ada.example', 'owner', 'connected', '2030-01-01Z', '2031-03-20' FROM domains;
            INSERT INTO search_imports (domain_id, site_url, search_type, reached)
                SELECT id, 'sc-domain:ada.example', 1, '2031-01-01' FROM domains;
            UPDATE search_values SET value = 'https://ada.example/p' WHERE id = 21;
            INSERT INTO search_sums SELECT '{}', search_type, kind, date, value_id, clicks, impressions, position_sum
                FROM search_sums WHERE domain_id = {DOMAIN};
            ANALYZE",
            home.domain
        ))
        .await
        .unwrap();
    let values = format!(
        "'{}', '2031-02-01', '2031-02-28', ARRAY['/p', '/q'], ARRAY[0, 1], ARRAY[0, 0], ARRAY['']",
        home.domain
    );
    let types = "uuid, date, date, text[], integer[], integer[], text[]";
    let days = plan(&fixture, types, statement!("page_days.sql"), &values).await;
    assert_eq!(read_by_index(&days), ["sums_2031_02"], "{days}");
    assert!(days.contains("value_id ="), "{days}");
}

/// Each filter whose bit is set; the others are not asked for.
fn chosen<const N: usize>(bits: u32, filters: [&'static str; N]) -> [&'static str; N] {
    let mut bit = 1;
    filters.map(|filter| {
        let given = if bits & bit == 0 { "NULL" } else { filter };
        bit <<= 1;
        given
    })
}

/// Executes what is asked, planned for itself and planned once for all: only the one table is read, by an index, and of it no more
/// than the rows of the days that are asked for.
async fn holds(fixture: &Fixture, types: &str, sql: &str, asked: &[(String, &str)]) {
    let prepare = format!("PREPARE read ({types}) AS {sql}");
    fixture.sql.batch_execute(&prepare).await.unwrap();
    for mode in ["force_custom_plan", "force_generic_plan"] {
        let set = format!("SET plan_cache_mode = {mode}");
        fixture.sql.batch_execute(&set).await.unwrap();
        for (values, table) in asked {
            let execute = format!("EXECUTE read ({values})");
            let (rows, plan) = looked_at(fixture, &execute, table).await;
            assert_eq!(
                read_by_index(&plan),
                [table.trim_start_matches("search_")],
                "{mode}: {execute}\n{plan}"
            );
            // The domain has four a day. A bitmap counts those twice.
            assert!(rows <= 224, "{rows} rows, {mode}: {execute}\n{plan}");
        }
    }
    fixture
        .sql
        .batch_execute("DEALLOCATE read; RESET plan_cache_mode")
        .await
        .unwrap();
}

#[tokio::test]
async fn queries_and_pages_are_found_by_every_combination_of_their_filters() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    let mut asked = Vec::new();
    for kind in [1, 2] {
        for bits in 0..1 << 6 {
            let filters = ["20", "'DE'", "2::smallint", "'value'", "ARRAY[20, 40]", "true"];
            let [other, country, device, search, ids, branded] = chosen(bits, filters);
            // Whether a query is branded is said with the ids of those that are.
            if (ids == "NULL") != (branded == "NULL") {
                continue;
            }
            let table = match (other, country, device) {
                ("NULL", "NULL", "NULL") => "search_sums_2031_02",
                ("NULL", ..) if kind == 1 => "search_queries_2031_02",
                ("NULL", ..) => "search_pages_2031_02",
                _ => "search_pairs_2031_02",
            };
            for order in 0..5 {
                let values = format!(
                    "{DOMAIN}, 1::smallint, {kind}::smallint, '2031-02-01', '2031-02-28', {other}, {country}, {device}, \
                     {search}, {order}::smallint, -1, {ids}, {branded}, 50, 0"
                );
                asked.push((values, table));
            }
        }
    }
    let types = format!("{ROWS}, text, smallint, double precision, integer[], boolean, bigint, bigint");
    holds(&fixture, &types, statement!("list.sql"), &asked).await;
}

#[tokio::test]
async fn series_of_searches_are_found_by_every_combination_of_their_filters() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    let mut asked = Vec::new();
    for bits in 0..1 << 4 {
        let filters = chosen(bits, ["20", "10", "'DE'", "2::smallint"]);
        let table = match filters {
            ["NULL", "NULL", ..] => "search_places_2031_02",
            ["NULL", _, "NULL", "NULL"] | [_, "NULL", "NULL", "NULL"] => "search_sums_2031_02",
            [_, "NULL", ..] => "search_queries_2031_02",
            ["NULL", ..] => "search_pages_2031_02",
            _ => "search_pairs_2031_02",
        };
        let filters = filters.join(", ");
        let values = format!("{DOMAIN}, 1::smallint, '2031-02-01', '2031-02-28', {filters}");
        asked.push((values, table));
    }
    let types = "uuid, smallint, date, date, integer, integer, text, smallint";
    holds(&fixture, types, statement!("series.sql"), &asked).await;
}

/// Countries and devices are told from the same rows, with the other as a filter: of the whole property, of a query or of a page.
#[tokio::test]
async fn places_of_searches_are_found_by_what_they_are_of() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    let types = "uuid, smallint, date, date, integer, integer";
    for of in ["NULL, NULL", "20, NULL", "NULL, 20"] {
        let values = format!("{DOMAIN}, 1::smallint, '2031-02-01', '2031-02-28', {of}");
        let places = plan(&fixture, types, statement!("places.sql"), &values).await;
        let read = read_by_index(&places);
        assert!(read.iter().all(|table| table.ends_with("_2031_02")), "{places}");
        // A branch that is about no value finds no row by its index.
        assert_eq!(
            read.contains(&"places_2031_02".to_owned()),
            of == "NULL, NULL",
            "{places}"
        );
    }
}
