//! GET /domains/{domain_id}/analytics/events

pub(super) mod properties;

use pharos_analytics::{
    actions::{ActionFigures, ActionKind, ActionsQuery},
    filter::Filters,
    filter_texts::FilterTexts,
    overview::{as_number, in_units, ratio},
    store::{ActionStore, SiteStore},
};
use pharos_domain::timestamp::Timestamp;
use pharos_domain::{
    identity::DomainAccess,
    page::{Page, PageRequest, Position},
    window::Meta,
};
use pharos_http::{
    extract::{port::Port, query::Query, window::FullWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};

use crate::{READ, meta, missing, place, through};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsEvents",
    path: "/domains/{domain_id}/analytics/events",
    summary: "The events of the site's own",
    description: "Events of ecommerce are among them, downloads and links to other hosts are not; those that happened most often \
                  first. An empty list is a genuine zero. With the filter `event`: all events of the sessions in which that one \
                  happened; `event_name` stands in its place, and lists that event alone. Names are free text of the site.",
    paging: Paging::Cursor {
        max: 1_000,
        default: 1_000,
    },
    ..READ
};

#[derive(Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct EventsParameters {
    /// Only the event of this name, in place of the filter `event`.
    event_name: Option<String>,
}

pub(super) async fn list(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    Query(parameters): Query<EventsParameters>,
    Query(filters): Query<FilterTexts>,
    page: PageRequest<i64, String>,
    sites: Port<dyn SiteStore>,
    actions: Port<dyn ActionStore>,
) -> ApiResult<Page<AnalyticsEventPublic, EventsRoot>> {
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let mut filters = Filters::from(filters);
    if parameters.event_name.is_some() {
        filters.event = None;
    }
    let query = ActionsQuery {
        window: asked.window,
        filters: &filters,
        kind: ActionKind::Event,
        name: parameters.event_name.as_deref(),
        rows: page.rows(),
        after: page.after.as_ref().map(|after| (after.key, after.id.as_str())),
        currency: &site.settings.currency,
    };
    let found = actions.actions(&access, &query).await?;
    let root = EventsRoot {
        data_through: through(asked.window, found.last_at).map(Timestamp::from),
        events_ever_recorded: found.ever_recorded,
        currency: site.has_commerce.then(|| site.settings.currency.clone()),
        meta: meta(&asked, found.last_at),
    };
    let visitors = found.visitors_of_any;
    let rows = Page::cut(found.rows, &page, |row| Position {
        key: place(row),
        id: row.name.clone(),
    });
    let items = rows.items.into_iter();
    Ok(Page {
        items: items
            .map(|row| AnalyticsEventPublic::new(row, visitors))
            .collect(),
        next_cursor: rows.next_cursor,
        has_more: rows.has_more,
        extra: root,
    })
}

/// An event of the site's own.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EventsPublic)]
pub(super) struct AnalyticsEventPublic {
    /// The name of the event, as the site sends it.
    event_name: String,
    /// How often it happened.
    #[schema(minimum = 0)]
    count: u64,
    /// The distinct visitors of each UTC day for whom it happened, added up.
    #[schema(minimum = 0)]
    visitors: u64,
    /// The sessions in which it happened.
    #[schema(minimum = 0)]
    sessions: u64,
    /// How often it happened for each of these visitors.
    #[schema(minimum = 0)]
    per_visitor: f64,
    /// The share of all visitors of the window that fit the other filters, in percent; null without visitors.
    #[schema(required, minimum = 0, maximum = 100)]
    conversion_rate_pct: Option<f64>,
    /// Orders less refunds that it told of, in `currency`; null where it is no purchase and no refund.
    #[schema(required)]
    revenue: Option<f64>,
    /// When it happened last in the window.
    last_seen_at: Timestamp,
    /// The names of its properties in the window, in order; at most 100.
    properties: Vec<String>,
}

impl AnalyticsEventPublic {
    fn new(row: ActionFigures, visitors: u64) -> Self {
        Self {
            event_name: row.name,
            count: row.count,
            visitors: row.visitors,
            sessions: row.sessions,
            per_visitor: as_number(row.count) / as_number(row.visitors.max(1)),
            conversion_rate_pct: ratio(row.visitors, visitors).map(|share| share * 100.0),
            revenue: row.revenue_cents.map(in_units),
            last_seen_at: row.last_at.into(),
            properties: row.properties,
        }
    }
}

/// The members of the answer beside the list of events.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsEventsRoot)]
pub(super) struct EventsRoot {
    /// The newest moment of which anything was received, to within a minute; null where nothing ever was.
    #[schema(required)]
    data_through: Option<Timestamp>,
    /// Whether the site ever recorded an event.
    events_ever_recorded: bool,
    /// The currency of `revenue`, ISO 4217; null where ecommerce was never recorded.
    #[schema(required)]
    currency: Option<String>,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl Example for AnalyticsEventPublic {
    fn example() -> Self {
        Self {
            event_name: "signup".to_owned(),
            count: 88,
            visitors: 80,
            sessions: 84,
            per_visitor: 1.1,
            conversion_rate_pct: Some(1.91),
            revenue: None,
            last_seen_at: datetime!(2026-03-31 08:59:00 UTC).into(),
            properties: vec!["plan".to_owned()],
        }
    }
}

impl Example for EventsRoot {
    fn example() -> Self {
        Self {
            data_through: Some(datetime!(2026-03-31 09:14:00 UTC).into()),
            events_ever_recorded: true,
            currency: None,
            meta: Meta::example(),
        }
    }
}
