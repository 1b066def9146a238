//! Experiments: whether pages did better after a change than before it.

mod change;
mod design;
mod evaluate;
mod evaluations;
mod outcome;
mod panel;
pub mod statistics;
mod store;

pub use self::{
    change::{ExperimentChange, ExperimentDraft},
    design::{
        Design, HYPOTHESIS_LENGTH, MOST_EXPERIMENTS, MOST_URLS, MOST_WINDOW_DAYS, NAME_LENGTH, URL_LENGTH,
    },
    evaluate::{evaluate, series_of},
    evaluations::{EvaluationJobs, NewEvaluation},
    outcome::{
        BstsDay, BstsDetails, ClusteredBy, Details, DidDetails, MannWhitneyDetails, Outcome, Verdict, Warning,
    },
    panel::{DayFigures, Panel, PanelRow, Windows},
    store::{Evaluation, EvaluationStatus, ExperimentStore, WantedEvaluation},
};

use pharos_domain::{
    ids::{DomainId, UserId},
    wire_enum,
};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

/// After this many days the time after the change is long enough for a verdict, however long it goes on.
const READY_AFTER_DAYS: i64 = 14;
/// So many days after the change every method needs. A time after the change that ends sooner is never long enough.
const LEAST_POST_DAYS: usize = 7;

wire_enum! {
    /// How far an experiment is.
    ExperimentStatus {
        /// All of it can still be changed.
        Draft = "draft",
        /// The time after the change goes on.
        Running = "running",
        /// There are 14 days after the change, or all that there will be, which are 7 at least.
        Ready = "ready",
        /// It is over.
        Completed = "completed",
        /// It is put away.
        Archived = "archived",
    }
}

wire_enum! {
    /// How the days before and after the change are compared.
    ExperimentMethod {
        /// The days of the variant, by the Mann-Whitney test.
        MannWhitney = "mann_whitney",
        /// Difference-in-differences: by how much more the variant changed than the control.
        Did = "did",
        /// A Bayesian structural time series: it predicts from the control how the variant would have gone on.
        Bsts = "bsts",
    }
}

wire_enum! {
    /// A metric that an experiment is about.
    ExperimentMetric {
        /// Clicks in search results.
        GscClicks = "gsc_clicks",
        /// Impressions in search results.
        GscImpressions = "gsc_impressions",
        /// Clicks over impressions, 0 to 1.
        GscCtr = "gsc_ctr",
        /// The mean position in search results, weighted by impressions.
        GscPosition = "gsc_position",
        /// Visitors.
        Visitors = "visitors",
        /// Sessions.
        Sessions = "sessions",
        /// Page views.
        Pageviews = "pageviews",
        /// The share of the sessions entering there that bounced.
        BounceRatePct = "bounce_rate_pct",
        /// How long sessions are.
        AvgDurationSeconds = "avg_duration_seconds",
        /// Orders over sessions.
        ConversionRatePct = "conversion_rate_pct",
        /// Revenue.
        Revenue = "revenue",
        /// Orders.
        Orders = "orders",
        /// Largest Contentful Paint.
        LcpMs = "lcp_ms",
        /// Interaction to Next Paint.
        InpMs = "inp_ms",
        /// Cumulative Layout Shift.
        Cls = "cls",
    }
}

wire_enum! {
    /// Which way of a metric is the better one.
    MetricDirection {
        /// More is better.
        HigherIsBetter = "higher_is_better",
        /// Less is better.
        LowerIsBetter = "lower_is_better",
    }
}

impl ExperimentMetric {
    /// Which way is the better one.
    #[must_use]
    pub const fn direction(self) -> MetricDirection {
        match self {
            Self::GscPosition | Self::BounceRatePct | Self::LcpMs | Self::InpMs | Self::Cls => {
                MetricDirection::LowerIsBetter
            }
            Self::GscClicks
            | Self::GscImpressions
            | Self::GscCtr
            | Self::Visitors
            | Self::Sessions
            | Self::Pageviews
            | Self::AvgDurationSeconds
            | Self::ConversionRatePct
            | Self::Revenue
            | Self::Orders => MetricDirection::HigherIsBetter,
        }
    }

    /// Whether it is a metric of speed, which real-user monitoring measures. All other metrics depend on who comes, so an
    /// update of a search engine's ranking may move them.
    #[must_use]
    pub const fn is_vital(self) -> bool {
        matches!(self, Self::LcpMs | Self::InpMs | Self::Cls)
    }

    /// Whether it is one of web search, which Search Console tells: its days are those that are final there.
    #[must_use]
    pub const fn is_of_search(self) -> bool {
        matches!(
            self,
            Self::GscClicks | Self::GscImpressions | Self::GscCtr | Self::GscPosition
        )
    }

    /// Whether it is one of visits, which take web analytics on the domain.
    #[must_use]
    pub const fn is_of_visits(self) -> bool {
        !self.is_vital() && !self.is_of_search()
    }

    /// Whether a day without any is 0; a day without a rate has none.
    #[must_use]
    pub const fn is_count(self) -> bool {
        matches!(
            self,
            Self::GscClicks
                | Self::GscImpressions
                | Self::Visitors
                | Self::Sessions
                | Self::Pageviews
                | Self::Revenue
                | Self::Orders
        )
    }
}

/// The settings of an experiment, made by its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExperimentSettings {
    /// A name.
    pub name: String,
    /// The change that the owner expects.
    pub hypothesis: Option<String>,
    /// The stored status. It is never ready, since that follows from the days.
    pub status: ExperimentStatus,
    /// The comparison. It changes only while the experiment is a draft.
    pub design: Design,
}

/// An experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// The id by which it is looked up.
    pub id: Uuid,
    /// The domain that it is of.
    pub domain_id: DomainId,
    /// The settings that people gave it.
    pub settings: ExperimentSettings,
    /// Its newest evaluation.
    pub latest_evaluation_id: Option<Uuid>,
    /// The user who made it; `None`: the user is gone.
    pub created_by: Option<UserId>,
    /// When it was made.
    pub created_at: OffsetDateTime,
    /// When it was changed last.
    pub updated_at: OffsetDateTime,
}

impl ExperimentSettings {
    /// The status on a day. A running experiment is ready once 14 days after the change are over, or where its time after the change
    /// is shorter all of it, if that is as many days as a method needs.
    #[must_use]
    pub fn status_on(&self, today: Date) -> ExperimentStatus {
        let days = self.design.post_days_until(today);
        let is_over = self.design.post_end.is_some_and(|end| end < today);
        let is_long_enough = usize::try_from(days).is_ok_and(|days| days >= LEAST_POST_DAYS);
        if self.status == ExperimentStatus::Running
            && (days >= READY_AFTER_DAYS || (is_over && is_long_enough))
        {
            ExperimentStatus::Ready
        } else {
            self.status
        }
    }
}
