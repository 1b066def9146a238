//! Mails: the question whether somebody wants reports, and reports on their way to those who do.

mod attempt;
pub mod questions;
pub mod reports;
pub mod store;
mod text;
