//! Calendars of outages, their seconds worked out by hand beside them.
//!
//! Unless a calendar says otherwise: a check a minute from minute 0, confirmed by two failures, over with one pass, one
//! region. Minute 0 is 2026-03-31 09:15 UTC, when the monitor is made.

use std::ops::Range;

use pharos_uptime::{check::Outcome, finished::FinishedCheck, history::RegionPlace};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, macros::datetime};

use super::{check, finished, path};
use crate::harness::TestApp;

/// A site and its monitor.
struct Site {
    app: TestApp,
    zero: OffsetDateTime,
}

impl Site {
    async fn new(settings: Value) -> Self {
        Self::in_regions(&["local"], settings).await
    }

    async fn in_regions(regions: &[&str], mut settings: Value) -> Self {
        let app = TestApp::start().await;
        for region in regions {
            app.stores
                .schedule
                .register_region(&RegionPlace::unnamed(region), app.now())
                .await
                .unwrap();
        }
        settings["regions"] = json!(regions);
        let site = Self { zero: app.now(), app };
        site.set(&settings).await;
        site
    }

    async fn set(&self, settings: &Value) {
        let change = self
            .app
            .put(&path(&self.app, "config"), &self.app.world.key, settings);
        change.send().await.ok();
    }

    fn at(&self, minute: i64) -> OffsetDateTime {
        self.zero + Duration::minutes(minute)
    }

    /// Stores the checks of a region, as its scheduler would: `every` so many minutes of `when`, failing within
    /// `fails`, and in `maintenance` with the outcome of that name.
    async fn checks(
        &self,
        region: &str,
        when: Range<i64>,
        every: usize,
        fails: &[(i64, i64)],
        maintenance: Range<i64>,
    ) {
        let checks: Vec<FinishedCheck> = when
            .step_by(every)
            .map(|minute| {
                let fails = fails.iter().any(|(from, to)| (*from..*to).contains(&minute));
                let mut check = check(
                    self.app.world.domain,
                    self.at(minute),
                    if fails { 503 } else { 200 },
                );
                check.region = region.to_owned();
                if fails && maintenance.contains(&minute) {
                    check.outcome = Outcome::Maintenance;
                }
                finished(check)
            })
            .collect();
        let last = checks.last().map_or(self.zero, |done| done.check.checked_at);
        self.app.stores.schedule.complete(&checks, last).await.unwrap();
    }

    async fn minutely(&self, region: &str, when: Range<i64>, fails: &[(i64, i64)]) {
        self.checks(region, when, 1, fails, 0..0).await;
    }

    fn now_is(&self, at: OffsetDateTime) {
        self.app.clock.advance(at - self.app.now());
    }

    async fn availability(&self, query: &str) -> Value {
        let read = self.app.get(
            &path(&self.app, &format!("availability?{query}")),
            &self.app.world.key,
        );
        read.send().await.ok()
    }

    /// Expects that today comes to this at that minute, in seconds: up (of which the percentage must be), down,
    /// maintenance, unobserved.
    async fn comes_to(&self, minute: i64, up: i32, down: i32, maintenance: i32, unobserved: i32) {
        self.now_is(self.at(minute));
        expect(
            &self.availability("period_days=1").await,
            up,
            down,
            maintenance,
            unobserved,
        );
    }
}

#[track_caller]
fn expect(found: &Value, up: i32, down: i32, maintenance: i32, unobserved: i32) {
    let seconds = ["downtime_seconds", "maintenance_seconds", "unobserved_seconds"].map(|name| &found[name]);
    assert_eq!(
        seconds,
        [&json!(down), &json!(maintenance), &json!(unobserved)],
        "{found}"
    );
    let uptime = found["uptime_pct"].as_f64().unwrap();
    let expected = 100.0 * f64::from(up) / f64::from(up + down);
    assert!((uptime - expected).abs() < 1e-9, "{uptime}, not {expected}");
}

#[tokio::test]
async fn ten_minutes_of_passing_checks_are_up() {
    let site = Site::new(json!({})).await;
    site.minutely("local", 0..10, &[]).await;
    site.comes_to(10, 600, 0, 0, 0).await;
}

/// One failure at minute 4 is never confirmed.
#[tokio::test]
async fn a_single_failure_counts_as_up() {
    let site = Site::new(json!({})).await;
    site.minutely("local", 0..10, &[(4, 5)]).await;
    site.comes_to(10, 600, 0, 0, 0).await;
}

