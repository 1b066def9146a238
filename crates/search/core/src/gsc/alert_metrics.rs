//! The metrics of search that rules may watch, and their values.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
};

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::{
        AlertMetric, AlertModule, AlertOperator, ComparisonWindow, DefaultCondition, Direction,
        EvaluationWindow, MetricAnswer, MetricKind, MetricQuery, MetricSource, MetricValue, ModuleMetrics,
        Phrase, Reading, SearchType as AlertSearchType, SupportedFilters, Window,
    },
    ids::DomainId,
    ports::{MissingPort, Ports},
    store::StoreError,
    time_range::TimeRange,
    window::DateRange,
};
use serde_json::json;
use time::{Date, Duration, OffsetDateTime};

use super::{
    figures::{Figures, SearchType},
    standing::{DayCounts, DayOf, Standing, StandingStore, non_branded},
};

const MEASURES: &[AlertOperator] = &[
    AlertOperator::Gt,
    AlertOperator::Gte,
    AlertOperator::Lt,
    AlertOperator::Lte,
    AlertOperator::PctDecrease,
    AlertOperator::PctIncrease,
    AlertOperator::Anomaly,
];
const BOUNDS: &[AlertOperator] = &[
    AlertOperator::Gt,
    AlertOperator::Gte,
    AlertOperator::Lt,
    AlertOperator::Lte,
];
const SPANS: &[EvaluationWindow] = &[
    EvaluationWindow::Day,
    EvaluationWindow::Week,
    EvaluationWindow::FourWeeks,
];
/// Counts of queries and pages are given for single days.
const DAYS: &[EvaluationWindow] = &[EvaluationWindow::Day];
const NOW: &[EvaluationWindow] = &[EvaluationWindow::Latest];
const OF_A_TYPE: SupportedFilters = SupportedFilters {
    url: false,
    form_factor: false,
    search_type: true,
};

/// A sum over days, of which low values are bad.
const SUM: AlertMetric = AlertMetric {
    name: "",
    label: "",
    description: "",
    phrase: Phrase::Amount(""),
    unit: "count",
    display_unit: "",
    step: 1.0,
    kind: MetricKind::Measure,
    direction: Direction::LowerIsWorse,
    operators: MEASURES,
    default: fell(20.0),
    windows: SPANS,
    // Final figures come that late.
    data_lag_hours: 72,
    filters: OF_A_TYPE,
};

/// Lower than a week before by so many percent.
const fn fell(percent: f64) -> DefaultCondition {
    DefaultCondition {
        operator: AlertOperator::PctDecrease,
        threshold: percent,
        comparison_window: Some(ComparisonWindow::SameDayLastWeek),
        cooldown_minutes: 1_440,
    }
}

const fn above(threshold: f64) -> DefaultCondition {
    DefaultCondition {
        operator: AlertOperator::Gt,
        threshold,
        comparison_window: None,
        cooldown_minutes: 1_440,
    }
}

