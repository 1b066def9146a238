//! The top tables of visits. A name in them leads to its visits alone.

use maud::{Markup, html};
use pharos_analytics::{
    actions::{ActionKind, Actions, ActionsQuery},
    breakdown::{Breakdown, BreakdownQuery, Breakdowns, Grouping, PartKey},
    filter::Filters,
    overview::ratio,
    pages::{PagePart, PageSort, Pages, PagesQuery},
};
use pharos_domain::{
    identity::DomainAccess,
    page::{OffsetRequest, SortOrder},
    window::DateRange,
};
use pharos_pictures::figure::percent;

use super::{Opened, count, explore, narrowed::named};
use crate::{
    console::Collection,
    parts::{
        name::leading,
        table::{Column, Table, figure_cell},
    },
    refusal::Refusal,
};

/// How many rows each has.
const ROWS: u32 = 8;

/// A table by what sessions have in common: the filter that a row sets, its caption, the head of its names, and the words for those
/// without one.
struct By {
    grouping: Grouping,
    filter: &'static str,
    caption: &'static str,
    head: &'static str,
    without: &'static str,
}

const fn by(
    grouping: Grouping,
    filter: &'static str,
    caption: &'static str,
    head: &'static str,
    without: &'static str,
) -> By {
    By {
        grouping,
        filter,
        caption,
        head,
        without,
    }
}

const TABLES: &[By] = &[
    by(Grouping::Channel, "channel", "Channels", "Channel", "Not known"),
    by(Grouping::Source, "source", "Sources", "Source", "None"),
    by(Grouping::Medium, "medium", "Media", "Medium", "None"),
    by(Grouping::Campaign, "campaign", "Campaigns", "Campaign", "None"),
    by(Grouping::Referrer, "referrer", "Referrers", "Referrer", "None"),
    by(Grouping::Country, "country", "Countries", "Country", "Not known"),
    by(Grouping::Device, "device", "Devices", "Device", "Not known"),
    by(Grouping::Browser, "browser", "Browsers", "Browser", "Not known"),
    by(Grouping::Os, "os", "Operating systems", "System", "Not known"),
];

/// The rows of all of them.
pub(super) struct Tables {
    pages: Pages,
    breakdowns: Breakdowns,
    events: Actions,
}

impl Tables {
    /// Reads them one after the other: each is a long read, for which a page has one connection.
    pub(super) async fn read(
        collection: &Collection,
        access: &DomainAccess,
        window: DateRange,
        filters: &Filters,
        currency: &str,
    ) -> Result<Self, Refusal> {
        let pages = PagesQuery {
            window,
            filters,
            part: PagePart::All,
            search: None,
            sort: PageSort::Visitors,
            order: SortOrder::Descending,
            page: OffsetRequest {
                limit: ROWS,
                offset: 0,
            },
        };
        let breakdowns = BreakdownQuery {
            window,
            filters,
            currency,
            limit: ROWS,
        };
        let events = ActionsQuery {
            window,
            filters,
            kind: ActionKind::Event,
            name: None,
            rows: ROWS.into(),
            after: None,
            currency,
        };
        let groupings: Vec<Grouping> = TABLES.iter().map(|table| table.grouping).collect();
        Ok(Self {
            pages: collection.visits.pages(access, &pages).await?,
            breakdowns: collection
                .visits
                .breakdowns(access, &breakdowns, &groupings)
                .await?,
            events: collection.actions.actions(access, &events).await?,
        })
    }

    /// All of them.
    pub(super) fn show(&self, opened: &Opened, own: &[(&str, &str)]) -> Markup {
        let breakdowns = TABLES.iter().zip(&self.breakdowns.breakdowns);
        html! {
            div.columns {
                (self.of_pages(opened, own))
                @for (table, breakdown) in breakdowns { (self.of_parts(table, breakdown, opened, own)) }
                (self.of_events(opened, own))
            }
        }
    }

