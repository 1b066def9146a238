//! The findings of inspections about a domain's pages, besides whether they are in the index: canonical pages, rich results, gaps to
//! sitemaps, and when Google fetched them. They are read by the ports that the API asks.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_domain::{
    identity::DomainAccess,
    module::Module,
    report_widget::{SectionName, WidgetKind},
    window::DateRange,
};
use pharos_pictures::{
    chart::{Chart, Ground, Series},
    figure::{number, short},
};
use pharos_reporting::{data::SectionData, render::labels::word};
use pharos_search::indexing::{
    gaps::{self, GapCounts, Gaps},
    states::{CrawledAs, Severity},
    store::reads::{AgeCounts, CanonicalMismatch, CrawlStats, RichType},
};
use serde_json::{Value, json};
use time::{Date, Duration, OffsetDateTime};

use super::tables::{count, maybe, section, text};
use crate::{
    console::{Console, Search},
    domain::{frame, opened, set_up::set_up},
    enter::AtDomain,
    nav::domain_path,
    parts::{
        facts::{Figure, figures},
        table::{Column, Table, figure_cell},
    },
    period::{Days, short_day},
    refusal::Refusal,
};

/// Where the page lies below a domain.
pub(super) const PATH: &str = "indexing/findings";
/// How many rows a table has. The API has more.
const MOST: u32 = 50;
/// How far back the state is looked for that days begin with: each URL is inspected more often than that.
const LOOK_BACK: u32 = 60;

/// GET /console/domains/{domain_id}/indexing/findings
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let now = console.parts.clock.now();
    let days = Days::of(Module::Indexing, request.query_string(), now);
    let search = &console.parts.search;
    let (here, domain, content) = opened(
        &console,
        &request,
        (&id, Module::Indexing),
        async |here| Ok(search.urls.site(&here.access).await?),
        |here| set_up(here, Module::Indexing),
        async |here, _| {
            let found = Found::read(search, &here.access, days.window(), now).await?;
            Ok(found.content(here, &days))
        },
    )
    .await?;
    let status = if days.faults.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::BAD_REQUEST
    };
    Ok(frame(&here, "What inspections found", Module::Indexing.as_str())
        .below(domain_path(here.id(), ""), domain.title)
        .below(
            domain_path(here.id(), Module::Indexing.as_str()),
            "Google’s index",
        )
        .status(status)
        .with(&content))
}

struct Found {
    canonicals: (Vec<CanonicalMismatch>, u64),
    rich: Vec<RichType>,
    gaps: Gaps,
    crawl: CrawlStats,
}

impl Found {
    /// One read after the other: a page has few connections.
    async fn read(
        search: &Search,
        domain: &DomainAccess,
        window: DateRange,
        now: OffsetDateTime,
    ) -> Result<Self, Refusal> {
        let index = &search.index;
        let canonicals = index.canonicals(domain, MOST).await?;
        let rich = index.rich_results(domain).await?;
        let known = index.gap_urls(domain).await?;
        let most = usize::try_from(MOST).unwrap_or(usize::MAX);
        let gaps = gaps::gaps(&*search.sitemaps, domain.id(), known, None, most).await?;
        let crawl = index.crawl_stats(domain, window, now).await?;
        Ok(Self {
            canonicals,
            rich,
            gaps,
            crawl,
        })
    }

    fn content(&self, here: &AtDomain, days: &Days) -> Markup {
        html! {
            p.note { "Of monitored URLs alone, as Google told of each when it was inspected last. Each table has the first rows; the API has more." }
            (canonicals(&self.canonicals))
            (rich(&self.rich))
            (sitemaps(&self.gaps))
            section aria-labelledby="crawl" {
                h2 id="crawl" { "When Google fetched them" }
                (days.choice_alone(&domain_path(here.id(), PATH), &[]))
                (crawl(&self.crawl, days.window()))
            }
            (ages(&self.crawl.ages))
            (states(&self.crawl))
        }
    }
}

/// URLs for which Google chose another canonical page.
fn canonicals((found, total): &(Vec<CanonicalMismatch>, u64)) -> Markup {
    let rows = found.iter().map(|one| {
        vec![
            text(&one.url),
            maybe(one.user_canonical.as_deref()),
            text(&one.google_canonical),
            html! { (word(one.kind.as_str())) },
            figure_cell(one.value.as_ref().map(|value| value.clicks as f64), |clicks| {
                number(clicks, 0)
            }),
        ]
    });
    let table = Table {
        caption: "Another canonical page",
        columns: &[
            Column::text("Page"),
            Column::text("Declares").spare(),
            Column::text("Google chose"),
            Column::text("How they differ"),
            Column::figure("Clicks, 28 days"),
        ],
        rows: rows.collect(),
    };
    let what = format!(
        "URLs for which Google chose another canonical page than they declare: {}.",
        number(*total as f64, 0)
    );
    section(
        "canonicals",
        &what,
        &table,
        "Google chose what the pages declare.",
    )
}

