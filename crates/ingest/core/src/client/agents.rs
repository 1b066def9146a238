//! User agents, by the rules of uap-core; bots, by the list of crawler-user-agents.

use std::{
    hash::{BuildHasher, RandomState},
    sync::{Arc, LazyLock},
};

use moka::sync::Cache;
use pharos_domain::{browser_names::BrowserNames, collect::client::Device};
use regex_filtered::{Builder, Regexes};
use ua_parser::Extractor;

/// The patterns of browsers and operating systems of uap-core 0.18.0.
const RULES: &str = include_str!("../../data/user-agents.json");
/// The patterns of crawler-user-agents 1.60.0.
const CRAWLERS: &str = include_str!("../../data/crawlers.json");

/// How many user agents are remembered.
const REMEMBERED: u64 = 10_000;

static PARSER: LazyLock<Option<Parser>> = LazyLock::new(|| {
    let parser = Parser::new();
    if parser.is_none() {
        tracing::error!(
            "the rules of user agents that this version carries can't be used; browsers stay unknown"
        );
    }
    parser
});

struct Parser {
    rules: Extractor<'static>,
    crawlers: Regexes,
}

impl Parser {
    fn new() -> Option<Self> {
        let patterns: Vec<String> = serde_json::from_str(CRAWLERS).ok()?;
        let rules: ua_parser::Regexes<'static> = serde_json::from_str(RULES).ok()?;
        Some(Self {
            rules: Extractor::try_from(rules).ok()?,
            crawlers: Builder::new().push_all(patterns).ok()?.build().ok()?,
        })
    }
}

/// The browser, system and device of a user agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// The device class.
    pub device: Device,
    /// The browser's family; the variants of one for phones are one family.
    pub browser: Option<String>,
    /// Its major version.
    pub browser_version: Option<String>,
    /// The operating system's family.
    pub os: Option<String>,
    /// Its version, where the user agent tells the truth about it.
    pub os_version: Option<String>,
    /// Whether it is a program that nobody sits before.
    pub is_bot: bool,
}

/// Client hints, which tell what user agents no longer do (`Sec-CH-UA-Platform-Version`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// The version of the platform, in quotation marks.
    pub platform_version: Option<&'a str>,
}

/// The meanings of user agents. Those that came lately are remembered, by a hash of theirs.
#[derive(Debug)]
pub struct Agents {
    remembered: Cache<u64, Arc<Agent>>,
    hash: RandomState,
}

impl Default for Agents {
    fn default() -> Self {
        Self {
            remembered: Cache::new(REMEMBERED),
            hash: RandomState::new(),
        }
    }
}

impl Agents {
    /// Makes the rules ready, which takes some tenths of a second, so that no beacon waits for it.
    pub fn prepare() {
        LazyLock::force(&PARSER);
    }

    /// The meaning of a user agent.
    #[must_use]
    pub fn of(&self, text: &str, hints: Hints<'_>) -> Arc<Agent> {
        let platform = hints.platform_version.and_then(major);
        let hash = self.hash.hash_one((text, platform));
        self.remembered.get_with(hash, || Arc::new(read(text, platform)))
    }
}

impl BrowserNames for Agents {
    fn name(&self, user_agent: &str) -> Option<String> {
        let agent = self.of(user_agent, Hints::default());
        match (&agent.browser, &agent.os) {
            (Some(browser), Some(os)) => Some(format!("{browser} on {os}")),
            (Some(name), None) | (None, Some(name)) => Some(name.clone()),
            (None, None) => None,
        }
    }
}

/// The first number of a version such as `"15.0.0"`.
fn major(version: &str) -> Option<u16> {
    version.trim_matches('"').split('.').next()?.parse().ok()
}

fn read(text: &str, platform: Option<u16>) -> Agent {
    let Some(parser) = &*PARSER else {
        return Agent {
            device: Device::Other,
            browser: None,
            browser_version: None,
            os: None,
            os_version: None,
            is_bot: false,
        };
    };
    let browser = parser.rules.ua.extract(text);
    let os = parser.rules.os.extract(text);
    let system = os.as_ref().map(|os| match &*os.os {
        "Mac OS X" => "macOS",
        other => other,
    });
    let os_version = os.as_ref().and_then(|os| {
        let (major, minor) = (os.major.as_deref()?, os.minor.as_deref());
        version(system?, major, minor, text, platform)
    });
    Agent {
        device: device(system, text),
        browser_version: browser
            .as_ref()
            .and_then(|browser| browser.major.map(str::to_owned)),
        browser: browser.map(|browser| family(&browser.family).to_owned()),
        os: system.map(str::to_owned),
        os_version,
        is_bot: parser.crawlers.is_match(text),
    }
}

/// The family without what tells its variants for phones apart.
fn family(name: &str) -> &str {
    let name = name.strip_prefix("Mobile ").unwrap_or(name);
    [" UI/WKWebView", " WebView", " iOS", " Mobile"]
        .iter()
        .fold(name, |name, variant| name.strip_suffix(variant).unwrap_or(name))
}

