//! The metrics of search that rules may watch, and their values.

mod catalogue;
#[cfg(test)]
mod tests;

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{
        MetricAnswer, MetricQuery, MetricSource, MetricValue, MetricWindow, ModuleMetrics, Reading,
        SearchType as AlertSearchType,
    },
    ids::DomainId,
    ports::{MissingPort, Ports},
    store::StoreError,
    time_range::TimeRange,
    window::DateRange,
};
use serde_json::json;
use time::{Date, Duration, OffsetDateTime};

pub use self::catalogue::CATALOGUE;
use super::{
    figures::{Figures, SearchType},
    standing::{DayCounts, DayOf, Standing, StandingStore, non_branded},
};

/// The values of the metrics of search.
#[derive(Clone)]
pub struct SearchMetrics {
    store: Arc<dyn StandingStore>,
}

impl fmt::Debug for SearchMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchMetrics").finish_non_exhaustive()
    }
}

impl SearchMetrics {
    /// The metrics, read through the ports.
    ///
    /// # Errors
    /// Nobody implements [`StandingStore`].
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self { store: ports.get()? })
    }
}

/// The subject of a query: a domain's search type on some days, a range for each window.
struct Wanted<'a> {
    query: &'a MetricQuery,
    search_type: SearchType,
    days: Vec<Option<DateRange>>,
}

/// The data that were read for all queries.
#[derive(Default)]
struct Known {
    standing: HashMap<DomainId, Standing>,
    totals: HashMap<DayOf, Figures>,
    counts: HashMap<DayOf, DayCounts>,
    /// Clicks of queries that are not for the brand, of days that have any; `None`: it can't be told.
    non_branded: HashMap<DayOf, Option<u64>>,
}

#[async_trait]
impl MetricSource for SearchMetrics {
    fn metrics(&self) -> ModuleMetrics {
        CATALOGUE
    }

    async fn read(
        &self,
        queries: &[MetricQuery],
        now: OffsetDateTime,
    ) -> Result<Vec<MetricAnswer>, StoreError> {
        let domains = MetricQuery::domains(queries);
        let standing = self.store.standing(&domains).await?;
        let wanted: Vec<Wanted<'_>> = queries
            .iter()
            .map(|query| Wanted {
                query,
                search_type: search_type(query),
                days: days(query, standing.get(&query.domain)),
            })
            .collect();
        let ranges = wanted.iter().flat_map(|wanted| wanted.days.iter().flatten());
        let (first, last) = (
            ranges.clone().map(|range| range.first()).min(),
            ranges.map(|range| range.last()).max(),
        );
        let mut known = Known {
            standing,
            ..Known::default()
        };
        if let Some(range) = first
            .zip(last)
            .and_then(|(first, last)| DateRange::new(first, last))
        {
            known.totals = self.store.totals(&domains, range).await?;
            let of = |names: &[&str]| -> Vec<DayOf> {
                let fitting = wanted
                    .iter()
                    .filter(|wanted| names.contains(&wanted.query.metric.name));
                let days: HashSet<DayOf> = fitting.flat_map(Wanted::single_days).collect();
                days.into_iter().collect()
            };
            let counted = of(&["top_10_queries", "pages_with_clicks", "lost_rankings"]);
            known.counts = self.store.counts(&counted).await?;
            let clicked = self.store.clicked(&of(&["non_branded_clicks"])).await?;
            known.non_branded = non_branded(clicked, &known.standing).await;
        }
        Ok(wanted.iter().map(|wanted| wanted.answer(&known, now)).collect())
    }
}

fn search_type(query: &MetricQuery) -> SearchType {
    if query.metric.name == "discover_clicks" {
        return SearchType::Discover;
    }
    match query.filter.search_type {
        None | Some(AlertSearchType::Web) => SearchType::Web,
        Some(AlertSearchType::Image) => SearchType::Image,
        Some(AlertSearchType::Video) => SearchType::Video,
        Some(AlertSearchType::News) => SearchType::News,
        Some(AlertSearchType::Discover) => SearchType::Discover,
        Some(AlertSearchType::GoogleNews) => SearchType::GoogleNews,
    }
}

/// The days of each window. A window is as many whole days as it is long, those that end in it; where the first one would reach
/// past the newest final day, all of them move back together, so that weekdays stay what they are to each other. Days that are
/// not final have no figures.
fn days(query: &MetricQuery, standing: Option<&Standing>) -> Vec<Option<DateRange>> {
    let through = standing.and_then(|standing| standing.data_through);
    let over = |window: &MetricWindow| match window {
        MetricWindow::Over(range) => Some(*range),
        MetricWindow::Latest => None,
    };
    let own_end = query.windows.first().and_then(over).map(last_day);
    let Some((through, own_end)) = through.zip(own_end) else {
        return vec![None; query.windows.len()];
    };
    let back = (own_end - through).max(Duration::ZERO);
    let of = |range: TimeRange| {
        let days = u32::try_from(range.length().whole_days().max(1)).unwrap_or(1);
        DateRange::ending(last_day(range).saturating_sub(back), days)
    };
    let known = |window: &MetricWindow| over(window).map(of).filter(|days| days.last() <= through);
    query.windows.iter().map(known).collect()
}

