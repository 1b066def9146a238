//! Alert channels: made, tried, switched and deleted by those who look after a workspace, and by nobody else.

use pharos_domain::{identity::SubscriptionStatus, patch::Patch, role::Role};

use super::Browser;
use crate::{
    alerting::fixtures::{channels, signing_secrets},
    harness::{TestApp, actor},
};

const SLACK: &str = "https://hooks.slack.example/services/hidden";

/// The fields of a channel to Slack.
fn slack<'a>(workspace: &'a str, name: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("workspace", workspace),
        ("kind", "slack"),
        ("name", name),
        ("target_url", SLACK),
        ("domain", ""),
        ("min_severity", "warning"),
        ("quiet_hours", ""),
    ]
}

/// Makes a channel to Slack, and gives the path of its page.
async fn made(browser: &mut Browser, workspace: &str) -> String {
    let form = format!("/console/channels/new?workspace={workspace}&kind=slack");
    browser
        .get(&form)
        .await
        .is(200)
        .says("The address of an incoming webhook");
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
        .says("The channel is switched off: ");
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
    let noted = app
        .sql("SELECT DISTINCT action, host(source) FROM audit_log WHERE action LIKE 'channel.%' ORDER BY action")
        .await;
    assert_eq!(noted.len(), 5);
    for row in &noted {
        assert_eq!(row[1].as_deref(), Some("127.0.0.1"), "{row:?}");
    }
}

#[tokio::test]
async fn whose_subscription_has_ended_only_ends_what_goes_out() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let path = made(&mut browser, &app.world.workspace.to_string()).await;
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
    for step in ["test", "again", "on", "rotate"] {
        browser.get(&path).await.is(200);
        browser.submit(&path, &[("do", step)]).await.is(402);
    }
    for step in ["off", "delete"] {
        browser.get(&path).await.is(200);
        browser.submit(&path, &[("do", step)]).await.location();
    }
}

#[tokio::test]
async fn one_user_sends_so_many_tests_an_hour() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let path = made(&mut browser, &app.world.workspace.to_string()).await;
    browser.get(&path).await.is(200);
    browser.submit(&path, &[("do", "off")]).await.location();
    browser.get(&path).await.is(200);
    for _ in 0..60 {
        browser.submit(&path, &[("do", "test")]).await.is(409);
    }
    browser.submit(&path, &[("do", "test")]).await.is(429);
}

#[tokio::test]
async fn the_pages_of_a_channel_lie_below_the_list() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let mut browser = app.signed_in(app.world.owner).await;
    let new = format!("/console/channels/new?workspace={workspace}");
    let form = format!("{new}&kind=slack");
    browser.get(&form).await.is(200);
    let created = browser
        .submit("/console/channels/new", &slack(&workspace, "Ops"))
        .await
        .location();
    let path = created.strip_suffix("?made").unwrap();
    for page in [new, form, path.to_owned(), format!("{path}/edit")] {
        browser
            .get(&page)
            .await
            .is(200)
            .says("<a href=\"/console/channels\"><bdi>Alert channels</bdi></a>")
            .says("<a href=\"/console/channels\" aria-current=\"page\">Alert channels</a>");
    }
    // Nothing of the user's is current on a page of a workspace, whatever that is called.
    let settings = app.of_workspace("settings");
    browser.get(&settings).await.is(200);
    browser
        .submit(&settings, &[("name", "Alert channels")])
        .await
        .location();
    browser
        .get(&format!("/console/domains/{}", app.world.domain))
        .await
        .is(200)
        .is_silent_on("<a href=\"/console/channels\" aria-current");
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
    let created = browser.submit("/console/channels/new", &fields).await.location();
    let id = channels(&app).await[0].id;
    let (secret, _) = signing_secrets(&app).await;
    let path = format!("/console/channels/{id}");
    assert_eq!(created, format!("{path}?made"));
    browser.get(&created).await.is(200).says(&secret);
    // Loaded again, it shows the secret no more and makes nothing.
    browser.get(&created).await.is(200).is_silent_on("whsec_");
    browser.get(&path).await.is(200).is_silent_on("whsec_");
    assert_eq!(
        app.sql("SELECT count(*) FROM alert_channels").await[0][0].as_deref(),
        Some("1")
    );
    let rotated = browser.submit(&path, &[("do", "rotate")]).await.location();
    let page = browser.get(&rotated).await;
    page.is(200)
        .says("whsec_")
        .says("the one before signs too")
        .is_silent_on(&secret);
    browser.get(&rotated).await.is(200).is_silent_on("whsec_");
    // Nor does it show what somebody else put there.
    browser
        .cookies
        .insert("pharos_shown".to_owned(), "whsec_bWFkZSB1cA==".to_owned());
    browser.get(&path).await.is(200).is_silent_on("whsec_");
    let (_, before) = signing_secrets(&app).await;
    assert_eq!(before, Some(secret), "it signs for a day more");
}

