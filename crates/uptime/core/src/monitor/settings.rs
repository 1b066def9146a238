//! The settings of a monitor: defaults, and what makes them valid.

use std::{
    collections::{BTreeMap, HashSet},
    fmt,
    ops::RangeInclusive,
    time::Duration,
};

use http::{HeaderName, HeaderValue};
use pharos_domain::{hostname::Hostname, settings::Faults, wire_enum};
use pharos_egress::{address_policy::UrlFault, exchange::is_reserved_header};
use serde::{Deserialize, Serialize};
use url::Url;

use super::{Surroundings, maintenance::MaintenanceWindow};
use crate::probe::{ExpectedStatuses, KeywordMode, KeywordRule, ProbeMethod, ProbeRequest};

/// The intervals that a monitor can have, in seconds.
pub const INTERVALS: [u32; 8] = [30, 60, 120, 300, 600, 900, 1800, 3600];
/// How long a check may take, in seconds.
pub const TIMEOUT_SECONDS: RangeInclusive<u32> = 2..=60;
/// How many checks in a row confirm an outage, or end it.
pub const CHECK_COUNTS: RangeInclusive<u32> = 1..=10;
/// Above how many milliseconds an answer can be degraded.
pub const DEGRADED_ABOVE_MS: RangeInclusive<u32> = 1..=60_000;
/// How many codes and classes can be expected.
pub const MAX_EXPECTED_STATUSES: usize = 20;
/// How many days there can be on which to warn.
pub const MAX_WARN_DAYS: usize = 20;
/// How many days before the end each of them can be: ten years at most.
pub const WARN_DAYS: RangeInclusive<u32> = 0..=3_650;
/// How many headers a check can send.
pub const MAX_HEADERS: usize = 20;
/// How long the value of one can be.
pub const MAX_HEADER_LENGTH: usize = 4_096;

wire_enum! {
    /// The method that a check uses.
    Method as "CheckMethod" {
        /// GET.
        Get = "GET",
        /// HEAD; the body is not asked for, so there can be no keyword.
        Head = "HEAD",
    }
}

wire_enum! {
    /// Where the keyword must be.
    KeywordRequirement {
        /// In the body.
        Present = "present",
        /// Not in the body.
        Absent = "absent",
    }
}

/// The settings of a monitor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MonitorSettings {
    /// Whether it checks at all.
    pub enabled: bool,
    /// The URL that it checks, on the domain.
    pub url: String,
    /// How it asks.
    pub method: Method,
    /// The time between two checks from one region: one of [`INTERVALS`].
    pub interval_seconds: u32,
    /// How long a check may take, redirects included.
    pub timeout_seconds: u32,
    /// Codes (`200`) or classes (`2xx`) that count as up.
    pub expected_status_codes: Vec<String>,
    /// Whether redirects are followed.
    pub follow_redirects: bool,
    /// A text to look for in the body.
    pub keyword: Option<String>,
    /// Whether it must be there; `None` without a keyword.
    pub keyword_mode: Option<KeywordRequirement>,
    /// Where checks run from.
    pub regions: Vec<String>,
    /// How many failing checks confirm an outage.
    pub confirmation_checks: u32,
    /// How many passing checks end it.
    pub recovery_checks: u32,
    /// Above this an answer is up, but degraded.
    pub degraded_above_ms: Option<u32>,
    /// Whether the certificate must be valid.
    pub verify_tls: bool,
    /// Days before the certificate's end on which to warn.
    pub ssl_warn_days: Vec<u32>,
    /// Days before the registration's end on which to warn.
    pub domain_warn_days: Vec<u32>,
    /// The availability that is promised to customers, in percent; `None`: none is.
    pub sla_target_pct: Option<f64>,
    /// Times at which an outage is no outage.
    pub maintenance_windows: Vec<MaintenanceWindow>,
    /// Headers that checks send. Never shown.
    pub request_headers: RequestHeaders,
}

