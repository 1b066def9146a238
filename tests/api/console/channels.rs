//! Alert channels: made, tried, switched and deleted by those who look after a workspace, and by nobody else.

use pharos_domain::{patch::Patch, role::Role};

use super::Browser;
use crate::harness::{TestApp, actor};

const SLACK: &str = "https://hooks.slack.example/services/hidden";

/// The fields of a channel to Slack.
fn slack<'a>(workspace: &'a str, name: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("workspace", workspace),
        ("kind", "slack"),
        ("name", name),
        ("url", SLACK),
        ("domain", ""),
        ("min_severity", "warning"),
        ("quiet_hours", ""),
    ]
}

/// Makes a channel to Slack, and gives the path of its page.
async fn made(browser: &mut Browser, workspace: &str) -> String {
    let form = format!("/console/channels/new?workspace={workspace}&kind=slack");
    browser.get(&form).await.is(200).says("Of an incoming webhook");
    let location = browser
        .submit("/console/channels/new", &slack(workspace, "<b>Ops</b>"))
        .await
        .location();
    location.strip_suffix("?made").unwrap().to_owned()
}

#[tokio::test]
async fn an_owner_makes_tries_switches_and_deletes_a_channel() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let mut browser = app.signed_in(app.world.owner).await;
    let empty = browser.get("/console/channels").await;
    empty.is(200).says("Nobody is told yet");
    let kinds = browser.get(&empty.link("/console/channels/new")).await;
    for kind in [
        "Mail",
        "Webhook",
        "Slack",
        "Microsoft Teams",
        "Discord",
        "Telegram",
        "ntfy",
        "PagerDuty",
        "Opsgenie",
    ] {
        kinds.is(200).says(kind);
    }
    let path = made(&mut browser, &workspace).await;
    let page = browser.get(&format!("{path}?made")).await;
    page.is(200)
        .says("&lt;b&gt;Ops&lt;/b&gt;")
        .says("hooks.slack.example")
        .says("what is warning or worse")
        .is_silent_on("/services/");
    let tested = browser.submit(&path, &[("do", "test")]).await.location();
    browser
        .get(&tested)
        .await
        .is(200)
        .says("A test is on its way")
        .says("on its way</span>");
    browser.get(&path).await.is(200);
    let off = browser.submit(&path, &[("do", "off")]).await.location();
    browser.get(&off).await.is(200).says("switched it off");
    browser.get(&path).await.is(200);
    browser
        .submit(&path, &[("do", "test")])
        .await
        .is(409)
        .says("the channel is switched off");
    browser.get(&path).await.is(200);
    browser.submit(&path, &[("do", "on")]).await.location();
    browser.get(&path).await.is(200).says("Send a test");
    let deleted = browser.submit(&path, &[("do", "delete")]).await.location();
    browser
        .get(&deleted)
        .await
        .is(200)
        .says("The channel was deleted")
        .says("Nobody is told yet");
    browser.get(&path).await.is(404);
}

#[tokio::test]
async fn the_secret_of_a_webhook_is_shown_once_and_can_be_replaced() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let mut browser = app.signed_in(app.world.owner).await;
    let form = format!("/console/channels/new?workspace={workspace}&kind=webhook");
    browser.get(&form).await.is(200);
    let mut fields = slack(&workspace, "Hook");
    fields[1] = ("kind", "webhook");
    let created = browser.submit("/console/channels/new", &fields).await;
    created.is(200).says("whsec_");
    let rows = app
        .sql("SELECT id, target ->> 'secret' FROM alert_channels")
        .await;
    let (id, secret) = (rows[0][0].as_deref().unwrap(), rows[0][1].as_deref().unwrap());
    created.says(secret);
    let path = format!("/console/channels/{id}");
    browser.get(&path).await.is(200).is_silent_on("whsec_");
    browser
        .submit(&path, &[("do", "rotate")])
        .await
        .is(200)
        .says("whsec_")
        .is_silent_on(secret);
    let rows = app
        .sql("SELECT target -> 'previous' ->> 'secret' FROM alert_channels")
        .await;
    assert_eq!(rows[0][0].as_deref(), Some(secret), "it signs for a day more");
}

#[tokio::test]
async fn what_is_wrong_with_a_form_is_said_and_nothing_is_lost() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let mut browser = app.signed_in(app.world.owner).await;
    let form = format!("/console/channels/new?workspace={workspace}&kind=slack");
    let nobody = "01900000-0000-7000-8000-0000000000ff";
    let long = "x".repeat(101);
    for (field, value, status, said) in [
        ("name", "", 400, "1 to 100 characters"),
        ("name", &*long, 400, "1 to 100 characters"),
        ("url", "ftp://shop.example", 400, "https:// or http://"),
        ("quiet_hours", "22-7", 400, "22:00-07:00 Europe/Berlin"),
        ("quiet_hours", "22:00-07:00 Moon/Crater", 400, "IANA time zone"),
        ("min_severity", "bad", 400, "can’t be read"),
        ("kind", "pigeon", 400, "can’t be read"),
        ("domain", "x", 400, "can’t be read"),
        ("domain", nobody, 404, "no such page"),
        ("workspace", nobody, 404, "no such page"),
        ("module", "pigeons", 400, "can’t be read"),
    ] {
        browser.get(&form).await.is(200);
        let mut fields = slack(&workspace, "Ops & <i>more</i>");
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
        let page = browser.submit("/console/channels/new", &fields).await;
        page.is(status).says(said);
        if said.contains("quiet") || said.contains("https") {
            page.says("Ops &amp; &lt;i&gt;more&lt;/i&gt;");
        }
    }
    let rows = app.sql("SELECT count(*) FROM alert_channels").await;
    assert_eq!(rows[0][0].as_deref(), Some("0"));
}

#[tokio::test]
async fn a_member_and_a_stranger_see_no_channel_and_change_none() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let mut owner = app.signed_in(app.world.owner).await;
    let path = made(&mut owner, &workspace).await;
    let member = app.person("member@pharos.example").await;
    let stranger = app.person("stranger@pharos.example").await;
    let members = &app.stores.members;
    members
        .put(
            app.world.workspace,
            member,
            Role::Member,
            Patch::Keep,
            &actor(),
            app.now(),
        )
        .await
        .unwrap();
    for user in [member, stranger] {
        let mut browser = app.signed_in(user).await;
        let page = browser.get("/console/channels").await;
        page.is(200).says("You are neither").is_silent_on("Ops");
        browser.get(&path).await.is(404);
        browser
            .get(&format!("/console/channels/new?workspace={workspace}&kind=slack"))
            .await
            .is(404);
        // With a token of their own, from a page that they may see.
        browser.get("/console/channels").await.is(200);
        browser.submit(&path, &[("do", "delete")]).await.is(404);
        browser.get("/console/channels").await.is(200);
        browser
            .submit("/console/channels/new", &slack(&workspace, "Mine"))
            .await
            .is(404);
    }
    let rows = app.sql("SELECT count(*) FROM alert_channels").await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
    let mut nobody = app.browser();
    assert!(nobody.get(&path).await.location().starts_with("/console/sign-in"));
}