/// The browser shows the answer to the second form alone.
#[tokio::test]
async fn a_double_click_replaces_a_secret_once_and_shows_the_one_that_signs() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let mut browser = app.signed_in(app.world.owner).await;
    let form = format!("/console/channels/new?workspace={workspace}&kind=webhook");
    browser.get(&form).await.is(200);
    let mut fields = slack(&workspace, "Hook");
    fields[1] = ("kind", "webhook");
    let created = browser.submit("/console/channels/new", &fields).await.location();
    let path = created.strip_suffix("?made").unwrap();
    for (step, keeps_old) in [("rotate", true), ("replace_now", false)] {
        let (old, _) = signing_secrets(&app).await;
        let form_id = browser.get(path).await.hidden("form_id").unwrap();
        let fields = [("do", step), ("form_id", form_id.as_str())];
        let first = browser.submit(path, &fields).await.location();
        let (secret, before) = signing_secrets(&app).await;
        assert_eq!(before, keeps_old.then_some(old), "{step}");
        let second = browser.submit(path, &fields).await.location();
        assert_eq!(second, first, "{step}");
        assert_eq!(signing_secrets(&app).await.0, secret, "{step}");
        browser.get(&second).await.is(200).says(&secret);
    }
}

#[tokio::test]
async fn a_secret_that_leaked_is_ended_at_once() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let mut browser = app.signed_in(app.world.owner).await;
    let form = format!("/console/channels/new?workspace={workspace}&kind=webhook");
    browser.get(&form).await.is(200);
    let mut fields = slack(&workspace, "Hook");
    fields[1] = ("kind", "webhook");
    let created = browser.submit("/console/channels/new", &fields).await.location();
    let path = created.strip_suffix("?made").unwrap();
    let secrets = async || signing_secrets(&app).await;
    let (first, _) = secrets().await;
    browser
        .get(path)
        .await
        .is(200)
        .says("The secret has leaked")
        .is_silent_on("End the old secret now");
    browser
        .submit(path, &[("do", "end_previous")])
        .await
        .is(409)
        .says("there is no secret before it to end");
    browser.get(path).await.is(200);
    browser.submit(path, &[("do", "rotate")]).await.location();
    let (second, before) = secrets().await;
    assert_eq!(before.as_ref(), Some(&first));
    // The receiver has the new one: the old one need not sign for the rest of its day.
    browser
        .get(path)
        .await
        .is(200)
        .says("signs too, until")
        .says("End the old secret now");
    let ended = browser.submit(path, &[("do", "end_previous")]).await.location();
    browser
        .get(&ended)
        .await
        .is(200)
        .says("The old secret signs no more")
        .is_silent_on("signs too, until")
        .is_silent_on("whsec_");
    assert_eq!(secrets().await, (second.clone(), None));
    // Both of two have leaked.
    browser.submit(path, &[("do", "rotate")]).await.location();
    let (third, _) = secrets().await;
    browser.get(path).await.is(200);
    let replaced = browser.submit(path, &[("do", "replace_now")]).await.location();
    let (fourth, before) = secrets().await;
    assert_eq!(before, None);
    assert!(fourth != third && fourth != second);
    browser.get(&replaced).await.is(200).says(&fourth);
    browser.get(&replaced).await.is(200).is_silent_on("whsec_");
}

