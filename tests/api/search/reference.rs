//! The same figures by plain SQL over the rows as they were imported, without any sum, number or function of Pharos.

use pharos_search::gsc::{
    figures::{Device, SearchType},
    import::ImportedDay,
};
use serde_json::Value;
use time::{Date, Duration, macros::date};

use super::{Hit, day, days, hit, link, read, sum_months};
use crate::harness::TestApp;

const FIRST: Date = date!(2025 - 12 - 10);
const LAST: Date = date!(2026 - 03 - 29);

/// A text that lives as long as the process.
fn text(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// Some forty hits a day for 110 days: 60 queries with 25 pages, in four countries, on three devices; every ninth query is
/// hidden. The frequent ones change over time, so that values come and go.
fn hits(random: &mut fastrand::Rng, queries: &[&'static str], pages: &[&'static str], age: i64) -> Vec<Hit> {
    let places = ["DE", "FR", "US", "JP"];
    let devices = [Device::Desktop, Device::Mobile, Device::Tablet];
    let drift = usize::try_from(age / 5).unwrap();
    (0..random.usize(20..60))
        .map(|_| {
            let query = (random.usize(0..20) + random.usize(0..20) + drift) % queries.len();
            let page = (query / 3 + random.usize(0..3)) % pages.len();
            let impressions = random.u64(1..200);
            // To the half, so that sums are the same in whatever order.
            let position = f64::from(random.u32(2..80)) / 2.0;
            let made = hit(
                queries[query],
                pages[page],
                random.u64(0..=impressions / 4),
                impressions,
                position,
            )
            .at(random.choice(places).unwrap(), random.choice(devices).unwrap());
            if random.u8(0..9) == 0 { made.hidden() } else { made }
        })
        .collect()
}

/// Imports 110 days, adds up the months that are over, and tells a plain table the same.
async fn site() -> TestApp {
    let app = TestApp::start().await;
    link(&app, &[SearchType::Web], FIRST, Some(LAST)).await;
    let mut random = fastrand::Rng::with_seed(25);
    let queries: Vec<&str> = (0..60).map(|n| text(format!("query {n}"))).collect();
    let pages: Vec<&str> = (0..25)
        .map(|n| text(format!("https://shop.example/{}/{n}", n % 4)))
        .collect();
    app.sql(
        "CREATE TABLE plain (date date, query text, page text, country text, device text, clicks bigint, impressions bigint,
            positions double precision)",
    )
    .await;
    let mut stored: Vec<(Date, ImportedDay)> = Vec::new();
    let mut rows = Vec::new();
    for age in 0..=(LAST - FIRST).whole_days() {
        let date = FIRST + Duration::days(age);
        let hits = hits(&mut random, &queries, &pages, age);
        rows.extend(hits.iter().map(|hit| {
            format!(
                "('{date}', {}, '{}', '{}', '{}', {}, {}, {})",
                hit.query
                    .map_or_else(|| "NULL".to_owned(), |query| format!("'{query}'")),
                hit.page,
                hit.country.unwrap(),
                hit.device.unwrap(),
                hit.clicks,
                hit.impressions,
                hit.position * hit.impressions as f64
            )
        }));
        stored.push((date, day(true, &hits)));
    }
    assert!(rows.len() > 3_000, "{}", rows.len());
    app.sql(&format!("INSERT INTO plain VALUES {}", rows.join(",")))
        .await;
    days(&app, SearchType::Web, stored).await;
    // December, January and February; a day of February is then imported anew, which takes its month out.
    sum_months(&app, SearchType::Web, LAST).await;
    let again = FIRST + Duration::days(70);
    let hits = hits_of(&app, again).await;
    days(&app, SearchType::Web, [(again, day(true, &hits))]).await;
    let months = app.sql("SELECT month FROM search_months ORDER BY month").await;
    assert_eq!(months.len(), 2, "{months:?}");
    app
}

