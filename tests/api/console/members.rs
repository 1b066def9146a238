//! Members and workspaces: who may bring whom in, make them what, and take them out.

use pharos_domain::role::Role;
use uuid::Uuid;

use super::{
    PASSWORD,
    keys::{copied, twice},
};
use crate::{
    admin::{done, pharos, refused},
    harness::TestApp,
};

#[tokio::test]
async fn a_person_without_an_account_is_brought_in_by_a_link() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let new = app.of_workspace("members/new");
    browser.get(&new).await.is(200).says("owner");
    let fields = [
        ("email", "Eve@Example.org"),
        ("name", "<i>Eve</i>"),
        ("role", "viewer"),
    ];
    let page = browser.submit(&new, &fields).await;
    let link = copied(page.is(200), "link");
    let path = link.strip_prefix(&browser.origin()).unwrap();
    let mut eve = app.browser();
    eve.get(path).await.is(200).says("eve@example.org");
    eve.submit(path, &[("password", PASSWORD), ("again", PASSWORD)])
        .await
        .location();
    eve.get(&app.of_workspace("members"))
        .await
        .is(200)
        .says("eve@example.org")
        .is_silent_on("members/new");
    eve.get(path).await.is(410);
    // The second time she is there, and whoever has an account needs no link.
    browser.get(&new).await;
    browser
        .submit(&new, &fields)
        .await
        .is(400)
        .says("This person is a member already");
    app.person("ada@example.org").await;
    let fields = [("email", "ada@example.org"), ("name", "Ada"), ("role", "owner")];
    browser
        .submit(&new, &fields)
        .await
        .leads_to(&format!("{}?added", app.of_workspace("members")));
}

#[tokio::test]
async fn a_double_click_shows_the_one_link_of_a_person() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let new = app.of_workspace("members/new");
    let form_id = browser.get(&new).await.hidden("form_id").unwrap();
    let fields = [
        ("form_id", form_id.as_str()),
        ("email", "eve@example.org"),
        ("name", "Eve"),
        ("role", "viewer"),
    ];
    twice(&mut browser, &new, &fields, "link").await;
    let eve = app
        .sql("SELECT id::text FROM users WHERE email = 'eve@example.org'")
        .await;
    let hers = app.of_workspace(&format!("members/{}", eve[0][0].as_deref().unwrap()));
    let form_id = browser.get(&hers).await.hidden("form_id").unwrap();
    let fields = [("do", "link"), ("form_id", form_id.as_str())];
    let link = twice(&mut browser, &hers, &fields, "link").await;
    let path = link.strip_prefix(&browser.origin()).unwrap();
    app.browser().get(path).await.is(200).says("eve@example.org");
    let made = app
        .sql("SELECT count(*)::text FROM audit_log WHERE action = 'user.link' AND details ->> 'email' = 'eve@example.org'")
        .await;
    assert_eq!(made[0][0].as_deref(), Some("2"));
}

#[tokio::test]
async fn nobody_is_brought_in_with_a_bad_form() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let new = app.of_workspace("members/new");
    browser.get(&new).await;
    let long = "n".repeat(101);
    for (email, name, why) in [
        ("", "Eve", "is not an e-mail address"),
        ("eve", "Eve", "is not an e-mail address"),
        ("<b>@x", "", "has 1 to 100 characters"),
        ("eve\0@example.org", "Eve", "is not an e-mail address"),
        ("eve@example.org", "", "has 1 to 100 characters"),
        ("eve@example.org", &long, "has 1 to 100 characters"),
    ] {
        let fields = [("email", email), ("name", name), ("role", "viewer")];
        browser
            .submit(&new, &fields)
            .await
            .is(400)
            .says(why)
            .is_silent_on("<b>@x");
    }
    let fields = [("email", "eve@example.org"), ("name", "Eve"), ("role", "king")];
    browser.submit(&new, &fields).await.is(400);
    let rows = app.sql("SELECT count(*) FROM users").await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
}

