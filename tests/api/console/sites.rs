//! The overview of a workspace and the pages of its domains, as a browser without scripts sees them.

use std::time::Duration;

use pharos_account::admin::domains::MOST_OF_A_WORKSPACE;
use pharos_domain::{ids::WorkspaceId, patch::Patch, role::Role};
use tokio::time::timeout;

use super::{Browser, PREFIX, browser::Page};
use crate::harness::{Request, TestApp, actor};

/// The most that a page may weigh.
const MOST_BYTES: usize = 100 * 1024;

impl TestApp {
    /// A browser in which somebody has signed in who has this role in the world's workspace.
    pub(super) async fn signed_in_as(&self, email: &str, role: Role) -> Browser {
        let user = self.person(email).await;
        self.stores
            .members
            .put(
                self.world.workspace,
                user,
                role,
                Patch::Keep,
                &actor(),
                self.now(),
            )
            .await
            .unwrap();
        self.signed_in(user).await
    }

    /// The pages of the world's workspace that everybody of it may read.
    fn pages(&self) -> Vec<String> {
        let (workspace, site) = (self.world.workspace, format!("{PREFIX}000000000001"));
        vec![
            format!("/console/w/{workspace}"),
            format!("/console/w/{workspace}?sort=name&page=99999999&q=%3Cb%3E"),
            format!("/console/w/{workspace}/status-pages"),
            format!("/console/domains/{site}"),
            format!("/console/domains/{site}?period=last_7_days&compare_previous=true"),
            format!("/console/domains/{site}/analytics"),
            format!("/console/domains/{site}/incidents"),
            format!("/console/domains/{site}/incidents/{PREFIX}000000000901"),
        ]
    }
}

#[tokio::test]
async fn a_viewer_reads_every_page_and_head_gets_its_headers() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let cookies = viewer
        .cookies
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    let cookies = cookies.collect::<Vec<_>>().join("; ");
    for path in app.pages() {
        let page = viewer.get(&path).await;
        page.is(200);
        assert!(page.0.body.len() < MOST_BYTES, "{path}: {}", page.0.body.len());
        let head = Request::new(app.address, "HEAD", &format!("/{path}"));
        let head = head.header("cookie", cookies.clone()).send_unchecked().await;
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        assert_eq!(head.header("content-type"), page.0.header("content-type"));
    }
}

#[tokio::test]
async fn who_is_no_member_finds_no_page_and_who_has_not_signed_in_does_first() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let stranger = app.person("stranger@example.org").await;
    let own = app
        .stores
        .workspace_admin
        .create("Elsewhere", stranger, "default", &actor(), app.now())
        .await
        .unwrap();
    let mut browser = app.signed_in(stranger).await;
    browser
        .get(&format!("/console/w/{}", own.id))
        .await
        .is(200)
        .says("No domain yet");
    let mut nobody = app.browser();
    for path in app.pages() {
        browser.get(&path).await.is(404).is_silent_on("Shop");
        let location = nobody.get(&path).await.location();
        assert!(
            location.starts_with("/console/sign-in?next=%2Fconsole%2F"),
            "{location}"
        );
    }
    for path in [
        "/console/w/none",
        "/console/domains/none",
        "/console/w/",
        "/console/domains/",
    ] {
        browser.get(path).await.is(404);
    }
    // An incident of another domain is none of this one.
    let mut owner = app.signed_in(app.world.owner).await;
    let foreign = format!("/console/domains/{PREFIX}000000000003/incidents/{PREFIX}000000000901");
    owner.get(&foreign).await.is(404);
    let nowhere = format!("/console/domains/{PREFIX}000000000001/incidents?cursor=nonsense");
    owner.get(&nowhere).await.is(404);
    owner
        .get(&format!(
            "/console/domains/{PREFIX}000000000001/incidents/{}",
            WorkspaceId::generate()
        ))
        .await
        .is(404);
}

