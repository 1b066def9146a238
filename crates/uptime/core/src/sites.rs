//! The sites of a workspace side by side: how each stands, and what needs attention.

use std::collections::HashMap;

use pharos_domain::{
    identity::WorkspaceAccess,
    ids::{DomainId, IncidentId},
    severity::Severity,
    store::StoreError,
    window::DateRange,
};
use time::OffsetDateTime;

use crate::{
    alert_metrics::MetricStore,
    availability::past::Past,
    knowledge::MonitorKnowledge,
    registration::days_between,
    state::RegionState,
    status::{State, state},
};

/// How a site stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// The state now.
    pub state: State,
    /// Since when it is in it.
    pub since: Option<OffsetDateTime>,
    /// Availability of the window in percent; `None` where nothing was observed.
    pub uptime_pct: Option<f64>,
    /// The time of the last check in milliseconds; `None` where it failed.
    pub last_response_ms: Option<f64>,
    /// The incident that is open.
    pub open_incident: Option<IncidentId>,
    /// Matters that need attention, the gravest first.
    pub attention: Vec<Attention>,
}

/// Something about a site that somebody should look at. The order is that of how pressing it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attention {
    /// The site is down.
    Down,
    /// The certificate is over.
    CertificateExpired,
    /// The registration of the name is over.
    RegistrationExpired,
    /// The site refuses the prober.
    Blocked,
    /// Pharos may not go to the site's address.
    Refused,
    /// The site is slow.
    Degraded,
    /// Checks are overdue.
    Silent,
    /// The certificate ends in so many days.
    CertificateEnds(i64),
    /// The registration ends in so many days.
    RegistrationEnds(i64),
}

impl Attention {
    /// How bad it is, by the measure of alerts. None is worse than one before it in their order.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Self::Down | Self::CertificateExpired | Self::RegistrationExpired => Severity::Critical,
            Self::Blocked
            | Self::Refused
            | Self::Degraded
            | Self::Silent
            | Self::CertificateEnds(_)
            | Self::RegistrationEnds(_) => Severity::Warning,
        }
    }
}

impl Site {
    /// How a site stands that is known so.
    #[must_use]
    pub fn of(known: &MonitorKnowledge, window: DateRange, now: OffsetDateTime) -> Self {
        let (state, since) = state(known, now);
        let past = Past::new(known, now);
        Self {
            state,
            since,
            uptime_pct: past.availability(window.time_range()).uptime_pct(),
            last_response_ms: known.newest().and_then(RegionState::passed_in_ms),
            open_incident: known.open_incident().map(|open| open.id),
            attention: attention(known, state, now),
        }
    }
}

fn attention(known: &MonitorKnowledge, state: State, now: OffsetDateTime) -> Vec<Attention> {
    let settings = &known.monitor.settings;
    if !settings.enabled {
        return Vec::new();
    }
    let is_refused = |newest: &RegionState| newest.is_refused() && now <= newest.holds_until(settings);
    let of_state = match state {
        State::Down => Some(Attention::Down),
        State::Blocked => Some(Attention::Blocked),
        State::Degraded => Some(Attention::Degraded),
        State::Unknown if known.newest().is_some_and(is_refused) => Some(Attention::Refused),
        State::Unknown => Some(Attention::Silent),
        State::Up | State::Paused | State::Maintenance | State::Pending => None,
    };
    let ending = |end: Option<OffsetDateTime>, warn_days: &[u32], over, ends: fn(i64) -> Attention| {
        let days = days_between(now, end?);
        let warns = warn_days.iter().any(|warn| days <= i64::from(*warn));
        match days {
            ..0 => Some(over),
            _ => warns.then(|| ends(days)),
        }
    };
    let certificate = ending(
        known.certificate_ends_at(),
        &settings.ssl_warn_days,
        Attention::CertificateExpired,
        Attention::CertificateEnds,
    );
    let registration = ending(
        known.registration_ends_at,
        &settings.domain_warn_days,
        Attention::RegistrationExpired,
        Attention::RegistrationEnds,
    );
    let mut all: Vec<Attention> = [of_state, certificate, registration]
        .into_iter()
        .flatten()
        .collect();
    all.sort_unstable();
    all
}

/// How all sites of a workspace stand, with availability over `window`. Domains without a monitor are left out. The number of
/// statements does not depend on that of domains.
///
/// # Errors
/// The store failed.
pub async fn sites(
    store: &dyn MetricStore,
    workspace: &WorkspaceAccess,
    window: DateRange,
    now: OffsetDateTime,
) -> Result<HashMap<DomainId, Site>, StoreError> {
    let asked = workspace.workspace().domains.iter();
    let asked = asked.map(|domain| (domain.id, window.start())).collect();
    let known = store.known(&asked).await?;
    Ok(known
        .iter()
        .map(|(domain, known)| (*domain, Site::of(known, window, now)))
        .collect())
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;
    use crate::{
        check::Outcome,
        fixture::{NOW, knowledge},
    };

    /// Checks are made on time where the address policy refuses them: it is not they that somebody should look at.
    #[test]
    fn a_site_that_pharos_may_not_go_to_is_told_from_a_silent_one() {
        let mut known = knowledge(&[("eu", 30)]);
        assert_eq!(attention(&known, State::Unknown, NOW), [Attention::Silent]);
        let state = known.regions[0].state.as_mut().unwrap();
        (state.last_outcome, state.last_status_code) = (Outcome::Blocked, None);
        assert_eq!(attention(&known, State::Unknown, NOW), [Attention::Refused]);
        let later = NOW + Duration::HOUR;
        assert_eq!(attention(&known, State::Unknown, later), [Attention::Silent]);
    }

    #[test]
    fn what_is_pressing_comes_first() {
        let mut known = knowledge(&[("eu", 30)]);
        known.monitor.settings.domain_warn_days = vec![30, 7];
        known.monitor.settings.ssl_warn_days = vec![14];
        assert_eq!(attention(&known, State::Up, NOW), []);
        known.registration_ends_at = Some(NOW + Duration::days(20));
        let ends = |days| Some(NOW + Duration::days(days) + Duration::HOUR);
        for region in &mut known.regions {
            region.state.as_mut().unwrap().certificate_valid_until = ends(14);
        }
        assert_eq!(
            attention(&known, State::Down, NOW),
            [
                Attention::Down,
                Attention::CertificateEnds(14),
                Attention::RegistrationEnds(20)
            ]
        );
        for region in &mut known.regions {
            region.state.as_mut().unwrap().certificate_valid_until = ends(-1);
        }
        known.registration_ends_at = ends(31);
        assert_eq!(attention(&known, State::Up, NOW), [Attention::CertificateExpired]);
        known.monitor.settings.enabled = false;
        assert_eq!(attention(&known, State::Paused, NOW), []);
    }
}
