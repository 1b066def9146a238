//! Questions to Pharos and to the bases.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use diesel::{
    sql_query,
    sql_types::{Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_analytics::{
    actions::{ActionKind, ActionsQuery},
    breakdown::{BreakdownQuery, Grouping, MOST_PARTS, PartKey},
    filter::{Filters, Fitting},
    funnel::{FunnelQuery, FunnelStep, StepKind},
    overview::Totals,
    pages::{PagePart, PageSort, PagesQuery},
    paths::{JourneysQuery, USUAL_DEPTH, USUAL_GRANULARITY},
    properties::PropertiesQuery,
    store::{ActionStore, PathStore, VisitStore},
};
use pharos_domain::{
    collect::client::Device,
    identity::DomainAccess,
    page::{OffsetRequest, SortOrder},
    ports::Ports,
    window::DateRange,
};

use super::answer::{Answer, DayRow, HourRow, ReachedRow, ReturnsRow, Value, ValueRow};

/// How many pages are listed.
const TOP: u32 = 50;
/// How many actions of a kind are: more than there are.
const MOST_ACTIONS: i64 = 1_000;
const CURRENCY: &str = "EUR";
/// Where a funnel begins, and the event at its end, whose properties are read, too: those that the statements name.
const BEGIN: &str = "/page-0";
const EVENT: &str = "signup";

/// A read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// Sessions by day: the overview, and the daily series.
    Overview,
    /// Sessions by hour.
    Hours,
    /// The pages with the most visitors.
    Pages,
    /// The pages at which the most visitors entered.
    EntryPages,
    /// The pages at which the most visitors left.
    ExitPages,
    /// All actions of a kind, such as events of the sites' own.
    Actions(ActionKind),
    /// The values that properties of an event have most often.
    Properties,
    /// How many view a page, and then do something.
    Funnel,
    /// How many come back, by week.
    Retention,
    /// The ways that are taken most often.
    Journeys,
    /// All values of a column by which sessions are told apart.
    Parts(&'static str, Grouping),
}

impl Read {
    pub(super) const EVENTS: Self = Self::Actions(ActionKind::Event);
    pub(super) const OUTBOUND_LINKS: Self = Self::Actions(ActionKind::Outbound);
    pub(super) const DOWNLOADS: Self = Self::Actions(ActionKind::Download);
    pub(super) const SEARCHES: Self = Self::Actions(ActionKind::Search);
    pub(super) const SOURCES: Self = Self::Parts("source", Grouping::Source);
    pub(super) const BROWSERS: Self = Self::Parts("browser", Grouping::Browser);
    pub(super) const COUNTRIES: Self = Self::Parts("country", Grouping::Country);
    pub(super) const REGIONS: Self = Self::Parts("region", Grouping::Region);
    pub(super) const DEVICES: Self = Self::Parts(
        "(ARRAY['desktop', 'mobile', 'tablet'])[device + 1]",
        Grouping::Device,
    );

    /// Whether the sessions of a filter are those with one browser on one system. Those from one country on phones have only one
    /// country with few regions, and one device.
    const fn is_narrowed_by_browser(self) -> bool {
        matches!(
            self,
            Self::Parts(_, Grouping::Country | Grouping::Region | Grouping::Device)
        )
    }

    /// The column of Pharos's own tables whose values are told apart, where statements leave that open.
    const fn column(self) -> &'static str {
        match self {
            Self::EntryPages => "entry_page",
            Self::ExitPages => "exit_page",
            Self::Actions(ActionKind::Event) => "event",
            Self::Actions(ActionKind::Outbound | ActionKind::Download) => "link",
            Self::Actions(ActionKind::Search) => "term",
            Self::Parts(column, _) => column,
            _ => "",
        }
    }

    /// The kind of hits that are read, where statements leave that open, as `analytics_hits` numbers them.
    const fn kind(self) -> &'static str {
        match self {
            Self::Actions(ActionKind::Event) => "1",
            Self::Actions(ActionKind::Outbound) => "2",
            Self::Actions(ActionKind::Download) => "3",
            Self::Actions(ActionKind::Search) => "4",
            _ => "",
        }
    }
}

