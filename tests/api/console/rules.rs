//! The alert rules of a domain: made by a form, switched and deleted, by those who may.

use pharos_domain::{identity::SubscriptionStatus, role::Role};
use serde_json::{Value, json};

use super::Browser;
use crate::harness::{TestApp, actor};

impl TestApp {
    /// The page of the rules of the world's domain, or another below it.
    fn of_rules(&self, path: &str) -> String {
        format!("/console/domains/{}/alerts{path}", self.world.domain)
    }

    /// The rules as the API has them.
    async fn rules(&self) -> Vec<Value> {
        let page = self.get("/alerts/rules", &self.world.key).send().await.ok();
        page["items"].as_array().unwrap().clone()
    }
}

/// The form of a rule on failures in a row, and its fields.
async fn asked<'a>(app: &TestApp, browser: &mut Browser) -> Vec<(&'a str, &'a str)> {
    let form = app.of_rules("/new?module=uptime&metric=consecutive_failures");
    browser.get(&form).await.is(200);
    vec![
        ("module", "uptime"),
        ("metric", "consecutive_failures"),
        ("operator", "gte"),
        ("threshold_value", "2"),
        ("evaluation_window", "latest"),
        ("severity", "critical"),
        ("cooldown_minutes", "60"),
        ("name", ""),
    ]
}

#[tokio::test]
async fn a_member_makes_switches_and_deletes_a_rule() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in_as("member@example.org", Role::Member).await;
    let page = app.of_rules("");
    browser
        .get(&page)
        .await
        .is(200)
        .says("No rule watches this domain yet")
        .says("Nothing has fired");
    browser
        .get(&app.of_rules("/new"))
        .await
        .is(200)
        .says("Failing checks in a row")
        .says("Clicks without the brand");
    let form = app.of_rules("/new?module=uptime&metric=consecutive_failures");
    browser
        .get(&form)
        .await
        .is(200)
        .says("at the threshold or above")
        .says("name=\"threshold_value\" type=\"text\" value=\"2\"")
        // It compares with no past, and is of the whole site.
        .is_silent_on("comparison_window")
        .is_silent_on("Only this URL");
    let mut fields = asked(&app, &mut browser).await;
    fields.retain(|(name, _)| *name != "name");
    fields.push(("name", "<b>Out</b>"));
    let made = browser.submit(&app.of_rules("/new"), &fields).await.location();
    assert_eq!(made, format!("{page}?made"));
    let shown = browser.get(&made).await;
    shown
        .is(200)
        .says("The rule is made")
        .says("&lt;b&gt;Out&lt;/b&gt;")
        .says("at 2 checks or more, the newest value")
        .says("Switch off");
    let rules = app.rules().await;
    assert_eq!(rules.len(), 1);
    for (member, value) in [
        ("metric", json!("consecutive_failures")),
        ("operator", json!("gte")),
        ("threshold_value", json!(2.0)),
        ("comparison_window", Value::Null),
        ("severity", json!("critical")),
        ("cooldown_minutes", json!(60)),
        ("name", json!("<b>Out</b>")),
        ("enabled", json!(true)),
    ] {
        assert_eq!(rules[0][member], value, "{member}");
    }
    let rule = shown.hidden("rule").unwrap();
    assert_eq!(rules[0]["id"], *rule);
    for (step, is_enabled, says) in [("off", false, "Switch on"), ("on", true, "Switch off")] {
        browser.get(&page).await.is(200);
        let done = browser
            .submit(&page, &[("rule", &*rule), ("do", step)])
            .await
            .location();
        browser.get(&done).await.is(200).says(says);
        assert_eq!(app.rules().await[0]["enabled"], is_enabled);
    }
    browser.get(&page).await.is(200);
    let deleted = browser
        .submit(&page, &[("rule", &*rule), ("do", "delete")])
        .await
        .location();
    browser
        .get(&deleted)
        .await
        .is(200)
        .says("The rule is deleted")
        .says("No rule watches this domain yet");
    assert_eq!(app.rules().await, Vec::<Value>::new());
    let trail = app
        .sql("SELECT count(*) FROM audit_log WHERE action = 'domain.configure' AND details ->> 'module' = 'alerts'")
        .await;
    assert_eq!(trail, [[Some("4".to_owned())]], "made, off, on, deleted");
}

