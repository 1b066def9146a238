//! Analyses: what figures mean, by rules that are the same for every site.

pub mod brand;
pub mod cannibalization;
pub mod ctr_gaps;
pub mod decay;
pub mod opportunities;
pub mod positions;
mod store;

pub use self::store::{
    AnalysisReads, Asked, BrandDay, CandidateQuery, LostQuery, PlaceFilter, ServedQuery, ShownPage,
};

/// How many items the lists have that are told in one page: those that matter most.
pub const MOST_ITEMS: usize = 100;