/// Rich results by type.
fn rich(found: &[RichType]) -> Markup {
    let rows = found.iter().map(|one| {
        let issue = one.top_issues.first();
        vec![
            text(&one.kind),
            count(one.valid),
            count(one.warning),
            count(one.error),
            count(one.items),
            html! {
                @match issue {
                    Some((message, severity, urls)) => {
                        (text(message)) " " span.note {
                            @if *severity == Severity::Error { "error" } @else { "warning" } ", URLs: " (count(*urls))
                        }
                    }
                    None => span.none { "–" },
                }
            },
        ]
    });
    let table = Table {
        caption: "Rich results",
        columns: &[
            Column::text("Type"),
            Column::figure("URLs in order"),
            Column::figure("With warnings"),
            Column::figure("With errors"),
            Column::figure("Results").spare(),
            Column::text("Most frequent issue"),
        ],
        rows: rows.collect(),
    };
    let what = "The types of rich results that Google found, those with the most errors first.";
    section("rich-results", what, &table, "Google found no rich results.")
}

/// Gaps between sitemaps and the index.
fn sitemaps(found: &Gaps) -> Markup {
    let rows = found.rows.iter().map(|row| {
        vec![
            text(&row.url),
            html! { (word(row.gap.as_str())) },
            html! {
                @match row.coverage_reason {
                    Some(reason) => (word(reason.as_str())),
                    None => span.none { "–" },
                }
            },
        ]
    });
    let table = Table {
        caption: "Sitemaps against the index",
        columns: &[Column::text("Page"), Column::text("Gap"), Column::text("Reason")],
        rows: rows.collect(),
    };
    let GapCounts {
        in_sitemap_not_indexed,
        indexed_not_in_sitemap,
        in_sitemap_not_inspected,
    } = found.counts;
    let counts = in_sitemap_not_indexed
        .zip(indexed_not_in_sitemap)
        .zip(in_sitemap_not_inspected);
    let what = match counts {
        None => "No sitemap of the domain was read yet: these are URLs that Google has indexed and knows of no sitemap for.".to_owned(),
        Some(((listed, unlisted), waiting)) => format!(
            "In a sitemap and not in the index: {}. In the index and in no sitemap: {}. In a sitemap and not inspected yet: {}.",
            number(listed as f64, 0),
            number(unlisted as f64, 0),
            number(waiting as f64, 0)
        ),
    };
    section("gaps", &what, &table, "There is none.")
}

/// When monitored URLs were fetched.
fn crawl(found: &CrawlStats, window: DateRange) -> Markup {
    let days = |age: Option<f64>| age.map(|age| format!("{} days", number(age, 1)));
    let dates: Vec<Date> = window.dates().collect();
    let labels: Vec<String> = dates.iter().map(|date| short_day(*date)).collect();
    let fetched = |date: &Date| Some(found.by_day.get(date).copied().unwrap_or(0) as f64);
    let series = [Series {
        name: "URLs",
        values: dates.iter().map(fetched).collect(),
    }];
    let chart = Chart {
        id: "fetched",
        title: "URLs that were fetched by day",
        description: "A bar for the URLs that are known to have been fetched on each day.",
        places: "Day",
        labels: &labels,
        series: &series,
        words: |value| number(value, 0),
        short,
        threshold: None,
        ground: Ground::default(),
    };
    html! {
        (figures(&[
            Figure {
                name: "Fetched in these days",
                value: Some(number(found.crawled as f64, 0)),
                note: None,
            },
            Figure {
                name: "Median age of a fetch",
                value: days(found.median_age_days),
                note: None,
            },
            Figure {
                name: "Nine in ten are younger than",
                value: days(found.p90_age_days),
                note: None,
            },
        ]))
        p.note { "Google tells the last fetch of a URL alone, so that a day has as many as are known of." }
        (chart.bars())
    }
}