static METRICS: [AlertMetric; 10] = [
    AlertMetric {
        name: "clicks",
        label: "Clicks",
        description: "Clicks from the results of a search type, over the newest final days. No value where nothing is known of \
                      them.",
        phrase: Phrase::Count {
            one: "click",
            many: "clicks",
        },
        display_unit: "clicks",
        ..SUM
    },
    AlertMetric {
        name: "impressions",
        label: "Impressions",
        description: "How often the site was among the results of a search type, over the newest final days. No value where \
                      nothing is known of them.",
        phrase: Phrase::Count {
            one: "impression",
            many: "impressions",
        },
        display_unit: "impressions",
        ..SUM
    },
    AlertMetric {
        name: "ctr",
        label: "CTR",
        description: "Clicks in percent of impressions, over the newest final days. No value without impressions.",
        phrase: Phrase::Amount("the share of impressions with a click"),
        unit: "percent",
        display_unit: "%",
        step: 0.1,
        ..SUM
    },
    AlertMetric {
        name: "position",
        label: "Average position",
        description: "The mean position of an impression over the newest final days: 1 is the best, and an increase is a loss. No \
                      value without impressions, and where results are not ranked.",
        phrase: Phrase::Amount("the average position"),
        unit: "position",
        display_unit: "rank",
        step: 0.1,
        direction: Direction::HigherIsWorse,
        default: DefaultCondition {
            operator: AlertOperator::PctIncrease,
            ..fell(15.0)
        },
        ..SUM
    },
    AlertMetric {
        name: "top_10_queries",
        label: "Queries in the top 10",
        description: "Queries whose mean position is 10 or better, on the newest final day. Rare queries are not told by Google.",
        phrase: Phrase::Count {
            one: "query in the top 10",
            many: "queries in the top 10",
        },
        display_unit: "queries",
        windows: DAYS,
        ..SUM
    },
    AlertMetric {
        name: "pages_with_clicks",
        label: "Pages with clicks",
        description: "Pages that brought a click on the newest final day.",
        phrase: Phrase::Count {
            one: "page with clicks",
            many: "pages with clicks",
        },
        display_unit: "pages",
        windows: DAYS,
        ..SUM
    },
    AlertMetric {
        name: "non_branded_clicks",
        label: "Clicks without the brand",
        description: "Clicks by queries that do not hold the brand, on the newest final day. No value where nothing says how the \
                      brand is called. Rare queries are not told by Google.",
        phrase: Phrase::Count {
            one: "click without the brand",
            many: "clicks without the brand",
        },
        display_unit: "clicks",
        windows: DAYS,
        ..SUM
    },
    AlertMetric {
        name: "lost_rankings",
        label: "Lost rankings",
        description: "Queries whose mean position was 10 or better seven days before the newest final day, and is worse on it, or \
                      that were not seen at all. No value where that day was not imported.",
        phrase: Phrase::Count {
            one: "query that left the top 10",
            many: "queries that left the top 10",
        },
        display_unit: "queries",
        direction: Direction::HigherIsWorse,
        default: above(50.0),
        windows: DAYS,
        ..SUM
    },
    AlertMetric {
        name: "discover_clicks",
        label: "Clicks from Discover",
        description: "Clicks from the feed Discover, over the newest final days. No value where nothing is known of them.",
        phrase: Phrase::Count {
            one: "click from Discover",
            many: "clicks from Discover",
        },
        display_unit: "clicks",
        default: fell(50.0),
        filters: SupportedFilters {
            url: false,
            form_factor: false,
            search_type: false,
        },
        ..SUM
    },
    AlertMetric {
        name: "sync_age_hours",
        label: "Age of search data",
        description: "Hours since a day of search data was last imported. No value before the first import.",
        phrase: Phrase::Amount("the time since search data were imported"),
        unit: "hours",
        display_unit: "h",
        kind: MetricKind::State,
        direction: Direction::HigherIsWorse,
        operators: BOUNDS,
        default: above(96.0),
        windows: NOW,
        data_lag_hours: 0,
        filters: SupportedFilters {
            url: false,
            form_factor: false,
            search_type: false,
        },
        ..SUM
    },
];

