//! A domain with as many monitored URLs as one may have, listed in a sitemap and inspected in turn, and the reads of it.

use anyhow::{Context, Result, bail};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{Integer, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_crawl::{
    robots::monitor::fetch::FileHeaders,
    sitemap::monitor::{
        fetch::{FetchEnd, Fetched},
        outcome::FileOutcome,
        store::{Concluded, SitemapArchive},
    },
};
use pharos_domain::{ids::DomainId, ports::Ports};
use pharos_search::indexing::{
    inspection::read,
    store::schedule::{Attempt, DueSite, IndexingSchedule, Round},
    target::{MOST_AT_ONCE, MOST_URLS, Source},
};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};
use url::Url;
use uuid::Uuid;

use super::site::page_text;
use crate::{asked::Operation, interrupt, world::World};

/// The property that the domain is linked to.
const SITE_URL: &str = "sc-domain:site-0.example";
const SITEMAP: &str = "https://site-0.example/sitemap.xml";
/// How many URLs are inspected on a day, about as many as a property's quota leaves to the rotation.
const A_DAY: usize = 1_800;
/// How many days the rotation takes for all URLs.
const TURN: i64 = 28;
/// How often it went through all of them.
const TURNS: i64 = 2;

/// Each with its path below `indexing`, and a pointer to what it may not be without.
const OPERATIONS: [(&str, &str, &str); 17] = [
    ("overview", "overview", "/by_reason/5"),
    ("timeseries", "timeseries?days=30", "/points/0/indexed"),
    ("changes", "changes?days=30&limit=1000", "/items/999"),
    (
        "changes-verdict",
        "changes?days=30&field=verdict&direction=worsened",
        "/items/0",
    ),
    ("crawl-stats", "crawl-stats?days=30", "/items/0"),
    ("urls", "urls?limit=1000", "/items/999"),
    ("urls-verdict", "urls?verdict=neutral&limit=1000", "/items/999"),
    (
        "urls-reason",
        "urls?coverage_reason=not_found_404&limit=1000",
        "/items/999",
    ),
    ("urls-search", "urls?search=page-4999", "/items/0"),
    ("url", "urls/{url}", "/verdict"),
    ("canonicals", "canonicals", "/items/999"),
    ("rich-results", "rich-results", "/items/0/top_issues/1"),
    ("sitemap-gaps", "sitemap-gaps", "/items/999"),
    (
        "sitemap-gaps-indexed",
        "sitemap-gaps?gap=indexed_not_in_sitemap",
        "/items/999",
    ),
    ("runs", "inspector/runs", "/items/0"),
    ("run", "inspector/runs/{run}", "/status"),
    (
        "run-results",
        "inspector/runs/{run}/results?limit=200",
        "/items/199",
    ),
];

/// A URL that is asked for by its id.
pub(super) struct Known {
    url: Uuid,
    run: Uuid,
}

#[derive(QueryableByName)]
struct UrlRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
}

/// All reads of the domain of the first key.
pub(super) fn operations(world: &World, known: &Known) -> Result<Vec<Operation>> {
    OPERATIONS
        .into_iter()
        .map(|(name, path, shown)| {
            let path = format!("indexing/{}", with_ids(path, known));
            Operation::new(world, format!("indexing-{name}"), &path, shown)
        })
        .collect()
}

fn with_ids(path: &str, known: &Known) -> String {
    path.replace("{url}", &known.url.to_string())
        .replace("{run}", &known.run.to_string())
}

/// Monitors the URLs of a linked domain, and stores a history of inspections, as the rotation does.
pub(super) async fn prepare(ports: &Ports, url: &str, domain: DomainId) -> Result<Known> {
    let now = OffsetDateTime::now_utc();
    list(ports, domain, now).await?;
    inspect(ports, domain, now).await?;
    let mut connection = AsyncPgConnection::establish(url).await?;
    let run = Uuid::now_v7();
    sql_query(include_str!("inspector_run.sql"))
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlUuid, _>(run)
        .bind::<Integer, _>(i32::try_from(MOST_AT_ONCE)?)
        .execute(&mut connection)
        .await
        .context("a run can't be stored")?;
    let UrlRow { id } = sql_query("SELECT id FROM indexing_urls WHERE domain_id = $1 ORDER BY url LIMIT 1")
        .bind::<SqlUuid, _>(domain.0)
        .get_result(&mut connection)
        .await?;
    connection.batch_execute("VACUUM ANALYZE").await?;
    Ok(Known { url: id, run })
}

/// Has a sitemap list four in five of them.
async fn list(ports: &Ports, domain: DomainId, now: OffsetDateTime) -> Result<()> {
    let archive = ports.get::<dyn SitemapArchive>()?;
    archive.begin(domain).await?.context("the domain is gone")?;
    let sitemap: Url = SITEMAP.parse()?;
    archive.declare(domain, &[sitemap], now).await?;
    let mut files = archive.watched(domain, None, None).await?;
    let file = files.pop().context("no sitemap is watched")?;
    let mut body = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">".to_owned();
    for page in (0..all()?).filter(|page| page % 5 != 4) {
        body.push_str(&format!("<url><loc>{}</loc></url>", page_text(page)));
    }
    body.push_str("</urlset>");
    let fetched = Fetched {
        fetched_at: now,
        response_ms: None,
        end: FetchEnd::Answer {
            status: 200,
            final_url: file.url.clone(),
            headers: FileHeaders {
                content_type: Some("application/xml".to_owned()),
                ..FileHeaders::default()
            },
            body: body.into_bytes(),
        },
    };
    let outcome = FileOutcome::of(&file, fetched).await;
    let concluded = Concluded {
        counts: archive.import(domain, None, &file, &outcome).await?,
        is_declared: Some(true),
        figures: None,
        is_compared: false,
    };
    archive.conclude(domain, &concluded, now).await?;
    Ok(())
}

