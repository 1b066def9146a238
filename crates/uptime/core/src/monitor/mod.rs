//! Monitors: the site that is watched, how often, and how its answers are judged.

pub mod maintenance;
pub mod settings;

use pharos_domain::{hostname::Hostname, ids::UserId};
use pharos_egress::address_policy::AddressPolicy;
use time::OffsetDateTime;

use self::settings::MonitorSettings;

/// The monitor of a domain, as stored.
#[derive(Clone, Debug)]
pub struct Monitor {
    /// How the site is checked, and what counts as up.
    pub settings: MonitorSettings,
    /// When it was created.
    pub created_at: OffsetDateTime,
    /// When the settings last changed.
    pub updated_at: OffsetDateTime,
    /// Who changed them.
    pub updated_by: Option<UserId>,
}

/// The facts that the settings of a monitor are checked against.
#[derive(Clone, Debug)]
pub struct Surroundings<'a> {
    /// The domain that the URL must be on.
    pub hostname: &'a Hostname,
    /// The regions that checks can run from.
    pub regions: &'a [String],
    /// Where probes may go.
    pub policy: &'a AddressPolicy,
}
