//! The lists that people keep of a module: pages with field data, sitemaps, URLs of Google's index.

use pharos_domain::role::Role;

use crate::{crux, harness::TestApp};

fn list(app: &TestApp, module: &str) -> String {
    format!("/console/domains/{}/{module}/watched", app.world.domain)
}

#[tokio::test]
async fn a_page_is_followed_once_however_often_its_form_is_sent_and_taken_out() {
    let app = TestApp::start().await;
    let path = list(&app, "crux");
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    member.get(&path).await.is(200).says("Nothing is on this list");
    let add = [
        ("do", "add"),
        ("url", "https://shop.example/boots#top"),
        ("label", "<b>Boots</b>"),
    ];
    member
        .submit(&path, &add)
        .await
        .is(400)
        .says("Nothing is collected of the site yet");
    crux::follows(&app, &["https://shop.example/shoes"]).await;
    let long = "l".repeat(101);
    member
        .submit(
            &path,
            &[
                ("do", "add"),
                ("url", "ftp://shop.example/"),
                ("label", long.as_str()),
            ],
        )
        .await
        .is(400)
        .says("Neither http nor https.")
        .says("1 to 100 characters");
    for _ in 0..2 {
        member
            .submit(&path, &add)
            .await
            .leads_to(&format!("{path}?added"));
    }
    member
        .get(&path)
        .await
        .is(200)
        .says("&lt;b&gt;Boots&lt;/b&gt;")
        .is_silent_on("#top");
    let urls = format!("/domains/{}/crux/urls", app.world.domain);
    let followed = app.get(&urls, &app.world.key).send().await.ok();
    let followed = followed["items"].as_array().unwrap();
    assert_eq!(followed.len(), 2, "{followed:?}");
    let boots = followed
        .iter()
        .find(|page| page["url"] == "https://shop.example/boots");
    let id = boots.unwrap()["id"].as_str().unwrap();
    let remove = [("do", "remove"), ("item", id)];
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&path)
        .await
        .is(200)
        .says("https://shop.example/shoes")
        .is_silent_on("Take out");
    viewer.submit(&path, &remove).await.is(403);
    member
        .submit(&path, &remove)
        .await
        .leads_to(&format!("{path}?removed"));
    member.submit(&path, &remove).await.is(404);
    let noted = app
        .sql("SELECT count(*) FROM audit_log WHERE action = 'domain.configure' AND details ->> 'module' = 'crux'")
        .await;
    assert_ne!(noted[0][0].as_deref(), Some("0"));
}

#[tokio::test]
async fn a_sitemap_is_watched_by_the_rules_of_the_api() {
    let app = TestApp::start().await;
    let path = list(&app, "sitemap");
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    member.get(&path).await.is(200);
    for (url, why) in [
        ("", "Not a URL: "),
        ("ftp://shop.example/a.xml", "Neither http nor https."),
        ("https://a:b@shop.example/a.xml", "A user or a password"),
        ("https://other.example/a.xml", "Not on shop.example or below it."),
    ] {
        member
            .submit(&path, &[("do", "add"), ("url", url)])
            .await
            .is(400)
            .says(why);
    }
    let add = [("do", "add"), ("url", "https://www.shop.example/hats.xml")];
    member
        .submit(&path, &add)
        .await
        .leads_to(&format!("{path}?added"));
    member
        .get(&path)
        .await
        .is(200)
        .says("https://www.shop.example/hats.xml")
        .says("pending");
    let files = app
        .sql("SELECT count(*) FROM sitemap_files WHERE url LIKE '%/hats.xml'")
        .await;
    assert_eq!(files[0][0].as_deref(), Some("1"));
}

#[tokio::test]
async fn urls_of_the_index_need_a_property_first() {
    let app = TestApp::start().await;
    let path = list(&app, "indexing");
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    member.get(&path).await.is(200);
    member.get(&format!("{path}?q=a%00%E2%80%AEb")).await.is(200);
    member
        .submit(&path, &[("do", "add"), ("urls", "https://shop.example/hats")])
        .await
        .is(400)
        .says("Connect Search Console first");
    member.get(&list(&app, "robots")).await.is(404);
    member.get(&list(&app, "alerts")).await.is(404);
}
