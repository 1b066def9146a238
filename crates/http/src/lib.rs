#![doc = include_str!("../README.md")]

pub mod answer;
pub mod catalogue;
pub mod deleted;
pub mod effective;
pub mod extract;
pub mod flights;
pub mod gates;
pub mod kept;
pub mod kit;
pub mod metering;
pub mod metrics;
pub mod open;
pub mod openapi;
pub mod operation;
pub mod pages;
pub mod payload;
pub mod problem;
pub mod public;
pub mod registry;
mod request_context;
pub mod run;
pub mod service;
pub mod shapes;
pub mod source;
pub mod spec;