#[tokio::test]
async fn days_come_from_the_address_and_bad_ones_are_named() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let site = format!("/console/domains/{PREFIX}000000000001");
    let page = viewer
        .get(&format!("{site}?start_date=1626-03-31&end_date=2026-03-31"))
        .await;
    page.is(200)
        .says("from 31 March 1626 on")
        .says("begin with 31 March 2025");
    assert!(page.0.body.len() < MOST_BYTES, "{}", page.0.body.len());
    for (query, fault) in [
        ("start_date=2026-02-30", "From: the calendar has no such day."),
        ("start_date=2026-03-20&end_date=2026-03-10", "To: lies before"),
        ("period=forever", "Period: not one of"),
        ("period_days=9999999999", "Days: "),
        ("compare_mode=%3Cscript%3E", "Compared with: previous_period"),
    ] {
        let page = viewer.get(&format!("{site}?{query}")).await;
        page.is(400).says(fault).is_silent_on("<script>");
    }
    // Whatever the fault, the days are those that the page says.
    let first_day = |page: &Page| {
        let text = page.text();
        let (_, rest) = text
            .split_once("name=\"start_date\" type=\"date\" value=\"")
            .unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let usual = first_day(viewer.get(&site).await.is(200));
    let week = format!("{site}?period=last_7_days");
    assert_ne!(first_day(viewer.get(&week).await.is(200)), usual);
    let page = viewer.get(&format!("{week}&compare_mode=none")).await;
    page.is(400).says("Shown are the last 30.");
    assert_eq!(first_day(&page), usual);
}

#[tokio::test]
async fn the_overview_is_about_the_days_of_its_address_as_the_pages_of_its_domains_are() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let path = format!("/console/w/{}", app.world.workspace);
    let site = format!("/console/domains/{PREFIX}000000000001");
    // It was down for a day, more than a week ago.
    app.sql(&format!(
        "DELETE FROM uptime_spans WHERE domain_id = '{PREFIX}000000000001';
         INSERT INTO uptime_spans (domain_id, region, state, started_at, ended_at)
         SELECT '{PREFIX}000000000001', 'local', state, begun, ended
         FROM (VALUES ('down', '2026-03-01Z'::timestamptz, '2026-03-02Z'::timestamptz), ('up', '2026-03-02Z', '2026-03-31Z'))
             AS spans (state, begun, ended)"
    ))
    .await;
    let mut figures = Vec::new();
    for days in ["period=last_7_days", "start_date=2026-03-01&end_date=2026-03-31"] {
        let domain = viewer.get(&format!("{site}?{days}")).await;
        let text = domain.is(200).text();
        let (_, rest) = text.split_once("Availability</dt><dd><strong>").unwrap();
        let figure = rest.split('<').next().unwrap().to_owned();
        let overview = viewer.get(&format!("{path}?{days}&sort=name")).await;
        let text = overview.is(200).text();
        let (_, rest) = text.split_once(&format!("<a href=\"{site}\"")).unwrap();
        let row = rest.split("</tr>").next().unwrap();
        assert!(row.contains(&figure), "{figure} is not in {row}");
        // Other orders are about the same days, and other days are in the same order.
        overview
            .says(&format!("?sort=availability&amp;{}", days.replace('&', "&amp;")))
            .says("?period=last_90_days&amp;sort=name");
        figures.push(figure);
    }
    assert_ne!(figures[0], figures[1]);
    viewer
        .get(&format!("{path}?period=forever"))
        .await
        .is(400)
        .says("Shown are the last 30.");
}

