//! Which pages are tested in the lab, and the budgets that they are held to: shown and changed by forms.

use std::collections::BTreeMap;

use pharos_account::admin::plans::Plan;
use pharos_domain::{identity::SubscriptionStatus, module::Module, quota::QuotaResource, role::Role};
use serde_json::{Value, json};

use super::Browser;
use crate::{
    harness::{TestApp, actor},
    synthetic::{self, SHOP},
};

impl TestApp {
    /// The page of the lab's settings of the world's domain, or another below it.
    fn of_lab(&self, path: &str) -> String {
        format!("/console/domains/{}/synthetic/settings{path}", self.world.domain)
    }

    /// A list of the lab as the API has it.
    async fn in_lab(&self, list: &str) -> Vec<Value> {
        let page = synthetic::get(self, list).await;
        page["items"].as_array().unwrap().clone()
    }

    /// Changes something of the lab by the API.
    async fn change_lab(&self, path: &str, body: &Value) {
        let path = synthetic::path(self, path);
        self.put(&path, &self.world.key, body).send().await.ok();
    }
}

/// The fields of a page's form: every week on Sunday at 3, on two devices.
fn weekly() -> Vec<(&'static str, &'static str)> {
    vec![
        ("label", "<b>Shoes</b>"),
        ("enabled", "yes"),
        ("schedule", "weekly"),
        ("schedule_hour", "3"),
        ("schedule_weekday", "7"),
        ("runs_per_test", "3"),
        ("profile_ids", "mobile"),
        ("profile_ids", "desktop"),
        ("categories", "performance"),
        ("categories", "seo"),
        (
            "blocked_url_patterns",
            "*.ads.example/*\r\n\r\n *.track.example/* ",
        ),
    ]
}

/// The same with other values of a field.
fn but<'a>(
    mut fields: Vec<(&'a str, &'a str)>,
    name: &str,
    values: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    fields.retain(|(field, _)| *field != name);
    fields.extend(values);
    fields
}

/// The fields of a budget's form: the LCP on phones.
fn lcp(limit: &str) -> Vec<(&str, &str)> {
    vec![
        ("metric", "lcp_ms"),
        ("limit", limit),
        ("direction", ""),
        ("url_id", ""),
        ("profile_id", "mobile"),
    ]
}

async fn sees(browser: &mut Browser, path: &str) {
    browser.get(path).await.is(200);
}