/// The module and its metrics.
pub const CATALOGUE: ModuleMetrics = ModuleMetrics {
    module: AlertModule::Gsc,
    label: "Search performance",
    metrics: &METRICS,
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
    let over = |window: &Window| match window {
        Window::Over(range) => Some(*range),
        Window::Latest => None,
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
    let known = |window: &Window| over(window).map(of).filter(|days| days.last() <= through);
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
            let value = |window: &Window| MetricValue {
                reading: match window {
                    Window::Latest => Reading::of(age),
                    Window::Over(_) => Reading::NoData,
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

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;
    use crate::gsc::reach::Reach;

    fn query(name: &str, windows: Vec<Window>) -> MetricQuery {
        MetricQuery {
            domain: DomainId::generate(),
            metric: METRICS.iter().find(|metric| metric.name == name).unwrap(),
            filter: Default::default(),
            windows,
            needs_sample: true,
        }
    }

    /// At 2026-03-31 09:15 the own window of a day ends 72 hours before, and the one of the week before on a whole hour.
    fn a_day_and_the_week_before() -> Vec<Window> {
        let (own, past) = (datetime!(2026-03-28 09:15 UTC), datetime!(2026-03-21 09:00 UTC));
        [own, past]
            .map(|end| Window::Over(TimeRange::new(end - Duration::DAY, end)))
            .to_vec()
    }

    /// The last day of each window, where days are final up to `through`.
    fn last_days(query: &MetricQuery, through: Date) -> Vec<Date> {
        let standing = Standing {
            data_through: Some(through),
            ..Standing::default()
        };
        days(query, Some(&standing))
            .into_iter()
            .map(|range| range.unwrap().last())
            .collect()
    }

    #[test]
    fn windows_are_whole_days_that_move_back_together_to_the_newest_final_one() {
        let query = query("clicks", a_day_and_the_week_before());
        let of = |through: Date| last_days(&query, through);
        assert_eq!(
            of(date!(2026 - 03 - 28)),
            [date!(2026 - 03 - 28), date!(2026 - 03 - 21)]
        );
        assert_eq!(
            of(date!(2026 - 03 - 30)),
            [date!(2026 - 03 - 28), date!(2026 - 03 - 21)]
        );
        assert_eq!(
            of(date!(2026 - 03 - 26)),
            [date!(2026 - 03 - 26), date!(2026 - 03 - 19)]
        );
        assert_eq!(days(&query, Some(&Standing::default())), [None, None]);
        // Where the past is asked for first, as of the course of a metric, the others stay where they are.
        let course: Vec<Window> = a_day_and_the_week_before().into_iter().rev().collect();
        let standing = Standing {
            data_through: Some(date!(2026 - 03 - 26)),
            ..Standing::default()
        };
        let found = days(&self::query("clicks", course), Some(&standing));
        assert_eq!(found[0].unwrap().last(), date!(2026 - 03 - 21));
        assert_eq!(found[1], None, "that day is not final yet");
    }

    #[test]
    fn in_the_first_hour_of_a_day_windows_keep_to_one_weekday() {
        let (own, past) = (datetime!(2026-03-28 00:37 UTC), datetime!(2026-03-21 00:00 UTC));
        let windows = [own, past].map(|end| Window::Over(TimeRange::new(end - Duration::DAY, end)));
        let query = query("clicks", windows.to_vec());
        let of = |through: Date| last_days(&query, through);
        let newest = [date!(2026 - 03 - 27), date!(2026 - 03 - 20)];
        assert_eq!(of(date!(2026 - 03 - 28)), newest);
        assert_eq!(of(date!(2026 - 03 - 27)), newest);
        assert_eq!(
            of(date!(2026 - 03 - 26)),
            [date!(2026 - 03 - 26), date!(2026 - 03 - 19)]
        );
    }

    fn reach(search_type: SearchType, from: Date, missed: &[Date]) -> Reach {
        Reach {
            reached: [(search_type, from)].into(),
            missed: missed.iter().map(|date| (search_type, *date)).collect(),
        }
    }

    #[test]
    fn days_that_were_not_imported_are_unknown_and_no_zero() {
        let query = query("discover_clicks", Vec::new());
        let (first, last) = (date!(2026 - 03 - 27), date!(2026 - 03 - 28));
        let wanted = Wanted {
            query: &query,
            search_type: SearchType::Discover,
            days: Vec::new(),
        };
        let sum = |with: SearchType, reach: Reach| {
            let standing = Standing {
                search_types: vec![SearchType::Web, SearchType::Discover],
                reach,
                ..Standing::default()
            };
            let figures = Figures {
                clicks: 4,
                ..Figures::default()
            };
            let known = Known {
                totals: [((query.domain, with, last), figures)].into(),
                ..Known::default()
            };
            let sum = wanted.sum(DateRange::new(first, last).unwrap(), &standing, &known);
            sum.map(|sum| sum.clicks)
        };
        let (others, own) = (SearchType::Web, SearchType::Discover);
        for (from, missed, zero, four) in [
            (Some(first), vec![], Some(0), Some(4)),
            (Some(first), vec![date!(2026 - 03 - 26)], Some(0), Some(4)),
            (Some(first), vec![first], None, None),
            (Some(last), vec![], None, None),
            (Some(date!(2026 - 03 - 29)), vec![], None, None),
            (None, vec![], None, None),
        ] {
            let reach = from.map_or_else(Reach::default, |from| reach(own, from, &missed));
            assert_eq!(sum(others, reach.clone()), zero, "{reach:?}");
            assert_eq!(sum(own, reach.clone()), four, "{reach:?}");
        }
    }

    #[test]
    fn counts_of_queries_need_queries_and_losses_the_week_before() {
        let (before, day) = (date!(2026 - 03 - 21), date!(2026 - 03 - 28));
        let value = |name: &str, search_type: SearchType, reach: Reach| {
            let query = query(name, Vec::new());
            let wanted = Wanted {
                query: &query,
                search_type,
                days: Vec::new(),
            };
            let standing = Standing {
                search_types: vec![search_type],
                reach,
                ..Standing::default()
            };
            let known = Known {
                totals: [((query.domain, search_type, day), Figures::default())].into(),
                ..Known::default()
            };
            let range = DateRange::new(day, day).unwrap();
            wanted.value(range, &standing, &known).reading.value()
        };
        let web = |from: Date, missed: &[Date]| reach(SearchType::Web, from, missed);
        let (next, none) = (date!(2026 - 03 - 22), [Date::MIN; 0]);
        for (name, reach, expected) in [
            ("lost_rankings", web(before, &none), Some(0.0)),
            ("lost_rankings", web(next, &none), None),
            ("lost_rankings", web(before, &[before]), None),
            ("top_10_queries", web(next, &none), Some(0.0)),
        ] {
            assert_eq!(
                value(name, SearchType::Web, reach.clone()),
                expected,
                "{name} {reach:?}"
            );
        }
        for (name, expected) in [
            ("top_10_queries", None),
            ("lost_rankings", None),
            ("pages_with_clicks", Some(0.0)),
        ] {
            let reach = reach(SearchType::Discover, before, &none);
            assert_eq!(value(name, SearchType::Discover, reach), expected, "{name}");
        }
    }

    #[tokio::test]
    async fn each_measure_has_its_value() {
        let day = date!(2026 - 03 - 28);
        let value = async |name: &str, brand: &[&str]| {
            let query = query(name, a_day_and_the_week_before());
            let (domain, search_type) = (query.domain, search_type(&query));
            let settings = super::super::config::SearchSettings {
                brand_terms: brand.iter().map(|term| (*term).to_owned()).collect(),
                ..Default::default()
            };
            let config =
                super::super::config::SearchConfig::stored(settings, datetime!(2026-03-12 14:02 UTC), None);
            let standing = Standing {
                data_through: Some(day),
                imported_at: Some(datetime!(2026-03-30 09:15 UTC)),
                search_types: vec![SearchType::Web, SearchType::Discover],
                reach: Reach {
                    reached: [SearchType::Web, SearchType::Discover]
                        .map(|search_type| (search_type, date!(2025 - 12 - 01)))
                        .into(),
                    ..Reach::default()
                },
                brand: config.unwrap().brand().clone(),
            };
            let figures = Figures {
                clicks: 4,
                impressions: 50,
                position_sum: 200.0,
            };
            let of_day = (domain, SearchType::Web, day);
            let known = Known {
                standing: [(domain, standing.clone())].into(),
                totals: [(of_day, figures)].into(),
                counts: [(
                    of_day,
                    DayCounts {
                        top_10_queries: 7,
                        pages_with_clicks: 2,
                        lost_rankings: 1,
                    },
                )]
                .into(),
                non_branded: non_branded(
                    [(of_day, vec![("ada shoes".to_owned(), 3), ("shoes".to_owned(), 1)])].into(),
                    &[(domain, standing.clone())].into(),
                )
                .await,
            };
            let wanted = Wanted {
                query: &query,
                search_type,
                days: days(&query, Some(&standing)),
            };
            let answer = wanted.answer(&known, datetime!(2026-03-31 09:15 UTC));
            assert_eq!(answer.context["date"], "2026-03-28");
            assert_eq!(answer.data_through, Some(day));
            (answer.values[0].reading.value(), answer.values[1].reading.value())
        };
        let mut values = Vec::new();
        for metric in METRICS.iter().filter(|metric| metric.kind == MetricKind::Measure) {
            let (own, past) = value(metric.name, &["Ada"]).await;
            assert_eq!(past, None, "{}", metric.name);
            values.push((metric.name, own));
        }
        assert_eq!(
            values,
            [
                ("clicks", Some(4.0)),
                ("impressions", Some(50.0)),
                ("ctr", Some(8.0)),
                ("position", Some(4.0)),
                ("top_10_queries", Some(7.0)),
                ("pages_with_clicks", Some(2.0)),
                ("non_branded_clicks", Some(1.0)),
                ("lost_rankings", Some(1.0)),
                ("discover_clicks", Some(0.0)),
            ]
        );
        assert_eq!(value("non_branded_clicks", &[]).await, (None, None));
    }
}
