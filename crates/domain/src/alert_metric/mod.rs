//! Metrics that alert rules watch: the entries of the catalogue, and the port by which a group gives their values.

mod source;

use crate::{module::Module, wire_enum};

pub use self::source::{
    Attention, MetricAnswer, MetricFilter, MetricQuery, MetricSource, MetricValue, MetricWindow, Reading,
};

wire_enum! {
    /// A module whose metrics rules may watch: one that holds data of its own.
    AlertModule {
        /// Whether sites are up and how fast they answer; their certificates and registrations.
        Uptime = "uptime",
        /// Real-user monitoring.
        Rum = "rum",
        /// Field performance from the Chrome UX Report.
        Crux = "crux",
        /// Lab tests.
        Synthetic = "synthetic",
        /// Search performance.
        Gsc = "gsc",
        /// URL inspection.
        Indexing = "indexing",
        /// robots.txt.
        Robots = "robots",
        /// Sitemaps.
        Sitemap = "sitemap",
        /// Web analytics.
        Analytics = "analytics",
    }
}

impl From<AlertModule> for Module {
    fn from(module: AlertModule) -> Self {
        match module {
            AlertModule::Uptime => Self::Uptime,
            AlertModule::Rum => Self::Rum,
            AlertModule::Crux => Self::Crux,
            AlertModule::Synthetic => Self::Synthetic,
            AlertModule::Gsc => Self::Gsc,
            AlertModule::Indexing => Self::Indexing,
            AlertModule::Robots => Self::Robots,
            AlertModule::Sitemap => Self::Sitemap,
            AlertModule::Analytics => Self::Analytics,
        }
    }
}

wire_enum! {
    /// How a rule compares a metric.
    AlertOperator {
        /// Above the threshold.
        Gt = "gt",
        /// At the threshold or above.
        Gte = "gte",
        /// Below the threshold.
        Lt = "lt",
        /// At the threshold or below.
        Lte = "lte",
        /// At the threshold.
        Eq = "eq",
        /// Lower than in the comparison window by the threshold in percent, or by more.
        PctDecrease = "pct_decrease",
        /// Higher than in the comparison window by the threshold in percent, or by more.
        PctIncrease = "pct_increase",
        /// Further from the usual, on the bad side, than the threshold in deviations.
        Anomaly = "anomaly",
    }
}

impl AlertOperator {
    /// The operators of metrics that are only compared with a threshold.
    pub const BOUNDS: &'static [Self] = &[Self::Gt, Self::Gte, Self::Lt, Self::Lte];
    /// The operators of counts that have no past.
    pub const COUNTS: &'static [Self] = &[Self::Gt, Self::Gte, Self::Lt, Self::Lte, Self::Eq];
    /// The operators of metrics that are compared with their past.
    pub const CHANGES: &'static [Self] = &[
        Self::Gt,
        Self::Gte,
        Self::Lt,
        Self::Lte,
        Self::PctDecrease,
        Self::PctIncrease,
    ];
    /// The operators of counts that are compared with their past.
    pub const COUNTED_CHANGES: &'static [Self] = &[
        Self::Gt,
        Self::Gte,
        Self::Lt,
        Self::Lte,
        Self::Eq,
        Self::PctDecrease,
        Self::PctIncrease,
    ];
    /// The operators of metrics that also have a usual value.
    pub const MEASURES: &'static [Self] = &[
        Self::Gt,
        Self::Gte,
        Self::Lt,
        Self::Lte,
        Self::PctDecrease,
        Self::PctIncrease,
        Self::Anomaly,
    ];

    /// Whether it compares with the past, too, and not only with the threshold.
    #[must_use]
    pub const fn compares(self) -> bool {
        matches!(self, Self::PctDecrease | Self::PctIncrease | Self::Anomaly)
    }
}

