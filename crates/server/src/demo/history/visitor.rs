//! Who came, and from where.

use pharos_domain::collect::{
    client::{Client, Device},
    event::Origin,
};

use super::shape::Day;

/// Browsers and systems: device, browser, version, system, version, screen, and how many of a hundred have them.
const BROWSERS: [Browser; 6] = [
    (
        Device::Desktop,
        "Chrome",
        "154",
        "Windows",
        "11",
        (1920, 1080),
        34,
    ),
    (Device::Mobile, "Safari", "26", "iOS", "26", (390, 844), 24),
    (Device::Mobile, "Chrome", "154", "Android", "16", (412, 915), 22),
    (Device::Desktop, "Firefox", "145", "Linux", "", (1680, 1050), 8),
    (Device::Desktop, "Safari", "26", "macOS", "26", (1512, 982), 8),
    (Device::Tablet, "Safari", "26", "iOS", "26", (820, 1180), 4),
];

type Browser = (
    Device,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    (u16, u16),
    u8,
);

const COUNTRIES: [(&str, u8); 7] = [
    ("DE", 38),
    ("AT", 14),
    ("CH", 12),
    ("NL", 12),
    ("FR", 10),
    ("US", 9),
    ("BR", 5),
];

/// Where visits come from; `utm` tags are source, medium and campaign.
const SOURCES: [Source; 6] = [
    (None, None, 34),
    (Some("google.com"), None, 36),
    (Some("bing.com"), None, 7),
    (Some("instagram.com"), None, 9),
    (Some("blog.example"), None, 8),
    (None, Some(("google", "cpc", "lamps")), 6),
];

type Tags = (&'static str, &'static str, &'static str);
type Source = (Option<&'static str>, Option<Tags>, u8);

const NEWSLETTER: Source = (None, Some(("newsletter", "email", "long-evenings")), 0);

/// Draws one of a list by the share of a hundred that each has.
fn drawn<'a, T>(list: &'a [T], share: impl Fn(&T) -> u8, random: &mut fastrand::Rng) -> &'a T {
    let mut drawn = random.u8(0..100);
    for item in list {
        let share = share(item);
        if drawn < share {
            return item;
        }
        drawn -= share;
    }
    &list[0]
}

/// A browser somewhere.
pub(super) fn client(random: &mut fastrand::Rng) -> Client {
    let (device, browser, version, os, os_version, screen, _) = drawn(&BROWSERS, |browser| browser.6, random);
    let (country, _) = drawn(&COUNTRIES, |country| country.1, random);
    Client {
        device: *device,
        browser: Some((*browser).to_owned()),
        browser_version: Some((*version).to_owned()),
        os: Some((*os).to_owned()),
        os_version: (!os_version.is_empty()).then(|| (*os_version).to_owned()),
        country: Some((*country).to_owned()),
        region: None,
        city: None,
        screen: Some(*screen),
    }
}

/// A visit that the search brings.
pub(super) fn searched() -> Origin {
    Origin {
        referrer_host: Some("google.com".to_owned()),
        referrer_path: Some("/".to_owned()),
        ..Origin::default()
    }
}

/// Where a visit of a day comes from.
pub(super) fn origin(day: Day, random: &mut fastrand::Rng) -> Origin {
    let newsletter = day.has_campaign() && random.u8(0..100) < 30;
    let (referrer, tags, _) = if newsletter {
        &NEWSLETTER
    } else {
        drawn(&SOURCES, |source| source.2, random)
    };
    Origin {
        referrer_host: referrer.map(str::to_owned),
        referrer_path: referrer.map(|_| "/".to_owned()),
        source: tags.map(|(source, _, _)| source.to_owned()),
        medium: tags.map(|(_, medium, _)| medium.to_owned()),
        campaign: tags.map(|(_, _, campaign)| campaign.to_owned()),
        ..Origin::default()
    }
}