#[tokio::test]
async fn what_can_be_no_rule_is_said_at_its_field_and_nothing_is_lost() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let long = "x".repeat(201);
    for (field, value, says) in [
        (
            "threshold_value",
            "many",
            "Threshold: a number, such as 2 or 99.9.<",
        ),
        ("threshold_value", "NaN", "Threshold: a number of -10^15 to 10^15"),
        ("threshold_value", "1e300", "a number of -10^15 to 10^15"),
        ("threshold_value", "", "Threshold: a number, such as 2 or 99.9.<"),
        (
            "threshold_value",
            "0",
            "Threshold: “at the threshold or above” always holds",
        ),
        ("operator", "anomaly", "consecutive_failures has these"),
        ("evaluation_window", "24h", "consecutive_failures has these"),
        (
            "cooldown_minutes",
            "soon",
            "in minutes: a whole number of minutes",
        ),
        ("cooldown_minutes", "999999", "a whole number of 0 to 129600"),
        ("name", &*long, "Name: 201 characters"),
        ("name", "a\nb", "more than one line"),
    ] {
        let mut fields = asked(&app, &mut browser).await;
        fields.retain(|(name, _)| *name != field && *name != "severity");
        fields.extend([(field, value), ("severity", "info")]);
        let page = browser.submit(&app.of_rules("/new"), &fields).await;
        page.is(400)
            .says("Nothing was saved yet")
            .says(says)
            .says(&format!("id=\"{field}-fault\""))
            .says("value=\"info\" selected");
    }
    // No form of ours sends these.
    for (field, value) in [
        ("operator", "almost"),
        ("module", "rum"),
        ("metric", "happiness"),
        ("severity", "bad"),
    ] {
        let mut fields = asked(&app, &mut browser).await;
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
        let page = browser.submit(&app.of_rules("/new"), &fields).await;
        page.is(400).says("can’t be read");
    }
    assert_eq!(app.rules().await, Vec::<Value>::new());
}

/// The faults that the API finds in operators and members are shown at the fields that people see.
#[tokio::test]
async fn faults_of_a_condition_are_in_the_words_of_the_form() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    for (operator, threshold, beside, field, says) in [
        (
            "pct_decrease",
            "0",
            "previous_day",
            "threshold_value",
            "Threshold: must be above 0 percent",
        ),
        (
            "pct_decrease",
            "101",
            "previous_day",
            "threshold_value",
            "Threshold: must be 100 percent at most",
        ),
        (
            "anomaly",
            "-1",
            "previous_day",
            "threshold_value",
            "Threshold: must be above 0 deviations",
        ),
        (
            "pct_decrease",
            "20",
            "",
            "comparison_window",
            "Beside: choose the past that is meant by “lower by so many percent or more”",
        ),
        (
            "gt",
            "2000",
            "",
            "min_sample",
            "Least sample: leave it empty, because “the newest value” has no sample",
        ),
    ] {
        let form = app.of_rules("/new?module=uptime&metric=response_ms");
        browser.get(&form).await.is(200);
        let fields = [
            ("module", "uptime"),
            ("metric", "response_ms"),
            ("operator", operator),
            ("threshold_value", threshold),
            ("comparison_window", beside),
            (
                "evaluation_window",
                if field == "min_sample" { "latest" } else { "1h" },
            ),
            ("min_sample", if field == "min_sample" { "5" } else { "" }),
            ("severity", "warning"),
            ("cooldown_minutes", "60"),
        ];
        let page = browser.submit(&app.of_rules("/new"), &fields).await;
        page.is(400)
            .says(says)
            .says(&format!("id=\"{field}-fault\""))
            .is_silent_on("needs a window")
            .is_silent_on("must be null");
    }
    assert_eq!(app.rules().await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_viewer_sees_the_rules_and_changes_none_and_a_stranger_finds_no_page() {
    let app = TestApp::start().await;
    let mut owner = app.signed_in(app.world.owner).await;
    let fields = asked(&app, &mut owner).await;
    owner.submit(&app.of_rules("/new"), &fields).await.location();
    let rule = app.rules().await[0]["id"].as_str().unwrap().to_owned();
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&app.of_rules(""))
        .await
        .is(200)
        .says("Failing checks in a row")
        .is_silent_on("Make a rule")
        .is_silent_on("Switch off");
    viewer.get(&app.of_rules("/new")).await.is(403);
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    stranger.get(&app.of_rules("")).await.is(404);
    for (browser, status) in [(&mut viewer, 403), (&mut stranger, 404)] {
        browser.get("/console/channels").await.is(200);
        browser
            .submit(&app.of_rules(""), &[("rule", &*rule), ("do", "delete")])
            .await
            .is(status);
        browser.get("/console/channels").await.is(200);
        browser.submit(&app.of_rules("/new"), &fields).await.is(status);
    }
    assert_eq!(app.rules().await.len(), 1);
}

