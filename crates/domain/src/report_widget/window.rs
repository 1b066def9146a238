//! The days of a report, as each module resolves them.

use time::OffsetDateTime;

use crate::{
    module::Module,
    window::{Comparison, DateRange, Horizon, Period, ResolvedWindow},
};

/// The days that a report is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportWindow {
    /// The days that the report is about.
    pub days: DateRange,
    /// The named period that they are.
    pub period: Option<Period>,
    /// Whether the days before are shown beside.
    pub compares: bool,
    /// When the report is made.
    pub now: OffsetDateTime,
}

impl ReportWindow {
    /// The window as an operation of `module` answers it: days that the module does not keep are cut off.
    #[must_use]
    pub fn resolved(&self, module: Module) -> ResolvedWindow {
        ResolvedWindow {
            period: self.period,
            ..ResolvedWindow::kept(self.days, &Horizon::of(module, self.now))
        }
    }

    /// The days that `window` is compared with, if it is: a calendar month earlier for named months, else as many days right
    /// before, as operations with `compare_mode` do where it is left out.
    #[must_use]
    pub fn comparison(&self, window: &ResolvedWindow) -> Option<Comparison> {
        self.compares.then(|| window.comparison(None))
    }
}
