//! Status pages: made by those who look after a workspace, seen by everybody.

use futures_util::future::join_all;
use pharos_domain::role::Role;
use tokio_postgres::NoTls;

use super::PREFIX;
use crate::harness::{Request, TestApp, actor};

impl TestApp {
    fn status_pages(&self) -> String {
        format!("/console/w/{}/status-pages", self.world.workspace)
    }
}

fn site(number: u8) -> String {
    format!("{PREFIX}{number:012}")
}

#[tokio::test]
async fn an_admin_makes_changes_and_deletes_a_page_that_everybody_sees() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let list = app.status_pages();
    let new = format!("{list}/new");
    admin.get(&list).await.is(200).says("No status page yet");
    admin.get(&new).await.is(200);
    let (shop, hostile) = (site(1), site(4));
    let fields = [
        ("title", "<i>Ours</i>"),
        ("slug", "Ours-24"),
        ("domain", hostile.as_str()),
        ("domain", shop.as_str()),
    ];
    let answer = admin.submit(&new, &fields).await;
    answer.leads_to(&format!("{list}?made"));
    let page = admin.get(&format!("{list}?made")).await;
    page.is(200)
        .says("&lt;i&gt;Ours&lt;/i&gt;")
        .says("/status/ours-24");

    let mut visitor = app.browser();
    let seen = visitor.get("/status/ours-24").await;
    assert_eq!(seen.0.status, 200);
    assert_eq!(seen.0.header("cache-control"), Some("public, max-age=30"));
    assert_eq!(seen.0.header("set-cookie"), None);
    let policy = seen.0.header("content-security-policy").unwrap();
    assert!(policy.contains("; img-src 'self'"), "{policy}");
    seen.says("<link rel=\"icon\"");
    seen.says("<h1><bdi>&lt;i&gt;Ours&lt;/i&gt;</bdi></h1>")
        .says("&lt;b&gt;Bold&lt;/b&gt;")
        .is_silent_on("<b>")
        .is_silent_on("api.example");
    let text = seen.text();
    assert!(text.find("Bold") < text.find("Shop"), "in the order of the form");
    let feed = visitor.get("/status/ours-24/feed.xml").await;
    assert_eq!(
        feed.0.header("content-type"),
        Some("application/rss+xml; charset=utf-8")
    );
    feed.says("<rss version=\"2.0\">")
        .says("Shop was down")
        .is_silent_on("<i>");
    for path in ["/status/ours-24", "/status/ours-24/feed.xml"] {
        let head = Request::new(app.address, "HEAD", &format!("/{path}"))
            .send_unchecked()
            .await;
        assert_eq!((head.status, head.body.len()), (200, 0));
    }

    // A page that was made a moment ago is shown until that moment is over.
    let path = admin.get(&list).await.link(&format!("{list}/0"));
    admin.get(&path).await.is(200).says("value=\"ours-24\"");
    let changed = [
        ("title", "Theirs"),
        ("slug", "ours-24"),
        ("domain", shop.as_str()),
    ];
    admin
        .submit(&path, &changed)
        .await
        .leads_to(&format!("{list}?changed"));
    visitor.get("/status/ours-24").await.says("Bold");
    app.clock.advance(time::Duration::seconds(31));
    visitor
        .get("/status/ours-24")
        .await
        .says("Theirs")
        .is_silent_on("Bold");

    // A deleted domain is shown no more.
    app.stores
        .domain_admin
        .delete(shop.parse().unwrap(), &actor(), app.now())
        .await
        .unwrap();
    app.clock.advance(time::Duration::seconds(31));
    visitor
        .get("/status/ours-24")
        .await
        .says("No site is shown here.")
        .is_silent_on("Shop");

    admin
        .submit(&format!("{path}/delete"), &[])
        .await
        .leads_to(&format!("{list}?deleted"));
    app.clock.advance(time::Duration::seconds(31));
    visitor.get("/status/ours-24").await.is(404);
    admin.submit(&path, &changed).await.is(404);
    let audited = app
        .sql("SELECT action FROM audit_log WHERE subject_kind = 'status_page' ORDER BY at, id")
        .await;
    let audited: Vec<&str> = audited.iter().filter_map(|row| row[0].as_deref()).collect();
    assert_eq!(
        audited,
        ["status_page.create", "status_page.update", "status_page.delete"]
    );
}

