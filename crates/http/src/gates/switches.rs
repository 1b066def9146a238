//! Switches: has the operator turned this off? 503.

use pharos_domain::{problem::Suffix, switches::Switches};

use crate::{problem::Problem, spec::OperationSpec};

/// The value of `Retry-After`; nobody knows how long a switch stays thrown.
const RETRY_AFTER_SECONDS: u32 = 60;

/// Asks what the operator has turned off.
pub(super) struct SwitchGate(pub(super) Switches);

impl SwitchGate {
    pub(super) fn pass(&self, spec: &OperationSpec) -> Result<(), Problem> {
        let Self(switches) = self;
        if switches.api_disabled {
            let detail = "The operator has turned the API off for a while.";
            return Err(Problem::new(Suffix::ApiDisabled, detail).retry_after(RETRY_AFTER_SECONDS));
        }
        if switches.read_only_mode && spec.changes_something() {
            let detail = "The operator has turned writes and runs off for a while; reads are served.";
            return Err(Problem::new(Suffix::ReadOnlyMode, detail).retry_after(RETRY_AFTER_SECONDS));
        }
        Ok(())
    }
}