/// The version of the system, unless the user agent is known to say the same of all versions: Windows since 10, macOS since
/// 10.15, Android 10 of Chrome, Chrome OS. Where hints say what is meant they count.
fn version(
    system: &str,
    major: &str,
    minor: Option<&str>,
    text: &str,
    platform: Option<u16>,
) -> Option<String> {
    match (system, major, minor) {
        // Windows 11 is 13 and above: https://learn.microsoft.com/microsoft-edge/web-platform/how-to-detect-win11
        ("Windows", "10", _) => platform
            .filter(|&platform| platform > 0)
            .map(|platform| if platform >= 13 { "11" } else { "10" }.to_owned()),
        ("macOS", "10", Some("15")) => platform.map(|platform| platform.to_string()),
        ("Android", "10", _) if text.contains("Android 10; K)") => {
            platform.map(|platform| platform.to_string())
        }
        ("Chrome OS", ..) => None,
        ("iOS" | "macOS", major, Some(minor)) => Some(format!("{major}.{minor}")),
        (_, major, _) => Some(major.to_owned()),
    }
}

fn device(system: Option<&str>, text: &str) -> Device {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&["PlayStation", "PLAYSTATION", "Xbox", "Nintendo"]) {
        Device::Console
    } else if has(&[
        "SMART-TV",
        "SmartTV",
        "Smart-TV",
        "AppleTV",
        "Apple TV",
        "GoogleTV",
        "Android TV",
        "BRAVIA",
        "Web0S",
        "HbbTV",
        "CrKey",
        "Roku",
        "; AFT",
        " TV ",
    ]) {
        Device::Tv
    } else if has(&["iPad", "Tablet", "PlayBook", "Kindle"])
        || (system == Some("Android") && !has(&["Mobile"]))
    {
        Device::Tablet
    } else if matches!(
        system,
        Some("iOS" | "Android" | "KaiOS" | "Windows Phone" | "BlackBerry OS")
    ) || has(&["Mobile", "Opera Mini"])
    {
        Device::Mobile
    } else if has(&["Windows NT", "Macintosh", "X11", "Linux x86_64", "CrOS"]) {
        Device::Desktop
    } else {
        Device::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHROME: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

    fn agent(text: &str) -> (Device, String, String) {
        let agent = read(text, None);
        assert!(!agent.is_bot, "{text}");
        let with = |name: Option<String>, version: Option<String>| {
            let text = format!("{} {}", name.unwrap_or_default(), version.unwrap_or_default());
            text.trim().to_owned()
        };
        (
            agent.device,
            with(agent.browser, agent.browser_version),
            with(agent.os, agent.os_version),
        )
    }

    #[test]
    fn browsers_systems_and_devices_are_told() {
        for (text, device, browser, os) in [
            (CHROME, Device::Desktop, "Chrome 140", "Windows"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                Device::Desktop,
                "Edge 140",
                "Windows",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0",
                Device::Desktop,
                "Firefox 130",
                "Windows",
            ),
            (
                "Mozilla/5.0 (Windows NT 6.1; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.0.0 Safari/537.36 OPR/95.0.0.0",
                Device::Desktop,
                "Opera 95",
                "Windows 7",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
                Device::Desktop,
                "Safari 18",
                "macOS",
            ),
            (
                "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
                Device::Desktop,
                "Chrome 140",
                "Chrome OS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                Device::Mobile,
                "Safari 18",
                "iOS 18.5",
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1",
                Device::Tablet,
                "Chrome 126",
                "iOS 17.5",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
                Device::Mobile,
                "Chrome 140",
                "Android",
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Safari/537.36",
                Device::Tablet,
                "Samsung Internet 25",
                "Android 14",
            ),
            (
                "Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.0 Safari/605.1.15",
                Device::Console,
                "Safari 13",
                "",
            ),
            (
                "Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/76.0.3809.146 TV Safari/537.36",
                Device::Tv,
                "Samsung Internet 4",
                "Tizen 6",
            ),
        ] {
            let want = (device, browser.to_owned(), os.to_owned());
            assert_eq!(agent(text), want, "{text}");
        }
    }

    #[test]
    fn hints_tell_the_version_of_windows() {
        let version = |platform| read(CHROME, major(platform)).os_version;
        assert_eq!(version("\"15.0.0\"").as_deref(), Some("11"));
        assert_eq!(version("\"10.0.0\"").as_deref(), Some("10"));
        assert_eq!(version("\"0.3.0\""), None);
        assert_eq!(version("nonsense"), None);
    }

    #[test]
    fn programs_are_told_from_people() {
        for bot in [
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
            "curl/8.5.0",
            "python-requests/2.31.0",
        ] {
            assert!(read(bot, None).is_bot, "{bot}");
        }
    }

    #[test]
    fn any_text_is_read() {
        let agents = Agents::default();
        for text in ["", "\u{fffd}", &"(".repeat(512), "Mozilla/5.0 ()"] {
            let agent = agents.of(text, Hints::default());
            assert_eq!((agent.device, agent.is_bot), (Device::Other, false), "{text}");
            assert_eq!(agents.of(text, Hints::default()), agent);
        }
    }
}
