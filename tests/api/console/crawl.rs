//! The parts of the pages of robots.txt and sitemaps beside the widgets of reports.

use pharos_domain::role::Role;
use pharos_reporting::render::labels::word;
use time::Duration;

use crate::{fixtures, harness::TestApp, robots::see, sitemap};

const FILE: &str = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisalow: /cart\n";

fn page_of(app: &TestApp, module: &str) -> String {
    format!("/console/domains/{}/{module}", app.world.domain)
}

#[tokio::test]
async fn robots_txt_is_shown_line_by_line_and_who_may_come_in() {
    let app = TestApp::start().await;
    see(&app, 200, FILE, app.now()).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let page = viewer.get(&page_of(&app, "robots")).await;
    page.is(200)
        .says("<li id=\"line-1\">")
        .says("<li class=\"warning\" id=\"line-5\">")
        .says("Disalow: /cart");
    let text = page.text();
    let tile = |token: &str| {
        let before = text.split(&format!("</svg>{token}</span>")).next().unwrap();
        let class = before.rsplit("<li class=\"tile ").next().unwrap();
        class.split('"').next().unwrap().to_owned()
    };
    assert_eq!(tile("GPTBot"), "shut");
    assert_eq!(
        tile("Googlebot"),
        "partly",
        "a name of its own: `part` is a part of a form"
    );
    assert_eq!(tile("AdsBot-Google"), "open", "it obeys its name alone");
    assert!(
        !text.contains("<li id=\"line-6\">"),
        "what ends the last line begins no other one"
    );
    assert!(text.find("id=\"file-head\"") < text.find("id=\"crawlers-head\""));
    // The table has all crawlers, not the first ten of them.
    page.says("Facebook link previews");
}

#[tokio::test]
async fn a_long_file_is_shown_page_by_page() {
    let app = TestApp::start().await;
    let rules = (1..1_200).map(|number| format!("Disallow: /{number}/{}\n", "x".repeat(300)));
    let text: String = std::iter::once("User-agent: *\n".to_owned())
        .chain(rules)
        .collect();
    see(&app, 200, &text, app.now()).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let path = page_of(&app, "robots");
    let first = viewer.get(&path).await;
    first
        .is(200)
        .says("1 to 100 of 1,200")
        .says("id=\"line-100\"")
        .is_silent_on("id=\"line-101\"");
    let next = first.link(&format!("{path}?page=2#file-head"));
    let second = viewer.get(next.split('#').next().unwrap()).await;
    second
        .is(200)
        .says("101 to 200 of 1,200")
        .says("id=\"line-101\"")
        .says("Disallow: /100/x");
    let version = viewer.get(&first.link(&format!("{path}/versions/"))).await;
    version.is(200).says("The first 200 of ");
    for page in [first, second, version] {
        let weight = page.0.body.len();
        assert!(weight < 100 * 1024, "{weight}");
    }
}

#[tokio::test]
async fn a_version_is_shown_with_what_it_changed() {
    let app = TestApp::start().await;
    see(&app, 200, FILE, app.now() - Duration::HOUR).await;
    let text = FILE.replace("Disalow: /cart", "Disallow: /");
    see(&app, 200, &text, app.now()).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let path = page_of(&app, "robots");
    let page = viewer.get(&path).await;
    page.is(200).says("Versions, line by line");
    let versions = app
        .get(
            &format!("/domains/{}/robots/versions", app.world.domain),
            &app.world.key,
        )
        .send()
        .await
        .ok();
    let version = |at: usize| {
        let id = versions["items"][at]["version_id"].as_str().unwrap();
        format!("{path}/versions/{id}")
    };
    for at in [0, 1] {
        page.says(&format!("href=\"{}\"", version(at)));
    }
    let newest = viewer.get(&version(0)).await;
    newest
        .is(200)
        .says("<li class=\"removed\"><span class=\"number\">− 5</span>")
        .says("<li class=\"added\"><span class=\"number\">+ 5</span>")
        .says("Who lost or gained the site")
        .says("every other crawler");
    viewer
        .get(&version(1))
        .await
        .is(200)
        .says("the first version that was seen");
    let nobody = format!("{path}/versions/{}", uuid::Uuid::now_v7());
    viewer.get(&nobody).await.is(404);
}

