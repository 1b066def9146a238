//! Figures of visits over the days of the address, beside those of the days before, with tables by which they are narrowed.

use std::iter::once;

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_analytics::{
    overview::{Overview, Totals, as_number},
    settings::AnalyticsSite,
    timeseries::{Piece, SeriesMetric, by_days, first_of_month, monday},
};
use pharos_domain::window::{DateRange, change, change_pct};
use pharos_pictures::{
    chart::{Chart, Ground, Series},
    figure::{number, percent, short},
};
use time::{Date, OffsetDateTime};

use super::{Opened, seconds, tables::Tables, whole};
use crate::{
    console::Console,
    parts::{
        facts::{Figure, figures},
        notice::faulty,
    },
    period::{day, short_day},
    query::in_query,
    refusal::Refusal,
    sentence::labelled,
};

/// The last part of the page's path.
pub(super) const PATH: &str = "explore";

/// More days than this are told by the week, and more than that by the month: a line has about a hundred places at most.
const MOST_BY_DAY: u32 = 92;
const MOST_BY_WEEK: u32 = 400;

/// The figure of a line where nobody says which.
const USUAL: SeriesMetric = SeriesMetric::Visitors;

/// GET /console/domains/{domain_id}/analytics/explore
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let opened = Opened::of(&console, &request, &id).await?;
    let Some(site) = &opened.site else {
        return Ok(opened.unmeasured(PATH));
    };
    let mut faults = Vec::new();
    let metric = metric(request.query_string(), &mut faults);
    let own = [("metric", metric.as_str())];
    let own: &[(&str, &str)] = if metric == USUAL { &[] } else { own.as_slice() };
    let (filters, currency) = (opened.narrowed.filters(), &site.settings.currency);
    let window = opened.days.window();
    let before = opened.kept_before();
    let windows: Vec<DateRange> = once(window).chain(before).collect();
    let (collection, access) = (&console.parts.collection, &opened.here.access);
    let reading = async {
        let found = collection
            .visits
            .overview(access, &windows, &filters, currency)
            .await?;
        let tables = if found.totals(window) == Totals::default() {
            None
        } else {
            Some(Tables::read(collection, access, window, &filters, currency).await?)
        };
        Ok::<_, Refusal>((found, tables))
    };
    let (found, tables) = console
        .page_permits
        .read(opened.here.workspace(), reading)
        .await?;
    let is_empty = tables.is_none();
    let tables = match tables {
        None => opened.nothing(PATH, found.last_at),
        Some(tables) => html! {
            p.note { "A name narrows everything on this page to its visits." }
            (tables.show(&opened, own))
        },
    };
    let content = html! {
        (opened.head(PATH, own))
        (faulty(&faults))
        @if !is_empty || before.is_some() {
            (headline(site, &opened, &found))
            section.card aria-labelledby="course-head" {
                h2 id="course-head" { (name(metric)) }
                (choice(site, &opened, metric))
                (course(site, &opened, (metric, &found), console.parts.clock.now()))
            }
        }
        (tables)
    };
    Ok(opened.answer(PATH, opened.is_in_order() && faults.is_empty(), &content))
}

/// The figure of the line that a query names.
fn metric(query: &str, faults: &mut Vec<String>) -> SeriesMetric {
    let Some(given) = in_query(query, "metric").filter(|given| !given.is_empty()) else {
        return USUAL;
    };
    given.parse().unwrap_or_else(|_| {
        let known: Vec<&str> = SeriesMetric::ALL.iter().map(|metric| metric.as_str()).collect();
        faults.push(labelled("Figure", &format!("one of {}", known.join(", "))));
        USUAL
    })
}

/// Figures of money are known only where there was ever any.
fn is_known(metric: SeriesMetric, site: &AnalyticsSite) -> bool {
    site.has_commerce || !matches!(metric, SeriesMetric::Revenue | SeriesMetric::Orders)
}

const fn name(metric: SeriesMetric) -> &'static str {
    match metric {
        SeriesMetric::Visitors => "Visitors",
        SeriesMetric::Sessions => "Sessions",
        SeriesMetric::Pageviews => "Page views",
        SeriesMetric::BounceRatePct => "Bounce rate",
        SeriesMetric::AvgDurationSeconds => "Length of a session",
        SeriesMetric::ViewsPerSession => "Views of a session",
        SeriesMetric::Events => "Events",
        SeriesMetric::Revenue => "Revenue",
        SeriesMetric::Orders => "Orders",
    }
}

fn words(metric: SeriesMetric) -> fn(f64) -> String {
    match metric {
        SeriesMetric::BounceRatePct => percent,
        SeriesMetric::AvgDurationSeconds => seconds,
        SeriesMetric::ViewsPerSession => |value| number(value, 1),
        SeriesMetric::Revenue => |value| number(value, 2),
        SeriesMetric::Visitors
        | SeriesMetric::Sessions
        | SeriesMetric::Pageviews
        | SeriesMetric::Events
        | SeriesMetric::Orders => whole,
    }
}