#[tokio::test]
async fn a_channel_is_edited_and_keeps_the_secrets_that_nobody_gave_anew() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let domain = app.world.domain.to_string();
    let mut browser = app.signed_in(app.world.owner).await;
    let path = made(&mut browser, &workspace).await;
    let edit = format!("{path}/edit");
    let link = browser.get(&path).await.link(&edit);
    let page = browser.get(&link).await;
    page.is(200)
        .says("value=\"&lt;b&gt;Ops&lt;/b&gt;\"")
        .says("It is not shown again")
        .is_silent_on("/services/hidden");
    let seen = page.hidden("seen").unwrap();
    let fields = [
        ("seen", &*seen),
        ("name", "On call"),
        ("target_url", ""),
        ("domain", &*domain),
        ("min_severity", "critical"),
        ("module", "uptime"),
        ("module", "alerts"),
        ("quiet_hours", "22:00-07:00 Europe/Berlin"),
    ];
    app.clock.advance(time::Duration::seconds(1));
    let edited = browser.submit(&edit, &fields).await.location();
    browser
        .get(&edited)
        .await
        .is(200)
        .says("The channel is changed")
        .says("On call")
        .says("what is critical, about Monitoring, Alerts, only of <bdi>shop.example</bdi>")
        .says("22:00-07:00 Europe/Berlin")
        .says("hooks.slack.example");
    let url_now = async || channels(&app).await[0].settings.target.value("url");
    assert_eq!(url_now().await, SLACK, "it was not given anew");
    let columns =
        "SELECT secrets, domain_id::text, quiet_hours, unsubscribe_digest::text FROM alert_channels";
    let first = app.sql(columns).await[0].clone();
    assert_eq!(first[1].as_deref(), Some(&*domain));
    // A second tab that saw the channel as it was undoes nothing.
    let page = browser.get(&edit).await;
    page.is(200).says(&format!("value=\"{domain}\" selected"));
    for (module, label, is_ticked) in [
        ("uptime", "Monitoring", true),
        ("alerts", "Alerts", true),
        ("robots", "robots.txt", false),
        ("rum", "Vitals", false),
        ("platform", "Workspace and domains", false),
    ] {
        let ticked = format!("value=\"{module}\" checked>");
        assert_eq!(page.text().contains(&ticked), is_ticked, "{module}");
        page.says(&format!("<label for=\"module-{module}\">{label}</label>"));
    }
    browser
        .submit(&edit, &fields)
        .await
        .is(400)
        .says("The channel was changed meanwhile");
    // Fields that are no longer filled lose their values, and the channel leads to another place.
    let page = browser.get(&edit).await;
    let seen = page.hidden("seen").unwrap();
    let url = "https://hooks.slack.example/services/other";
    let fields = [
        ("seen", &*seen),
        ("name", "On call"),
        ("target_url", url),
        ("domain", ""),
        ("min_severity", "info"),
        ("quiet_hours", ""),
    ];
    browser.submit(&edit, &fields).await.location();
    let second = app.sql(columns).await[0].clone();
    assert_eq!(url_now().await, url);
    assert_eq!((&second[1], &second[2]), (&None, &None));
    assert_ne!(second[3], first[3], "the link in mails to the one before is void");
    let log = "SELECT details::text FROM audit_log WHERE action = 'channel.edit' ORDER BY at";
    let rows = app.sql(log).await;
    assert_eq!(rows.len(), 2);
    assert!(
        rows.iter()
            .all(|row| !row[0].as_deref().unwrap().contains("services")),
        "{rows:?}"
    );
    // The page says what is wrong, and no field loses its text.
    let page = browser.get(&edit).await;
    let seen = page.hidden("seen").unwrap();
    for (field, value, status, said) in [
        ("name", "", 400, "1 to 100 characters"),
        ("target_url", "ftp://shop.example", 400, "https:// or http://"),
        ("quiet_hours", "22-7", 400, "22:00-07:00 Europe/Berlin"),
        (
            "domain",
            "01900000-0000-7000-8000-0000000000ff",
            404,
            "no such page",
        ),
        ("seen", "yesterday", 400, "can’t be read"),
    ] {
        browser.get(&edit).await.is(200);
        let mut fields = vec![
            ("seen", &*seen),
            ("name", "Ops & <i>more</i>"),
            ("domain", ""),
            ("min_severity", "info"),
        ];
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
        browser.submit(&edit, &fields).await.is(status).says(said);
    }
    assert_eq!(app.sql(columns).await[0], second);
}

