//! The domain object of an answer (RFC 9083, section 5.3), and what is kept of it.

use pharos_domain::{hostname::Hostname, timestamp::in_utc};
use serde::Deserialize;
use serde_json::Value;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

use super::{RdapError, jcard};
use crate::registration::{Registrar, Registration};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DomainObject {
    #[serde(rename = "objectClassName")]
    _class: ClassName,
    ldh_name: Option<String>,
    unicode_name: Option<String>,
    handle: Option<String>,
    status: Option<Vec<String>>,
    events: Option<Vec<Event>>,
    entities: Option<Vec<Entity>>,
    nameservers: Option<Vec<Nameserver>>,
    #[serde(rename = "secureDNS")]
    secure_dns: Option<SecureDns>,
}

/// The class that a domain's answer has.
#[derive(Deserialize)]
enum ClassName {
    #[serde(rename = "domain")]
    Domain,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    event_action: Option<String>,
    event_date: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entity {
    roles: Option<Vec<String>>,
    vcard_array: Option<Value>,
    public_ids: Option<Vec<PublicId>>,
    links: Option<Vec<RdapLink>>,
    entities: Option<Vec<Entity>>,
}

#[derive(Deserialize)]
struct PublicId {
    #[serde(rename = "type")]
    kind: Option<String>,
    identifier: Option<Value>,
}

#[derive(Deserialize)]
struct RdapLink {
    rel: Option<String>,
    href: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Nameserver {
    ldh_name: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SecureDns {
    delegation_signed: Option<bool>,
    ds_data: Option<Vec<Value>>,
}

/// Reads from an answer about `name` the members that are kept.
pub(super) fn parse(body: &[u8], name: &Hostname, source_url: String) -> Result<Registration, RdapError> {
    let object: DomainObject = serde_json::from_slice(body)
        .map_err(|error| RdapError::malformed("an RDAP domain (RFC 9083)", error))?;
    let named = [&object.ldh_name, &object.unicode_name]
        .into_iter()
        .flatten()
        .next();
    if named.and_then(|named| named.parse().ok()).as_ref() != Some(name) {
        let named = named.map_or("nothing", String::as_str);
        return Err(RdapError::AnotherName(named.chars().take(253).collect()));
    }
    let event = |action| latest(object.events.as_deref().unwrap_or_default(), action);
    let (dnssec_signed, ds_records_count) = object.secure_dns.as_ref().map_or((None, None), dnssec);
    Ok(Registration {
        unicode_name: object
            .unicode_name
            .clone()
            .filter(|unicode| unicode.parse().ok().as_ref() == Some(name)),
        handle: object.handle.clone().filter(|handle| !handle.is_empty()),
        registered_at: event("registration"),
        expires_at: event("expiration").or_else(|| event("registrar expiration")),
        last_changed_at: event("last changed"),
        transferred_at: event("transfer"),
        rdap_updated_at: event("last update of RDAP database"),
        statuses: object.status.as_deref().map(statuses),
        registrar: registrar(object.entities.as_deref().unwrap_or_default()),
        nameservers: nameservers(object.nameservers.as_deref().unwrap_or_default()),
        dnssec_signed,
        ds_records_count,
        source_url,
    })
}

/// The last time of an action. One that is no time, or none of ours, is left out.
fn latest(events: &[Event], action: &str) -> Option<OffsetDateTime> {
    events
        .iter()
        .filter(|event| {
            let named = event.event_action.as_deref();
            named.is_some_and(|named| named.eq_ignore_ascii_case(action))
        })
        .filter_map(|event| in_utc(OffsetDateTime::parse(event.event_date.as_deref()?, &Rfc3339).ok()?))
        .max()
}

fn statuses(statuses: &[String]) -> Vec<String> {
    sorted(statuses.iter().map(|status| snake_case(status)))
}

/// `client transfer prohibited` (RFC 8056), and `clientTransferProhibited`, as some servers have it from EPP.
fn snake_case(status: &str) -> String {
    let mut name = String::with_capacity(status.len());
    for letter in status.trim().chars() {
        if letter.is_ascii_uppercase() && name.ends_with(|before: char| before.is_ascii_lowercase()) {
            name.push('_');
        }
        match letter {
            ' ' | '-' | '_' if name.ends_with('_') => {}
            ' ' | '-' => name.push('_'),
            letter => name.push(letter.to_ascii_lowercase()),
        }
    }
    name
}

fn nameservers(nameservers: &[Nameserver]) -> Vec<String> {
    let names = nameservers.iter().filter_map(|server| server.ldh_name.as_deref());
    sorted(names.map(|name| name.trim_end_matches('.').to_ascii_lowercase()))
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn dnssec(secure: &SecureDns) -> (Option<bool>, Option<u32>) {
    let count = match &secure.ds_data {
        Some(records) => u32::try_from(records.len()).ok(),
        // Signed with keys (keyData) instead, or not said.
        None => secure.delegation_signed.filter(|signed| !signed).map(|_| 0),
    };
    (secure.delegation_signed, count)
}

impl Entity {
    fn is(&self, role: &str) -> bool {
        self.roles
            .iter()
            .flatten()
            .any(|named| named.eq_ignore_ascii_case(role))
    }

    fn text(&self, property: &str) -> Option<String> {
        jcard::text(self.vcard_array.as_ref()?, property)
    }

    fn members(&self) -> &[Entity] {
        self.entities.as_deref().unwrap_or_default()
    }
}

/// The registrar, and its contact for abuse. The domain's own contacts are never looked at, not even where one has the
/// role of the registrar besides.
fn registrar(entities: &[Entity]) -> Registrar {
    let others = || {
        entities.iter().filter(|entity| {
            !["registrant", "administrative", "technical", "billing"]
                .iter()
                .any(|role| entity.is(role))
        })
    };
    let registrar = others().find(|entity| entity.is("registrar"));
    let members = registrar.map_or(&[][..], Entity::members);
    let abuse = members
        .iter()
        .filter(|entity| !entity.is("registrant"))
        .chain(others())
        .find(|entity| entity.is("abuse"));
    Registrar {
        name: registrar.and_then(|entity| entity.text("fn").or_else(|| entity.text("org"))),
        iana_id: registrar.and_then(iana_id),
        url: registrar.and_then(website),
        abuse_email: abuse.and_then(|entity| entity.text("email")),
    }
}

fn iana_id(registrar: &Entity) -> Option<String> {
    let ids = registrar.public_ids.as_deref().unwrap_or_default();
    let id = ids.iter().find(|id| {
        let kind = id.kind.as_deref();
        kind.is_some_and(|kind| kind.eq_ignore_ascii_case("IANA Registrar ID"))
    })?;
    match id.identifier.as_ref()? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The link that is about the registrar; `self` and `related` lead to RDAP servers.
fn website(registrar: &Entity) -> Option<String> {
    let links = registrar.links.as_deref().unwrap_or_default();
    let about = links.iter().find(|link| link.rel.as_deref() == Some("about"));
    about
        .and_then(|link| link.href.clone())
        .or_else(|| registrar.text("url"))
        .filter(|url| url.starts_with("https://") || url.starts_with("http://"))
}

#[cfg(test)]
mod tests;
