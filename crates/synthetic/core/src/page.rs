//! Pages that are measured: their settings, and when they are due.

use pharos_domain::{hostname::Hostname, ids::SyntheticUrlId, settings::Faults, wire_enum};
use pharos_due::slots;
use serde::{Deserialize, Serialize};
use time::{Duration, OffsetDateTime};
use url::Url;

use crate::{
    profile::{DEFAULT_PROFILE, PROFILES, Profile},
    run::LastRun,
};

/// How long a URL may be, in bytes, in its normal form.
pub const MOST_URL_BYTES: usize = 2_000;
/// How long a label may be, in characters.
pub const MOST_LABEL: usize = 100;
/// How many pages a domain may have, whatever its plan says.
pub const MOST_PAGES: i64 = 500;
/// How many loads a test may consist of.
pub const RUNS_PER_TEST: std::ops::RangeInclusive<u32> = 1..=5;
/// How many patterns of URLs a page may block.
pub const MOST_PATTERNS: usize = 50;
/// How long such a pattern may be, in characters.
pub const MOST_PATTERN: usize = 500;
/// How long a user's name and a password may be, in characters.
pub const MOST_CREDENTIAL: usize = 200;
/// How long a cookie may be, in characters.
pub const MOST_COOKIE: usize = 4_096;

wire_enum! {
    /// How often a page is measured.
    Schedule as "LabSchedule" {
        /// Only when somebody asks for it.
        Manual = "manual",
        /// Once an hour.
        Hourly = "hourly",
        /// Every six hours.
        Every6Hours = "every_6_hours",
        /// Once a day, in the hour of `schedule_hour`.
        Daily = "daily",
        /// Once a week, on `schedule_weekday`.
        Weekly = "weekly",
    }
}

wire_enum! {
    /// A category in which a page is judged.
    Category as "LabCategory" {
        /// How fast it loads.
        Performance = "performance",
        /// Whether everybody can use it.
        Accessibility = "accessibility",
        /// Whether it is built as is good practice.
        BestPractices = "best_practices",
        /// Whether search engines can read it.
        Seo = "seo",
    }
}

impl Category {
    /// Its name at Lighthouse.
    #[must_use]
    pub const fn upstream(self) -> &'static str {
        match self {
            Self::Performance => "performance",
            Self::Accessibility => "accessibility",
            Self::BestPractices => "best-practices",
            Self::Seo => "seo",
        }
    }
}

/// The settings of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageSettings {
    /// Its URL in normal form.
    pub url: String,
    /// A name for people.
    pub label: Option<String>,
    /// Whether its schedule is followed.
    pub enabled: bool,
    /// The profiles that it is measured on.
    pub profile_ids: Vec<String>,
    /// How often.
    pub schedule: Schedule,
    /// The hour of the day, UTC, of a daily and a weekly schedule; `None`: one that Pharos chooses.
    pub schedule_hour: Option<u8>,
    /// The day of a weekly schedule, Monday = 1 to Sunday = 7; `None`: one that Pharos chooses.
    pub schedule_weekday: Option<u8>,
    /// How many loads a test makes; the one in the middle is kept.
    pub runs_per_test: u8,
    /// The categories in which it is judged.
    pub categories: Vec<Category>,
    /// URLs that the page does not get.
    pub blocked_url_patterns: Vec<String>,
}

/// A page that is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackedPage {
    /// The id by which people and runs name it.
    pub id: SyntheticUrlId,
    /// The settings that people gave it.
    pub settings: PageSettings,
    /// Whether a user and a password are set.
    pub has_basic_auth: bool,
    /// Whether a cookie is set.
    pub has_cookie: bool,
    /// When it is measured next; `None`: it has no schedule.
    pub next_run_at: Option<OffsetDateTime>,
    /// Since when it is tracked.
    pub created_at: OffsetDateTime,
    /// When its settings were last changed.
    pub updated_at: OffsetDateTime,
    /// Its newest run.
    pub last_run: Option<LastRun>,
}

impl PageSettings {
    /// The settings of a page of which nothing else is said: measured once a day, as a phone.
    #[must_use]
    pub fn of(url: String) -> Self {
        Self {
            url,
            label: None,
            enabled: true,
            profile_ids: vec![DEFAULT_PROFILE.to_owned()],
            schedule: Schedule::Daily,
            schedule_hour: None,
            schedule_weekday: None,
            runs_per_test: 1,
            categories: Category::ALL.to_vec(),
            blocked_url_patterns: Vec::new(),
        }
    }