/// A channel about one domain says so wherever it is shown, and stays about it once the domain is deleted: a change of its name
/// does not open it to all of the workspace.
#[tokio::test]
async fn a_channel_about_one_domain_is_shown_and_edited_as_one() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let domain = app.world.domain.to_string();
    let mut browser = app.signed_in(app.world.owner).await;
    made(&mut browser, &workspace).await;
    browser
        .get("/console/channels")
        .await
        .is(200)
        .is_silent_on("only <bdi>");
    let form = format!("/console/channels/new?workspace={workspace}&kind=slack");
    browser.get(&form).await.is(200).says("shop.example</option>");
    let mut fields = slack(&workspace, "Shop alone");
    fields.retain(|(name, _)| *name != "domain");
    fields.push(("domain", &*domain));
    let created = browser.submit("/console/channels/new", &fields).await.location();
    let path = created.strip_suffix("?made").unwrap();
    browser
        .get("/console/channels")
        .await
        .is(200)
        .says("only <bdi>shop.example</bdi>");
    let (domains, actor) = (&app.stores.domain_admin, actor());
    domains.delete(app.world.domain, &actor, app.now()).await.unwrap();
    browser
        .get("/console/channels")
        .await
        .is(200)
        .says("only <bdi>shop.example (deleted)</bdi>");
    let edit = format!("{path}/edit");
    let page = browser.get(&edit).await;
    page.is(200).says(&format!(
        "value=\"{domain}\" selected>shop.example (deleted)</option>"
    ));
    let seen = page.hidden("seen").unwrap();
    let fields = [
        ("seen", &*seen),
        ("name", "Renamed"),
        ("target_url", ""),
        ("domain", &*domain),
        ("min_severity", "warning"),
        ("quiet_hours", ""),
    ];
    browser.submit(&edit, &fields).await.location();
    let rows = app
        .sql("SELECT domain_id::text FROM alert_channels WHERE name = 'Renamed'")
        .await;
    assert_eq!(rows[0][0].as_deref(), Some(&*domain));
    // Nobody makes a new one of it.
    browser
        .get(&form)
        .await
        .is(200)
        .is_silent_on("shop.example</option>");
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
        ("name", "", 400, ">The name of a channel has 1 to 100 characters"),
        ("name", &*long, 400, "and none of them hidden.<"),
        (
            "target_url",
            "ftp://shop.example",
            400,
            ">The URL is not an https:// or http:// URL",
        ),
        (
            "quiet_hours",
            "22-7",
            400,
            ">Quiet hours are two times and a time zone, such as 22:00-07:00 Europe/Berlin.<",
        ),
        (
            "quiet_hours",
            "22:00-07:00 Moon/Crater",
            400,
            ">The time zone is not an IANA time zone such as Europe/Berlin.<",
        ),
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
        if said.contains("Quiet") || said.contains("https") {
            page.says("Ops &amp; &lt;i&gt;more&lt;/i&gt;");
        }
    }
    // All at once, each at its field.
    browser.get(&form).await.is(200);
    let mut fields = slack(&workspace, "On\u{202e}call");
    fields.retain(|(name, _)| !matches!(*name, "target_url" | "quiet_hours"));
    fields.extend([("target_url", "ftp://shop.example"), ("quiet_hours", "22-7")]);
    let page = browser.submit("/console/channels/new", &fields).await;
    page.is(400).says("Nothing was saved yet");
    for field in ["name", "target_url", "quiet_hours"] {
        page.says(&format!("href=\"#{field}\""))
            .says(&format!("id=\"{field}-fault\""));
    }
    let rows = app.sql("SELECT count(*) FROM alert_channels").await;
    assert_eq!(rows[0][0].as_deref(), Some("0"));
}