/// Failing at 3, 4, 5, passing at 6: three minutes.
#[tokio::test]
async fn an_outage_lasts_from_its_first_failure_to_its_first_pass() {
    let site = Site::new(json!({})).await;
    site.minutely("local", 0..10, &[(3, 6)]).await;
    site.comes_to(10, 420, 180, 0, 0).await;
}

/// Two confirmations are not enough of three.
#[tokio::test]
async fn as_many_failures_as_the_rule_asks_for_make_an_outage() {
    let site = Site::new(json!({ "confirmation_checks": 3 })).await;
    site.minutely("local", 0..10, &[(1, 3), (5, 8)]).await;
    site.comes_to(10, 420, 180, 0, 0).await;
}

/// Failing at 2 and 3, passing at 4, failing at 5, passing at 6 and 7, which two passes end at 6: 2 to 4 and 5 to 6.
#[tokio::test]
async fn a_pass_within_an_outage_is_up_and_does_not_end_it() {
    let site = Site::new(json!({ "recovery_checks": 2 })).await;
    site.minutely("local", 0..10, &[(2, 4), (5, 6)]).await;
    site.comes_to(10, 420, 180, 0, 0).await;
    let found = site.availability("period_days=1").await;
    assert_eq!(
        (&found["incident_count"], &found["mttr_seconds"]),
        (&json!(1), &json!(240.0))
    );
}

/// The check at 4 holds until 6; from there to 20 nothing is known.
#[tokio::test]
async fn a_gap_is_unobserved_after_two_intervals() {
    let site = Site::new(json!({})).await;
    site.minutely("local", 0..5, &[]).await;
    site.minutely("local", 20..25, &[]).await;
    site.comes_to(25, 660, 0, 0, 840).await;
}

/// The scheduler is down for an hour within an outage: 2 to 6 down, 6 to 64 unknown, 64 to 65 down.
#[tokio::test]
async fn an_hour_without_a_scheduler_is_unobserved_also_within_an_outage() {
    let site = Site::new(json!({})).await;
    site.minutely("local", 0..5, &[(2, 5)]).await;
    site.minutely("local", 64..66, &[(64, 65)]).await;
    site.comes_to(66, 180, 300, 0, 3_480).await;
}

/// One fails from 2 to 6, the other from 4 to 8: both from 4 to 6.
#[tokio::test]
async fn of_two_regions_both_must_be_down() {
    let site = Site::in_regions(&["eu", "us"], json!({})).await;
    site.minutely("eu", 0..10, &[(2, 6)]).await;
    site.minutely("us", 0..10, &[(4, 8)]).await;
    site.comes_to(10, 480, 120, 0, 0).await;
}

/// Two of three from 3 to 6.
#[tokio::test]
async fn of_three_regions_two_must_be_down() {
    let site = Site::in_regions(&["asia", "eu", "us"], json!({})).await;
    site.minutely("asia", 0..10, &[]).await;
    site.minutely("eu", 0..10, &[(2, 6)]).await;
    site.minutely("us", 0..10, &[(3, 8)]).await;
    site.comes_to(10, 420, 180, 0, 0).await;
}

/// One region that always fails is not an outage while another gets answers.
#[tokio::test]
async fn one_region_alone_is_no_outage() {
    let site = Site::in_regions(&["eu", "us"], json!({})).await;
    site.minutely("eu", 0..10, &[(0, 10)]).await;
    site.minutely("us", 0..10, &[]).await;
    site.comes_to(10, 600, 0, 0, 0).await;
}

/// Two of three see it up and fall silent at 4; the third, left alone after two intervals, fails from 8 on.
#[tokio::test]
async fn regions_that_are_silent_have_no_vote() {
    let site = Site::in_regions(&["asia", "eu", "us"], json!({})).await;
    site.minutely("asia", 0..4, &[]).await;
    site.minutely("eu", 0..4, &[]).await;
    site.minutely("us", 0..12, &[(8, 12)]).await;
    site.comes_to(12, 480, 240, 0, 0).await;
    assert_eq!(site.availability("period_days=1").await["incident_count"], 1);
}

/// An outage from 2 to 8 with maintenance from 4 to 6: 2 to 4 and 6 to 8 down.
#[tokio::test]
async fn maintenance_within_an_outage_counts_as_nothing() {
    let window = json!({
        "name": "deploy", "starts_at": "2026-03-31T09:19:00Z", "ends_at": "2026-03-31T09:21:00Z",
        "recurrence": "none", "weekdays": [], "timezone": "UTC",
    });
    let site = Site::new(json!({ "maintenance_windows": [window] })).await;
    site.checks("local", 0..10, 1, &[(2, 8)], 4..6).await;
    site.comes_to(10, 240, 240, 120, 0).await;
}

