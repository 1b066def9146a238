//! The pictures of a domain's page.

use maud::Markup;
use pharos_domain::window::{DateRange, Granularity};
use pharos_pictures::{
    calendar::{Calendar, Day, Tone},
    chart::{Chart, Ground, Series},
    figure::{millis, percent, short},
};
use pharos_uptime::{
    availability::{Availability, past::Past},
    history::{Figures, Phases},
};
use time::{Date, OffsetDateTime};

use crate::{
    period::{day, short_day},
    words,
};

/// A day is told as bad from this downtime on, in percent of availability.
const BAD_BELOW: f64 = 99.0;

/// A year of days.
pub(super) fn calendar(past: &Past<'_>, year: DateRange, begun: OffsetDateTime, title: &str) -> Markup {
    let dates: Vec<Date> = year
        .buckets(Granularity::Day)
        .map(|bucket| bucket.start.date())
        .collect();
    let mut edges: Vec<OffsetDateTime> = dates.iter().map(|date| date.midnight().assume_utc()).collect();
    edges.push(year.end());
    let all: Vec<(Availability, u32)> = past.between(&edges).collect();
    let days: Vec<Day> = dates
        .iter()
        .zip(&all)
        .map(|(date, (time, outages))| Day {
            date: *date,
            tone: tone(*time),
            told: told(*date, *time, *outages),
        })
        .collect();
    let rows = months(&dates, past, year);
    let observed = all.iter().filter(|(time, _)| time.uptime_pct().is_some()).count();
    let bad = days
        .iter()
        .filter(|day| matches!(day.tone, Tone::Part | Tone::Bad))
        .count();
    let description = format!(
        "{observed} of {} days were observed, {bad} of them with downtime. Monitored since {}.",
        dates.len(),
        day(begun.date())
    );
    Calendar {
        id: "calendar",
        title: &format!(
            "Availability of {title} by day, {} to {}",
            day(year.first()),
            day(year.last())
        ),
        description: &description,
        days: &days,
        head: &["Month", "Availability", "Downtime", "Outages"],
        rows: &rows,
    }
    .draw()
}

pub(crate) fn tone(time: Availability) -> Tone {
    match time.uptime_pct() {
        None => Tone::None,
        Some(uptime) if uptime < BAD_BELOW => Tone::Bad,
        Some(uptime) if uptime < 100.0 => Tone::Part,
        Some(_) => Tone::Good,
    }
}

pub(crate) fn told(date: Date, time: Availability, outages: u32) -> String {
    let Some(uptime) = time.uptime_pct() else {
        return format!("{}: not observed", short_day(date));
    };
    if time.down.is_zero() {
        return format!("{}: {}", short_day(date), percent(uptime));
    }
    let noun = if outages == 1 { "outage" } else { "outages" };
    format!(
        "{}: {}, {} down, {outages} {noun}",
        short_day(date),
        percent(uptime),
        words::length(time.down)
    )
}

/// The months of the days, for the table.
fn months(dates: &[Date], past: &Past<'_>, year: DateRange) -> Vec<Vec<String>> {
    let mut begins: Vec<Date> = Vec::new();
    for date in dates {
        if begins.last().is_none_or(|last| last.month() != date.month()) {
            begins.push(*date);
        }
    }
    let mut edges: Vec<OffsetDateTime> = begins.iter().map(|date| date.midnight().assume_utc()).collect();
    edges.push(year.end());
    begins
        .iter()
        .zip(past.between(&edges))
        .map(|(date, (time, outages))| {
            let is_observed = time.uptime_pct().is_some();
            let or_none = |text: String| {
                if is_observed {
                    text
                } else {
                    "not observed".to_owned()
                }
            };
            vec![
                format!("{} {}", date.month(), date.year()),
                or_none(time.uptime_pct().map(percent).unwrap_or_default()),
                or_none(words::length(time.down)),
                or_none(outages.to_string()),
            ]
        })
        .collect()
}

/// Mean response times by phase, the phases on top of each other.
pub(super) fn phases(
    pieces: &[(OffsetDateTime, Figures)],
    granularity: Granularity,
    slow_above: Option<u32>,
    title: &str,
) -> Markup {
    let labels: Vec<String> = pieces
        .iter()
        .map(|(start, _)| match granularity {
            Granularity::Hour => format!("{} {:02}:00", short_day(start.date()), start.hour()),
            Granularity::Day => short_day(start.date()),
            Granularity::Week => format!("Week of {}", short_day(start.date())),
        })
        .collect();
    let names = ["Look-up", "Connect", "TLS", "First byte", "Download"];
    let of: [fn(&Phases) -> Option<f64>; 5] = [
        |phases| phases.dns.avg,
        |phases| phases.connect.avg,
        |phases| phases.tls.avg,
        |phases| phases.ttfb.avg,
        |phases| phases.download.avg,
    ];
    // A phase that no answer of a piece reached took no time in it, such as TLS of a site over plain http; where nothing was
    // measured at all, there is a gap.
    let series: Vec<Series<'_>> = names
        .into_iter()
        .zip(of)
        .map(|(name, of)| Series {
            name,
            values: pieces
                .iter()
                .map(|(_, figures)| {
                    (figures.response.samples > 0).then(|| of(&figures.phases).unwrap_or(0.0))
                })
                .collect(),
        })
        .collect();
    Chart {
        id: "times",
        title: &format!("Response times of {title} by phase"),
        description: "The mean time of each phase of the answers, on top of each other.",
        places: match granularity {
            Granularity::Hour => "Hour",
            Granularity::Day => "Day",
            Granularity::Week => "Week",
        },
        labels: &labels,
        series: &series,
        words: millis,
        short: |value| {
            if value == 0.0 {
                "0".to_owned()
            } else {
                format!("{} ms", short(value))
            }
        },
        threshold: slow_above.map(|above| (f64::from(above), "slow above")),
        ground: Ground::default(),
    }
    .areas()
}
