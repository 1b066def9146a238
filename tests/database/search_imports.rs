//! Imports of search data: who waits for whom, and how what is old is found.

use std::time::Duration as StdDuration;

use futures_util::future::join_all;
use pharos_search::gsc::{
    figures::SearchType,
    import::{ImportedDay, SearchImport},
    link::LinkRef,
};
use pharos_server::groups::{self, database_options};
use time::macros::date;
use tokio::time::timeout;

use crate::harness::{Fixture, NOW, connect};

/// A sum that is made beside a day that is replaced would be one of the day before.
#[tokio::test]
async fn months_are_added_up_after_the_day_that_is_being_replaced() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let insert =
        "INSERT INTO search_days (domain_id, search_type, date, is_final, clicks, impressions, position_sum)
        VALUES ($1, 1, '2026-01-02', true, 3, 10, 20)";
    fixture.sql.execute(insert, &[&home.domain.0]).await.unwrap();
    let import = groups::ports(&fixture.database)
        .get::<dyn SearchImport>()
        .unwrap();
    let holder = connect(fixture.test.url()).await;
    holder.batch_execute("BEGIN").await.unwrap();
    let lock = "SELECT pg_advisory_xact_lock(hashtext('search_import'), hashtext($1::uuid::text))";
    holder.execute(lock, &[&home.domain.0]).await.unwrap();
    let sum = import.sum_months(home.domain, SearchType::Web, date!(2026 - 02 - 03));
    tokio::pin!(sum);
    assert!(
        timeout(StdDuration::from_millis(300), &mut sum).await.is_err(),
        "it waits"
    );
    holder.batch_execute("COMMIT").await.unwrap();
    sum.await.unwrap();
    let months: i64 = fixture.value("SELECT count(*) FROM search_months", &[]).await;
    assert_eq!(months, 1);
}

/// Somebody asks for one import after the other of the same property, and one of them takes long to store its day.
#[tokio::test]
async fn imports_of_a_domain_that_wait_for_their_turn_hold_no_connections() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let import = groups::ports(&fixture.database)
        .get::<dyn SearchImport>()
        .unwrap();
    let holder = connect(fixture.test.url()).await;
    holder.batch_execute("BEGIN").await.unwrap();
    let lock = "SELECT pg_advisory_xact_lock(hashtext('search_import'), hashtext($1::uuid::text))";
    holder.execute(lock, &[&home.domain.0]).await.unwrap();
    let link = LinkRef {
        domain: home.domain,
        site_url: "sc-domain:ada.example",
        linked_at: NOW,
    };
    let (date, day) = (date!(2026 - 03 - 29), ImportedDay::default());
    let connections = database_options().pool_size;
    let days = (0..connections + 4).map(|_| import.replace_day(link, SearchType::Web, date, &day));
    let days = join_all(days);
    tokio::pin!(days);
    assert!(
        timeout(StdDuration::from_millis(500), &mut days).await.is_err(),
        "they wait"
    );
    // Not polled meanwhile, they would not give back what they have.
    let others = async {
        for _ in 0..20 {
            fixture.database.ping().await.unwrap();
        }
    };
    tokio::select! {
        _ = &mut days => panic!("it is not their turn"),
        () = others => {}
    }
    let held = "SELECT count(*) FROM pg_locks
        WHERE locktype = 'advisory' AND NOT granted
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    assert_eq!(fixture.value::<i64>(held, &[]).await, 0);
    holder.batch_execute("COMMIT").await.unwrap();
    for stored in days.await {
        assert!(!stored.unwrap(), "the domain is not linked");
    }
}

/// How many rows of a table lie behind one that comes later by these columns.
async fn out_of_order(fixture: &Fixture, table: &str, columns: &str) -> i64 {
    let count = format!(
        "SELECT count(*) FROM (
            SELECT ({columns}) < lag(({columns})) OVER (ORDER BY tableoid, ctid) AS is_behind FROM {table}
        ) AS rows WHERE is_behind"
    );
    fixture.value(&count, &[]).await
}

