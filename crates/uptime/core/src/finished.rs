//! A check that was done, on its way to the store.

use std::{collections::BTreeMap, sync::Arc};

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