/// Paused from 3 to 13: neither up nor unobserved.
#[tokio::test]
async fn a_pause_counts_as_nothing() {
    let site = Site::new(json!({})).await;
    site.minutely("local", 0..3, &[]).await;
    site.now_is(site.at(3));
    site.set(&json!({ "enabled": false })).await;
    site.now_is(site.at(13));
    site.set(&json!({ "enabled": true })).await;
    site.minutely("local", 13..16, &[]).await;
    site.comes_to(16, 360, 0, 0, 0).await;
}

/// Berlin's clocks go back at 01:00 UTC on 2026-10-25: 03:00 there is 02:00 UTC on that day, 01:00 UTC the day before.
#[tokio::test]
async fn maintenance_keeps_its_local_time_on_the_day_the_clocks_change() {
    let window = json!({
        "name": "nightly", "starts_at": "2026-10-01T01:00:00Z", "ends_at": "2026-10-01T01:30:00Z",
        "recurrence": "daily", "weekdays": [], "timezone": "Europe/Berlin",
    });
    let mut site = Site::new(json!({ "interval_seconds": 900, "maintenance_windows": [window] })).await;
    site.zero = datetime!(2026-10-25 00:00 UTC);
    site.checks("local", 0..240, 15, &[], 0..0).await;
    // 00:00 to 04:00, without 02:00 to 02:30.
    site.comes_to(240, 12_600, 0, 1_800, 0).await;
    let hours = site.availability("period_days=1&granularity=hour").await;
    let up: Vec<&Value> = hours["items"].as_array().unwrap()[..4]
        .iter()
        .map(|hour| &hour["downtime_seconds"])
        .collect();
    assert_eq!(up, [0, 0, 0, 0]);
}

/// 29 February 2024, a check an hour, failing at 10:00 and 11:00: 2 of 24 hours.
#[tokio::test]
async fn a_leap_day_is_a_day_of_its_own() {
    let mut site = Site::new(json!({ "interval_seconds": 3_600 })).await;
    site.zero = datetime!(2024-02-29 00:00 UTC);
    site.checks("local", 0..24 * 60 + 1, 60, &[(600, 720)], 0..0)
        .await;
    site.now_is(datetime!(2024-03-01 00:00:30 UTC));
    let found = site
        .availability("start_date=2024-02-29&end_date=2024-02-29")
        .await;
    expect(&found, 79_200, 7_200, 0, 0);
    assert_eq!(found["checks_total"], 24);
}

/// An outage from 23:58 to 00:03: two minutes of one day, three of the next.
#[tokio::test]
async fn an_outage_over_midnight_belongs_to_both_days() {
    let mut site = Site::new(json!({})).await;
    site.zero = datetime!(2026-04-01 23:50 UTC);
    site.minutely("local", 0..20, &[(8, 13)]).await;
    site.now_is(site.at(20));
    let found = site
        .availability("start_date=2026-04-01&end_date=2026-04-02")
        .await;
    let days: Vec<(&Value, &Value)> = found["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|day| (&day["downtime_seconds"], &day["incident_count"]))
        .collect();
    assert_eq!(days, [(&json!(120), &json!(1)), (&json!(180), &json!(1))]);
    assert_eq!(
        (&found["downtime_seconds"], &found["incident_count"]),
        (&json!(300), &json!(1))
    );
}

/// All regions are refused with 403 from 3 to 7, a minute after both had an answer: the prober is blocked, and the site is not down.
#[tokio::test]
async fn what_blocks_the_prober_alone_is_no_downtime() {
    let site = Site::in_regions(&["eu", "us"], json!({})).await;
    for minute in 0..10 {
        for region in ["eu", "us"] {
            let status = if (3..7).contains(&minute) { 403 } else { 200 };
            let mut check = check(site.app.world.domain, site.at(minute), status);
            check.region = region.to_owned();
            super::store(&site.app, vec![check]).await;
        }
    }
    // Neither from 3 to 7: 3 minutes up before, 3 after.
    site.comes_to(10, 360, 0, 0, 0).await;
    let listed = site.app.get(&path(&site.app, "incidents"), &site.app.world.key);
    let incident = &listed.send().await.ok()["items"][0];
    assert_eq!(
        (
            &incident["class"],
            &incident["severity"],
            &incident["duration_seconds"]
        ),
        (&json!("blocked_403"), &json!("degraded"), &json!(240))
    );
}
