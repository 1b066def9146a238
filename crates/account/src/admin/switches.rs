//! Switches.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    store::StoreError,
    switches::{Switch, Switches},
};
use time::OffsetDateTime;

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
