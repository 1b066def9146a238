//! GET /domains/{domain_id}/analytics/events/properties

use pharos_analytics::{
    filter::Filters,
    filter_texts::FilterTexts,
    overview::ratio,
    properties::{NumberFigures, PropertiesQuery, Property, PropertyType, ValueFigures},
    store::{ActionStore, SiteStore},
};
use pharos_domain::{identity::DomainAccess, page::Page, window::Meta};
use pharos_http::{
    extract::{port::Port, query::Query, window::FullWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{READ, meta, missing};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsEventProperties",
    path: "/domains/{domain_id}/analytics/events/properties",
    summary: "The properties of an event and their values",
    description: "The 100 properties that were told most often, each with its 100 most frequent values; `truncated` says where there \
                  are more. Names and values are free text of the site.",
    paging: Paging::Single,
    ..READ
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct PropertiesParameters {
    /// The name of the event whose properties are asked for.
    event_name: String,
    /// Only this property.
    property: Option<String>,
}

pub(crate) async fn list(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    Query(parameters): Query<PropertiesParameters>,
    Query(filters): Query<FilterTexts>,
    sites: Port<dyn SiteStore>,
    actions: Port<dyn ActionStore>,
) -> ApiResult<Page<AnalyticsEventPropertyPublic, PropertiesRoot>> {
    sites.view(&access).await?.ok_or_else(missing)?;
    let PropertiesParameters { event_name, property } = parameters;
    let filters = Filters::from(filters);
    let query = PropertiesQuery {
        window: asked.window,
        filters: &filters,
        event: &event_name,
        property: property.as_deref(),
    };
    let found = actions.properties(&access, &query).await?;
    let visitors = found.visitors;
    let truncated = found.total > u64::try_from(found.properties.len()).unwrap_or(u64::MAX);
    let items = found.properties.into_iter();
    let items = items.map(|property| AnalyticsEventPropertyPublic::new(property, visitors));
    Ok(Page::single(items.collect()).with(PropertiesRoot {
        event_name,
        truncated,
        meta: meta(&asked, found.last_at),
    }))
}

/// A property of an event.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsEventProperty)]
pub(crate) struct AnalyticsEventPropertyPublic {
    /// The name of the property, as the site sends it.
    property: String,
    /// The type of its values.
    value_type: PropertyType,
    /// The most frequent values, those first.
    values: Vec<AnalyticsPropertyValuePublic>,
    /// The figures of the numbers among the values; null where there is none.
    #[schema(required)]
    numeric: Option<AnalyticsPropertyNumbersPublic>,
    /// Whether it has more values than are shown.
    truncated: bool,
}

impl AnalyticsEventPropertyPublic {
    fn new(property: Property, visitors: u64) -> Self {
        let Property {
            name,
            kind,
            numbers,
            values,
            distinct_values,
        } = property;
        Self {
            property: name,
            value_type: kind,
            truncated: distinct_values > u64::try_from(values.len()).unwrap_or(u64::MAX),
            values: values
                .into_iter()
                .map(|value| AnalyticsPropertyValuePublic::new(value, visitors))
                .collect(),
            numeric: numbers.map(
                |NumberFigures { min, max, avg, sum }| AnalyticsPropertyNumbersPublic { min, max, avg, sum },
            ),
        }
    }
}

/// A value of a property.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsPropertyValue)]
pub(crate) struct AnalyticsPropertyValuePublic {
    /// The value, as text.
    value: String,
    /// How often it was told.
    #[schema(minimum = 0)]
    count: u64,
    /// The distinct visitors of each UTC day for whom it was, added up.
    #[schema(minimum = 0)]
    visitors: u64,
    /// The share of the visitors of the window that fit the filters, in percent.
    #[schema(minimum = 0, maximum = 100)]
    share_pct: f64,
}

impl AnalyticsPropertyValuePublic {
    fn new(value: ValueFigures, visitors: u64) -> Self {
        Self {
            share_pct: ratio(value.visitors, visitors).unwrap_or(0.0) * 100.0,
            count: value.count,
            visitors: value.visitors,
            value: value.value,
        }
    }
}

/// The figures of numbers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsPropertyNumbers)]
pub(crate) struct AnalyticsPropertyNumbersPublic {
    /// The least of the numbers.
    min: f64,
    /// The greatest of the numbers.
    max: f64,
    /// The mean.
    avg: f64,
    /// The sum.
    sum: f64,
}

/// The members of the answer beside the list of properties.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsEventPropertiesRoot)]
pub(crate) struct PropertiesRoot {
    /// The name of the event that was asked for.
    event_name: String,
    /// Whether it has more properties than are shown.
    truncated: bool,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl Example for AnalyticsEventPropertyPublic {
    fn example() -> Self {
        Self {
            property: "plan".to_owned(),
            value_type: PropertyType::Text,
            values: vec![AnalyticsPropertyValuePublic {
                value: "team".to_owned(),
                count: 31,
                visitors: 30,
                share_pct: 0.72,
            }],
            numeric: None,
            truncated: false,
        }
    }
}

impl Example for PropertiesRoot {
    fn example() -> Self {
        Self {
            event_name: "signup".to_owned(),
            truncated: false,
            meta: Meta::example(),
        }
    }
}
