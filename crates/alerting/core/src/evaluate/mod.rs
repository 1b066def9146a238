//! Evaluating rules: the windows that one looks at, its verdict on the values, and what follows from it.

mod baseline;
#[cfg(test)]
mod tests;
mod transition;
mod verdict;
mod windows;

pub use self::{
    baseline::Baseline,
    transition::{RuleEvent, Standing, Transition, transition},
    verdict::{Figures, Verdict, judge},
    windows::{usual, windows},
};
pub(crate) use self::{
    verdict::{foregone, holds, mean},
    windows::own_window,
};