/// The ports of Pharos that are asked.
pub(super) struct Stores {
    pub(super) visits: Arc<dyn VisitStore>,
    pub(super) actions: Arc<dyn ActionStore>,
    pub(super) paths: Arc<dyn PathStore>,
}

impl Stores {
    pub(super) fn of(ports: &Ports) -> Result<Self> {
        Ok(Self {
            visits: ports.get()?,
            actions: ports.get()?,
            paths: ports.get()?,
        })
    }
}

/// A site, and the ports that it is read by.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) stores: &'a Stores,
    pub(super) access: &'a DomainAccess,
}

/// Beside what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// One wide row an event.
    Wide,
    /// Sessions and hits apart, with texts.
    Apart,
    /// The best single statement over Pharos's own tables.
    Encoded,
}

/// A question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) read: Read,
    pub(super) window: DateRange,
    /// Only some sessions: from one country on phones, or with one browser on one system.
    pub(super) is_filtered: bool,
}

impl Base {
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Wide => "one wide row an event with an index on (site, time)",
            Self::Apart => "sessions and hits apart, as texts, with indexes on (site, time)",
            Self::Encoded => "the best single statement over Pharos's own tables",
        }
    }

    /// Its statement for a read; `None`: the read is compared with the other bases alone.
    pub(super) const fn statement(self, read: Read) -> Option<&'static str> {
        Some(match (self, read) {
            // Only Pharos's own tables have regions.
            (Self::Wide | Self::Apart, Read::Parts(_, Grouping::Region)) => return None,
            (Self::Wide, Read::Overview) => include_str!("sql/wide_overview.sql"),
            (Self::Wide, Read::Pages) => include_str!("sql/wide_pages.sql"),
            (Self::Wide, Read::EntryPages) => include_str!("sql/wide_entry_pages.sql"),
            (Self::Wide, Read::Actions(ActionKind::Event)) => include_str!("sql/wide_events.sql"),
            (Self::Wide, Read::Parts(..)) => include_str!("sql/wide_parts.sql"),
            (Self::Apart, Read::Overview) => include_str!("sql/apart_overview.sql"),
            (Self::Apart, Read::Pages) => include_str!("sql/apart_pages.sql"),
            (Self::Apart, Read::EntryPages) => include_str!("sql/apart_entry_pages.sql"),
            (Self::Apart, Read::Actions(ActionKind::Event)) => include_str!("sql/apart_events.sql"),
            (Self::Apart, Read::Parts(..)) => include_str!("sql/apart_parts.sql"),
            (Self::Encoded, Read::Overview) => include_str!("sql/encoded_overview.sql"),
            (Self::Encoded, Read::Hours) => include_str!("sql/encoded_hours.sql"),
            (Self::Encoded, Read::Pages) => include_str!("sql/encoded_pages.sql"),
            (Self::Encoded, Read::EntryPages | Read::ExitPages) => {
                include_str!("sql/encoded_end_pages.sql")
            }
            (Self::Encoded, Read::Actions(_)) => include_str!("sql/encoded_actions.sql"),
            (Self::Encoded, Read::Properties) => include_str!("sql/encoded_properties.sql"),
            (Self::Encoded, Read::Funnel) => include_str!("sql/encoded_funnel.sql"),
            (Self::Encoded, Read::Retention) => include_str!("sql/encoded_retention.sql"),
            (Self::Encoded, Read::Journeys) => include_str!("sql/encoded_journeys.sql"),
            (Self::Encoded, Read::Parts(_, Grouping::Device)) => include_str!("sql/encoded_devices.sql"),
            (Self::Encoded, Read::Parts(..)) => include_str!("sql/encoded_parts.sql"),
            (Self::Wide | Self::Apart, _) => return None,
        })
    }

    /// The condition in its statements where only some sessions are asked for.
    const fn filter(self, read: Read) -> &'static str {
        match (self, read) {
            (Self::Encoded, _) if read.is_narrowed_by_browser() => {
                "AND browser = (
                    SELECT id FROM analytics_values WHERE domain_id = $1 AND dimension = 11 AND value = 'Chrome'
                ) AND os = (
                    SELECT id FROM analytics_values WHERE domain_id = $1 AND dimension = 13 AND value = 'Android'
                )"
            }
            _ if read.is_narrowed_by_browser() => "AND browser = 'Chrome' AND os = 'Android'",
            (Self::Apart, Read::Pages | Read::EntryPages | Read::Actions(_)) => {
                "AND session_id IN (
                    SELECT id FROM bench_sessions
                    WHERE domain_id = $1 AND started_at >= $2 AND started_at < $3 AND country = 'DE' AND device = 1
                )"
            }
            (Self::Encoded, _) => {
                "AND device = 1 AND country = (
                    SELECT id FROM analytics_values WHERE domain_id = $1 AND dimension = 8 AND value = 'DE'
                )"
            }
            _ => "AND country = 'DE' AND device = 1",
        }
    }
}