    /// Checks the settings as they would be. The URL has been checked before.
    pub fn check(&self, faults: &mut Faults) {
        if self.label.as_deref().is_some_and(|label| !is_label(label)) {
            faults.add(
                "label",
                format!("1 to {MOST_LABEL} characters, and no control characters; null for none"),
            );
        }
        if self.profile_ids.is_empty() || self.profile_ids.len() > PROFILES.len() {
            faults.add(
                "profile_ids",
                format!("1 to {} of {}", PROFILES.len(), Profile::names()),
            );
        }
        faults.within("profile_ids", |faults| {
            for (at, id) in self.profile_ids.iter().enumerate() {
                if Profile::named(id).is_none() {
                    faults.add(at, format!("not a profile; there are {}", Profile::names()));
                } else if self.profile_ids.iter().position(|other| other == id) != Some(at) {
                    faults.add(at, "given more than once");
                }
            }
        });
        let has_hour = matches!(self.schedule, Schedule::Daily | Schedule::Weekly);
        match self.schedule_hour {
            Some(hour) if hour > 23 => faults.add("schedule_hour", "a whole number of 0 to 23"),
            Some(_) if !has_hour => faults.contradiction(
                "schedule_hour",
                &["schedule"],
                "only a daily and a weekly schedule have an hour",
            ),
            _ => {}
        }
        match self.schedule_weekday {
            Some(day) if !(1..=7).contains(&day) => {
                faults.add("schedule_weekday", "a whole number of 1 to 7, Monday to Sunday");
            }
            Some(_) if self.schedule != Schedule::Weekly => faults.contradiction(
                "schedule_weekday",
                &["schedule"],
                "only a weekly schedule has a day",
            ),
            _ => {}
        }
        faults.in_range("runs_per_test", self.runs_per_test.into(), RUNS_PER_TEST);
        if self.categories.is_empty() {
            faults.add("categories", "one at least");
        }
        for (at, category) in self.categories.iter().enumerate() {
            if self.categories.iter().position(|other| other == category) != Some(at) {
                faults.within("categories", |faults| faults.add(at, "given more than once"));
            }
        }
        if self.blocked_url_patterns.len() > MOST_PATTERNS {
            faults.add("blocked_url_patterns", format!("at most {MOST_PATTERNS}"));
        }
        faults.within("blocked_url_patterns", |faults| {
            for (at, pattern) in self.blocked_url_patterns.iter().enumerate() {
                let fits = (1..=MOST_PATTERN).contains(&pattern.chars().count())
                    && !pattern.chars().any(char::is_control);
                if !fits {
                    faults.add(
                        at,
                        format!("1 to {MOST_PATTERN} visible characters, such as *.ads.example/*"),
                    );
                }
            }
        });
    }

    /// When it is measured after `now`; `None`: only when somebody asks for it. Pages that were set up together are not
    /// measured together: each has a minute of its own.
    #[must_use]
    pub fn next_run(&self, id: SyntheticUrlId, now: OffsetDateTime) -> Option<OffsetDateTime> {
        if !self.enabled {
            return None;
        }
        let name = [id.0.as_bytes().as_slice()];
        let next = |interval| slots::next_after(now, &name, interval);
        match self.schedule {
            Schedule::Manual => None,
            Schedule::Hourly => Some(next(Duration::HOUR)),
            Schedule::Every6Hours => Some(next(Duration::hours(6))),
            Schedule::Daily => match self.schedule_hour {
                None => Some(next(Duration::DAY)),
                Some(_) => self.next_that(now, &name),
            },
            Schedule::Weekly => match (self.schedule_hour, self.schedule_weekday) {
                (None, None) => Some(next(Duration::WEEK)),
                _ => self.next_that(now, &name),
            },
        }
    }

