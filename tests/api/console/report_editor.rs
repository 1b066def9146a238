//! The editor of reports: templates made, changed, looked at and deleted without a script.

use pharos_domain::{identity::SubscriptionStatus, role::Role};
use serde_json::{Value, json};
use time::Duration;

use super::browser::Page;
use crate::harness::{TestApp, actor};

/// The fields of a new report's form, with a note in it and no other section on.
const FORM: [(&str, &str); 14] = [
    ("version", "1"),
    ("name", "Monthly"),
    ("default_period", "last_month"),
    ("compare_previous", "yes"),
    ("format", "pdf"),
    ("locale", "de"),
    ("accent_color", "#0a7f5c"),
    ("frequency", ""),
    ("section", "notes"),
    ("on.notes", "yes"),
    ("title.notes", "Zum Schluss"),
    ("widget.notes", "text"),
    ("on.notes.text", "yes"),
    ("config.notes.text.text", "Ein Satz.\r\nNoch einer <b>."),
];

/// The form with other values, and with fields that it does not have.
fn form_with<'a>(other: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = FORM
        .iter()
        .filter(|(name, _)| other.iter().all(|(changed, _)| changed != name));
    kept.copied().chain(other.iter().copied()).collect()
}

impl TestApp {
    fn editor(&self, rest: &str) -> String {
        format!("/console/domains/{}/reports{rest}", self.world.domain)
    }

