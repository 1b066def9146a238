//! A domain that was deleted is erased 30 days later, with all its data.

use std::{collections::BTreeMap, time::Duration as StdDuration};

use pharos_account::admin::{AdminError, domains::RESTORABLE_FOR};
use pharos_domain::ids::DomainId;
use pharos_persistence::pool::{Database, DatabaseOptions};
use pharos_server::groups::{SCHEMAS, database_options};
use time::{Duration, OffsetDateTime, macros::datetime};
use tokio_postgres::Client;
use uuid::{Uuid, uuid};

use crate::{
    harness::{Fixture, actor},
    upgrade::rows_of_the_baseline,
};

/// The domain that the rows of the last baseline are about, and another.
const ADA: DomainId = DomainId(uuid!("01900000-0000-7000-8000-000000000021"));
const OTHER: DomainId = DomainId(uuid!("01900000-0000-7000-8000-000000000022"));
const WORKSPACE: &str = "01900000-0000-7000-8000-000000000011";
const DELETED: OffsetDateTime = datetime!(2026-02-28 12:00 UTC);

/// The stocks of a plan, each with the rows that count.
const STOCKS: [(&str, &str); 4] = [
    ("tracked_urls_crux", "crux_targets WHERE url IS NOT NULL AND"),
    (
        "tracked_urls_synthetic",
        "synthetic_urls WHERE deleted_at IS NULL AND",
    ),
    (
        "monitored_urls_indexing",
        "indexing_urls WHERE next_inspection_at IS NOT NULL AND",
    ),
    ("report_templates", "report_templates WHERE"),
];

impl Fixture {
    /// A database with rows in every table, of which nearly all are ADA's.
    async fn full() -> Self {
        let fixture = Self::new().await;
        for schema in SCHEMAS.iter().skip(1).chain(&SCHEMAS[..1]) {
            let rows = rows_of_the_baseline(schema.group);
            fixture.sql.batch_execute(&rows).await.unwrap();
        }
        let restore = "UPDATE domains SET deleted_at = NULL WHERE id = $1";
        fixture.sql.execute(restore, &[&OTHER.0]).await.unwrap();
        let counted = "INSERT INTO quota_usage (workspace_id, resource, period_start, used)
            SELECT $1::text::uuid, unnest($2::text[]), '1970-01-01', 100
            ON CONFLICT (workspace_id, resource, period_start) DO UPDATE SET used = 100";
        let stocks = STOCKS.map(|(stock, _)| stock).to_vec();
        fixture
            .sql
            .execute(counted, &[&WORKSPACE, &stocks])
            .await
            .unwrap();
        fixture
    }

    /// Deletes ADA, as if that had been when the database's clock said [`DELETED`].
    async fn delete(&self) {
        let domains = &self.stores.domain_admin;
        domains.delete(ADA, &actor(), DELETED).await.unwrap();
        let then = "UPDATE domains SET deleted_at = to_timestamp($2::bigint) WHERE id = $1";
        let at = DELETED.unix_timestamp();
        self.sql.execute(then, &[&ADA.0, &at]).await.unwrap();
    }

    /// The step of upkeep, alone.
    async fn erase(&self, now: OffsetDateTime) {
        erase(&self.database, now).await;
    }

    /// Gives ADA so many sitemap files more, and the index that names them.
    async fn sitemap_files(&self, files: i64) {
        let insert = "WITH first AS (
                INSERT INTO sitemap_files (id, domain_id, url, url_key, depth, found_at)
                VALUES (gen_random_uuid(), $1, 'https://ada.example/all.xml', gen_random_uuid(), 1, now())
                RETURNING id
            )
            INSERT INTO sitemap_files (id, domain_id, parent_id, url, url_key, depth, found_at)
            SELECT gen_random_uuid(), $1::uuid, first.id, 'https://ada.example/' || n || '.xml', gen_random_uuid(), 2, now()
            FROM first, generate_series(1, $2::bigint) AS n";
        self.sql.execute(insert, &[&ADA.0, &files]).await.unwrap();
    }

    async fn stock(&self, stock: &str) -> i64 {
        let query = "SELECT used FROM quota_usage WHERE resource = $1 AND period_start = '1970-01-01'";
        self.sql.query_one(query, &[&stock]).await.unwrap().get(0)
    }
}