/// The hits of a day, out of the plain table.
async fn hits_of(app: &TestApp, date: Date) -> Vec<Hit> {
    let rows = app
        .sql(&format!(
            "SELECT query, page, country, device, clicks::text, impressions::text, positions::text FROM plain WHERE date = '{date}'"
        ))
        .await;
    let hits = rows.into_iter().map(|row| {
        let mut columns = row.into_iter();
        let mut next = || columns.next().unwrap();
        let query = next().map(text);
        let page = text(next().unwrap());
        let country = text(next().unwrap());
        let device = next().unwrap().parse().unwrap();
        let clicks = next().unwrap().parse().unwrap();
        let impressions: u64 = next().unwrap().parse().unwrap();
        let positions: f64 = next().unwrap().parse().unwrap();
        Hit {
            query,
            page,
            country: Some(country),
            device: Some(device),
            clicks,
            impressions,
            position: positions / impressions as f64,
        }
    });
    hits.collect()
}

/// The answer to a plain query, a row a line.
async fn plain(app: &TestApp, sql: &str) -> Vec<String> {
    let rows = app.sql(sql).await;
    let cell = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_owned());
    let mut lines: Vec<String> = rows
        .into_iter()
        .map(|row| row.into_iter().map(cell).collect::<Vec<_>>().join(" | "))
        .collect();
    lines.sort();
    lines
}

const FIGURES: &str = "sum(clicks)::text, sum(impressions)::text, to_char(sum(clicks) / sum(impressions)::float8, 'FM990.000000'),
    to_char(sum(positions) / sum(impressions), 'FM990.000000')";