#[tokio::test]
async fn whose_subscription_has_ended_switches_rules_off_and_deletes_them_and_begins_none() {
    let app = TestApp::start().await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let (page, new) = (app.of_rules(""), app.of_rules("/new"));
    let fields = asked(&app, &mut member).await;
    member.submit(&new, &fields).await.location();
    let rule = app.rules().await[0]["id"].as_str().unwrap().to_owned();
    let [off, on, delete] = ["off", "on", "delete"].map(|step| [("rule", rule.as_str()), ("do", step)]);
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
    let shown = member.get(&page).await;
    shown
        .is(200)
        .says("Switch off")
        .is_silent_on("Make a rule")
        .is_silent_on("/edit");
    let edit = app.of_rules(&format!("/{rule}/edit"));
    let done = member.submit(&page, &off).await.location();
    member
        .get(&done)
        .await
        .is(200)
        .says("The rule is off")
        .is_silent_on("Switch on");
    for (path, fields) in [(&page, &on[..]), (&new, &fields[..]), (&edit, &fields[..])] {
        member.get(&page).await.is(200);
        member.submit(path, fields).await.is(402);
    }
    let kept = app.sql("SELECT enabled FROM alert_rules").await;
    assert_eq!(kept, [[Some("f".to_owned())]], "one, and off");
    member.get(&page).await.is(200);
    let done = member.submit(&page, &delete).await.location();
    member.get(&done).await.is(200).says("The rule is deleted");
    assert!(app.sql("SELECT FROM alert_rules").await.is_empty());
}

/// A rule on response times that the API makes, off, and the path of its form.
async fn slow(app: &TestApp) -> (String, String) {
    let rule = json!({
        "module": "uptime", "metric": "response_ms", "operator": "gt", "threshold_value": 2000,
        "evaluation_window": "24h", "min_sample": 20, "name": "Slow", "enabled": false,
    });
    let path = format!("/domains/{}/alerts/rules", app.world.domain);
    let request = app.request("POST", &path).key(&app.world.key);
    let made = request.json(&rule).send().await;
    assert_eq!(made.status, 201, "{:?}", made.json());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let form = app.of_rules(&format!("/{id}/edit"));
    (id, form)
}

/// The fields of that rule's form, with another threshold.
fn faster(seen: &str) -> Vec<(&str, &str)> {
    vec![
        ("seen", seen),
        ("operator", "gt"),
        ("threshold_value", "1500"),
        ("comparison_window", ""),
        ("evaluation_window", "24h"),
        ("min_sample", "20"),
        ("severity", "critical"),
        ("cooldown_minutes", "120"),
        ("name", "Slow"),
    ]
}

