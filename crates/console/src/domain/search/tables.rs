//! The findings of the analyses of search as tables. A table without rows says why it has none.

use maud::{Markup, html};
use pharos_pictures::figure::{number, percent};
use pharos_reporting::render::labels::word;
use pharos_search::gsc::{
    analysis::{ctr_gaps, decay::LEAST_PEAK},
    curve::CurveSource,
    figures::Figures,
    property::Property,
    values::Dimension,
};

use super::{found::Found, imported_from};
use crate::{
    domain::{add::CHANGERS, tabs::SETTINGS},
    enter::AtDomain,
    nav::domain_path,
    parts::table::{Column, Table, figure_cell},
    period::{day, short_day},
    shown::shown,
};

/// A table below its name, and what its rows are; `why` stands in its place where it has none.
pub(super) fn section(id: &str, what: &str, table: &Table<'_>, why: &str) -> Markup {
    let nothing = html! { p.none { (why) } };
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (table.caption) }
            p.note { (what) }
            (table.show(&nothing))
        }
    }
}

pub(super) fn text(value: &str) -> Markup {
    html! { bdi { (shown(value)) } }
}

pub(super) fn maybe(value: Option<&str>) -> Markup {
    html! { @match value { Some(value) => (text(value)), None => span.none { "–" } } }
}

pub(super) fn count(count: u64) -> Markup {
    whole(count as f64)
}

fn whole(value: f64) -> Markup {
    html! { (number(value, 0)) }
}

/// A count with its sign.
fn moved(by: i64) -> Markup {
    html! { @if by > 0 { "+" } (number(by as f64, 0)) }
}

pub(super) fn rate(ctr: Option<f64>) -> Markup {
    figure_cell(ctr, |ctr| percent(ctr * 100.0))
}

pub(super) fn position(position: Option<f64>) -> Markup {
    figure_cell(position, |position| number(position, 1))
}

/// By how many places something stands better or worse.
pub(super) fn places(change: Option<f64>) -> Markup {
    figure_cell(change, |change| {
        let told = number(change.abs(), 1);
        match told.as_str() {
            "0.0" => "as before".to_owned(),
            _ if change < 0.0 => format!("{told} better"),
            _ => format!("{told} worse"),
        }
    })
}

/// Why nothing is told of what came, went or moved.
fn uncompared(property: &Property, found: &Found) -> String {
    match imported_from(property) {
        None => "Nothing was imported yet.".to_owned(),
        Some(from) if from > found.window.preceding().first() => format!(
            "Not told yet: the 28 days before are not imported whole. Imported are days from {} on; older ones follow.",
            day(from)
        ),
        Some(_) => "Not told yet: some of the 28 days before could not be read from Google yet.".to_owned(),
    }
}

/// Queries for which more would be clicked a little further up.
pub(super) fn opportunities(found: &Found) -> Markup {
    let rows = found.opportunities.iter().map(|one| {
        vec![
            text(&one.query),
            maybe(one.page.as_deref()),
            count(one.figures.impressions),
            count(one.figures.clicks),
            position(one.figures.position()),
            html! { (one.target) },
            html! { "+" (number(one.potential_clicks, 0)) },
            html! { (word(one.effort.as_str())) },
            html! { (word(one.reason.as_str())) },
        ]
    });
    let table = Table {
        caption: "Opportunities",
        columns: &[
            Column::text("Query"),
            Column::text("Page").spare(),
            Column::figure("Impressions"),
            Column::figure("Clicks"),
            Column::figure("Position"),
            Column::figure("Target"),
            Column::figure("Clicks to be had"),
            Column::text("Effort"),
            Column::text("Reason"),
        ],
        rows: rows.collect(),
    };
    let why = format!(
        "No query between positions 3 and 20 with {} impressions would bring more clicks at its target.",
        number(found.config.settings.min_impressions.into(), 0)
    );
    let what = "Queries between positions 3 and 20 that would bring most clicks besides, were they a little further up.";
    section("opportunities", what, &table, &why)
}