#[tokio::test]
async fn a_member_adds_a_page_changes_it_and_ends_its_tests() {
    let app = TestApp::start().await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let (page, new) = (app.of_lab(""), app.of_lab("/pages/new"));
    let module = format!("/console/domains/{}/synthetic", app.world.domain);
    assert_eq!(member.get(&module).await.is(200).link(&page), page);
    member
        .get(&page)
        .await
        .is(200)
        .says("No page is tested yet")
        .says("No budget yet");
    member
        .get(&new)
        .await
        .is(200)
        .says("value=\"https://shop.example/\"")
        .says("value=\"daily\" selected");
    let fields = but(weekly(), "url", &[("url", "https://shop.example/shoes#sizes")]);
    let made = member.submit(&new, &fields).await.location();
    assert_eq!(made, format!("{page}?tracked"));
    let shown = member.get(&made).await;
    shown
        .is(200)
        .says("The page is tested from now on")
        .says("&lt;b&gt;Shoes&lt;/b&gt;")
        .says("Phone on slow 4G, Computer on a fast line")
        .says("every week");
    let url = app.in_lab("urls").await.remove(0);
    let id = url["id"].as_str().unwrap();
    for (member, value) in [
        ("url", json!("https://shop.example/shoes")),
        ("label", json!("<b>Shoes</b>")),
        ("enabled", json!(true)),
        ("profile_ids", json!(["mobile", "desktop"])),
        ("schedule", json!("weekly")),
        ("schedule_hour", json!(3)),
        ("schedule_weekday", json!(7)),
        ("runs_per_test", json!(3)),
        ("categories", json!(["performance", "seo"])),
        (
            "blocked_url_patterns",
            json!(["*.ads.example/*", "*.track.example/*"]),
        ),
    ] {
        assert_eq!(url[member], value, "{member}");
    }
    assert_eq!(shown.hidden("page").as_deref(), Some(id));

    // The way to a page that is not public stays, whatever the form changes.
    app.change_lab(&format!("urls/{id}"), &json!({ "cookie": "session=abc" }))
        .await;
    let form = app.of_lab(&format!("/pages/{id}"));
    let asked = member.get(&form).await;
    asked
        .is(200)
        .says("https://shop.example/shoes")
        .says("*.ads.example/*\n*.track.example/*")
        .says("a cookie")
        .says("value=\"7\" selected");
    let seen = asked.hidden("seen").unwrap();
    let daily = but(weekly(), "schedule", &[("schedule", "daily"), ("seen", &*seen)]);
    let saved = member.submit(&form, &daily).await.location();
    member.get(&saved).await.is(200).says("The page is changed");
    let url = app.in_lab("urls").await.remove(0);
    assert_eq!(
        [
            &url["schedule"],
            &url["schedule_hour"],
            &url["schedule_weekday"],
            &url["cookie_configured"]
        ],
        [&json!("daily"), &json!(3), &Value::Null, &json!(true)]
    );

    for (step, is_enabled, says) in [("off", false, "Switch on"), ("on", true, "Switch off")] {
        sees(&mut member, &page).await;
        let done = member
            .submit(&page, &[("page", id), ("do", step)])
            .await
            .location();
        member.get(&done).await.is(200).says(says);
        assert_eq!(app.in_lab("urls").await[0]["enabled"], is_enabled);
    }
    let ended = member.submit(&page, &[("page", id), ("do", "untrack")]).await;
    member
        .get(&ended.location())
        .await
        .is(200)
        .says("The page is tested no longer")
        .says("No page is tested yet");
    assert_eq!(app.in_lab("urls").await, Vec::<Value>::new());
    sees(&mut member, &page).await;
    for step in ["on", "untrack"] {
        let gone = member.submit(&page, &[("page", id), ("do", step)]).await;
        gone.is(404);
        sees(&mut member, &page).await;
    }
    member.get(&form).await.is(404);
    let trail = app
        .sql(
            "SELECT count(*) FROM audit_log WHERE action = 'domain.configure' AND details ->> 'module' = 'synthetic' \
                 AND details ->> 'url_id' IS NOT NULL",
        )
        .await;
    assert_eq!(trail, [[Some("5".to_owned())]], "added, edited, off, on, ended");
}

