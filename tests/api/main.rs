//! Tests of the whole. See `tests/README.md`.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod admin;
mod alerting;
mod analytics;
mod artefacts;
mod backup;
mod bad_input;
mod collect;
mod console;
mod credits;
mod crux;
mod data_folder;
mod demo;
mod deploy;
mod doctor;
mod examples;
mod faults;
mod fixtures;
mod gates;
mod generated_clients;
mod guides;
mod harness;
mod indexing;
mod jobs;
mod keys;
mod logging;
mod mcp;
mod metering;
mod metrics;
mod oauth;
mod pages;
mod platform;
mod processes;
mod property;
mod published_bounds;
mod reporting;
mod robots;
mod rum;
mod sdk;
mod search;
mod sitemap;
mod sweep;
mod synthetic;
mod tasks;
mod three_nodes;
mod tls;
mod traces;
mod tracker;
mod upgrade;
mod uptime;
mod windows;
