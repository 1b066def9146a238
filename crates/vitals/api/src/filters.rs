//! The filters that reads of views take.

use pharos_domain::{
    collect::{
        client::Device,
        view::{Connection, Navigation},
    },
    country::CountryCode,
    wire_enum,
};
use pharos_vitals::overview::ViewFilter;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

wire_enum! {
    /// A class of device that views are filtered by.
    DeviceClass as "RumDeviceClass" {
        /// Phones.
        Mobile = "mobile",
        /// Tablets.
        Tablet = "tablet",
        /// Computers.
        Desktop = "desktop",
    }
}

impl From<DeviceClass> for Device {
    fn from(class: DeviceClass) -> Self {
        match class {
            DeviceClass::Mobile => Self::Mobile,
            DeviceClass::Tablet => Self::Tablet,
            DeviceClass::Desktop => Self::Desktop,
        }
    }
}

/// Which views a read is about: those that fit all that are given. A value that never occurred fits nothing.
#[derive(Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct ViewFilters {
    /// The class of device.
    #[param(inline)]
    device: Option<DeviceClass>,
    /// The country, ISO 3166-1 alpha-2.
    #[param(inline, value_type = Option<CountryCode>)]
    country: Option<String>,
    /// The browser, such as `Chrome`.
    browser: Option<String>,
    /// The operating system, such as `Windows`.
    os: Option<String>,
    /// The effective type of the connection.
    #[param(inline)]
    connection: Option<Connection>,
    /// How the browser came to the page.
    #[param(inline)]
    navigation_type: Option<Navigation>,
    /// How the address of the page begins, such as `https://shop.example/blog/`.
    url_prefix: Option<String>,
}

impl From<ViewFilters> for ViewFilter {
    fn from(filters: ViewFilters) -> Self {
        let ViewFilters {
            device,
            country,
            browser,
            os,
            connection,
            navigation_type,
            url_prefix,
        } = filters;
        Self {
            device: device.map(Device::from),
            country: country.map(|country| country.to_ascii_uppercase()),
            browser,
            os,
            connection,
            navigation: navigation_type,
            url_prefix,
            url: None,
        }
    }
}

/// The page that a read is about.
#[derive(Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct PageFilter {
    /// The address of a page, such as `https://shop.example/cart`; what it has of a query is passed over.
    url: Option<String>,
}

impl PageFilter {
    /// The views of the page among those that fit other filters.
    pub(super) fn and(self, filters: ViewFilters) -> ViewFilter {
        ViewFilter::from(filters).of_page(self.url.as_deref())
    }
}
