//! A restore as it stands in the data folder: the files beside the old ones, and the note by which the next start ends one that was
//! killed.

pub(crate) mod files;
pub(crate) mod plan;
pub(crate) mod shelf;