/// How old last fetches are.
fn ages(ages: &AgeCounts) -> Markup {
    let AgeCounts {
        up_to_1d,
        up_to_7d,
        up_to_30d,
        up_to_90d,
        older,
        never,
    } = *ages;
    let all = [
        ("A day at most", up_to_1d),
        ("7 days at most", up_to_7d),
        ("30 days at most", up_to_30d),
        ("90 days at most", up_to_90d),
        ("Older", older),
        ("Never fetched", never),
    ];
    let rows = all.map(|(age, urls)| vec![html! { (age) }, count(urls)]);
    let table = Table {
        caption: "Age of the last fetch",
        columns: &[Column::text("Age"), Column::figure("URLs")],
        rows: rows.into(),
    };
    section("ages", "Of all URLs that were inspected.", &table, "")
}

/// How URLs were fetched, and by which crawler.
fn states(found: &CrawlStats) -> Markup {
    let states = found.by_fetch_state.iter();
    let states = states.map(|(state, urls)| (word(state.as_str()), *urls));
    let crawlers = found.by_crawler.iter().map(|(crawler, urls)| {
        let name = match crawler {
            CrawledAs::Mobile => "By the crawler of phones",
            CrawledAs::Desktop => "By the crawler of desktops",
            CrawledAs::Unknown => "By a crawler that Google does not name, or never",
        };
        (name.to_owned(), *urls)
    });
    let rows = states.chain(crawlers);
    let table = Table {
        caption: "How they were fetched",
        columns: &[Column::text("Outcome or crawler"), Column::figure("URLs")],
        rows: rows
            .map(|(name, urls)| vec![html! { (name) }, count(urls)])
            .collect(),
    };
    section(
        "fetches",
        "Of all URLs that were inspected.",
        &table,
        "None was inspected yet.",
    )
}

/// Whether a widget is the course of the index.
pub(in crate::domain) fn is_course(section: SectionName, widget: &str, kind: WidgetKind) -> bool {
    section == SectionName::Indexing && widget == "timeseries" && kind == WidgetKind::Chart
}

/// Gives days without an inspection the figures of the day before, as the index stays when nobody asks about it. Days before the
/// first inspection keep none.
pub(in crate::domain) async fn carry_forward(
    console: &Console,
    here: &AtDomain,
    sections: &mut [SectionData],
    window: DateRange,
) -> Result<(), Refusal> {
    for section in sections {
        let name = section.name;
        let course = section
            .widgets
            .iter_mut()
            .find(|data| is_course(name, data.widget.name, data.widget.kind));
        let data = course.and_then(|course| course.answer.data.as_mut());
        let Some(Value::Array(points)) = data.and_then(|data| data.get_mut("points")) else {
            continue;
        };
        let mut last = None;
        if points.first().is_some_and(|first| !is_known(first)) {
            let before = DateRange::ending(window.first().saturating_sub(Duration::DAY), LOOK_BACK);
            let known = console.parts.search.index.days(&here.access, before).await?;
            last = known.values().next_back().map(|standing| {
                json!({
                    "indexed": standing.indexed, "not_indexed": standing.not_indexed(), "unknown": standing.unknown,
                })
            });
        }
        carry(points, last);
    }
    Ok(())
}

fn is_known(point: &Value) -> bool {
    point.get("indexed").is_some_and(|indexed| !indexed.is_null())
}

/// `last`: the figures of the day before the first point.
fn carry(points: &mut [Value], mut last: Option<Value>) {
    for point in points {
        if is_known(point) {
            last = Some(point.clone());
            continue;
        }
        let date = point.get("date").cloned();
        if let (Some(last), Some(date)) = (&last, date) {
            let mut carried = last.clone();
            if let Value::Object(members) = &mut carried {
                members.insert("date".to_owned(), date);
            }
            *point = carried;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_without_an_inspection_stands_as_the_day_before() {
        let point = |date: &str, indexed: Option<u64>| json!({ "date": date, "indexed": indexed });
        let days = || {
            vec![
                point("2026-03-01", None),
                point("2026-03-02", Some(7)),
                point("2026-03-03", None),
                point("2026-03-04", Some(9)),
                point("2026-03-05", None),
            ]
        };
        let indexed = |points: &[Value]| {
            let points = points.iter().map(|point| {
                let date = point["date"].as_str().unwrap_or_default().to_owned();
                (date, point["indexed"].as_u64())
            });
            points.collect::<Vec<_>>()
        };
        let mut points = days();
        carry(&mut points, None);
        let day = |number: u8| format!("2026-03-0{number}");
        assert_eq!(
            indexed(&points),
            [
                (day(1), None),
                (day(2), Some(7)),
                (day(3), Some(7)),
                (day(4), Some(9)),
                (day(5), Some(9))
            ]
        );
        let mut points = days();
        carry(&mut points, Some(json!({ "indexed": 5 })));
        assert_eq!(indexed(&points)[0], (day(1), Some(5)));
    }
}
