//! GET /domains/{domain_id}/analytics/realtime

use pharos_analytics::{
    realtime::{RealtimeRow, WINDOW_MINUTES, since},
    store::{SiteStore, VisitStore},
};
use pharos_domain::{
    clock::Clock, identity::DomainAccess, module::Module, problem::Suffix, scope::Scope, timestamp::Timestamp,
};
use pharos_http::{
    extract::port::Port,
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Window},
};
use serde::Serialize;
use time::{Duration, OffsetDateTime, macros::datetime};
use utoipa::ToSchema;

use crate::missing;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getAnalyticsRealtime",
    path: "/domains/{domain_id}/analytics/realtime",
    module: Module::Analytics,
    summary: "Who is on the site now",
    description: "The last 30 minutes, the one that has begun included. Lists have the ten values with the most visitors.",
    scope: Some(Scope::ReadAnalytics),
    credits: Credits::Cheap,
    window: Window::Fixed,
    problems: &[Suffix::AnalyticsNotFound],
    ..OperationSpec::GET
};

pub(super) async fn view(
    access: DomainAccess,
    sites: Port<dyn SiteStore>,
    visits: Port<dyn VisitStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<AnalyticsRealtimePublic> {
    sites.view(&access).await?.ok_or_else(missing)?;
    let now = clock.now();
    let since = since(now);
    let found = visits.realtime(&access, since).await?;
    let minutes = (0..WINDOW_MINUTES).map(|minute| {
        let minute = since.saturating_add(Duration::minutes(i64::from(minute)));
        let known = found.minutes.iter().find(|(at, _, _)| *at == minute);
        let (visitors, pageviews) = known.map_or((0, 0), |(_, visitors, pageviews)| (*visitors, *pageviews));
        RealtimeMinutePublic {
            minute: minute.into(),
            visitors,
            pageviews,
        }
    });
    Ok(AnalyticsRealtimePublic {
        active_visitors: found.visitors,
        window_minutes: WINDOW_MINUTES,
        pageviews: found.pageviews,
        items: minutes.collect(),
        pages: found.pages.into_iter().filter_map(page).collect(),
        sources: found.sources.into_iter().filter_map(source).collect(),
        countries: found.countries.into_iter().map(country).collect(),
        events: found.events.into_iter().filter_map(event).collect(),
        generated_at: now.into(),
    })
}

fn page(row: RealtimeRow) -> Option<RealtimePagePublic> {
    Some(RealtimePagePublic {
        page: row.key?,
        visitors: row.visitors,
        pageviews: row.count,
    })
}

fn source(row: RealtimeRow) -> Option<RealtimeSourcePublic> {
    Some(RealtimeSourcePublic {
        source: row.key?,
        visitors: row.visitors,
        pageviews: row.count,
    })
}

fn country(row: RealtimeRow) -> RealtimeCountryPublic {
    RealtimeCountryPublic {
        country: row.key,
        visitors: row.visitors,
        pageviews: row.count,
    }
}

fn event(row: RealtimeRow) -> Option<RealtimeEventPublic> {
    Some(RealtimeEventPublic {
        event_name: row.key?,
        visitors: row.visitors,
        count: row.count,
    })
}

/// Who is on a site now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsRealtime)]
pub(super) struct AnalyticsRealtimePublic {
    /// Visitors who viewed or did anything.
    #[schema(minimum = 0)]
    active_visitors: u64,
    /// How far back it goes.
    window_minutes: u32,
    /// Page views.
    #[schema(minimum = 0)]
    pageviews: u64,
    /// Every minute, in order.
    items: Vec<RealtimeMinutePublic>,
    /// Pages that were viewed.
    pages: Vec<RealtimePagePublic>,
    /// Where visitors came from.
    sources: Vec<RealtimeSourcePublic>,
    /// Which country they are in.
    countries: Vec<RealtimeCountryPublic>,
    /// Events of the site's own.
    events: Vec<RealtimeEventPublic>,
    /// When this was read.
    generated_at: Timestamp,
}

/// A minute.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsRealtimeMinute)]
pub(super) struct RealtimeMinutePublic {
    /// When it begins.
    minute: Timestamp,
    /// Visitors who viewed or did anything in it.
    #[schema(minimum = 0)]
    visitors: u64,
    /// Page views.
    #[schema(minimum = 0)]
    pageviews: u64,
}

/// A page that was viewed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsRealtimePage)]
pub(super) struct RealtimePagePublic {
    /// The path of the page.
    page: String,
    /// Visitors who saw the page.
    #[schema(minimum = 0)]
    visitors: u64,
    /// Views of the page.
    #[schema(minimum = 0)]
    pageviews: u64,
}

/// Where visitors came from.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsRealtimeSource)]
pub(super) struct RealtimeSourcePublic {
    /// The name of the source.
    source: String,
    /// Visitors who came by it.
    #[schema(minimum = 0)]
    visitors: u64,
    /// Their page views.
    #[schema(minimum = 0)]
    pageviews: u64,
}

/// Which country visitors are in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsRealtimeCountry)]
pub(super) struct RealtimeCountryPublic {
    /// ISO 3166-1 alpha-2; null where it is not known.
    #[schema(required)]
    country: Option<String>,
    /// Visitors from the country.
    #[schema(minimum = 0)]
    visitors: u64,
    /// Their page views.
    #[schema(minimum = 0)]
    pageviews: u64,
}

/// An event of the site's own.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsRealtimeEvent)]
pub(super) struct RealtimeEventPublic {
    /// The name of the event, as the site sends it.
    event_name: String,
    /// The visitors for whom it happened.
    #[schema(minimum = 0)]
    visitors: u64,
    /// How often.
    #[schema(minimum = 0)]
    count: u64,
}

impl Example for AnalyticsRealtimePublic {
    fn example() -> Self {
        const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);
        Self {
            active_visitors: 12,
            window_minutes: WINDOW_MINUTES,
            pageviews: 31,
            items: vec![RealtimeMinutePublic {
                minute: NOW.into(),
                visitors: 2,
                pageviews: 3,
            }],
            pages: vec![RealtimePagePublic {
                page: "/".to_owned(),
                visitors: 7,
                pageviews: 11,
            }],
            sources: vec![RealtimeSourcePublic {
                source: "google".to_owned(),
                visitors: 5,
                pageviews: 12,
            }],
            countries: vec![RealtimeCountryPublic {
                country: Some("DE".to_owned()),
                visitors: 9,
                pageviews: 24,
            }],
            events: vec![RealtimeEventPublic {
                event_name: "add_to_cart".to_owned(),
                visitors: 2,
                count: 3,
            }],
            generated_at: NOW.into(),
        }
    }
}