/// Who adds up half a million of them reads and adds neighbours in turn.
#[tokio::test]
async fn rows_are_stored_in_the_order_in_which_they_are_read() {
    const VALUES: usize = 400;
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    // PostgreSQL would put them in this order by chance where it finds them so, or sorts them to group them.
    let fill = "
        SET enable_sort = off; SET enable_indexscan = off; SET enable_indexonlyscan = off;
        INSERT INTO search_values (domain_id, kind, value)
            SELECT id, kind, 'v' || n FROM domains, generate_series(0, 399) AS n, generate_series(1, 2) AS kind;
        INSERT INTO search_days (domain_id, search_type, date, is_final, clicks, impressions, position_sum)
            SELECT id, 1, '2026-01-02', true, 400, 400, 400 FROM domains";
    fixture.sql.batch_execute(fill).await.unwrap();
    let values: Vec<String> = (0..VALUES).map(|n| format!("v{n}")).collect();
    let list = |of: &[String]| format!("'{{{}}}'", of.join(","));
    let same = |text: &str| list(&vec![text.to_owned(); VALUES]);
    let (values, ones, places) = (list(&values), same("1"), same("DE"));
    let day = format!("'{}', 1::smallint, '2026-01-02'", home.domain);
    let figures = format!("{ones}, {ones}, {ones}");
    let by_one = "bigint[], bigint[], double precision[], text[], text[], smallint[]";
    let by_two = "bigint[], bigint[], double precision[], text[], text[], text[], smallint[]";
    macro_rules! store {
        ($file:literal, $types:expr, $values:expr) => {{
            let sql = include_str!(concat!("../../crates/search/pg/src/gsc/", $file));
            let types = format!("uuid, smallint, date{}", $types);
            let store = format!(
                "PREPARE store ({types}) AS {sql}; EXECUTE store ({}); DEALLOCATE store",
                $values
            );
            fixture.sql.batch_execute(&store).await.unwrap();
        }};
    }
    let of_one = format!("{day}, {figures}, {values}, {places}, {ones}");
    store!("insert_queries.sql", format!(", {by_one}"), of_one);
    store!("insert_pages.sql", format!(", {by_one}"), of_one);
    let of_two = format!("{day}, {figures}, {values}, {values}, {places}, {ones}");
    store!("insert_pairs.sql", format!(", {by_two}"), of_two);
    store!("sum_day.sql", "", day);
    let month = format!("'{}', 1::smallint, '2026-02-03'", home.domain);
    store!("sum_months.sql", "", month);
    for (table, columns, rows) in [
        ("search_queries", "query_id", 400),
        ("search_pages", "page_id", 400),
        ("search_pairs", "query_id, page_id", 400),
        ("search_sums", "kind, value_id", 800),
        ("search_month_sums", "kind, value_id", 800),
    ] {
        let stored: i64 = fixture.value(&format!("SELECT count(*) FROM {table}"), &[]).await;
        assert_eq!(stored, rows, "{table}");
        assert_eq!(out_of_order(&fixture, table, columns).await, 0, "{table}");
    }
}

/// 40,000 days, hours and months of which none is too old.
const FILL: &str = "
    INSERT INTO search_days (domain_id, search_type, date, is_final, clicks, impressions, position_sum)
        SELECT md5((n % 40)::text)::uuid, 1, date '2026-01-01' + n / 40, true, 1, 1, 1 FROM generate_series(0, 39999) AS n;
    INSERT INTO search_hours (domain_id, search_type, hour, clicks, impressions, position_sum)
        SELECT md5((n % 200)::text)::uuid, 1, timestamptz '2030-01-01Z' + n / 200 * interval '1 hour', 1, 1, 1
        FROM generate_series(0, 39999) AS n;
    INSERT INTO search_months (domain_id, search_type, month)
        SELECT md5((n % 400)::text)::uuid, 1, date '2022-01-01' + n / 400 * interval '1 month'
        FROM generate_series(0, 39999) AS n;
    ANALYZE search_days, search_hours, search_months";

#[tokio::test]
async fn what_is_too_old_is_found_by_its_time() {
    let fixture = Fixture::new().await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    macro_rules! plan {
        ($file:literal) => {{
            let sql = include_str!(concat!("../../crates/search/pg/src/gsc/", $file));
            let prepare = format!("PREPARE forget (timestamptz, text) AS {sql}");
            fixture.sql.batch_execute(&prepare).await.unwrap();
            let explain = "EXPLAIN (COSTS off) EXECUTE forget ('2030-01-01 12:00Z', '10 years')";
            let rows = fixture.sql.query(explain, &[]).await.unwrap();
            fixture.sql.batch_execute("DEALLOCATE forget").await.unwrap();
            let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
            lines.join("\n")
        }};
    }
    for (plan, index) in [
        (plan!("forget_days.sql"), "search_days_date_idx"),
        (plan!("forget_hours.sql"), "search_hours_hour_idx"),
        (plan!("forget_months.sql"), "search_months_month_idx"),
    ] {
        assert!(plan.contains(index), "{plan}");
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}

/// Ten years before 31 March 2030 it is March 2020.
#[tokio::test]
async fn sums_of_months_that_are_too_old_are_forgotten() {
    let fixture = Fixture::new().await;
    let fill = "
        INSERT INTO search_months (domain_id, search_type, month)
            SELECT md5('ada')::uuid, 1, month::date FROM unnest(ARRAY['2020-02-01', '2020-03-01']) AS month;
        INSERT INTO search_month_sums
            SELECT md5('ada')::uuid, 1, kind, month::date, 7, 1, 1, 1
            FROM unnest(ARRAY['2020-02-01', '2020-03-01']) AS month, generate_series(1, 2) AS kind";
    fixture.sql.batch_execute(fill).await.unwrap();
    let forget = include_str!("../../crates/search/pg/src/gsc/forget_month_sums.sql");
    let prepare = format!("PREPARE forget (timestamptz, text) AS {forget}");
    fixture.sql.batch_execute(&prepare).await.unwrap();
    fixture
        .sql
        .batch_execute("EXECUTE forget ('2030-03-31 12:00Z', '10 years')")
        .await
        .unwrap();
    let left: String = fixture
        .value(
            "SELECT string_agg(month || ' ' || kind, ', ' ORDER BY month, kind) FROM search_month_sums",
            &[],
        )
        .await;
    assert_eq!(left, "2020-03-01 1, 2020-03-01 2");
}
