//! Which cycle a balance is of.

use serde_json::json;
use time::{OffsetDateTime, macros::datetime};

use super::{set_used, set_used_by};
use crate::harness::TestApp;

/// The cycle and what was used of it, once the clock says `at`.
async fn balance(app: &TestApp, at: OffsetDateTime) -> (String, String, i64) {
    app.clock.advance(at - app.now());
    let balance = app.get("/credits", &app.world.key).send().await.ok();
    let text = |name: &str| balance[name].as_str().unwrap().to_owned();
    (
        text("cycle_start"),
        text("cycle_end"),
        balance["used"].as_i64().unwrap(),
    )
}

fn cycle(start: &str, end: &str, used: i64) -> (String, String, i64) {
    (format!("{start}T00:00:00Z"), format!("{end}T00:00:00Z"), used)
}

#[tokio::test]
async fn a_cycle_ends_at_midnight_on_the_anchor_s_day_or_a_short_month_s_last() {
    // The world is created on 31 March 2026.
    let app = TestApp::start().await;
    set_used(&app, 700).await;
    let cycles = [
        (
            datetime!(2026-04-29 23:59:59.999999 UTC),
            cycle("2026-03-31", "2026-04-30", 700),
        ),
        // Nothing was charged since, so nothing of the cycles that follow is used.
        (
            datetime!(2026-04-30 00:00 UTC),
            cycle("2026-04-30", "2026-05-31", 0),
        ),
        (
            datetime!(2026-05-30 23:59:59 UTC),
            cycle("2026-04-30", "2026-05-31", 0),
        ),
        (
            datetime!(2026-05-31 00:00 UTC),
            cycle("2026-05-31", "2026-06-30", 0),
        ),
        (
            datetime!(2027-02-27 12:00 UTC),
            cycle("2027-01-31", "2027-02-28", 0),
        ),
        (
            datetime!(2027-02-28 00:00 UTC),
            cycle("2027-02-28", "2027-03-31", 0),
        ),
        (
            datetime!(2027-03-30 12:00 UTC),
            cycle("2027-02-28", "2027-03-31", 0),
        ),
        (
            datetime!(2028-02-28 23:59:59 UTC),
            cycle("2028-01-31", "2028-02-29", 0),
        ),
        (
            datetime!(2028-02-29 00:00 UTC),
            cycle("2028-02-29", "2028-03-31", 0),
        ),
    ];
    for (at, want) in cycles {
        assert_eq!(balance(&app, at).await, want, "{at}");
    }
}

#[tokio::test]
async fn a_charge_in_a_new_cycle_is_all_that_is_used_of_it() {
    let app = TestApp::start().await;
    set_used(&app, 700).await;
    let at = datetime!(2026-05-02 08:00 UTC);
    app.clock.advance(at - app.now());
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.get(&config, &app.world.key).send().await.ok();
    assert_eq!(balance(&app, at).await, cycle("2026-04-30", "2026-05-31", 1));
}

#[tokio::test]
async fn a_balance_that_another_node_s_clock_has_moved_on_is_shown_as_it_is() {
    let app = TestApp::start().await;
    app.sql(
        "UPDATE credit_balances SET cycle_start = '2026-04-30 00:00Z', cycle_end = '2026-05-31 00:00Z', used = 3",
    )
    .await;
    let just_before = datetime!(2026-04-29 23:59:59.999 UTC);
    assert_eq!(
        balance(&app, just_before).await,
        cycle("2026-04-30", "2026-05-31", 3)
    );
}

#[tokio::test]
async fn a_member_s_share_begins_anew_with_the_cycle() {
    let app = TestApp::start().await;
    let cap = "UPDATE members SET credit_cap = 50";
    app.sql(cap).await;
    set_used_by(&app, app.world.owner, 20).await;
    let share = async || {
        let balance = app.get("/credits", &app.world.key).send().await.ok();
        balance["member"].clone()
    };
    assert_eq!(
        share().await,
        json!({ "granted": 50, "used": 20, "remaining": 30 })
    );
    app.clock.advance(datetime!(2026-04-30 00:00 UTC) - app.now());
    assert_eq!(
        share().await,
        json!({ "granted": 50, "used": 0, "remaining": 50 })
    );
}