#[tokio::test]
async fn a_page_is_read_once_however_its_address_is_written() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let new = format!("{}/new", app.status_pages());
    admin.get(&new).await.is(200);
    let own = site(1);
    let fields = [("title", "Before"), ("slug", "ours-24"), ("domain", own.as_str())];
    admin.submit(&new, &fields).await.location();
    let mut visitor = app.browser();
    for path in ["/status/ours-24", "/status/ours-24/feed.xml"] {
        visitor.get(path).await.says("Before");
    }
    // Whatever is read from here on says so.
    app.sql("UPDATE status_pages SET title = 'After'").await;
    for path in [
        "/status/ours-24",
        "/status/%6Furs-24",
        "/status/%6f%75rs%2D24",
        "/status/ours-24/feed.xml",
        "/status/our%73-24/feed.xml",
    ] {
        let seen = visitor.get(path).await;
        assert_eq!(seen.0.status, 200, "{path}");
        seen.says("Before").is_silent_on("After");
    }
    app.clock.advance(time::Duration::seconds(31));
    visitor.get("/status/%6Furs-24").await.says("After");
}

/// However much there is to be read of their sites, and whoever asks for them, others have the other connections.
#[tokio::test(flavor = "multi_thread")]
async fn pages_about_the_sites_of_a_workspace_are_read_two_at_a_time() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let (workspace, shop) = (app.world.workspace, site(1));
    app.sql(&format!(
        "INSERT INTO status_pages (id, workspace_id, slug, title, created_at)
         SELECT gen_random_uuid(), '{workspace}', 'page-' || n, 'Page', now() FROM generate_series(1, 4) AS n;
         INSERT INTO status_page_sites (page_id, domain_id, position) SELECT id, '{shop}', 1 FROM status_pages"
    ))
    .await;
    let owner = app.signed_in(app.world.owner).await;
    let (other, wire) = tokio_postgres::connect(app.database.url(), NoTls).await.unwrap();
    tokio::spawn(wire);
    let lock = "BEGIN; LOCK TABLE uptime_spans IN ACCESS EXCLUSIVE MODE";
    other.batch_execute(lock).await.unwrap();
    let public = (1..=4).map(|number| (app.browser(), format!("/status/page-{number}")));
    let own = [
        format!("/console/w/{workspace}"),
        format!("/console/domains/{shop}"),
    ];
    let visits = public
        .chain(own.map(|path| (owner.clone(), path)))
        .map(|(mut visitor, path)| async move {
            let page = visitor.get(&path).await;
            page.0.status
        });
    let waiting = "(SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock')";
    let watched = async {
        app.reaches(&format!("{waiting} = 2")).await;
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        let held = app.sql(&format!("SELECT {waiting}::text")).await;
        other.batch_execute("COMMIT").await.unwrap();
        held[0][0].clone()
    };
    let (statuses, held) = tokio::join!(join_all(visits), watched);
    assert_eq!(held.as_deref(), Some("2"));
    assert_eq!(statuses, [200; 6]);
}

#[tokio::test]
async fn forms_with_faults_say_which_and_store_nothing() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let elsewhere = app.person("elsewhere@example.org").await;
    let workspace = app
        .stores
        .workspace_admin
        .create("Elsewhere", elsewhere, "default", &actor(), app.now())
        .await
        .unwrap();
    let foreign = app
        .stores
        .domain_admin
        .add(
            workspace.id,
            &"foreign.example".parse().unwrap(),
            None,
            &actor(),
            app.now(),
        )
        .await
        .unwrap();
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let new = format!("{}/new", app.status_pages());
    admin.get(&new).await.is(200);
    let (own, foreign, long) = (site(1), foreign.id.to_string(), "a".repeat(101));
    for (fields, fault) in [
        (vec![], "The title has 1 to 100 characters"),
        (
            vec![
                ("title", long.as_str()),
                ("slug", "abc"),
                ("domain", own.as_str()),
            ],
            "The title has 1 to 100 characters",
        ),
        (
            vec![("title", "T"), ("slug", "a/b"), ("domain", own.as_str())],
            "The address has 3 to 63",
        ),
        (vec![("title", "T"), ("slug", "abc")], "Choose 1 to 100 sites."),
        (
            vec![("title", "T"), ("slug", "abc"), ("domain", "none")],
            "Choose 1 to 100 sites.",
        ),
        (
            vec![("title", "T"), ("slug", "abc"), ("domain", foreign.as_str())],
            "none of this workspace",
        ),
        (
            vec![("title", "<b>T</b>"), ("slug", "<b>"), ("domain", own.as_str())],
            "value=\"&lt;b&gt;T&lt;/b&gt;\"",
        ),
    ] {
        admin
            .submit(&new, &fields)
            .await
            .is(400)
            .says(fault)
            .is_silent_on("<b>T");
    }
    let good = [("title", "T"), ("slug", "abc"), ("domain", own.as_str())];
    admin
        .submit(&new, &good)
        .await
        .leads_to(&format!("{}?made", app.status_pages()));
    admin
        .submit(&new, &good)
        .await
        .is(400)
        .says("Another status page has this address; choose another.");
    assert_eq!(
        app.sql("SELECT count(*)::text FROM status_pages").await[0][0].as_deref(),
        Some("1")
    );

    // Without the token, and from another origin.
    let origin = admin.origin();
    admin
        .post(&new, &good, &origin)
        .await
        .is(403)
        .says("This form is out of date");
    admin
        .post(&new, &good, "https://evil.example")
        .await
        .is(403)
        .says("another address");
}

