//! Differences between one answer of the registry and the next.

use pharos_domain::{timestamp::Timestamp, wire_enum};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::Registration;

/// How many changes are remembered.
pub const REMEMBERED: usize = 20;

wire_enum! {
    /// The part of a registration that changed.
    RegistrationField {
        /// The registrar's name.
        Registrar = "registrar",
        /// The name servers.
        Nameservers = "nameservers",
        /// The statuses.
        Statuses = "statuses",
        /// The end.
        ExpiresAt = "expires_at",
    }
}

/// A change that was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistrationChange {
    /// When it was seen.
    #[serde(with = "time::serde::rfc3339")]
    pub detected_at: OffsetDateTime,
    /// The part that changed.
    pub field: RegistrationField,
    /// The value until then, lists with `, ` between their members; `None` where there was nothing.
    pub before: Option<String>,
    /// The value since, in the same form.
    pub after: Option<String>,
}

/// The newest [`REMEMBERED`] changes, the newest first, once `after` has taken the place of `before`. A first answer
/// changes nothing.
#[must_use]
pub fn remember(
    earlier: Vec<RegistrationChange>,
    before: Option<&Registration>,
    after: &Registration,
    detected_at: OffsetDateTime,
) -> Vec<RegistrationChange> {
    let Some(before) = before else {
        return earlier;
    };
    let seen = RegistrationField::ALL.iter().filter_map(|field| {
        let (before, after) = (text(before, *field), text(after, *field));
        (before != after).then_some(RegistrationChange {
            detected_at,
            field: *field,
            before,
            after,
        })
    });
    seen.chain(earlier).take(REMEMBERED).collect()
}

fn text(registration: &Registration, field: RegistrationField) -> Option<String> {
    match field {
        RegistrationField::Registrar => registration.registrar.name.clone(),
        RegistrationField::Nameservers => list(&registration.nameservers),
        RegistrationField::Statuses => list(registration.statuses.as_deref().unwrap_or_default()),
        RegistrationField::ExpiresAt => registration
            .expires_at
            .map(|end| Timestamp::from(end).to_string()),
    }
}

fn list(members: &[String]) -> Option<String> {
    (!members.is_empty()).then(|| members.join(", "))
}

#[cfg(test)]
mod tests {
    use time::{Duration, macros::datetime};

    use super::*;
    use crate::registration::Registrar;

    const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);

    fn registration() -> Registration {
        Registration {
            expires_at: Some(datetime!(2026-12-01 00:00:00 UTC)),
            registrar: Registrar {
                name: Some("Example Registrar".to_owned()),
                ..Registrar::default()
            },
            nameservers: vec!["ns1.shop.example".to_owned()],
            ..Registration::default()
        }
    }

    #[test]
    fn what_differs_is_seen_and_the_rest_is_not() {
        let before = registration();
        let mut after = registration();
        after.handle = Some("2138514".to_owned());
        after.nameservers.push("ns2.shop.example".to_owned());
        after.expires_at = None;
        let changes = remember(Vec::new(), Some(&before), &after, NOW);
        let seen: Vec<_> = changes
            .iter()
            .map(|change| (change.field, change.before.as_deref(), change.after.as_deref()))
            .collect();
        assert_eq!(
            seen,
            [
                (
                    RegistrationField::Nameservers,
                    Some("ns1.shop.example"),
                    Some("ns1.shop.example, ns2.shop.example")
                ),
                (RegistrationField::ExpiresAt, Some("2026-12-01T00:00:00Z"), None),
            ]
        );
        assert_eq!(remember(Vec::new(), None, &after, NOW), []);
        assert_eq!(remember(changes.clone(), Some(&after), &after, NOW), changes);
    }

    #[test]
    fn the_newest_twenty_are_remembered() {
        let mut changes = Vec::new();
        let mut before = registration();
        for day in 1..=25 {
            let mut after = before.clone();
            after.registrar.name = Some(format!("Registrar {day}"));
            changes = remember(changes, Some(&before), &after, NOW + Duration::days(day));
            before = after;
        }
        assert_eq!(changes.len(), REMEMBERED);
        assert_eq!(changes[0].after.as_deref(), Some("Registrar 25"));
        assert_eq!(changes[19].after.as_deref(), Some("Registrar 6"));
    }
}
