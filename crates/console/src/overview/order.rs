//! The order of the domains, and which of them match a search.

use std::cmp::Ordering;

use pharos_account::domains::Domain;
use pharos_uptime::{
    sites::{Attention, Site},
    status::State,
};

/// A domain with how its site stands.
pub(super) struct Listed {
    pub(super) domain: Domain,
    /// `None`: nothing monitors it.
    pub(super) site: Option<Site>,
}

/// The order of the domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The most pressing first, then by name.
    Attention,
    /// By name.
    Name,
    /// The least available first.
    Availability,
    /// The slowest first.
    Response,
}

impl Order {
    pub(super) fn parse(text: &str) -> Self {
        match text {
            "name" => Self::Name,
            "availability" => Self::Availability,
            "response" => Self::Response,
            _ => Self::Attention,
        }
    }

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Attention => "attention",
            Self::Name => "name",
            Self::Availability => "availability",
            Self::Response => "response",
        }
    }

    pub(super) fn direction(self) -> &'static str {
        match self {
            Self::Attention | Self::Response => "descending",
            Self::Name | Self::Availability => "ascending",
        }
    }

    pub(super) fn sort(self, listed: &mut Vec<Listed>) {
        // Each name is put into lower case once, and not with each comparison.
        let mut named: Vec<(String, Listed)> = listed
            .drain(..)
            .map(|one| (one.name().to_lowercase(), one))
            .collect();
        named.sort_by(|(a_name, a), (b_name, b)| {
            let order = match self {
                Self::Name => Ordering::Equal,
                Self::Attention => a.rank().cmp(&b.rank()),
                Self::Availability => first(a.uptime(), b.uptime(), false),
                Self::Response => first(a.response(), b.response(), true),
            };
            order.then_with(|| a_name.cmp(b_name))
        });
        listed.extend(named.into_iter().map(|(_, one)| one));
    }
}

/// Figures in order; what was not measured comes last.
fn first(a: Option<f64>, b: Option<f64>, is_highest_first: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if is_highest_first => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

impl Listed {
    /// The name that people know it by.
    pub(super) fn name(&self) -> &str {
        let given = self.domain.display_name.as_deref();
        given.unwrap_or(self.domain.hostname.as_str())
    }

    pub(super) fn is_down(&self) -> bool {
        self.site.as_ref().is_some_and(|site| site.state == State::Down)
    }

    pub(super) fn needs_attention(&self) -> bool {
        self.site.as_ref().is_some_and(|site| !site.attention.is_empty())
    }

    pub(super) fn matches(&self, search: &str) -> bool {
        let search = search.to_lowercase();
        self.name().to_lowercase().contains(&search) || self.domain.hostname.as_str().contains(&search)
    }

    fn uptime(&self) -> Option<f64> {
        self.site.as_ref()?.uptime_pct
    }

    fn response(&self) -> Option<f64> {
        self.site.as_ref()?.last_response_ms
    }

    /// The most pressing thing; then those that are well, those that are not checked, those that are not monitored.
    fn rank(&self) -> (u8, Option<Attention>) {
        let Some(site) = &self.site else {
            return (3, None);
        };
        match site.attention.first() {
            Some(attention) => (0, Some(*attention)),
            None if site.state == State::Paused => (2, None),
            None => (1, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::ids::{DomainId, WorkspaceId};
    use time::macros::datetime;

    use super::*;

    fn listed(name: &str, state: Option<State>, attention: &[Attention], uptime_pct: Option<f64>) -> Listed {
        Listed {
            domain: Domain {
                id: DomainId::generate(),
                workspace_id: WorkspaceId::generate(),
                hostname: name.parse().unwrap(),
                display_name: None,
                verified: false,
                timezone_hint: None,
                active_modules: None,
                created_at: datetime!(2026-03-31 09:15 UTC),
            },
            site: state.map(|state| Site {
                state,
                since: None,
                uptime_pct,
                last_response_ms: None,
                open_incident: None,
                attention: attention.to_vec(),
            }),
        }
    }

    fn sorted(order: Order) -> Vec<String> {
        let mut all = vec![
            listed("none.example", None, &[], None),
            listed("up.example", Some(State::Up), &[], Some(100.0)),
            listed("also.example", Some(State::Up), &[], Some(99.0)),
            listed("paused.example", Some(State::Paused), &[], None),
            listed(
                "ends.example",
                Some(State::Up),
                &[Attention::CertificateEnds(3)],
                Some(99.9),
            ),
            listed("down.example", Some(State::Down), &[Attention::Down], Some(90.0)),
        ];
        order.sort(&mut all);
        all.iter().map(|one| one.name().replace(".example", "")).collect()
    }

    #[test]
    fn what_is_pressing_comes_first_and_what_is_unknown_last() {
        assert_eq!(
            sorted(Order::Attention),
            ["down", "ends", "also", "up", "paused", "none"]
        );
        assert_eq!(
            sorted(Order::Name),
            ["also", "down", "ends", "none", "paused", "up"]
        );
        assert_eq!(
            sorted(Order::Availability),
            ["down", "also", "ends", "up", "none", "paused"]
        );
    }
}
