//! Sites for tests.

use time::{Duration, OffsetDateTime, macros::datetime};

use crate::{
    check::Outcome,
    knowledge::{MonitorKnowledge, RegionKnowledge},
    monitor::{Monitor, settings::MonitorSettings},
    state::{RegionState, SpanState},
};

pub(crate) const NOW: OffsetDateTime = datetime!(2026-03-31 09:15:00 UTC);

/// A region that has seen its site up at its only check.
pub(crate) fn region_state(last_check_at: OffsetDateTime) -> RegionState {
    RegionState {
        is_down: false,
        since: last_check_at,
        failing: None,
        passing_since: None,
        paused_at: None,
        consecutive_failures: 0,
        consecutive_passes: 1,
        consecutive_forbidden: 0,
        last_success_at: Some(last_check_at),
        last_check_at,
        holds_until: Some(last_check_at + Duration::minutes(2)),
        stored_until: None,
        retry_index: 0,
        last_outcome: Outcome::Up,
        current: SpanState::Up,
        last_status_code: Some(200),
        last_response_ms: Some(120.5),
        last_error_class: None,
        last_error_message: None,
        certificate_valid_until: None,
    }
}

/// A site that is checked once a minute, by regions whose last checks are so many seconds ago.
pub(crate) fn knowledge(regions: &[(&str, i64)]) -> MonitorKnowledge {
    let region = |(region, ago): &(&str, i64)| RegionKnowledge {
        region: (*region).to_owned(),
        state: Some(region_state(NOW - Duration::seconds(*ago))),
        next_check_at: None,
    };
    MonitorKnowledge {
        monitor: Monitor {
            settings: MonitorSettings::defaults(&"shop.example".parse().unwrap(), &[]),
            created_at: NOW - Duration::DAY,
            updated_at: NOW - Duration::DAY,
            updated_by: None,
        },
        regions: regions.iter().map(region).collect(),
        spans: Vec::new(),
        incidents: Vec::new(),
        registration_ends_at: None,
    }
}
