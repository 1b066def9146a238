//! The pages, and what operators ask.

use std::collections::HashMap;

use pharos_crawl::robots::{file::RobotsFile, pattern::Target};
use pharos_domain::problem::Suffix;

use crate::harness::{Reply, TestApp};

const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'";
/// The policy of the page of an operation, which has a script that calls it.
const CALLING: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; script-src 'self'; \
                       connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

#[tokio::test]
async fn the_type_of_every_problem_resolves_to_its_page() {
    let app = TestApp::start().await;
    let kind = app.request("GET", "/me").send().await.json()["type"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        kind,
        format!("http://{}/docs/api/errors/missing-credential", app.address)
    );
    for suffix in Suffix::ALL {
        let page = app
            .request("GET", &format!("//docs/api/errors/{suffix}"))
            .send_unchecked()
            .await;
        let text = String::from_utf8_lossy(&page.body).into_owned();
        assert_eq!(page.status, 200, "{suffix}");
        assert!(
            text.contains(&format!("<h1>{}</h1>", suffix.title())) && text.contains(suffix.as_str()),
            "{suffix}"
        );
        assert!(!text.contains('`'), "{suffix}: {text}");
    }
    let unknown = app
        .request("GET", "//docs/api/errors/nothing")
        .send_unchecked()
        .await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn the_reference_names_every_operation() {
    let app = TestApp::start().await;
    let page = app.request("GET", "//docs").send_unchecked().await;
    let text = String::from_utf8_lossy(&page.body).into_owned();
    for operation in pharos_server::registry::registry().unwrap().operations() {
        assert!(text.contains(operation.spec.summary), "{}", operation.spec.id);
    }
    let problems = app.request("GET", "//docs/api/errors").send_unchecked().await;
    assert_eq!(problems.status, 200);
    let text = String::from_utf8_lossy(&problems.body).into_owned();
    assert!(
        !text.contains('`') && text.contains("<code>errors</code> names each one."),
        "{text}"
    );
}

/// A page of its own for each operation, which asks nobody else for anything.
#[tokio::test]
async fn every_operation_has_a_page_that_search_finds() {
    let app = TestApp::start().await;
    let read = async |path: &str| {
        let page = app.request("GET", path).send_unchecked().await;
        (page.status, String::from_utf8_lossy(&page.body).into_owned())
    };
    let registry = pharos_server::registry::registry().unwrap();
    let open = registry.open().iter().map(|operation| operation.spec.id);
    let ids = registry.operations().iter().map(|operation| operation.spec.id);
    for id in ids.chain(open) {
        let (status, text) = read(&format!("//docs/operations/{id}")).await;
        assert_eq!(status, 200, "{id}");
        assert!(
            text.contains("<h2>Refusals</h2>") && text.contains("curl -s"),
            "{id}: {text}"
        );
        let loads = text.matches(" src=").count();
        assert_eq!(
            text.matches(" src=\"/docs/script/").count(),
            loads,
            "{id}: {text}"
        );
        assert!(!text.contains("href=\"http"), "{id}: {text}");
    }
    let (_, config) = read("//docs/operations/updateUptimeConfig").await;
    for part in [
        "<code>domain_id (path)</code><br>required",
        "<td>write:uptime</td>",
        "<code>maintenance_windows[].name</code>",
        "/docs/api/errors/workspace-not-writable",
        "curl -s -X PUT",
    ] {
        assert!(config.contains(part), "{part}: {config}");
    }
    let (_, script) = config.split_once("<script src=\"").unwrap();
    let script = format!("/{}", script.split_once('"').unwrap().0);
    let script = app.request("GET", &script).send_unchecked().await;
    assert_eq!(
        (script.status, script.header("cache-control")),
        (200, Some("public, max-age=31536000, immutable"))
    );
    assert_eq!(
        script.header("content-type"),
        Some("text/javascript; charset=utf-8")
    );
    // A page that a node of another version has made asks for another one, which no cache may have by this.
    let other = app.request("GET", "//docs/script/0.js").send_unchecked().await;
    assert_eq!(
        (other.status, other.header("cache-control")),
        (200, Some("no-store"))
    );
    assert_eq!(read("//docs/operations/nothing").await.0, 404);

    let (_, found) = read("//docs?q=uptime%20Status").await;
    assert!(found.contains("id=\"getUptimeStatus\""), "{found}");
    assert!(!found.contains("id=\"listDomains\""), "{found}");
    let (_, none) = read("//docs?q=%3Cscript%3E").await;
    assert!(
        none.contains("No operation has all of these words.") && !none.contains("<script>"),
        "{none}"
    );
}

fn text(page: &Reply) -> String {
    String::from_utf8_lossy(&page.body).into_owned()
}

/// The addresses that a page links to.
fn links(page: &str) -> impl Iterator<Item = &str> {
    page.split("<a ").skip(1).map(|link| {
        let (_, address) = link.split_once("href=\"").unwrap();
        address.split_once('"').unwrap().0
    })
}

/// Pages are made of the guides of the repository, which link to each other and to files that no instance serves.
#[tokio::test]
async fn every_link_of_the_documentation_leads_to_what_is_there() {
    let app = TestApp::start().await;
    let mut pages: HashMap<String, String> = HashMap::new();
    let mut waiting = vec!["/docs".to_owned()];
    let mut found = Vec::new();
    while let Some(path) = waiting.pop() {
        if pages.contains_key(&path) {
            continue;
        }
        let page = app.request("GET", &format!("/{path}")).send_unchecked().await;
        assert!((200..400).contains(&page.status), "{path}: {}", page.status);
        let text = text(&page);
        if path.starts_with("/docs") {
            let calls = path.starts_with("/docs/operations/");
            let policy = if calls { CALLING } else { POLICY };
            assert_eq!(page.header("content-security-policy"), Some(policy), "{path}");
            for link in links(&text).filter(|link| !link.starts_with("https://")) {
                let (to, part) = link.split_once('#').unwrap_or((link, ""));
                let to = if to.is_empty() { path.as_str() } else { to };
                assert!(to.starts_with('/'), "{path} leads to {link}");
                waiting.push(to.to_owned());
                found.push((path.clone(), to.to_owned(), part.to_owned()));
            }
        }
        pages.insert(path, text);
    }
    for (from, to, part) in &found {
        let is_there = part.is_empty() || pages[to].contains(&format!("id=\"{part}\""));
        assert!(is_there, "{from} leads to {to}#{part}");
    }
    let leads = |from: &str, to: &str| found.iter().any(|link| link.0 == from && link.1 == to);
    for (from, to) in [
        ("/docs/guides/install", "/docs/guides/operations"),
        ("/docs/guides/operations", "/docs/guides/configuration"),
        ("/docs/guides/sdks", "/docs"),
        ("/docs/guides/api-design", "/openapi.json"),
        ("/docs", "/docs/guides/changelog"),
    ] {
        assert!(leads(from, to), "{from} does not lead to {to}");
    }
    let guides = pages.keys().filter(|path| path.starts_with("/docs/guides/"));
    assert!(guides.count() > 30);
}

#[tokio::test]
async fn guides_are_pages_that_ask_nobody_for_anything_and_are_found_by_their_words() {
    let app = TestApp::start().await;
    let docs = text(&app.request("GET", "//docs").send_unchecked().await);
    let guides: Vec<&str> = links(&docs)
        .filter(|link| link.starts_with("/docs/guides/"))
        .collect();
    for guide in &guides {
        let page = text(&app.request("GET", &format!("/{guide}")).send_unchecked().await);
        assert_eq!(page.matches("<h1>").count(), 1, "{guide}");
        for tag in ["<script", "<img", "<iframe", "<form", " style="] {
            assert!(!page.contains(tag), "{guide} has {tag}");
        }
        assert_eq!(
            page.matches("<link").count(),
            page.matches("<link rel=\"icon\"").count(),
            "{guide}"
        );
    }
    // A tag that a guide shows is text, and a table is scrolled by itself.
    let shown = text(
        &app.request("GET", "//docs/guides/measure-a-site")
            .send_unchecked()
            .await,
    );
    assert!(shown.contains("&lt;script defer src="), "{shown}");
    let settings = text(
        &app.request("GET", "//docs/guides/configuration")
            .send_unchecked()
            .await,
    );
    for part in [
        "<h1>Configuration</h1>",
        "<h2 id=\"database-and-redis\">",
        "<div class=\"wide\" tabindex=\"0\"><table>",
    ] {
        assert!(settings.contains(part), "{part}: {settings}");
    }
    for none in [
        "//docs/guides/nothing",
        "//docs/guides/..%2Foperations",
        "//docs/guides/",
    ] {
        let page = app.request("GET", none).send_unchecked().await;
        assert_eq!(page.status, 404, "{none}");
    }

    let found = text(
        &app.request("GET", "//docs?q=trusted_hops%20CADDY")
            .send_unchecked()
            .await,
    );
    let listed: Vec<&str> = links(&found)
        .filter(|link| link.starts_with("/docs/guides/"))
        .collect();
    assert!(listed.contains(&"/docs/guides/install"), "{listed:?}");
    assert!(
        listed.len() < guides.len() && !listed.contains(&"/docs/guides/glossary"),
        "{listed:?}"
    );
    let none = text(
        &app.request("GET", "//docs?q=nowhereinanyguide")
            .send_unchecked()
            .await,
    );
    assert!(none.contains("No guide has all of these words."), "{none}");
}

#[tokio::test]
async fn the_root_leads_to_the_reference() {
    let app = TestApp::start().await;
    for from in ["//", "//docs/"] {
        for method in ["GET", "HEAD"] {
            let reply = app.request(method, from).send_unchecked().await;
            assert_eq!(
                (reply.status, reply.header("location"), reply.body.len()),
                (302, Some("/docs"), 0),
                "{method} {from}"
            );
        }
        let posted = app.request("POST", from).send_unchecked().await;
        assert_eq!(
            (posted.status, posted.header("allow")),
            (405, Some("GET, HEAD")),
            "{from}"
        );
    }
    let reference = app.request("GET", "//docs").send_unchecked().await;
    let text = String::from_utf8_lossy(&reference.body).into_owned();
    assert!(text.contains(r#"<a href="/console">Console</a>"#), "{text:.2000}");
}

/// Browsers ask for an icon wherever they are, and crawlers for a robots.txt before anything else.
#[tokio::test]
async fn what_browsers_and_crawlers_ask_for_by_themselves_is_there() {
    let app = TestApp::start().await;
    let day = Some("public, max-age=86400");
    for (path, content_type, begins) in [
        ("//favicon.ico", "image/x-icon", &b"\0\0\x01\0\x01\0\x20\x20"[..]),
        ("//apple-touch-icon.png", "image/png", &b"\x89PNG\r\n"[..]),
        (
            "//apple-touch-icon-precomposed.png",
            "image/png",
            &b"\x89PNG\r\n"[..],
        ),
        (
            "//robots.txt",
            "text/plain; charset=utf-8",
            &b"User-agent: *\n"[..],
        ),
    ] {
        let asked = app.request("GET", path).send_unchecked().await;
        assert_eq!(asked.status, 200, "{path}");
        assert_eq!(asked.header("content-type"), Some(content_type), "{path}");
        assert_eq!(asked.header("cache-control"), day, "{path}");
        assert!(asked.body.starts_with(begins), "{path}");
        let head = app.request("HEAD", path).send_unchecked().await;
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
    }
    for page in ["//docs", "//docs/operations/getMe", "//console/sign-in"] {
        let page = app.request("GET", page).send_unchecked().await;
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.contains("; img-src 'self'"), "{policy}");
        let read = text(&page);
        let (_, icon) = read
            .split_once("<link rel=\"icon\" type=\"image/svg+xml\" href=\"")
            .expect(&read);
        let icon = format!("/{}", icon.split_once('"').unwrap().0);
        let icon = app.request("GET", &icon).send_unchecked().await;
        assert_eq!(
            (icon.status, icon.header("content-type")),
            (200, Some("image/svg+xml"))
        );
        assert_eq!(
            icon.header("cache-control"),
            Some("public, max-age=31536000, immutable")
        );
        assert!(text(&icon).starts_with("<svg "));
    }
    let robots = app.request("GET", "//robots.txt").send_unchecked().await;
    let robots = RobotsFile::parse(&robots.body);
    for (path, is_allowed) in [
        ("/status/shop", true),
        ("/status/shop/incidents", true),
        ("/docs", true),
        ("/favicon.ico", true),
        ("/console", false),
        ("/console/sign-in", false),
        ("/api/public/v1/me", false),
        ("/oauth/authorize?client_id=x", false),
    ] {
        for crawler in ["Googlebot", "bingbot"] {
            let decision = robots.access(crawler).decide(&Target::new(path));
            assert_eq!(decision.is_allowed, is_allowed, "{crawler} at {path}");
        }
    }
}

#[tokio::test]
async fn operators_ask_without_a_credential() {
    let app = TestApp::start().await;
    for probe in ["//livez", "//readyz"] {
        assert_eq!(
            app.request("GET", probe).send_unchecked().await.status,
            200,
            "{probe}"
        );
    }
}