    async fn templates(&self) -> Vec<Value> {
        let path = format!("/domains/{}/reports/templates", self.world.domain);
        let list = self.get(&path, &self.world.key).send().await.ok();
        list["items"].as_array().unwrap().clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_makes_changes_and_deletes_a_report() {
    let app = TestApp::start().await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let new = app.editor("/new");
    member
        .get(&app.editor(""))
        .await
        .is(200)
        .says(&format!("href=\"{new}\""));
    member
        .get(&new)
        .await
        .is(200)
        .says("<iframe name=\"preview\" title=\"Preview of the report\" sandbox")
        .says("<noscript><p>It stays empty until")
        .says("Where it is made every month, best last month; every week, last week.")
        .says("German: 1.234,5")
        .says("Spanish: 1234,5")
        .says("type=\"hidden\" name=\"config.analytics.top_pages.limit\" value=\"10\"");
    let made = member.submit(&new, &FORM).await.location();
    let path = made.strip_suffix("?made").unwrap().to_owned();
    member.get(&made).await.is(200).says("The report was saved.");
    let [template] = &app.templates().await[..] else {
        panic!("one template");
    };
    let notes = &template["sections_config"]["sections"][0];
    assert_eq!(
        *notes,
        json!({
            "section": "notes", "enabled": true, "title": "Zum Schluss", "widgets": [{
                "widget": "text", "enabled": true, "title": null,
                "config": { "text": "Ein Satz.\nNoch einer <b>." }
            }]
        })
    );
    let others = template["sections_config"]["sections"].as_array().unwrap();
    assert!(others[1..].iter().all(|section| section["enabled"] == false));
    assert_eq!(
        (&template["locale"], &template["schedule"], &template["branding"]),
        (
            &json!("de"),
            &Value::Null,
            &json!({ "logo_url": null, "accent_color": "#0a7f5c" })
        )
    );

    let edit = format!("{path}/edit");
    member
        .get(&edit)
        .await
        .is(200)
        .says("value=\"Zum Schluss\"")
        .says("Noch einer &lt;b&gt;.");
    let weekly = form_with(&[
        ("name", "Weekly"),
        ("frequency", "weekly"),
        ("schedule_enabled", "yes"),
        ("weekday", "7"),
        ("day_of_month", "1"),
        ("hour", "2"),
        ("timezone", "Europe/Berlin"),
    ]);
    member
        .submit(&edit, &weekly)
        .await
        .leads_to(&format!("{path}?changed"));
    let changed = &app.templates().await[0];
    assert_eq!(
        (&changed["name"], &changed["schedule"]),
        (
            &json!("Weekly"),
            &json!({
                "enabled": true, "frequency": "weekly", "weekday": 7, "day_of_month": null, "hour": 2,
                "timezone": "Europe/Berlin", "recipients_count": 0
            })
        )
    );
    // A change at the console costs nothing, and is in the audit trail.
    member
        .submit(&format!("{path}/delete"), &[])
        .await
        .leads_to(&format!("{}?deleted", app.editor("")));
    assert_eq!(app.templates().await, Vec::<Value>::new());
    member.get(&edit).await.is(404);
    let audit = app
        .sql("SELECT action FROM audit_log WHERE action LIKE 'report_template%' ORDER BY at, id")
        .await;
    let actions: Vec<&str> = audit.iter().map(|row| row[0].as_deref().unwrap()).collect();
    assert_eq!(
        actions,
        [
            "report_template.create",
            "report_template.update",
            "report_template.delete"
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_tabs_with_a_report_the_second_undoes_nothing() {
    let app = TestApp::start().await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let new = app.editor("/new");
    member.get(&new).await.is(200);
    let made = member.submit(&new, &FORM).await.location();
    let path = made.strip_suffix("?made").unwrap().to_owned();
    let edit = format!("{path}/edit");
    let seen = member.get(&edit).await.hidden("seen").unwrap();
    // Changes are told apart by their times.
    app.clock.advance(Duration::minutes(1));
    let first = form_with(&[("seen", seen.as_str()), ("name", "First")]);
    member
        .submit(&edit, &first)
        .await
        .leads_to(&format!("{path}?changed"));
    let second = form_with(&[("seen", seen.as_str()), ("name", "Second")]);
    member
        .submit(&edit, &second)
        .await
        .is(400)
        .says("This was changed meanwhile")
        .says("value=\"Second\"");
    // A button that moves a part keeps the state that the form was filled from.
    let moved = form_with(&[
        ("seen", seen.as_str()),
        ("name", "Second"),
        ("move", "down:notes"),
    ]);
    let page = member.submit(&edit, &moved).await;
    assert_eq!(page.is(200).hidden("seen"), Some(seen));
    assert_eq!(app.templates().await[0]["name"], "First");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_faults_stand_at_their_fields_and_what_was_typed_stays() {
    let app = TestApp::start().await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let new = app.editor("/new");
    member.get(&new).await.is(200);
    let long = "x".repeat(121);
    let faulty = form_with(&[
        ("name", " "),
        ("accent_color", "red;}"),
        ("logo_url", "http://169.254.169.254/logo.png"),
        ("frequency", "monthly"),
        ("day_of_month", "thirty"),
        ("hour", "24"),
        ("timezone", "Mars/Olympus"),
        ("title.notes", &long),
        ("config.notes.text.text", ""),
        ("section", "uptime"),
        ("on.uptime", "yes"),
        ("on.uptime.incident_list", "yes"),
        ("config.uptime.incident_list.limit", "many"),
    ]);
    let page = member.submit(&new, &faulty).await;
    page.is(400)
        .says("Nothing was saved yet.")
        .says("<a href=\"#logo_url\">Logo: not at a public address: a logo is fetched from the internet alone.</a>")
        .says("<a href=\"#name\">Name: empty.</a>")
        .is_silent_on("Logo url")
        .is_silent_on("probe_networks");
    for field in [
        "name",
        "accent_color",
        "logo_url",
        "day_of_month",
        "hour",
        "timezone",
        "title.notes",
        "config.notes.text.text",
        "config.uptime.incident_list.limit",
    ] {
        page.says(&format!("<a href=\"#{field}\">"))
            .says(&format!("id=\"{field}-fault\""));
    }
    page.says("value=\"many\"")
        .says("value=\"Mars/Olympus\"")
        .says("value=\"red;}\"");
    assert_eq!(app.templates().await, Vec::<Value>::new());

    member.submit(&new, &FORM).await.location();
    member
        .submit(&new, &form_with(&[("name", "MONTHLY")]))
        .await
        .is(400)
        .says("The domain has a report of this name already");
    // Another version of the form, such as a page that was open while Pharos was upgraded sends.
    member
        .submit(&new, &form_with(&[("name", "Other"), ("version", "2")]))
        .await
        .is(400)
        .says("Version: 1, the only version there is.");
    // No browser sends a choice that there is not.
    member
        .submit(&new, &form_with(&[("locale", "tlh")]))
        .await
        .is(400)
        .says("This form can’t be read");
    assert_eq!(app.templates().await.len(), 1);
}

/// The names of the sections in the order of the page.
fn order(text: &str) -> Vec<&str> {
    let sections = text.split("name=\"section\" value=\"").skip(1);
    sections.map(|rest| rest.split('"').next().unwrap()).collect()
}

/// The fields that a browser would send of the page's form, but for the token and the section that is open: their order is the
/// page's.
fn sent(page: &Page) -> Vec<(String, String)> {
    let text = page.text();
    let (_, form) = text
        .split_once("<form method=\"post\" action=\"/console/domains/")
        .unwrap();
    let form = form.split("</form>").next().unwrap();
    let value = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\"")).unwrap_or_default();
        let written = rest.split('"').next().unwrap_or_default();
        let read = written
            .replace("&quot;", "\"")
            .replace("&lt;", "<")
            .replace("&gt;", ">");
        read.replace("&amp;", "&")
    };
    let mut fields = Vec::new();
    let mut select = String::new();
    for tag in form.split('<') {
        let (inside, content) = tag.split_once('>').unwrap_or((tag, ""));
        match inside.split(' ').next().unwrap_or_default() {
            "input" if inside.contains("type=\"checkbox\"") && !inside.ends_with(" checked") => {}
            "input" => fields.push((value(inside, "name"), value(inside, "value"))),
            "textarea" => fields.push((
                value(inside, "name"),
                value(&format!(" value=\"{content}\""), "value"),
            )),
            "select" => {
                select = value(inside, "name");
                fields.push((select.clone(), String::new()));
            }
            "option" if inside.ends_with(" selected") => {
                fields.retain(|(name, _)| *name != select);
                fields.push((select.clone(), value(inside, "value")));
            }
            _ => {}
        }
    }
    fields.retain(|(name, value)| !value.is_empty() && name != "token" && name != "opened");
    fields
}

#[tokio::test(flavor = "multi_thread")]
async fn one_section_at_a_time_has_fields_and_the_others_lose_nothing() {
    let app = TestApp::start().await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let new = app.editor("/new");
    // All sections are on, as a new report has them.
    let page = member.get(&new).await;
    page.is(200).is_silent_on("type=\"number\"");
    let mut chosen = sent(&page);
    chosen.retain(|(name, _)| name != "config.analytics.top_pages.limit" && name != "title.uptime");
    let own = [
        ("name", "Usual"),
        ("title.uptime", "<b>Up</b> & \"down\""),
        ("title.uptime.kpi_row", "In figures"),
        ("config.analytics.top_pages.limit", "many"),
        ("config.notes.text.text", "One.\nTwo <b>."),
    ];
    chosen.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let text = page.text();
    let sections = order(&text);
    assert!(sections.len() > 10, "{sections:?}");
    chosen.sort();
    for (at, section) in sections.iter().enumerate() {
        let mut fields: Vec<(&str, &str)> = chosen
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        // Nobody has chosen an order: that of the page is kept.
        fields.retain(|(name, _)| *name != "section" && !name.starts_with("widget."));
        // Fields that are typed stay, whichever section was open before.
        fields.extend([("opened", sections[at.saturating_sub(1)]), ("open", *section)]);
        let page = member.submit(&new, &fields).await;
        page.is(200)
            .says(&format!("id=\"title.{section}\""))
            .says(&format!("name=\"opened\" value=\"{section}\""));
        let weight = page.0.body.len();
        assert!(weight < 100 * 1024, "with {section} open it has {weight} bytes");
        assert_eq!(page.text().matches("<details open>").count(), 1, "{section}");
        let mut kept = sent(&page);
        kept.sort();
        // Each form that is shown has an id of its own.
        let but_id = |fields: &[(String, String)]| -> Vec<_> {
            fields
                .iter()
                .filter(|(name, _)| name != "form_id")
                .cloned()
                .collect()
        };
        assert_eq!(but_id(&kept), but_id(&chosen), "{section}");
    }
    assert_eq!(app.templates().await, Vec::<Value>::new());

    // A closed section with a fault in it is opened.
    let fields: Vec<(&str, &str)> = chosen
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    member
        .submit(&new, &fields)
        .await
        .is(400)
        .says("id=\"config.analytics.top_pages.limit-fault\"")
        .says("value=\"many\"");
    let mended: Vec<(&str, &str)> = fields
        .into_iter()
        .map(|(name, value)| (name, if value == "many" { "25" } else { value }))
        .collect();
    member.submit(&new, &mended).await.location();
    let [template] = &app.templates().await[..] else {
        panic!("one template");
    };
    let sections = template["sections_config"]["sections"].as_array().unwrap();
    let of = |list: &[Value], kind: &str, name: &str| {
        let found = list.iter().find(|one| one[kind] == name);
        found.unwrap().clone()
    };
    let (visits, uptime) = (
        of(sections, "section", "analytics"),
        of(sections, "section", "uptime"),
    );
    let pages = of(visits["widgets"].as_array().unwrap(), "widget", "top_pages");
    assert_eq!(pages["config"]["limit"], 25);
    assert_eq!(uptime["title"], "<b>Up</b> & \"down\"");
    let figures = of(uptime["widgets"].as_array().unwrap(), "widget", "kpi_row");
    assert_eq!(figures["title"], "In figures");
}

#[tokio::test(flavor = "multi_thread")]
async fn sections_and_widgets_are_moved_without_being_saved() {
    let app = TestApp::start().await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let new = app.editor("/new");
    let page = member.get(&new).await.text();
    assert_eq!(order(&page)[..3], ["overview", "uptime", "rum"]);
    let moved = form_with(&[("section", "uptime"), ("section", "notes"), ("move", "up:notes")]);
    let page = member.submit(&new, &moved).await;
    page.is(200).says("value=\"Zum Schluss\"").says("#0a7f5c");
    assert_eq!(order(&page.text())[..2], ["notes", "uptime"]);
    let inside = form_with(&[
        ("widget.uptime", "kpi_row"),
        ("widget.uptime", "timeseries"),
        ("move", "down:uptime.kpi_row"),
    ]);
    let text = member.submit(&new, &inside).await.is(200).text();
    let place = |name: &str| text.find(&format!("id=\"on.uptime.{name}\"")).unwrap();
    assert!(place("timeseries") < place("kpi_row"));
    // Unknown names move nothing.
    let odd = form_with(&[("move", "sideways"), ("section", "weather")]);
    member.submit(&new, &odd).await.is(200);
    assert_eq!(app.templates().await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_is_the_report_and_saves_nothing() {
    let app = TestApp::start().await;
    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    let preview = app.editor("/preview");
    member.get(&app.editor("/new")).await.is(200);
    let page = member.submit(&preview, &FORM).await;
    let text = page.text();
    assert_eq!(page.0.status, 200, "{text}");
    for part in [
        "<html lang=\"en\">",
        "--accent: #0a7f5c",
        "Zum Schluss",
        "01.02.2026 – 28.02.2026",
        "Noch einer &lt;b&gt;.",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let policy = page.0.header("content-security-policy").unwrap();
    for directive in [
        "sandbox;",
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    ] {
        assert!(policy.contains(directive), "{policy}");
    }
    assert_eq!(page.0.header("cache-control"), Some("no-store"));

    // A report without a name yet is shown; one that is not in order says why.
    let unnamed = member.submit(&preview, &form_with(&[("name", "")])).await;
    assert_eq!(unnamed.0.status, 200);
    let faulty = form_with(&[("accent_color", "red;}"), ("config.notes.text.text", "")]);
    let faulty = member.submit(&preview, &faulty).await;
    assert_eq!(faulty.0.status, 400);
    faulty
        .says("Colour: not a colour such as #0a7f5c: # and six hexadecimal digits.")
        .says("Text: must be given.");
    let forged = member.post(&preview, &FORM, &member.origin()).await;
    assert_eq!(forged.0.status, 403);
    assert_eq!(
        forged.0.header("content-security-policy"),
        Some(policy),
        "the frame shows it"
    );
    let mut stranger = app.browser();
    let origin = stranger.origin();
    let unknown = stranger.post(&preview, &FORM, &origin).await;
    assert_eq!(unknown.0.status, 401);
    assert_eq!(app.templates().await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn viewers_edit_nothing_and_an_ended_subscription_saves_nothing() {
    let app = TestApp::start().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let new = app.editor("/new");
    viewer
        .get(&app.editor(""))
        .await
        .is(200)
        .is_silent_on("Add a report");
    viewer.get(&new).await.is(403);
    viewer.submit(&new, &FORM).await.is(403);
    let preview = viewer.submit(&app.editor("/preview"), &FORM).await;
    assert_eq!(preview.0.status, 403);

    let mut member = app.signed_in_as("member@example.org", Role::Member).await;
    member.get(&new).await.is(200);
    let path = member.submit(&new, &FORM).await.location();
    let path = path.strip_suffix("?made").unwrap().to_owned();
    viewer.get(&format!("{path}/edit")).await.is(403);
    viewer.submit(&format!("{path}/delete"), &[]).await.is(403);
    app.stores
        .workspace_admin
        .set_subscription(
            app.world.workspace,
            SubscriptionStatus::Canceled,
            &actor(),
            app.now(),
        )
        .await
        .unwrap();
    let edit = format!("{path}/edit");
    for path in [&new, &edit] {
        member
            .submit(path, &form_with(&[("name", "Late")]))
            .await
            .is(402)
            .says("Nothing was changed");
    }
    // A report that is there may be deleted.
    member
        .submit(&format!("{path}/delete"), &[])
        .await
        .leads_to(&format!("{}?deleted", app.editor("")));
}