    /// The first moment of the hour and the day that are set, at the page's own minute.
    fn next_that(&self, now: OffsetDateTime, name: &[&[u8]]) -> Option<OffsetDateTime> {
        // Where only the day is set, the hour is the page's own, too.
        let grain = match self.schedule_hour {
            Some(_) => Duration::HOUR,
            None => Duration::DAY,
        };
        let mut moment = slots::next_after(now, name, grain);
        // A week and an hour have all that there can be.
        for _ in 0..=(7 * 24) {
            let fits_hour = self.schedule_hour.is_none_or(|hour| moment.hour() == hour);
            let day = moment.weekday().number_from_monday();
            let fits_day = self.schedule_weekday.is_none_or(|wanted| wanted == day);
            // A weekly schedule with an hour alone has the day that its id chooses.
            let own_day = self.schedule == Schedule::Weekly && self.schedule_weekday.is_none();
            let fits_own = !own_day || {
                let chosen = slots::next_after(OffsetDateTime::UNIX_EPOCH, name, Duration::WEEK);
                chosen.weekday().number_from_monday() == day
            };
            if fits_hour && fits_day && fits_own {
                return Some(moment);
            }
            moment = moment.saturating_add(grain);
        }
        None
    }
}

/// A page's URL in normal form: without its fragment. It lies on the domain or below it.
pub fn url(member: &str, text: &str, hostname: &Hostname, faults: &mut Faults) -> Option<String> {
    let Ok(mut url) = Url::parse(text) else {
        faults.add(member, format!("not a URL, such as https://{hostname}/"));
        return None;
    };
    if !matches!(url.scheme(), "http" | "https") {
        faults.add(member, "neither http nor https");
        return None;
    }
    if !url.username().is_empty() || url.password().is_some() {
        faults.add(member, "a user or a password has no place in it; set basic_auth");
        return None;
    }
    if !url.host_str().is_some_and(|host| hostname.covers(host)) {
        faults.add(member, format!("not on {hostname} or below it"));
        return None;
    }
    url.set_fragment(None);
    let url = String::from(url);
    if url.len() > MOST_URL_BYTES {
        faults.add(
            member,
            format!("longer than {MOST_URL_BYTES} bytes in its normal form"),
        );
        return None;
    }
    Some(url)
}

fn is_label(label: &str) -> bool {
    !label.trim().is_empty() && label.chars().count() <= MOST_LABEL && !label.chars().any(char::is_control)
}

/// Checks user and password: HTTP has no colon in the first, and no control characters in either (RFC 7617).
pub fn check_basic_auth(username: &str, password: &str, faults: &mut Faults) {
    let fits = |text: &str| text.chars().count() <= MOST_CREDENTIAL && !text.chars().any(char::is_control);
    faults.within("basic_auth", |faults| {
        if username.is_empty() || username.contains(':') || !fits(username) {
            faults.add(
                "username",
                format!("1 to {MOST_CREDENTIAL} characters without colons and control characters"),
            );
        }
        if !fits(password) {
            faults.add(
                "password",
                format!("at most {MOST_CREDENTIAL} characters, and no control characters"),
            );
        }
    });
}