#[tokio::test]
async fn a_fetch_that_failed_says_why() {
    let app = TestApp::start().await;
    see(&app, 200, FILE, app.now()).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let path = page_of(&app, "robots");
    let page = viewer.get(&path).await;
    assert!(!page.is(200).text().contains("The last fetch failed"));
    see(&app, 503, "", app.now() + Duration::MINUTE).await;
    let page = viewer.get(&path).await;
    page.is(200)
        .says("The last fetch failed")
        .says("the server answered 503");
}

#[tokio::test]
async fn urls_are_tried_by_the_file_and_by_another_text() {
    let app = TestApp::start().await;
    see(&app, 200, FILE, app.now()).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let path = page_of(&app, "robots");
    viewer.get(&path).await.is(200);
    let text = "User-agent: *\r\nDisallow: /\r\nSitemap: /here.xml\r\n";
    let tried = viewer
        .submit(
            &path,
            &[
                ("urls", "/cart\r\nhttps://shop.example/shoes"),
                ("user_agent", "Googlebot"),
                ("content", text),
            ],
        )
        .await;
    // /cart is kept out by both, by line 5 now and by line 2 then.
    tried
        .is(200)
        .says("line 5: <code><bdi>disallow /cart</bdi></code>")
        .says("line 2: <code><bdi>disallow /</bdi></code>")
        .says("no rule speaks of it");
    assert_eq!(tried.text().matches("newly kept out").count(), 1);
    assert_eq!(tried.text().matches("as it was").count(), 1);
    tried.says("line 3: ");
    let stored = app
        .get(
            &format!("/domains/{}/robots/current", app.world.domain),
            &app.world.key,
        )
        .send()
        .await
        .ok();
    assert_eq!(stored["content"], FILE, "nothing was saved");
    let far = format!("/{}", "a".repeat(2_048));
    let named = "a".repeat(501);
    for (urls, agent, says) in [
        (
            "https://other.example/",
            "Googlebot",
            "https://other.example/: not a URL of https://shop.example",
        ),
        (&*far, "Googlebot", "longer than 2048 characters"),
        ("", "Googlebot", "Between 1 and 20 URLs"),
        ("/", "1bot", "a name that begins with a letter, _ or -"),
        ("/", &*named, "At most 500 characters"),
    ] {
        let refused = viewer
            .submit(&path, &[("urls", urls), ("user_agent", agent), ("content", "")])
            .await;
        refused.is(400).says(says);
    }
    let long = "\"".repeat(500 * 1024 + 1);
    for (urls, agent, content, says) in [
        ("/", "*", &*long, "crawlers read 512000 of a robots.txt"),
        (&*long, "*", "", "longer than 2048 characters"),
        ("/", &*long, "", "At most 500 characters"),
    ] {
        let fields = [("urls", urls), ("user_agent", agent), ("content", content)];
        let refused = viewer.submit(&path, &fields).await;
        refused.is(400).says(says);
        let weight = refused.0.body.len();
        assert!(weight < 100 * 1024, "{says}: {weight} bytes");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sitemaps_are_shown_over_90_days_with_examples_of_what_is_wrong() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let page = viewer.get(&page_of(&app, "sitemap")).await;
    page.is(200).says("Growth over 90 days");
    let issues = sitemap::get(&app, "issues").await.ok();
    let first = &issues["items"][0];
    // In the words of the table of findings above.
    let code = word(first["code"].as_str().unwrap());
    page.says(&format!("<strong>{code}</strong>"));
    let example = first["examples"][0].as_str().unwrap();
    page.says(&format!("<code><bdi>{example}</bdi></code>"));
}

#[tokio::test]
async fn further_hosts_are_listed_on_the_domain() {
    let app = TestApp::start().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let path = page_of(&app, "settings");
    admin.get(&path).await.is(200).says("Further hosts");
    let send = |hosts: &'static str| [("do", "hosts"), ("hosts", hosts)];
    admin
        .submit(
            &path,
            &send("www.shop.example\r\nhttps://www.shop.example/\r\nhttp://shop.example:8080"),
        )
        .await
        .leads_to(&format!("{path}?saved#further-hosts"));
    let listed = app.sql("SELECT origin FROM crawl_hosts ORDER BY position").await;
    let expected = ["https://www.shop.example", "http://shop.example:8080"];
    assert_eq!(listed, expected.map(|origin| [Some(origin.to_owned())]));
    let refused = admin
        .submit(&path, &send("www.shop.example\r\nother.example"))
        .await;
    refused
        .is(400)
        .says("other.example does not lie on shop.example or below it");
    assert_eq!(
        app.sql("SELECT origin FROM crawl_hosts ORDER BY position").await,
        listed
    );
    admin.get(&path).await.is(200);
    admin
        .submit(&path, &send("http://shop.example:8080"))
        .await
        .leads_to(&format!("{path}?saved#further-hosts"));
    assert_eq!(
        app.sql("SELECT origin FROM crawl_hosts").await,
        [[Some(expected[1].to_owned())]]
    );
}

#[tokio::test]
async fn how_often_robots_txt_and_sitemaps_are_checked_is_chosen() {
    let app = TestApp::start().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let path = page_of(&app, "settings");
    admin
        .get(&path)
        .await
        .is(200)
        .says("<option value=\"1h\" selected>every 1 h</option>")
        .says("<option value=\"6h\" selected>every 6 h</option>");
    let send = |robots: &'static str, sitemaps: &'static str| {
        [
            ("do", "intervals"),
            ("robots_interval", robots),
            ("sitemap_interval", sitemaps),
        ]
    };
    admin
        .submit(&path, &send("15m", "7d"))
        .await
        .leads_to(&format!("{path}?saved#crawl-intervals"));
    let stored = "SELECT r.interval_seconds, s.interval_seconds
        FROM robots_sites AS r JOIN sitemap_sites AS s ON s.domain_id = r.domain_id";
    let chosen = [[Some("900".to_owned()), Some("604800".to_owned())]];
    assert_eq!(app.sql(stored).await, chosen);
    admin
        .get(&path)
        .await
        .is(200)
        .says("<option value=\"15m\" selected>every 15 min</option>")
        .says("<option value=\"7d\" selected>every 7 d</option>");
    for (robots, sitemaps) in [
        ("5m", "6h"),
        ("7d", "6h"),
        ("1h", "15m"),
        ("1h", ""),
        ("3600", "6h"),
    ] {
        admin.submit(&path, &send(robots, sitemaps)).await.is(400);
    }
    assert_eq!(app.sql(stored).await, chosen, "nothing else was stored");
    let audited = app
        .sql("SELECT details ->> 'robots_interval', details ->> 'sitemap_interval' FROM audit_log WHERE action = 'domain.configure'")
        .await;
    assert_eq!(audited, [[Some("15m".to_owned()), Some("7d".to_owned())]]);

    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer.get(&page_of(&app, "robots")).await.is(200);
    let refused = viewer.submit(&path, &send("1d", "1d")).await;
    assert_eq!(app.sql(stored).await, chosen, "{}", refused.text());
}

#[tokio::test]
async fn urls_are_saved_with_what_is_expected_of_them_by_one_of_two_tabs() {
    let app = TestApp::start().await;
    see(&app, 200, "User-agent: *\nDisallow: /cart\n", app.now()).await;
    let path = page_of(&app, "robots/saved");
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let page = member.get(&path).await;
    page.is(200).says("No URL is saved yet");
    let seen = page.hidden("seen").unwrap();
    let list = |saved: &'static str| [("seen", seen.as_str()), ("saved", saved)];
    member
        .submit(&path, &list("open /cart *\nallowed https://other.example/ *"))
        .await
        .is(400)
        .says("Line 1: it begins with allowed or disallowed")
        .says("Line 2: not a URL of https://shop.example");
    let saved = "disallowed /cart Googlebot\ndisallowed https://shop.example/hats Mozilla/5.0 (x)";
    member
        .submit(&path, &list(saved))
        .await
        .leads_to(&format!("{path}?saved"));
    let urls = format!("/domains/{}/robots/test-urls", app.world.domain);
    let known = app.get(&urls, &app.world.key).send().await.ok();
    assert_eq!(known["items"][0]["url"], "https://shop.example/cart");
    assert_eq!(known["items"][0]["passing"], true);
    assert_eq!(known["items"][1]["user_agent"], "Mozilla/5.0 (x)");
    assert_eq!(known["items"][1]["passing"], false);
    // The other tab still has the empty list.
    member
        .submit(&path, &list(""))
        .await
        .is(400)
        .says("This was changed meanwhile");
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    viewer
        .get(&path)
        .await
        .is(200)
        .says("not as expected")
        .is_silent_on("Save the list");
    viewer.submit(&path, &list("")).await.is(403);
}
