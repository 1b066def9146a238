//! The days that a read is about, and those that it is compared with.
//!
//! Windows are whole UTC days, both ends inclusive. Nothing here asks a clock: "today" comes with the [`Horizon`].

mod change;
mod compare;
mod date_range;
mod horizon;
mod meta;
mod period;
mod query;
mod time_bucket;

pub use self::{
    change::{Change, change, change_pct},
    compare::{CompareMode, Comparison},
    date_range::DateRange,
    horizon::Horizon,
    meta::{DataThrough, Meta},
    period::Period,
    query::{DEFAULT_DAYS, DEFAULT_PERIOD_DAYS, ResolvedWindow, WindowFault, WindowQuery},
    time_bucket::{Granularity, TimeBucket},
};
