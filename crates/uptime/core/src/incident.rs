//! Outages: their names, and what is stored of them.

use std::{collections::BTreeMap, net::IpAddr};

use pharos_domain::{
    ids::{DomainId, IncidentId},
    wire_enum,
};
use serde::{Deserialize, Deserializer, Serialize};
use time::OffsetDateTime;

use crate::{check::Check, error_class::ErrorClass};

wire_enum! {
    /// The kind of failure that an incident began with.
    IncidentClass {
        /// The name could not be looked up.
        Dns = "dns",
        /// The connection was refused or broken off.
        Connect = "connect",
        /// No connection, or no answer, in time.
        Timeout = "timeout",
        /// The TLS handshake failed, or the certificate is not to be trusted.
        Tls = "tls",
        /// A status of 400 to 499 other than 403.
        Http4xx = "http_4xx",
        /// A status of 500 to 599.
        Http5xx = "http_5xx",
        /// 403: often only the prober is blocked.
        Blocked403 = "blocked_403",
        /// The keyword is missing, or is there and should not be.
        Keyword = "keyword",
        /// The redirects do not end.
        Redirect = "redirect",
        /// The body could not be judged.
        Content = "content",
        /// None of the others.
        Unknown = "unknown",
    }
}

impl IncidentClass {
    /// The class that is stored under this name; [`Self::Unknown`] where only a later version knows it: nodes are upgraded one by
    /// one.
    #[must_use]
    pub fn named(name: &str) -> Self {
        name.parse().unwrap_or(Self::Unknown)
    }

    /// The class of a failing check.
    #[must_use]
    pub fn of(error: Option<ErrorClass>, status_code: Option<u16>) -> Self {
        match error {
            Some(ErrorClass::DnsNxdomain | ErrorClass::DnsServfail | ErrorClass::DnsTimeout) => Self::Dns,
            Some(ErrorClass::ConnectionRefused | ErrorClass::ConnectionReset) => Self::Connect,
            Some(ErrorClass::ConnectTimeout | ErrorClass::ReadTimeout) => Self::Timeout,
            Some(
                ErrorClass::TlsHandshake
                | ErrorClass::TlsExpired
                | ErrorClass::TlsNameMismatch
                | ErrorClass::TlsUntrusted,
            ) => Self::Tls,
            Some(ErrorClass::HttpStatus) => match status_code {
                Some(403) => Self::Blocked403,
                Some(400..=499) => Self::Http4xx,
                Some(500..=599) => Self::Http5xx,
                _ => Self::Unknown,
            },
            Some(ErrorClass::KeywordMissing | ErrorClass::KeywordPresent) => Self::Keyword,
            Some(ErrorClass::TooManyRedirects) => Self::Redirect,
            Some(ErrorClass::BodyTooLarge) => Self::Content,
            Some(ErrorClass::Unknown) | None => Self::Unknown,
        }
    }
}

wire_enum! {
    /// How bad an incident is.
    Severity as "IncidentSeverity" {
        /// The site is down.
        Outage = "outage",
        /// The site refuses the prober, while others get answers: no downtime.
        Degraded = "degraded",
    }
}

wire_enum! {
    /// Whether an incident is over.
    IncidentStatus {
        /// It goes on.
        Open = "open",
        /// It ended.
        Resolved = "resolved",
    }
}

wire_enum! {
    /// A turn in the course of an incident.
    IncidentEvent {
        /// The first check failed.
        FirstFailure = "first_failure",
        /// The confirmation rule was met.
        Confirmed = "confirmed",
        /// Another region saw the site down.
        RegionAdded = "region_added",
        /// A region sees the site up again.
        RegionRecovered = "region_recovered",
        /// The recovery rule was met.
        Recovered = "recovered",
    }
}

/// The first failing check of a region's failures up to now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// When it began.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// The kind of the failure, which an incident that begins with it has.
    #[serde(deserialize_with = "stored_class")]
    pub class: IncidentClass,
    /// The status of the answer; `None` without one.
    pub status_code: Option<u16>,
    /// The reason in words, as the check has it.
    pub error_message: Option<String>,
    /// The address that answered.
    pub ip_address: Option<IpAddr>,
    /// Its headers that tell who answered: `server`, `via`, `cf-ray`, `retry-after`.
    #[serde(default)]
    pub response_headers: BTreeMap<String, String>,
}

fn stored_class<'de, D: Deserializer<'de>>(stored: D) -> Result<IncidentClass, D::Error> {
    String::deserialize(stored).map(|name| IncidentClass::named(&name))
}

impl Failure {
    /// The part of a failed check that is kept.
    #[must_use]
    pub fn of(check: &Check, response_headers: BTreeMap<String, String>) -> Self {
        Self {
            at: check.checked_at,
            class: IncidentClass::of(check.error_class, check.status_code),
            status_code: check.status_code,
            error_message: check.error_message.clone(),
            ip_address: check.ip_address,
            response_headers,
        }
    }
}

