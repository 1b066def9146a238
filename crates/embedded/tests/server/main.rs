//! The embedded server, tried with a real PostgreSQL.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod harness;
mod kills;
mod life;
mod privacy;
mod refusals;