#[tokio::test]
async fn what_can_be_no_page_is_said_at_its_field_and_nothing_is_lost() {
    let app = TestApp::start().await;
    let mut owner = app.signed_in(app.world.owner).await;
    let new = app.of_lab("/pages/new");
    let (long, much) = ("x".repeat(101), "*.a.example/*\n".repeat(51));
    let url = |url| ("url", url);
    for (field, values, says) in [
        (
            "url",
            vec![url("shop.example")],
            "Not a URL, such as https://shop.example/.",
        ),
        ("url", vec![url("file:///etc/passwd")], "Neither http nor https."),
        (
            "url",
            vec![url("https://other.example/")],
            "Not on shop.example or below it.",
        ),
        (
            "url",
            vec![url("https://u:p@shop.example/")],
            "has no place in it",
        ),
        ("label", vec![("label", &*long)], "1 to 100 characters"),
        ("profile_ids", vec![], "1 to 4 of mobile"),
        (
            "profile_ids",
            vec![("profile_ids", "tablet")],
            "Not a profile; there are ",
        ),
        ("categories", vec![], "One at least."),
        (
            "runs_per_test",
            vec![("runs_per_test", "6")],
            "A whole number of 1 to 5.",
        ),
        (
            "schedule_hour",
            vec![("schedule_hour", "24")],
            "A whole number of 0 to 23.",
        ),
        (
            "blocked_url_patterns",
            vec![("blocked_url_patterns", &*much)],
            "At most 50.",
        ),
    ] {
        sees(&mut owner, &new).await;
        let fields = but(weekly(), "url", &[("url", "https://shop.example/shoes")]);
        let page = owner.submit(&new, &but(fields, field, &values)).await;
        page.is(400)
            .says("Nothing was saved yet")
            .says(says)
            .says(&format!("id=\"{field}-fault\""))
            .says("value=\"weekly\" selected");
    }
    // No form of ours sends these.
    for (field, value) in [
        ("schedule", "yearly"),
        ("schedule", ""),
        ("schedule_hour", "noon"),
        ("runs_per_test", "many"),
        ("categories", "beauty"),
    ] {
        sees(&mut owner, &new).await;
        let page = owner.submit(&new, &but(weekly(), field, &[(field, value)])).await;
        page.is(400).says("can’t be read");
    }
    assert_eq!(app.in_lab("urls").await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_plan_that_has_no_room_for_another_page_says_so_at_the_form() {
    let app = TestApp::start().await;
    let plan = Plan {
        key: "limited".to_owned(),
        name: "Limited".to_owned(),
        credits_per_cycle: 1_000,
        modules: vec![Module::Synthetic],
        quotas: BTreeMap::from([(QuotaResource::TrackedUrlsSynthetic, 1)]),
    };
    app.stores.plans.put(&plan, &actor(), app.now()).await.unwrap();
    app.stores
        .workspace_admin
        .set_plan(app.world.workspace, "limited", &actor(), app.now())
        .await
        .unwrap();
    synthetic::track(&app, "shoes").await;
    let mut owner = app.signed_in(app.world.owner).await;
    let new = app.of_lab("/pages/new");
    sees(&mut owner, &new).await;
    let fields = but(weekly(), "url", &[("url", "https://shop.example/hats")]);
    let page = owner.submit(&new, &fields).await;
    page.is(400)
        .says("The plan has no room for another page (1 of 1 are tested)")
        .says("value=\"https://shop.example/hats\"");
    assert_eq!(app.in_lab("urls").await.len(), 1);
}

#[tokio::test]
async fn who_saw_another_state_of_a_page_undoes_nothing() {
    let app = TestApp::start().await;
    let id = synthetic::track(&app, "shoes").await;
    let form = app.of_lab(&format!("/pages/{id}"));
    let mut owner = app.signed_in(app.world.owner).await;
    let seen = owner.get(&form).await.hidden("seen").unwrap();
    app.clock.advance(time::Duration::SECOND);
    app.change_lab(&format!("urls/{id}"), &json!({ "runs_per_test": 5 }))
        .await;
    let before = app.in_lab("urls").await;
    let fields = but(weekly(), "seen", &[("seen", &*seen)]);
    let page = owner.submit(&form, &fields).await;
    page.is(400)
        .says("This was changed meanwhile")
        .says("value=\"weekly\" selected");
    assert_eq!(app.in_lab("urls").await, before);
}

#[tokio::test]
async fn a_member_sets_changes_and_deletes_a_budget_and_the_others_stay() {
    let app = TestApp::start().await;
    let shoes = synthetic::track(&app, "shoes").await;
    let others = json!({ "items": [{ "metric": "cls", "limit": 0.1 }, { "metric": "script_bytes", "limit": 300_000 }] });
    app.change_lab("budgets", &others).await;
    let kept = app.in_lab("budgets").await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let (page, new) = (app.of_lab(""), app.of_lab("/budgets/new"));
    member
        .get(&new)
        .await
        .is(200)
        .says("Largest Contentful Paint")
        .says("Script bytes")
        .says("Interaction to Next Paint (not measured in the lab)")
        .says("https://shop.example/shoes");
    let made = member.submit(&new, &lcp("2500")).await.location();
    assert_eq!(made, format!("{page}?set"));
    member
        .get(&made)
        .await
        .is(200)
        .says("The budget is set")
        .says("at most <span class=\"figure\">2,500 ms</span>")
        .says("at most <span class=\"figure\">300 kB</span>")
        .says("No test yet");
    let budgets = app.in_lab("budgets").await;
    assert_eq!(budgets[..2], kept[..]);
    for (member, value) in [
        ("metric", json!("lcp_ms")),
        ("limit", json!(2_500.0)),
        ("direction", json!("max")),
        ("url_id", Value::Null),
        ("profile_id", json!("mobile")),
    ] {
        assert_eq!(budgets[2][member], value, "{member}");
    }
    synthetic::measured(&app, &shoes, SHOP).await;
    member
        .get(&page)
        .await
        .is(200)
        .says("Exceeded")
        .says("9,648 ms")
        .says("/synthetic/tests/");

    // The first gives way to a score of one page, and keeps its place.
    let first = app.of_lab(&format!("/budgets/{}", kept[0]["id"].as_str().unwrap()));
    let asked = member.get(&first).await;
    asked.is(200).says("value=\"0.1\"").says("value=\"cls\" selected");
    let score = [
        ("metric", "performance_score"),
        ("limit", "80"),
        ("direction", ""),
        ("url_id", &*shoes),
        ("profile_id", ""),
    ];
    let saved = member.submit(&first, &score).await.location();
    member
        .get(&saved)
        .await
        .is(200)
        .says("at least <span class=\"figure\">80</span>");
    let budgets = app.in_lab("budgets").await;
    assert_eq!(
        [
            &budgets[0]["metric"],
            &budgets[0]["direction"],
            &budgets[0]["url_id"]
        ],
        [&json!("performance_score"), &json!("min"), &json!(shoes)]
    );
    assert_eq!(budgets[1]["id"], kept[1]["id"]);
    assert_eq!(budgets.len(), 3);

    let id = budgets[0]["id"].as_str().unwrap();
    let gone = member
        .submit(&page, &[("budget", id), ("do", "drop")])
        .await
        .location();
    member.get(&gone).await.is(200).says("The budget is gone");
    assert_eq!(app.in_lab("budgets").await, budgets[1..]);
}

#[tokio::test]
async fn what_can_be_no_budget_is_said_at_its_field() {
    let app = TestApp::start().await;
    app.change_lab(
        "budgets",
        &json!({ "items": [{ "metric": "lcp_ms", "limit": 2_500, "profile_id": "mobile" }] }),
    )
    .await;
    let before = app.in_lab("budgets").await;
    let mut owner = app.signed_in(app.world.owner).await;
    let new = app.of_lab("/budgets/new");
    for (field, value, says) in [
        ("limit", "many", "A number of 0 to 1,000,000,000,000."),
        ("limit", "", "A number of 0 to 1,000,000,000,000."),
        ("limit", "-1", "A number of 0 to 1,000,000,000,000."),
        ("limit", "inf", "A number of 0 to 1,000,000,000,000."),
        ("limit", "NaN", "A number of 0 to 1,000,000,000,000."),
        (
            "metric",
            "lcp_ms",
            "There is a budget of this metric, page and profile already.",
        ),
        ("profile_id", "tablet", "Not a profile; there are "),
        (
            "url_id",
            "019aa5e2-7b6c-7d10-8e9f-0123456789ab",
            "Not a tracked URL of this domain.",
        ),
    ] {
        sees(&mut owner, &new).await;
        let page = owner
            .submit(&new, &but(lcp("1800"), field, &[(field, value)]))
            .await;
        page.is(400)
            .says("Nothing was saved yet")
            .says(says)
            .says(&format!("id=\"{field}-fault\""));
    }
    sees(&mut owner, &new).await;
    let score = but(lcp("101"), "metric", &[("metric", "performance_score")]);
    owner
        .submit(&new, &score)
        .await
        .is(400)
        .says("A score is 0 to 100.");
    // No form of ours sends these.
    for (field, value) in [
        ("metric", "charm"),
        ("direction", "sideways"),
        ("url_id", "shoes"),
    ] {
        sees(&mut owner, &new).await;
        let page = owner
            .submit(&new, &but(lcp("1800"), field, &[(field, value)]))
            .await;
        page.is(400).says("can’t be read");
    }
    assert_eq!(app.in_lab("budgets").await, before);
}

#[tokio::test]
async fn who_saw_another_state_of_a_budget_undoes_nothing() {
    let app = TestApp::start().await;
    let mut owner = app.signed_in(app.world.owner).await;
    app.change_lab(
        "budgets",
        &json!({ "items": [{ "metric": "lcp_ms", "limit": 2_500 }] }),
    )
    .await;
    let id = app.in_lab("budgets").await[0]["id"].as_str().unwrap().to_owned();
    let form = app.of_lab(&format!("/budgets/{id}"));
    sees(&mut owner, &form).await;
    app.change_lab(
        "budgets",
        &json!({ "items": [{ "metric": "lcp_ms", "limit": 4_000 }] }),
    )
    .await;
    let before = app.in_lab("budgets").await;
    let page = owner.submit(&form, &lcp("1800")).await;
    page.is(400)
        .says("This was changed meanwhile; load the page again and look at it.")
        .says("value=\"1800\"");
    let page = app.of_lab("");
    sees(&mut owner, &page).await;
    let dropped = owner.submit(&page, &[("budget", &*id), ("do", "drop")]).await;
    dropped.is(400).says("changed or deleted meanwhile");
    assert_eq!(app.in_lab("budgets").await, before);
    owner.get(&form).await.is(404);
}

#[tokio::test]
async fn a_viewer_sees_the_lab_and_changes_nothing_and_a_stranger_finds_no_page() {
    let app = TestApp::start().await;
    let id = synthetic::track(&app, "shoes").await;
    let (page, form) = (app.of_lab(""), app.of_lab(&format!("/pages/{id}")));
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&page)
        .await
        .is(200)
        .says("https://shop.example/shoes")
        .is_silent_on("Add a page")
        .is_silent_on("Switch off")
        .is_silent_on("Test no longer");
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    stranger.get(&page).await.is(404);
    let new = [app.of_lab("/pages/new"), app.of_lab("/budgets/new")];
    for (browser, status) in [(&mut viewer, 403), (&mut stranger, 404)] {
        for path in [&form, &new[0], &new[1]] {
            browser.get(path).await.is(status);
            sees(browser, "/console/channels").await;
            browser.submit(path, &weekly()).await.is(status);
        }
        sees(browser, "/console/channels").await;
        browser
            .submit(&page, &[("page", &*id), ("do", "untrack")])
            .await
            .is(status);
    }
    // A form without its token is none of ours.
    let mut owner = app.signed_in(app.world.owner).await;
    let origin = owner.origin();
    owner
        .post(&page, &[("page", &*id), ("do", "untrack")], &origin)
        .await
        .is(403);
    assert_eq!(app.in_lab("urls").await.len(), 1);
}

#[tokio::test]
async fn whose_subscription_has_ended_ends_tests_and_begins_none() {
    let app = TestApp::start().await;
    let id = synthetic::track(&app, "shoes").await;
    let (page, new) = (app.of_lab(""), app.of_lab("/pages/new"));
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    app.stores
        .workspace_admin
        .set_subscription(
            app.world.workspace,
            SubscriptionStatus::Canceled,
            &actor(),
            app.now(),
        )
        .await
        .unwrap();
    member
        .get(&page)
        .await
        .is(200)
        .says("Switch off")
        .is_silent_on("Add a page")
        .is_silent_on(&format!("{page}/pages/"));
    let off = member
        .submit(&page, &[("page", &*id), ("do", "off")])
        .await
        .location();
    sees(&mut member, &off).await;
    member
        .submit(&page, &[("page", &*id), ("do", "on")])
        .await
        .is(402);
    sees(&mut member, &page).await;
    let fields = but(weekly(), "url", &[("url", "https://shop.example/hats")]);
    member.submit(&new, &fields).await.is(402);
    let kept = app.sql("SELECT settings ->> 'enabled' FROM synthetic_urls").await;
    assert_eq!(kept, [[Some("false".to_owned())]], "one, and off");
}