/// The rows of an answer in the same form.
fn told(answer: &Value, members: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = answer["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| line(row, members))
        .collect();
    lines.sort();
    lines
}

fn line(row: &Value, members: &[&str]) -> String {
    let cells = members.iter().map(|member| match &row[member] {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => format!("{:.6}", number.as_f64().unwrap()),
        other => other.to_string(),
    });
    cells.collect::<Vec<_>>().join(" | ")
}

const OF_QUERY: [&str; 5] = ["query", "clicks", "impressions", "ctr", "position"];
const OF_PAGE: [&str; 5] = ["page", "clicks", "impressions", "ctr", "position"];

#[tokio::test]
async fn lists_are_what_plain_sql_says() {
    let app = site().await;
    for (window, condition) in [
        // Summed months, one that was taken out, and days on either side.
        (
            "start_date=2025-12-20&end_date=2026-03-10",
            "date BETWEEN '2025-12-20' AND '2026-03-10'",
        ),
        // One summed month exactly.
        (
            "start_date=2026-01-01&end_date=2026-01-31",
            "date BETWEEN '2026-01-01' AND '2026-01-31'",
        ),
        // Within one.
        (
            "start_date=2026-01-02&end_date=2026-01-30",
            "date BETWEEN '2026-01-02' AND '2026-01-30'",
        ),
        ("start_date=2026-03-29&end_date=2026-03-29", "date = '2026-03-29'"),
    ] {
        for (filter, and) in [
            ("", ""),
            ("&country=DE", "AND country = 'DE'"),
            ("&device=tablet", "AND device = 'tablet'"),
            (
                "&country=JP&device=mobile",
                "AND country = 'JP' AND device = 'mobile'",
            ),
        ] {
            for (list, value, members, other) in [
                ("queries", "query", OF_QUERY, "&search=Y%201"),
                ("pages", "page", OF_PAGE, "&search=Y%201"),
            ] {
                let known = "AND query IS NOT NULL";
                let known = if list == "queries" { known } else { "" };
                let rows = plain(
                    &app,
                    &format!("SELECT {value}, {FIGURES} FROM plain WHERE {condition} {and} {known} GROUP BY {value}"),
                )
                .await;
                let answer = read(&app, &format!("{list}?{window}{filter}&limit=1000")).await;
                assert_eq!(told(&answer, &members), rows, "{list} {window} {filter}");
                let sums = plain(
                    &app,
                    &format!(
                        "SELECT count(DISTINCT {value})::text, {FIGURES} FROM plain WHERE {condition} {and} {known}
                        HAVING count(*) > 0"
                    ),
                )
                .await;
                let total = &answer[format!("total_{list}")];
                let totals = line(&answer["totals"], &members[1..]);
                assert_eq!(
                    vec![format!("{total} | {totals}")],
                    sums,
                    "{list} {window} {filter}"
                );
                let found = read(&app, &format!("{list}?{window}{filter}{other}&limit=1000")).await;
                let rows = plain(
                    &app,
                    &format!(
                        "SELECT {value}, {FIGURES} FROM plain WHERE {condition} {and} {known} AND {value} ILIKE '%y 1%' GROUP BY {value}"
                    ),
                )
                .await;
                assert_eq!(told(&found, &members), rows, "{list} {window} {filter}{other}");
            }
        }
        let of_page = format!("{condition} AND page = 'https://shop.example/1/5' AND query IS NOT NULL");
        let rows = plain(
            &app,
            &format!("SELECT query, {FIGURES} FROM plain WHERE {of_page} GROUP BY query"),
        )
        .await;
        let answer = read(
            &app,
            &format!("queries?{window}&page=https://shop.example/1/5&limit=1000"),
        )
        .await;
        assert_eq!(told(&answer, &OF_QUERY), rows, "{window}");
        let of_query = format!("{condition} AND query = 'query 21'");
        let rows = plain(
            &app,
            &format!("SELECT page, {FIGURES} FROM plain WHERE {of_query} GROUP BY page"),
        )
        .await;
        let answer = read(&app, &format!("pages?{window}&query=query%2021&limit=1000")).await;
        assert_eq!(told(&answer, &OF_PAGE), rows, "{window}");
        let rows = plain(
            &app,
            &format!("SELECT country, {FIGURES} FROM plain WHERE {condition} GROUP BY country"),
        )
        .await;
        let answer = read(&app, &format!("countries?{window}")).await;
        assert_eq!(
            told(&answer, &["country", "clicks", "impressions", "ctr", "position"]),
            rows,
            "{window}"
        );
        let rows = plain(
            &app,
            &format!(
                "SELECT device, {FIGURES} FROM plain WHERE {condition} AND country = 'US' GROUP BY device"
            ),
        )
        .await;
        let answer = read(&app, &format!("devices?{window}&country=US")).await;
        assert_eq!(
            told(&answer, &["device", "clicks", "impressions", "ctr", "position"]),
            rows,
            "{window}"
        );
    }
}

#[tokio::test]
async fn partners_and_the_overview_are_what_plain_sql_says() {
    let app = site().await;
    let window = "date BETWEEN '2025-12-20' AND '2026-03-10'";
    let asked = "start_date=2025-12-20&end_date=2026-03-10";
    let rows = plain(
        &app,
        &format!(
            "SELECT query, count(*)::text, (array_agg(page ORDER BY clicks DESC, impressions DESC))[1]
            FROM (
                SELECT query, page, sum(clicks) AS clicks, sum(impressions) AS impressions
                FROM plain WHERE {window} AND query IS NOT NULL GROUP BY query, page
            ) AS pairs
            GROUP BY query"
        ),
    )
    .await;
    let queries = read(&app, &format!("queries?{asked}&limit=1000")).await;
    assert_eq!(told(&queries, &["query", "pages_count", "top_page"]), rows);
    let sums = plain(
        &app,
        &format!(
            "SELECT {FIGURES}, count(DISTINCT query)::text, count(DISTINCT page)::text,
                (sum(clicks) FILTER (WHERE query IS NULL))::text, (sum(impressions) FILTER (WHERE query IS NULL))::text
            FROM plain WHERE {window}"
        ),
    )
    .await;
    let overview = read(&app, &format!("overview?{asked}")).await;
    let members = [
        "clicks",
        "impressions",
        "ctr",
        "position",
        "queries_count",
        "pages_count",
        "anonymized_clicks",
        "anonymized_impressions",
    ];
    assert_eq!(vec![line(&overview, &members)], sums);
    let rows = plain(
        &app,
        &format!(
            "SELECT date_trunc('month', date)::date::text, {FIGURES} FROM plain WHERE {window} GROUP BY 1"
        ),
    )
    .await;
    let months = read(&app, &format!("timeseries?{asked}&granularity=month")).await;
    let points: Vec<String> = months["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| {
            line(
                point,
                &["bucket_start", "clicks", "impressions", "ctr", "position"],
            )
        })
        .collect();
    let mut first_days = rows.clone();
    first_days.sort();
    assert_eq!(points, first_days);
}

