//! The pages, and what operators ask.

use pharos_domain::problem::Suffix;

use crate::harness::TestApp;

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
        assert!(
            !text.contains("href=\"http") && !text.contains(" src="),
            "{id}: {text}"
        );
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
