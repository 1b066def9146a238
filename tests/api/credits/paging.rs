//! GET /credits/log: page by page.

use serde_json::Value;
use time::{Duration, OffsetDateTime, macros::datetime};
use uuid::Uuid;

use crate::harness::{Key, TestApp, World};

/// Puts a row into the log for each of these times, as if a call had been made. Returns the rows' ids.
pub(super) async fn fill(app: &TestApp, times: &[OffsetDateTime]) -> Vec<String> {
    let ids: Vec<String> = times.iter().map(|_| Uuid::now_v7().to_string()).collect();
    let rows = times.iter().zip(&ids).map(|(at, id)| {
        format!(
            "('{}', to_timestamp(0) + {} * interval '1 microsecond', '{id}', '{}', 'getUptimeStatus', 200, 1, 'miss')",
            app.world.workspace,
            at.unix_timestamp_nanos() / 1_000,
            app.world.key.id,
        )
    });
    let rows: Vec<String> = rows.collect();
    app.sql(&format!(
        "INSERT INTO credit_log (workspace_id, occurred_at, request_id, credential_id, operation, status, cost, cache) \
         VALUES {}",
        rows.join(",")
    ))
    .await;
    ids
}

/// The ids of a page's rows, without those of the very reads of the log.
fn ids(page: &Value) -> Vec<String> {
    let rows = page["items"].as_array().unwrap().iter();
    let rows = rows.filter(|row| row["route"] != "/credits/log");
    rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

async fn all(app: &TestApp, limit: usize) -> Vec<String> {
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/credits/log?limit={limit}{cursor}");
        let reply = app.get(&path, &app.world.key).send().await;
        let page = reply.ok();
        let count = page["items"].as_array().unwrap().len();
        seen.extend(ids(&page));
        let Some(next) = page["next_cursor"].as_str() else {
            assert_eq!(
                (&page["has_more"], reply.header("link")),
                (&Value::Bool(false), None)
            );
            return seen;
        };
        let link = format!(
            "<http://{}/api/public/v1/credits/log?limit={limit}&cursor={next}>; rel=\"next\"",
            app.address
        );
        assert_eq!(reply.header("link"), Some(&*link));
        assert_eq!((page["has_more"].as_bool(), count), (Some(true), limit));
        cursor = format!("&cursor={next}");
    }
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_repeat() {
    let app = TestApp::start().await;
    // Some times stand alone, some a microsecond apart, and some are of many rows, which the ids keep apart.
    let first = datetime!(2026-03-31 00:00 UTC);
    let times: Vec<_> = (0..30)
        .map(|number| first + Duration::microseconds(number % 7) + Duration::hours(number / 21))
        .collect();
    fill(&app, &times).await;
    let rows = app
        .sql(
            "SELECT request_id FROM credit_log WHERE operation = 'getUptimeStatus' \
             ORDER BY occurred_at DESC, request_id DESC",
        )
        .await;
    let want: Vec<String> = rows.into_iter().flatten().flatten().collect();
    assert_eq!(want.len(), 30);
    for limit in [1, 2, 7, 1_000] {
        assert_eq!(all(&app, limit).await, want, "pages of {limit}");
    }
}

#[tokio::test]
async fn a_page_has_50_rows_unless_it_is_asked_for_up_to_1000() {
    let app = TestApp::start().await;
    let start = datetime!(2026-03-31 00:00 UTC);
    let times: Vec<_> = (0..1_010)
        .map(|second| start + Duration::seconds(second))
        .collect();
    fill(&app, &times).await;
    let counts = [
        ("", 50),
        ("?limit=999", 999),
        ("?limit=1001", 1_000),
        ("?limit=1000000000000", 1_000),
    ];
    for (query, count) in counts {
        let page = app
            .get(&format!("/credits/log{query}"), &app.world.key)
            .send()
            .await
            .ok();
        assert_eq!(page["items"].as_array().unwrap().len(), count, "{query}");
        assert_eq!(page["has_more"], true, "{query}");
    }
    for bad in ["0", "-1", "", "ten"] {
        let refused = app
            .get(&format!("/credits/log?limit={bad}"), &app.world.key)
            .send()
            .await;
        assert_eq!(refused.faults(), ["limit"], "{bad}");
    }
}

async fn cursor(app: &TestApp, path: &str, key: &Key) -> String {
    let page = app.get(path, key).send().await.ok();
    page["next_cursor"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_cursor_of_another_log_is_refused() {
    let app = TestApp::start().await;
    let start = datetime!(2026-03-31 08:00 UTC);
    fill(&app, &[start, start, start]).await;
    let other = World::create(&app.stores, app.now()).await;
    // Another key of the same user.
    let second = app
        .world
        .another_key(&app.stores, app.world.owner, app.now())
        .await;
    let named = format!("workspace_id={}", app.world.workspace);
    let own = cursor(&app, "/credits/log?limit=1", &app.world.key).await;
    let of_named = cursor(&app, &format!("/credits/log?limit=1&{named}"), &app.world.key).await;
    let foreign = [
        (format!("cursor={own}"), &other.key),
        (format!("cursor={own}"), &second),
        (format!("cursor={own}&{named}"), &app.world.key),
        (format!("cursor={of_named}"), &app.world.key),
        (format!("cursor={of_named}&{named}"), &second),
        (format!("cursor={}", &own[1..]), &app.world.key),
        ("cursor=x".to_owned(), &app.world.key),
        ("cursor=%ff".to_owned(), &app.world.key),
    ];
    for (query, key) in foreign {
        let refused = app.get(&format!("/credits/log?{query}"), key).send().await;
        assert_eq!(refused.faults(), ["cursor"], "{query}");
    }
    for query in [format!("cursor={own}"), format!("cursor={of_named}&{named}")] {
        app.get(&format!("/credits/log?{query}"), &app.world.key)
            .send()
            .await
            .ok();
    }
}

#[tokio::test]
async fn rows_that_come_meanwhile_do_not_shift_the_pages() {
    let app = TestApp::start().await;
    let start = datetime!(2026-03-31 08:00 UTC);
    let older = fill(&app, &[start, start + Duration::seconds(1)]).await;
    let newer = fill(&app, &[start + Duration::seconds(2)]).await;
    // Else the reads of the log would be the newest rows.
    app.clock.advance(start - app.now());
    let page = app.get("/credits/log?limit=1", &app.world.key).send().await.ok();
    assert_eq!(ids(&page), newer);
    fill(
        &app,
        &[start + Duration::seconds(3), start + Duration::seconds(4)],
    )
    .await;
    let next = page["next_cursor"].as_str().unwrap();
    let rest = app
        .get(&format!("/credits/log?cursor={next}"), &app.world.key)
        .send()
        .await
        .ok();
    assert_eq!(ids(&rest), [&*older[1], &older[0]]);
}