/// Twenty minutes of each day are 1.4 percent of it: a bad day.
#[tokio::test]
async fn a_year_with_an_outage_a_day_weighs_little() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    app.sql(&format!(
        "UPDATE uptime_monitors SET created_at = '2025-05-01Z' WHERE domain_id = '{PREFIX}000000000001';
         DELETE FROM uptime_spans WHERE domain_id = '{PREFIX}000000000001';
         INSERT INTO uptime_spans (domain_id, region, state, started_at, ended_at)
         SELECT '{PREFIX}000000000001', 'local', state, begun, ended
         FROM generate_series('2025-05-01Z'::timestamptz, '2026-03-29Z', '1 day') AS day,
             LATERAL (VALUES ('up', day, day + interval '12 hours'),
                             ('down', day + interval '12 hours', day + interval '740 minutes'),
                             ('up', day + interval '740 minutes', day + interval '1 day')) AS spans (state, begun, ended)"
    ))
    .await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    for days in [
        "period=last_90_days&compare_previous=true",
        "start_date=2025-03-31&end_date=2026-03-31",
    ] {
        let page = viewer
            .get(&format!("/console/domains/{PREFIX}000000000001?{days}"))
            .await;
        let text = page.is(200).text();
        let crosses = text.matches("l.44 7m0-7l-.44 7").count();
        assert!(crosses > 300, "{crosses} bad days");
        assert!(text.len() < MOST_BYTES, "{days}: {}", text.len());
    }
}

/// Has a rule fire at one of the sites of `year.sql`, of a module that is not its monitoring; it is over at `resolved_at` of SQL.
async fn fires(app: &TestApp, site: u8, module: &str, severity: &str, title: &str, resolved_at: &str) {
    app.sql(&format!(
        "INSERT INTO alert_history (id, domain_id, workspace_id, notification_id, module, metric, metric_label, unit, operator,
            threshold, evaluation_window, value, severity, title, message, context, fired_at, resolved_at, end_reason)
         VALUES (uuid_v7(), '{PREFIX}{site:012}', '{workspace}', uuid_v7(), '{module}', 'metric', 'Metric', '', 'gt', 1, '24h', 2,
            '{severity}', '{title}', 'It fired.', '{{}}', now(), {resolved_at},
            CASE WHEN {resolved_at} IS NOT NULL THEN 'over' END)",
        workspace = app.world.workspace,
    ))
    .await;
}

#[tokio::test]
async fn a_rule_of_any_module_that_fires_moves_its_domain_up() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let (workspace, open, over) = (app.world.workspace, "NULL", "now()");
    let sitemap = "site-24.example: <b>40 %</b> of the URLs are gone";
    fires(&app, 24, "sitemap", "critical", sitemap, open).await;
    fires(&app, 24, "robots", "info", "Newer, and less grave", open).await;
    // Nothing monitors this one.
    let vitals = "fresh.example: Largest paint above 4 s";
    fires(&app, 8, "rum", "warning", vitals, open).await;
    fires(&app, 1, "gsc", "info", "More clicks than usual", open).await;
    fires(&app, 23, "gsc", "critical", "This is over", over).await;
    // The one that is told of an outage leads to it.
    app.sql(&format!(
        "UPDATE alert_history SET context = jsonb_build_object('incident_id', '{PREFIX}000000000901')
         WHERE title = 'More clicks than usual'"
    ))
    .await;

    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let overview = viewer.get(&format!("/console/w/{workspace}")).await;
    let text = overview.is(200).text();
    let rows: Vec<&str> = text.split("<th scope=\"row\">").skip(1).collect();
    // The first is down, the third is slow; the rest has nothing but its rule.
    for (row, site) in rows.iter().zip([2, 24, 6, 8, 1]) {
        let link = format!("<a href=\"/console/domains/{PREFIX}{site:012}\">");
        assert!(row.contains(&link), "{site} is not in {row}");
    }
    overview
        .says("<dt>Need attention</dt><dd><strong>5<")
        .is_silent_on("This is over")
        .is_silent_on("Newer, and less grave");
    let alerts = format!("/console/domains/{PREFIX}000000000024/alerts");
    let incident = format!("/console/domains/{PREFIX}000000000001/incidents/{PREFIX}000000000901");
    for (row, link, says, counts) in [
        (
            rows[1],
            &alerts,
            "<bdi>&lt;b&gt;40 %&lt;/b&gt; of the URLs are gone</bdi>",
            true,
        ),
        (rows[4], &incident, "<bdi>More clicks than usual</bdi>", false),
    ] {
        assert!(row.contains(&format!("<a href=\"{link}\">{says}</a>")), "{row}");
        assert_eq!(row.contains(">All 2 alerts</a>"), counts, "{row}");
    }
    // The alerts are found where the overview leads.
    viewer.get(&alerts).await.is(200).says("Newer, and less grave");
}

