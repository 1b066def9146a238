//! The devices and networks that pages are measured as: a static catalogue.

use pharos_domain::{store::StoreError, wire_enum};

/// The version of Lighthouse that this Pharos is made for. A test holds it against `lab/package.json`.
pub const LIGHTHOUSE_VERSION: &str = "13.5.0";
/// The profile of a page that names none.
pub const DEFAULT_PROFILE: &str = "mobile";

wire_enum! {
    /// The device that a page is measured as.
    FormFactor as "LabFormFactor" {
        /// A phone.
        Mobile = "mobile",
        /// A computer.
        Desktop = "desktop",
    }
}

wire_enum! {
    /// How network and processor are slowed down.
    ThrottlingMethod as "LabThrottlingMethod" {
        /// Times are computed, for the network and the processor of the profile, from a load that is not slowed down.
        Simulate = "simulate",
        /// The browser is slowed down while it loads; times are observed.
        Devtools = "devtools",
        /// Nothing is slowed down.
        Provided = "provided",
    }
}

/// Where the pages of this installation are measured from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabPlace {
    /// The name of the region.
    pub location: String,
    /// The same for people.
    pub location_name: String,
}

/// A device on a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Its name in requests.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// The kind of device that it stands for.
    pub form_factor: FormFactor,
    /// The width of the viewport, in CSS pixels.
    pub viewport_width: u16,
    /// The height of the viewport, in CSS pixels.
    pub viewport_height: u16,
    /// Pixels of the screen to one of CSS.
    pub device_scale_factor: f64,
    /// How network and processor are slowed down.
    pub throttling_method: ThrottlingMethod,
    /// The round-trip time of the network, in milliseconds.
    pub rtt_ms: f64,
    /// Its throughput, in kilobits a second.
    pub throughput_kbps: f64,
    /// How many times slower the processor is.
    pub cpu_slowdown: f64,
    /// The user agent; the version of the browser in it is that of the Chromium that measures.
    pub user_agent: &'static str,
}

/// A phone, as Lighthouse emulates it.
const MOBILE: Profile = Profile {
    id: "mobile",
    name: "Phone on slow 4G",
    form_factor: FormFactor::Mobile,
    viewport_width: 412,
    viewport_height: 823,
    device_scale_factor: 1.75,
    throttling_method: ThrottlingMethod::Simulate,
    rtt_ms: 150.0,
    throughput_kbps: 1_638.4,
    cpu_slowdown: 4.0,
    user_agent: "Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/136.0.0.0 Mobile Safari/537.36",
};

/// A computer, as Lighthouse emulates it.
const DESKTOP: Profile = Profile {
    id: "desktop",
    name: "Computer on a fast line",
    form_factor: FormFactor::Desktop,
    viewport_width: 1_350,
    viewport_height: 940,
    device_scale_factor: 1.0,
    throttling_method: ThrottlingMethod::Simulate,
    rtt_ms: 40.0,
    throughput_kbps: 10_240.0,
    cpu_slowdown: 1.0,
    user_agent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/136.0.0.0 Safari/537.36",
};

/// All profiles. The times of the first two are computed, those of the others observed.
pub const PROFILES: [Profile; 4] = [
    MOBILE,
    DESKTOP,
    Profile {
        id: "mobile-observed",
        name: "Phone on slow 4G, slowed down while it loads",
        throttling_method: ThrottlingMethod::Devtools,
        ..MOBILE
    },
    Profile {
        id: "desktop-unthrottled",
        name: "Computer, nothing slowed down",
        throttling_method: ThrottlingMethod::Provided,
        rtt_ms: 0.0,
        throughput_kbps: 0.0,
        cpu_slowdown: 1.0,
        ..DESKTOP
    },
];

impl Profile {
    /// The profile of that name.
    #[must_use]
    pub fn named(id: &str) -> Option<&'static Self> {
        PROFILES.iter().find(|profile| profile.id == id)
    }

    /// The profile that is stored of a page.
    ///
    /// # Errors
    /// This version has none of that name: a newer one stored it.
    pub fn stored(id: &str) -> Result<&'static Self, StoreError> {
        Self::named(id).ok_or_else(|| StoreError::Corrupt(format!("the profile {id:?} of a page of the lab")))
    }

    /// The names of all, for a sentence.
    #[must_use]
    pub fn names() -> String {
        PROFILES.map(|profile| profile.id).join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_one_that_is_installed() {
        let package: serde_json::Value = serde_json::from_str(include_str!("../lab/package.json")).unwrap();
        assert_eq!(package["dependencies"]["lighthouse"], LIGHTHOUSE_VERSION);
    }

    #[test]
    fn names_are_unique_and_the_default_is_one_of_them() {
        for (at, profile) in PROFILES.iter().enumerate() {
            assert_eq!(PROFILES.iter().position(|other| other.id == profile.id), Some(at));
        }
        assert!(Profile::named(DEFAULT_PROFILE).is_some());
        assert!(Profile::named("tablet").is_none());
    }
}