async fn erase(database: &Database, now: OffsetDateTime) {
    let steps = database.groups().iter().flat_map(|group| group.upkeep);
    for step in steps.filter(|step| step.name == "domains that were deleted") {
        (step.run)(database, now).await.unwrap();
    }
}

/// How many rows each table with a `domain_id` has of a domain.
async fn owned(sql: &Client, domain: DomainId) -> BTreeMap<String, i64> {
    let tables = sql
        .query(
            "SELECT c.relname::text FROM pg_class AS c
             JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'domain_id' AND NOT a.attisdropped
             WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition",
            &[],
        )
        .await
        .unwrap();
    let mut counts = BTreeMap::new();
    for table in tables.iter().map(|row| row.get::<_, String>(0)) {
        let count = format!("SELECT count(*) FROM {table} WHERE domain_id = $1");
        counts.insert(table, sql.query_one(&count, &[&domain.0]).await.unwrap().get(0));
    }
    counts
}

/// How many rows each table without a `domain_id` has, whose rows hang on those of tables that have one.
async fn hanging(sql: &Client) -> BTreeMap<String, i64> {
    let tables = sql
        .query(
            "WITH RECURSIVE owned AS (
                SELECT attrelid AS oid FROM pg_attribute
                WHERE attname = 'domain_id' AND NOT attisdropped
            ),
            hanging AS (
                SELECT f.conrelid AS oid FROM pg_constraint AS f JOIN owned AS o ON o.oid = f.confrelid
                WHERE f.contype = 'f' AND f.confdeltype = 'c'
                UNION
                SELECT f.conrelid FROM pg_constraint AS f JOIN hanging AS h ON h.oid = f.confrelid
                WHERE f.contype = 'f' AND f.confdeltype = 'c'
            )
            SELECT DISTINCT h.oid::regclass::text FROM hanging AS h
            JOIN pg_class AS c ON c.oid = h.oid AND c.relkind IN ('r', 'p') AND NOT c.relispartition
            WHERE h.oid NOT IN (SELECT oid FROM owned)",
            &[],
        )
        .await
        .unwrap();
    let mut counts = BTreeMap::new();
    for table in tables.iter().map(|row| row.get::<_, String>(0)) {
        let count = format!("SELECT count(*) FROM {table}");
        counts.insert(table, sql.query_one(&count, &[]).await.unwrap().get(0));
    }
    counts
}

#[tokio::test]
async fn nothing_of_a_domain_is_left_30_days_after_it_was_deleted() {
    let fixture = Fixture::full().await;
    let before = owned(&fixture.sql, ADA).await;
    assert!(before.len() > 80, "{before:?}");
    let untried: Vec<&String> = before
        .iter()
        .filter(|(_, rows)| **rows == 0)
        .map(|(table, _)| table)
        .collect();
    // Its rows are gone by the end of the transaction that writes them.
    assert_eq!(
        untried,
        ["notices"],
        "write rows of them into the rows.sql of their group"
    );
    let others = owned(&fixture.sql, OTHER).await;
    let hung = hanging(&fixture.sql).await;
    assert!(hung.len() > 8 && hung.values().all(|rows| *rows > 0), "{hung:?}");

    let domains = &fixture.stores.domain_admin;
    fixture.delete().await;
    let kept = owned(&fixture.sql, ADA).await;
    let last = DELETED + RESTORABLE_FOR - Duration::SECOND;
    fixture.erase(last).await;
    assert_eq!(owned(&fixture.sql, ADA).await, kept);
    domains.restore(ADA, &actor(), last).await.unwrap();

    fixture.delete().await;
    let late = domains.restore(ADA, &actor(), DELETED + RESTORABLE_FOR).await;
    assert!(matches!(late, Err(AdminError::TooLate)), "{late:?}");
    let mut counted = BTreeMap::new();
    for (stock, rows) in STOCKS {
        let count = format!("SELECT count(*) FROM {rows} domain_id = $1");
        let rows: i64 = fixture.sql.query_one(&count, &[&ADA.0]).await.unwrap().get(0);
        counted.insert(stock, rows);
    }
    fixture.erase(DELETED + RESTORABLE_FOR).await;

    let left: Vec<(String, i64)> = owned(&fixture.sql, ADA)
        .await
        .into_iter()
        .filter(|(_, rows)| *rows > 0)
        .collect();
    // The credit log is the workspace's, which paid, and stays.
    assert_eq!(left, [("credit_log".to_owned(), before["credit_log"])]);
    let hung = hanging(&fixture.sql).await;
    assert!(hung.values().all(|rows| *rows == 0), "{hung:?}");
    assert_eq!(owned(&fixture.sql, OTHER).await, others);
    let known = "SELECT count(*) FROM domains WHERE id = ANY ($1)";
    let known: i64 = fixture
        .sql
        .query_one(known, &[&vec![ADA.0, OTHER.0]])
        .await
        .unwrap()
        .get(0);
    assert_eq!(known, 1);
    for (stock, rows) in counted {
        assert_eq!(fixture.stock(stock).await, 100 - rows, "{stock}");
    }
    let said = fixture
        .sql
        .query_one(
            "SELECT actor, workspace_id, details->>'domain' FROM audit_log WHERE action = 'domain.erase' AND subject_id = $1",
            &[&ADA.0.to_string()],
        )
        .await
        .unwrap();
    assert_eq!(said.get::<_, String>(0), "system");
    assert_eq!(said.get::<_, Option<Uuid>>(1), Some(WORKSPACE.parse().unwrap()));
    assert_eq!(said.get::<_, String>(2), "ada.example");
}

