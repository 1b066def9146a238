//! The order of the domains, and which of them match a search.

use std::cmp::{Ordering, Reverse};

use pharos_account::domains::Domain;
use pharos_alerting::alert::Firing;
use pharos_domain::severity::Severity;
use pharos_uptime::{
    sites::{Attention, Site},
    status::State,
};

/// A domain with how its site stands.
pub(super) struct Listed {
    pub(super) domain: Domain,
    /// `None`: nothing monitors it.
    pub(super) site: Option<Site>,
    /// Its alerts that are in force.
    pub(super) firing: Option<Firing>,
}

/// The order of the domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The gravest first, then by name.
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

/// The group, whether nothing presses about the site itself, what does, how many alerts are in force.
type Rank = (u8, bool, Option<Attention>, Reverse<u32>);

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
        self.severity().is_some()
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

    /// The most pressing matter of the site itself.
    fn pressing(&self) -> Option<Attention> {
        self.site.as_ref()?.attention.first().copied()
    }

    /// The severity of the gravest matter, whichever module it is of; `None`: nothing needs attention.
    fn severity(&self) -> Option<Severity> {
        let of_site = self.pressing().map(Attention::severity);
        of_site.max(self.firing.as_ref().map(|firing| firing.severity))
    }

    /// The gravest first; then those that are well, those that are not checked, those that are not monitored. Among
    /// equally grave ones, a site's own state comes before its alerts, and many alerts before few.
    fn rank(&self) -> Rank {
        let group = match (self.severity(), &self.site) {
            (Some(Severity::Critical), _) => 0,
            (Some(Severity::Warning), _) => 1,
            (Some(Severity::Info), _) => 2,
            (None, Some(site)) if site.state != State::Paused => 3,
            (None, Some(_)) => 4,
            (None, None) => 5,
        };
        let pressing = self.pressing();
        let alerts = self.firing.as_ref().map_or(0, |firing| firing.count);
        (group, pressing.is_none(), pressing, Reverse(alerts))
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
            firing: None,
        }
    }

    /// The same with so many alerts in force, of which this is the severity of the gravest.
    fn firing(mut one: Listed, severity: Severity, count: u32) -> Listed {
        one.firing = Some(Firing {
            domain_id: one.domain.id,
            count,
            severity,
            title: String::new(),
            incident: None,
        });
        one
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
    fn alerts_of_all_modules_count_by_their_severity() {
        let up = |name| listed(name, Some(State::Up), &[], None);
        let ends = listed(
            "ends.example",
            Some(State::Up),
            &[Attention::CertificateEnds(3)],
            None,
        );
        let mut all = vec![
            up("well.example"),
            firing(up("told.example"), Severity::Info, 9),
            firing(up("warned.example"), Severity::Warning, 1),
            firing(up("often.example"), Severity::Warning, 2),
            ends,
            firing(listed("alone.example", None, &[], None), Severity::Critical, 1),
            listed("down.example", Some(State::Down), &[Attention::Down], None),
        ];
        assert_eq!(all.iter().filter(|one| one.needs_attention()).count(), 6);
        Order::Attention.sort(&mut all);
        let names: Vec<&str> = all
            .iter()
            .map(|one| one.name().trim_end_matches(".example"))
            .collect();
        assert_eq!(
            names,
            ["down", "alone", "ends", "often", "warned", "told", "well"]
        );
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