/// Headers that checks send. Their values may be secrets, so `Debug` leaves them out.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestHeaders(pub BTreeMap<String, String>);

impl fmt::Debug for RequestHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl MonitorSettings {
    /// Whether checks by both ask the same and judge the answer alike.
    #[must_use]
    pub fn checks_as(&self, other: &Self) -> bool {
        let Self {
            enabled: _,
            url,
            method,
            interval_seconds: _,
            timeout_seconds,
            expected_status_codes,
            follow_redirects,
            keyword,
            keyword_mode,
            regions: _,
            confirmation_checks: _,
            recovery_checks: _,
            degraded_above_ms,
            verify_tls,
            ssl_warn_days: _,
            domain_warn_days: _,
            sla_target_pct: _,
            maintenance_windows: _,
            request_headers,
        } = self;
        (
            url,
            method,
            timeout_seconds,
            expected_status_codes,
            follow_redirects,
        ) == (
            &other.url,
            &other.method,
            &other.timeout_seconds,
            &other.expected_status_codes,
            &other.follow_redirects,
        ) && (
            keyword,
            keyword_mode,
            degraded_above_ms,
            verify_tls,
            request_headers,
        ) == (
            &other.keyword,
            &other.keyword_mode,
            &other.degraded_above_ms,
            &other.verify_tls,
            &other.request_headers,
        )
    }

    /// The settings that a domain's monitor begins with.
    #[must_use]
    pub fn defaults(hostname: &Hostname, regions: &[String]) -> Self {
        Self {
            enabled: true,
            url: format!("https://{hostname}/"),
            method: Method::Get,
            interval_seconds: 60,
            timeout_seconds: 30,
            expected_status_codes: vec!["2xx".to_owned(), "3xx".to_owned()],
            follow_redirects: true,
            keyword: None,
            keyword_mode: None,
            regions: regions.to_vec(),
            confirmation_checks: 2,
            recovery_checks: 1,
            degraded_above_ms: None,
            verify_tls: true,
            ssl_warn_days: vec![30, 14, 7, 3, 1],
            domain_warn_days: vec![60, 30, 14, 7],
            sla_target_pct: None,
            maintenance_windows: Vec::new(),
            request_headers: RequestHeaders::default(),
        }
    }

    /// The time between two checks from one region.
    #[must_use]
    pub fn interval(&self) -> time::Duration {
        time::Duration::seconds(self.interval_seconds.into())
    }

    /// Finds every setting that can't be.
    pub fn check(&self, around: &Surroundings<'_>, faults: &mut Faults) {
        self.check_target(around, faults);
        self.check_judgement(faults);
        self.check_schedule(around, faults);
        self.check_headers(faults);
    }

    fn check_target(&self, around: &Surroundings<'_>, faults: &mut Faults) {
        match Url::parse(&self.url) {
            Err(_) => faults.add("url", "not an absolute URL such as https://shop.example/"),
            Ok(url) => {
                let found = around.policy.url_faults(&url);
                let is_on_domain = url.host_str().is_some_and(|host| around.hostname.covers(host));
                if !is_on_domain && !found.iter().any(UrlFault::is_of_host) {
                    faults.add("url", format!("not on the domain {}", around.hostname));
                }
                for fault in found {
                    faults.add("url", fault.to_string());
                }
            }
        }
    }