wire_enum! {
    /// The past that a rule compares with.
    ComparisonWindow as "AlertComparisonWindow" {
        /// The same window a day earlier.
        PreviousDay = "previous_day",
        /// The same window a week earlier.
        SameDayLastWeek = "same_day_last_week",
        /// The mean of the same window on each of the seven days before.
        Previous7Days = "previous_7_days",
        /// The mean of the same window on each of the 28 days before.
        Previous28Days = "previous_28_days",
    }
}

wire_enum! {
    /// How much of the time before its evaluation a rule looks at.
    EvaluationWindow as "AlertEvaluationWindow" {
        /// The newest value.
        Latest = "latest",
        /// The last hour.
        Hour = "1h",
        /// The last 24 hours.
        Day = "24h",
        /// The last 7 days.
        Week = "7d",
        /// The last 28 days.
        FourWeeks = "28d",
    }
}

impl EvaluationWindow {
    /// The windows of metrics that stand at any moment.
    pub const NOW: &'static [Self] = &[Self::Latest];
    /// The windows of metrics whose data come by days.
    pub const DAYS: &'static [Self] = &[Self::Day, Self::Week, Self::FourWeeks];

    /// Its length; `None` for the newest value.
    #[must_use]
    pub const fn length(self) -> Option<time::Duration> {
        match self {
            Self::Latest => None,
            Self::Hour => Some(time::Duration::HOUR),
            Self::Day => Some(time::Duration::DAY),
            Self::Week => Some(time::Duration::days(7)),
            Self::FourWeeks => Some(time::Duration::days(28)),
        }
    }
}

wire_enum! {
    /// Which way a metric gets worse.
    Direction as "AlertDirection" {
        /// High values are bad.
        HigherIsWorse = "higher_is_worse",
        /// Low values are bad.
        LowerIsWorse = "lower_is_worse",
        /// Both are.
        Either = "either",
    }
}

wire_enum! {
    /// The form factor that a rule watches.
    FormFactor as "AlertFormFactor" {
        /// Phones.
        Mobile = "mobile",
        /// Desktops and laptops.
        Desktop = "desktop",
    }
}

wire_enum! {
    /// The search type that a rule watches.
    SearchType as "AlertSearchType" {
        /// Web results.
        Web = "web",
        /// Images.
        Image = "image",
        /// Videos.
        Video = "video",
        /// The news tab of web search.
        News = "news",
        /// Discover.
        Discover = "discover",
        /// Google News.
        GoogleNews = "google_news",
    }
}

impl SearchType {
    /// The search types whose results are ranked and belong to a query. The others show results that fit a reader.
    pub const RANKED: &'static [Self] = &[Self::Web, Self::Image, Self::Video, Self::News];
}

/// An entry of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlertMetric {
    /// The name, unique within its module.
    pub name: &'static str,
    /// The name for people.
    pub label: &'static str,
    /// One sentence: the value, and when there is none.
    pub description: &'static str,
    /// How a value of it is put into words.
    pub phrase: Phrase,
    /// The unit for programs, such as `milliseconds`, `percent`, `count`.
    pub unit: &'static str,
    /// The unit as shown behind a value; empty for a number without one.
    pub display_unit: &'static str,
    /// One display unit: the least that counts as a deviation where the past never differs.
    pub step: f64,
    /// The least value that it can have; `None`: there is no such bound. A rule that every value breaks, or none, is refused.
    pub least: Option<f64>,
    /// The largest value that it can have; `None`: there is no such bound.
    pub largest: Option<f64>,
    /// How its value comes about.
    pub kind: MetricKind,
    /// Which way it gets worse.
    pub direction: Direction,
    /// The operators that a rule may hold it to.
    pub operators: &'static [AlertOperator],
    /// The condition that a rule has if it names none.
    pub default: DefaultCondition,
    /// The evaluation windows that its rules may have; the first is the default.
    pub windows: &'static [EvaluationWindow],
    /// How far its data are behind the present, in hours.
    pub data_lag_hours: u32,
    /// The fields by which its rules may be narrowed.
    pub filters: SupportedFilters,
}

