//! Lists of notifications under every combination of their filters: type, severity and module are in the index, and what somebody
//! has read, or has not, is found without what others have read.

use crate::{
    harness::{Fixture, Home},
    list_filters::{List, ROWS, START, settled, two_homes},
};

const LIST: &str = include_str!("../../crates/alerting/pg/src/notifications/list.sql");
const BY_STATE: &str = include_str!("../../crates/alerting/pg/src/notifications/by_state.sql");
const UNREAD: &str = include_str!("../../crates/alerting/pg/src/notifications/unread.sql");

/// All notifications of one domain but the oldest are alike; those of the other are all as that one. One reader has read a half of
/// the first domain's by a mark, and 90 one by one; twenty others have read the other's, each their part.
async fn told(fixture: &Fixture, ada: &Home, eve: &Home) {
    let fill = "
        INSERT INTO notifications (id, workspace_id, domain_id, kind, severity, module, title, body, data, created_at)
        SELECT gen_random_uuid(), d.workspace_id, d.id,
            CASE WHEN d.id = $1 AND n < $2 THEN 'alert' ELSE 'report_ready' END,
            CASE WHEN d.id = $1 AND n < $2 THEN 'warning' ELSE 'critical' END,
            CASE WHEN d.id = $1 AND n < $2 THEN 'uptime' ELSE 'robots' END,
            'title', 'body', '{}', '2026-03-31 09:15Z'::timestamptz - n * interval '2 minutes'
        FROM domains AS d, generate_series(1, $2::integer) AS n";
    let sql = &fixture.sql;
    sql.execute(fill, &[&ada.domain.0, &ROWS]).await.unwrap();
    let own = "
        INSERT INTO notification_reads (user_id, notification_id, read_at)
        SELECT $1, n.id, CASE WHEN n.created_at >= '2026-03-31 06:15Z' THEN now() END
        FROM notifications AS n
        WHERE n.domain_id = $2 AND n.created_at >= '2026-03-31 06:10Z'";
    sql.execute(own, &[&ada.owner.0, &ada.domain.0]).await.unwrap();
    let others = "
        WITH readers AS (
            INSERT INTO users (id, email, name, created_at)
            SELECT gen_random_uuid(), n || '@example.org', 'reader', now() FROM generate_series(1, 20) AS n
            RETURNING id
        )
        INSERT INTO notification_reads (user_id, notification_id, read_at)
        SELECT r.id, n.id, now()
        FROM (SELECT id, row_number() OVER () AS place FROM readers) AS r
        JOIN (SELECT id, row_number() OVER () AS place FROM notifications WHERE domain_id = $1) AS n
            ON n.place % 20 + 1 = r.place";
    sql.execute(others, &[&eve.domain.0]).await.unwrap();
    let mark = "
        INSERT INTO notification_read_marks (user_id, domain_id, kind, read_before, read_at)
        VALUES ($1, $2, 'alert', '2026-03-24 09:15Z', now())";
    sql.execute(mark, &[&ada.owner.0, &ada.domain.0]).await.unwrap();
    settled(
        fixture,
        "notifications, notification_reads, notification_read_marks, domains, workspaces",
    )
    .await;
}

/// Each combination of whose notifications are asked for, their type, severity and module, with the rows that may be looked at: a
/// page where the index leads to them, those of the domain where it is searched.
fn filters(home: &Home) -> Vec<(String, u64)> {
    let mut filters = Vec::new();
    for reach in [
        format!("'{}', '{{}}'", home.domain),
        format!("NULL, '{{{}}}'", home.workspace),
    ] {
        for kinds in [
            "alert,report_ready,run_finished",
            "alert",
            "report_ready",
            "run_finished",
        ] {
            for severity in ["NULL", "'warning'", "'critical'", "'info'"] {
                for module in ["NULL", "'uptime'", "'robots'", "'gsc'"] {
                    let is_plain = severity == "NULL" && module == "NULL";
                    let most = if is_plain { 300 } else { 10_300 };
                    let values = format!("{reach}, '{{{kinds}}}', {severity}, {module}, '{}'", home.owner);
                    filters.push((values, most));
                }
            }
        }
    }
    filters
}

/// Where pages begin: with the newest, or in the middle.
const AFTER: [&str; 2] = [
    START,
    "'2026-03-25 10:00Z', '7fffffff-ffff-ffff-ffff-ffffffffffff'",
];

#[tokio::test]
async fn notifications_are_found_by_every_combination_of_their_filters() {
    let (fixture, ada, eve) = two_homes().await;
    told(&fixture, &ada, &eve).await;
    let (mut asked, mut by_state, mut counted) = (Vec::new(), Vec::new(), Vec::new());
    for (values, most) in filters(&ada) {
        for after in AFTER {
            asked.push((format!("{values}, {after}, 51"), most));
            by_state
                .extend(["true", "false"].map(|unread| (format!("{values}, {after}, {unread}, 51"), most)));
        }
        // There are 92 that are marked one by one, which are looked at in vain.
        counted.push((format!("{values}, 100"), most));
    }
    let types = "uuid, uuid[], text[], text, text, uuid";
    let list = List {
        statement: LIST,
        types: &format!("{types}, timestamptz, uuid, bigint"),
        table: "notifications",
    };
    list.holds(&fixture, &asked).await;
    let unread = List {
        statement: UNREAD,
        types: &format!("{types}, bigint"),
        table: "notifications",
    };
    unread.holds(&fixture, &counted).await;
    let types = format!("{types}, timestamptz, uuid, boolean, bigint");
    let of_state = List {
        statement: BY_STATE,
        types: &types,
        table: "notifications",
    };
    of_state.holds(&fixture, &by_state).await;
    // Whether it is read is looked up for each row that the filters let through until the page is full.
    for (_, most) in &mut by_state {
        *most = 300;
    }
    let marks = List {
        statement: BY_STATE,
        types: &types,
        table: "notification_reads",
    };
    marks.holds(&fixture, &by_state).await;
}