#[tokio::test]
async fn an_admin_looks_after_all_but_owners() {
    let app = TestApp::start().await;
    let admin = app.member("admin@example.org", Role::Admin).await;
    let viewer = app.member("viewer@example.org", Role::Viewer).await;
    let mut browser = app.signed_in(admin).await;
    let (of_owner, of_viewer) = (
        app.of_workspace(&format!("members/{}", app.world.owner)),
        app.of_workspace(&format!("members/{viewer}")),
    );
    let new = app.of_workspace("members/new");
    browser.get(&new).await.is(200).is_silent_on("value=\"owner\"");
    let fields = [("email", "eve@example.org"), ("name", "Eve"), ("role", "owner")];
    browser.submit(&new, &fields).await.is(403);
    browser.get(&of_owner).await.is(200).is_silent_on("name=\"role\"");
    for deed in ["change", "remove", "transfer", "link"] {
        let fields = [("do", deed), ("role", "viewer"), ("credit_cap", "")];
        browser.submit(&of_owner, &fields).await.is(403);
    }
    browser
        .submit(
            &of_viewer,
            &[("do", "change"), ("role", "owner"), ("credit_cap", "")],
        )
        .await
        .is(403);
    browser
        .submit(
            &of_viewer,
            &[("do", "change"), ("role", "member"), ("credit_cap", "-1")],
        )
        .await
        .is(400)
        .says("0 or more");
    browser
        .submit(
            &of_viewer,
            &[("do", "change"), ("role", "member"), ("credit_cap", "500")],
        )
        .await
        .leads_to(&format!("{of_viewer}?changed"));
    browser.get(&of_viewer).await.is(200).says(">member<").says("500");
    let link = browser.submit(&of_viewer, &[("do", "link")]).await;
    assert!(copied(link.is(200), "link").contains("/console/welcome/psl_"));
    // Somebody with another workspace is not the admin's to reset.
    let stores = &app.stores;
    stores
        .workspace_admin
        .create("Theirs", viewer, "default", &crate::harness::actor(), app.now())
        .await
        .unwrap();
    browser.get(&of_viewer).await.is(200).is_silent_on("Make a link");
    browser.submit(&of_viewer, &[("do", "link")]).await.is(403);
}

