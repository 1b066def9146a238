//! The internet, played by this machine: servers that follow a script, name servers, certificates of every quality.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has to fail")]

pub mod canary;
pub mod certificates;
pub mod dns;
pub mod server;
