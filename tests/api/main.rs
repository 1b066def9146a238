//! Tests of the whole. See `tests/README.md`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod admin;
mod alerting;
mod bad_input;
mod console;
mod credits;
mod faults;
mod fixtures;
mod gates;
mod generated_clients;
mod guides;
mod harness;
mod jobs;
mod keys;
mod metering;
mod metrics;
mod oauth;
mod pages;
mod platform;
mod processes;
mod property;
mod published_bounds;
mod sweep;
mod tasks;
mod uptime;
mod windows;
