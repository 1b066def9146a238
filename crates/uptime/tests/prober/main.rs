//! The prober against real servers, name servers and certificates, all on this machine.

mod bodies;
mod connections;
mod forbidden_names;
mod forbidden_redirects;
mod forbidden_urls;
mod heads;
mod lab;
mod names;
mod phases;
mod redirects;
mod tls;
mod verdicts;