#[tokio::test]
async fn of_two_tabs_with_a_page_the_second_undoes_nothing() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let (list, shop) = (app.status_pages(), site(1));
    let new = format!("{list}/new");
    admin.get(&new).await.is(200);
    let fields = [("title", "T"), ("slug", "abc"), ("domain", shop.as_str())];
    admin
        .submit(&new, &fields)
        .await
        .leads_to(&format!("{list}?made"));
    let path = admin.get(&list).await.link(&format!("{list}/0"));
    let seen = admin.get(&path).await.hidden("seen").unwrap();
    let tab = |title: &'static str| {
        [
            ("seen", seen.as_str()),
            ("title", title),
            ("slug", "abc"),
            ("domain", shop.as_str()),
        ]
    };
    admin
        .submit(&path, &tab("First"))
        .await
        .leads_to(&format!("{list}?changed"));
    admin
        .submit(&path, &tab("Second"))
        .await
        .is(400)
        .says("This was changed meanwhile")
        .says("value=\"Second\"");
    admin
        .get(&path)
        .await
        .says("value=\"First\"")
        .is_silent_on("Second");
}

/// Between the look at the page and the change of it lies time, too.
#[tokio::test]
async fn a_page_undoes_nothing_that_is_changed_while_it_is_saved() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let (list, shop) = (app.status_pages(), site(1));
    let new = format!("{list}/new");
    admin.get(&new).await.is(200);
    let fields = [("title", "T"), ("slug", "abc"), ("domain", shop.as_str())];
    admin
        .submit(&new, &fields)
        .await
        .leads_to(&format!("{list}?made"));
    let path = admin.get(&list).await.link(&format!("{list}/0"));
    let seen = admin.get(&path).await.hidden("seen").unwrap();
    let fields = [
        ("seen", seen.as_str()),
        ("title", "Second"),
        ("slug", "abc"),
        ("domain", shop.as_str()),
    ];
    let change = "UPDATE status_pages SET title = 'First'";
    let page = app.amid(change, admin.submit(&path, &fields)).await;
    page.is(400)
        .says("This was changed meanwhile")
        .says("value=\"Second\"");
    assert_eq!(
        app.sql("SELECT title FROM status_pages").await,
        [[Some("First".to_owned())]]
    );
}

#[tokio::test]
async fn a_domain_that_is_not_verified_is_shown_to_nobody() {
    let app = TestApp::start().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let (list, domain) = (app.status_pages(), app.world.domain.to_string());
    let new = format!("{list}/new");
    admin.get(&new).await.is(200).says("not verified");
    let fields = [("title", "T"), ("slug", "abc"), ("domain", domain.as_str())];
    admin
        .submit(&new, &fields)
        .await
        .is(400)
        .says("Not verified: shop.example.");
    let none = app.sql("SELECT count(*) FROM status_pages").await;
    assert_eq!(none[0][0].as_deref(), Some("0"));
    app.verified().await;
    admin
        .submit(&new, &fields)
        .await
        .leads_to(&format!("{list}?made"));
    // A site that a page shows already stays on it.
    let path = admin.get(&list).await.link(&format!("{list}/0"));
    app.sql("UPDATE domains SET verified = false").await;
    admin
        .submit(&path, &fields)
        .await
        .leads_to(&format!("{list}?changed"));
}

