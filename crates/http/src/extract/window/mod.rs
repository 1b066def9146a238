//! Which days a caller asks for, and what they are compared with.
//!
//! The spec says which parameters there are (`window`, `compare`), the handler's argument says the same; the registry
//! refuses an operation where they differ.

#[cfg(test)]
pub(super) mod tests;

use pharos_domain::{
    module::Module,
    window::{
        Change, CompareMode, Comparison, DataThrough, DateRange, Horizon, Meta, ResolvedWindow, WindowFault,
        WindowQuery,
    },
};
use time::macros::datetime;

use super::{
    argument::{Argument, Call},
    words::{NO_BOOLEAN, none_of},
};
use crate::{
    payload::Example,
    problem::{Fault, Problem},
    shapes::Shapes,
    spec::{Compare, Window},
};

macro_rules! window_argument {
    ($(#[$meta:meta])* $name:ident of $kind:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub ResolvedWindow);

        impl Argument for $name {
            fn extract(call: &Call) -> Result<Self, Problem> {
                resolve(Window::$kind, call).map(Self).map_err(Problem::invalid)
            }

            fn key(&self, key: &mut String) {
                key.push_str(&meant(&self.0, None));
            }

            fn document(shapes: &mut Shapes) {
                shapes.window = Window::$kind;
            }
        }
    };
}

window_argument! {
    /// The window of [`Window::Full`]: `period_days`, `start_date`, `end_date`, `period`.
    FullWindow of Full
}
window_argument! {
    /// The window of [`Window::Dates`]: `start_date`, `end_date`.
    Dates of Dates
}
window_argument! {
    /// The window of [`Window::PeriodDays`]: `period_days`.
    PeriodDays of PeriodDays
}
window_argument! {
    /// The window of [`Window::Days`]: `days`.
    Days of Days
}

/// The window of [`Window::Fixed`]: so many days that end today, for search performance two days ago. It has no
/// parameters. An operation whose window is of another kind does without it.
#[derive(Clone, Copy, Debug)]
pub struct FixedWindow<const DAYS: u16>(pub ResolvedWindow);

impl<const DAYS: u16> Argument for FixedWindow<DAYS> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        Ok(Self(ResolvedWindow::fixed(DAYS, &horizon(call))))
    }

    fn document(shapes: &mut Shapes) {
        shapes.window = Window::Fixed;
    }
}

/// A window, and what it is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// The days that the answer is about.
    pub window: ResolvedWindow,
    /// The comparison that the caller asked for with `compare_previous=true`: the answer shows its figures and its days.
    pub shown: Option<Comparison>,
}

impl Compared {
    /// The comparison that changes are computed against: the one that is shown, else as many days right before.
    #[must_use]
    pub fn baseline(&self) -> Comparison {
        self.shown.unwrap_or_else(|| self.window.preceding())
    }

    /// The window and the comparison, as the answer shows them.
    #[must_use]
    pub fn meta(&self, data_through: Option<DataThrough>) -> Meta {
        self.window.meta(self.shown.as_ref(), data_through)
    }
}

macro_rules! compared_argument {
    ($(#[$meta:meta])* $name:ident of $kind:ident by $compare:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub Compared);

        impl Argument for $name {
            fn extract(call: &Call) -> Result<Self, Problem> {
                compare(Window::$kind, Compare::$compare, call)
                    .map(Self)
                    .map_err(Problem::invalid)
            }

            fn key(&self, key: &mut String) {
                key.push_str(&meant(&self.0.window, self.0.shown.as_ref()));
            }

            fn document(shapes: &mut Shapes) {
                shapes.window = Window::$kind;
                shapes.compare = Compare::$compare;
            }
        }
    };
}

compared_argument! {
    /// The window of [`Window::Full`] with the comparison of [`Compare::Mode`]: `compare_previous`, `compare_mode`.
    ComparedFull of Full by Mode
}
compared_argument! {
    /// The window of [`Window::Dates`] with the comparison of [`Compare::Previous`]: `compare_previous`.
    ComparedDates of Dates by Previous
}

/// The present day, and the days whose data is kept.
pub(crate) fn horizon(call: &Call) -> Horizon {
    Horizon::of(call.spec.module, call.now)
}

/// The days that the caller asks for; `None`: the operation has none to ask for, or their parameters are at fault.
pub(super) fn days(call: &Call) -> Option<DateRange> {
    match call.spec.window {
        Window::Fixed | Window::None => None,
        kind => resolve(kind, call).ok().map(|asked| asked.window),
    }
}

/// The window that the parameters of `kind` mean.
fn resolve(kind: Window, call: &Call) -> Result<ResolvedWindow, Vec<Fault>> {
    let horizon = horizon(call);
    let query = match kind {
        Window::Full => WindowQuery {
            period_days: call.query_parameter("period_days"),
            start_date: call.query_parameter("start_date"),
            end_date: call.query_parameter("end_date"),
            period: call.query_parameter("period"),
        },
        Window::Dates => WindowQuery {
            start_date: call.query_parameter("start_date"),
            end_date: call.query_parameter("end_date"),
            ..WindowQuery::default()
        },
        Window::Days => {
            let given = call.query_parameter("days");
            return ResolvedWindow::days(given, &horizon).map_err(|wrong| vec![fault(wrong)]);
        }
        Window::PeriodDays | Window::Fixed | Window::None => WindowQuery {
            period_days: call.query_parameter("period_days"),
            ..WindowQuery::default()
        },
    };
    let faults = |wrong: Vec<WindowFault>| wrong.into_iter().map(fault).collect();
    query.resolve(&horizon).map_err(faults)
}

fn fault(WindowFault { parameter, detail }: WindowFault) -> Fault {
    Fault::parameter(parameter, detail)
}

fn compare(kind: Window, by: Compare, call: &Call) -> Result<Compared, Vec<Fault>> {
    let mut faults = Vec::new();
    let is_asked = match call.query_parameter("compare_previous") {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => {
            faults.push(Fault::parameter("compare_previous", NO_BOOLEAN));
            false
        }
    };
    let given = call.query_parameter("compare_mode");
    let mode = given.and_then(|name| name.parse::<CompareMode>().ok());
    if given.is_some() && mode.is_none() {
        faults.push(Fault::parameter("compare_mode", none_of(CompareMode::ALL)));
    }
    match resolve(kind, call) {
        Ok(window) if faults.is_empty() => Ok(Compared {
            window,
            shown: is_asked.then(|| match by {
                Compare::Mode => window.comparison(mode),
                Compare::Previous | Compare::None => window.preceding(),
            }),
        }),
        Ok(_) => Err(faults),
        Err(wrong) => Err(wrong.into_iter().chain(faults).collect()),
    }
}

/// A key that two calls share if they ask on the same day for the same days and the same comparison.
fn meant(asked: &ResolvedWindow, shown: Option<&Comparison>) -> String {
    let (today, first, last) = (asked.horizon.today, asked.window.first(), asked.window.last());
    let mode = shown.map(|comparison| comparison.mode);
    format!(
        "{today} {first} {last} {:?} {:?} {mode:?} ",
        asked.period, asked.clamped_from
    )
}

impl Example for Meta {
    fn example() -> Self {
        let horizon = Horizon::of(Module::Uptime, datetime!(2026-03-31 09:15:00 UTC));
        let through = datetime!(2026-03-31 09:14:30 UTC);
        ResolvedWindow::fixed(28, &horizon).meta(None, Some(through.into()))
    }
}

impl Example for Change {
    fn example() -> Self {
        Self::of(Some(120.0), Some(96.0))
    }
}
