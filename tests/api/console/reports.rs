//! Who gets reports, and which were made.

use pharos_domain::{identity::SubscriptionStatus, role::Role};
use serde_json::json;

use crate::harness::{TestApp, actor};

impl TestApp {
    fn reports(&self) -> String {
        format!("/console/domains/{}/reports", self.world.domain)
    }

    /// A template of the world's domain.
    async fn report(&self, name: &str) -> String {
        let path = format!("/domains/{}/reports/templates", self.world.domain);
        let schedule =
            json!({ "frequency": "monthly", "day_of_month": 1, "hour": 8, "timezone": "Europe/Berlin" });
        let made = self
            .request("POST", &path)
            .key(&self.world.key)
            .json(&json!({ "name": name, "format": "csv", "schedule": schedule }))
            .send()
            .await;
        made.with_status(201)["id"].as_str().unwrap().to_owned()
    }
}

#[tokio::test]
async fn an_admin_says_who_gets_a_report_and_sends_it() {
    let app = TestApp::start().await;
    app.verified().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let list = app.reports();
    admin.get(&list).await.is(200).says("No report yet");
    let id = app.report("<b>Monthly</b>").await;
    admin
        .get(&list)
        .await
        .is(200)
        .says("&lt;b&gt;Monthly&lt;/b&gt;")
        .says("on day 1 of every month at 8:00, Europe/Berlin");
    let path = format!("{list}/{id}");
    admin
        .get(&path)
        .await
        .is(200)
        .says("Nobody gets this report by mail yet.")
        .says("This Pharos has no mail server")
        .says("Make now")
        .is_silent_on("Send now");

    let add = |address| [("do", "add"), ("address", address)];
    admin
        .submit(&path, &add("nobody"))
        .await
        .is(400)
        .says("This is no mail address")
        .says("value=\"nobody\"");
    admin
        .submit(&path, &add("client@shop.example"))
        .await
        .leads_to(&format!("{path}?asked"));
    let page = admin.get(&format!("{path}?asked")).await;
    page.is(200)
        .says("They are asked by a mail.")
        .says("client@shop.example")
        .says("Asked");
    admin
        .submit(&path, &add("Client@shop.example"))
        .await
        .is(400)
        .says("The report has this recipient already.");
    let recipient = page.hidden("recipient").unwrap();
    admin
        .submit(&path, &[("do", "again"), ("recipient", &recipient)])
        .await
        .leads_to(&format!("{path}?asked"));
    let jobs = app
        .sql("SELECT kind FROM jobs WHERE kind = 'report_question'")
        .await;
    assert_eq!(jobs.len(), 2);

    // Nobody has said yes.
    admin
        .submit(&path, &[("do", "send")])
        .await
        .is(409)
        .says("No recipient has said yes yet.");
    app.sql("UPDATE report_recipients SET confirmed_at = now()").await;
    admin.get(&path).await.says("Gets reports").says("Send now");
    admin
        .submit(&path, &[("do", "send")])
        .await
        .leads_to(&format!("{path}?sent"));
    admin
        .get(&format!("{path}?sent"))
        .await
        .is(200)
        .says("by hand")
        .says("Waiting");
    let runs = app.sql("SELECT trigger, is_mailed::text FROM report_runs").await;
    assert_eq!(runs, [[Some("dashboard".to_owned()), Some("true".to_owned())]]);
    admin
        .submit(&path, &[("do", "send")])
        .await
        .is(409)
        .says("less than 10 minutes ago");

    app.sql("UPDATE report_recipients SET unsubscribed_at = '2026-11-20 10:00:00+00'")
        .await;
    app.sql("UPDATE report_questions SET is_refusal = true").await;
    admin
        .get(&path)
        .await
        .says("Unsubscribed")
        .says("Can be asked again from 18 February 2027 on.");
    admin
        .submit(&path, &add("client@shop.example"))
        .await
        .is(400)
        .says("This address wants no reports of this workspace; it can be asked again after 90 days.");

    admin
        .submit(&path, &[("do", "remove"), ("recipient", &recipient)])
        .await
        .leads_to(&format!("{path}?removed"));
    admin.get(&path).await.is_silent_on("client@shop.example");
    let audit = app
        .sql("SELECT action FROM audit_log WHERE action LIKE 'report%' ORDER BY at, id")
        .await;
    let actions: Vec<&str> = audit.iter().map(|row| row[0].as_deref().unwrap()).collect();
    assert_eq!(
        actions,
        [
            "report_recipient.add",
            "report_recipient.ask_again",
            "report.send",
            "report_recipient.remove"
        ]
    );
}

#[tokio::test]
async fn a_member_has_a_report_made_that_nobody_gets_by_mail() {
    let app = TestApp::start().await;
    let id = app.report("Monthly").await;
    let path = format!("{}/{id}", app.reports());
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    member.get(&path).await.is(200).says("Make now");
    member
        .submit(&path, &[("do", "make")])
        .await
        .leads_to(&format!("{path}?making"));
    member
        .get(&format!("{path}?making"))
        .await
        .is(200)
        .says("The report is being made")
        .says("by hand")
        .says("Waiting")
        .says("class=\"spare\">Report</th>");
    let runs = app.sql("SELECT trigger, is_mailed::text FROM report_runs").await;
    assert_eq!(runs, [[Some("dashboard".to_owned()), Some("false".to_owned())]]);
    let audit = app
        .sql("SELECT action FROM audit_log WHERE action = 'report.make'")
        .await;
    assert_eq!(audit.len(), 1);
    member.submit(&path, &[("do", "send")]).await.is(403);

    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer.get(&path).await.is(200).is_silent_on("Make now");
    viewer.submit(&path, &[("do", "make")]).await.is(403);
}

