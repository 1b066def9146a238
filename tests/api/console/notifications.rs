//! The notifications of a workspace, and which of them each user has read.

use pharos_domain::role::Role;
use serde_json::Value;

use crate::{fixtures, harness::TestApp};

/// The number behind the way to the notifications.
fn count(unread: u64) -> String {
    format!("<span class=\"badge\">{unread}<span class=\"aside\"> unread</span></span>")
}

async fn told(app: &TestApp, rest: &str) -> Value {
    let path = format!("/domains/{}/notifications{rest}", app.world.domain);
    app.get(&path, &app.world.key).send().await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_told_is_marked_as_read_one_by_one_and_all_at_once() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    // Nothing is made at the moment at which all is marked, or after it: triggers go by the clock of the database.
    app.sql("UPDATE notifications SET created_at = least(created_at, '2026-03-31 09:15Z')")
        .await;
    app.clock.advance(time::Duration::minutes(1));
    let path = app.of_workspace("notifications");
    let page = told(&app, "").await;
    let id = page["items"][0]["id"].as_str().unwrap();
    let unread = page["unread_total"].as_u64().unwrap();
    assert!(unread > 0, "{page}");
    let mut owner = app.signed_in(app.world.owner).await;
    owner
        .get(&path)
        .await
        .is(200)
        .says(&count(unread))
        .says("Mark as read");
    let domain = app.world.domain.to_string();
    let mark = |step: &'static str| [("do", step), ("domain", &*domain), ("notification", id)];
    owner.submit(&path, &mark("read")).await.leads_to(&path);
    let one = told(&app, &format!("/{id}")).await;
    assert!(one["read_at"].is_string(), "{one}");
    let after = owner.get(&path).await;
    after.is(200).says("Mark as unread").is_silent_on(&count(unread));
    owner.submit(&path, &mark("unread")).await.leads_to(&path);
    owner.get(&path).await.is(200).says(&count(unread));

    let of_domain = format!("{path}?domain={domain}");
    owner
        .submit(&path, &[("do", "all"), ("domain", &*domain)])
        .await
        .leads_to(&of_domain);
    owner
        .get(&of_domain)
        .await
        .is(200)
        .says("All of them are read")
        .is_silent_on("> unread</span>");
    owner
        .get(&format!("{of_domain}&show=unread"))
        .await
        .is(200)
        .says("Nothing here");
    let left = told(&app, "?unread=true").await;
    assert_eq!(left["unread_total"], 0, "{left}");

    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    member.get(&path).await.is(200).says(&count(unread));
    for (field, status) in [
        ([("do", "x"), ("domain", &*domain)], 400),
        ([("do", "read"), ("domain", &*domain)], 400),
        ([("do", "all"), ("domain", "x")], 404),
    ] {
        member.submit(&path, &field).await.is(status);
    }
    let strange = uuid::Uuid::now_v7().to_string();
    let nobodys = [("do", "read"), ("domain", &*domain), ("notification", &*strange)];
    member.submit(&path, &nobodys).await.is(404);
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&path)
        .await
        .is(200)
        .says("Severity")
        .is_silent_on("Mark as read")
        .is_silent_on("> unread</span>");
    viewer.submit(&path, &mark("read")).await.is(403);
    let noted = app
        .sql("SELECT count(*) FROM audit_log WHERE action = 'notification.read'")
        .await;
    assert_eq!(noted[0][0].as_deref(), Some("3"));
}

/// No key marks what is about the workspace alone, so people do it here, each for themselves; and then nothing is left unread.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_about_the_workspace_is_marked_as_read_in_the_console() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace;
    for (number, of) in [
        (1, "NULL".to_owned()),
        (2, "NULL".to_owned()),
        (3, format!("'{}'", app.world.domain)),
    ] {
        app.sql(&format!(
            "INSERT INTO notifications (id, workspace_id, domain_id, kind, severity, title, body, data, created_at)
             VALUES ('01900000-0000-7000-8000-00000000000{number}', '{workspace}', {of}, 'quota_warning', 'warning', 'Told {number}',
                'Told.', '{{}}', '2026-03-31 09:00Z')"
        ))
        .await;
    }
    let path = app.of_workspace("notifications");
    let all = async |query: &str| {
        let page = app.get(&format!("/notifications{query}"), &app.world.key);
        page.send().await.ok()
    };
    assert_eq!(all("").await["unread_total"], 3);
    let mut owner = app.signed_in(app.world.owner).await;
    owner
        .get(&path)
        .await
        .is(200)
        .says("Mark as read: Told 1")
        .says("Mark those about the workspace as read");
    let one = "01900000-0000-7000-8000-000000000001";
    let mark = |step: &'static str| [("do", step), ("notification", one)];
    owner.submit(&path, &mark("read")).await.leads_to(&path);
    owner.get(&path).await.is(200).says("Mark as unread: Told 1");
    assert_eq!(all("").await["unread_total"], 2);
    let read = all("?unread=false").await;
    assert_eq!(read["items"][0]["id"], one, "{read}");
    assert_eq!(read["items"].as_array().unwrap().len(), 1, "{read}");
    owner.submit(&path, &mark("unread")).await.leads_to(&path);
    assert_eq!(all("").await["unread_total"], 3);

    owner.submit(&path, &[("do", "all")]).await.leads_to(&path);
    let left = all("?unread=true").await;
    assert_eq!(left["unread_total"], 1, "that about the domain: {left}");
    assert_eq!(left["items"].as_array().unwrap().len(), 1, "{left}");
    owner
        .get(&path)
        .await
        .is(200)
        .is_silent_on("Mark those about the workspace as read");

    // Nobody marks for others, nor what is another's.
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    member.get(&path).await.is(200).says("Mark as read: Told 1");
    let of_domain = "01900000-0000-7000-8000-000000000003";
    for (fields, status) in [
        ([("do", "read"), ("notification", of_domain)], 404),
        ([("do", "read"), ("notification", "x")], 400),
        ([("do", "x"), ("notification", one)], 400),
    ] {
        member.submit(&path, &fields).await.is(status);
    }
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer.get(&path).await.is(200).is_silent_on("Mark as read");
    viewer.submit(&path, &mark("read")).await.is(403);
    let noted = app
        .sql("SELECT count(*) FROM audit_log WHERE action = 'notification.read'")
        .await;
    assert_eq!(noted[0][0].as_deref(), Some("3"));
}
