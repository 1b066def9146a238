//! Forms that are taken from nobody.

use pharos_domain::hostname::Hostname;

use super::{
    forms::forms,
    pages::PAGES,
    reads::people,
    table::{Door, FormRow, Sent},
};
use crate::{
    console::{browser::Page, stage::Stage},
    harness::actor,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_form_without_its_token_with_another_or_from_elsewhere_stores_nothing() {
    let mut stage = Stage::set().await;
    let stranger = stage.app.person("stranger@example.org").await;
    let mut stranger = stage.app.signed_in(stranger).await;
    stranger.get("/console/apps").await.is(200);
    stage.owner.get("/console/apps").await.is(200);
    let (own, foreign) = (stage.owner.token.clone(), stranger.token.clone());
    let origin = stage.owner.origin();
    let before = stage.settled().await;
    for row in forms().filter(|row| !row.is_by_link) {
        let to = stage.fill(row.to);
        for (token, origin, says) in [
            (None, &*origin, "This form is out of date"),
            (Some(""), &*origin, "This form is out of date"),
            (Some(&*foreign), &*origin, "This form is out of date"),
            (
                Some(&*own),
                "https://evil.example",
                "This form came from another address",
            ),
            (Some(&*own), "null", "This form came from another address"),
        ] {
            let fields = filled(&stage, row);
            let mut sent: Vec<(&str, &str)> = token.map(|token| ("token", token)).into_iter().collect();
            sent.extend(fields.iter().map(|(name, value)| (*name, value.as_str())));
            let page = stage.owner.post(&to, &sent, origin).await;
            assert_eq!(page.0.status, 403, "{to}: {}", page.text());
            page.says(says).says("Nothing was changed");
        }
    }
    assert_eq!(stage.stored().await, before);
    stage.owner.get("/console/apps").await.is(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_who_may_not_send_it_stores_nothing() {
    let stage = Stage::set().await;
    let people = people(&stage).await;
    let before = stage.settled().await;
    for row in forms().filter(|row| row.door != Door::Open) {
        let to = stage.fill(row.to);
        let fields = filled(&stage, row);
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        for (browser, role) in &people {
            // Who may send it is not tried here: 200 stands for whatever they would get.
            let expected = row.door.status(*role, 200);
            if expected != 200 {
                let page = browser.clone().submit(&to, &fields).await;
                assert_eq!(page.0.status, expected, "{role:?} to {to}: {}", page.text());
            }
        }
        let mut nobody = stage.app.browser();
        let origin = nobody.origin();
        let page = nobody.post(&to, &fields, &origin).await;
        if row.is_framed {
            assert_eq!(page.0.status, 401, "{to}");
        } else {
            is_sent_to_sign_in(&page, &to);
        }
    }
    assert_eq!(stage.stored().await, before);
}

/// Both workspaces are the owner's, so that what is asked for is all that is not theirs there.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_below_one_workspace_or_domain_is_not_found_below_another() {
    let mut stage = Stage::set().await;
    let (app, actor) = (&stage.app, actor());
    let elsewhere = app
        .stores
        .workspace_admin
        .create("Elsewhere", app.world.owner, "default", &actor, app.now())
        .await
        .unwrap();
    let hostname: Hostname = "elsewhere.example".parse().unwrap();
    let domain = app
        .stores
        .domain_admin
        .add(elsewhere.id, &hostname, None, &actor, app.now())
        .await
        .unwrap();
    let (workspace, domain) = (elsewhere.id.to_string(), domain.id.to_string());
    // The same address below the other; `None` where it names nothing that lies below.
    let moved = |address: &str| -> Option<String> {
        let moved = address
            .replace("{workspace_id}", &workspace)
            .replace("{domain_id}", &domain);
        (moved != address && moved.contains('{')).then_some(moved)
    };
    stage.owner.get("/console/apps").await.is(200);
    let before = stage.settled().await;
    let mut pages = 0;
    for moved in PAGES.iter().filter_map(|row| moved(row.address)) {
        let page = stage.read(&moved).await;
        assert_eq!(page.0.status, 404, "{moved}: {}", page.text());
        pages += 1;
    }
    assert!(pages > 10, "{pages} pages");
    for row in forms() {
        let Some(moved) = moved(row.to) else { continue };
        let fields = filled(&stage, row);
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let to = stage.fill(&moved);
        let page = stage.owner.submit(&to, &fields).await;
        // Some forms are judged before it is looked for what they are about.
        assert!(
            [400, 404].contains(&page.0.status),
            "{to}: {} {}",
            page.0.status,
            page.text()
        );
    }
    assert_eq!(stage.stored().await, before);
}

#[track_caller]
fn is_sent_to_sign_in(page: &Page, to: &str) {
    let location = page.location();
    assert!(location.starts_with("/console/sign-in"), "{to}: {location}");
}

/// The fields of a form as they are in order. Fields that a page fills are left empty: nobody gets as far as that.
fn filled(stage: &Stage, row: &FormRow) -> Vec<(&'static str, String)> {
    let fields = row.fields.iter().map(|field| match *field {
        Sent::Typed(name, value) | Sent::Chosen(name, value) => (name, stage.fill(value)),
        Sent::Kept(name) => (name, String::new()),
    });
    fields.collect()
}
