//! The RDAP client against real servers, name servers and certificates, all on this machine.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has to fail")]

mod answers;
mod bounds;
mod encrypted;
mod pace;
mod registry;
