//! The browser, device and place that a beacon came from. None of it tells one person from another.

use std::fmt;

/// A device class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Device {
    /// A computer, laptops included.
    Desktop,
    /// A phone.
    Mobile,
    /// A tablet.
    Tablet,
    /// A television.
    Tv,
    /// A games console.
    Console,
    /// Anything else, programs included.
    Other,
}

impl Device {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Desktop,
        Self::Mobile,
        Self::Tablet,
        Self::Tv,
        Self::Console,
        Self::Other,
    ];

    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Desktop => "desktop",
            Self::Mobile => "mobile",
            Self::Tablet => "tablet",
            Self::Tv => "tv",
            Self::Console => "console",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a beacon came from, as far as it is known. The address itself is stored nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The device class.
    pub device: Device,
    /// The browser's family, variants for phones folded into it, such as `Chrome`.
    pub browser: Option<String>,
    /// Its major version, such as `140`.
    pub browser_version: Option<String>,
    /// The operating system's family, such as `Windows`.
    pub os: Option<String>,
    /// Its version, such as `11`.
    pub os_version: Option<String>,
    /// ISO 3166-1 alpha-2, upper case.
    pub country: Option<String>,
    /// ISO 3166-2, such as `DE-BE`.
    pub region: Option<String>,
    /// A name.
    pub city: Option<String>,
    /// The screen's size in CSS pixels, width first.
    pub screen: Option<(u16, u16)>,
}