/// The day in which a window ends. One of the past ends on a whole hour while a rule's own ends at any moment, so both are cut to
/// the hour: within the first hour of a day they would lie on different weekdays otherwise.
fn last_day(range: TimeRange) -> Date {
    let into_the_hour = range.until.unix_timestamp().rem_euclid(3_600);
    let cut = Duration::seconds(into_the_hour) + Duration::nanoseconds(range.until.nanosecond().into());
    range.until.saturating_sub(cut + Duration::NANOSECOND).date()
}

impl Wanted<'_> {
    /// The days that windows of a day stand for.
    fn single_days(&self) -> impl Iterator<Item = DayOf> {
        let (domain, search_type) = (self.query.domain, self.search_type);
        self.days
            .iter()
            .flatten()
            .map(move |range| (domain, search_type, range.last()))
    }

    fn answer(&self, known: &Known, now: OffsetDateTime) -> MetricAnswer {
        let Some(standing) = known.standing.get(&self.query.domain) else {
            return MetricAnswer {
                values: vec![MetricValue::default(); self.query.windows.len()],
                ..MetricAnswer::default()
            };
        };
        if self.query.metric.name == "sync_age_hours" {
            let age = standing
                .imported_at
                .map(|at| (now - at).as_seconds_f64().max(0.0) / 3_600.0);
            let value = |window: &MetricWindow| MetricValue {
                reading: match window {
                    MetricWindow::Latest => Reading::of(age),
                    MetricWindow::Over(_) => Reading::NoData,
                },
                sample: None,
            };
            return MetricAnswer {
                values: self.query.windows.iter().map(value).collect(),
                ..MetricAnswer::default()
            };
        }
        let values = self
            .days
            .iter()
            .map(|range| range.map_or_else(MetricValue::default, |range| self.value(range, standing, known)));
        let data_through = self.days.first().copied().flatten().map(|range| range.last());
        let date = data_through.map(|day| ("date".to_owned(), json!(day.to_string())));
        MetricAnswer {
            values: values.collect(),
            context: date.into_iter().collect(),
            data_through,
            ..MetricAnswer::default()
        }
    }

    fn value(&self, range: DateRange, standing: &Standing, known: &Known) -> MetricValue {
        let Some(figures) = self.sum(range, standing, known) else {
            return MetricValue::default();
        };
        let day = (self.query.domain, self.search_type, range.last());
        let counts = || known.counts.get(&day).copied().unwrap_or_default();
        let count = |count: u64| Some(count as f64);
        let is_ranked = self.search_type.is_ranked();
        let week_before = range.last().saturating_sub(Duration::WEEK);
        let value = match self.query.metric.name {
            "clicks" | "discover_clicks" => count(figures.clicks),
            "impressions" => count(figures.impressions),
            "ctr" => figures.ctr().map(|ctr| ctr * 100.0),
            "position" => figures.position(),
            "top_10_queries" if is_ranked => count(counts().top_10_queries),
            "pages_with_clicks" => count(counts().pages_with_clicks),
            "lost_rankings" if is_ranked && standing.reach.has(self.search_type, week_before) => {
                count(counts().lost_rankings)
            }
            "non_branded_clicks" if is_ranked && standing.brand.is_configured() => {
                let clicks = known.non_branded.get(&day).copied();
                clicks.unwrap_or(Some(0)).and_then(count)
            }
            _ => None,
        };
        MetricValue {
            reading: Reading::of(value),
            sample: Some(figures.impressions),
        }
    }

    /// The figures of days; `None` where nothing is known of them, or not all of them were imported. A tracked type without a row
    /// on days that had others: 0.
    fn sum(&self, range: DateRange, standing: &Standing, known: &Known) -> Option<Figures> {
        if !standing.reach.reaches(self.search_type, range) {
            return None;
        }
        let of =
            |search_type: SearchType, date: Date| known.totals.get(&(self.query.domain, search_type, date));
        let mut stored = range
            .dates()
            .filter_map(|date| of(self.search_type, date))
            .copied()
            .peekable();
        if stored.peek().is_some() {
            return Some(stored.sum());
        }
        let is_tracked = standing.search_types.contains(&self.search_type);
        let is_lively = range
            .dates()
            .any(|date| SearchType::ALL.iter().any(|other| of(*other, date).is_some()));
        (is_tracked && is_lively).then(Figures::default)
    }
}
