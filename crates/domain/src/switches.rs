//! Switches: the parts of Pharos that an operator can turn off while it runs.

use async_trait::async_trait;
use time::OffsetDateTime;

use crate::{audit::Actor, store::StoreError, wire_enum};

wire_enum! {
    /// A switch. Thrown with `pharos admin switch`, seen by every node without a restart.
    Switch {
        /// Every operation is refused with 503 `api-disabled`.
        ApiDisabled = "api-disabled",
        /// Writes and runs are refused with 503 `read-only-mode`; reads are served.
        ReadOnlyMode = "read-only-mode",
    }
}

/// Which switches are thrown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// [`Switch::ApiDisabled`].
    pub api_disabled: bool,
    /// [`Switch::ReadOnlyMode`].
    pub read_only_mode: bool,
}

impl FromIterator<Switch> for Switches {
    fn from_iter<I: IntoIterator<Item = Switch>>(thrown: I) -> Self {
        let mut switches = Self::default();
        for switch in thrown {
            match switch {
                Switch::ApiDisabled => switches.api_disabled = true,
                Switch::ReadOnlyMode => switches.read_only_mode = true,
            }
        }
        switches
    }
}

/// Throws switches, and reads them.
#[async_trait]
pub trait SwitchStore: Send + Sync {
    /// Throws a switch, or puts it back. Returns once every node knows.
    async fn set(
        &self,
        switch: Switch,
        thrown: bool,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Switches, StoreError>;

    /// Which switches are thrown.
    async fn read(&self) -> Result<Switches, StoreError>;
}

/// The switches as a node knows them. It is asked on every request, so it answers from memory.
pub trait Switchboard: Send + Sync {
    /// Which switches are thrown.
    fn switches(&self) -> Switches;
}
