//! Reports keep no more rows than they are told to.

use pharos_analytics::conformance;
use pharos_analytics_pg::collect::PgEventStore;
use uuid::Uuid;

use super::reports;
use crate::harness::Fixture;

/// The log has more than one row for each of them.
#[tokio::test]
async fn each_report_stores_the_first_rows_alone() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    conformance::tell(&store, &access).await.unwrap();
    for (name, sql) in reports() {
        let prepare = format!(
            "PREPARE report (uuid, timestamptz, timestamptz, integer[], uuid, bigint, text[], text) AS {sql}"
        );
        fixture.sql.batch_execute(&prepare).await.unwrap();
        let mut runs = Vec::new();
        for most in [1_000, 1] {
            let run = Uuid::now_v7();
            let execute = format!(
                "EXECUTE report ('{}', '2026-03-30Z', '2026-04-04Z', NULL, '{run}', {most}, '{{direct}}', 'EUR')",
                home.domain.0
            );
            fixture.sql.batch_execute(&execute).await.unwrap();
            let stored =
                format!("SELECT cells::text FROM wide_pull_rows WHERE run_id = '{run}' ORDER BY place");
            let stored = fixture.sql.query(&stored, &[]).await.unwrap();
            let cells: Vec<String> = stored.iter().map(|row| row.get(0)).collect();
            runs.push(cells);
        }
        assert!(runs[0].len() > 1, "{name}: {runs:?}");
        assert_eq!(runs[1], runs[0][..1], "{name}");
        fixture.sql.batch_execute("DEALLOCATE report").await.unwrap();
    }
}
