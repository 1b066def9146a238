//! The metrics of search that rules may watch.

use pharos_domain::alert_metric::{
    AlertMetric, AlertModule, AlertOperator, ComparisonWindow, DefaultCondition, Direction, EvaluationWindow,
    MetricKind, ModuleMetrics, Phrase, SupportedFilters,
};

/// Counts of queries and pages are given for single days.
const SINGLE_DAYS: &[EvaluationWindow] = &[EvaluationWindow::Day];

/// A sum over days, of which low values are bad.
const SUM: AlertMetric = AlertMetric {
    name: "",
    label: "",
    description: "",
    phrase: Phrase::Amount(""),
    unit: "count",
    display_unit: "",
    step: 1.0,
    least: Some(0.0),
    largest: None,
    kind: MetricKind::Measure,
    direction: Direction::LowerIsWorse,
    operators: AlertOperator::MEASURES,
    default: fell(20.0),
    windows: EvaluationWindow::DAYS,
    // Final figures come that late.
    data_lag_hours: 72,
    filters: SupportedFilters::SEARCH_TYPE,
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

pub(super) static METRICS: [AlertMetric; 10] = [
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
        filters: SupportedFilters::RANKED_SEARCH_TYPE,
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
        windows: SINGLE_DAYS,
        filters: SupportedFilters::RANKED_SEARCH_TYPE,
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
        windows: SINGLE_DAYS,
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
        windows: SINGLE_DAYS,
        filters: SupportedFilters::RANKED_SEARCH_TYPE,
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
        windows: SINGLE_DAYS,
        filters: SupportedFilters::RANKED_SEARCH_TYPE,
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
        filters: SupportedFilters::NONE,
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
        operators: AlertOperator::BOUNDS,
        default: above(96.0),
        windows: EvaluationWindow::NOW,
        data_lag_hours: 0,
        filters: SupportedFilters::NONE,
        ..SUM
    },
];

/// The module and its metrics.
pub const CATALOGUE: ModuleMetrics = ModuleMetrics {
    module: AlertModule::Gsc,
    label: "Search performance",
    metrics: &METRICS,
};