#[tokio::test]
async fn a_member_changes_the_threshold_of_a_rule_and_the_rest_stays() {
    let app = TestApp::start().await;
    let (id, form) = slow(&app).await;
    let before = app.rules().await.remove(0);
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let page = member.get(&app.of_rules("")).await;
    assert_eq!(page.is(200).link(&form), form);
    let page = member.get(&form).await;
    page.is(200)
        .says("Edit <bdi>Slow</bdi>")
        .says("value=\"2000\"")
        .says("value=\"20\"")
        .says("value=\"24h\" selected")
        .says("value=\"warning\" selected");
    let seen = page.hidden("seen").unwrap();
    let saved = member.submit(&form, &faster(&seen)).await.location();
    assert_eq!(saved, format!("{}?edited", app.of_rules("")));
    member
        .get(&saved)
        .await
        .is(200)
        .says("The rule is changed")
        .says("above 1,500 ms, over the last 24 hours");
    let after = app.rules().await.remove(0);
    let mut expected = before;
    for (field, value) in [
        ("threshold_value", json!(1500.0)),
        ("severity", json!("critical")),
        ("updated_at", after["updated_at"].clone()),
    ] {
        expected[field] = value;
    }
    assert_eq!(after, expected, "it stays off, and keeps its least sample");
    let trail = app
        .sql(
            "SELECT details ->> 'rule_id', details ->> 'threshold_value' FROM audit_log
             WHERE action = 'domain.configure' AND details ->> 'rule_id' IS NOT NULL",
        )
        .await;
    assert_eq!(trail, [[Some(id), Some("1500.0".to_owned())]]);
}

#[tokio::test]
async fn an_edit_that_can_be_no_rule_saves_nothing_and_tells_all_its_faults() {
    let app = TestApp::start().await;
    let (_, form) = slow(&app).await;
    let before = app.rules().await;
    let mut owner = app.signed_in(app.world.owner).await;
    let seen = owner.get(&form).await.hidden("seen").unwrap();
    let mut fields = faster(&seen);
    for (field, value) in [
        ("threshold_value", "many"),
        ("min_sample", "-1"),
        ("cooldown_minutes", "soon"),
        ("operator", "pct_increase"),
    ] {
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
    }
    let page = owner.submit(&form, &fields).await;
    page.is(400)
        .says("Nothing was saved yet")
        .says("value=\"many\"")
        .says("value=\"pct_increase\" selected");
    for field in [
        "threshold_value",
        "min_sample",
        "cooldown_minutes",
        "comparison_window",
    ] {
        page.says(&format!("id=\"{field}-fault\""));
    }
    assert_eq!(app.rules().await, before);
}

#[tokio::test]
async fn who_saw_another_state_of_a_rule_undoes_nothing() {
    let app = TestApp::start().await;
    let (id, form) = slow(&app).await;
    let mut owner = app.signed_in(app.world.owner).await;
    let seen = owner.get(&form).await.hidden("seen").unwrap();
    app.clock.advance(time::Duration::SECOND);
    let rule = format!("/domains/{}/alerts/rules/{id}", app.world.domain);
    let request = app.request("PUT", &rule).key(&app.world.key);
    let change = json!({ "cooldown_minutes": 5 });
    request.json(&change).send().await.ok();
    let before = app.rules().await;
    let page = owner.submit(&form, &faster(&seen)).await;
    page.is(400).says("was changed meanwhile").says("value=\"1500\"");
    assert_eq!(app.rules().await, before);
}

/// Between the look at the rule and the change of it lies time, too.
#[tokio::test]
async fn an_edit_undoes_nothing_that_is_changed_while_it_is_saved() {
    let app = TestApp::start().await;
    let (id, form) = slow(&app).await;
    let mut owner = app.signed_in(app.world.owner).await;
    let seen = owner.get(&form).await.hidden("seen").unwrap();
    let change = format!("UPDATE alert_rules SET cooldown_minutes = 5, updated_at = now() WHERE id = '{id}'");
    let fields = faster(&seen);
    let page = app.amid(&change, owner.submit(&form, &fields)).await;
    page.is(400).says("was changed meanwhile").says("value=\"1500\"");
    let rule = app.rules().await.remove(0);
    assert_eq!(
        (&rule["cooldown_minutes"], &rule["threshold_value"]),
        (&json!(5), &json!(2000.0))
    );
}

