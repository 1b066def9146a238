#![doc = include_str!("../README.md")]

pub mod catalogue;
pub mod config;
pub mod data;
pub mod document;
pub mod format;
pub mod generate;
mod key_figures;
pub mod logo;
pub mod mails;
pub mod metrics;
mod own;
mod pages;
mod reading;
pub mod recipients;
pub mod render;
pub mod results;
pub mod run;
pub mod schedule;
pub mod scheduler;
pub mod store;
pub mod stored;
mod summary;
pub mod template;
pub mod upkeep;
mod verdict;
pub mod window;