/// A headline figure: its value in a window, in words, and whether its change is told in percentage points.
type Headline = (&'static str, fn(&Totals) -> Option<f64>, fn(f64) -> String, bool);

const HEADLINES: [Headline; 6] = [
    (
        "Visitors",
        |totals| Some(as_number(totals.visitors)),
        whole,
        false,
    ),
    (
        "Sessions",
        |totals| Some(as_number(totals.sessions)),
        whole,
        false,
    ),
    (
        "Page views",
        |totals| Some(as_number(totals.pageviews)),
        whole,
        false,
    ),
    ("Bounce rate", Totals::bounce_rate_pct, percent, true),
    (
        "Length of a session",
        Totals::avg_duration_seconds,
        seconds,
        false,
    ),
    (
        "Views of a session",
        Totals::views_per_session,
        |views| number(views, 1),
        false,
    ),
];

/// The totals of the days, each against the days before where the page compares.
fn headline(site: &AnalyticsSite, opened: &Opened, found: &Overview) -> Markup {
    let (window, compared) = (opened.days.window(), opened.days.compared);
    let before = opened.kept_before();
    let (now, then) = (found.totals(window), before.map(|before| found.totals(before)));
    let totals = HEADLINES.into_iter().map(|(name, of, words, is_rate)| {
        let (value, earlier) = (of(&now), then.as_ref().and_then(of));
        Figure {
            name,
            value: value.map(words),
            note: before.map(|_| against((value, earlier), words, is_rate)),
        }
    });
    let currency = site.has_commerce.then_some(&site.settings.currency);
    let revenue = currency.map(|currency| {
        let (value, earlier) = (found.revenue(window), before.map(|before| found.revenue(before)));
        Figure {
            name: "Revenue",
            value: Some(format!("{} {currency}", number(value, 2))),
            note: before.map(|_| against((Some(value), earlier), |money| number(money, 2), false)),
        }
    });
    let all: Vec<Figure<'_>> = totals.chain(revenue).collect();
    html! {
        (figures(&all))
        @if let Some(compared) = compared {
            p.note {
                "Against the days from " (day(compared.window.first())) " to " (day(compared.window.last()))
                @if compared.is_kept { "." } @else { ", of which not all are kept any more, so nothing is compared with them." }
            }
        }
    }
}

/// How a figure changed, and from what.
fn against((now, then): (Option<f64>, Option<f64>), words: fn(f64) -> String, is_rate: bool) -> Markup {
    let (moved, unit) = if is_rate {
        (change(now, then), " pp")
    } else {
        (change_pct(now, then), "%")
    };
    html! {
        @if let Some(moved) = moved { span.figure { @if moved > 0.0 { "+" } (number(moved, 1)) (unit) } ", " }
        @match then { Some(then) => { "before: " span.figure { (words(then)) } }, None => { "before: not measured" } }
    }
}

/// The figures that the line may show.
fn choice(site: &AnalyticsSite, opened: &Opened, current: SeriesMetric) -> Markup {
    let visits = opened.narrowed.pairs();
    html! {
        nav.range aria-label="Figure" {
            @for metric in SeriesMetric::ALL.iter().copied().filter(|metric| is_known(*metric, site)) {
                a href=(opened.address(PATH, &visits, &[("metric", metric.as_str())]))
                    aria-current=[(metric == current).then_some("true")] { (name(metric)) }
            }
        }
    }
}

/// The line of a figure, and of the days before where the page compares with them.
fn course(
    site: &AnalyticsSite,
    opened: &Opened,
    (metric, found): (SeriesMetric, &Overview),
    now: OffsetDateTime,
) -> Markup {
    let window = opened.days.window();
    let (places, start_of): (&str, fn(Date) -> Date) = match window.days() {
        days if days <= MOST_BY_DAY => ("Day", |day| day),
        days if days <= MOST_BY_WEEK => ("Week", monday),
        _ => ("Month", first_of_month),
    };
    let value = |piece: &Piece| piece.value(metric).filter(|_| is_known(metric, site));
    let pieces = by_days(found, window, start_of);
    let labels: Vec<String> = pieces
        .iter()
        .map(|(start, _)| label(places, start.date()))
        .collect();
    let name = name(metric);
    let earlier_name = format!("{name} of the days before");
    let mut series = vec![Series {
        name,
        values: pieces.iter().map(|(_, piece)| value(piece)).collect(),
    }];
    if let Some(before) = opened.kept_before() {
        let earlier = by_days(found, before, start_of);
        let mut values: Vec<Option<f64>> = earlier.iter().map(|(_, piece)| value(piece)).collect();
        values.resize(labels.len(), None);
        series.push(Series {
            name: &earlier_name,
            values,
        });
    }
    let provisional = pieces
        .iter()
        .position(|(start, _)| start.date() == start_of(now.date()));
    let chart = Chart {
        id: "course",
        title: &format!("{name} by {}", places.to_ascii_lowercase()),
        description: if series.len() > 1 {
            "A line for these days, and one for those before."
        } else {
            "A line over these days."
        },
        places,
        labels: &labels,
        series: &series,
        words: words(metric),
        short,
        threshold: None,
        ground: Ground {
            provisional,
            ..Ground::default()
        },
    };
    html! {
        (chart.lines())
        @if provisional.is_some() { p.note { "On shaded ground the " (places.to_ascii_lowercase()) " is not over." } }
    }
}

fn label(places: &str, start: Date) -> String {
    match places {
        "Month" => format!("{} {}", start.month(), start.year()),
        "Week" => format!("Week of {}", short_day(start)),
        _ => short_day(start),
    }
}
