//! A check that was done, on its way to the store.

use std::{collections::BTreeMap, sync::Arc};

use pharos_domain::ids::DomainId;
use time::OffsetDateTime;

use crate::{certificate::Sighting, check::Check};

/// A check that was done.
#[derive(Clone, Debug)]
pub struct FinishedCheck {
    /// The outcome and all that was measured.
    pub check: Check,
    /// When it was due; `None` for a run, which leaves the schedule alone.
    pub due_at: Option<OffsetDateTime>,
    /// When the settings that it was made with were changed last; `None`: they were read as it began.
    pub settings_at: Option<OffsetDateTime>,
    /// The end of the certificate that was seen.
    pub certificate_valid_until: Option<OffsetDateTime>,
    /// The headers of the answer that tell who answered.
    pub response_headers: BTreeMap<String, String>,
    /// The sighting of the site's TLS; `None` leaves the stored one.
    pub sighting: Option<Arc<Sighting>>,
}

impl FinishedCheck {
    /// The domain whose TLS was seen, when, and the sighting; `None` where the stored one is left.
    #[must_use]
    pub fn sighted(&self) -> Option<(DomainId, OffsetDateTime, &Arc<Sighting>)> {
        let sighting = self.sighting.as_ref()?;
        Some((self.check.domain_id, self.check.checked_at, sighting))
    }
}
