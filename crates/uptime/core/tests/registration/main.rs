//! The RDAP client against real servers, name servers and certificates, all on this machine.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has to fail")]

mod answers;
mod bounds;
#[expect(dead_code, reason = "the prober's tests use the rest of it")]
#[path = "../prober/lab/certificates.rs"]
mod certificates;
#[expect(dead_code, reason = "the prober's tests use the rest of it")]
#[path = "../prober/lab/dns.rs"]
mod dns;
mod encrypted;
mod pace;
mod registry;
#[expect(dead_code, reason = "the prober's tests use the rest of it")]
#[path = "../prober/lab/server.rs"]
mod server;
