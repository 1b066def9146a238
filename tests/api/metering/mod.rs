//! Limits, charges, replays and cached answers.

mod away;
mod cache;
mod charging;
mod exact;
mod idempotency;
mod killed;
mod limits;
mod redis;

use crate::harness::TestApp;

/// The figures of the world's workspace: what it used, and what the rows of its log add up to. The rows that cost
/// nothing are written a moment after their answer, so they are waited for.
pub(crate) async fn ledger(app: &TestApp, rows: usize) -> (i64, i64) {
    let query = format!(
        "SELECT b.used, coalesce(sum(l.cost), 0), count(l.cost) FROM credit_balances AS b \
         LEFT JOIN credit_log AS l ON l.workspace_id = b.workspace_id \
             AND l.occurred_at >= b.cycle_start AND l.occurred_at < b.cycle_end \
         WHERE b.workspace_id = '{}' GROUP BY b.used",
        app.world.workspace
    );
    for _ in 0..200 {
        let row = app.sql(&query).await.remove(0);
        let number = |at: usize| row[at].as_ref().unwrap().parse::<i64>().unwrap();
        if number(2) >= i64::try_from(rows).unwrap() {
            return (number(0), number(1));
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("the log did not get its {rows} rows");
}