#[tokio::test]
async fn names_of_strangers_stay_text() {
    let app = TestApp::start().await;
    app.live_for_a_year().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let overview = viewer.get(&format!("/console/w/{}", app.world.workspace)).await;
    overview
        .is(200)
        .says("<bdi>&lt;b&gt;Bold&lt;/b&gt; &amp; &quot;quoted&quot;</bdi>")
        .says("<bdi>متجر الكتب</bdi>")
        .is_silent_on("<b>");
    let page = viewer
        .get(&format!("/console/domains/{PREFIX}000000000004"))
        .await;
    page.is(200)
        .says("<h1><bdi>&lt;b&gt;Bold&lt;/b&gt;")
        .is_silent_on("<b>");
}

/// Adds so many monitored domains to the world's workspace.
async fn fill(app: &TestApp, count: i64) {
    let fill = format!(
        "INSERT INTO domains (id, workspace_id, hostname, display_name, verified, created_at)
         SELECT gen_random_uuid(), '{workspace}', 'n' || n || '.example', repeat('名', 100), true, '2026-01-01Z'
         FROM generate_series(1, {count}) AS n;
         INSERT INTO uptime_monitors (domain_id, settings, created_at, updated_at)
         SELECT d.id, '{settings}', d.created_at, d.created_at FROM domains AS d",
        workspace = app.world.workspace,
        settings = r#"{"enabled": true, "url": "https://n.example/", "method": "GET", "interval_seconds": 60,
            "timeout_seconds": 30, "expected_status_codes": ["2xx"], "follow_redirects": true, "keyword": null,
            "keyword_mode": null, "regions": ["local"], "confirmation_checks": 2, "recovery_checks": 2,
            "degraded_above_ms": null, "verify_tls": true, "ssl_warn_days": [30], "domain_warn_days": [30],
            "sla_target_pct": null, "maintenance_windows": [], "request_headers": {}}"#,
    );
    app.sql(&fill).await;
}

/// As many as an older Pharos, or somebody with SQL, may have left in a workspace, and a change of each in the trail, with as long a
/// text as strangers write.
#[tokio::test]
async fn ten_thousand_domains_leave_the_pages_of_their_workspace_small() {
    let app = TestApp::start().await;
    fill(&app, 10_000).await;
    let workspace = app.world.workspace;
    app.sql(&format!(
        "INSERT INTO audit_log (id, at, actor, action, subject_kind, subject_id, workspace_id, details)
         SELECT gen_random_uuid(), '2026-03-01Z', 'system', 'domain.add', 'domain', id::text, workspace_id,
             jsonb_build_object('domain', repeat('<名', 5000), 'hosts', (SELECT jsonb_agg(n) FROM generate_series(1, 1000) AS n))
         FROM domains WHERE workspace_id = '{workspace}'"
    ))
    .await;
    let mut owner = app.signed_in(app.world.owner).await;
    let (overview, channel) = (
        format!("/console/w/{workspace}"),
        format!("/console/channels/new?workspace={workspace}&kind=webhook"),
    );
    for (address, says) in [
        (overview.clone(), "1 to 50 of 10,001"),
        (
            format!("{overview}?page=9999&sort=response"),
            "10,001 to 10,001 of 10,001",
        ),
        (format!("{overview}?q=n10000.example"), "1 to 1 of 1"),
        (format!("{overview}/status-pages/new"), "Further sites"),
        (format!("{overview}/audit"), "&lt;名&lt;名"),
        (format!("{overview}/notifications"), "Notifications"),
        (format!("{overview}/credits"), "Plan and credits"),
        (format!("{overview}/members"), "Members"),
        (format!("{overview}/keys/new"), "Name"),
        (channel, "Only about this domain"),
    ] {
        let page = timeout(Duration::from_secs(60), owner.get(&address)).await;
        let page = page.expect("a page that takes no query a domain");
        page.is(200).says(says);
        assert!(page.0.body.len() < MOST_BYTES, "{address}: {}", page.0.body.len());
    }
    // The domain of a channel is named, since all can't be chosen from.
    let id = workspace.to_string();
    let named = |name| {
        [
            ("workspace", id.as_str()),
            ("kind", "webhook"),
            ("name", "Hook"),
            ("target_url", "https://hooks.example.com/pharos"),
            ("domain", ""),
            ("domain_name", name),
            ("min_severity", "warning"),
            ("quiet_hours", ""),
        ]
    };
    owner
        .submit("/console/channels/new", &named("<b>none</b>"))
        .await
        .is(400)
        .says("No domain of this workspace is called &lt;b&gt;none&lt;/b&gt;.");
    let made = owner
        .submit("/console/channels/new", &named("N7.example."))
        .await
        .location();
    owner
        .get("/console/channels")
        .await
        .is(200)
        .says("<bdi>n7.example</bdi>");
    let edit = format!("{}/edit", made.strip_suffix("?made").unwrap());
    let page = owner.get(&edit).await;
    page.is(200).says(" selected>n7.example</option>");
    assert!(page.0.body.len() < MOST_BYTES, "{}", page.0.body.len());
}