/// An outage.
#[derive(Clone, Debug, PartialEq)]
pub struct Incident {
    /// Ordered by the time that it was opened at.
    pub id: IncidentId,
    /// The domain whose site was not as expected.
    pub domain_id: DomainId,
    /// The class of its first failing check.
    pub class: IncidentClass,
    /// How bad it is.
    pub severity: Severity,
    /// Its first failing check.
    pub started_at: OffsetDateTime,
    /// The check that confirmed it.
    pub confirmed_at: OffsetDateTime,
    /// Its first passing check; `None` while it goes on.
    pub resolved_at: Option<OffsetDateTime>,
    /// The regions that saw it, in that order.
    pub regions_affected: Vec<String>,
    /// The status of its first failing check.
    pub status_code: Option<u16>,
    /// The error of its first failing check in words.
    pub error_message: Option<String>,
    /// How many checks failed in its course, those before its confirmation included.
    pub checks_failed: u32,
    /// Whether a check failed within a maintenance window meanwhile.
    pub during_maintenance: bool,
}

impl Incident {
    /// Whether it is over.
    #[must_use]
    pub fn status(&self) -> IncidentStatus {
        match self.resolved_at {
            None => IncidentStatus::Open,
            Some(_) => IncidentStatus::Resolved,
        }
    }
}

/// The regions of an incident, each once, in the order of their first mention: one that recovered and failed again was named
/// twice.
#[must_use]
pub fn each_once(named: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut regions: Vec<String> = Vec::new();
    for region in named {
        if !regions.contains(&region) {
            regions.push(region);
        }
    }
    regions
}

/// How many incidents there are of each class. `counted` are those among the newest of all. The requested class is read by
/// itself, so more of it may be `listed`. If nothing was left unread, a class that was not seen counts 0.
#[must_use]
pub fn class_counts(
    mut counted: BTreeMap<IncidentClass, u32>,
    listed: Option<(IncidentClass, u32)>,
    is_truncated: bool,
) -> BTreeMap<IncidentClass, u32> {
    if let Some((class, count)) = listed.filter(|(_, count)| *count > 0) {
        counted.insert(class, count);
    }
    if !is_truncated {
        for class in IncidentClass::ALL {
            counted.entry(*class).or_insert(0);
        }
    }
    counted
}

/// A moment in the course of an incident.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineEntry {
    /// The time of the check that showed it, or of the pause that ended the incident.
    pub at: OffsetDateTime,
    /// The turn that it took.
    pub event: IncidentEvent,
    /// The region that saw it; `None` where none in particular did.
    pub region: Option<String>,
    /// More about it, in words.
    pub detail: Option<String>,
}

/// An incident with its course.
#[derive(Clone, Debug)]
pub struct IncidentDetail {
    /// The incident as lists show it.
    pub incident: Incident,
    /// Its course, in order.
    pub timeline: Vec<TimelineEntry>,
    /// Its first failing checks.
    pub checks: Vec<Check>,
    /// The headers of the first failing answer that tell who answered; empty without an answer.
    pub response_headers: BTreeMap<String, String>,
    /// The address that it came from.
    pub resolved_ip: Option<IpAddr>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_that_failed_again_is_named_once() {
        let named = ["us", "eu", "us"].map(str::to_owned);
        assert_eq!(each_once(named), ["us", "eu"]);
    }

    #[test]
    fn counts_claim_no_more_than_was_read() {
        let counted = BTreeMap::from([(IncidentClass::Dns, 3), (IncidentClass::Tls, 1)]);
        let all = class_counts(counted.clone(), None, false);
        assert_eq!(all.len(), IncidentClass::ALL.len());
        assert_eq!((all[&IncidentClass::Dns], all[&IncidentClass::Http5xx]), (3, 0));
        let listed = Some((IncidentClass::Tls, 9));
        let some = class_counts(counted.clone(), listed, true);
        let expected = BTreeMap::from([(IncidentClass::Dns, 3), (IncidentClass::Tls, 9)]);
        assert_eq!(some, expected);
        let none = class_counts(counted.clone(), Some((IncidentClass::Http4xx, 0)), true);
        assert_eq!(
            none, counted,
            "a class that may be there is not said to have none"
        );
    }

    #[test]
    fn every_error_class_has_an_incident_class() {
        let named = |class, status| IncidentClass::of(Some(class), status).as_str();
        assert_eq!(named(ErrorClass::DnsTimeout, None), "dns");
        assert_eq!(named(ErrorClass::ConnectionReset, None), "connect");
        assert_eq!(named(ErrorClass::ConnectTimeout, None), "timeout");
        assert_eq!(named(ErrorClass::TlsExpired, None), "tls");
        assert_eq!(named(ErrorClass::HttpStatus, Some(403)), "blocked_403");
        assert_eq!(named(ErrorClass::HttpStatus, Some(404)), "http_4xx");
        assert_eq!(named(ErrorClass::HttpStatus, Some(503)), "http_5xx");
        assert_eq!(named(ErrorClass::HttpStatus, Some(204)), "unknown");
        assert_eq!(named(ErrorClass::KeywordMissing, Some(200)), "keyword");
        assert_eq!(named(ErrorClass::TooManyRedirects, Some(302)), "redirect");
        assert_eq!(named(ErrorClass::BodyTooLarge, Some(200)), "content");
        assert_eq!(IncidentClass::of(None, None).as_str(), "unknown");
    }
}