impl Question {
    /// The answer of a base.
    pub(super) async fn of_base(
        self,
        base: Base,
        connection: &mut AsyncPgConnection,
        access: &DomainAccess,
    ) -> Result<Answer> {
        let filter = if self.is_filtered {
            base.filter(self.read)
        } else {
            ""
        };
        let statement = base
            .statement(self.read)
            .with_context(|| format!("{base:?} has no statement for {:?}", self.read))?
            .replace("/* filter */", filter)
            .replace("/* column */", self.read.column())
            .replace("/* kind */", self.read.kind());
        let query = sql_query(statement)
            .bind::<SqlUuid, _>(access.id().0)
            .bind::<Timestamptz, _>(self.window.start())
            .bind::<Timestamptz, _>(self.window.end());
        let failed = || format!("the statement of {base:?} failed");
        Ok(match self.read {
            Read::Overview => {
                let rows: Vec<DayRow> = query.load(connection).await.with_context(failed)?;
                Answer::Days(rows.into_iter().map(Into::into).collect())
            }
            Read::Hours => {
                let rows: Vec<HourRow> = query.load(connection).await.with_context(failed)?;
                Answer::Hours(rows.into_iter().map(Into::into).collect())
            }
            Read::Funnel => {
                let rows: Vec<ReachedRow> = query.load(connection).await.with_context(failed)?;
                Answer::Steps(rows.into_iter().map(Into::into).collect())
            }
            Read::Retention => {
                let rows: Vec<ReturnsRow> = query.load(connection).await.with_context(failed)?;
                Answer::Returns(rows.into_iter().map(Into::into).collect())
            }
            _ => {
                let rows: Vec<ValueRow> = query.load(connection).await.with_context(failed)?;
                Answer::Values(rows.into_iter().map(Into::into).collect())
            }
        })
    }

