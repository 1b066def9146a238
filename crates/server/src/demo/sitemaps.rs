//! The sitemaps of the shops, and what they were before: an index of two files with 2,000 pages or so, some of which come and go
//! each day.

use std::fmt::Write;

use anyhow::Context;
use pharos_crawl::{
    robots::monitor::fetch::FileHeaders,
    sitemap::monitor::{
        conflicts,
        fetch::{FetchEnd, Fetched},
        figures::{self, FigureArchive},
        outcome::FileOutcome,
        site::{CheckCounts, WatchedFile},
        store::{Concluded, ConflictArchive, SitemapArchive},
    },
};
use time::{Date, Duration, OffsetDateTime};
use url::Url;

use super::{Demo, shop::goods::GOODS};

/// How many shades each thing comes in at least.
const SHADES: i64 = 325;
/// A new shade of each thing comes every so many days,
const NEW_SHADE: i64 = 4;
/// until so many have come; then all of these are sold out, and the next come.
const NEW_SHADES: i64 = 25;
/// One shade in so many is not to be had on a given day.
const OUT_OF_STOCK: i64 = 60;
/// A page is worked over every so many days.
const WORKED_OVER: i64 = 28;
/// How many days before the first start of the demo a check found the files.
const CHECKED: [i64; 16] = [90, 83, 76, 69, 62, 55, 48, 41, 34, 27, 20, 13, 6, 3, 2, 1];

const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// The file at a path below `/`, as the shops send it on a day; `None`: there is none.
pub(super) fn file(path: &str, base: &str, today: Date) -> Option<String> {
    match path {
        "/sitemap.xml" => Some(index(base)),
        "/sitemaps/pages.xml" => Some(pages(base)),
        "/sitemaps/goods.xml" => Some(goods(base, today)),
        _ => None,
    }
}

/// Whether the files list a page on a day, by what stands in its URL behind the base.
pub(super) fn lists(page: &str, today: Date) -> bool {
    let day = i64::from(today.to_julian_day());
    let parts = page.strip_prefix("product/");
    let Some((id, shade)) = parts.and_then(|parts| parts.split_once("?shade=")) else {
        return pages("").contains(&format!("<loc>{page}</loc>"));
    };
    let good = (0..).zip(&GOODS).find(|(_, good)| good.id == id);
    let shade = shade.parse::<i64>().ok();
    good.zip(shade)
        .is_some_and(|((number, _), shade)| (1..=shades(day)).contains(&shade) && is_sold(day, shade, number))
}

fn index(base: &str) -> String {
    format!(
        "<sitemapindex xmlns=\"{NAMESPACE}\"><sitemap><loc>{base}sitemaps/pages.xml</loc></sitemap>\
         <sitemap><loc>{base}sitemaps/goods.xml</loc></sitemap></sitemapindex>"
    )
}

/// It has four honest faults: a page that robots.txt blocks, a page that stands twice, a date that is none, and a page that there is
/// not.
fn pages(base: &str) -> String {
    format!(
        "<urlset xmlns=\"{NAMESPACE}\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\" \
         xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\" \
         xmlns:video=\"http://www.google.com/schemas/sitemap-video/1.1\" \
         xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">\
         <url><loc>{base}</loc><lastmod>last spring</lastmod><changefreq>weekly</changefreq><priority>1.0</priority>\
         <image:image><image:loc>{base}pictures/hero.svg</image:loc></image:image>\
         <xhtml:link rel=\"alternate\" hreflang=\"en\" href=\"{base}\"/></url>\
         <url><loc>{base}product/arc</loc><changefreq>monthly</changefreq><priority>0.8</priority>\
         <image:image><image:loc>{base}pictures/arc.svg</image:loc></image:image>\
         <video:video><video:title>How to hang it</video:title></video:video></url>\
         <url><loc>{base}?sale=spring</loc><news:news><news:title>The spring sale begins</news:title></news:news></url>\
         <url><loc>{base}search?q=lamp</loc></url><url><loc>{base}search?q=lamp</loc></url>\
         <url><loc>{base}product/moon</loc></url>\
         <url><loc>{base}cart</loc></url><url><loc>{base}files/price-list.pdf</loc></url></urlset>"
    )
}

/// A page for each shade of each thing that is to be had on the day.
fn goods(base: &str, today: Date) -> String {
    let day = i64::from(today.to_julian_day());
    let mut text = format!("<urlset xmlns=\"{NAMESPACE}\">");
    for (number, good) in (0..).zip(&GOODS) {
        for shade in 1..=shades(day) {
            if !is_sold(day, shade, number) {
                continue;
            }
            let worked_over = (day + shade * 5 + number) % WORKED_OVER;
            let lastmod = today.saturating_sub(Duration::days(worked_over));
            // Writing into a text never fails.
            let _ = write!(
                text,
                "<url><loc>{base}product/{}?shade={shade}</loc><lastmod>{lastmod}</lastmod></url>",
                good.id
            );
        }
    }
    text.push_str("</urlset>");
    text
}