/// Checks the value of a `Cookie` header (RFC 6265): pairs with `; ` between them.
pub fn check_cookie(cookie: &str, faults: &mut Faults) {
    let is_pair = |pair: &str| {
        pair.trim().split_once('=').is_some_and(|(name, value)| {
            let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
            let octet = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b',' | b';' | b'\\');
            !name.is_empty() && name.bytes().all(token) && value.bytes().all(octet)
        })
    };
    if cookie.len() > MOST_COOKIE || !cookie.split(';').all(is_pair) {
        faults.add(
            "cookie",
            format!("as a Cookie header has it, such as session=abc; lang=en, and {MOST_COOKIE} characters at most"),
        );
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);

    fn faults_of(settings: &PageSettings) -> Vec<String> {
        let mut faults = Faults::default();
        settings.check(&mut faults);
        faults
            .or(|| ())
            .err()
            .unwrap_or_default()
            .into_iter()
            .map(|fault| fault.pointer)
            .collect()
    }

    #[test]
    fn a_page_is_due_in_its_hour_on_its_day() {
        let id = SyntheticUrlId::generate();
        let mut page = PageSettings {
            schedule_hour: Some(3),
            ..PageSettings::of(String::new())
        };
        let first = page.next_run(id, NOW).unwrap();
        assert_eq!(
            (first.date(), first.hour()),
            (time::macros::date!(2026 - 04 - 01), 3)
        );
        assert_eq!(page.next_run(id, first), Some(first + Duration::DAY));
        page.schedule = Schedule::Weekly;
        page.schedule_weekday = Some(7);
        let sunday = page.next_run(id, NOW).unwrap();
        assert_eq!(
            (sunday.date(), sunday.hour()),
            (time::macros::date!(2026 - 04 - 05), 3)
        );
        assert_eq!(page.next_run(id, sunday), Some(sunday + Duration::WEEK));
        page.schedule_hour = None;
        let own = page.next_run(id, NOW).unwrap();
        assert_eq!(own.weekday(), time::Weekday::Sunday);
        assert_eq!(page.next_run(id, own), Some(own + Duration::WEEK));
        page.schedule_weekday = None;
        page.schedule_hour = Some(22);
        let own = page.next_run(id, NOW).unwrap();
        assert_eq!(own.hour(), 22);
        assert_eq!(page.next_run(id, own), Some(own + Duration::WEEK));
    }

    #[test]
    fn what_is_switched_off_is_never_due() {
        let id = SyntheticUrlId::generate();
        let mut page = PageSettings::of(String::new());
        assert!(page.next_run(id, NOW).unwrap() <= NOW + Duration::DAY);
        page.schedule = Schedule::Hourly;
        let hourly = page.next_run(id, NOW).unwrap();
        assert!(hourly > NOW && hourly <= NOW + Duration::HOUR);
        page.enabled = false;
        assert_eq!(page.next_run(id, NOW), None);
        page.enabled = true;
        page.schedule = Schedule::Manual;
        assert_eq!(page.next_run(id, NOW), None);
    }

    #[test]
    fn all_faults_of_settings_are_told_at_once() {
        assert_eq!(faults_of(&PageSettings::of(String::new())), [""; 0]);
        let bad = PageSettings {
            url: String::new(),
            label: Some("\u{7}".to_owned()),
            enabled: true,
            profile_ids: vec!["tablet".to_owned(), "mobile".to_owned(), "mobile".to_owned()],
            schedule: Schedule::Hourly,
            schedule_hour: Some(3),
            schedule_weekday: Some(8),
            runs_per_test: 6,
            categories: vec![Category::Seo, Category::Seo],
            blocked_url_patterns: vec!["*.ads.example/*".to_owned(), String::new()],
        };
        assert_eq!(
            faults_of(&bad),
            [
                "/label",
                "/profile_ids/0",
                "/profile_ids/2",
                "/schedule_hour",
                "/schedule_weekday",
                "/runs_per_test",
                "/categories/1",
                "/blocked_url_patterns/1",
            ]
        );
    }

    #[test]
    fn a_url_lies_on_the_domain() {
        let hostname: Hostname = "shop.example".parse().unwrap();
        let judged = |text: &str| {
            let mut faults = Faults::default();
            let found = url("url", text, &hostname, &mut faults);
            faults.or(|| found).ok().flatten()
        };
        assert_eq!(
            judged("HTTPS://Shop.Example#x").as_deref(),
            Some("https://shop.example/")
        );
        assert_eq!(
            judged("http://www.shop.example/a?b=1").as_deref(),
            Some("http://www.shop.example/a?b=1")
        );
        let long = format!("https://shop.example/{}", "a".repeat(2_000));
        for bad in [
            "",
            "/a",
            "file:///etc/passwd",
            "chrome://settings",
            "https://other.example/",
            "https://user:pass@shop.example/",
            "http://127.0.0.1/",
            &long,
        ] {
            assert_eq!(judged(bad), None, "{bad}");
        }
    }

    #[test]
    fn cookies_and_passwords_are_as_http_has_them() {
        let faults = |judge: &dyn Fn(&mut Faults)| {
            let mut faults = Faults::default();
            judge(&mut faults);
            faults.or(|| ()).err().map_or(0, |faults| faults.len())
        };
        assert_eq!(faults(&|faults| check_cookie("session=abc; lang=en", faults)), 0);
        for bad in ["", "session", "=a", "a=b,c", "a b=c", "a=b\r\nX: y", "a=ä"] {
            assert_eq!(faults(&|faults| check_cookie(bad, faults)), 1, "{bad}");
        }
        assert_eq!(faults(&|faults| check_basic_auth("user", "pä:ss", faults)), 0);
        assert_eq!(faults(&|faults| check_basic_auth("us:er", "a\nb", faults)), 2);
    }
}