    /// The answer of Pharos.
    pub(super) async fn of_pharos(self, Site { stores, access }: Site<'_>) -> Result<Answer> {
        let visits = &stores.visits;
        let filters = self.filters();
        Ok(match self.read {
            Read::Overview => {
                let found = visits
                    .overview(access, &[self.window], &filters, CURRENCY)
                    .await?;
                Answer::Days(found.days)
            }
            Read::Hours => {
                let found = visits.hours(access, self.window, &filters, CURRENCY).await?;
                Answer::Hours(found.hours)
            }
            Read::Pages | Read::EntryPages | Read::ExitPages => {
                let query = PagesQuery {
                    window: self.window,
                    filters: &filters,
                    part: match self.read {
                        Read::EntryPages => PagePart::Entry,
                        Read::ExitPages => PagePart::Exit,
                        _ => PagePart::All,
                    },
                    search: None,
                    sort: PageSort::Visitors,
                    order: SortOrder::Descending,
                    page: OffsetRequest {
                        limit: TOP,
                        offset: 0,
                    },
                };
                let found = visits.pages(access, &query).await?;
                let values = found.items.into_iter().map(|page| Value {
                    value: page.path,
                    counts: [page.visitors, page.sessions, page.pageviews],
                });
                Answer::Values(values.collect())
            }
            Read::Actions(kind) => {
                let query = ActionsQuery {
                    window: self.window,
                    filters: &filters,
                    kind,
                    name: None,
                    rows: MOST_ACTIONS,
                    after: None,
                    currency: CURRENCY,
                };
                let found = stores.actions.actions(access, &query).await?;
                let values = found.rows.into_iter().map(|action| Value {
                    value: action.name,
                    counts: [action.visitors, action.sessions, action.count],
                });
                Answer::Values(values.collect())
            }
            Read::Properties => {
                let query = PropertiesQuery {
                    window: self.window,
                    filters: &filters,
                    event: EVENT,
                    property: None,
                };
                let found = stores.actions.properties(access, &query).await?;
                let mut values = Vec::new();
                for property in found.properties {
                    values.extend(property.values.into_iter().map(|told| Value {
                        value: format!("{} {}", property.name, told.value),
                        counts: [told.visitors, property.distinct_values, told.count],
                    }));
                }
                Answer::Values(values)
            }
            Read::Funnel => {
                let step = |kind, value: &str| FunnelStep {
                    kind,
                    value: value.to_owned(),
                };
                let query = FunnelQuery {
                    window: self.window,
                    filters: &filters,
                    steps: &[step(StepKind::Page, BEGIN), step(StepKind::Event, EVENT)],
                };
                let found = stores.paths.funnel(access, &query).await?;
                Answer::Steps(found.steps)
            }
            Read::Retention => {
                let found = stores
                    .paths
                    .returns(access, self.window, &filters, USUAL_GRANULARITY)
                    .await?;
                Answer::Returns(found.counts)
            }
            Read::Journeys => {
                let query = JourneysQuery {
                    window: self.window,
                    filters: &filters,
                    depth: USUAL_DEPTH,
                    start: None,
                };
                let found = stores.paths.journeys(access, &query).await?;
                let values = found.journeys.into_iter().map(|journey| Value {
                    value: journey.path.join(" "),
                    counts: [journey.sessions, journey.exits, journey.duration_ms],
                });
                Answer::Values(values.collect())
            }
            Read::Parts(column, grouping) => {
                let query = BreakdownQuery {
                    window: self.window,
                    filters: &filters,
                    currency: CURRENCY,
                    limit: MOST_PARTS,
                };
                let found = visits.breakdowns(access, &query, &[grouping]).await?;
                let parts = found.breakdowns.into_iter().flat_map(|breakdown| breakdown.parts);
                let values = parts.map(|part| {
                    let Totals {
                        visitors,
                        sessions,
                        pageviews,
                        ..
                    } = part.totals;
                    let value = match part.key {
                        PartKey::Text(Some(value))
                        | PartKey::Place {
                            name: Some(value), ..
                        } => value,
                        PartKey::Device(device) => device.name().to_owned(),
                        other => bail!("{other:?} is no {column}"),
                    };
                    Ok(Value {
                        value,
                        counts: [visitors, sessions, pageviews],
                    })
                });
                Answer::Values(values.collect::<Result<_>>()?)
            }
        })
    }

    fn filters(self) -> Filters {
        if !self.is_filtered {
            return Filters::default();
        }
        if self.read.is_narrowed_by_browser() {
            return Filters {
                browser: Some("Chrome".to_owned()),
                os: Some("Android".to_owned()),
                ..Filters::default()
            };
        }
        Filters {
            country: Some("DE".to_owned()),
            device: Some(Fitting::Is(Device::Mobile)),
            ..Filters::default()
        }
    }
}
