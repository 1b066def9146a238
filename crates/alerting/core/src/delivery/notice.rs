//! The words by which a workspace is told that a channel does not work.

use serde_json::{Map, Value, json};

use super::channel::Channel;

/// A notification about a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// One line.
    pub title: String,
    /// The same in sentences, with what to do.
    pub body: String,
    /// What programs read. By its `channel_id` the channel is not told about itself.
    pub data: Map<String, Value>,
}

impl Notice {
    /// The channel has failed for days.
    #[must_use]
    pub fn failing(channel: &Channel, why: &str) -> Self {
        let name = &channel.settings.name;
        Self {
            title: format!("Nothing reaches the channel \u{201c}{name}\u{201d}"),
            body: format!(
                "Every delivery to it has failed for three days, the last because {why}. Correct where it leads, then \
                 send a test."
            ),
            data: data(channel),
        }
    }

    /// The channel's receiver wants nothing any more.
    #[must_use]
    pub fn switched_off(channel: &Channel, why: &str) -> Self {
        let name = &channel.settings.name;
        Self {
            title: format!("The channel \u{201c}{name}\u{201d} is switched off"),
            body: format!("It is off because {why}. Correct where it leads, switch it on, and send a test."),
            data: data(channel),
        }
    }
}

fn data(channel: &Channel) -> Map<String, Value> {
    [
        ("channel_id", json!(channel.id)),
        ("channel_name", json!(channel.settings.name)),
        ("channel_kind", json!(channel.settings.target.kind())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into_iter()
    .collect()
}