#[tokio::test]
async fn rankings_are_what_plain_sql_says() {
    let app = site().await;
    let (window, base) = (
        "date BETWEEN '2026-02-10' AND '2026-03-10'",
        "date BETWEEN '2026-01-12' AND '2026-02-09'",
    );
    let asked = "start_date=2026-02-10&end_date=2026-03-10&limit=1000";
    for value in ["query", "page"] {
        let new = plain(
            &app,
            &format!(
                "SELECT {value}, {FIGURES}, min(date)::text
                FROM plain WHERE {window} AND {value} IS NOT NULL AND (query IS NOT NULL OR '{value}' = 'page')
                    AND {value} NOT IN (SELECT {value} FROM plain WHERE {base} AND {value} IS NOT NULL)
                GROUP BY {value}"
            ),
        )
        .await;
        let answer = read(&app, &format!("new-rankings?{asked}&dimension={value}")).await;
        let members = [
            "value",
            "clicks",
            "impressions",
            "ctr",
            "position",
            "first_seen_on",
        ];
        assert_eq!(told(&answer, &members), new, "{value}");
        assert_eq!(answer["total_new"], new.len());
        let lost = plain(
            &app,
            &format!(
                "SELECT {value}, sum(clicks)::text, sum(impressions)::text, max(date)::text, (date '2026-03-10' - max(date))::text
                FROM plain WHERE {base} AND {value} IS NOT NULL
                    AND {value} NOT IN (SELECT {value} FROM plain WHERE {window} AND {value} IS NOT NULL)
                GROUP BY {value}"
            ),
        )
        .await;
        let answer = read(&app, &format!("lost-rankings?{asked}&dimension={value}")).await;
        let members = [
            "value",
            "base_clicks",
            "base_impressions",
            "last_seen_on",
            "days_absent",
        ];
        assert_eq!(told(&answer, &members), lost, "{value}");
        assert!(
            !new.is_empty() || !lost.is_empty() || value == "page",
            "nothing is tested"
        );
        let moved = plain(
            &app,
            &format!(
                "SELECT {value}, now.clicks::text, before.clicks::text, (now.clicks - before.clicks)::text
                FROM (SELECT {value}, sum(clicks) AS clicks FROM plain WHERE date BETWEEN '2026-03-02' AND '2026-03-29' GROUP BY 1) AS now
                JOIN (SELECT {value}, sum(clicks) AS clicks FROM plain WHERE date BETWEEN '2026-02-02' AND '2026-03-01' GROUP BY 1) AS before
                    USING ({value})
                WHERE now.clicks <> before.clicks"
            ),
        )
        .await;
        let answer = read(&app, &format!("movers?dimension={value}")).await;
        let members = ["value", "clicks", "clicks_previous", "clicks_change"];
        assert_eq!(told(&answer, &members), moved, "{value}");
        for row in answer["items"].as_array().unwrap() {
            let part = |name: &str| row[format!("clicks_from_{name}")].as_f64().unwrap();
            let sum = part("demand") + part("rank") + part("ctr");
            assert!(
                (sum - row["clicks_change"].as_f64().unwrap()).abs() < 1e-6,
                "{row}"
            );
        }
    }
}

/// Pages of a list, one after the other, are the list; in every order it is in that order.
#[tokio::test]
async fn pages_of_a_list_are_the_list() {
    let app = site().await;
    let window = "start_date=2025-12-20&end_date=2026-03-10";
    for (sort, order) in [
        ("clicks", "desc"),
        ("impressions", "asc"),
        ("ctr", "desc"),
        ("position", "asc"),
        ("query", "asc"),
        ("query", "desc"),
    ] {
        let all = read(
            &app,
            &format!("queries?{window}&sort={sort}&order={order}&limit=1000"),
        )
        .await;
        let rows = all["items"].as_array().unwrap().clone();
        let mut paged = Vec::new();
        for offset in (0..rows.len()).step_by(17) {
            let page = format!("queries?{window}&sort={sort}&order={order}&limit=17&offset={offset}");
            paged.extend(read(&app, &page).await["items"].as_array().unwrap().clone());
        }
        assert_eq!(paged, rows, "{sort} {order}");
        let is_ordered = rows.is_sorted_by(|one, other| {
            let (one, other) = if order == "asc" {
                (one, other)
            } else {
                (other, one)
            };
            match sort {
                "query" => one[sort].as_str() <= other[sort].as_str(),
                _ => one[sort].as_f64() <= other[sort].as_f64(),
            }
        });
        assert!(is_ordered, "{sort} {order}");
    }
}