    fn check_judgement(&self, faults: &mut Faults) {
        if !(1..=MAX_EXPECTED_STATUSES).contains(&self.expected_status_codes.len())
            || ExpectedStatuses::parse(&self.expected_status_codes).is_err()
        {
            faults.add(
                "expected_status_codes",
                "1 to 20 codes such as 200, or classes such as 2xx",
            );
        }
        match (&self.keyword, self.keyword_mode) {
            (Some(keyword), _) if !(1..=1_000).contains(&keyword.chars().count()) => {
                faults.add("keyword", "1 to 1,000 characters, or null for none");
            }
            (Some(_), _) if self.method == Method::Head => {
                let detail = "a HEAD request has no body to look in; use GET";
                faults.contradiction("keyword", &["method"], detail);
            }
            (Some(_), None) => {
                faults.contradiction("keyword_mode", &["keyword"], "present or absent, with a keyword");
            }
            (None, Some(_)) => {
                faults.contradiction("keyword_mode", &["keyword"], "null without a keyword");
            }
            _ => {}
        }
        faults.in_range("confirmation_checks", self.confirmation_checks, CHECK_COUNTS);
        faults.in_range("recovery_checks", self.recovery_checks, CHECK_COUNTS);
        if let Some(limit) = self.degraded_above_ms {
            faults.in_range("degraded_above_ms", limit, DEGRADED_ABOVE_MS);
        }
        if self
            .sla_target_pct
            .is_some_and(|target| !(0.0..=100.0).contains(&target))
        {
            faults.add("sla_target_pct", "0 to 100, or null for none");
        }
    }

    fn check_schedule(&self, around: &Surroundings<'_>, faults: &mut Faults) {
        if !INTERVALS.contains(&self.interval_seconds) {
            faults.add("interval_seconds", format!("one of {}", join(&INTERVALS)));
        }
        faults.in_range("timeout_seconds", self.timeout_seconds, TIMEOUT_SECONDS);
        if self.regions.is_empty() {
            faults.add("regions", "at least one");
        }
        for (at, region) in self.regions.iter().enumerate() {
            if !around.regions.contains(region) {
                let known = if around.regions.is_empty() {
                    "none yet".to_owned()
                } else {
                    around.regions.join(", ")
                };
                let detail = format!("no such region; there is {known}");
                faults.within("regions", |faults| faults.add(at, detail));
            } else if self.regions[..at].contains(region) {
                faults.within("regions", |faults| faults.add(at, "given more than once"));
            }
        }
        for (member, days) in [
            ("ssl_warn_days", &self.ssl_warn_days),
            ("domain_warn_days", &self.domain_warn_days),
        ] {
            if days.len() > MAX_WARN_DAYS || days.iter().any(|day| !WARN_DAYS.contains(day)) {
                faults.add(member, "at most 20 numbers of days, each 0 to 3,650");
            }
        }
        if self.maintenance_windows.len() > 50 {
            faults.add("maintenance_windows", "at most 50");
        }
        faults.within("maintenance_windows", |faults| {
            for (at, window) in self.maintenance_windows.iter().enumerate() {
                faults.within(at, |faults| window.check(faults));
            }
        });
    }

    /// The same settings as they are stored: the URL and the names of headers in their one form. They have no fault.
    #[must_use]
    pub fn normalised(mut self) -> Self {
        if let Ok(url) = Url::parse(&self.url) {
            self.url = url.into();
        }
        let headers = std::mem::take(&mut self.request_headers.0).into_iter();
        self.request_headers.0 = headers
            .map(|(name, value)| {
                (
                    name.to_ascii_lowercase(),
                    value.trim_matches([' ', '\t']).to_owned(),
                )
            })
            .collect();
        self
    }

    fn check_headers(&self, faults: &mut Faults) {
        let mut names = HashSet::new();
        if self.request_headers.0.len() > MAX_HEADERS {
            faults.add("request_headers", "at most 20");
        }
        faults.within("request_headers", |faults| {
            for (name, value) in &self.request_headers.0 {
                match HeaderName::from_bytes(name.as_bytes()) {
                    Err(_) => faults.of_name(name, "not a header name"),
                    Ok(known) if is_reserved_header(&known) => {
                        faults.of_name(name, "a check sets this header itself");
                    }
                    Ok(known) if !names.insert(known.clone()) => {
                        faults.of_name(
                            name,
                            "given more than once: upper and lower case are the same here",
                        );
                    }
                    Ok(_) => {}
                }
                if value.len() > MAX_HEADER_LENGTH || HeaderValue::from_str(value).is_err() {
                    faults.add(name, "not a header value of at most 4,096 visible characters");
                }
            }
        });
    }