#[tokio::test]
async fn a_form_that_was_filled_before_gives_no_role_back_that_was_taken_away() {
    let app = TestApp::start().await;
    let ada = app.member("ada@example.org", Role::Admin).await;
    let hers = app.of_workspace(&format!("members/{ada}"));
    let mut browser = app.signed_in(app.world.owner).await;
    let before = browser.get(&hers).await.hidden("seen").unwrap();
    let fields = [
        ("do", "change"),
        ("seen", before.as_str()),
        ("role", "viewer"),
        ("credit_cap", ""),
    ];
    browser
        .submit(&hers, &fields)
        .await
        .leads_to(&format!("{hers}?changed"));
    // Another tab was opened before that, and its reader means nothing but a cap.
    let capped = [
        ("do", "change"),
        ("seen", before.as_str()),
        ("role", "admin"),
        ("credit_cap", "500"),
    ];
    browser
        .submit(&hers, &capped)
        .await
        .is(400)
        .says("This was changed meanwhile")
        .says("value=\"viewer\" selected");
    let now = browser.get(&hers).await.hidden("seen").unwrap();
    assert_ne!(now, before);
    let again = [
        ("do", "change"),
        ("seen", now.as_str()),
        ("role", "viewer"),
        ("credit_cap", "500"),
    ];
    browser
        .submit(&hers, &again)
        .await
        .leads_to(&format!("{hers}?changed"));
    browser
        .get(&hers)
        .await
        .is(200)
        .says("value=\"viewer\" selected")
        .says("500");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_owner_of_a_workspace_makes_a_link_for_an_operator() {
    let app = TestApp::start().await;
    let operator = app.member("operator@example.org", Role::Viewer).await;
    let email = app.owner_email().await;
    let of_operator = app.of_workspace(&format!("members/{operator}"));
    let mut owner = app.signed_in(app.world.owner).await;
    owner.get(&of_operator).await.is(200).says("Make a link");
    // Nor does one become an operator whose password an owner can know.
    let page = owner.submit(&of_operator, &[("do", "link")]).await;
    let link = copied(page.is(200), "link");
    let path = link.strip_prefix(&owner.origin()).unwrap();
    let mut browser = app.browser();
    browser.get(path).await.is(200);
    browser
        .submit(path, &[("password", PASSWORD), ("again", PASSWORD)])
        .await
        .location();
    let make = ["user", "operator", "operator@example.org"];
    refused(&pharos(&app, &make), "another user made a link");
    app.signed_in(operator).await;
    done(&pharos(&app, &make));
    // The page that was open before offers it still.
    owner.submit(&of_operator, &[("do", "link")]).await.is(403);
    owner
        .get(&of_operator)
        .await
        .is(200)
        .says("Make them owner")
        .is_silent_on("Make a link");
    let links = app.sql("SELECT count(*) FROM sign_in_links").await;
    assert_eq!(links[0][0].as_deref(), Some("0"));

    done(&pharos(&app, &["user", "operator", &email]));
    owner.get(&of_operator).await.is(200).says("Make a link");
    let page = owner.submit(&of_operator, &[("do", "link")]).await;
    assert!(copied(page.is(200), "link").contains("/console/welcome/psl_"));
}

#[tokio::test]
async fn the_last_owner_stays_until_they_hand_over() {
    let app = TestApp::start().await;
    let ada = app.member("ada@example.org", Role::Member).await;
    let mut browser = app.signed_in(app.world.owner).await;
    let (own, hers) = (
        app.of_workspace(&format!("members/{}", app.world.owner)),
        app.of_workspace(&format!("members/{ada}")),
    );
    // The keys that would end are named before.
    browser
        .get(&own)
        .await
        .is(200)
        .says("These keys end with the membership")
        .says("svc_dev_");
    for fields in [
        vec![("do", "remove")],
        vec![("do", "change"), ("role", "admin"), ("credit_cap", "")],
    ] {
        browser
            .submit(&own, &fields)
            .await
            .is(400)
            .says("left without an owner");
    }
    browser.get(&hers).await.is(200).says("Hand the workspace over");
    browser
        .submit(&hers, &[("do", "transfer")])
        .await
        .leads_to(&format!("{hers}?changed"));
    let roles = app.sql("SELECT role FROM members ORDER BY role").await;
    assert_eq!(roles, [[Some("admin".to_owned())], [Some("owner".to_owned())]]);
    browser.get(&own).await;
    browser
        .submit(&own, &[("do", "remove")])
        .await
        .leads_to("/console");
    browser.get(&own).await.is(404);
    let me = app.get("/me", &app.world.key).send_unchecked().await;
    assert_eq!(me.status, 401);
}

#[tokio::test]
async fn a_workspace_that_can_not_be_handed_over_keeps_its_one_owner() {
    let app = TestApp::start().await;
    let ada = app.member("ada@example.org", Role::Member).await;
    let mut browser = app.signed_in(app.world.owner).await;
    let hers = app.of_workspace(&format!("members/{ada}"));
    browser.get(&hers).await.is(200);
    app.sql(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'nobody becomes an admin'; END $$;
         CREATE TRIGGER refuse BEFORE UPDATE ON members FOR EACH ROW WHEN (NEW.role = 'admin') EXECUTE FUNCTION refuse()",
    )
    .await;
    browser.submit(&hers, &[("do", "transfer")]).await.is(500);
    let roles = app
        .sql("SELECT user_id::text, role FROM members ORDER BY role DESC")
        .await;
    let roles: Vec<(&str, &str)> = roles
        .iter()
        .map(|row| (row[0].as_deref().unwrap(), row[1].as_deref().unwrap()))
        .collect();
    let (owner, ada) = (app.world.owner.to_string(), ada.to_string());
    assert_eq!(roles, [(owner.as_str(), "owner"), (ada.as_str(), "member")]);
}

#[tokio::test]
async fn what_is_said_of_roles_holds() {
    let app = TestApp::start().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&app.of_workspace("members"))
        .await
        .is(200)
        .says("but its settings, channels, jobs, refused requests and audit trail")
        .says("looks after rules, reports, pages of the lab and what is watched");
    for closed in ["settings", "jobs", "refusals", "audit"] {
        viewer.get(&app.of_workspace(closed)).await.is(403);
    }
    viewer
        .get("/console/channels")
        .await
        .is(200)
        .says("You are neither in any");
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let site = format!("/console/domains/{}", app.world.domain);
    for page in ["alerts/new", "reports/new"] {
        let page = format!("{site}/{page}");
        viewer.get(&page).await.is(403);
        member.get(&page).await.is(200);
    }
}