#[tokio::test]
async fn rows_are_erased_a_few_at_a_time_and_stocks_are_given_back_once() {
    let fixture = Fixture::full().await;
    let domains = &fixture.stores.domain_admin;
    fixture.delete().await;
    fixture.sitemap_files(20).await;
    let total: i64 = owned(&fixture.sql, ADA).await.values().sum();
    let (mut steps, mut erased) = (0, 0);
    loop {
        let query = "SELECT erase_rows_of_domain($1, 3)";
        let rows: i64 = fixture.sql.query_one(query, &[&ADA.0]).await.unwrap().get(0);
        if rows == 0 {
            break;
        }
        assert!(rows <= 3, "{rows} at once");
        steps += 1;
        erased += rows;
    }
    // Some go with those that they hang on.
    assert!(
        steps > 10 && erased <= total,
        "{steps} steps for {erased} of {total}"
    );

    // A node that stopped half-way had begun: what it gave back is not given again.
    let begun = "UPDATE domains SET erasing_at = now() WHERE id = $1";
    fixture.sql.execute(begun, &[&ADA.0]).await.unwrap();
    let late = domains.restore(ADA, &actor(), DELETED + Duration::DAY).await;
    assert!(matches!(late, Err(AdminError::TooLate)), "{late:?}");
    fixture.erase(DELETED + RESTORABLE_FOR).await;
    assert_eq!(fixture.stock("report_templates").await, 100);
    let again = domains.restore(ADA, &actor(), DELETED + RESTORABLE_FOR).await;
    assert!(matches!(again, Err(AdminError::NotFound(_))), "{again:?}");
}

#[tokio::test]
async fn rows_that_take_longer_than_a_statement_may_are_erased_fewer_at_a_time() {
    let fixture = Fixture::full().await;
    fixture.delete().await;
    fixture.sitemap_files(200).await;
    let slow = "CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_sleep(0.01); RETURN OLD; END';
        CREATE TRIGGER take_long BEFORE DELETE ON sitemap_files FOR EACH ROW EXECUTE FUNCTION take_long()";
    fixture.sql.batch_execute(slow).await.unwrap();
    let options = DatabaseOptions {
        statement_timeout: StdDuration::from_millis(500),
        ..database_options()
    };
    let database = Database::connect(fixture.test.url(), &options).await.unwrap();
    erase(&database, DELETED + RESTORABLE_FOR).await;
    let left = "SELECT (SELECT count(*) FROM sitemap_files WHERE domain_id = $1)
        + (SELECT count(*) FROM domains WHERE id = $1)";
    assert_eq!(fixture.value::<i64>(left, &[&ADA.0]).await, 0);
}
