//! The port by which a group gives the values of its metrics.

use std::collections::HashMap;

use async_trait::async_trait;
use serde_json::{Map, Value};
use time::{Date, OffsetDateTime};

use super::{AlertMetric, FormFactor, ModuleMetrics, SearchType};
use crate::{ids::DomainId, store::StoreError, time_range::TimeRange};

/// Gives the values of a module's metrics.
#[async_trait]
pub trait MetricSource: Send + Sync {
    /// The module and its catalogue. Metrics that can't be evaluated stand in no catalogue.
    fn metrics(&self) -> ModuleMetrics;

    /// Answers queries, one answer each, in their order. The number of statements does not grow with the number of queries,
    /// except that much data of domains is read in several parts. Deleted domains have no values.
    ///
    /// # Errors
    /// The store failed: nothing is known of any of them.
    async fn read(
        &self,
        queries: &[MetricQuery],
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError>;

    /// The attention that these domains get, as far as this source knows. Somebody who announces work on a site announces it to
    /// one module and means all of them: a domain that is silenced fires nothing. Somebody who pauses a module means its own
    /// rules alone. A module that is given neither returns nothing.
    ///
    /// # Errors
    /// The store failed: nothing is known of any of them.
    async fn attention(
        &self,
        _domains: &[DomainId],
        _now: OffsetDateTime,
    ) -> Result<HashMap<DomainId, Attention>, StoreError> {
        Ok(HashMap::new())
    }
}

/// Asks for a metric of a domain in several windows.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricQuery {
    /// The domain whose values are asked for.
    pub domain: DomainId,
    /// The metric, of the module's catalogue.
    pub metric: &'static AlertMetric,
    /// The part of the domain that is measured.
    pub filter: MetricFilter,
    /// The windows. The answer is about the first: its context and `data_through` are those of this window. If the data do not
    /// reach its end yet, a source that keeps them by days moves all windows back by as much, so that the distances between
    /// them stay. So the window of a rule comes first, and its past windows follow. A reader of a time series puts the oldest
    /// part first, so that nothing moves, and queries what a rule looks at apart.
    pub windows: Vec<MetricWindow>,
    /// Whether the sample of the first window is needed. A source may leave out samples that are not.
    pub needs_sample: bool,
}

impl MetricQuery {
    /// The domains of queries, each once.
    #[must_use]
    pub fn domains(queries: &[Self]) -> Vec<DomainId> {
        let mut domains: Vec<DomainId> = queries.iter().map(|query| query.domain).collect();
        domains.sort_unstable();
        domains.dedup();
        domains
    }
}

/// The part of a domain that a metric is narrowed to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct MetricFilter {
    /// A URL.
    pub url: Option<String>,
    /// A form factor.
    pub form_factor: Option<FormFactor>,
    /// A search type.
    pub search_type: Option<SearchType>,
}

/// A window of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MetricWindow {
    /// The newest value.
    Latest,
    /// All of a time range.
    Over(TimeRange),
}

/// The values of a metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricAnswer {
    /// One value a window, in their order.
    pub values: Vec<MetricValue>,
    /// Further facts for the alert, such as the incident that it is about.
    pub context: Map<String, Value>,
    /// The last day of the data behind the first value, where the upstream gives them by days or periods: the same breach of
    /// the same data is reported once. `None`: the metric is measured at the moment.
    pub data_through: Option<Date>,
    /// Whether rules may fire.
    pub attention: Attention,
}

/// Whether the rules of a site may fire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Attention {
    /// They may.
    #[default]
    Watched,
    /// Somebody announced work on the site: nothing fires meanwhile.
    Silenced,
    /// Somebody has stopped the watch of the site: nothing fires, and open alerts are over.
    Paused,
}

/// A metric in a window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MetricValue {
    /// The value of the window, or why there is none.
    pub reading: Reading,
    /// How much was measured: checks, views, impressions. `None`: it was not requested, or nothing is measured over a window.
    pub sample: Option<u64>,
}

/// The value of a metric, or why there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reading {
    /// The value, which is finite.
    Value(f64),
    /// Nothing is known: that is neither a breach nor its end.
    #[default]
    NoData,
    /// There is nothing to measure, and so nothing wrong: for example, no incident is open.
    Nothing,
}

impl Reading {
    /// The value, if there is one. A number that is not finite is none.
    #[must_use]
    pub fn of(value: Option<f64>) -> Self {
        value
            .filter(|value| value.is_finite())
            .map_or(Self::NoData, Self::Value)
    }

    /// The value.
    #[must_use]
    pub const fn value(self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(value),
            Self::NoData | Self::Nothing => None,
        }
    }
}
