//! The pages of visits, of the log that was worked out by hand: their figures are those of the API.

use pharos_domain::role::Role;
use serde_json::{Value, json};

use super::browser::Page;
use crate::{
    analytics::{reads::get, told},
    harness::TestApp,
};

const DAYS: &str = "start_date=2026-03-30&end_date=2026-04-03";

fn path(app: &TestApp, rest: &str) -> String {
    format!("/console/domains/{}/analytics/{rest}", app.world.domain)
}

/// The rows of the first table after a mark, each with the texts of its cells.
fn rows(page: &Page, mark: &str) -> Vec<Vec<String>> {
    let text = page.text();
    let (_, below) = text
        .split_once(mark)
        .unwrap_or_else(|| panic!("no {mark} in {text}"));
    let table = below.split("</table>").next().unwrap();
    let (_, body) = table
        .split_once("<tbody>")
        .unwrap_or_else(|| panic!("no rows in {table}"));
    body.split("</tr>")
        .filter(|row| !row.is_empty() && row.contains("<tr>"))
        .map(cells)
        .collect()
}

fn cells(row: &str) -> Vec<String> {
    let row = row.replace("</th>", "</td>");
    let cells = row.split("</td>").map(plain);
    let mut cells: Vec<String> = cells.collect();
    // Nothing stands behind the last.
    cells.pop();
    cells
}

/// Markup without its tags.
fn plain(markup: &str) -> String {
    let mut is_tag = false;
    let mut text = markup.to_owned();
    text.retain(|letter| {
        match letter {
            '<' => is_tag = true,
            '>' => {
                is_tag = false;
                return false;
            }
            _ => {}
        }
        !is_tag
    });
    text
}

/// The address of the link whose text is this.
fn link(page: &Page, text: &str) -> String {
    let all = page.text();
    let end = format!("><bdi>{text}</bdi></a>");
    let (before, _) = all
        .split_once(&end)
        .unwrap_or_else(|| panic!("no link {text} in {all}"));
    let (_, address) = before.rsplit_once("href=\"").unwrap();
    address.trim_end_matches('"').replace("&amp;", "&")
}

/// The rows of an API's list: some of their members as a page writes them. Shares are in percent.
fn listed(items: &Value, members: &[&str]) -> Vec<Vec<String>> {
    let items = items.as_array().unwrap();
    let told = |value: &Value, member: &str| match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        value if member.ends_with("_pct") => share(value.as_f64().unwrap()),
        value => value.to_string(),
    };
    let row = |item: &Value| -> Vec<String> {
        let members = members.iter().map(|member| told(&item[*member], member));
        members.collect()
    };
    items.iter().map(row).collect()
}

/// A share as pages write it, where it is not near the whole or below 1: with the one decimal that says something.
fn share(percent: f64) -> String {
    format!("{}%", format!("{percent:.1}").trim_end_matches(".0"))
}