#[tokio::test]
async fn as_many_domains_as_a_workspace_may_have_are_shown_page_by_page() {
    let app = TestApp::start().await;
    // One is there; the rest come by SQL for the sake of time.
    fill(&app, MOST_OF_A_WORKSPACE - 1).await;
    let mut owner = app.signed_in(app.world.owner).await;
    let path = format!("/console/w/{}", app.world.workspace);
    for (page, shown) in [
        ("", "1 to 50 of 2,000"),
        ("?page=40", "1,951 to 2,000 of 2,000"),
        ("?page=41", "1,951 to 2,000 of 2,000"),
    ] {
        let page = timeout(Duration::from_secs(60), owner.get(&format!("{path}{page}"))).await;
        let page = page.expect("a page that takes no query a domain");
        page.is(200).says(shown);
        assert!(page.0.body.len() < MOST_BYTES, "{}", page.0.body.len());
    }
    let fields = [("hostname", "one-more.example"), ("display_name", "")];
    owner
        .submit(&format!("{path}/domains/new"), &fields)
        .await
        .is(400)
        .says("The workspace has 2000 domains");
    // So are those pages that name domains: of a status page, and of what was deleted.
    let new = format!("{path}/status-pages/new");
    let page = owner.get(&new).await;
    page.is(200).says("Further sites");
    assert!(page.0.body.len() < MOST_BYTES, "{}", page.0.body.len());
    let named = |more| [("title", "T"), ("slug", "abc"), ("more", more)];
    owner
        .submit(&new, &named("n1.example\n<b>none</b>"))
        .await
        .is(400)
        .says("No site of this workspace is called &lt;b&gt;none&lt;/b&gt;");
    owner
        .submit(&new, &named(" n1.example\nN2.example.\nn1.example\n"))
        .await
        .leads_to(&format!("{path}/status-pages?made"));
    let shown = app.sql("SELECT count(*) FROM status_page_sites").await;
    assert_eq!(shown[0][0].as_deref(), Some("2"));
    app.sql("UPDATE domains SET deleted_at = now() WHERE hostname LIKE 'n%.example'")
        .await;
    app.date_deletions().await;
    let deleted = format!("{path}/domains/deleted");
    for (page, shown) in [("", "1 to 50 of 1,999"), ("?page=40", "1,951 to 1,999 of 1,999")] {
        let page = owner.get(&format!("{deleted}{page}")).await;
        page.is(200).says(shown);
        assert!(page.0.body.len() < MOST_BYTES, "{}", page.0.body.len());
    }
}
