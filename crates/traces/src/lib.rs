#![doc = include_str!("../README.md")]

pub mod metrics;
pub mod otlp;
mod parent;
pub mod queue;
pub mod span;
pub mod tracer;
