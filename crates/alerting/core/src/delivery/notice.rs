//! The words by which a workspace is told that a channel does not work.

use pharos_domain::{
    module::Module, notice::NewNotice, notification_type::NotificationType, severity::Severity,
};
use serde_json::json;
use time::OffsetDateTime;

use super::{channel::Channel, text::lines};

/// The channel has failed for days.
#[must_use]
pub fn failing(channel: &Channel, why: &str, at: OffsetDateTime) -> NewNotice {
    let name = &channel.settings.name;
    notice(
        channel,
        format!("Nothing reaches the channel \u{201c}{name}\u{201d}"),
        &format!(
            "Every delivery to it has failed for three days, the last because {why}. Mend that, or edit the channel in \
             the console, then send a test."
        ),
        at,
    )
}

/// Deliveries to the channel were dropped, since as many wait for it as may.
#[must_use]
pub fn crowded(channel: &Channel, at: OffsetDateTime) -> NewNotice {
    let name = &channel.settings.name;
    notice(
        channel,
        format!("The channel \u{201c}{name}\u{201d} leaves out some of what happens"),
        "More waits for it than it may hold: 1,000 critical deliveries, or as many others. What comes until some of them are \
         sent is only in the notifications. Where its quiet hours or its receiver have them wait, have it deliver less, or \
         mend the receiver.",
        at,
    )
}

/// The channel's receiver wants nothing any more.
#[must_use]
pub fn switched_off(channel: &Channel, why: &str, at: OffsetDateTime) -> NewNotice {
    let name = &channel.settings.name;
    notice(
        channel,
        format!("The channel \u{201c}{name}\u{201d} is switched off"),
        &format!(
            "It is off because {why}. Mend that, or edit the channel in the console, then switch it on and send a test."
        ),
        at,
    )
}

/// A reader of the channel's mails wants none any more.
#[must_use]
pub fn unsubscribed(channel: &Channel, at: OffsetDateTime) -> NewNotice {
    let name = &channel.settings.name;
    notice(
        channel,
        format!("The channel \u{201c}{name}\u{201d} is switched off"),
        "A reader of its mails unsubscribed by the link in one. Nobody at its address is told of anything any more: switch it \
         on again where its readers want that, or make another channel.",
        at,
    )
}

/// By its `channel_id` the channel is not told about itself.
fn notice(channel: &Channel, title: String, body: &str, at: OffsetDateTime) -> NewNotice {
    NewNotice {
        workspace: channel.workspace_id,
        domain: channel.domain_id,
        kind: NotificationType::ModuleDisconnected,
        severity: Severity::Warning,
        module: Some(Module::Alerts),
        title,
        body: lines(body),
        data: json!({
            "channel_id": channel.id,
            "channel_name": channel.settings.name,
            "channel_kind": channel.settings.target.kind(),
        }),
        resource_path: None,
        at,
    }
}
