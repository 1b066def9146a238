//! GET /domains/{domain_id}/analytics/journeys

use pharos_analytics::{
    filter::Filters,
    filter_texts::FilterTexts,
    overview::ratio,
    page_path::page_path,
    paths::{JOURNEY_DAYS, Journey, JourneysQuery, USUAL_DEPTH},
    store::{PathStore, SiteStore},
};
use pharos_domain::{identity::DomainAccess, page::Page, window::Meta};
use pharos_http::{
    extract::{port::Port, query::Query, window::FixedWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging, Window},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{READ, meta, missing};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsJourneys",
    path: "/domains/{domain_id}/analytics/journeys",
    summary: "Which pages visitors view one after the other",
    description: "The 100 most frequent ways of the last 28 days, today included: the first `depth` pages of sessions, or with \
                  `start` those from the first view of that page on. A page twice running is one step, and a session of fewer \
                  pages has a shorter way. `sessions_total` counts the sessions of all ways.",
    paging: Paging::Single,
    window: Window::Fixed,
    ..READ
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct JourneysParameters {
    /// How many pages a way has at most; left out: 3.
    #[param(inline, minimum = 2, maximum = 6, value_type = Option<u8>)]
    depth: u8,
    /// The page at whose first view ways begin; left out: at the first page of the session.
    start: Option<String>,
}

impl Default for JourneysParameters {
    fn default() -> Self {
        Self {
            depth: USUAL_DEPTH,
            start: None,
        }
    }
}

pub(super) async fn list(
    access: DomainAccess,
    FixedWindow(asked): FixedWindow<JOURNEY_DAYS>,
    Query(parameters): Query<JourneysParameters>,
    Query(filters): Query<FilterTexts>,
    sites: Port<dyn SiteStore>,
    paths: Port<dyn PathStore>,
) -> ApiResult<Page<AnalyticsJourneyPublic, JourneysRoot>> {
    sites.view(&access).await?.ok_or_else(missing)?;
    let JourneysParameters { depth, start } = parameters;
    let start = start.as_deref().map(page_path);
    let filters = Filters::from(filters);
    let query = JourneysQuery {
        window: asked.window,
        filters: &filters,
        depth,
        start: start.as_deref(),
    };
    let found = paths.journeys(&access, &query).await?;
    let sessions = found.sessions;
    let truncated = found.total > u64::try_from(found.journeys.len()).unwrap_or(u64::MAX);
    let items = found.journeys.into_iter();
    let items = items.map(|journey| AnalyticsJourneyPublic::new(journey, sessions));
    Ok(Page::single(items.collect()).with(JourneysRoot {
        depth,
        start,
        sessions_total: sessions,
        truncated,
        meta: meta(&asked, found.last_at),
    }))
}

/// Sessions that took one way.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsJourney)]
pub(super) struct AnalyticsJourneyPublic {
    /// The pages, in order.
    path: Vec<String>,
    /// How many sessions.
    #[schema(minimum = 0)]
    sessions: u64,
    /// Their share of the sessions of all ways, in percent.
    #[schema(minimum = 0, maximum = 100)]
    share_pct: f64,
    /// How long these sessions were, the rest of their way included; null without sessions.
    #[schema(required, minimum = 0)]
    avg_duration_seconds: Option<f64>,
    /// The share of these sessions that viewed no further page, in percent; null without sessions.
    #[schema(required, minimum = 0, maximum = 100)]
    exit_pct: Option<f64>,
}

impl AnalyticsJourneyPublic {
    fn new(journey: Journey, sessions: u64) -> Self {
        Self {
            share_pct: ratio(journey.sessions, sessions).unwrap_or(0.0) * 100.0,
            avg_duration_seconds: ratio(journey.duration_ms, journey.sessions).map(|ms| ms / 1_000.0),
            exit_pct: ratio(journey.exits, journey.sessions).map(|share| share * 100.0),
            sessions: journey.sessions,
            path: journey.path,
        }
    }
}

/// The members of the answer beside the list of ways.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsJourneysRoot)]
pub(super) struct JourneysRoot {
    /// How many pages a way has at most.
    depth: u8,
    /// The page at whose first view ways begin; null: at the first page of the session.
    #[schema(required)]
    start: Option<String>,
    /// How many sessions took any way.
    #[schema(minimum = 0)]
    sessions_total: u64,
    /// Whether there are more ways than are shown.
    truncated: bool,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl Example for AnalyticsJourneyPublic {
    fn example() -> Self {
        Self {
            path: vec![
                "/".to_owned(),
                "/products".to_owned(),
                "/products/teapot".to_owned(),
            ],
            sessions: 122,
            share_pct: 2.4,
            avg_duration_seconds: Some(240.5),
            exit_pct: Some(38.5),
        }
    }
}

impl Example for JourneysRoot {
    fn example() -> Self {
        Self {
            depth: USUAL_DEPTH,
            start: None,
            sessions_total: 5_004,
            truncated: true,
            meta: Meta::example(),
        }
    }
}

#[cfg(test)]
mod tests {
    use pharos_analytics::paths::DEPTHS;

    use super::*;

    /// The macro takes numbers alone, and the console offers the choices of the constant.
    #[test]
    fn a_way_may_have_as_many_pages_as_the_constant_says() {
        let parameters = serde_json::to_value(JourneysParameters::into_params(|| None)).unwrap();
        let schema = &parameters[0]["schema"];
        let bounds = ["minimum", "maximum"].map(|bound| schema[bound].as_f64());
        let choices = [DEPTHS.start(), DEPTHS.end()].map(|choice| Some(f64::from(*choice)));
        assert_eq!(bounds, choices, "{schema}");
        assert!(DEPTHS.contains(&USUAL_DEPTH));
        let described = format!("the last {JOURNEY_DAYS} days");
        assert!(SPEC.description.contains(&described), "{}", SPEC.description);
    }
}
