//! The prober against real servers, name servers and certificates, all on this machine.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot be set up has to fail"
)]

mod bodies;
mod certificates;
mod certificates_at_their_limits;
mod certificates_by_openssl;
mod certificates_judged;
mod connections;
mod endless;
mod forbidden_names;
mod forbidden_redirects;
mod forbidden_urls;
mod handshakes;
mod heads;
mod lab;
mod names;
mod phases;
mod redirects;
mod verdicts;