#[tokio::test]
async fn ids_of_others_are_not_found_and_members_change_nobody() {
    let app = TestApp::start().await;
    let stranger = app.person("stranger@example.org").await;
    let viewer = app.member("viewer@example.org", Role::Viewer).await;
    let mut browser = app.signed_in(viewer).await;
    for id in [stranger.to_string(), Uuid::now_v7().to_string(), "x".to_owned()] {
        let path = app.of_workspace(&format!("members/{id}"));
        browser.get(&path).await.is(404);
        browser.get(&app.of_workspace("members")).await.is(200);
        browser.submit(&path, &[("do", "remove")]).await.is(404);
    }
    let of_owner = app.of_workspace(&format!("members/{}", app.world.owner));
    browser.get(&of_owner).await.is(200).is_silent_on("Remove");
    for deed in ["change", "remove", "transfer", "link"] {
        let fields = [("do", deed), ("role", "viewer"), ("credit_cap", "")];
        browser.submit(&of_owner, &fields).await.is(403);
    }
    browser.get(&app.of_workspace("settings")).await.is(403);
    let rows = app.sql("SELECT count(*) FROM members WHERE role = 'owner'").await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
}

#[tokio::test]
async fn a_workspace_is_made_and_renamed() {
    let app = TestApp::start().await;
    let ada = app.person("ada@example.org").await;
    let mut browser = app.signed_in(ada).await;
    browser.get("/console").await.leads_to("/console/workspaces/new");
    browser.get("/console/workspaces/new").await.is(200);
    let long = "w".repeat(101);
    for name in ["", "  ", long.as_str(), "a\nb"] {
        browser
            .submit("/console/workspaces/new", &[("name", name)])
            .await
            .is(400)
            .says("1 to 100 characters");
    }
    let fields = [("name", "<b>Ada’s</b>")];
    let location = browser
        .submit("/console/workspaces/new", &fields)
        .await
        .location();
    let settings = format!("{location}/settings");
    browser
        .get(&settings)
        .await
        .is(200)
        .says("&lt;b&gt;Ada’s&lt;/b&gt;");
    browser.submit(&settings, &[("name", "")]).await.is(400);
    browser
        .submit(&settings, &[("name", "Other")])
        .await
        .leads_to(&format!("{settings}?changed"));
    browser.get(&settings).await.is(200).says("Other");
    for _ in 1..10 {
        browser.get("/console/workspaces/new").await;
        browser
            .submit("/console/workspaces/new", &[("name", "More")])
            .await
            .location();
    }
    browser.get("/console/workspaces/new").await;
    browser
        .submit("/console/workspaces/new", &[("name", "More")])
        .await
        .is(400)
        .says("You own 10 workspaces already");
}

#[tokio::test(flavor = "multi_thread")]
async fn workspaces_that_are_made_at_once_are_as_many_as_one_may_own() {
    let app = TestApp::start().await;
    let ada = app.person("ada@example.org").await;
    let mut browser = app.signed_in(ada).await;
    for _ in 0..9 {
        let made = app
            .stores
            .workspace_admin
            .create("One", ada, "default", &crate::harness::actor(), app.now())
            .await;
        made.unwrap();
    }
    browser.get("/console/workspaces/new").await.is(200);
    let tabs = (0..8).map(|_| {
        let mut tab = browser.clone();
        async move { tab.submit("/console/workspaces/new", &[("name", "Last")]).await }
    });
    let answers = futures_util::future::join_all(tabs).await;
    let made = answers.iter().filter(|answer| answer.0.status == 303).count();
    let refused = answers.iter().filter(|answer| answer.0.status == 400).count();
    assert_eq!((made, refused), (1, 7));
    let owned = app
        .sql(&format!(
            "SELECT count(*)::text FROM members WHERE user_id = '{ada}' AND role = 'owner'"
        ))
        .await;
    assert_eq!(owned[0][0].as_deref(), Some("10"));
}
