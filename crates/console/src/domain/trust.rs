//! Certificate and registration of a domain.

use maud::{Markup, html};
use pharos_uptime::{
    certificate::{
        store::CertificateKnowledge,
        verdict::{CertificateState, findings, state},
    },
    registration::{RegistrationState, store::MonitoredRegistration},
};
use time::OffsetDateTime;

use crate::{
    page::moment,
    parts::{
        facts::facts,
        mark::{self, Tone},
    },
    shown::shown,
    words::in_days,
};

pub(super) fn certificate(known: Option<&CertificateKnowledge>, now: OffsetDateTime) -> Markup {
    let last = known.and_then(|known| Some((known, known.last.as_ref()?)));
    html! {
        section.card aria-labelledby="certificate-head" {
            h2 id="certificate-head" { "Certificate" }
            @match last {
                None => p.none { "No check has seen one yet." },
                Some((known, last)) => {
                    @let certificate = last.sighting.certificate();
                    (facts([
                        ("State", Some(certificate_state(state(&last.sighting, &known.warn_days, now)))),
                        ("Ends", certificate.map(|one| html! { (moment(one.valid_until)) ", " (in_days(one.days_remaining(now))) })),
                        ("For", certificate.map(|one| html! { bdi { (shown(&names(&one.subject_alt_names, one.subject_alt_names_count))) } })),
                        ("Issuer", certificate.and_then(|one| one.issuer_organization.as_deref().or(one.issuer_common_name.as_deref())).map(|issuer| html! { bdi { (shown(issuer)) } })),
                        ("Seen", Some(moment(last.checked_at))),
                    ]))
                    @for finding in findings(&last.sighting, now) {
                        @if finding.passed == Some(false) && let Some(detail) = &finding.detail { p { (mark::state(Tone::Warn, "Check")) " " (shown(detail)) } }
                    }
                }
            }
        }
    }
}

/// The first names of a certificate, and how many there are beside them.
fn names(names: &[String], count: u32) -> String {
    let first = names
        .iter()
        .take(3)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    match usize::try_from(count)
        .unwrap_or(usize::MAX)
        .saturating_sub(names.len().min(3))
    {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

fn certificate_state(state: CertificateState) -> Markup {
    let (tone, word) = match state {
        CertificateState::Valid => (Tone::Good, "Valid"),
        CertificateState::ExpiringSoon => (Tone::Warn, "Ends soon"),
        CertificateState::Expired => (Tone::Bad, "Expired"),
        CertificateState::NotYetValid => (Tone::Bad, "Not valid yet"),
        CertificateState::NameMismatch => (Tone::Bad, "For other names"),
        CertificateState::Untrusted => (Tone::Bad, "Not trusted"),
        CertificateState::SelfSigned => (Tone::Bad, "Self-signed"),
        CertificateState::Unreachable => (Tone::Calm, "None was presented"),
        CertificateState::None => (Tone::Calm, "Plain http, no certificate"),
    };
    mark::state(tone, word)
}

pub(super) fn registration(known: Option<&MonitoredRegistration>, now: OffsetDateTime) -> Markup {
    let answer = known.and_then(|known| {
        let registration = known.known.as_ref()?;
        let (answer, at) = registration.answer.as_ref()?;
        Some((known, registration, answer, *at))
    });
    html! {
        section.card aria-labelledby="registration-head" {
            h2 id="registration-head" { "Registration" }
            @match answer {
                None => p.none { "No registry has answered yet." },
                Some((known, registration, answer, at)) => {
                    (facts([
                        ("State", Some(registration_state(answer.state(&known.warn_days, now)))),
                        ("Name", Some(html! { bdi { (registration.name.as_str()) } })),
                        ("Ends", answer.expires_at.map(|end| html! { (moment(end)) @if let Some(days) = answer.days_remaining(now) { ", " (in_days(days)) } })),
                        ("Registrar", answer.registrar.name.as_deref().map(|name| html! { bdi { (shown(name)) } })),
                        ("Asked", Some(moment(at))),
                    ]))
                }
            }
        }
    }
}

fn registration_state(state: RegistrationState) -> Markup {
    let (tone, word) = match state {
        RegistrationState::Active => (Tone::Good, "Active"),
        RegistrationState::ExpiringSoon => (Tone::Warn, "Ends soon"),
        RegistrationState::Expired => (Tone::Bad, "Expired"),
        RegistrationState::Redemption => (Tone::Bad, "Deleted, can be restored"),
        RegistrationState::PendingDelete => (Tone::Bad, "About to be purged"),
        RegistrationState::Unknown => (Tone::Calm, "Not known"),
    };
    mark::state(tone, word)
}