#[tokio::test]
async fn a_delivery_that_was_given_up_is_sent_again() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let mut browser = app.signed_in(app.world.owner).await;
    let path = made(&mut browser, &workspace).await;
    browser.get(&path).await.is(200);
    browser.submit(&path, &[("do", "test")]).await.location();
    browser.get(&path).await.is(200).is_silent_on("Send again");
    app.sql("UPDATE jobs SET state = 'dead', finished_at = now()")
        .await;
    app.sql(
        "UPDATE alert_deliveries SET state = 'failed', attempts = 1, last_error = 'no', ended_at = now()",
    )
    .await;
    let id = app.sql("SELECT id FROM alert_deliveries").await[0][0]
        .clone()
        .unwrap();
    let other = "01900000-0000-7000-8000-0000000000ff";
    let refused = [
        (other, 409, "It is not given up any more"),
        ("x", 400, "can’t be read"),
    ];
    for (delivery, status, says) in refused {
        browser
            .get(&path)
            .await
            .is(200)
            .says("given up")
            .says("Send again");
        let again = [("do", "again"), ("delivery", delivery)];
        browser.submit(&path, &again).await.is(status).says(says);
    }
    let again = [("do", "again"), ("delivery", &*id)];
    let shown = browser.get(&path).await.text();
    let (_, offer) = shown.split_once("<h2>Deliveries</h2>").unwrap();
    assert!(offer.contains("name=\"form_id\""), "{offer}");
    // A double click sends the same form twice.
    let clicked = [("form_id", "one"), again[0], again[1]];
    for _ in 0..2 {
        let sent = browser.submit(&path, &clicked).await.location();
        assert_eq!(sent, format!("{path}?again"));
    }
    browser
        .get(&format!("{path}?again"))
        .await
        .is(200)
        .says("It is sent again");
    browser
        .submit(&path, &again)
        .await
        .is(409)
        .says("It is on its way again");
    let job = app.sql("SELECT state, attempts FROM jobs").await;
    assert_eq!(job[0], [Some("queued".to_owned()), Some("0".to_owned())]);
    // Nothing is sent to a channel that is off.
    browser.get(&path).await.is(200);
    browser.submit(&path, &[("do", "off")]).await.location();
    browser.get(&path).await.is(200).is_silent_on("Send again");
    browser
        .submit(&path, &again)
        .await
        .is(409)
        .says("switch it on first");
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
        browser.get(&format!("{path}/edit")).await.is(404);
        browser
            .get(&format!("/console/channels/new?workspace={workspace}&kind=slack"))
            .await
            .is(404);
        // With a token of their own, from a page that they may see.
        browser.get("/console/channels").await.is(200);
        browser.submit(&path, &[("do", "delete")]).await.is(404);
        browser.get("/console/channels").await.is(200);
        browser
            .submit(&format!("{path}/edit"), &[("seen", "0"), ("name", "Mine")])
            .await
            .is(404);
        browser.get("/console/channels").await.is(200);
        browser
            .submit("/console/channels/new", &slack(&workspace, "Mine"))
            .await
            .is(404);
    }
    let rows = app.sql("SELECT count(*) FROM alert_channels").await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
    // Whoever followed a link sees its page once they have signed in.
    let mut nobody = app.browser();
    for asked in [
        path.clone(),
        format!("{path}/edit"),
        format!("/console/channels/new?workspace={workspace}&kind=slack"),
        "/console/channels".to_owned(),
    ] {
        let next: String = form_urlencoded::byte_serialize(asked.as_bytes()).collect();
        nobody
            .get(&asked)
            .await
            .leads_to(&format!("/console/sign-in?next={next}"));
    }
}