/// The last report of a domain may be deleted while what was made of it is kept.
#[tokio::test]
async fn what_was_made_is_found_after_its_report_is_deleted() {
    let app = TestApp::start().await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let list = app.reports();
    member.get(&list).await.is(200).is_silent_on("Made last");
    let path = format!("{list}/{}", app.report("Monthly").await);
    member
        .get(&list)
        .await
        .says("Made last")
        .says("None was made yet.");
    member
        .submit(&path, &[("do", "make")])
        .await
        .leads_to(&format!("{path}?making"));
    let deleted = format!("{list}?deleted");
    member
        .submit(&format!("{path}/delete"), &[])
        .await
        .leads_to(&deleted);
    member
        .get(&deleted)
        .await
        .is(200)
        .says("No report yet")
        .says("Made last")
        .says("<bdi>Monthly</bdi>");
}

/// Browsers without scripts send a form as often as its button is pressed.
#[tokio::test]
async fn a_double_click_asks_a_recipient_and_makes_a_report_once() {
    let app = TestApp::start().await;
    app.verified().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let id = app.report("Monthly").await;
    let path = format!("{}/{id}", app.reports());
    for (step, done, made) in [
        ("add", "asked", "report_recipients"),
        ("make", "making", "report_runs"),
    ] {
        let form_id = admin.get(&path).await.hidden("form_id").unwrap();
        let fields = [
            ("form_id", form_id.as_str()),
            ("do", step),
            ("address", "client@shop.example"),
        ];
        for _ in 0..2 {
            admin
                .submit(&path, &fields)
                .await
                .leads_to(&format!("{path}?{done}"));
        }
        let rows = app.sql(&format!("SELECT count(*)::text FROM {made}")).await;
        assert_eq!(rows[0][0].as_deref(), Some("1"), "{step}");
    }
}

#[tokio::test]
async fn a_report_that_is_being_made_says_how_far_it_is() {
    let app = TestApp::start().await;
    let id = app.report("Monthly").await;
    let path = format!("{}/{id}", app.reports());
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    member.get(&path).await.is(200);
    member
        .submit(&path, &[("do", "make")])
        .await
        .leads_to(&format!("{path}?making"));
    let runs = app.sql("SELECT total_items::text FROM runs").await;
    let total: u32 = runs[0][0].as_deref().unwrap().parse().unwrap();
    app.sql(&format!(
        "UPDATE jobs SET state = 'running', attempts = 1, started_at = now(), worker = gen_random_uuid(),
             leased_until = now() + interval '1 minute', total_items = {total}, completed_items = 2
         WHERE kind = 'report'"
    ))
    .await;
    member
        .get(&path)
        .await
        .says("Being made")
        .says(&format!("2 of {} sections", total - 1));
    app.sql("UPDATE jobs SET completed_items = total_items - 1 WHERE kind = 'report'")
        .await;
    member.get(&path).await.says("Being written");
}

#[tokio::test]
async fn a_subscription_that_ended_adds_no_recipient_and_removes_those_there_are() {
    let app = TestApp::start().await;
    app.verified().await;
    let id = app.report("Monthly").await;
    let path = format!("{}/{id}", app.reports());
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    admin.get(&path).await.is(200);
    let add = [("do", "add"), ("address", "client@shop.example")];
    admin.submit(&path, &add).await.leads_to(&format!("{path}?asked"));
    let page = admin.get(&path).await;
    let recipient = page.hidden("recipient").unwrap();
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
    let again = [("do", "again"), ("recipient", recipient.as_str())];
    for fields in [&add[..], &again[..], &[("do", "send")][..]] {
        admin
            .submit(&path, fields)
            .await
            .is(402)
            .says("Nothing was changed");
    }
    admin
        .submit(&path, &[("do", "remove"), ("recipient", &recipient)])
        .await
        .leads_to(&format!("{path}?removed"));
}

#[tokio::test]
async fn nobody_is_asked_to_read_reports_of_a_domain_that_is_not_verified() {
    let app = TestApp::start().await;
    let id = app.report("Monthly").await;
    let path = format!("{}/{id}", app.reports());
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    admin.get(&path).await.is(200);
    let add = [("do", "add"), ("address", "client@shop.example")];
    admin
        .submit(&path, &add)
        .await
        .is(400)
        .says("The domain is not verified.")
        .says("value=\"client@shop.example\"");
    let asked = app.sql("SELECT count(*) FROM report_recipients").await;
    assert_eq!(asked[0][0].as_deref(), Some("0"));
    app.verified().await;
    admin.submit(&path, &add).await.leads_to(&format!("{path}?asked"));
}

#[tokio::test]
async fn others_see_reports_and_no_address() {
    let app = TestApp::start().await;
    app.verified().await;
    let id = app.report("Monthly").await;
    let path = format!("{}/{id}", app.reports());
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    admin.get(&path).await.is(200);
    admin
        .submit(&path, &[("do", "add"), ("address", "client@shop.example")])
        .await
        .leads_to(&format!("{path}?asked"));
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&path)
        .await
        .is(200)
        .says("Monthly")
        .is_silent_on("client@shop.example");
    viewer.submit(&path, &[("do", "send")]).await.is(403);
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    stranger.get(&path).await.is(404);
    let other = format!("{}/01900000-0000-7000-8000-0000000000ff", app.reports());
    admin.get(&other).await.is(404);
}
