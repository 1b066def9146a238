//! Values that are stored as JSON and read in several places.

use pharos_domain::store::StoreError;
use pharos_persistence::json::Json;
use pharos_uptime::{monitor::settings::MonitorSettings, state::RegionState};

/// The settings of a monitor. The values of headers never reach a message.
pub(crate) fn read_settings(stored: Json<MonitorSettings>) -> Result<MonitorSettings, StoreError> {
    stored.read("the settings of a monitor")
}

/// The state of a region.
pub(crate) fn read_state(stored: Json<RegionState>) -> Result<RegionState, StoreError> {
    stored.read("the state of a region")
}