/// Queries that are clicked less than others where they stand.
pub(super) fn gaps(found: &Found) -> Markup {
    let rows = found.gaps.iter().map(|(query, figures, gap)| {
        vec![
            text(query),
            count(figures.impressions),
            position(figures.position()),
            rate(figures.ctr()),
            rate(Some(gap.expected_ctr)),
            whole(gap.missed_clicks),
            figure_cell(gap.z_score, |score| number(score, 1)),
        ]
    });
    let table = Table {
        caption: "Clicked less than expected",
        columns: &[
            Column::text("Query"),
            Column::figure("Impressions"),
            Column::figure("Position"),
            Column::figure("Click-through rate"),
            Column::figure("Expected"),
            Column::figure("Clicks missed"),
            Column::figure("Standard deviations"),
        ],
        rows: rows.collect(),
    };
    let least = ctr_gaps::least_impressions(&found.config.settings);
    let why = format!(
        "No query up to position 20 with {} impressions is clicked less than expected.",
        number(least as f64, 0)
    );
    let what = match found.curve {
        CurveSource::OwnSite => {
            "Expected is what the queries of this site are clicked where they stand. Below −1.96 standard deviations chance explains it once in 40."
        }
        CurveSource::Generic => {
            "Expected are published averages: the site has too few impressions for a curve of its own. Below −1.96 standard deviations chance \
             explains it once in 40."
        }
    };
    section("gaps", what, &table, &why)
}

/// Queries whose clicks changed the most.
pub(super) fn movers(property: &Property, found: &Found) -> Markup {
    let rows = found.movers.iter().map(|(mover, driver)| {
        let change = |of: fn(&Figures) -> Option<f64>| Some(of(&mover.figures)? - of(&mover.before)?);
        vec![
            text(&mover.value),
            count(mover.figures.clicks),
            count(mover.before.clicks),
            moved(mover.clicks_change()),
            moved(mover.impressions_change()),
            position(mover.figures.position()),
            places(change(Figures::position)),
            html! { (word(driver.as_str())) },
        ]
    });
    let table = Table {
        caption: "Movers",
        columns: &[
            Column::text("Query"),
            Column::figure("Clicks"),
            Column::figure("Before"),
            Column::figure("Change"),
            Column::figure("Impressions, change"),
            Column::figure("Position"),
            Column::figure("Places"),
            Column::text("Owed to"),
        ],
        rows: rows.collect(),
    };
    let why = if found.is_compared {
        "No query was seen in these days and in those before.".to_owned()
    } else {
        uncompared(property, found)
    };
    let what = "Queries whose clicks changed the most, and what that is owed to: how often they were seen, where they stood, or how often \
                they were clicked there.";
    section("movers", what, &table, &why)
}

/// Queries that are new in the results.
pub(super) fn new(property: &Property, found: &Found) -> Markup {
    let rows = found.new.iter().map(|one| {
        vec![
            text(&one.value),
            maybe(one.top_page.as_deref()),
            html! { (short_day(one.first_seen_on)) },
            count(one.figures.clicks),
            count(one.figures.impressions),
            position(one.best_position),
        ]
    });
    let table = Table {
        caption: "New queries",
        columns: &[
            Column::text("Query"),
            Column::text("Page").spare(),
            Column::text("First seen"),
            Column::figure("Clicks"),
            Column::figure("Impressions"),
            Column::figure("Best position"),
        ],
        rows: rows.collect(),
    };
    let why = if found.is_compared {
        "No query was seen that was not seen in the days before.".to_owned()
    } else {
        uncompared(property, found)
    };
    section(
        "new",
        "Seen in these days, and not in those before.",
        &table,
        &why,
    )
}

/// Queries that are not seen in the results any more.
pub(super) fn lost(found: &Found) -> Markup {
    let rows = found.lost.iter().map(|one| {
        let reason = one.likely_reason(Dimension::Query);
        vec![
            text(&one.value),
            html! { (short_day(one.last_seen_on)) },
            count(one.base.clicks),
            count(one.base.impressions),
            position(one.base.position()),
            html! { @match reason { Some(reason) => (word(reason.as_str())), None => span.none { "–" } } },
        ]
    });
    let table = Table {
        caption: "Lost queries",
        columns: &[
            Column::text("Query"),
            Column::text("Last seen"),
            Column::figure("Clicks before"),
            Column::figure("Impressions before"),
            Column::figure("Position before"),
            Column::text("Likely reason"),
        ],
        rows: rows.collect(),
    };
    let why = if found.is_known {
        "Every query that was seen in the days before was seen again, as far as those are imported."
    } else {
        "Nothing is known of these days, so nothing can be told to be lost."
    };
    section("lost", "Seen in the days before, and not in these.", &table, why)
}