/// Rows whose figures are alike may stand in another order.
fn sorted(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    rows.sort();
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_and_tables_are_those_of_the_api_and_a_name_narrows_them() {
    let app = told().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let mut page = viewer.get(&path(&app, &format!("explore?{DAYS}"))).await;
    for filter in ["", "&country=FR"] {
        if !filter.is_empty() {
            page.is_silent_on("class=\"chips\"");
            page = viewer.get(&link(&page, "France")).await;
            page.says("Country: <bdi>France</bdi>");
        }
        page.is(200);
        let overview = get(&app, &format!("overview?{DAYS}{filter}")).await;
        for (name, member) in [
            ("Visitors", "visitors"),
            ("Sessions", "sessions"),
            ("Page views", "pageviews"),
        ] {
            page.says(&format!(
                "<dt>{name}</dt><dd><strong>{}</strong>",
                overview[member]
            ));
        }
        let bounces = overview["bounce_rate_pct"].as_f64().unwrap();
        page.says(&format!(
            "<dt>Bounce rate</dt><dd><strong>{}</strong>",
            share(bounces)
        ));
        let by_day = overview["items"].as_array().unwrap();
        let by_day: Vec<String> = by_day.iter().map(|day| day["visitors"].to_string()).collect();
        let drawn = rows(&page, "aria-label=\"Table: Visitors by day\"");
        let drawn: Vec<String> = drawn.iter().map(|row| row[1].clone()).collect();
        assert_eq!(drawn, by_day);

        let pages = get(&app, &format!("pages?{DAYS}{filter}")).await;
        assert_eq!(
            sorted(rows(&page, "id=\"top-pages\"")),
            sorted(listed(
                &pages["items"],
                &["page", "visitors", "share_pct", "pageviews"]
            ))
        );
        let events = get(&app, &format!("events?{DAYS}{filter}")).await;
        if events["items"] != json!([]) {
            assert_eq!(
                rows(&page, "id=\"top-events\""),
                listed(
                    &events["items"],
                    &["event_name", "visitors", "conversion_rate_pct", "count"]
                )
            );
        }
        let devices = get(&app, &format!("devices?{DAYS}{filter}")).await;
        for (table, list) in [("browser", "browsers"), ("os", "operating_systems")] {
            assert_eq!(
                sorted(rows(&page, &format!("id=\"top-{table}\""))),
                sorted(listed(&devices[list], &["name", "visitors", "share_pct"])),
                "{table}"
            );
        }
        let countries = get(&app, &format!("countries?{DAYS}{filter}")).await;
        assert_eq!(
            sorted(rows(&page, "id=\"top-country\"")),
            sorted(listed(
                &countries["items"],
                &["country_name", "visitors", "share_pct"]
            ))
        );
        let sources = get(&app, &format!("sources?{DAYS}{filter}&group_by=source")).await;
        assert_eq!(
            sorted(rows(&page, "id=\"top-source\"")),
            sorted(listed(&sources["items"], &["key", "visitors", "share_pct"]))
        );
    }
    // A second filter, and the way back from the first.
    let narrower = viewer.get(&link(&page, "Safari")).await;
    narrower
        .is(200)
        .says("Country: <bdi>France</bdi>")
        .says("Browser: <bdi>Safari</bdi>")
        .says("Show all visits")
        // Other days, and other pages, are of the same visits.
        .says("/explore?period=last_7_days&amp;country=FR&amp;browser=Safari\"")
        .says("<input type=\"hidden\" name=\"country\" value=\"FR\">")
        .says(&format!(
            "/funnel?{}&amp;country=FR&amp;browser=Safari\"",
            DAYS.replace('&', "&amp;")
        ));
    let text = narrower.text();
    let (_, chip) = text
        .split_once("Country: <bdi>France</bdi></span> <a href=\"")
        .unwrap();
    let without = chip.split('"').next().unwrap().replace("&amp;", "&");
    viewer
        .get(&without)
        .await
        .is(200)
        .says("Browser: <bdi>Safari</bdi>")
        .is_silent_on("Country: <bdi>");
}

/// 1 and 2 April against 30 and 31 March: 4 visitors after 9, 3 of 6 bounces after 4 of 10.
#[tokio::test(flavor = "multi_thread")]
async fn days_stand_beside_those_before_them_and_any_figure_is_a_line() {
    let app = told().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let two = "explore?start_date=2026-04-01&end_date=2026-04-02";
    let before = get(&app, "overview?start_date=2026-03-30&end_date=2026-03-30").await;
    viewer
        .get(&path(&app, &format!("{two}&compare_previous=true")))
        .await
        .is(200)
        .says("−55.6%</span>, before: <span class=\"figure\">9<")
        .says("+10.0 pp</span>, before: <span class=\"figure\">40%<")
        .says("Against the days from 30 March 2026 to 31 March 2026.")
        .says(&format!(
            "1 Apr\nVisitors: 4\nVisitors of the days before: {}",
            before["visitors"]
        ))
        .says("<strong>−59.00 EUR</strong>");
    viewer
        .get(&path(&app, two))
        .await
        .is(200)
        .is_silent_on("of the days before")
        .is_silent_on("before: ");
    viewer
        .get(&path(&app, &format!("{two}&metric=bounce_rate_pct")))
        .await
        .is(200)
        .says("Bounce rate by day")
        .says("1 Apr\nBounce rate: 50%")
        .says("2 Apr\nBounce rate: not measured");
    // Today is not over; a year is told by the week.
    viewer
        .get(&path(&app, &format!("explore?{DAYS}")))
        .await
        .is(200)
        .says("<rect class=\"provisional\"");
    let year = viewer
        .get(&path(
            &app,
            "explore?start_date=2025-04-04&end_date=2026-04-03&compare_previous=true",
        ))
        .await;
    year.is(200).says("Visitors by week").says("Week of 30 Mar");
    assert!(year.0.body.len() < 100 * 1024, "{}", year.0.body.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_funnel_has_the_figures_of_the_api() {
    let app = told().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let steps = "step=page:/&step=page%3A%2Fa&step=event:signup";
    for filter in ["", "&device=desktop"] {
        let page = viewer
            .get(&path(&app, &format!("funnel?{DAYS}&{steps}{filter}&step=")))
            .await;
        page.is(200);
        let found = get(&app, &format!("funnel?{DAYS}&{steps}{filter}")).await;
        let members = ["sessions", "visitors", "from_previous_pct", "from_start_pct"];
        let shown = rows(&page, ">The steps</caption>");
        let told: Vec<Vec<String>> = shown.iter().map(|row| row[1..5].to_vec()).collect();
        assert_eq!(told, listed(&found["steps"], &members));
        let names: Vec<&str> = shown.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(names, ["1. page:/", "2. page:/a", "3. event:signup"]);
        let overall = found["overall_conversion_pct"].as_f64().unwrap();
        page.says(&format!(
            "<dt>Took all steps</dt><dd><strong>{}</strong>",
            share(overall)
        ));
        // The form has them, with room for one more.
        page.says("id=\"step-3\" name=\"step\" type=\"text\" autocomplete=\"off\" value=\"event:signup\"")
            .says("id=\"step-4\"");
    }
    viewer
        .get(&path(&app, "funnel"))
        .await
        .is(200)
        .says("Which steps lead to what you want?")
        .says("name=\"start_date\"")
        .is_silent_on("compared with");
}

#[tokio::test(flavor = "multi_thread")]
async fn journeys_are_those_of_the_api_as_a_flow_and_a_table() {
    let app = told().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    for query in ["", "?depth=2", "?depth=2&start=/a", "?country=FR"] {
        let page = viewer.get(&path(&app, &format!("journeys{query}"))).await;
        page.is(200).says("7 March 2026 to 3 April 2026");
        let mut found = get(&app, &format!("journeys{query}")).await;
        let items = found["items"].as_array_mut().unwrap();
        for item in items {
            let stops = item["path"].as_array().unwrap();
            let stops: Vec<&str> = stops.iter().filter_map(Value::as_str).collect();
            let way = stops.join(" → ");
            item["path"] = json!(way);
        }
        let shown = rows(&page, ">The most frequent ways</caption>");
        let told: Vec<Vec<String>> = shown.iter().map(|row| row[..3].to_vec()).collect();
        let expected = listed(&found["items"], &["path", "sessions", "share_pct"]);
        assert_eq!(sorted(told), sorted(expected), "{query}");
    }
    // By hand: 1, 11 and 17 go from / to /a, and 1 goes on to /b.
    let page = viewer.get(&path(&app, "journeys")).await;
    let bands = rows(&page, "aria-label=\"Table: From page to page\"");
    for band in [
        ["1. /", "2. /a", "3"],
        ["2. /a", "3. /b", "1"],
        ["1. /b", "no further page", "3"],
    ] {
        assert!(
            bands.iter().any(|row| row[..] == band),
            "{band:?} is not in {bands:?}"
        );
    }
    page.says("<path class=\"fill wash ink-1\"");
    viewer
        .get(&path(&app, "journeys?start=/nowhere"))
        .await
        .is(200)
        .says("No visit viewed that page");
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_of_the_ways_of_visits_keep_the_days_and_how_they_are_compared() {
    let app = told().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let days = [
        ("period", "last_7_days"),
        ("compare_previous", "true"),
        ("compare_mode", "calendar_month"),
    ];
    let query = days.map(|(name, value)| format!("{name}={value}")).join("&");
    for (page, own) in [("funnel", "name=\"step\""), ("journeys", "name=\"start\"")] {
        let shown = viewer.get(&path(&app, &format!("{page}?{query}"))).await;
        let text = shown.is(200).text();
        let mut forms = text
            .split("<form")
            .filter_map(|rest| rest.split("</form>").next());
        let form = forms.find(|form| form.contains(own)).unwrap();
        for (name, value) in days {
            let kept = format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">");
            assert!(form.contains(&kept), "{kept} is not in {form}");
        }
    }
}

/// Ada was there on 30 March and 3 April, bob on 1 April.
#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_is_a_triangle_of_the_apis_cohorts() {
    let app = told().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let page = viewer
        .get(&path(&app, &format!("retention?{DAYS}&granularity=day")))
        .await;
    page.is(200).says("30 Mar\nday 4: 100%");
    let found = get(&app, &format!("retention?{DAYS}&granularity=day")).await;
    let cohorts = found["cohorts"].as_array().unwrap();
    let shown = rows(&page, "aria-label=\"Table: Who comes back\"");
    assert_eq!(shown.len(), cohorts.len());
    for (row, cohort) in shown.iter().zip(cohorts) {
        assert_eq!(row[1], cohort["visitors"].to_string());
        let periods = cohort["periods"].as_array().unwrap();
        let mut told: Vec<String> = periods
            .iter()
            .map(|period| period["retention_pct"].as_f64())
            .map(|share| share.map_or("–".to_owned(), |share| format!("{share:.0}%")))
            .collect();
        told.resize(cohorts.len(), String::new());
        assert_eq!(row[2..], told);
    }
    viewer
        .get(&path(&app, &format!("retention?{DAYS}&country=FR")))
        .await
        .is(200)
        .says("The site identifies nobody in these visits")
        .is_silent_on("aria-label=\"Table: Who comes back\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_there_now_is_told_as_by_the_api() {
    let app = told().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let page = viewer.get(&path(&app, "realtime")).await;
    let found = get(&app, "realtime").await;
    page.is(200)
        .says(&format!(
            "<dt>Visitors</dt><dd><strong>{}</strong>",
            found["active_visitors"]
        ))
        .says(&format!(
            "<dt>Page views</dt><dd><strong>{}</strong>",
            found["pageviews"]
        ))
        .says("Page views of each minute.");
    for (table, list, members) in [
        ("page", "pages", ["page", "visitors", "pageviews"]),
        ("source", "sources", ["source", "visitors", "pageviews"]),
        ("event", "events", ["event_name", "visitors", "count"]),
    ] {
        let shown = rows(&page, &format!("id=\"now-{table}\""));
        assert_eq!(shown, listed(&found[list], &members), "{table}");
    }
    let minutes = found["items"].as_array().unwrap();
    let minutes: Vec<String> = minutes
        .iter()
        .map(|minute| minute["pageviews"].to_string())
        .collect();
    let drawn = rows(&page, "aria-label=\"Table: Page views by minute\"");
    let drawn: Vec<String> = drawn.iter().map(|row| row[1].clone()).collect();
    assert_eq!(drawn, minutes);
    viewer
        .get(&link(&page, "France"))
        .await
        .is(200)
        .says("Country: <bdi>France</bdi>");
}

const PAGES: [&str; 5] = [
    "explore",
    "funnel?step=page:/&step=page:/a",
    "journeys",
    "retention",
    "realtime",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_site_without_visits_says_how_to_begin_and_strangers_find_nothing() {
    let app = TestApp::start().await;
    let mut admin = app.signed_in_as("admin@example.org", Role::Admin).await;
    for page in PAGES {
        let page = path(&app, page);
        admin
            .get(&page)
            .await
            .is(200)
            .says("Nothing is collected here yet");
    }
    let config = format!("/domains/{}/analytics/config", app.world.domain);
    app.put(&config, &app.world.key, &json!({})).send().await.ok();
    for page in PAGES {
        let told = if page == "realtime" {
            "None in these minutes."
        } else {
            "No visit was seen yet"
        };
        admin.get(&path(&app, page)).await.is(200).says(told);
    }
    admin
        .get(&path(&app, "explore?source=%3Cb%3Ex&page=/%25%27--&event=a&channel=sms&device=mobile&country=DE&os=x&browser=y&medium=z&campaign=c&referrer=r"))
        .await
        .is(200)
        .says("Source: <bdi>&lt;b&gt;x</bdi>")
        .is_silent_on("<b>x");
    let stranger = app.person("stranger@example.org").await;
    let mut stranger = app.signed_in(stranger).await;
    for page in PAGES {
        stranger.get(&path(&app, page)).await.is(404);
    }
    app.move_to_plan_without_uptime().await;
    for page in PAGES {
        admin.get(&path(&app, page)).await.is(404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_address_can_not_ask_for_is_told() {
    let app = told().await;
    let mut viewer = app.signed_in_as("viewer@example.org", Role::Viewer).await;
    let nine = format!("funnel?{}", ["step=page:/"; 9].join("&"));
    let long = format!("explore?source={}", "x".repeat(2_000));
    for (asked, why) in [
        (
            "explore?country=Germany",
            "Country: not two letters of ISO 3166-1, such as US.",
        ),
        ("explore?source=a%00b", "Source: the value holds NUL."),
        (long.as_str(), "Source: longer than an address has room for"),
        ("explore?metric=luck", "Figure: one of visitors"),
        ("explore?start_date=soon", "From: "),
        ("funnel?step=shop&step=event:a", "Step 1 is not page: and a path"),
        (
            "funnel?step=event:b&step=event:a%00",
            "Step 2 is not page: and a path",
        ),
        ("funnel?step=page:/", "A funnel has 2 to 8 steps."),
        (nine.as_str(), "A funnel has 2 to 8 steps."),
        ("funnel?country=Germany", "Country: not two letters"),
        ("journeys?depth=7", "Of at most: 2 to 6 pages."),
        ("journeys?start=shop", "Ways from the page: the path of a page"),
        ("journeys?country=Germany", "Country: not two letters"),
        ("retention?granularity=hour", "Periods: day, week or month."),
        ("retention?end_date=soon", "To: "),
    ] {
        viewer
            .get(&path(&app, asked))
            .await
            .is(400)
            .says("role=\"alert\"")
            .says(why);
    }
    viewer
        .get(&path(&app, "explore?source=nobody"))
        .await
        .is(200)
        .says("No visit of these days fits")
        .says("Show all visits");
}
