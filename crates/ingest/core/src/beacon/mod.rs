//! Beacons: their JSON, and what it says.
//!
//! A beacon with a fault is refused whole, and every fault is named by its JSON Pointer. Members that are not known are
//! ignored, so that a server takes what a newer tracker sends.

mod commerce;
mod content;
mod envelope;
mod events;
mod json;
mod members;
mod money;

#[cfg(test)]
mod tests;
mod views;

pub(crate) use self::{content::has_host, envelope::MOST_OF_AGENT, members::clean};
pub use self::{
    content::{Content, Received},
    envelope::{Envelope, SentFor},
    events::MOST_EVENTS,
    json::parse,
    members::Members,
};