    /// The probe that these settings ask for; `None` if they were stored by a version that knew them otherwise.
    #[must_use]
    pub fn probe_request(&self) -> Option<ProbeRequest> {
        let keyword = self
            .keyword
            .clone()
            .zip(self.keyword_mode)
            .map(|(text, mode)| KeywordRule {
                text,
                mode: match mode {
                    KeywordRequirement::Present => KeywordMode::Present,
                    KeywordRequirement::Absent => KeywordMode::Absent,
                },
            });
        let headers = self.request_headers.0.iter().map(|(name, value)| {
            Some((
                HeaderName::from_bytes(name.as_bytes()).ok()?,
                HeaderValue::from_str(value).ok()?,
            ))
        });
        Some(ProbeRequest {
            url: Url::parse(&self.url).ok()?,
            method: match self.method {
                Method::Get => ProbeMethod::Get,
                Method::Head => ProbeMethod::Head,
            },
            timeout: Duration::from_secs(self.timeout_seconds.into()),
            expected: ExpectedStatuses::parse(&self.expected_status_codes).ok()?,
            follow_redirects: self.follow_redirects,
            keyword,
            degraded_above: self
                .degraded_above_ms
                .map(|limit| Duration::from_millis(limit.into())),
            verify_tls: self.verify_tls,
            headers: headers.collect::<Option<Vec<_>>>()?,
        })
    }
}

fn join(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use pharos_egress::address_policy::AddressPolicy;

    use super::*;

    fn faults(change: impl FnOnce(&mut MonitorSettings)) -> Vec<String> {
        let hostname: Hostname = "shop.example".parse().unwrap();
        let regions = ["eu".to_owned()];
        let mut settings = MonitorSettings::defaults(&hostname, &regions);
        change(&mut settings);
        let policy = AddressPolicy::public();
        let around = Surroundings {
            hostname: &hostname,
            regions: &regions,
            policy: &policy,
        };
        let mut faults = Faults::default();
        settings.check(&around, &mut faults);
        let found = faults.or(|| ()).err().unwrap_or_default();
        found.into_iter().map(|fault| fault.pointer).collect()
    }

    #[test]
    fn the_defaults_are_valid() {
        assert_eq!(faults(|_| {}), Vec::<String>::new());
    }

    #[test]
    fn a_url_lies_on_the_domain() {
        assert!(faults(|settings| settings.url = "https://www.shop.example/cart?x=1".to_owned()).is_empty());
        for bad in [
            "https://other.example/",
            "https://shop.example.evil.example/",
            "https://user:pass@shop.example/",
            "https://shop.example/#top",
            "ftp://shop.example/",
            "/cart",
            "https://127.0.0.1/",
            "",
        ] {
            assert_eq!(
                faults(|settings| settings.url = bad.to_owned()),
                ["/url"],
                "{bad}"
            );
        }
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let found = faults(|settings| {
            settings.url = "https://user@other.example/#top".to_owned();
            settings.interval_seconds = 61;
            settings.timeout_seconds = 1;
            settings.regions = vec!["eu".to_owned(), "eu".to_owned(), "mars".to_owned()];
            settings.keyword = Some("in stock".to_owned());
            settings.sla_target_pct = Some(f64::NAN);
            settings
                .request_headers
                .0
                .insert("Host".to_owned(), "\n".to_owned());
        });
        let want = [
            "/url",
            "/url",
            "/url",
            "/keyword_mode",
            "/sla_target_pct",
            "/interval_seconds",
            "/timeout_seconds",
            "/regions/1",
            "/regions/2",
            "/request_headers/Host",
            "/request_headers/Host",
        ];
        assert_eq!(found, want);
    }

    #[test]
    fn the_values_of_headers_stay_out_of_debug() {
        let headers = RequestHeaders(BTreeMap::from([(
            "Authorization".to_owned(),
            "hunter2".to_owned(),
        )]));
        assert_eq!(format!("{headers:?}"), r#"{"Authorization"}"#);
    }
}