/// Queries for which several pages of the site are shown.
pub(super) fn cannibalized(found: &Found) -> Markup {
    let rows = found.cannibalized.iter().map(|one| {
        vec![
            text(&one.query),
            count(one.figures.impressions),
            count(one.figures.clicks),
            html! { (one.pages.len()) },
            count(one.switch_count.into()),
            html! { (word(one.severity.as_str())) },
            maybe(one.recommended_page.as_deref()),
        ]
    });
    let table = Table {
        caption: "Several pages for one query",
        columns: &[
            Column::text("Query"),
            Column::figure("Impressions"),
            Column::figure("Clicks"),
            Column::figure("Pages"),
            Column::figure("Days with another top page"),
            Column::text("Severity"),
            Column::text("Page to keep").spare(),
        ],
        rows: rows.collect(),
    };
    let why = format!(
        "For no query with {} impressions more than one page was shown.",
        number(found.config.settings.min_impressions.into(), 0)
    );
    let what = "Queries for which pages of the site get in each other's way (cannibalization), the most impressions first.";
    section("cannibalization", what, &table, &why)
}

/// Pages that are clicked less and less.
pub(super) fn decaying(property: &Property, found: &Found) -> Markup {
    let rows = found.decaying.iter().map(|one| {
        vec![
            text(&one.page),
            count(one.clicks_current),
            count(one.clicks_peak),
            html! { (short_day(one.peak_week_start)) },
            html! { "−" (number(one.decline_pct, 0)) "%" },
            places(one.position_change),
            html! { (word(one.status.as_str())) },
        ]
    });
    let table = Table {
        caption: "Pages that decay",
        columns: &[
            Column::text("Page"),
            Column::figure("Clicks of the last week"),
            Column::figure("Of the best"),
            Column::text("Best week from"),
            Column::figure("Change"),
            Column::figure("Places"),
            Column::text("Status"),
        ],
        rows: rows.collect(),
    };
    let why = match imported_from(property) {
        Some(from) if from > found.weeks.first() => format!(
            "None in the weeks that are known: days are imported from {} on.",
            day(from)
        ),
        Some(_) if !found.has_weeks => {
            "None in the weeks that are known: some of their days could not be read from Google yet."
                .to_owned()
        }
        _ => format!("No page whose best week had {LEAST_PEAK} clicks lost a fifth of them, and goes down."),
    };
    let what = format!(
        "The last 13 complete weeks, {} to {}: pages that lost most clicks since their best week.",
        day(found.weeks.first()),
        day(found.weeks.last())
    );
    section("decay", &what, &table, &why)
}

/// Who searched for the brand, and who for something else.
pub(super) fn brand(here: &AtDomain, found: &Found) -> Markup {
    let split = found.brand.map(|brand| {
        [
            ("The brand", brand.branded),
            ("Something else", brand.non_branded),
            ("Not told: rare queries, which Google hides", brand.anonymized),
        ]
    });
    let all: u64 = split.iter().flatten().map(|(_, figures)| figures.clicks).sum();
    let rows = split.iter().flatten().map(|(name, figures)| {
        let share = (all > 0).then(|| figures.clicks as f64 / all as f64);
        vec![
            html! { (name) },
            count(figures.clicks),
            rate(share),
            count(figures.impressions),
            rate(figures.ctr()),
            position(figures.position()),
        ]
    });
    let table = Table {
        caption: "The brand, and everything else",
        columns: &[
            Column::text("Searched for"),
            Column::figure("Clicks"),
            Column::figure("Share"),
            Column::figure("Impressions"),
            Column::figure("Click-through rate"),
            Column::figure("Position"),
        ],
        rows: rows.collect(),
    };
    let is_configured = found.config.brand().is_configured();
    html! {
        (section(
            "brand",
            "Whether people knew whom they were looking for.",
            &table,
            if is_configured { "Nothing is known of these days." } else { "The settings do not say how the brand is called." },
        ))
        @if !is_configured {
            @if here.role() >= CHANGERS {
                p { "Write down the words of the brand in the " a href={ (domain_path(here.id(), SETTINGS)) "#gsc" } { "settings" } "." }
            } @else {
                p { "An owner or admin of the workspace writes down the words of the brand there." }
            }
        }
    }
}

/// Pages by the directories that they lie in.
pub(super) fn directories(found: &Found) -> Markup {
    let rows = found.directories.iter().map(|one| {
        vec![
            text(&one.prefix),
            count(one.pages),
            count(one.figures.clicks),
            count(one.figures.impressions),
            rate(one.figures.ctr()),
            position(one.figures.position()),
        ]
    });
    let table = Table {
        caption: "Directories",
        columns: &[
            Column::text("Directory"),
            Column::figure("Pages"),
            Column::figure("Clicks"),
            Column::figure("Impressions"),
            Column::figure("Click-through rate"),
            Column::figure("Position"),
        ],
        rows: rows.collect(),
    };
    section(
        "directories",
        "Pages by the first directory of their address, the most clicks first.",
        &table,
        "No page was seen in these days.",
    )
}