#[tokio::test]
async fn members_see_which_there_are_and_change_none() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    let list = app.status_pages();
    let new = format!("{list}/new");
    admin.get(&new).await.is(200);
    let own = site(1);
    let fields = [("title", "T"), ("slug", "abc"), ("domain", own.as_str())];
    admin
        .submit(&new, &fields)
        .await
        .leads_to(&format!("{list}?made"));
    let path = admin.get(&list).await.link(&format!("{list}/0"));
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let page = member.get(&list).await;
    page.is(200).says("/status/abc").is_silent_on("Add a status page");
    for path in [&new, &path] {
        member.get(path).await.is(403).says("admin");
        member.submit(path, &fields).await.is(403);
    }
    member.submit(&format!("{path}/delete"), &[]).await.is(403);
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    for path in [&list, &new, &path] {
        stranger.get(path).await.is(404);
    }
    for none in [
        "/status/none",
        "/status/NONE",
        "/status/a",
        "/status/",
        "/status/none/feed.xml",
        "/status/none/incidents",
    ] {
        assert_eq!(stranger.get(none).await.0.status, 404, "{none}");
    }
    // Whoever comes from outside has no workspaces to go to.
    for open in [
        "/status/none",
        "/console/unsubscribe/none",
        "/console/reports/unsubscribe/none",
    ] {
        app.browser()
            .get(open)
            .await
            .is(404)
            .says("ask whoever gave it to you")
            .is_silent_on("workspace");
    }
}

#[tokio::test]
async fn a_page_with_as_many_sites_as_it_may_have_stays_light() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    // Each site is down for five days and up for five days, in turns, so that each bar is unlike the one before, and there are more
    // incidents than the page has room for.
    app.sql(&format!(
        "INSERT INTO domains (id, workspace_id, hostname, display_name, verified, created_at)
         SELECT gen_random_uuid(), '{workspace}', 'n' || n || '.a-shop-with-a-long-name.example', NULL, true, '2025-12-01Z'
         FROM generate_series(1, 100) AS n;
         INSERT INTO uptime_monitors (domain_id, settings, created_at, updated_at)
         SELECT d.id, m.settings, d.created_at, d.created_at
         FROM domains AS d, uptime_monitors AS m
         WHERE d.hostname LIKE 'n%.example' AND m.domain_id = '{shop}';
         INSERT INTO uptime_region_states (domain_id, region, state)
         SELECT d.id, r.region, r.state
         FROM domains AS d, uptime_region_states AS r
         WHERE d.hostname LIKE 'n%.example' AND r.domain_id = '{shop}';
         INSERT INTO uptime_spans (domain_id, region, state, started_at, ended_at)
         SELECT d.id, 'local', CASE n / 5 % 2 WHEN 0 THEN 'down' ELSE 'up' END, day, day + interval '1 day'
         FROM domains AS d, generate_series(0, 88) AS n,
             LATERAL (SELECT '2026-01-01Z'::timestamptz + make_interval(days => n) AS day) AS days
         WHERE d.hostname LIKE 'n%.example';
         INSERT INTO uptime_incidents (id, domain_id, started_at, confirmed_at, resolved_at, class, severity, response_headers,
             checks_failed, during_maintenance)
         SELECT gen_random_uuid(), d.id, at, at, at + interval '1 hour 20 minutes', 'timeout', 'outage', '{{}}', 2, false
         FROM domains AS d, generate_series('2026-02-01Z'::timestamptz, '2026-03-01Z', '28 days') AS at
         WHERE d.hostname LIKE 'n%.example' AND d.hostname < 'n50';
         INSERT INTO status_pages (id, workspace_id, slug, title, created_at)
         VALUES (gen_random_uuid(), '{workspace}', 'many', 'Many', '2026-01-01Z');
         INSERT INTO status_page_sites (page_id, domain_id, position)
         SELECT p.id, d.id, row_number() OVER (ORDER BY d.hostname)
         FROM status_pages AS p, domains AS d
         WHERE d.hostname LIKE 'n%.example'",
        workspace = app.world.workspace,
        shop = site(1),
    ))
    .await;
    let page = app.browser().get("/status/many").await;
    assert_eq!(page.0.status, 200, "{}", page.text());
    page.says("90 days of n100.a-shop-with-a-long-name.example: ")
        .says("Each bar is 5 days");
    let bars: Vec<String> = (0..18).step_by(2).map(|bar| format!("M{bar} 17h1")).collect();
    let bars = format!("tone-bad\" d=\"{}\"", bars.concat());
    assert_eq!(page.text().matches(&bars).count(), 100);
    assert_eq!(page.text().matches(" was down for ").count(), 20);
    assert!(page.0.body.len() < 100_000, "{}", page.0.body.len());

    let older = page.link("/status/many/incidents");
    let older = app.browser().get(&older).await;
    assert_eq!(older.0.status, 200, "{}", older.text());
    assert!(older.text().matches(" was down for ").count() > 50);
    older.says("<a href=\"/status/many\">");
}
