//! The fixed window of a domain's overview and health.

use pharos_domain::{
    day::Day,
    module::Module,
    module_block::BlockWindows,
    window::{Comparison, Horizon, Meta, ResolvedWindow},
};
use time::OffsetDateTime;

/// The days of the window.
pub(super) const DAYS: u16 = 28;

/// The last 28 UTC days, today included, and the 28 before them.
#[derive(Clone, Copy, Debug)]
pub(super) struct OverviewWindow {
    /// The windows that modules report on.
    pub(super) windows: BlockWindows,
    /// The window as the answer states it. Modules have data up to different moments, so `data_through` is null.
    pub(super) meta: Meta,
}

impl OverviewWindow {
    /// The window, and the days right before it.
    pub(super) fn new(window: ResolvedWindow) -> Self {
        Self::against(window, &window.preceding())
    }

    /// The window, and the days that it is compared with.
    pub(super) fn against(window: ResolvedWindow, before: &Comparison) -> Self {
        Self {
            windows: BlockWindows {
                now: window.horizon.now,
                current: window.window,
                previous: before.window,
            },
            meta: window.meta(Some(before), None),
        }
    }

    /// For examples.
    pub(super) fn at(now: OffsetDateTime) -> Self {
        Self::new(ResolvedWindow::fixed(DAYS, &Horizon::of(Module::Platform, now)))
    }

    /// The first and the last day that the window is compared with.
    pub(super) fn compare_range(&self) -> (Day, Day) {
        let previous = self.windows.previous;
        (Day(previous.first()), Day(previous.last()))
    }
}
