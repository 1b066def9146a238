#![doc = include_str!("../README.md")]

pub mod admin;
pub mod app;
pub mod artefacts;
pub mod background;
pub mod cli;
pub mod collection;
pub mod config;
pub mod database;
pub mod demo;
pub mod doctor;
pub mod flags;
pub mod groups;
pub mod healthcheck;
mod limits;
pub mod logging;
pub mod metering;
pub mod metrics;
pub mod probes;
pub mod registry;
pub mod role;
pub mod run;
pub mod serve;
pub mod settings;
pub mod socket;
pub mod upkeep;
pub mod worker;
