//! Filters as a caller gave them: a read takes them as parameters, and a run can say later what it was asked for.

use serde::{Deserialize, Serialize};

use crate::{
    filter::{self, Filters},
    page_path::page_path,
};

/// Which sessions a read is about: those that fit all that are given. Values are compared whole; one of an open list that
/// never occurred fits nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[serde(default)]
pub struct FilterTexts {
    /// The name of the source, such as `google`.
    pub source: Option<String>,
    /// The medium, from tags alone, such as `cpc`.
    pub medium: Option<String>,
    /// The campaign.
    pub campaign: Option<String>,
    /// The channel, such as `organic_search`.
    #[cfg_attr(
        feature = "openapi",
        param(inline, value_type = Option<crate::channel::Channel>)
    )]
    pub channel: Option<String>,
    /// The country, ISO 3166-1 alpha-2.
    #[cfg_attr(
        feature = "openapi",
        param(inline, value_type = Option<pharos_domain::country::CountryCode>)
    )]
    pub country: Option<String>,
    /// The device class; laptops are desktops.
    #[cfg_attr(
        feature = "openapi",
        param(inline, value_type = Option<filter::DeviceClass>)
    )]
    pub device: Option<String>,
    /// The browser, such as `Chrome`.
    pub browser: Option<String>,
    /// The operating system, such as `Windows`.
    pub os: Option<String>,
    /// The path of a page that was viewed in the session. Its first 1,024 bytes count, as many as are kept of a page.
    pub page: Option<String>,
    /// The referrer's domain, without `www.`.
    pub referrer: Option<String>,
    /// The name of an event that happened in the session.
    pub event: Option<String>,
}

impl From<FilterTexts> for Filters {
    fn from(texts: FilterTexts) -> Self {
        let FilterTexts {
            source,
            medium,
            campaign,
            channel,
            country,
            device,
            browser,
            os,
            page,
            referrer,
            event,
        } = texts;
        Self {
            channel: channel.as_deref().map(filter::channel),
            device: device.as_deref().map(filter::device),
            source,
            medium,
            campaign,
            country: country.map(|country| country.to_ascii_uppercase()),
            browser,
            os,
            referrer,
            page: page.as_deref().map(page_path),
            event,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_fits_however_its_path_is_written() {
        for path in ["/café", "/caf%C3%A9"] {
            let filters = Filters::from(FilterTexts {
                page: Some(path.to_owned()),
                ..FilterTexts::default()
            });
            assert_eq!(filters.page.as_deref(), Some("/caf%C3%A9"), "{path}");
        }
    }
}