/// The condition that a rule has if it names none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DefaultCondition {
    /// The operator.
    pub operator: AlertOperator,
    /// The threshold.
    pub threshold: f64,
    /// The past window that the operator compares with; `None`: it compares with none.
    pub comparison_window: Option<ComparisonWindow>,
    /// How many minutes have to pass after a firing before the next one.
    pub cooldown_minutes: u32,
}

/// How a value is put into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// A thing that has the value, such as "the response time".
    Amount(&'static str),
    /// So many of these.
    Count {
        /// The words for one, such as "failing check in a row".
        one: &'static str,
        /// The words for any other number.
        many: &'static str,
    },
    /// So many days until this ends, such as "the certificate".
    DaysLeft(&'static str),
    /// Something that is so at 1, and not at 0.
    Flag {
        /// The words for what it is said of, such as "Googlebot".
        who: &'static str,
        /// Whether those are many.
        are_many: bool,
        /// The words for what is said, such as "kept out by robots.txt".
        what: &'static str,
    },
}

/// How the value of a metric comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// It stands at any moment: failures in a row, regions that are down.
    State,
    /// It runs down for as long as nobody acts: days remaining. A breach fires once, however long it lasts.
    Countdown,
    /// It is measured over a window: a mean, a share, a sum.
    Measure,
    /// It counts events since the last evaluation of the rule. Groups record events as they happen, so no [`MetricSource`] is
    /// queried.
    Event,
}

/// The fields by which the rules of a metric may be narrowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SupportedFilters {
    /// One URL.
    pub url: bool,
    /// One form factor.
    pub form_factor: bool,
    /// The search types to which a rule may be narrowed, one at a time; empty: none.
    pub search_types: &'static [SearchType],
}

impl SupportedFilters {
    /// None: the metric is of the whole site.
    pub const NONE: Self = Self {
        url: false,
        form_factor: false,
        search_types: &[],
    };
    /// The form factor alone.
    pub const FORM_FACTOR: Self = Self {
        form_factor: true,
        ..Self::NONE
    };
    /// The URL and the form factor.
    pub const PAGE: Self = Self {
        url: true,
        ..Self::FORM_FACTOR
    };
    /// The search type alone.
    pub const SEARCH_TYPE: Self = Self {
        search_types: SearchType::ALL,
        ..Self::NONE
    };
    /// The search type alone, where results have queries and ranks.
    pub const RANKED_SEARCH_TYPE: Self = Self {
        search_types: SearchType::RANKED,
        ..Self::NONE
    };
}

impl AlertMetric {
    /// How far its data are behind the present.
    #[must_use]
    pub fn lag(&self) -> time::Duration {
        time::Duration::hours(self.data_lag_hours.into())
    }

    /// The evaluation window of a rule that names none.
    #[must_use]
    pub fn default_window(&self) -> EvaluationWindow {
        self.windows.first().copied().unwrap_or(EvaluationWindow::Latest)
    }

    /// Whether its source is queried for past values: it is measured over a time, or rules may compare it with its past.
    #[must_use]
    pub fn has_past(&self) -> bool {
        self.kind == MetricKind::Measure || self.operators.iter().any(|operator| operator.compares())
    }

    /// Whether its value in this window rests on a sample, since it is measured over a time.
    #[must_use]
    pub fn has_sample(&self, window: EvaluationWindow) -> bool {
        self.kind == MetricKind::Measure && window.length().is_some()
    }
}

/// The metrics of a module.
#[derive(Clone, Copy, Debug)]
pub struct ModuleMetrics {
    /// The module.
    pub module: AlertModule,
    /// Its name for people.
    pub label: &'static str,
    /// The metrics of the module that a rule may watch.
    pub metrics: &'static [AlertMetric],
}
