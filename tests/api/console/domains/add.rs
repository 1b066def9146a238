//! Domains that are added.

use crate::harness::TestApp;

#[tokio::test]
async fn the_first_domain_is_added_from_an_empty_workspace() {
    let app = TestApp::start().await;
    let ada = app.person("ada@example.org").await;
    let mut browser = app.signed_in(ada).await;
    browser.get("/console/workspaces/new").await;
    let overview = browser
        .submit("/console/workspaces/new", &[("name", "Ada’s")])
        .await
        .location();
    browser
        .get(&overview)
        .await
        .is(200)
        .says("No domain yet")
        .says("name=\"hostname\"");
    let new = format!("{overview}/domains/new");
    let fields = [
        ("hostname", " Bücher.Example. "),
        ("display_name", "<b>Bücher</b>"),
    ];
    let location = browser.submit(&new, &fields).await.location();
    let (page, added) = location.split_once('?').unwrap();
    assert_eq!(added, "added");
    browser
        .get(&location)
        .await
        .is(200)
        .says("The domain was added")
        .says("xn--bcher-kva.example")
        .says("&lt;b&gt;Bücher&lt;/b&gt;")
        .says("What to do next")
        .says(&format!("{page}/settings#uptime"))
        .says(&format!("{page}/settings#ownership"))
        .says("/js/pst_");
    // Twice: it is there already.
    browser.get(&new).await.is(200);
    browser
        .submit(
            &new,
            &[("hostname", "xn--bcher-kva.example"), ("display_name", "")],
        )
        .await
        .is(400)
        .says("xn--bcher-kva.example is in this workspace already");
    let rows = app
        .sql("SELECT actor, details->>'domain' FROM audit_log WHERE action = 'domain.add' AND actor LIKE 'user:%'")
        .await;
    assert_eq!(
        rows,
        [[
            Some(format!("user:{ada}")),
            Some("xn--bcher-kva.example".to_owned())
        ]]
    );
}

#[tokio::test]
async fn names_that_are_no_sites_are_refused_and_shown_again() {
    let app = TestApp::start().await;
    let mut browser = app.signed_in(app.world.owner).await;
    let new = app.of_workspace("domains/new");
    browser.get(&new).await.is(200);
    let (long, label) = (format!("{}example", "a.".repeat(130)), "a".repeat(64));
    for hostname in [
        "",
        ".",
        "https://shop.example/",
        "shop.example:8080",
        "192.0.2.7",
        "[2001:db8::1]",
        "0x7f.1",
        "a b.example",
        "-a.example",
        "<script>alert(1)</script>",
        "shop.example\0",
        long.as_str(),
        &format!("{label}.example"),
    ] {
        browser
            .submit(&new, &[("hostname", hostname), ("display_name", "")])
            .await
            .is(400)
            .says("Give the name alone")
            .is_silent_on("<script>alert");
    }
    for suffix in ["com", "co.uk", "CO.UK."] {
        browser
            .submit(&new, &[("hostname", suffix), ("display_name", "")])
            .await
            .is(400)
            .says("is a public suffix");
    }
    let name = "n".repeat(101);
    for name in [name.as_str(), "a\nb", "\u{202e}lave"] {
        browser
            .submit(&new, &[("hostname", "new.example"), ("display_name", name)])
            .await
            .is(400)
            .says("1 to 100 characters");
    }
    browser
        .submit(&new, &[("hostname", "shop.example"), ("display_name", "")])
        .await
        .is(400)
        .says("shop.example is in this workspace already");
    let rows = app.sql("SELECT count(*) FROM domains").await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
    // A form without a token, or of another origin, adds nothing.
    let fields = [("hostname", "new.example"), ("display_name", "")];
    let origin = browser.origin();
    browser.post(&new, &fields, &origin).await.is(403);
    browser.post(&new, &fields, "https://evil.example").await.is(403);
    let rows = app.sql("SELECT count(*) FROM domains").await;
    assert_eq!(rows[0][0].as_deref(), Some("1"));
}