/// Goes through all URLs, some on each day, until yesterday.
async fn inspect(ports: &Ports, domain: DomainId, now: OffsetDateTime) -> Result<()> {
    let schedule = ports.get::<dyn IndexingSchedule>()?;
    let begun = now - Duration::days(TURNS * TURN + 1);
    let site = DueSite {
        domain,
        site_url: SITE_URL.to_owned(),
        linked_at: begun,
        gathered_at: None,
        failures: 0,
        due_in: Duration::ZERO,
        leased_until: begun,
    };
    let urls: Vec<String> = (0..all()?).map(page_text).collect();
    schedule.gather(&site, Source::Sitemap, &urls, begun).await?;
    for days in (1..=TURNS * TURN).rev() {
        if interrupt::came() {
            bail!("interrupted");
        }
        let at = now - Duration::days(days);
        let first = usize::try_from(days % TURN)? * A_DAY;
        let attempts = (first..first + A_DAY)
            .zip(urls.iter().skip(first))
            .map(|(page, url)| attempt(page, url, days <= TURN, at))
            .collect::<Result<Vec<_>>>()?;
        let round = Round {
            domain,
            leased_until: at,
            began_at: at,
            at,
            attempts,
            unused: None,
            failures: 0,
            failure: None,
            // The next is a day away, so that each day counts its own.
            next_round_at: at + Duration::DAY,
        };
        schedule.complete(&[round]).await?;
        if days % 7 == 0 {
            eprintln!("  inspected up to {days} days ago");
        }
    }
    Ok(())
}

fn all() -> Result<usize> {
    Ok(usize::try_from(MOST_URLS)?)
}

fn attempt(page: usize, url: &str, is_later: bool, at: OffsetDateTime) -> Result<Attempt> {
    let answer = answer(page, url, is_later, at)?;
    Ok(Attempt {
        url: url.to_owned(),
        at,
        outcome: Ok(Box::new(read(&answer)?)),
    })
}

/// The upstream's answer. Six pages in ten are in the index at first, one of which leaves it; a third has rich results.
fn answer(page: usize, url: &str, is_later: bool, at: OffsetDateTime) -> Result<Value> {
    let (verdict, coverage, fetch) = match page % 10 {
        0 if is_later => ("NEUTRAL", "Crawled - currently not indexed", "SUCCESSFUL"),
        0..5 => ("PASS", "Submitted and indexed", "SUCCESSFUL"),
        5 => ("PASS", "Indexed, not submitted in sitemap", "SUCCESSFUL"),
        6 => ("NEUTRAL", "Crawled - currently not indexed", "SUCCESSFUL"),
        7 => (
            "NEUTRAL",
            "Duplicate, Google chose different canonical than user",
            "SUCCESSFUL",
        ),
        8 => ("NEUTRAL", "Not found (404)", "NOT_FOUND"),
        _ => (
            "NEUTRAL",
            "URL is unknown to Google",
            "PAGE_FETCH_STATE_UNSPECIFIED",
        ),
    };
    let chosen = if page % 10 == 7 {
        page_text(0)
    } else {
        url.to_owned()
    };
    let fetched = at - Duration::days(i64::try_from(page % 40)?);
    let mut result = json!({
        "indexStatusResult": {
            "verdict": verdict, "coverageState": coverage, "robotsTxtState": "ALLOWED", "indexingState": "INDEXING_ALLOWED",
            "lastCrawlTime": fetched.format(&Rfc3339)?, "pageFetchState": fetch, "crawledAs": "MOBILE",
            "userCanonical": url, "googleCanonical": chosen, "sitemap": [SITEMAP], "referringUrls": [page_text(page / 10)],
        },
    });
    if page.is_multiple_of(3) {
        let (message, severity) = if page.is_multiple_of(30) {
            ("Missing field \"price\"", "ERROR")
        } else {
            ("Missing field \"review\"", "WARNING")
        };
        result["richResultsResult"] = json!({
            "verdict": "PASS",
            "detectedItems": [{
                "richResultType": "Product snippets",
                "items": [{ "name": url, "issues": [{ "issueMessage": message, "severity": severity }] }],
            }],
        });
    }
    Ok(json!({ "inspectionResult": result }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_stands_in_braces_is_filled_in() {
        let known = Known {
            url: Uuid::nil(),
            run: Uuid::nil(),
        };
        for (name, path, _) in OPERATIONS {
            let path = with_ids(path, &known);
            assert!(!path.contains(['{', '}', ' ']), "{name}: {path}");
        }
    }

    #[test]
    fn a_turn_has_a_day_for_every_url() {
        let days = usize::try_from(TURN).unwrap();
        assert!(days * A_DAY >= all().unwrap());
        assert!((days - 1) * A_DAY < all().unwrap());
    }

    #[test]
    fn a_page_in_ten_leaves_the_index() {
        let now = OffsetDateTime::UNIX_EPOCH + Duration::days(20_000);
        let indexed = |is_later: bool| {
            let found = (0..100).map(|page| {
                let answer = answer(page, &page_text(page), is_later, now).unwrap();
                read(&answer).unwrap()
            });
            found.filter(|found| found.is_indexed()).count()
        };
        assert_eq!((indexed(false), indexed(true)), (60, 50));
    }
}
