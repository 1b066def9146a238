//! The pictures of rules: the last values of a metric with the threshold drawn in, and the ways to them.

use pharos_domain::role::Role;
use serde_json::json;
use time::Duration;

use crate::{fixtures, harness::TestApp, uptime};

/// A site that answered in 500, 400, 300, 200 and 100 ms, an hour apart, the last of them an hour ago.
async fn answered(app: &TestApp) {
    let config = app.put(&uptime::path(app, "config"), &app.world.key, &json!({}));
    config.send().await.ok();
    app.clock.advance(Duration::hours(6));
    let checks = (1..=5_i32).rev().map(|hours| {
        let mut check = uptime::check(app.world.domain, app.now() - Duration::HOUR * hours, 200);
        check.response_ms = Some(f64::from(hours) * 100.0);
        check
    });
    uptime::store(app, checks.collect()).await;
}

/// The fields of a rule on response times above so many milliseconds, to be drawn or made.
fn above<'a>(threshold: &'a str, step: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("do", step),
        ("module", "uptime"),
        ("metric", "response_ms"),
        ("operator", "gt"),
        ("threshold_value", threshold),
        ("comparison_window", ""),
        ("evaluation_window", "1h"),
        ("min_sample", ""),
        ("severity", "warning"),
        ("cooldown_minutes", "60"),
        ("name", "Slow"),
    ]
}

#[tokio::test]
async fn a_threshold_is_drawn_into_the_last_values_before_a_rule_is_made() {
    let app = TestApp::start().await;
    answered(&app).await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let rules = format!("/console/domains/{}/alerts", app.world.domain);
    let (new, form) = (
        format!("{rules}/new"),
        format!("{rules}/new?module=uptime&metric=response_ms"),
    );
    // The default at first.
    member
        .get(&form)
        .await
        .is(200)
        .says("Response time by hour, in ms")
        .says("The rule fires above 2,000 ms.")
        .says("<line class=\"threshold\"")
        .says("Beyond the threshold: 0 of the 5 hours that were measured.")
        .says("Draw this threshold");
    let drawn = member.submit(&new, &above("250", "draw")).await;
    drawn
        .is(200)
        .says("value=\"250\"")
        .says("The rule fires above 250 ms.")
        .says("Beyond the threshold: 3 of the 5 hours that were measured.");
    // One that is none is said to be so, amid the values.
    member
        .submit(&new, &above("many", "draw"))
        .await
        .is(400)
        .says("Threshold: a number, such as 2 or 99.9")
        .says("Response time by hour, in ms")
        .says("The threshold is drawn in once the form is in order.")
        .is_silent_on("<line class=\"threshold\"");
    // So is what was sent to be made.
    member
        .submit(&new, &above("many", ""))
        .await
        .is(400)
        .says("The threshold is drawn in once the form is in order.");
    assert!(app.sql("SELECT FROM alert_rules").await.is_empty());
    member
        .submit(&new, &above("250", ""))
        .await
        .leads_to(&format!("{rules}?made"));
}

#[tokio::test]
async fn a_rule_that_is_edited_is_drawn_as_it_stands_and_as_it_is_typed() {
    let app = TestApp::start().await;
    answered(&app).await;
    let mut owner = app.signed_in(app.world.owner).await;
    let rules = format!("/console/domains/{}/alerts", app.world.domain);
    owner.get(&rules).await.is(200);
    owner
        .submit(&format!("{rules}/new"), &above("250", ""))
        .await
        .location();
    let ids = app.sql("SELECT id FROM alert_rules").await;
    let edit = format!("{rules}/{}/edit", ids[0][0].as_deref().unwrap());
    let page = owner.get(&edit).await;
    page.is(200)
        .says("The rule fires above 250 ms.")
        .says("Beyond the threshold: 3 of the 5 hours that were measured.");
    let seen = page.hidden("seen").unwrap();
    let mut fields = above("450", "draw");
    fields.push(("seen", seen.as_str()));
    let page = owner.submit(&edit, &fields).await;
    page.is(200)
        .says("The rule fires above 450 ms.")
        .says("Beyond the threshold: 1 of the 5 hours that were measured.");
    assert_eq!(page.hidden("seen"), Some(seen.clone()));
    let kept = "SELECT id FROM alert_rules WHERE threshold = 250";
    assert_eq!(app.sql(kept).await.len(), 1, "nothing was saved");
    fields.retain(|(name, _)| *name != "do");
    owner
        .submit(&edit, &fields)
        .await
        .leads_to(&format!("{rules}?edited"));
    assert!(app.sql(kept).await.is_empty());
}

#[tokio::test]
async fn a_metric_without_a_past_says_how_it_stands() {
    let app = TestApp::start().await;
    answered(&app).await;
    let mut owner = app.signed_in(app.world.owner).await;
    let form = format!(
        "/console/domains/{}/alerts/new?module=uptime&metric=consecutive_failures",
        app.world.domain
    );
    owner
        .get(&form)
        .await
        .is(200)
        .says("Nothing is kept of the past of this metric.")
        .is_silent_on("<line class=\"threshold\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn values_of_a_rule_on_many_days_are_said_to_be_of_as_many() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let new = format!("/console/domains/{}/alerts/new", app.world.domain);
    let told = "Each value is of the 7 days that end there.";
    member
        .get(&format!("{new}?module=gsc&metric=clicks"))
        .await
        .is(200)
        .says("Clicks by day")
        .is_silent_on(told);
    let fields = [
        ("do", "draw"),
        ("module", "gsc"),
        ("metric", "clicks"),
        ("operator", "lt"),
        ("threshold_value", "30"),
        ("comparison_window", ""),
        ("evaluation_window", "7d"),
        ("search_type", "web"),
        ("severity", "warning"),
        ("cooldown_minutes", "60"),
    ];
    member.submit(&new, &fields).await.is(200).says(told);
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_of_a_metric_lead_those_who_may_to_a_rule_on_it() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let site = format!("/console/domains/{}", app.world.domain);
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    for (page, links) in [
        (
            "",
            &[
                "module=uptime&amp;metric=uptime_pct",
                "module=uptime&amp;metric=response_ms",
            ][..],
        ),
        (
            "/rum",
            &["module=rum&amp;metric=lcp_ms", "module=rum&amp;metric=inp_ms"],
        ),
        ("/gsc", &["module=gsc&amp;metric=clicks"]),
    ] {
        let path = format!("{site}{page}");
        let shown = member.get(&path).await;
        for link in links {
            shown.is(200).says(&format!("href=\"{site}/alerts/new?{link}\""));
        }
        let form = shown.links(&format!("{site}/alerts/new?module="))[0].replace("&amp;", "&");
        member.get(&form).await.is(200).says("The last values");
        viewer.get(&path).await.is(200).is_silent_on("/alerts/new");
    }
}
