//! Deliveries against servers that refuse what each service's documentation refuses, and against servers that misbehave;
//! all of them on this machine.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has to fail")]

mod addresses;
mod answers;
mod cases;
mod discord;
mod lab;
mod ntfy;
mod opsgenie;
mod pagerduty;
mod receiver;
mod rules;
mod secrets;
mod slack;
mod teams;
mod telegram;
mod webhook;