    fn of_pages(&self, opened: &Opened, own: &[(&str, &str)]) -> Markup {
        let all = self.pages.totals.visitors;
        let rows = self.pages.items.iter().map(|page| {
            vec![
                name(opened, own, "page", &page.path),
                html! { (count(page.visitors)) },
                html! { (percent(ratio(page.visitors, all).unwrap_or(0.0) * 100.0)) },
                html! { (count(page.pageviews)) },
            ]
        });
        let columns = [
            Column::text("Page"),
            Column::figure("Visitors"),
            Column::figure("Share").spare(),
            Column::figure("Views"),
        ];
        let table = Table {
            caption: "Pages",
            columns: &columns,
            rows: rows.collect(),
        };
        section("pages", &table, self.pages.total, "No page was viewed.")
    }

    fn of_parts(&self, table: &By, breakdown: &Breakdown, opened: &Opened, own: &[(&str, &str)]) -> Markup {
        let rows = breakdown.parts.iter().map(|part| {
            let visitors = part.totals.visitors;
            vec![
                match value(&part.key) {
                    Some(value) => name(opened, own, table.filter, value),
                    None => html! { span.none { (table.without) } },
                },
                html! { (count(visitors)) },
                html! { (percent(self.breakdowns.share_pct(visitors))) },
            ]
        });
        let columns = [
            Column::text(table.head),
            Column::figure("Visitors"),
            Column::figure("Share"),
        ];
        let shown = Table {
            caption: table.caption,
            columns: &columns,
            rows: rows.collect(),
        };
        section(
            table.filter,
            &shown,
            breakdown.total,
            "Nothing is known of these.",
        )
    }

    fn of_events(&self, opened: &Opened, own: &[(&str, &str)]) -> Markup {
        let all = self.events.visitors_of_any;
        let rows = self.events.rows.iter().map(|event| {
            vec![
                name(opened, own, "event", &event.name),
                html! { (count(event.visitors)) },
                figure_cell(ratio(event.visitors, all), |of_all| percent(of_all * 100.0)),
                html! { (count(event.count)) },
            ]
        });
        let columns = [
            Column::text("Event"),
            Column::figure("Visitors"),
            Column::figure("Of all").spare(),
            Column::figure("Times"),
        ];
        let table = Table {
            caption: "Events",
            columns: &columns,
            rows: rows.collect(),
        };
        let why = if self.events.ever_recorded {
            "None happened in these visits."
        } else {
            "The site has told of none yet: pharos('event', 'signup') on a page tells of one."
        };
        section("events", &table, self.events.total, why)
    }
}

/// A table below its name; `why` stands in its place where it has no row.
fn section(id: &str, table: &Table<'_>, total: u64, why: &str) -> Markup {
    let shown = table.rows.len() as u64;
    html! {
        section aria-labelledby={ "top-" (id) } {
            h2 id={ "top-" (id) } { (table.caption) }
            (table.show(&html! { p.none { (why) } }))
            @if total > shown { p.note { "The first " (shown) " of " (count(total)) ". The API has them all." } }
        }
    }
}

/// A value that leads to its visits alone, unless they are alone already.
fn name(opened: &Opened, own: &[(&str, &str)], filter: &str, value: &str) -> Markup {
    let told = named(filter, value);
    let is_set = opened.narrowed.value(filter) == Some(value);
    let visits = opened.narrowed.with(filter, Some(value));
    if is_set {
        return html! { bdi { (told) } };
    }
    leading(&opened.address(explore::PATH, &visits, own), &told)
}

/// The value of sessions that have one, by which they are filtered.
fn value(key: &PartKey) -> Option<&str> {
    match key {
        PartKey::Channel(channel) => Some(channel.as_str()),
        PartKey::Device(device) => Some(device.name()),
        PartKey::Text(text) => text.as_deref(),
        PartKey::Pair(..) | PartKey::Place { .. } => None,
    }
}
