//! Which sessions a read is about.

use pharos_domain::{collect::client::Device, wire_enum};

use crate::channel::Channel;

wire_enum! {
    /// A class of device that sessions are filtered by.
    DeviceClass as "AnalyticsDeviceClass" {
        /// Computers.
        Desktop = "desktop",
        /// Laptops, which are counted as desktops.
        Laptop = "laptop",
        /// Phones.
        Mobile = "mobile",
        /// Tablets.
        Tablet = "tablet",
        /// Televisions.
        Tv = "tv",
        /// Games consoles.
        Console = "console",
        /// Anything else, programs included.
        Other = "other",
    }
}

impl From<DeviceClass> for Device {
    fn from(class: DeviceClass) -> Self {
        match class {
            DeviceClass::Desktop | DeviceClass::Laptop => Self::Desktop,
            DeviceClass::Mobile => Self::Mobile,
            DeviceClass::Tablet => Self::Tablet,
            DeviceClass::Tv => Self::Tv,
            DeviceClass::Console => Self::Console,
            DeviceClass::Other => Self::Other,
        }
    }
}

/// The sessions that fit all of these. A session attribute keeps whole sessions: what happened in them is not filtered further.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// The channel that they came by.
    pub channel: Option<Fitting<Channel>>,
    /// The device class.
    pub device: Option<Fitting<Device>>,
    /// The name of their source.
    pub source: Option<String>,
    /// `utm_medium`.
    pub medium: Option<String>,
    /// `utm_campaign`.
    pub campaign: Option<String>,
    /// The country, ISO 3166-1 alpha-2, upper case.
    pub country: Option<String>,
    /// The browser's family.
    pub browser: Option<String>,
    /// The operating system's family.
    pub os: Option<String>,
    /// The referrer's host, without `www.`.
    pub referrer: Option<String>,
    /// A page that was viewed in them.
    pub page: Option<String>,
    /// An event of the site's own that happened in them.
    pub event: Option<String>,
}

/// A value of a closed list that a caller named. Requests name one of the list; a run that was stored before may name another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fitting<T> {
    /// This one.
    Is(T),
    /// None has that name, so nothing fits.
    Nothing,
}

impl Filters {
    /// Whether all sessions fit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The channel of a name.
#[must_use]
pub fn channel(name: &str) -> Fitting<Channel> {
    name.parse().map_or(Fitting::Nothing, Fitting::Is)
}

/// The device of the name of a class.
#[must_use]
pub fn device(name: &str) -> Fitting<Device> {
    let class = name.parse::<DeviceClass>();
    class.map_or(Fitting::Nothing, |class| Fitting::Is(class.into()))
}
