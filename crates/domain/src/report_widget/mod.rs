//! The parts of reports: sections with widgets as entries of the catalogue, and the port by which a group gives their data.

mod config;
mod data;
mod source;
mod window;

use crate::{module::Module, wire_enum};

pub use self::{
    config::{ConfigDefault, ConfigField, ConfigFieldType, LIMIT, MOST_TEXT},
    data::{UNAVAILABLE_MODULES, at_path},
    source::{WidgetAnswer, WidgetQuery, WidgetSource},
    window::ReportWindow,
};

wire_enum! {
    /// A section of a report.
    SectionName as "ReportSectionName" {
        /// The modules at a glance.
        Overview = "overview",
        /// Availability, response times, incidents, certificate and registration.
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
        /// Sales.
        Ecommerce = "ecommerce",
        /// Alerts that fired.
        Alerts = "alerts",
        /// Experiments and what they showed.
        Experiments = "experiments",
        /// Text of one's own.
        Notes = "notes",
    }
}

wire_enum! {
    /// How a widget is shown.
    WidgetKind as "ReportWidgetKind" {
        /// Figures side by side.
        Kpi = "kpi",
        /// A course over time.
        Chart = "chart",
        /// Rows with columns.
        Table = "table",
        /// Paragraphs.
        Text = "text",
    }
}

wire_enum! {
    /// Whether a widget has data.
    WidgetStatus as "ReportWidgetStatus" {
        /// It has.
        Ok = "ok",
        /// Nothing was recorded in the window.
        NoData = "no_data",
        /// The module is not there, the plan has it not, or it failed.
        ModuleUnavailable = "module_unavailable",
        /// The domain has no configuration of the module.
        NotConfigured = "not_configured",
    }
}

/// A section of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct ReportSection {
    /// The name by which templates take the section.
    pub name: SectionName,
    /// Its name for people.
    pub label: &'static str,
    /// One sentence: what it is about.
    pub description: &'static str,
    /// The module without which it has no data.
    pub requires_module: Option<Module>,
    /// Its widgets, each once, in the order of the ready-made configuration.
    pub widgets: &'static [ReportWidget],
}

/// A widget of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct ReportWidget {
    /// Its name, once in its section.
    pub name: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// One sentence: what it shows.
    pub description: &'static str,
    /// How it is shown.
    pub kind: WidgetKind,
    /// Whether the ready-made configuration has it on.
    pub default_enabled: bool,
    /// The options that a template may set.
    pub config: &'static [ConfigField],
    /// The member of the module's answer that holds the rows; `None`: its fields are figures, which stand at the root.
    pub rows: Option<&'static str>,
    /// Its figures, or the columns of its rows; of a chart the first is the place and the others are the courses.
    pub fields: &'static [DataField],
    /// The meaning of an answer without rows.
    pub empty: Empty,
    /// The members of the module's answer that count its measurements, such as checks. If all of them are 0, zeros beside them
    /// stand for nothing that was measured. `None`, or an answer without one of them: the fields speak for themselves.
    pub measured_by: Option<&'static [&'static str]>,
}

/// The meaning of a widget without rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// Nothing was recorded.
    NoData,
    /// There is none, which is good to know: no incident.
    IsAnswer,
}

/// A figure, or a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataField {
    /// The member of the module's answer, or of a row; deeper ones with dots between the names.
    pub path: &'static str,
    /// Its name for people.
    pub label: &'static str,
    /// How a value is written.
    pub format: FieldFormat,
    /// Where the change against the days before stands, if anywhere: beside the figure, or in its row.
    pub change: Option<FieldChange>,
    /// Which way is good.
    pub better: Better,
    /// Whether it is a part of a whole, as the other courses of its chart are: they are drawn on top of each other.
    pub is_part: bool,
    /// Whether it has a picture and an axis of its own, since its values are of another size than those of other courses.
    pub is_apart: bool,
}

impl DataField {
    /// A field without a change.
    #[must_use]
    pub const fn new(path: &'static str, label: &'static str, format: FieldFormat) -> Self {
        Self {
            path,
            label,
            format,
            change: None,
            better: Better::Neither,
            is_part: false,
            is_apart: false,
        }
    }

    /// The same with the change against the days before.
    #[must_use]
    pub const fn with(self, change: FieldChange, better: Better) -> Self {
        Self {
            change: Some(change),
            better,
            ..self
        }
    }

    /// The same as a course with a picture of its own.
    #[must_use]
    pub const fn apart(self) -> Self {
        Self {
            is_apart: true,
            ..self
        }
    }

    /// The same as a part of a whole.
    #[must_use]
    pub const fn part(self) -> Self {
        Self {
            is_part: true,
            ..self
        }
    }
}

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldFormat {
    /// A whole number.
    Count,
    /// A whole number by which there is more or less, with its sign.
    Difference,
    /// A number with up to two decimals.
    Number,
    /// A number with three decimals, such as a layout shift.
    Score,
    /// A number in the unit of the `metric` that its row names: [`FieldFormat::of_row`] says how it is written.
    OfMetric,
    /// A share in percent.
    Percent,
    /// A share as a fraction of 1, which people read in percent.
    Fraction,
    /// Milliseconds.
    Millis,
    /// A length of time in seconds.
    Seconds,
    /// Whole days.
    Days,
    /// An amount in the answer's `currency`.
    Money,
    /// A text, or a list of texts.
    Text,
    /// One of the API's own names, such as `rank_lost`, which people read as words.
    Word,
    /// The name of a module, which people read as the label of its section.
    Module,
    /// Yes or no.
    Flag,
    /// A day.
    Day,
    /// A moment, UTC.
    Moment,
}

impl FieldFormat {
    /// How a value is written in a row that names this metric.
    #[must_use]
    pub fn of_row(self, metric: Option<&str>) -> Self {
        match (self, metric) {
            (Self::OfMetric, Some("cls")) => Self::Score,
            (Self::OfMetric, Some(metric)) if metric.ends_with("_ms") => Self::Millis,
            (Self::OfMetric, _) => Self::Count,
            (format, _) => format,
        }
    }

    /// Whether values are numbers, which stand below each other by their last digit.
    #[must_use]
    pub const fn is_numeric(self) -> bool {
        !matches!(
            self,
            Self::Text | Self::Word | Self::Module | Self::Flag | Self::Day | Self::Moment
        )
    }
}

/// Where a change stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldChange {
    /// In percent.
    Percent(&'static str),
    /// In percentage points.
    Points(&'static str),
    /// A difference of two fractions of 1, which people read in percentage points.
    Fraction(&'static str),
    /// A difference of two places in a list.
    Places(&'static str),
}

impl FieldChange {
    /// The member of the answer, or of a row.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Percent(path) | Self::Points(path) | Self::Fraction(path) | Self::Places(path) => path,
        }
    }

    /// A value of the member in the unit that people read.
    #[must_use]
    pub const fn read(self, value: f64) -> f64 {
        match self {
            Self::Fraction(_) => value * 100.0,
            Self::Percent(_) | Self::Points(_) | Self::Places(_) => value,
        }
    }
}

/// Which way of a figure is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// More of it.
    Higher,
    /// Less of it.
    Lower,
    /// Neither says anything.
    Neither,
}

impl ReportSection {
    /// One of its widgets.
    #[must_use]
    pub fn widget(&self, name: &str) -> Option<&'static ReportWidget> {
        self.widgets.iter().find(|widget| widget.name == name)
    }
}
