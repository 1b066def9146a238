//! Words for people: states, incidents and other facts of sites.

use maud::Markup;
use pharos_domain::module::Module;
use pharos_pictures::figure::number;
use pharos_uptime::{
    incident::{IncidentClass, IncidentEvent, Severity},
    sites::Attention,
    status::State,
};
use time::Duration;

use crate::parts::mark::{self, Tone};

/// The name of a module, as its tab has it where it has one.
pub(crate) const fn module(module: Module) -> &'static str {
    match module {
        Module::Uptime => "Monitoring",
        Module::Rum => "Vitals",
        Module::Crux => "Field data",
        Module::Synthetic => "Lab",
        Module::Gsc => "Search",
        Module::Indexing => "Google index",
        Module::Robots => "robots.txt",
        Module::Sitemap => "Sitemaps",
        Module::Analytics => "Visitors",
        Module::Alerts => "Alerts",
        Module::Notifications => "Notifications",
        Module::Reports => "Reports",
        Module::Credits => "Credits",
        Module::Platform => "Workspace and domains",
    }
}

/// The mark of a state.
pub(crate) fn state(state: State) -> Markup {
    let (tone, word) = match state {
        State::Up => (Tone::Good, "Up"),
        State::Down => (Tone::Bad, "Down"),
        State::Degraded => (Tone::Warn, "Slow"),
        State::Blocked => (Tone::Warn, "Blocked"),
        State::Maintenance => (Tone::Planned, "Maintenance"),
        State::Paused => (Tone::Calm, "Paused"),
        State::Pending => (Tone::Calm, "Waiting for a first check"),
        State::Unknown => (Tone::Calm, "Not known"),
    };
    mark::state(tone, word)
}

/// Something that needs attention.
pub(crate) fn attention(attention: Attention) -> String {
    match attention {
        Attention::Down => "Down".to_owned(),
        Attention::Blocked => "Refuses the prober".to_owned(),
        Attention::Refused => "Its address is not allowed".to_owned(),
        Attention::Degraded => "Slow".to_owned(),
        Attention::Silent => "Checks are overdue".to_owned(),
        Attention::CertificateExpired => "Certificate has expired".to_owned(),
        Attention::RegistrationExpired => "Registration has expired".to_owned(),
        Attention::CertificateEnds(days) => format!("Certificate ends {}", in_days(days)),
        Attention::RegistrationEnds(days) => format!("Registration ends {}", in_days(days)),
    }
}

/// So many whole days from now.
pub(crate) fn in_days(days: i64) -> String {
    match days {
        ..-1 => format!("{} days ago", number(-days as f64, 0)),
        -1 => "a day ago".to_owned(),
        0 => "today".to_owned(),
        1 => "in a day".to_owned(),
        _ => format!("in {} days", number(days as f64, 0)),
    }
}

/// The class of an incident.
pub(crate) fn class(class: IncidentClass) -> &'static str {
    match class {
        IncidentClass::Dns => "Name not found",
        IncidentClass::Connect => "Connection refused",
        IncidentClass::Timeout => "No answer in time",
        IncidentClass::Tls => "Certificate or TLS",
        IncidentClass::Http4xx => "Client error (4xx)",
        IncidentClass::Http5xx => "Server error (5xx)",
        IncidentClass::Blocked403 => "Forbidden (403)",
        IncidentClass::Keyword => "Keyword",
        IncidentClass::Redirect => "Endless redirects",
        IncidentClass::Content => "Unreadable content",
        IncidentClass::Unknown => "Other",
    }
}

/// The mark of an incident.
pub(crate) fn incident(severity: Severity, is_open: bool) -> Markup {
    match (severity, is_open) {
        (Severity::Outage, true) => mark::state(Tone::Bad, "Outage, open"),
        (Severity::Degraded, true) => mark::state(Tone::Warn, "Blocked, open"),
        (Severity::Outage, false) => mark::state(Tone::Calm, "Outage, over"),
        (Severity::Degraded, false) => mark::state(Tone::Calm, "Blocked, over"),
    }
}

/// A turn in the course of an incident.
pub(crate) fn event(event: IncidentEvent) -> &'static str {
    match event {
        IncidentEvent::FirstFailure => "The first check failed",
        IncidentEvent::Confirmed => "The outage was confirmed",
        IncidentEvent::RegionAdded => "Another region saw it",
        IncidentEvent::RegionRecovered => "A region sees the site again",
        IncidentEvent::Recovered => "The site recovered",
    }
}

/// How long something took: the two largest units.
pub(crate) fn length(length: Duration) -> String {
    let seconds = length.whole_seconds().max(0);
    let parts = [
        (seconds / 86_400, "d"),
        (seconds / 3_600 % 24, "h"),
        (seconds / 60 % 60, "min"),
        (seconds % 60, "s"),
    ];
    let first = parts.iter().position(|(count, _)| *count > 0).unwrap_or(3);
    let shown: Vec<String> = parts[first..]
        .iter()
        .take(2)
        .filter(|(count, _)| *count > 0)
        .map(|(count, unit)| format!("{count} {unit}"))
        .collect();
    if shown.is_empty() {
        "0 s".to_owned()
    } else {
        shown.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_two_units_at_most() {
        for (seconds, expected) in [
            (0, "0 s"),
            (59, "59 s"),
            (60, "1 min"),
            (185, "3 min 5 s"),
            (3_600, "1 h"),
            (90_061, "1 d 1 h"),
            (86_461, "1 d"),
            (-5, "0 s"),
        ] {
            assert_eq!(length(Duration::seconds(seconds)), expected);
        }
    }

    #[test]
    fn days_are_said_as_people_say_them() {
        for (days, expected) in [
            (-3, "3 days ago"),
            (-1, "a day ago"),
            (0, "today"),
            (1, "in a day"),
            (1_200, "in 1,200 days"),
        ] {
            assert_eq!(in_days(days), expected);
        }
    }
}