/// Whether a shade of the thing with this number is to be had on a day.
const fn is_sold(day: i64, shade: i64, number: i64) -> bool {
    (shade + day / 3 + number) % OUT_OF_STOCK != 0
}

/// How many shades each thing comes in on a day.
const fn shades(day: i64) -> i64 {
    SHADES + day / NEW_SHADE % NEW_SHADES
}

/// Gives the shops a history of their sitemaps, once. The next check finds the files of today.
///
/// # Errors
/// A port is missing, or the store failed.
pub(crate) async fn remember(demo: &Demo<'_>) -> anyhow::Result<()> {
    let Demo { ports, site, now, .. } = *demo;
    let archive = ports.get::<dyn SitemapArchive>()?;
    let store = ports.get::<dyn ConflictArchive>()?;
    let counted = ports.get::<dyn FigureArchive>()?;
    for shop in &demo.shops {
        let domain = shop.id();
        let base = site.url(shop.domain().hostname.as_str());
        let root: Url = format!("{base}sitemap.xml")
            .parse()
            .context("the URL of a shop")?;
        let Some(workspace) = archive.begin(domain).await? else {
            continue;
        };
        if archive.knows(domain, &root).await? {
            continue;
        }
        for days in CHECKED {
            let at = now - Duration::days(days);
            archive.declare(domain, std::slice::from_ref(&root), at).await?;
            let mut counts = CheckCounts::default();
            let mut files = archive.watched(domain, None, None).await?;
            while let Some(known) = files.pop() {
                let outcome = as_it_was(&known, &base, at).await;
                counts = counts.and(archive.import(domain, None, &known, &outcome).await?);
                files.extend(archive.watched(domain, Some(known.id), None).await?);
            }
            if days == CHECKED[CHECKED.len() - 1] {
                conflicts::recompute(&*archive, &*store, (workspace, domain), at).await?;
            }
            let concluded = Concluded {
                counts,
                is_declared: Some(true),
                figures: Some(figures::count(&*counted, domain).await?),
                is_compared: true,
            };
            archive.conclude(domain, &concluded, at).await?;
        }
    }
    Ok(())
}

async fn as_it_was(known: &WatchedFile, base: &str, at: OffsetDateTime) -> FileOutcome {
    let path = known
        .url
        .strip_prefix(base.trim_end_matches('/'))
        .unwrap_or_default();
    let body = file(path, base, at.date()).unwrap_or_default();
    let fetched = Fetched {
        fetched_at: at,
        response_ms: None,
        end: FetchEnd::Answer {
            status: 200,
            final_url: known.url.clone(),
            headers: FileHeaders {
                content_type: Some("application/xml".to_owned()),
                ..FileHeaders::default()
            },
            body: body.into_bytes(),
        },
    };
    FileOutcome::of(known, fetched).await
}

#[cfg(test)]
mod tests {
    use time::macros::date;

    use super::*;

    #[test]
    fn the_files_name_two_thousand_pages_and_some_come_and_go() {
        let of = |day| file("/sitemaps/goods.xml", "http://demo.localhost:7071/", day).unwrap();
        let (before, after) = (of(date!(2026 - 03 - 28)), of(date!(2026 - 03 - 31)));
        assert!((1_900..2_100).contains(&before.matches("<url>").count()));
        assert_ne!(before, after);
        let has = |text: &str, page: &str| text.contains(&format!("{page}</loc>"));
        let is_new = |shade: &i64| {
            let page = format!("product/arc?shade={shade}");
            !has(&before, &page) && has(&after, &page)
        };
        assert!((1..=SHADES).any(|shade| is_new(&shade)));
        let later = of(date!(2026 - 04 - 29));
        assert!(later.matches("<url>").count() > after.matches("<url>").count());
        assert_eq!(
            file(
                "/sitemap.txt",
                "http://demo.localhost:7071/",
                date!(2026 - 03 - 31)
            ),
            None
        );
    }

    #[test]
    fn a_page_is_listed_if_a_file_of_the_day_has_it() {
        let today = date!(2026 - 03 - 31);
        let text = format!("{}{}", pages(""), goods("", today));
        let mut listed = text
            .split("<loc>")
            .skip(1)
            .filter_map(|rest| rest.split('<').next());
        assert!(listed.all(|page| lists(page, today)));
        for page in [
            "product/buoy",
            "product/arc?shade=9999",
            "product/moon?shade=1",
            "about",
        ] {
            assert!(!lists(page, today), "{page}");
        }
        let is_gone = |shade: &i64| !lists(&format!("product/arc?shade={shade}"), today);
        assert!((1..=SHADES).any(|shade| is_gone(&shade)), "some are sold out");
    }
}
