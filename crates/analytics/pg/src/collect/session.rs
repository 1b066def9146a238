//! The dimensions of a session, as numbers.

use pharos_analytics::{
    channel::{Attribution, Channel, attribute},
    dimension::Dimension,
};
use pharos_domain::{
    collect::{
        client::{Client, Device},
        event::Origin,
    },
    ids::DomainId,
    store::StoreError,
};

use crate::dictionary::Numbers;

/// The number of a device class in the tables.
pub(crate) const fn device_number(device: Device) -> i16 {
    match device {
        Device::Desktop => 0,
        Device::Mobile => 1,
        Device::Tablet => 2,
        Device::Tv => 3,
        Device::Console => 4,
        Device::Other => 5,
    }
}

/// The number of a channel in the tables.
pub(crate) const fn channel_number(channel: Channel) -> i16 {
    channel as i16
}

/// How a screen's size is written.
fn screen(client: &Client) -> Option<String> {
    client.screen.map(|(width, height)| format!("{width}x{height}"))
}

/// Calls `each` with the texts of a session that came from `origin`.
pub(super) fn each_text(client: &Client, origin: &Origin, mut each: impl FnMut(Dimension, &str)) {
    each(Dimension::Source, &attribute(origin).source);
    let screen = screen(client);
    for (dimension, text) in texts(client, origin, screen.as_deref()) {
        if let Some(text) = text {
            each(dimension, text);
        }
    }
}

/// The texts of which a session may have none.
fn texts<'a>(
    client: &'a Client,
    origin: &'a Origin,
    screen: Option<&'a str>,
) -> [(Dimension, Option<&'a str>); 14] {
    use Dimension::*;
    [
        (Medium, present(&origin.medium)),
        (Campaign, present(&origin.campaign)),
        (Term, present(&origin.term)),
        (Content, present(&origin.content)),
        (Referrer, present(&origin.referrer_host)),
        (ReferrerPath, present(&origin.referrer_path)),
        (Country, present(&client.country)),
        (Region, present(&client.region)),
        (City, present(&client.city)),
        (Browser, present(&client.browser)),
        (BrowserVersion, present(&client.browser_version)),
        (Os, present(&client.os)),
        (OsVersion, present(&client.os_version)),
        (Screen, screen),
    ]
}

/// The text; `None` where it is missing or empty, which mean the same.
fn present(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

/// The dimensions of a session.
#[derive(Clone, Debug)]
pub(super) struct SessionRow {
    pub(super) channel: i16,
    pub(super) source: i32,
    pub(super) device: i16,
    /// In the order of [`texts`].
    pub(super) others: [Option<i32>; 14],
}

impl SessionRow {
    pub(super) fn new(
        domain: DomainId,
        client: &Client,
        origin: &Origin,
        numbers: &Numbers,
    ) -> Result<Self, StoreError> {
        let Attribution { channel, source } = attribute(origin);
        let screen = screen(client);
        let mut others = [None; 14];
        for (other, (dimension, text)) in others.iter_mut().zip(texts(client, origin, screen.as_deref())) {
            *other = numbers.of_any(domain, dimension, text)?;
        }
        Ok(Self {
            channel: channel_number(channel),
            source: numbers.of(domain, Dimension::Source, &source)?,
            device: device_number(client.device),
            others,
        })
    }
}
