//! The client and its parts against real servers, name servers and certificates, all on this machine.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has to fail")]

mod address_policy;
mod addresses;
mod bodies;
mod connections;
mod encrypted;
mod lab;
mod names;
mod pace;
mod redirects;
mod requests;
mod secrets;
mod statuses;