#[tokio::test]
async fn who_may_not_change_rules_edits_none() {
    let app = TestApp::start().await;
    let (id, form) = slow(&app).await;
    let mut owner = app.signed_in(app.world.owner).await;
    let seen = owner.get(&form).await.hidden("seen").unwrap();
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let page = viewer.get(&app.of_rules("")).await;
    page.is(200).is_silent_on("/edit");
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    for (browser, status) in [(&mut viewer, 403), (&mut stranger, 404)] {
        browser.get(&form).await.is(status);
        browser.get("/console/channels").await.is(200);
        browser.submit(&form, &faster(&seen)).await.is(status);
    }
    // A form without its token is none of ours.
    let origin = owner.origin();
    owner.post(&form, &faster(&seen), &origin).await.is(403);
    assert_eq!(app.rules().await[0]["threshold_value"], 2000.0);
    // A rule that is gone has no form, and is neither edited nor switched on.
    let rule = format!("/domains/{}/alerts/rules/{id}", app.world.domain);
    app.request("DELETE", &rule).key(&app.world.key).send().await.ok();
    owner.get(&form).await.is(404);
    let rules = app.of_rules("");
    owner.get(&rules).await.is(200);
    owner.submit(&form, &faster(&seen)).await.is(404);
    owner
        .submit(&rules, &[("rule", &*id), ("do", "on")])
        .await
        .is(404);
}

/// A rule without a name is called by its metric, and one of something is no plural.
#[tokio::test]
async fn a_rule_and_its_last_value_read_as_words() {
    let app = TestApp::start().await;
    let rule = json!({"module": "uptime", "metric": "incident_count", "operator": "gte"});
    let path = format!("/domains/{}/alerts/rules", app.world.domain);
    let request = app.request("POST", &path).key(&app.world.key);
    assert_eq!(request.json(&rule).send().await.status, 201);
    app.sql("UPDATE alert_evaluations SET last_value = 1").await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    member
        .get(&app.of_rules(""))
        .await
        .is(200)
        .says(">1 incident<")
        .says("aria-label=\"Edit: Incidents\"")
        .says("aria-label=\"Delete: Incidents\"");
}

/// A narrow screen shows the first columns alone, and how a rule stands at its name.
#[tokio::test]
async fn a_narrow_screen_shows_what_fired_and_how_rules_stand() {
    let app = TestApp::start().await;
    slow(&app).await;
    let fired = format!(
        "INSERT INTO alert_history (id, domain_id, workspace_id, notification_id, module, metric, metric_label, unit, operator,
            threshold, evaluation_window, value, severity, title, message, context, fired_at)
        VALUES (uuid_v7(), '{}', '{}', uuid_v7(), 'uptime', 'response_ms', 'Response time', 'milliseconds', 'gt', 2000, '1h', 2100,
            'warning', 'It is slow', 'It took 2,100 ms.', '{{}}', now())",
        app.world.domain, app.world.workspace
    );
    app.sql(&fired).await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let page = member.get(&app.of_rules("")).await;
    page.is(200)
        .says("It is slow")
        .says("class=\"spare\">Fired<")
        .says("class=\"spare\">State<")
        .says("<div class=\"narrow\">")
        .says("<div class=\"narrow note\">Fired ")
        .says(", in force</div>");
    let text = page.text();
    let at = |words: &str| text.find(words).unwrap();
    assert!(at(">What<") < at(">Severity<") && at(">Severity<") < at(">Fired<"));
    assert!(
        at("above 2,000 ms") < at("class=\"narrow\""),
        "its condition is at its name"
    );
}
